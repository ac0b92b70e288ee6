"""Asks every kind of question about a game's matches, for ``benchmarks.pocket_questions``, in any Python.

Each kind gives two times in ms: that of the first question with nothing remembered, and the longest of the later ones.
In a pocket house all runs in one thread, so a move may have to wait for so long.
"""

import functools
import gc
import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

from pubdice.advice.figures import figure_names
from pubdice.advice.rule_variants import match_rules, parts
from pubdice.games import GAMES
from pubdice.match.header import RawHeader
from pubdice.match.record import Played, Rolled, write
from pubdice.server import bot_processes, jobs
from pubdice.server.processes import PART_S, part_over
from pubdice.solve.pauses import PausedError, pausing
from pubdice.solve.without_numpy import bring
from pubdice_pocket.pure_python import bare_turn
from pubdice_pocket.solvers import solvers

REMEMBERING = ("pubdice.advice", "pubdice.games", "pubdice.server.table", "pubdice.solve")
"""Packages whose caches are emptied. Others, such as words, are needed by each page and so are filled already."""
POSITIONS: Mapping[str, Sequence[Mapping[str, str]]] = {
    "midnight": (
        {"roll": "6 5 4 3 2 1"},
        {"roll": "6 5 4 3 2 1", "goal": "win", "to-beat": "20", "to-come": "2"},
        {"roll": "6 5 4 2 1 1", "format": "rounds", "rounds": "5", "seats": "2"},
    ),
    "ship": (
        {"roll": "6 5 4 2 1"},
        {"roll": "6 5 4 2 1", "goal": "win", "to-beat": "6", "to-come": "2"},
        {"roll": "6 5 4 2 1", "format": "rounds", "rounds": "5", "seats": "2"},
    ),
    "threes": (
        {"roll": "6 5 3 2 1"},
        {"roll": "6 5 3 2 1", "goal": "win", "to-beat": "6", "to-come": "2"},
        {"roll": "6 5 3 2 1", "format": "rounds", "rounds": "5", "seats": "2"},
    ),
    "mexico": ({"roll": "6 4"},),
    "420": ({"hands": "6551,6442"},),
}
CLOCKS: list[Callable[[], float]] = [time.process_time, time.perf_counter]
"""Two clocks in seconds, whose lesser time counts. By the clock, other programs may add time. By the processor, a
compiler's thread may.
"""
Row = list[float | str]


def clocks() -> tuple[float, ...]:
    """Return the time of both clocks."""
    return tuple([clock() for clock in CLOCKS])


def ms_since(begun: Sequence[float]) -> float:
    """Return the ms since ``begun``, by the clock on which fewer have passed."""
    return 1e3 * min([now - then for now, then in zip(clocks(), begun, strict=True)])


def forget() -> None:
    """Empty the process's caches of answers and solutions."""
    for name, module in list(sys.modules.items()):
        if name.startswith(REMEMBERING):
            for each in list(vars(module).values()):
                if isinstance(each, functools._lru_cache_wrapper):
                    each.cache_clear()
    bare_turn._TURNS.clear()
    if (refusals := sys.modules.get("pubdice.solve.refusals")) is not None:  # only loaded with numpy
        vars(refusals)["_REFUSED"].clear()
    gc.collect()


def header(game: str, form: str, options: Mapping[str, str], seats: int = 2) -> Any:
    """Return a record's header."""
    names = ", ".join(["Ann", "Bob", "Cid"][:seats])
    return GAMES[game].normalize(RawHeader({"game": game, "seats": names, "format": form, "first": "Ann", **options}))


def played(match: Any) -> tuple[list[Any], list[Any], list[Any]]:
    """Play a match at random. Return its moves, all its states, and the states with a choice."""
    chance, state = Random(2), match.start()
    moves: list[Any] = []
    states, choices = [state], list[Any]()
    while not state.over and len(moves) < 400:
        if due := match.to_roll(state):
            moves.append(Rolled(tuple([chance.randint(1, 6) for _ in range(due)])))
            state = match.roll(state, tuple(sorted(moves[-1].dice)))
        else:
            if len(match.legal(state)) > 1:
                choices.append(state)
            moves.append(Played(chance.choice(match.legal(state))))
            state = match.play(state, moves[-1].action)
        states.append(state)
    return moves, states, choices


class Asker:
    """Asks questions, and records their times. Each of ``rows`` is (kind, first ms, later ms, kind of answer)."""

    def __init__(self, times: int) -> None:
        self.times, self.rows = times, list[Row]()

    def ask(self, kind: str, first: Callable[[], Any], later: Sequence[Callable[[], Any]] = ()) -> None:
        """Ask a question with nothing remembered, then the later ones. A question that returns None is asked again, for
        its next part.
        """
        best, most, said = float("inf"), [float("inf")] * 10_000, ""
        for _ in range(self.times):
            forget()
            taken = [ms for ms, _ in _parts(first)]
            best = min(best, taken[0])
            for each in later:
                taken += [ms for ms, _ in _parts(each)]
            most = [min(one, other) for one, other in zip(most, taken[1:], strict=False)]
        for _, found in _parts(first):
            said = getattr(found, "code", "") or type(found).__name__
        self.rows.append([kind, best, max(most, default=0.0), said])


