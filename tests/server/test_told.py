"""What is announced at a table, and to whom: turns as they begin and under way, questions, and what goes with them."""

from party.evening import BEGIN, Evening, evening, played
from pubdice.party import Step
from pubdice.party import commands as ask
from pubdice.server.tell import Teller
from pubdice.server.views import Moment, Viewer
from pubdice.server.wire import View
from pubdice.words import Language


def _teller(table: Evening) -> Teller:
    return Teller(Language(), table.party.kit)


def _told(table: Evening, steps: tuple[Step, ...], most: int = 2) -> list[str]:
    """What comes of a command, up to a level: 0 is brief, 1 everybody's, 2 the mover's."""
    return [say.text for say in _teller(table).tell(steps) if say.level <= most]


def _view(table: Evening) -> View:
    return Viewer(Language(), table.party.kit, _teller(table)).view(table.state, Moment(BEGIN, BEGIN, {}, "/t/"), [])


def test_the_start_says_each_thing_once() -> None:
    table = evening("420", 3, rules={"format": "drinks"})
    table.sit("ann", "bob")
    steps = table.steps("cid", ask.Sit(None, "Cid"), draws=[1])
    assert _told(table, steps, 0) == [
        "Cid takes a seat.",
        "The match begins.",
        "Player 1 is Bob. Round 1.",
        "Bob is next: 4 dice to roll.",
    ]
    table = evening("midnight", 1, rules={"format": "rounds 1"})
    assert _told(table, table.steps("ann", ask.Sit(None, "Ann")), 0) == [
        "Ann takes a seat.",
        "The match begins.",
        "Ann is next: 6 dice to roll.",
    ]


def test_a_turn_is_announced_as_it_begins_and_named_while_it_is_under_way() -> None:
    table = played("ann", "bob", game="midnight", rules={"format": "rounds 1"})
    assert _view(table).prompt == "It is Ann's turn: 6 dice to roll."
    assert _told(table, table.steps("ann", ask.Go("roll"), [(1, 4, 4, 6, 6, 6)])) == [
        "Ann rolled 1 4 4 6 6 6.",
        "Keep which?",
    ]
    assert _view(table).prompt == "It is Ann's turn: keep which?"
    table.ask("ann", ask.Go("roll", (0, 3)), [(2, 2, 2, 2)])
    assert _view(table).prompt == "It is Ann's turn: locked 1 6, lacking a 4. Keep which?"
    assert _view(table).whose == "It is Ann's turn: locked 1 6, lacking a 4. Keep which? Here: Ann and Bob."


def test_of_a_bot_only_that_it_is_its_turn_is_told() -> None:
    table = played("ann", game="midnight", bots=["tip"], rules={"format": "rounds 1"})
    table.roll("ann", (1, 4, 6, 6, 6, 6))
    steps = table.steps("ann", ask.Go("bank", (0, 1, 2, 3, 4, 5)))
    assert _told(table, steps)[-1] == "Tip is next."
    assert _view(table).prompt == "It is Tip's turn."
    assert _view(table).whose == "It is Tip's turn. Here: Ann and Tip."


def test_what_keeping_none_means_is_told_to_the_mover_alone_and_never_in_brief() -> None:
    table = played("ann", "bob", game="420", rules={"format": "race"})
    table.roll("ann", (6, 6, 3, 2))
    steps = table.steps("bob", ask.Go("roll"), [(5, 5, 1, 1)])
    everybody = ["Bob rolled 5 5 1 1. Hand 5 5 1 1: 12.", "Ann is next: hand 6 6 3 2, 17. Keep which?"]
    assert _told(table, steps, 0) == _told(table, steps, 1) == everybody
    assert _told(table, steps, 2) == [*everybody, "Keeping none rerolls all four."]
    assert _view(table).prompt == "It is Ann's turn: hand 6 6 3 2, 17. Keep which?"


def test_bots_wait_one_second_or_so_many() -> None:
    table = evening("midnight", 2)
    table.sit("ann")
    for ms, told in ((0, "Bots do not wait."), (1000, "Bots wait 1 second."), (400, "Bots wait 0.4 seconds.")):
        assert _told(table, table.steps("ann", ask.Pace(ms))) == [told]
