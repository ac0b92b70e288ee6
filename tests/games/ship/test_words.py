"""What Ship calls its choices: to stop, to give up the cargo, to hold a die of it."""

import pytest

from pubdice.core.game import Keep, RoundState
from pubdice.games.ship import Ship
from pubdice.games.ship.words import ShipWords
from pubdice.text.catalogues import language
from pubdice.text.language import Language
from support.console import Room, dice

ALL_AT_ONCE = RoundState(2, (), (), (2, 3, 4, 5, 6), 1)
LOADED = RoundState(2, (), (4, 5, 6), (2, 3), 2)


@pytest.mark.parametrize(
    ("cargo", "state", "kept", "said"),
    [
        ("together", ALL_AT_ONCE, (4, 5, 6), "give up the cargo"),
        ("together", ALL_AT_ONCE, (2, 3, 4, 5, 6), "stop"),
        ("together", LOADED, (), "give up the cargo"),
        ("single", ALL_AT_ONCE, (3, 4, 5, 6), "hold 3"),
        ("single", LOADED, (3,), "hold 3"),
        ("together", RoundState(2, (), (), (2, 3, 5, 6, 6), 1), (5, 6), "keep 5 6"),
        ("together", RoundState(2, (), (), (2, 3, 5, 5, 5), 1), (), "roll again"),
    ],
)
def test_a_choice_says_what_becomes_of_the_cargo(
    cargo: str, state: RoundState, kept: tuple[int, ...], said: str
) -> None:
    game = Ship(cargo)  # type: ignore[arg-type]
    assert Keep(kept) in game.legal(state)
    assert ShipWords().choice(Language(), game, state, Keep(kept)) == said
    assert ShipWords().choice(language("de", strict=True), game, state, Keep(kept))


def test_the_coach_answers_the_question_that_is_asked() -> None:
    told = Room(dice("65421")).run("play ship --seats Ann,Bob --format rounds:1", "r", "hint").replies[-2]
    assert told.startswith("Give up the cargo is best: ")
    assert "\nStop loses " in told
