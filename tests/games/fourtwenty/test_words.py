"""What 420 says where its rules are at an edge; the laws of words try all else."""

import pytest

from pubdice.core.game import Keep, RoundSeat
from pubdice.games import GAMES
from pubdice.games.fourtwenty.rules import FourTwenty, RoundState
from pubdice.text.catalogues import language
from pubdice.text.language import Language

GAME, WORDS = FourTwenty(), GAMES["420"].words
NAMES = ("Ann", "")
ENGLISH, GERMAN = Language(), language("de", strict=True)


def test_before_the_first_roll_nothing_goes_back() -> None:
    """It said "You can keep none of . All four go back." to those who asked."""
    state = GAME.roll(GAME.start(2), (3, 3, 4, 5))
    assert state.mover == 1
    assert WORDS.to_beat(ENGLISH, GAME, state, NAMES) == ["Exactly 20 wins.", "Ann: 5 4 3 3, 15."]
    assert WORDS.to_beat(GERMAN, GAME, state, NAMES) == ["Genau 20 gewinnt.", "Ann: 5 4 3 3, 15."]
    assert WORDS.to_beat(ENGLISH, GAME, GAME.start(2), ("", "Ann")) == ["You go first.", "Exactly 20 wins."]


@pytest.mark.parametrize(
    ("hand", "kept", "dice", "said"),
    [
        ((), (), (4, 4, 5, 6), "You have 19."),
        ((), (), (4, 5, 5, 6), "You have exactly 20!"),
        ((), (), (5, 5, 5, 6), "You have 21: too many."),
        ((1, 4, 5, 6), (5, 6), (2, 3), "You have 6 5 3 2: 16."),
        ((1, 4, 5, 6), (5, 6), (4, 5), "You have 6 5 5 4: exactly 20!"),
        ((1, 4, 5, 6), (5, 6), (5, 5), "You have 6 5 5 5: 21, too many."),
    ],
)
def test_a_hand_is_read_out_unless_all_its_dice_have_just_been(
    hand: tuple[int, ...], kept: tuple[int, ...], dice: tuple[int, ...], said: str
) -> None:
    state = RoundState((hand, (1, 1, 1, 1)), RoundSeat(0), kept)
    assert WORDS.rolled(ENGLISH, GAME, "", state, dice) == [said]


def test_to_roll_and_to_be_asked_say_where_the_turn_stands() -> None:
    state = RoundState(((1, 4, 5, 6), (1, 1, 1, 1)), RoundSeat(0), None)
    assert WORDS.ask(ENGLISH, GAME, state) == "You have 6 5 4 1: 16. Which dice do you keep?"
    assert WORDS.ask(GERMAN, GAME, state) == "Du hast 6 5 4 1: 16. Welche Würfel behältst du?"
    kept = GAME.play(state, Keep((5, 6)))
    assert WORDS.to_roll(ENGLISH, GAME, kept) == "You keep 6 5. Roll 2 dice."
    assert WORDS.to_roll(GERMAN, GAME, kept) == "Du behältst 6 5. Wirf 2 Würfel."
    assert WORDS.to_roll(ENGLISH, GAME, GAME.start(2)) == "Roll 4 dice."


@pytest.mark.parametrize("free", [(2, 4, 6, 4), (2, 4, 4, 6)])
def test_what_may_be_kept_is_told_once_however_the_dice_lie(free: tuple[int, ...]) -> None:
    """It said "none, 6, 6 4 or 6 4"."""
    facts = {"dice": (2,), "free": free, "least": 5, "total": 2}
    said = WORDS.refusal(ENGLISH, GAME, "foundation", facts)
    assert said == "A single die kept must show at least 5. 2 does not. You may keep none, 6 or 6 4."
