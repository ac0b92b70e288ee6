"""Measures each kind of question in a pocket house's Python, beside a house's Python, in one run.

The pocket's Python is the shipped one, in WebAssembly, run by Node with the files that ``pubdice pocket`` makes. A
browser's Python is as quick as Node's. The house's Python is this one, with numpy. Each is asked each question
``--times`` times, and the least time counts, by the clock or by the processor. "First" is a question with nothing
remembered. "Later" is the longest of the questions after it. If an answer comes in parts, it is the longest part.

Goal: at most 300 ms for each question of two seats, or for each part of it.

    .venv/bin/python -m benchmarks.pocket_questions [--only midnight] [--form "rounds 5"] [--times 3] [--above 100]
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from platformdirs import user_cache_path

from pubdice_pocket.build.contents import make_folder
from pubdice_pocket.build.parts import fetch_parts
from pubdice_pocket.build.solutions import solutions

LIMIT_MS = 300
ROOT = Path(__file__).parents[1]
Form = tuple[str, Mapping[str, str]]
PLAIN: dict[str, str] = {}
FORMS: Mapping[str, tuple[Form, ...]] = {
    "midnight": (
        *[(form, PLAIN) for form in ("rounds 1", "rounds 5", "rounds 20", "pot 1 5", "pot 2 20")],
        *[(form, {"need": "2 4"}) for form in ("rounds 5", "pot 1 5")],
        *[(f"price {form}", PLAIN) for form in ("rounds 5", "pot 1 5")],
        ("", PLAIN),
    ),
    "ship": (
        *[(form, PLAIN) for form in ("rounds 1", "rounds 5", "rounds 20", "pot 1 5", "pot 2 20")],
        ("rounds 5", {"cargo": "single", "boxcars": "yes"}),
        ("rounds 5", {"cargo": "stays"}),
        *[(f"price {form}", PLAIN) for form in ("rounds 5", "pot 1 5")],
        ("", PLAIN),
    ),
    "threes": (
        *[(form, PLAIN) for form in ("rounds 1", "rounds 5", "rounds 20", "pot 1 5", "pot 2 20")],
        *[("rounds 5", {"moon": moon}) for moon in ("yes", "first")],
        *[(f"price {form}", PLAIN) for form in ("rounds 5", "pot 1 5")],
        ("", PLAIN),
    ),
    "mexico": (
        *[(form, PLAIN) for form in ("lives 3", "lives 6", "lives 12", "rounds 1", "rounds 5", "rounds 20", "pot 1 5")],
        *[(form, {"hold": "1 2"}) for form in ("lives 3", "rounds 5", "pot 1 5")],
        *[(f"price {form}", PLAIN) for form in ("lives 3", "rounds 5", "pot 1 5")],
        ("", PLAIN),
    ),
    "420": (("race", PLAIN), ("drinks", PLAIN), ("price race", PLAIN), ("price drinks", PLAIN), ("", PLAIN)),
}


def pocket(cache: Path, folder: Path) -> None:
    """Write a pocket's engine and house into a folder, as ``run_in_node.mjs`` reads them."""
    fetch_parts(cache / "pocket")
    for name, data in make_folder(cache / "pocket", dict(solutions(cache))).files.items():
        if name.startswith(("pocket/engine/", "pocket/house.zip", "pocket/libraries.js")):
            file = folder / name.removeprefix("pocket/")
            file.parent.mkdir(exist_ok=True, parents=True)
            file.write_bytes(data)


def in_node(folder: Path, given: Mapping[str, Any]) -> Any:
    """Return the result of ``pocket_asked`` in the shipped Python."""
    script = folder / "asked.py"
    text = (ROOT / "benchmarks/pocket_asked.py").read_text("utf-8").partition("if __name__")[0]
    script.write_text(text.replace('GIVEN = ""', f"GIVEN = {json.dumps(given)!r}"), "utf-8")
    runner = ROOT / "packages/pocket/tests/pocket/run_in_node.mjs"
    done = subprocess.run(["node", runner, folder, script], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr[-2_000:])
    return json.loads(done.stdout.splitlines()[-1])


def here(given: Mapping[str, Any]) -> Any:
    """Return the result of ``pocket_asked`` in a new process of this Python."""
    command = [sys.executable, "-m", "benchmarks.pocket_asked", json.dumps(given)]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def rows(folder: Path, game: str, form: Form, times: int) -> Iterator[tuple[str, list[Any], list[Any]]]:
    """Yield (the match, the pocket's row, the house's row) for each kind of question."""
    given = {"game": game, "forms": [form], "times": times}
    pocket, house = in_node(folder, given), here({**given, "bare": False, "cache": ""})
    for name, found in pocket.items():
        beside = {row[0]: row for row in house[name]}
        for row in found:
            yield name, row, beside[row[0]]


def main() -> int:
    """Print a row for each question above ``--above`` ms. Return exit status 1 if a question is above the limit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", help="a game")
    parser.add_argument("--form", help="a format of it")
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--above", type=float, default=0, help="print what takes so many ms or more")
    given = parser.parse_args()
    missed = asked = 0
    with TemporaryDirectory() as name:
        folder = Path(name)
        pocket(user_cache_path("pubdice", appauthor=False), folder)
        for game, forms in FORMS.items():
            for form in forms:
                if given.only not in (None, game) or given.form not in (None, form[0]):
                    continue
                for match, (kind, first, later, said), (_, one, two, _) in rows(folder, game, form, given.times):
                    most, asked = max(first, later), asked + 1
                    missed += most > LIMIT_MS
                    if most >= given.above:
                        print(
                            f"{game} {match}: {kind}: first {first:.0f} ms ({first / max(one, 1e-3):.1f} times "
                            f"{one:.1f}), later {later:.0f} ms ({later / max(two, 1e-3):.1f} times {two:.1f}), "
                            f"{most / LIMIT_MS:.0%} of {LIMIT_MS} ms: {said}",
                            flush=True,
                        )
    print(f"{asked} kinds of question, {missed} above {LIMIT_MS} ms")
    return int(missed > 0)


if __name__ == "__main__":
    raise SystemExit(main())
