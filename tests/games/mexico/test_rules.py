"""Mexico's round, in the cases of its sources; docs/games/index.md says where to find them."""

from itertools import combinations_with_replacement

import pytest

from pubdice.core.dice import FACES, rolls
from pubdice.core.errors import IllegalAction
from pubdice.core.game import Keep, RoundResult, RoundSeat
from pubdice.games.mexico import Mexico
from pubdice.games.mexico.rules import GOOD, MEXICO, MexicoRound, tip, worth
from pubdice.games.mexico.words import MexicoWords
from pubdice.text.language import Language

GAME, HOLDING = Mexico(), Mexico(hold=True)
STOP = "stop"


def _played(steps: str, game: Mexico = GAME, seats: int = 2) -> MexicoRound:
    """Rolls as they fell, keeps, and ``stop`` for both dice: ``64 k- 31 stop``."""
    state = game.start(seats)
    for step in steps.split():
        if step.isdigit():
            state = game.roll(state, tuple(map(int, step)))
        else:
            state = game.play(state, Keep(state.free) if step == STOP else game.read_action(step))
    return state


def test_the_ranking_is_that_of_the_sources() -> None:
    """Wikipedia: 21 scores, 15 of two digits and 6 doubles. Student Drinking Games has the whole table."""
    ranked = sorted(combinations_with_replacement(FACES, 2), key=worth, reverse=True)
    assert ranked[0] == (1, 2)
    assert ranked[1:7] == [(6, 6), (5, 5), (4, 4), (3, 3), (2, 2), (1, 1)]
    assert [worth(hand) for hand in ranked[7:]] == [65, 64, 63, 62, 61, 54, 53, 52, 51, 43, 42, 41, 32, 31]
    assert len({worth(hand) for hand in ranked}) == 21


@pytest.mark.parametrize(("dice", "score"), [((2, 3), 32), ((3, 5), 53), ((5, 6), 65), ((1, 1), 100), ((1, 2), MEXICO)])
def test_the_examples_of_the_sources(dice: tuple[int, int], score: int) -> None:
    """What Game Works: 2 and 3. Beads Game: 3 and 5, 6 and 5, two 1s above 65, and 2 and 1 above all."""
    assert worth(dice) == score


def test_the_last_roll_counts_even_if_it_is_worse() -> None:
    """Student Drinking Games: after 42 and then two 1s, a third roll counts though it be lower."""
    state = _played("42 k- 11 k- 31")
    assert GAME.legal(state) == (Keep.of(1, 3),)
    assert GAME.score(GAME.play(state, Keep.of(1, 3)), RoundSeat(0)) == 31


@pytest.mark.parametrize(("turn", "limit"), [("64 stop", 1), ("64 k- 31 stop", 2), ("64 k- 31 k- 51 stop", 3)])
def test_the_openers_rolls_are_the_limit_of_all_others(turn: str, limit: int) -> None:
    state = _played(turn, seats=3)
    assert state.limit == limit
    for _ in range(2):
        for _ in range(limit - 1):
            state = GAME.play(GAME.roll(state, (4, 3)), Keep())
        state = GAME.roll(state, (4, 3))
        assert GAME.legal(state) == (Keep.of(3, 4),)
        state = GAME.play(state, Keep.of(3, 4))
    assert GAME.result(state) is not None


def test_the_others_may_stop_earlier_and_change_nothing_by_it() -> None:
    """What Game Works: they have at most as many rolls as the first took."""
    state = _played("64 k- 31 k- 51 stop 65 stop", seats=3)
    assert (state.limit, state.scores, state.rolls) == (3, (51, 65), 0)


def test_mexico_counts_at_once() -> None:
    state = _played("21")
    assert GAME.legal(state) == (Keep.of(1, 2),)
    assert HOLDING.legal(state) == (Keep.of(1, 2),)
    assert GAME.play(state, Keep.of(1, 2)).limit == 1


def test_the_highest_win_and_every_score_is_told() -> None:
    state = _played("31 stop 65 stop 65 stop", seats=3)
    assert GAME.result(state) == RoundResult((RoundSeat(1), RoundSeat(2)), (31, 65, 65))


def test_both_dice_are_rolled_again_or_none_unless_a_1_or_a_2_may_stay() -> None:
    assert GAME.legal(_played("61")) == (Keep.of(1, 6), Keep())
    assert HOLDING.legal(_played("61", HOLDING)) == (Keep.of(1, 6), Keep(), Keep.of(1))
    assert HOLDING.legal(_played("64", HOLDING)) == (Keep.of(4, 6), Keep())
    assert HOLDING.legal(_played("22", HOLDING)) == (Keep.of(2, 2), Keep(), Keep.of(2))


