"""Laws of the opener, for every game and format. They check it against the results of rounds and the rules pages."""

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import pytest

from play import BY_DAY, BY_RULES, KITS, Case, room_of
from pubdice.core.dice import Hand, rolls
from pubdice.core.game import Result, Seat, TurnGame, kept_by
from pubdice.kit import Kit
from pubdice.match.match import Match, MatchState

LOWEST = {"threes", "flip", "shutbox"}
"""The games in which the lowest score wins, according to their rules pages."""
LOSERS_OPEN = [case for case in BY_DAY if dict(case.fields)["opener"] == "loser"]
MOST_STEPS = 3_000
"""The most moves of a random match. A race of 420 takes some 100."""


@cache
def _hands(number: int, sides: int) -> tuple[Hand, ...]:
    """Return every hand of this many dice. Six dice have 462 hands. They are cached, since each roll of a match picks
    one.
    """
    return tuple(hand for hand, _ in rolls(number, sides))


def _rounds(
    case: Case, seats: int, seed: int, last: int = 0
) -> Iterator[tuple[MatchState[Any], MatchState[Any], Result]]:
    """Yield each round of a random match: its last state, the state after it, and its result.

    If ``last`` is a face, the last seat in turn order rolls only that face and keeps as many dice as it may. This is
    needed for five sixes at Threes, which random rolls give too seldom.
    """
    match: Match[Any, Any] = case.table(seats)[1].match
    chance, state = Random(f"{case} {seats} {seed}"), match.start()
    for _ in range(MOST_STEPS):
        if state.over:
            return
        if match.to_draw(state):
            after = match.draw(state, Seat(chance.randrange(seats)))
        elif due := match.to_roll(state):
            hand = chance.choice(_hands(due, match.game.faces.sides))
            after = match.roll(
                state,
                (min(last, match.game.faces.sides),) * due if last and match.mover(state) == state.order[-1] else hand,
            )
        elif last and match.mover(state) == state.order[-1]:
            after = match.play(state, max(match.legal(state), key=lambda action: len(kept_by(match.game, action))))
        else:
            after = match.play(state, chance.choice(match.legal(state)))
        if (result := match.round_ended(state, after)) is not None and after.roll_off is None:
            yield state, after, result
        state = after


def _opens(opener: str, lowest: bool, before: MatchState[Any], after: MatchState[Any], result: Result) -> int:
    """Return the next opener by the rules, from the last turn order, the winners, the scores and the seats still
    playing.
    """
    still = [seat for seat in before.order if seat in after.tally.playing]
    if after.tally.began is not None:  # the first of the tied seats opens a replay
        return still[0]
    opened = before.order[0] if before.tally.began is None else before.tally.began
    if opener == "fixed" and before.tally.began is not None:
        return opened
    if opener == "rotate":
        left = [seat for seat in sorted(after.tally.playing) if seat > opened]
        return (left or sorted(after.tally.playing))[0]
    if opener == "winner":
        return ([seat for seat in still if seat in result.winners] or still)[0]
    if opener == "loser":
        lost = [seat for seat in still if seat not in result.winners] or still
        worst = (max if lowest else min)(result.scores[seat] for seat in lost)
        return next(seat for seat in lost if result.scores[seat] == worst)
    return still[0]


@pytest.mark.parametrize("case", BY_DAY, ids=str)
def test_the_next_round_is_opened_by_whom_the_opener_names(case: Case) -> None:
    fields, game = dict(case.fields), case.game
    lowest, moons, seen = case.kit.name in LOWEST, 0, 0
    for seats in room_of(game, 2, 4):
        for seed, last in (*((seed, 0) for seed in range(5)), *((0, face) for face in range(1, 7))):
            for before, after, result in _rounds(case, seats, seed, last):
                if not after.over:
                    seen += 1
                    assert after.order[0] == _opens(fields["opener"], lowest, before, after, result)
                    worst = (max if lowest else min)(result.scores)
                    moons += [result.scores[seat] for seat in result.winners] == [worst]
    over_soon = case.kit.formats[0].usual.is_one_round or fields["format"].startswith("out")  # digits reach 60 at once
    assert seen > 10 or over_soon
    assert bool(moons) == (fields.get("moon", "no") != "no"), "nothing else wins alone with the worst score"


@pytest.mark.parametrize("kit", KITS.values(), ids=KITS)
def test_a_game_says_whether_its_lowest_score_wins(kit: Kit) -> None:
    assert {case.game.lowest_wins for case in BY_RULES if case.kit is kit} == {kit.name in LOWEST}


@pytest.mark.parametrize("case", LOSERS_OPEN, ids=str)
def test_what_a_game_says_of_its_lowest_score_is_what_wins_its_rounds(case: Case) -> None:
    """No winner of a round has a worse score than a loser. Rounds with a score that wins at once are skipped."""
    game = case.game
    better = 0
    for seats in room_of(game, 2, 4):
        for seed in range(5):
            for before, _, result in _rounds(case, seats, seed):
                won = [result.scores[seat] for seat in result.winners]
                lost = [result.scores[seat] for seat in before.order if seat not in result.winners]
                if not won or not lost or (isinstance(game, TurnGame) and any(map(game.wins_at_once, won))):
                    continue
                assert max(won) <= min(lost) if game.lowest_wins else min(won) >= max(lost)
                better += won[0] != lost[0]
    assert better
