"""How a match begins: by its last seat or by the host, once, and who becomes Player 1."""

from typing import Any

import pytest

from pubdice.core.errors import Refused
from pubdice.core.game import Seat
from pubdice.match.record import Drawn, Rolled
from pubdice.match.table import TakenBack
from pubdice.room import commands as ask
from pubdice.room.beginning import begins
from pubdice.room.events import BotSeated, Moved, Sat, Shared, Started
from pubdice.room.setup import Expected
from room.scripted_room import evening, over, played


def test_the_match_begins_when_the_last_seat_is_taken() -> None:
    table = evening("pig", 2)
    table.sit("ann")
    assert table.state.stage == "gathering"
    assert table.sit("bob") == [Sat(1, "bob", "Bob"), Started()]
    assert (table.state.stage, table.state.mover) == ("playing", 0)
    assert table.state.turn_at == table.now


def test_one_person_with_bots_begins_at_once() -> None:
    assert evening("pig", 3, "tip", "lucky").sit("ann")[-1] == Started()


def test_midnight_can_be_played_alone() -> None:
    assert evening("midnight", 1).sit("ann") == [Sat(0, "ann", "Ann"), Started()]


def test_taking_a_bots_seat_while_another_is_empty_does_not_begin_the_match() -> None:
    table = evening("pig", 3, "tip")
    table.ask("ann", ask.Sit(2, "Ann"))
    assert table.state.stage == "gathering"


def test_the_house_draws_player_1_as_the_match_begins_where_that_is_done() -> None:
    table = evening("420", 3)
    table.sit("ann", "bob")
    assert table.ask("cid", ask.Sit(None, "Cid"), draws=[2]) == [Sat(2, "cid", "Cid"), Started(), Moved(Drawn(Seat(2)))]
    assert table.state.mover == 2


def test_the_host_begins_and_bots_take_the_empty_seats() -> None:
    table = evening("pig", 4, "tip")
    table.sit("ann")
    events = table.ask("ann", ask.Start("lucky"))
    assert events == [BotSeated(1, "lucky", "Lucky"), BotSeated(2, "lucky", "Lucky 2"), Started()]
    assert table.kinds == "pbbb"


def test_without_a_wish_the_usual_bot_takes_the_empty_seats() -> None:
    table = evening("pig", 2)
    table.sit("ann")
    assert table.ask("ann", ask.Start())[0] == BotSeated(1, "tip", "Tip")


def test_only_the_host_begins() -> None:
    table = evening("pig", 3)
    table.sit("ann", "bob")
    assert table.refused("bob", ask.Start()) == "not-host"
    assert table.refused("stranger", ask.Start()) == "not-host"
    assert table.refused(None, ask.Start()) == "not-host"


def test_a_host_without_a_seat_cannot_begin() -> None:
    assert evening("pig", 3).refused("ann", ask.Start()) == "not-seated"


def test_a_match_begins_once() -> None:
    assert played("ann", "bob").refused("ann", ask.Start()) == "started"
    assert over("ann", "bob").refused("ann", ask.Start()) == "started"


def test_beginning_with_a_bot_nobody_knows_is_refused() -> None:
    table = evening("pig", 3)
    table.sit("ann")
    why = table.refusal("ann", ask.Start("hal"))
    assert isinstance(why, Refused)
    assert (why.code, why.facts) == ("no-such-bot", {"bots": ("tip", "lucky")})


TIP_AND_LUCKY = (Expected("Tip", bot="tip"), Expected("Lucky", bot="lucky"))


def test_bots_that_were_ordered_to_play_alone_begin_at_once() -> None:
    table = evening("pig", expected=TIP_AND_LUCKY)
    assert begins(table.room.kit, table.state, {}, table.now) == table.now
    assert table.ask(None, ask.Begin()) == [Started()]
    assert table.kinds == "bb"


@pytest.mark.parametrize(
    "more", [{"grows": True, "expected": TIP_AND_LUCKY}, {"expected": (*TIP_AND_LUCKY[:1], Expected("Ann", ("ann",)))}]
)
def test_no_other_table_begins_while_nobody_sits_there(more: dict[str, Any]) -> None:
    table = evening("pig", 2, **more)
    assert begins(table.room.kit, table.state, {}, table.now) is None
    assert table.ask(None, ask.Begin()) == []


def test_whose_chairs_are_all_kept_sits_on_all_of_them_and_the_match_begins() -> None:
    chairs = (Expected("Ann", ("ann",)), *TIP_AND_LUCKY, Expected("Bob", ("ann",)))
    table = evening("pig", 4, expected=chairs)
    assert table.ask("ann", ask.Sit(None, "")) == [Sat(0, "ann", "Ann"), Shared(3, "ann", "Bob"), Started()]


def test_the_table_itself_enters_the_real_dice_of_bots_that_play_alone() -> None:
    table = evening("pig", expected=TIP_AND_LUCKY, dice="real")
    table.ask(None, ask.Begin())
    assert table.refused("ann", ask.EnterDice((4,))) == "not-seated"
    assert table.ask(None, ask.EnterDice((4,))) == [Moved(Rolled((4,)))]
    assert table.ask(None, ask.TakeBack()) == [Moved(TakenBack())]
