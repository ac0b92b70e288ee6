"""Solutions of games for two seats, and figures of best play, made when a pocket is built. So no browser has to compute
them.

The solutions take 20 s of processor time and the figures 60 s, with one process for each processor. The cache folder
keeps the results under a hash of their sources. The same commit gives the same bytes, with any number of processes.
"""

import os
import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from functools import partial
from hashlib import sha256
from itertools import product
from multiprocessing import active_children, get_context
from pathlib import Path

import pubdice
import pubdice_pocket
from pubdice.advice.figures import BestPlayFigure, figure_names
from pubdice.core.game import TurnGame
from pubdice.games import GAMES, INSTALLED
from pubdice.match.formats import POT, ROUNDS
from pubdice.server.jobs import NoAnswer, best_play_figure
from pubdice.solve.choose import one_turn_each
from pubdice.text.catalogues import CODES
from pubdice_pocket.kept_figures import figures_file, figures_json
from pubdice_pocket.pure_python.kept_solutions import file_name
from pubdice_pocket.pure_python.ready_made import ready_made
from pubdice_pocket.pure_python.turn_match import MOST_PLANNED

SOLVED_BY = ("pubdice/core", "pubdice/games", "pubdice/match", "pubdice/solve", "pubdice_pocket/pure_python")
DRAWN_BY = ("pubdice", "pubdice_pocket")  # the packages that the figures depend on
FORMATS = (ROUNDS.read([str(MOST_PLANNED)]), POT.read(["1", str(MOST_PLANNED)]))
"""The longest matches that are solved. Their solutions also serve shorter matches."""


LOOK_S = 1.0  # the time in seconds between two calls of ``told`` while no result comes
PartTold = Callable[[str], object]
GameFigures = Mapping[str, Mapping[str, BestPlayFigure]]  # the figures of a game, by language and then by name


def solutions(
    cache: Path | None = None, told: PartTold = lambda part: None, processes: int | None = None
) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the contents of each file for the folder ``pubdice_pocket/solutions``. ``cache`` keeps the
    files of earlier builds.

    ``told`` is called with the name of each result that is ready, and with "" each second. If it raises an error, the
    work ends. By default there is one process for each processor. If ``processes`` is 0, all work is done in this
    process. Raises ImportError without numpy.
    """
    turns, drawn = _kept(cache, "pocket-turns", SOLVED_BY), _kept(cache, "pocket-figures", DRAWN_BY)
    games = {file_name(game): game for game in turn_games()}
    lacks = drawn is None or not all((drawn / figures_file(code)).exists() for code in CODES)
    # the figures come first, because two of them take longest
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
            _once(turns, name, partial(bytes, found))  # written at once, in case the rest is interrupted
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
    """Yield the result of each piece of work with its name, as it comes. If ``processes`` is 0, the work is done in
    this process.
    """
    if not work or not processes:
        yield from ((name, make()) for name, make in work.items())
        return
    before = active_children()
    count, spawned = min(processes, len(work)), get_context("spawn")
    # Ctrl-C reaches the workers too, so they ignore it, and this process ends them
    with ProcessPoolExecutor(count, spawned, signal.signal, (signal.SIGINT, signal.SIG_IGN)) as pool:
        try:
            # the first submission starts the processes, so a Ctrl-C during it must end them too
            waits: dict[Future[GameFigures | bytes], str] = {pool.submit(make): name for name, make in work.items()}
            while waits:
                for done in wait(waits, LOOK_S, FIRST_COMPLETED).done:
                    yield waits.pop(done), done.result()
                told("")
        except BaseException:
            for child in active_children():  # the results of these processes are not needed any more
                if child not in before:
                    child.terminate()
            raise


def turn_games() -> Iterator[TurnGame]:
    """Yield each game in which every seat has one turn a round, once for each combination of its options."""
    for kit in GAMES.values():
        for chosen in product(*[option.choices for option in kit.options]):
            game = kit.build(dict(zip([option.key for option in kit.options], chosen, strict=True)))
            if one_turn_each(game):
                yield game


def _once(folder: Path | None, name: str, make: Callable[[], bytes]) -> tuple[str, bytes]:
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
    """Return the figures of a game, by language and name. Figures that cannot be made are left out, for example if an
    installed game is too large.

    One process draws the figures for all languages, because they share the solutions.
    """
    names = figure_names(GAMES[game])
    made = {code: {name: best_play_figure(cache, game, name, code) for name in names} for code in CODES}
    return {
        code: {name: found for name, found in each.items() if not isinstance(found, NoAnswer)}
        for code, each in made.items()
    }


def _kept(cache: Path | None, name: str, sources: Sequence[str]) -> Path | None:
    """Return the folder for files that depend on these sources. Its name has a hash of the sources, so it changes with
    them.
    """
    if cache is None:
        return None
    tops = {each.__name__: Path(str(each.__file__)).parents[1] for each in (pubdice, pubdice_pocket)}
    summed, found = sha256(), list[tuple[str, Path]]()
    for source in sources:
        top = tops[source.partition("/")[0]]
        files = [file for kind in ("*.py", "*.po") for file in (top / source).rglob(kind)]
        found += [(file.relative_to(top).as_posix(), file) for file in files]
    beside = [(path, file) for path, file in INSTALLED.files().items() if file.suffix in (".py", ".po")]
    for path, file in sorted([*found, *beside]):
        summed.update(path.encode() + b"\0" + file.read_bytes())
    return cache / f"{name}-{summed.hexdigest()[:16]}"
