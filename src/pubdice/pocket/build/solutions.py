"""What a pocket house need not work out itself: solutions of two seats, and the figures of best play.

Two minutes of work for the solutions and as much for the figures, so what was made is kept in the cache folder, by a
hash of the sources that it follows from; the same bytes from the same commit.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from hashlib import sha256
from itertools import product
from pathlib import Path

import pubdice
from pubdice.advice.figures import BestPlayFigure, figure_names, figures_told
from pubdice.advice.figures import file_name as figures_name
from pubdice.core.errors import Refused
from pubdice.core.turn_game import TurnGame
from pubdice.games import GAMES
from pubdice.match.formats import POT, ROUNDS
from pubdice.server.workers.jobs import NoAnswer, best_play_figure
from pubdice.solve.choose import one_turn_each
from pubdice.solve.kept_files import file_name
from pubdice.solve.pure_python.turn_match import MOST_PLANNED, ready_made

SOLVED_BY = ("core", "games", "match", "solve")
"""What solutions follow from; figures follow from all of pubdice."""
CODES = ("en", "de")
FORMATS = (ROUNDS.read([str(MOST_PLANNED)]), POT.read(["1", str(MOST_PLANNED)]))
"""The longest matches that are solved there; shorter ones stand in them."""


def solutions(cache: Path | None = None) -> Iterator[tuple[str, bytes]]:
    """The files by name, for the folder ``pocket/solutions`` of pubdice. cache: where those made before are kept.

    Raises Refused with why a figure could not be made, and ImportError without numpy.
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
            if isinstance(game, TurnGame) and one_turn_each(game):
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
    return figures_told(
        {game: {name: _figure(game, name, code, cache) for name in figure_names(GAMES[game])} for game in GAMES}
    )


def _figure(game: str, name: str, code: str, cache: Path | None) -> BestPlayFigure:
    found = best_play_figure(game, name, code, cache)
    if isinstance(found, NoAnswer):
        raise Refused(found.code, game=game, figure=name)
    return found


def _kept(cache: Path | None, name: str, sources: Sequence[str]) -> Path | None:
    """The folder of files that follow from some sources, named by a hash of them."""
    if cache is None:
        return None
    summed, folder = sha256(), Path(pubdice.__file__).parent
    files = [file for each in sources for kind in ("*.py", "*.po") for file in (folder / each).rglob(kind)]
    for file in sorted(files):
        summed.update(file.relative_to(folder).as_posix().encode() + b"\0" + file.read_bytes())
    return cache / f"{name}-{summed.hexdigest()[:16]}"
