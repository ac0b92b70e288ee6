"""The check of one game: it loads, its code is clean and typed, and it passes every law of the house.

The laws are tests in the folder ``laws`` beside this module. The repository's own tests run them over all games. This
module runs them over one game, in a separate process, and reports the faults in sentences. The game need not be
installed: the module reads the game's entry points from its ``pyproject.toml``.
"""

import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import TextIO

from pubdice.core.errors import Refused
from pubdice.games import GAMES
from pubdice.games.installed import GROUP
from pubdice.text.catalogues import CODES

WITHIN_S, MOST_S = 120, 86_400
"""The time in seconds that a check may take: the default, and the most that ``--within`` accepts."""
FAULTY, UNTRIED = 1, 3
"""Exit statuses: 1 if the check found a fault, 3 if it found none but the time ran out before every law was tried."""
LATE = 20
"""The exit status of the pytest run if the time was too short for some laws. pytest itself does not use this number."""
LEAST_S, AFTER_S = 1, 4
"""Times in seconds. With less than ``LEAST_S`` left, the laws are not started. ``AFTER_S`` is kept back for their
report and for the end of the process."""
LAWS_FOLDER = Path(__file__).with_name("laws")
"""The folder of the laws and of all modules that they import. It must be on Python's module path."""
LAWS = ("laws", "one_game", "text/test_languages.py", "test_kit.py")
"""The tests to run, relative to ``LAWS_FOLDER``."""


@dataclass(frozen=True, slots=True)
class GameFolder:
    """A game to check. ruff and mypy run in the folder ``root``. For a game of the house, ``project`` and ``entry`` are
    "".
    """

    name: str
    package: Path
    root: Path
    project: str = ""
    entry: str = ""


def find_games(target: str) -> list[GameFolder]:
    """Find the house's game of this name, or all games of the package in this folder. Raises Refused."""
    if target in GAMES and not (Path(target) / "pyproject.toml").is_file():
        here = Path(str(sys.modules[GAMES[target].home].__file__)).parent
        # ruff and mypy run in this folder (here the one above ``pubdice``), since its modules have their full names
        # from here
        return [GameFolder(target, here, here.parents[2])]
    file = Path(target) / "pyproject.toml"
    if not file.is_file():
        raise Refused("no-project", folder=target, games=", ".join(GAMES))
    import tomllib  # noqa: PLC0415  the standard library of a pocket has none

    try:
        project = tomllib.loads(file.read_text(encoding="utf-8")).get("project", {})
        entries: Mapping[str, str] = dict(project.get("entry-points", {}).get(GROUP, {}))
        if not all(isinstance(value, str) for value in entries.values()):
            raise ValueError("an entry point is no text")
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, AttributeError, TypeError, ValueError) as error:
        raise Refused("bad-project", file=str(file), why=str(error)) from None
    if not entries:
        raise Refused("no-entry", file=str(file), group=GROUP)
    root, found = file.parent.resolve(), []
    for name, value in entries.items():
        path = Path(*value.partition(":")[0].strip().split("."))
        package = next((root / top / path for top in ("src", ".") if (root / top / path).is_dir()), None)
        if package is None:
            raise Refused("no-package", package=str(path), folder=str(root))
        found.append(GameFolder(name, package.resolve(), root, project.get("name", name), value))
    return found


@contextmanager
def importable(game: GameFolder) -> Iterator[dict[str, str]]:
    """Make a game importable as if it were installed. Yields the environment for a Python process that finds
    the game.
    """
    environment = dict(os.environ)
    if not game.project:
        yield environment
        return
    with TemporaryDirectory(prefix="pubdice-") as folder:
        about = Path(folder) / f"{game.project.replace('-', '_')}-0.dist-info"
        about.mkdir()
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {game.project}\nVersion: 0\n")
        (about / "entry_points.txt").write_text(f"[{GROUP}]\n{game.name} = {game.entry}\n")
        top = game.package
        for _ in game.entry.partition(":")[0].split("."):
            top = top.parent
        before = environment.get("PYTHONPATH")
        environment["PYTHONPATH"] = os.pathsep.join([folder, str(top), *([before] if before else [])])
        yield environment


