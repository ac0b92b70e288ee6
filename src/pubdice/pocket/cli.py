"""``pubdice pocket``: builds the folder of a pocket house, with solutions made ahead, or checks one that was given."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import TextIO

import pubdice
from pubdice.advice.figures import BestPlayFigure, figure_names, figures_json
from pubdice.advice.figures import file_name as figures_name
from pubdice.command_line import FaultError, Parser, complain
from pubdice.core.errors import Refused
from pubdice.core.game import TurnGame
from pubdice.games import GAMES, INSTALLED
from pubdice.match.formats import POT, ROUNDS
from pubdice.pocket.build.contents import Folder, differences, make_folder, write_folder
from pubdice.pocket.build.libraries import fetch_parts
from pubdice.server.jobs import NoAnswer, best_play_figure
from pubdice.solve.choose import one_turn_each
from pubdice.solve.pure_python.turn_match import MOST_PLANNED, ready_made
from pubdice.solve.turns.bare_turn import file_name
from pubdice.text.language import CODES, Language

# What a pocket house need not work out itself: solutions of two seats, and the figures of best play.
#
# Two minutes of work for the solutions and as much for the figures, so what was made is kept in the cache folder, by
# a hash of the sources that it follows from; the same bytes from the same commit.


SOLVED_BY = ("core", "games", "match", "solve")
"""The packages that solutions follow from; figures follow from all of pubdice."""
FORMATS = (ROUNDS.read([str(MOST_PLANNED)]), POT.read(["1", str(MOST_PLANNED)]))
"""The longest matches that are solved there; shorter ones stand in them."""


def solutions(cache: Path | None = None) -> Iterator[tuple[str, bytes]]:
    """The files by name, for the folder ``pocket/solutions`` of pubdice. cache: where those made before are kept.

    Raises ImportError without numpy.
    """
    turns = _kept(cache, "pocket-turns", SOLVED_BY)
    for game in turn_games():
        yield _once(turns, file_name(game), partial(_turns, game))
    drawn = _kept(cache, "pocket-figures", ("",))
    for code in CODES:
        yield _once(drawn, figures_name(code), partial(_figures, code, cache))


def turn_games() -> Iterator[TurnGame]:
    """Every game of one turn a seat under every choice of its options."""
    for kit in GAMES.values():
        for chosen in product(*[option.choices for option in kit.options]):
            game = kit.build(dict(zip([option.key for option in kit.options], chosen, strict=True)))
            if one_turn_each(game):
                yield game


def _once(folder: Path | None, name: str, make: Callable[[], bytes]) -> tuple[str, bytes]:
    """A file, made if it does not lie in the folder yet."""
    if folder is None:
        return name, make()
    file = folder / name
    if not file.exists():
        folder.mkdir(parents=True, exist_ok=True)
        beside = file.with_name(f"{name}.new")
        beside.write_bytes(make())
        os.replace(beside, file)
    return name, file.read_bytes()


def _turns(game: TurnGame) -> bytes:
    return ready_made(game, FORMATS)[1]


def _figures(code: str, cache: Path | None) -> bytes:
    return figures_json({game: dict(_figures_of(game, code, cache)) for game in GAMES})


def _figures_of(game: str, code: str, cache: Path | None) -> Iterator[tuple[str, BestPlayFigure]]:
    """The figures of a game by name, but for those that cannot be made: an installed game may be too large."""
    for name in figure_names(GAMES[game]):
        found = best_play_figure(cache, game, name, code)
        if not isinstance(found, NoAnswer):
            yield name, found


def _kept(cache: Path | None, name: str, sources: Sequence[str]) -> Path | None:
    """The folder of files that follow from some sources, named by a hash of them."""
    if cache is None:
        return None
    summed, folder = sha256(), Path(pubdice.__file__).parent
    files = [file for each in sources for kind in ("*.py", "*.po") for file in (folder / each).rglob(kind)]
    beside = [(path, file) for path, file in INSTALLED.files().items() if file.suffix in (".py", ".po")]
    for path, file in sorted([*((file.relative_to(folder).as_posix(), file) for file in files), *beside]):
        summed.update(path.encode() + b"\0" + file.read_bytes())
    return cache / f"{name}-{summed.hexdigest()[:16]}"


TROUBLE = {
    "no-command": "This needs {command}, which is not installed here.",
    "not-fetched": "Couldn't fetch {part} with {command} ({why}).",
    "part-differs": "{part} is not the file that pubdice expects: its checksum differs. Nothing was built.",
    "not-compiled": "Couldn't compile the modules with node ({why}).",
    "other-folder": "{folder} has other files in it. Name a new folder, or one that pubdice built.",
    "file-there": "{folder} is a file. Name a new folder, or one that pubdice built.",
    "no-folder": "There is no folder {folder}.",
    "no-cache": "There's no folder to keep fetched files in. Name one with PUBDICE_CACHE.",
}


def run(
    words: Sequence[str],
    language: Language,
    cache: Path | None,
    out: TextIO,
    err: TextIO,
    *,
    fetch: Callable[[Path], None] = fetch_parts,
    solve: Callable[[Path], Iterable[tuple[str, bytes]]] = solutions,
) -> int:
    """Run the command; the exit status, 1 for a folder that differs. cache: where fetched files and solutions lie.

    A terminal is told each step, as all of them take minutes the first time.
    """
    say = language.say

    def step(told: str) -> None:
        if err.isatty():
            err.write(told + "\n")
            err.flush()

    try:
        options = _parser(language).parse_args(list(words[1:]))
        if options.verify and not options.folder.is_dir():
            raise Refused("no-folder", folder=str(options.folder))
        if cache is None:
            raise Refused("no-cache")
        parts = cache / "pocket"
        step(say("Fetching what browsers need, once."))
        fetch(parts)
        step(say("Solving the games, and drawing their figures, once: some minutes."))
        solved = dict[str, bytes]()
        for name, content in solve(cache):
            solved[name] = content
            step(f"  {name}")
        step(say("Packing the files."))
        folder = make_folder(parts, solved)
        if options.verify:
            return _verify(folder, options.folder, language, out)
        size = write_folder(folder, options.folder)
    except FaultError as fault:
        complain(err, f"pubdice {POCKET}: {fault}\n")
        return fault.status
    except Refused as refused:
        complain(err, f"pubdice: {say(TROUBLE[refused.code], **refused.facts)}\n")
        return 1
    facts = {"version": folder.version, "folder": options.folder, "files": len(folder.files)}
    text = "Built Pubdice {version} in {folder}: {files} files, {size} MB."
    out.write(say(text, size=language.number(size / 1e6, 1), **facts) + "\n")
    command = f"python3 -m http.server --directory {options.folder} 8000"
    out.write(say("To try it: {command}, then open http://localhost:8000/", command=command) + "\n")
    return 0


def _verify(folder: Folder, found: Path, language: Language, out: TextIO) -> int:
    """Compare a folder with what this pubdice builds; the exit status."""
    wrong, version = differences(folder, found), folder.version
    for line in wrong:
        out.write(line + "\n")
    if wrong:
        text = "This is not Pubdice {version}: {number} of its files differ."
        out.write(language.say(text, version=version, number=len(wrong)) + "\n")
        return 1
    text = "Pubdice {version}: all {number} files are what this pubdice builds."
    out.write(language.say(text, version=version, number=len(folder.files)) + "\n")
    return 0


POCKET = "pocket"
"""The name of the command."""


def _parser(language: Language) -> Parser:
    say = language.say
    text = say(
        "Builds a folder of files for any web server: once opened in a browser, Pubdice works there without a network."
    )
    parser = Parser(POCKET, language, description=text)
    parser.add_argument("folder", type=Path, metavar="DIR", help=say("where to build it, or what to check"))
    text = say("check DIR instead: is every file what this pubdice builds?")
    parser.add_argument("--verify", action="store_true", help=text)
    return parser
