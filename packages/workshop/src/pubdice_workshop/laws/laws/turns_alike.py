"""The proof of what games declare as ``one_turn_each``: a turn walked through by its rules. Knows no game.

``solve.turns`` enumerates the turn of a single seat and takes it for everybody's. That is so where nothing in a turn
depends on the turns before it, nor on how many play. A game that has its own rules for what is kept, rolled or scored
may break that: its opener may set how often the others roll. So the turn of a seat alone, of the first of two and of
three, of the second of two after each of the first's scores, and of the second and third of three after the worst and
the best are walked through and compared position by position, as the seat sees them (``TurnTaking.alone``). Then pairs
and triples of scores are tried: the better one wins. Rules that change with a fourth seat alone are not found out.
"""

from collections.abc import Callable, Iterator
from itertools import chain, product
from typing import Any

from pubdice.core.dice import hands
from pubdice.core.game import GameOfTurns, RoundState, TurnGame
from pubdice.solve.plain.tallies import components
from support.profiles import NIGHTLY

TURN = ("alone", "legal", "mover", "play", "roll", "rolled", "start", "to_roll")
"""The methods of a ``TurnGame`` by which a turn goes, until it is ``scored``."""
MOST_POSITIONS = 20_000
"""Of a turn (Midnight: 12,398)."""
OF_SECOND_TURNS = MOST_POSITIONS if NIGHTLY else 8_000
"""Positions of all second turns together; of more, every second or third score is tried, by default fewer."""
TRIED = 10
"""Scores of which all triples are tried, some more at most: a round of three is asked 1,728 times at most."""
TurnPositions = dict[Any, tuple[int, tuple[Any, ...], list[Any]]]
"""By how the seat sees a position: the dice to roll, what is legal, and what follows, or the score at the end."""
Walk = Callable[[Any, Any], tuple[TurnPositions, list[Any]] | None]


def proven_one_turn_each(game: Any) -> bool:
    """Whether every seat has a turn that goes alike, and the better score wins."""
    if game.least_seats != 1 or game.most_seats == 1 or not turns_alike(game):
        return False
    scores = _scores_of(game)
    few = sorted({*scores[:: 1 + len(scores) // TRIED], *scores[-1:]})
    triples = product(few, repeat=3) if game.most_seats > 2 else ()
    return all(_better_wins(game, each) for each in chain(product(scores, repeat=2), triples))


def _scores_of(game: GameOfTurns) -> list[int]:
    """Every score that a turn can end with."""
    if isinstance(game, TurnGame):
        return sorted({game.scored(game.start(1), hand).scores[0] for hand in hands(game.number_of_dice)})
    walked = _walked(game, game.start(1))
    assert walked is not None, "turns go alike"
    return sorted({each for _, _, follow in walked[0].values() for each in follow if isinstance(each, int)})


def _better_wins(game: GameOfTurns, scores: tuple[int, ...]) -> bool:
    result = game.result(RoundState(len(scores), scores))
    best = max(scores, key=game.better)
    expected = () if best == game.scoreless else tuple([at for at, score in enumerate(scores) if score == best])
    return result is not None and result.winners == expected


def turns_alike(game: Any) -> bool:
    """Whether a turn ends, and goes alike whatever the turns before it came to and however many play."""
    inherits = all(getattr(type(game), name) is getattr(TurnGame, name) for name in TURN)
    walk: Walk = _scores if inherits else _walked  # Threes: 30 ms, not 5 s
    first = walk(game, game.start(1))
    if first is None or not _ends(first[0]):
        return False
    turn = first[0]
    return all(found is not None and found[0] == turn for found in _later(game, walk, len(turn)))


def _later(game: GameOfTurns, walk: Walk, size: int) -> Iterator[tuple[TurnPositions, list[Any]] | None]:
    """The turns of rounds of two and three; size: the positions of a turn."""
    for seats in (2, 3):
        if seats > game.most_seats:
            return
        opened = walk(game, game.start(seats))
        yield opened
        left = opened[1] if opened else []
        every = 1 + len(left) * size // OF_SECOND_TURNS
        for state in {*left[::every], *left[-1:]} if seats == 2 else _worst_and_best(left):
            second = walk(game, state)
            yield second
            if seats == 3 and second is not None:
                yield from (walk(game, after) for after in _worst_and_best(second[1]))


def _worst_and_best(left: list[Any]) -> set[Any]:
    return {*left[:1], *left[-1:]}


def _scores(game: TurnGame, start: RoundState) -> tuple[TurnPositions, list[RoundState]] | None:
    """What ``_walked`` gives, of a game whose turns go as ``TurnGame``'s do: every finished hand with its score."""
    turn, left = TurnPositions(), set[RoundState]()
    for hand in hands(game.number_of_dice):
        each = game.scored(start, hand)
        if not _handed_on(game, start, each):
            return None
        turn[RoundState(1, (), hand)] = 0, (), [each.scores[len(start.scores)]]
        if len(each.scores) < start.seats:
            left.add(each)
    return turn, sorted(left, key=lambda state: game.better(state.scores[-1]))


def _handed_on(game: GameOfTurns, start: Any, after: Any) -> bool:
    """Whether a turn that ended left nothing but its score, or ended the round as the rules say (``wins_at_once``)."""
    seat, done = len(start.scores), len(after.scores)
    at_once = done == start.seats and seat + 1 < start.seats
    if at_once != (seat + 1 < start.seats and game.wins_at_once(after.scores[seat])):
        return False
    return done == start.seats or (done == seat + 1 and game.alone(after) == game.start(1))


def _walked(game: GameOfTurns, start: Any) -> tuple[TurnPositions, list[Any]] | None:
    """(the positions of the turn that begins here, the rounds that go on after it, from the worst score to the best).

    None if there are too many positions, if some that look alike to the seat go on in different ways, if another seat
    is on before the turn has ended, or if the round ends with it and the rules do not say so (``wins_at_once``).
    """
    turn, left, known, waiting = TurnPositions(), set[Any](), {start}, [start]
    seat = len(start.scores)
    while waiting:
        state, follow = waiting.pop(), list[Any]()
        if game.mover(state) != seat:
            return None
        due, legal = game.to_roll(state), game.legal(state)
        after = (
            [game.roll(state, hand) for hand in hands(due, game.faces.sides)]
            if due
            else [game.play(state, act) for act in legal]
        )
        for each in after:
            if len(each.scores) > seat:
                if not _handed_on(game, start, each):
                    return None
                if len(each.scores) < start.seats:
                    left.add(each)
                follow.append(each.scores[seat])
                continue
            follow.append(game.alone(each))
            if each not in known:
                known.add(each)
                waiting.append(each)
        here = due, legal, follow
        if turn.setdefault(game.alone(state), here) != here or len(known) > MOST_POSITIONS:
            return None
    return turn, sorted(left, key=lambda state: game.better(state.scores[-1]))


def _ends(turn: TurnPositions) -> bool:
    """Whether no position of a turn can come back."""
    number = {view: at for at, view in enumerate(turn)}
    after = [[number[view] for view in follow if view in number] for _, _, follow in turn.values()]
    return len(components(after)) == len(turn) and all(at not in each for at, each in enumerate(after))
