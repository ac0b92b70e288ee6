"""What stands beside a seat's dice is shown again whenever the state it may depend on has changed."""

from dataclasses import replace

from pubdice.core.dice import Hand
from pubdice.core.game import RoundState
from pubdice.games import GAMES
from pubdice.games.ship.rules import ROLLS, Ship
from pubdice.games.ship.words import ShipWords
from pubdice.server.table.announce import Announcer
from pubdice.server.table.views import ViewContext, Viewer
from pubdice.text.language import Language
from room.scripted_room import BEGIN, played


class WordsOfRollsLeft(ShipWords):
    """Ship's words, which say beside the dice how many rolls are left."""

    def stand(self, language: Language, game: Ship, state: RoundState, seat: int, marked: Hand) -> str:
        return f"{ROLLS - state.rolls} left" if seat == len(state.scores) else ""


def test_the_movers_dice_are_read_out_with_what_the_state_says_though_they_fell_alike() -> None:
    table = played("ann", "bob", game="ship", rules={"format": "rounds 1"})
    kit = replace(GAMES["ship"], words=WordsOfRollsLeft())
    viewer = Viewer(Language(), kit, Announcer(Language(), kit))

    def hand() -> str:
        return viewer.view(table.state, ViewContext(BEGIN, {}, "/t/".__add__), []).seats[0].own_hand

    table.roll("ann", (1, 1, 2, 2, 3))
    assert hand() == "You have 3 2 2 1 1: 2 left."
    table.roll("ann", (1, 1, 2, 2, 3))
    assert hand() == "You have 3 2 2 1 1: 1 left."
