"""``pubdice pocket``: builds the folder of a pocket house, with solutions made ahead, or checks one that was given."""

import os
import signal
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from functools import partial
from hashlib import sha256
from itertools import product
from multiprocessing import active_children, get_context
from pathlib import Path
from typing import TextIO

import pubdice
from pubdice.advice.figures import BestPlayFigure, figure_names
from pubdice.command_line import FaultError, Parser, complain
from pubdice.core.errors import Refused
from pubdice.core.game import TurnGame
from pubdice.games import GAMES, INSTALLED
from pubdice.match.formats import POT, ROUNDS
from pubdice.pocket.build.contents import Ahead, Folder, differences, make_ahead, make_folder, write_folder
from pubdice.pocket.build.libraries import end_work, fetch_parts
from pubdice.pocket.kept_figures import figures_file, figures_json
from pubdice.server.jobs import NoAnswer, best_play_figure
from pubdice.solve.choose import one_turn_each
from pubdice.solve.pure_python.kept_solutions import file_name
from pubdice.solve.pure_python.ready_made import ready_made
from pubdice.solve.pure_python.turn_match import MOST_PLANNED
from pubdice.text.catalogues import CODES
from pubdice.text.language import Language

# What a pocket house need not work out itself: solutions of two seats, and the figures of best play.
#
# 20 s of processor for the solutions and 60 for the figures, shared out to as many processes as there are processors.
# What was made is kept in the cache folder, by a hash of the sources that it follows from; the same bytes from the same
# commit, however many processes made them.


SOLVED_BY = ("core", "games", "match", "solve")
"""The packages that solutions follow from; figures follow from all of pubdice."""
FORMATS = (ROUNDS.read([str(MOST_PLANNED)]), POT.read(["1", str(MOST_PLANNED)]))
"""The longest matches that are solved there; shorter ones stand in them."""


LOOK_S = 1.0
"""While nothing is done, it says so often what is under way."""
PartTold = Callable[[str], object]
GameFigures = Mapping[str, Mapping[str, BestPlayFigure]]
"""GameFigures of a game by language, and by name."""


def solutions(
    cache: Path | None = None, told: PartTold = lambda part: None, processes: int | None = None
) -> Iterator[tuple[str, bytes]]:
    """The files by name, for the folder ``pocket/solutions`` of pubdice. cache: where those made before are kept.

    told: called with the name of each part that is made, and with "" each second; what it raises ends the work.
    processes: as many as there are processors; 0 for none but this. Raises ImportError without numpy.
    """
    turns, drawn = _kept(cache, "pocket-turns", SOLVED_BY), _kept(cache, "pocket-figures", ("",))
    games = {file_name(game): game for game in turn_games()}
    lacks = drawn is None or not all((drawn / figures_file(code)).exists() for code in CODES)
    # figures first: two of them take longest
    work: dict[str, Callable[[], GameFigures | bytes]] = {
        f"{FIGURES}{game}": partial(_figures_of, game, cache) for game in (GAMES if lacks else ())
    }
    work |= {
        name: partial(_turns, game) for name, game in games.items() if turns is None or not (turns / name).exists()
    }
    solved, figures = dict[str, bytes](), dict[str, GameFigures]()
    for name, found in _made(work, told, (os.cpu_count() or 1) if processes is None else processes):
        if isinstance(found, bytes):
            solved[name] = found
            _once(turns, name, partial(bytes, found))  # at once, in case the rest is interrupted
        else:
            figures[name] = found
        told(name)
    for name in games:
        yield _once(turns, name, partial(solved.__getitem__, name))
    for code in CODES:
        drawing = {game: figures.get(f"{FIGURES}{game}", {}).get(code, {}) for game in GAMES}
        yield _once(drawn, figures_file(code), partial(figures_json, drawing))


FIGURES = "figures of "


def _made(
    work: Mapping[str, Callable[[], GameFigures | bytes]], told: PartTold, processes: int
) -> Iterator[tuple[str, GameFigures | bytes]]:
    """The results of pieces of work by name, as they come; in this process, or in so many others."""
    if not work or not processes:
        yield from ((name, make()) for name, make in work.items())
        return
    before = active_children()
    count, spawned = min(processes, len(work)), get_context("spawn")
    # Ctrl-C reaches them too, and it is this process that ends them
    with ProcessPoolExecutor(count, spawned, signal.signal, (signal.SIGINT, signal.SIG_IGN)) as pool:
        waits: dict[Future[GameFigures | bytes], str] = {pool.submit(make): name for name, make in work.items()}
        try:
            while waits:
                for done in wait(waits, LOOK_S, FIRST_COMPLETED).done:
                    yield waits.pop(done), done.result()
                told("")
        except BaseException:
            for child in active_children():  # nobody waits for what they are at
                if child not in before:
                    child.terminate()
            raise


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


def _figures_of(game: str, cache: Path | None) -> GameFigures:
    """The figures of a game by language and name, but for those that cannot be made: an installed one may be too large.

    In one process, as languages share all that is worked out.
    """
    names = figure_names(GAMES[game])
    made = {code: {name: best_play_figure(cache, game, name, code) for name in names} for code in CODES}
    return {
        code: {name: found for name, found in each.items() if not isinstance(found, NoAnswer)}
        for code, each in made.items()
    }


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
    solve: Callable[[Path, PartTold], Iterable[tuple[str, bytes]]] = solutions,
) -> int:
    """Run the command; the exit status, 1 for a folder that differs. cache: where fetched files and solutions lie.

    Each step is told, to a terminal or into a log, as all of them take minutes the first time.
    """
    say = language.say

    def step(told: str) -> None:
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
        step(say("Solving the games, and drawing their figures, once: some minutes."))
        with ThreadPoolExecutor(1) as beside:
            ahead = beside.submit(_fetched, fetch, parts)

            def told(part: str) -> None:
                if ahead.done():
                    ahead.result()  # raises what it raised
                if part:
                    step(f"  {part}")

            try:
                solved = dict(solve(cache, told))
                ready = ahead.result()
            except KeyboardInterrupt:
                end_work()
                raise
        step(say("Packing the files."))
        folder = make_folder(parts, solved, ready)
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


def _fetched(fetch: Callable[[Path], None], parts: Path) -> Ahead:
    """Have the parts, and what follows from them alone. Waiting for them, and packing, leave room for solving."""
    fetch(parts)
    return make_ahead(parts)


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
