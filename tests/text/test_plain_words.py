"""What any game says that has nothing of its own, tried with an invented game that says no more than it must."""

from collections.abc import Mapping

import pytest

from pubdice.core.errors import IllegalAction
from pubdice.core.game import Keep
from pubdice.games import GAMES
from pubdice.games.fourtwenty.rules import FourTwenty
from pubdice.text.catalogues import language
from pubdice.text.game_words import PlainWords
from pubdice.text.language import Language, Sentence, illegal_action
from pubdice.text.turn_words import TurnWords

GAME = FourTwenty()
"""Rules to speak about; none of their own words is asked."""


class FewWords(PlainWords[FourTwenty]):
    title = "Few"
    tagline = "few words"
    refusals: Mapping[str, Sentence] = {
        "reset": "All of {total} goes back.",
        "foundation": "{dice} of {free} is too little.",
    }

    def todo(self, language: Language, game: FourTwenty, state: object) -> str:
        return "keep"

    def status(self, language: Language, game: FourTwenty, state: object, names: tuple[str, ...]) -> list[str]:
        return []


class FallingWords(FewWords):
    falling = True


def _refused(words: FewWords, *kept: int) -> str:
    state = GAME.roll(GAME.roll(GAME.start(2), (1, 2, 4, 5)), (1, 1, 1, 1))
    with pytest.raises(IllegalAction) as caught:
        GAME.play(state, Keep.of(*kept))
    return illegal_action(Language(), words, GAME, caught.value.code, caught.value.facts)


def test_a_game_that_says_no_more_than_it_must_is_told_in_both_languages() -> None:
    state = GAME.start(2)
    assert FewWords().action_sentences(Language(), GAME, "Ann", state, Keep((4, 5))) == ["Ann kept 4 5."]
    assert FewWords().action_sentences(language("de", strict=True), GAME, "", state, Keep((4, 5))) == [
        "Du hast 4 5 behalten."
    ]
    assert FewWords().to_roll(Language(), GAME, state) == "Roll 4 dice."
    assert FewWords().to_beat(language("de", strict=True), GAME, state, ("Ann", "")) == ["Ann fängt an."]
    assert FewWords().verbs(Language()) == [("r", "keep what is marked, and roll the others")]


def test_dice_are_read_out_in_the_games_order_in_what_it_tells_advises_and_refuses() -> None:
    state = GAME.start(2)
    assert FallingWords().action_sentences(Language(), GAME, "Ann", state, Keep((4, 5))) == ["Ann kept 5 4."]
    assert FewWords().choice(Language(), GAME, state, Keep((4, 5))) == "keep 4 5"
    assert FallingWords().choice(Language(), GAME, state, Keep((4, 5))) == "keep 5 4"
    assert _refused(FewWords(), 2, 4) == "2 4 of 1 2 4 5 is too little."
    assert _refused(FallingWords(), 2, 4) == "4 2 of 5 4 2 1 is too little."


def test_what_a_game_does_not_forbid_itself_the_house_refuses_in_its_own_words() -> None:
    assert _refused(FewWords(), 6) == "6 is not among the dice just rolled: 1 2 4 5."


def test_who_must_say_something_and_does_not_is_found_when_the_words_are_made() -> None:
    missing = type("MissingWords", (PlainWords,), {"title": "Missing", "tagline": "no words"})
    with pytest.raises(TypeError, match="status"):
        missing()


def test_games_of_one_turn_a_seat_inherit_the_same_words() -> None:
    assert issubclass(TurnWords, PlainWords)
    assert isinstance(GAMES["420"].words, PlainWords)
