"""A proof of a game's ``one_turn_each`` by search, from its rules alone.

``solve.turns`` enumerates the turn of a single seat and uses it for all seats. That is right if a turn depends neither
on earlier turns nor on the number of seats. A game with its own rules for keeping, rolling or scoring may break this
condition. For example, its opener may limit the rolls of the others.

The proof compares turns position by position, as the mover sees them (``TurnTaking.alone``):
- a seat alone, the first of two seats, and the first of three
- the second of two seats, after each score of the first
- the second and the third of three seats, after the worst and the best scores

Then the proof tries pairs and triples of scores: the better score must win. It misses rules that change only with a
fourth seat.
"""

from collections.abc import Callable, Iterator
from itertools import chain, product
from typing import Any

from pubdice.core.dice import hands
from pubdice.core.game import GameOfTurns, RoundState, TurnGame
from pubdice.solve.plain.tallies import components
from support.profiles import NIGHTLY

TURN = ("alone", "legal", "mover", "play", "roll", "rolled", "start", "to_roll")
"""Methods of a ``TurnGame`` that decide the course of a turn until ``scored`` counts it."""
MOST_POSITIONS = 20_000
"""The most positions of a turn. Midnight has 12,398."""
OF_SECOND_TURNS = MOST_POSITIONS if NIGHTLY else 8_000
"""The approximate limit on the positions of all turns of a second seat. If the scores to beat would need more, only
every n-th of them and the best are tried."""
TRIED = 10
"""The approximate number of scores to try in triples. So a round of three is scored at most 1,728 times."""
TurnPositions = dict[Any, tuple[int, tuple[Any, ...], list[Any]]]
"""The positions of a turn. The key is the mover's view of a position. The entry has the number of dice to roll, the
legal actions, and the views that follow or the final score."""
Walk = Callable[[Any, Any], tuple[TurnPositions, list[Any]] | None]


def proven_one_turn_each(game: Any) -> bool:
    """Return True if all seats have the same turn and the better score wins."""
    if game.least_seats != 1 or game.most_seats == 1 or not turns_alike(game):
        return False
    scores = _scores_of(game)
    few = sorted({*scores[:: 1 + len(scores) // TRIED], *scores[-1:]})
    triples = product(few, repeat=3) if game.most_seats > 2 else ()
    return all(_better_wins(game, each) for each in chain(product(scores, repeat=2), triples))


def _scores_of(game: GameOfTurns) -> list[int]:
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
    """Return True if a turn always ends, and depends neither on earlier turns nor on the number of seats."""
    inherits = all(getattr(type(game), name) is getattr(TurnGame, name) for name in TURN)
    walk: Walk = _scores if inherits else _walked  # for Threes, ``_scores`` takes 30 ms and ``_walked`` 5 s
    first = walk(game, game.start(1))
    if first is None or not _ends(first[0]):
        return False
    turn = first[0]
    return all(found is not None and found[0] == turn for found in _later(game, walk, len(turn)))


def _later(game: GameOfTurns, walk: Walk, size: int) -> Iterator[tuple[TurnPositions, list[Any]] | None]:
    """Yield the turns in rounds of two and three seats. ``size`` is the number of positions of a turn."""
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
    """Do the same as ``_walked`` in less time, for a turn that follows ``TurnGame``'s methods. It takes only finished
    hands and their scores.
    """
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
    """Return True if a finished turn leaves only its score to the next seat, or if it ends the round as the rules
    declare (``wins_at_once``).
    """
    seat, done = len(start.scores), len(after.scores)
    at_once = done == start.seats and seat + 1 < start.seats
    if at_once != (seat + 1 < start.seats and game.wins_at_once(after.scores[seat])):
        return False
    return done == start.seats or (done == seat + 1 and game.alone(after) == game.start(1))


def _walked(game: GameOfTurns, start: Any) -> tuple[TurnPositions, list[Any]] | None:
    """Return the positions of the turn that begins here, and the states after the turn, from the worst score to the
    best.

    Return None in four cases:

    - there are too many positions
    - two positions with the same view differ
    - another seat moves before the turn ends
    - the turn ends the round although the rules do not declare it (``wins_at_once``)
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
    """Return True if the positions of a turn form no cycle."""
    number = {view: at for at, view in enumerate(turn)}
    after = [[number[view] for view in follow if view in number] for _, _, follow in turn.values()]
    return len(components(after)) == len(turn) and all(at not in each for at, each in enumerate(after))
