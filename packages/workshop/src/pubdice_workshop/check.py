"""Looks at one game: it loads, its code is clean and typed, and every law of the house holds over it.

The laws lie beside this module, in ``laws``. The repository's own tests run them over every game; here they are run for
one game alone, in a process of their own, and what they find is told in sentences. A game elsewhere need not be
installed: its ``pyproject.toml`` says what an installation would.
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
from pubdice.text.catalogues import native_names

WITHIN_S, MOST_S = 120, 86_400
"""The time that a check takes at most: by default, and the most that can be asked for."""
FAULTY, UNTRIED = 1, 3
"""Exit statuses: something does not hold; or all that was tried holds, and laws were left out as the time was over."""
LATE = 20
"""The exit status of the laws for the latter; pytest has none of its own there."""
LEAST_S, AFTER_S = 1, 4
"""For the laws at the least; and until they have told what they found, even where one of them cannot be ended."""
LAWS_FOLDER = Path(__file__).with_name("laws")
"""The laws and all that they import: a folder that has to be where Python looks for modules."""
LAWS = ("laws", "one_game", "text/test_languages.py", "test_kit.py")
"""The tests that are run, from the folder of laws."""


@dataclass(frozen=True, slots=True)
class GameFolder:
    """A game to look at. name: as the house calls it. package: its folder. root: where its tools are run.

    project: the name of its distribution; "" for a game of the house. entry: its entry point.
    """

    name: str
    package: Path
    root: Path
    project: str = ""
    entry: str = ""


def find_games(target: str) -> list[GameFolder]:
    """The game of this name, or those of a package's folder. Raises Refused."""
    if target in GAMES and not (Path(target) / "pyproject.toml").is_file():
        here = Path(str(sys.modules[GAMES[target].home].__file__)).parent
        return [GameFolder(target, here, here.parents[2])]  # from where its modules have their whole names
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
    """The environment of a Python that finds a game as if it were installed."""
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
    """One look at a game. Each step writes its sentence; ``faults`` counts the steps that found something.

    laws: the tests to run, from the folder of laws. is_untried: a step or a law was left out, as the time was over.
    """

    def __init__(
        self, game: GameFolder, environment: Mapping[str, str], out: TextIO, within_s: float, laws: Sequence[str]
    ) -> None:
        self._game, self._environment, self._out, self._tests = game, environment, out, laws
        self._until = time.monotonic() + within_s
        self.faults = 0
        self.is_untried = False

    def check(self) -> None:
        """All steps, the quick ones first. A game that does not load is looked at no further."""
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
        """The game as it is named on the command line."""
        return shlex.quote(str(self._game.root)) if self._game.project else self._game.name

    def _types(self) -> None:
        words = ["--strict", "--no-error-summary", "--hide-error-context", "--explicit-package-bases"]
        self._tool("mypy", "Its types", "Its types agree.", "Its types do not agree", *words, str(self._game.package))

    def _languages(self) -> None:
        """Name what it does not speak; that is no fault. What a catalogue lacks is a law's."""
        for code, name in native_names()[1:]:
            if not (self._game.package / f"{code}.po").is_file():
                self._out.write(
                    f"It has no {code}.po, so who reads {name} reads its sentences in English: `pubdice game words"
                    f" {self._target}` prints one to fill in.\n"
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
        # The same run in a clone and elsewhere: with no settings, and no conftest.py, but the laws' own.
        words += ["-c", os.devnull, "--rootdir", str(LAWS_FOLDER), "--confcutdir", str(LAWS_FOLDER)]
        words += ["--import-mode=importlib", "-o", "markers=nightly: long runs", "-o", "filterwarnings=error"]
        pytest = ["-m", "pytest", "-p", "law_plugin", "-q", "--tb=no", "-p", "no:cacheprovider"]
        try:
            with TemporaryDirectory(prefix="pubdice-") as kept:  # Hypothesis would keep its files beside the laws
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
        """The status and words of a Python, ended with all that it started. Raises TimeoutExpired."""
        with TemporaryFile("w+", encoding="utf-8") as said:  # a pipe would stay open as long as any of its processes
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
"""The lines between which the tests tell of one game (``laws/one_game/told.py``)."""


def with_laws(environment: Mapping[str, str]) -> dict[str, str]:
    """The environment of a Python that finds the laws and what they import."""
    path = os.pathsep.join(filter(None, [str(LAWS_FOLDER), environment.get("PYTHONPATH", "")]))
    return {**environment, "PYTHONPATH": path}


def check(target: str, out: TextIO, within_s: float = WITHIN_S, laws: Sequence[str] = LAWS) -> int:
    """Look at the games that are meant; the exit status, 0 if all hold and every law was tried. Raises Refused."""
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
    """Print what each language lacks of these games, to be pasted; 1 if anything is missing. Raises Refused."""
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
