"""How a match begins: by its last seat or by the host, once, with whoever is to be Player 1."""

from party.evening import evening, over, played
from pubdice.game import Seat
from pubdice.party import commands as ask
from pubdice.party.events import Botted, Moved, Sat, Started
from pubdice.record import Drawn
from pubdice.table import Refused


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
    assert events == [Botted(1, "lucky", "Lucky"), Botted(2, "lucky", "Lucky 2"), Started()]
    assert table.kinds == "pbbb"


def test_without_a_wish_the_usual_bot_takes_the_empty_seats() -> None:
    table = evening("pig", 2)
    table.sit("ann")
    assert table.ask("ann", ask.Start())[0] == Botted(1, "tip", "Tip")


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