LOADS = """
import sys
from pubdice.games import GAMES, INSTALLED
name = sys.argv[1]
print(*[game.sentence for game in INSTALLED.left_out if game.name == name], sep="\\n", end="")
if name not in GAMES and not any(game.name == name for game in INSTALLED.left_out):
    print(f"The game {name} is not found, though its entry point names it.", end="")
"""


class Checker:
    """The check of one game. Each step writes its sentence to ``out``. ``is_untried`` becomes True if the time runs out
    before a step.
    """

    def __init__(
        self, game: GameFolder, environment: Mapping[str, str], out: TextIO, within_s: float, laws: Sequence[str]
    ) -> None:
        self._game, self._environment, self._out, self._tests = game, environment, out, laws
        self._until = time.monotonic() + within_s
        self.faults = 0
        self.is_untried = False

    def check(self) -> None:
        """Run all steps, the quick ones first. If the game does not load, stop after the first step."""
        try:
            said = self._python("-c", LOADS, self._game.name)[1]
        except subprocess.TimeoutExpired:
            self._late("Whether it loads")
            return
        if said.strip():
            self._found(said.strip())
            return
        ill = "Its code is not clean"
        self._tool("ruff", "Its code", "Its code is clean.", ill, "check", "--quiet", str(self._game.package))
        words = ["format", "--check", "--quiet", str(self._game.package)]
        self._tool("ruff", "Its form", "It is formatted.", "It is not formatted", *words)
        self._types()
        self._languages()
        self._laws()

    @property
    def _target(self) -> str:
        return shlex.quote(str(self._game.root)) if self._game.project else self._game.name

    def _types(self) -> None:
        words = ["--strict", "--no-error-summary", "--hide-error-context", "--explicit-package-bases"]
        self._tool("mypy", "Its types", "Its types agree.", "Its types do not agree", *words, str(self._game.package))

    def _languages(self) -> None:
        """Name the languages for which the game has no catalogue. This does not count as a fault. The gaps within a
        catalogue are found by a law.
        """
        missing = [code for code in CODES[1:] if not (self._game.package / f"{code}.po").is_file()]
        if missing:
            self._out.write(
                f"Its sentences are in English where it has no catalogue: {', '.join(missing)}. `pubdice game words"
                f" {self._target}` prints the entries to fill in.\n"
            )

    def _laws(self) -> None:
        missing = [name for name in ("pytest", "hypothesis", "jinja2") if find_spec(name) is None]
        if missing:
            needed = ", ".join(missing)
            self._found(f"The laws were not tried, as {needed} is missing: pip install 'pubdice[laws]'.")
            return
        left = self._until - time.monotonic() - AFTER_S
        if left < LEAST_S:
            self._late("The laws")
            return
        workers = ["-n", str(os.cpu_count() or 1)] if find_spec("xdist") else []
        words = [
            *workers,
            "--game",
            self._game.name,
            "--game-folder",
            str(self._game.package),
            "--until",
            f"{time.time() + left:.1f}",
        ]
        files = [str(LAWS_FOLDER / name) for name in self._tests]
        # No settings and no conftest.py from outside: so the run is the same in a clone and elsewhere.
        words += ["-c", os.devnull, "--rootdir", str(LAWS_FOLDER), "--confcutdir", str(LAWS_FOLDER)]
        words += ["--import-mode=importlib", "-o", "markers=nightly: long runs", "-o", "filterwarnings=error"]
        pytest = ["-m", "pytest", "-p", "law_plugin", "-q", "--tb=no", "-p", "no:cacheprovider"]
        try:
            # without this folder, Hypothesis would write beside the laws
            with TemporaryDirectory(prefix="pubdice-") as kept:
                environment = {**with_laws(self._environment), "HYPOTHESIS_STORAGE_DIRECTORY": kept}
                status, said = self._python(*pytest, *words, *files, cwd=LAWS_FOLDER, environment=environment)
        except subprocess.TimeoutExpired:
            self._late("The laws")
            return
        told = said.partition(TOLD)[2].partition(END)[0].strip("\n")
        if not told:
            told = "The laws could not be tried:\n" + "\n".join(said.strip().splitlines()[-15:])
        late = status == LATE
        self.is_untried = self.is_untried or late
        if status and not late:
            self._found(told)
        else:
            self._out.write(told + "\n")

    def _tool(self, module: str, what: str, well: str, ill: str, *words: str) -> None:
        if find_spec(module) is None:
            self._found(f"{what}: not looked at, as {module} is missing: pip install 'pubdice[laws]'.")
            return
        try:
            status, said = self._python("-m", module, *words, cwd=self._game.root)
        except subprocess.TimeoutExpired:
            self._late(what)
            return
        if status:
            self._found(f"{ill}:\n{said.strip()}")
        else:
            self._out.write(well + "\n")
        self._out.flush()

    def _python(
        self, *words: str, cwd: Path | None = None, environment: Mapping[str, str] | None = None
    ) -> tuple[int, str]:
        """Run Python and return its exit status and output. At the end, kill all processes that it started. Raises
        TimeoutExpired.
        """
        # a file, because a pipe would stay open while any child process lives
        with TemporaryFile("w+", encoding="utf-8") as said:
            begun = subprocess.Popen(  # noqa: S603  words of ours, and the folder that was named
                [sys.executable, *words],
                env=dict(environment or self._environment),
                cwd=cwd,
                stdout=said,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            try:
                status = begun.wait(max(0.0, self._until - time.monotonic()))
            finally:
                with suppress(ProcessLookupError):
                    os.killpg(begun.pid, signal.SIGKILL)
                begun.wait()
            said.seek(0)
            return status, said.read()

    def _late(self, what: str) -> None:
        self.is_untried = True
        self._out.write(f"{what}: not looked at, as the time was over (--within gives more).\n")
        self._out.flush()

    def _found(self, said: str) -> None:
        self.faults += 1
        self._out.write(said + "\n")


TOLD, END = "-- the laws --", "-- end of the laws --"
"""The lines that begin and end the report in the output of the laws (``laws/one_game/told.py``)."""


def with_laws(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the environment with the folder of laws on its PYTHONPATH."""
    path = os.pathsep.join(filter(None, [str(LAWS_FOLDER), environment.get("PYTHONPATH", "")]))
    return {**environment, "PYTHONPATH": path}


def check(target: str, out: TextIO, within_s: float = WITHIN_S, laws: Sequence[str] = LAWS) -> int:
    """Check these games and return the exit status. It is 0 if no game has a fault and every law was tried. Raises
    Refused.
    """
    found = set[int]()
    games: Sequence[GameFolder] = find_games(target)
    for game in games:
        out.write(f"{game.name}, in {game.package}\n")
        out.flush()
        try:
            with importable(game) as environment:
                checker = Checker(game, environment, out, within_s / len(games), laws)
                checker.check()
        except KeyboardInterrupt:
            out.write(f"{game.name}: interrupted, so the rest was not looked at.\n")
            raise
        if checker.faults:
            out.write(f"{game.name} does not hold yet.\n")
            found.add(FAULTY)
        elif checker.is_untried:
            out.write(f"{game.name} holds as far as it was tried.\n")
            found.add(UNTRIED)
        else:
            out.write(f"{game.name} holds.\n")
    return min(found, default=0)


def words(target: str, out: TextIO) -> int:
    """Print each missing translation of these games, ready to paste into a catalogue. Return 1 if any is missing.
    Raises Refused.
    """
    missing = 0
    if find_spec("pytest") is None or find_spec("jinja2") is None:
        raise Refused("no-laws")
    for game in find_games(target):
        with importable(game) as environment:
            home = game.entry.partition(":")[0].strip() or str(GAMES[game.name].home)
            command = [sys.executable, str(LAWS_FOLDER / "untranslated.py"), home, str(game.package)]
            done = subprocess.run(  # noqa: S603  words of ours, and the folder that was named
                command, env=with_laws(environment), capture_output=True, text=True, check=False
            )
        out.write(done.stdout or done.stderr)
        missing |= done.returncode
    return missing