def test_a_die_that_has_stayed_is_rolled_next_time_but_another_may_stay() -> None:
    """Mex Game and Dark Mark: for one roll."""
    state = _played("61 k1", HOLDING)
    assert (HOLDING.to_roll(state), HOLDING.dice(state, RoundSeat(0))) == (1, ((), (1,)))
    assert HOLDING.legal(_played("61 k1 5", HOLDING)) == (Keep.of(1, 5), Keep())
    assert HOLDING.legal(_played("61 k1 1", HOLDING)) == (Keep.of(1, 1), Keep(), Keep.of(1))
    assert worth(_played("61 k1 2", HOLDING).free) == MEXICO
    assert HOLDING.dice(_played("61 k1 5 k-", HOLDING), RoundSeat(0)) == ((), ())


@pytest.mark.parametrize(
    ("steps", "action", "game", "code"),
    [
        ("", "k-", GAME, "no-keep"),
        ("61", "k1", GAME, "both"),
        ("61", "k5", GAME, "both"),
        ("61", "k6", HOLDING, "hold"),
        ("61 k1 5", "k1", HOLDING, "hold"),
        ("21", "k-", GAME, "counts"),
        ("61 k- 61 k- 61", "k-", GAME, "counts"),
    ],
)
def test_what_is_refused(steps: str, action: str, game: Mexico, code: str) -> None:
    with pytest.raises(IllegalAction) as refused:
        game.play(_played(steps, game), game.read_action(action))
    assert refused.value.code == code
    assert MexicoWords().refusal(Language(), game, code, refused.value.facts) or code == "no-keep"


def test_a_line_with_r_rolls_both_and_b_stops_whatever_is_marked() -> None:
    state = _played("61")
    assert GAME.choose(state, "roll", ()) == Keep()
    assert GAME.choose(state, "bank", ()) == GAME.choose(state, "bank", (6,)) == Keep.of(1, 6)
    with pytest.raises(IllegalAction, match="nothing-rolled"):
        GAME.choose(state, "roll", (1, 6))


def test_the_mover_hears_how_many_rolls_are_left_and_that_a_die_may_stay() -> None:
    words, said = MexicoWords(), Language()
    assert words.to_choose(said, GAME, _played("61")) == ["2 rolls left.", "Roll again or stop?"]
    assert words.hint(said, GAME, _played("61")) == ""
    holding = _played("65 k- 61", HOLDING)
    assert words.to_choose(said, HOLDING, holding) == ["1 roll left.", "Roll again or stop?"]
    assert words.hint(said, HOLDING, holding) == "You may keep the 1 and roll the other die."
    assert words.ask(said, GAME, _played("61 k- 33")) == "You have double 3 and 1 roll left. Roll again or stop?"
    assert words.to_roll(said, GAME, _played("")) == "You set the number of rolls: up to 3. Roll 2 dice."


def test_a_turns_end_tells_what_the_opener_leaves_to_the_others() -> None:
    words, said, state = MexicoWords(), Language(), _played("61")
    assert words.action_sentences(said, GAME, "Ann", state, Keep.of(1, 6)) == [
        "Ann stopped with 61.",
        "The other player has 1 roll.",
    ]
    last = _played("61 k- 31 k- 54")
    assert words.rolled(said, GAME, "Ann", _played("61 k- 31 k-"), (5, 4)) == ["The last roll: 54."]
    assert words.action_sentences(said, GAME, "", last, Keep.of(4, 5)) == ["The other player has up to 3 rolls."]
    assert words.action_sentences(said, GAME, "", _played("61 stop 31"), Keep.of(1, 3)) == []


def test_the_lowest_and_the_highest_so_far_are_told() -> None:
    words, said = MexicoWords(), Language()
    names = "Ann", "Bob", "Cid"
    assert words.to_beat(said, GAME, _played("", seats=3), names) == ["Ann goes first."]
    assert words.to_beat(said, GAME, _played("61 stop", seats=3), names) == [
        "Ann has 61.",
        "Bob needs more.",
    ]
    assert words.to_beat(said, GAME, _played("61 stop 21 stop", seats=3), ("", "Bob", "Cid")) == [
        "You are lowest with 61.",
        "Bob is highest with Mexico.",
    ]


def test_the_odds_and_the_median_of_a_roll_are_those_of_the_source() -> None:
    """Wikipedia, "Strategy and Odds": 17 to 1 against 65, 35 to 1 against a double, the median is 54."""
    ways = dict(rolls(2))
    assert (ways[5, 6], ways[6, 6], sum(ways.values())) == (2, 1, 36)
    assert sum(number for hand, number in ways.items() if worth(hand) > GOOD) == 18


def test_the_tip_stops_with_an_average_roll_and_as_soon_as_somebody_is_lower() -> None:
    assert tip(GAME, _played("54")) == ((Keep.of(4, 5), 1),)
    assert tip(GAME, _played("53")) == ((Keep(), 1),)
    assert tip(GAME, _played("53 k- 41 stop 42")) == ((Keep.of(2, 4), 1),)
    assert tip(GAME, _played("53 k- 41 stop 41")) == ((Keep(), 1),)
    assert tip(GAME, _played("53 k- 41 stop 31 k- 32")) == ((Keep.of(2, 3), 1),)
