"""The first minutes of a newcomer, counted: from nothing to a rolled die, in the browser, the terminal and Python.

Each of the three ways begins with an empty home and a fresh clone, and follows the README only. The script counts the
commands typed, the questions answered, the seconds, the sentences read before the die, and the sentences with a word
that a newcomer has to learn. ``--write`` puts the figures into benchmarks/README.md.

    .venv/bin/python -m benchmarks.first_minutes [--write]
"""

import argparse
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from shutil import which

from benchmarks.load.chromium import CHROMIUM, FLAGS

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "benchmarks/README.md"
BEGIN, END = "<!-- figures: begin -->\n", "<!-- figures: end -->"
JARGON = re.compile(
    r"\b(format|seats?|opener|sealed|qualif\w+|locked|ante|pot|unsolved|notation|venv)\b", re.IGNORECASE
)
SAID = re.compile(r"[^.?!\n]*[.?!](?=\s|$)")
"""A sentence, in the text of a page that also has labels and buttons."""
WITHIN_S = 900.0


@dataclass(frozen=True, slots=True)
class FirstMinutes:
    """The figures of one way to a first die. ``told`` is all text read before the die."""

    way: str
    commands: int
    questions: int
    seconds: float
    told: str

    @property
    def sentences(self) -> list[str]:
        """The sentences that were read."""
        return [each for each in re.split(r"(?<=[.?!])\s+|\n+", self.told) if re.search(r"[a-z]{2}", each)]

    @property
    def row(self) -> str:
        """The figures as a row of the README's table."""
        hard = sum(1 for each in self.sentences if JARGON.search(each))
        return (
            f"| {self.way} | {self.commands} | {self.questions} | {self.seconds:.0f} | {len(self.sentences)} | {hard} |"
        )


@contextmanager
def fresh() -> Iterator[tuple[Path, dict[str, str]]]:
    """Make a folder for a clone, and an environment with an empty home."""
    with tempfile.TemporaryDirectory(prefix="pubdice-first-") as folder:
        home = Path(folder, "home")
        home.mkdir()
        kept = {key: value for key, value in os.environ.items() if not key.startswith(("PUBDICE", "PYTHON", "XDG"))}
        yield Path(folder), kept | {"HOME": str(home), "LC_ALL": "C.UTF-8"}


def clone(folder: Path) -> Path:
    """Run the README's first command, which clones the repository."""
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(folder / "pubdice")], check=True)
    return folder / "pubdice"


def in_the_terminal() -> FirstMinutes:
    """Run ``make play``, and press Enter until dice are rolled."""
    with fresh() as (folder, environ):
        begun = time.monotonic()
        done = subprocess.run(
            ["make", "play"],
            cwd=clone(folder),
            env=environ,
            input="\n" * 8,
            capture_output=True,
            text=True,
            timeout=WITHIN_S,
            check=False,
        )
        took = time.monotonic() - begun
    before, rolled, _ = done.stdout.partition("You rolled")
    if not rolled:
        raise ValueError(done.stdout + done.stderr)
    return FirstMinutes("terminal: `make play`", 2, len(re.findall("^> ", before, re.MULTILINE)), took, before)


def in_the_browser() -> FirstMinutes:
    """Run ``make serve``. In a browser enter a name, and tap "Play a bot" and "Roll"."""
    with fresh() as (folder, environ):
        begun, told = time.monotonic(), ""
        words = ["make", "serve", "HOST=127.0.0.1", "PORT=0"]
        with subprocess.Popen(
            words, cwd=clone(folder), env=environ, stdout=subprocess.PIPE, text=True, start_new_session=True
        ) as house:
            assert house.stdout is not None
            try:
                for line in house.stdout:
                    told += line
                    if found := re.search(r"http://\S+", line):
                        break
                else:
                    raise ValueError(told)
                told += "\n".join(rolled_in_a_browser(found[0]))
                took = time.monotonic() - begun
            finally:
                os.killpg(house.pid, signal.SIGINT)
    return FirstMinutes('browser: `make serve`, a name, "Play a bot", "Roll"', 2, 1, took, told)


def rolled_in_a_browser(address: str) -> list[str]:
    """Play in a real browser until the dice fall. Return the sentences on the pages.

    Raises ModuleNotFoundError without Playwright, and playwright's Error without a browser.
    """
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - the other ways need none

    program = CHROMIUM if Path(CHROMIUM).exists() else which("chromium-headless-shell")  # None: Playwright's own
    with sync_playwright() as playwright, playwright.chromium.launch(executable_path=program, args=FLAGS) as browser:
        page = browser.new_page(locale="en-GB")
        page.goto(address)
        read = SAID.findall(page.inner_text("body"))
        page.get_by_label("Your name").fill("Ann")
        page.get_by_role("button", name="Play a bot").click()
        roll = page.get_by_role("button", name=re.compile("^Roll [0-9]+ dice"))
        roll.wait_for(timeout=WITHIN_S * 1000)  # the button comes later if the bot opens
        read += SAID.findall(page.inner_text("body"))
        roll.click()
        page.locator("#dice [data-face]").first.wait_for()
    return list(dict.fromkeys(each.strip() for each in read))


def in_python() -> FirstMinutes:
    """Make an environment, install the package, and run the README's lines."""
    with fresh() as (folder, environ):
        begun, here = time.monotonic(), clone(folder)
        subprocess.run([sys.executable, "-m", "venv", "v"], cwd=folder, env=environ, check=True)
        subprocess.run(["v/bin/pip", "install", "--quiet", str(here)], cwd=folder, env=environ, check=True)
        source = (here / "README.md").read_text("utf-8").partition("```python\n")[2].partition("```")[0]
        done = subprocess.run(
            ["v/bin/python", "-c", source], cwd=folder, env=environ, capture_output=True, text=True, check=True
        )
        took = time.monotonic() - begun
    return FirstMinutes("Python: `venv`, `pip install`, the README's lines", 3, 0, took, done.stdout)


def main() -> int:
    """Go all three ways, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="write them into benchmarks/README.md")
    options = parser.parse_args()
    head = "| way | commands | questions | seconds | sentences | with a word to learn |\n"
    head += "| --- | ---: | ---: | ---: | ---: | ---: |\n"
    try:
        table = head + "".join(f"{way().row}\n" for way in (in_the_terminal, in_the_browser, in_python))
    except ModuleNotFoundError:
        sys.stderr.write("The browser's way needs Playwright: make test installs it.\n")
        return 1
    sys.stdout.write(table)
    if options.write:
        before, _, rest = PAGE.read_text("utf-8").partition(BEGIN)
        PAGE.write_text(f"{before}{BEGIN}{table}{END}{rest.partition(END)[2]}", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