def _parts(ask: Callable[[], Any]) -> Iterator[tuple[float, Any]]:
    found = None
    while found is None:
        begun = clocks()
        with suppress(PausedError), pausing(part_over(PART_S)):  # in parts, as ``DirectWorker`` runs it
            found = ask()
        yield ms_since(begun), found


def about_match(asker: Asker, game: str, form: str, options: Mapping[str, str], cache: Path | None) -> None:
    """Ask all that a table or a page asks about a match of two."""
    head = header(game, form, options)
    match, rules = GAMES[game].match(head), tuple(head.fields.items())
    moves, states, choices = played(match)
    few = choices[:: 1 + len(choices) // 12]
    house = jobs
    asker.ask("solvable", lambda: house.check_solvable(cache, rules, "en"))
    asker.ask(
        "chances",
        lambda: house.tell_chances(cache, rules, (), "en"),
        [functools.partial(house.tell_chances, cache, rules, (state,), "en") for state in states[::3]],
    )
    if choices:
        asker.ask(
            "lesson",
            lambda: house.teach(cache, rules, choices[0], "en"),
            [functools.partial(house.teach, cache, rules, state, "en") for state in few],
        )
        for bot in GAMES[game].bots:
            chosen = [functools.partial(bot_processes.weigh, rules, bot, state, cache) for state in (choices[0], *few)]
            asker.ask(f"bot {bot}", chosen[0], chosen[1:])
    if not states[-1].over:
        return
    text = write(head, match, moves)
    if choices:
        asker.ask("decision", lambda: house.rank_decision(cache, text, 1, "en"))
    asker.ask("losses", lambda: house.weigh_losses(cache, house.MatchRecord(("", 0), text)))
    asker.ask("highlights", lambda: house.find_highlights(cache, house.MatchRecord(("", 0), text), "en"))
    asker.ask("receipt", lambda: house.write_receipt(cache, house.MatchRecord(("", 0), text), "en"))
    asker.ask("ledger", lambda: house.write_ledger(cache, house.MatchRecord(("", 0), text)))


def about_prices(asker: Asker, game: str, form: str, options: Mapping[str, str], cache: Path | None) -> None:
    """Ask for the prices of a match's rules, part by part."""
    kind, *numbers = form.split()
    fields = dict(zip([field.key for field in GAMES[game].format(form).kind.fields], numbers, strict=True))
    rules = match_rules(GAMES[game], {"seats": "2", "format": kind, **fields, **options})
    for part in parts(GAMES[game], rules):
        given = functools.partial(jobs.price_rules, cache, game, tuple(rules.items()), part, "en")
        asker.ask(f"price {part}", given)


def about_game(asker: Asker, game: str, cache: Path | None) -> None:
    """Ask for a game's pages, for positions from a form, and for days of Last orders."""
    for given in POSITIONS[game]:
        asked = tuple(sorted(given.items()))
        name = "ask " + given.get("goal", given.get("format", ""))
        asker.ask(name, functools.partial(jobs.rank_position, cache, game, asked, "en"))
    for name in figure_names(GAMES[game]):
        asker.ask(f"figure {name}", functools.partial(jobs.best_play_figure, cache, game, name, "en"))
    for day in range(6):
        asker.ask(f"day {day}", functools.partial(jobs.rank_day, cache, (game,), day, "en"))


def asked(game: str, forms: Sequence[tuple[str, Mapping[str, str]]], cache: Path | None, times: int) -> Any:
    """Return {format: rows} for a game. ``forms`` are formats with options. The format "" stands for questions about
    the game alone.
    """
    found = {}
    for form, options in forms:
        asker = Asker(times)
        if form.startswith("price "):
            about_prices(asker, game, form.removeprefix("price "), options, cache)
        elif form:
            about_match(asker, game, form, options, cache)
        else:
            about_game(asker, game, cache)
        found[" ".join([form, *options.values()]).strip()] = asker.rows
    return found


async def main() -> str:
    """Run in Node (``packages/pocket/tests/pocket/run_in_node.mjs``). Return the rows as JSON."""
    from js import performance, process  # type: ignore[import-not-found] # noqa: PLC0415

    def used() -> float:
        taken = process.cpuUsage()
        return float(taken.user + taken.system) / 1e6

    CLOCKS[:] = [used, lambda: float(performance.now()) / 1e3]
    given = json.loads(GIVEN)
    cache = Path("/house/pubdice_pocket/solutions")
    bring(solvers(cache))
    return json.dumps(asked(given["game"], given["forms"], cache, given["times"]))


GIVEN = ""

if __name__ == "__main__":
    told = json.loads(sys.argv[1])
    if told["bare"]:
        sys.modules["numpy"] = sys.modules["numba"] = None  # type: ignore[assignment] # as if they were not installed
    folder = Path(told["cache"]) if told["cache"] else None
    bring(solvers(folder))
    print(json.dumps(asked(told["game"], told["forms"], folder, told["times"])))
