"""What is announced at a table, and to whom: turns as they begin and under way, questions, and what goes with them."""

from party.evening import BEGIN, Evening, evening, over, played
from pubdice.game import Keep
from pubdice.languages import language
from pubdice.party import Step
from pubdice.party import commands as ask
from pubdice.server.tell import Teller
from pubdice.server.views import Moment, Viewer
from pubdice.server.wire import Button, View
from pubdice.words import Language


def _teller(table: Evening) -> Teller:
    return Teller(Language(), table.party.kit)


def _told(table: Evening, steps: tuple[Step, ...], most: int = 2) -> list[str]:
    """What comes of a command, up to a level: 0 is brief, 1 everybody's, 2 the mover's."""
    return [say.text for say in _teller(table).tell(steps, table.gone) if say.level <= most]


def _view(table: Evening) -> View:
    return Viewer(Language(), table.party.kit, _teller(table)).view(table.state, Moment(BEGIN, BEGIN, {}, "/t/"), [])


def _buttons(table: Evening) -> tuple[str | None, str | None]:
    """What the two buttons say."""
    view = _view(table)
    return view.main.label if view.main else None, view.bank.label if view.bank else None


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
    assert _view(table).heading.text == "Ann's turn"
    assert _told(table, table.steps("ann", ask.Go("roll"), [(1, 4, 4, 6, 6, 6)])) == [
        "Ann rolled 1 4 4 6 6 6.",
        "Keep which?",
    ]
    assert _view(table).heading.text == "Ann's turn"
    table.ask("ann", ask.Go("roll", (0, 3)), [(2, 2, 2, 2)])
    assert _view(table).heading.text == "Ann's turn"
    assert _view(table).whose.text == "It is Ann's turn: locked 1 6, lacking a 4. Keep which? Here: Ann and Bob."


def test_of_a_bot_only_that_it_is_its_turn_is_told() -> None:
    table = played("ann", game="midnight", bots=["tip"], rules={"format": "rounds 1"})
    table.roll("ann", (1, 4, 6, 6, 6, 6))
    steps = table.steps("ann", ask.Go("bank", (0, 1, 2, 3, 4, 5)))
    assert _told(table, steps)[-1] == "Tip is next."
    assert _view(table).heading.text == "Tip's turn"
    assert _view(table).whose.text == "It is Tip's turn. Here: Ann and Tip."


def test_what_keeping_none_means_is_told_to_the_mover_alone_and_never_in_brief() -> None:
    table = played("ann", "bob", game="420", rules={"format": "race"})
    table.roll("ann", (6, 6, 3, 2))
    steps = table.steps("bob", ask.Go("roll"), [(5, 5, 1, 1)])
    everybody = ["Bob rolled 5 5 1 1. Hand 5 5 1 1: 12.", "Ann is next: hand 6 6 3 2, 17. Keep which?"]
    assert _told(table, steps, 0) == _told(table, steps, 1) == everybody
    assert _told(table, steps, 2) == [*everybody, "Keeping none rerolls all four."]
    assert _view(table).heading.text == "Ann's turn"


def test_after_a_keep_of_ones_own_dice_it_is_said_what_is_rolled_next() -> None:
    table = played("ann", "bob", game="midnight", rules={"format": "rounds 1"}, dice="real")
    steps = table.steps("bob", ask.Enter((1, 4, 6, 2, 2, 3)))
    assert _told(table, steps, 0) == ["Ann rolled 1 4 6 2 2 3."]
    steps = table.steps("ann", ask.Go("roll", (0, 1, 2)))
    assert _told(table, steps, 0) == ["Ann kept 1 4 6.", "3 dice to roll; locked 1 4 6, qualified."]
    said = _teller(table).tell(steps, {})
    assert [say.level for say in said] == [0, -1]
    assert _told(table, table.steps("ann", ask.TakeBack()), 0) == [
        "What was entered last is taken back.",
        "6 dice to roll.",
    ]


def test_of_a_bot_too_it_is_said_what_to_roll_for_it() -> None:
    table = played("ann", game="midnight", bots=["tip"], rules={"format": "rounds 1"}, dice="real", opens=1)
    table.ask("ann", ask.Enter((1, 4, 6, 2, 2, 3)))
    steps = table.steps(None, ask.Bot(Keep((1, 4, 6))))
    assert _told(table, steps, 0) == ["Tip kept 1 4 6.", "3 dice to roll; locked 1 4 6, qualified."]


def test_dice_of_the_house_are_rolled_without_being_told_to() -> None:
    table = played("ann", "bob", game="midnight", rules={"format": "rounds 1"})
    table.roll("ann", (1, 4, 6, 2, 2, 3))
    steps = table.steps("ann", ask.Go("roll", (0, 1, 2)), [(1, 1, 1)])
    assert not [said for said in _told(table, steps) if "to roll" in said]


def test_a_rematch_says_that_the_table_is_laid_and_in_full_how_to_get_there() -> None:
    table = over("ann", "bob")
    steps = table.steps("bob", ask.Rematch("BCDEFG"))
    assert _told(table, steps, 0) == ["Bob wants a rematch: the next table is laid."]
    assert _told(table, steps, 1)[1:] == ["Space goes there."]


def test_that_a_seat_is_on_another_phone_is_always_said() -> None:
    table = evening("midnight", 2)
    table.sit("ann")
    assert _told(table, table.steps("eve", ask.Join(0)), 0) == ["Ann has the seat on another phone too."]


def test_a_bot_is_called_one() -> None:
    table = played("ann", "bob", game="midnight", bots=["tip"], rules={"format": "rounds 2"})
    assert _told(table, table.steps("bob", ask.Give("bold"))) == ["A bot plays for Bob, in the way of Bold."]
    assert _told(table, table.steps("bob", ask.Leave())) == ["Bob leaves.", "A bot, Tip 2, takes the seat of Bob."]
    assert _told(table, table.steps("eve", ask.Sit(1, "Eve"))) == ["Eve takes the seat of Tip 2."]
    assert _told(table, table.steps("ann", ask.Remove(1)))[:2] == [
        "Eve was asked to leave.",
        "A bot, Tip 2, takes the seat of Eve.",
    ]
    assert table.replayed() == table.state
    table = evening("midnight", 2)
    table.sit("ann")
    assert _told(table, table.steps("ann", ask.Start("tip")), 0)[0] == "A bot, Tip, takes a seat."


def test_before_and_after_the_match_it_is_told_what_is_waited_for() -> None:
    table = evening("midnight", 3, "tip")
    table.sit("ann")
    view = _view(table)
    assert view.whose.text == "Waiting for 1 more to sit down. Here: Ann and Tip."
    assert view.scores.text == view.heading.text == "Waiting for 1 more to sit down."
    assert not view.beat.text
    view = _view(over("ann", "bob"))
    assert view.whose.text == "The match is over. Here: Ann and Bob."
    assert view.heading.text == "The match is over."
    assert view.standing.text
    table = played("ann", "bob", "cid", game="420", rules={"format": "drinks"}, dice="real")
    view = _view(table)
    assert view.whose.text == "Player 1 is to be drawn. Here: Ann, Bob and Cid."
    assert view.heading.text == "Player 1 is to be drawn: who is it?"
    assert not view.beat.text


def test_where_all_dice_are_kept_one_button_says_the_score() -> None:
    table = played("ann", "bob", game="midnight", rules={"format": "rounds 1"})
    table.roll("ann", (1, 4, 5, 5, 5, 5))
    assert _buttons(table) == ("Tap the dice you keep", None)
    table.ask("ann", ask.Mark((0,)))
    assert _buttons(table) == ("Keep 1, roll 5 dice", None)
    table.ask("ann", ask.Mark((0, 1, 2, 3, 4, 5)))
    assert _buttons(table) == ("Keep 1 4 5 5 5 5 and score 20", None)
    german = Viewer(language("de"), table.party.kit, Teller(language("de"), table.party.kit))
    main = german.view(table.state, Moment(BEGIN, BEGIN, {}, "/t/"), []).main
    assert main == Button("roll", "1 4 5 5 5 5 behalten und 20 werten")
    table.ask("ann", ask.Go("bank"))
    table.roll("bob", (2, 3, 5, 5, 5, 5))
    table.ask("bob", ask.Mark((0, 1, 2, 3, 4, 5)))
    assert _buttons(table) == ("Keep 2 3 5 5 5 5 and score 0", None)


def test_where_banking_is_something_else_it_has_its_button() -> None:
    table = played("ann", "bob")
    table.roll("ann", (6,))
    assert _buttons(table) == ("Roll again", "Bank: hold 6")


def test_a_single_round_is_summed_up_by_its_scores() -> None:
    table = played("ann", "bob", game="midnight", rules={"format": "rounds 1"})
    table.roll("ann", (2, 3, 5, 5, 5, 5))
    table.ask("ann", ask.Go("bank", (0, 1, 2, 3, 4, 5)))
    view = _view(table)
    assert (view.seats[0].score, view.seats[0].hand) == ("missed", "2 3 5 5 5 5. Missed.")
    table.roll("bob", (1, 4, 5, 5, 5, 2))
    steps = table.steps("bob", ask.Go("bank", (0, 1, 2, 3, 4, 5)))
    ending = "The match goes to Bob with 17. Behind: Ann missed."
    assert _told(table, steps) == ["Bob kept 1 2 4 5 5 5. Bob scored 17: 5 5 5 2.", ending]
    view = _view(table)
    assert " ".join(line.text for line in view.result) == ending
    assert (view.scores.text, view.standing.text) == ("", "Slate: Ann missed, Bob 17.")
    assert (view.seats[1].score, view.seats[1].hand) == ("17", "1 4 5 5 5 2. Score 17.")


def test_two_at_a_table_with_sides_are_told_which_they_play() -> None:
    table = evening("420", 2, rules={"format": "race"})
    table.sit("ann")
    assert [seat.side for seat in _view(table).seats] == ["", ""]
    steps = table.steps("bob", ask.Sit(None, "Bob"))
    assert _told(table, steps, 0) == [
        "Bob takes a seat.",
        "The match begins.",
        "Ann plays Red, Bob plays Blue.",
        "Ann is next: 4 dice to roll.",
    ]
    view = _view(table)
    assert [seat.side for seat in view.seats] == ["Red", "Blue"]
    assert view.whose.text == "It is Ann's turn: 4 dice to roll. Here: Ann as Red and Bob as Blue."
    german = Viewer(language("de"), table.party.kit, Teller(language("de"), table.party.kit))
    view = german.view(table.state, Moment(BEGIN, BEGIN, {1: BEGIN}, "/t/"), [])
    assert [seat.side for seat in view.seats] == ["Rot", "Blau"]
    assert view.whose.text.endswith("Anwesend: Ann als Rot. Abwesend: Bob als Blau.")


def test_whoever_is_drawn_to_begin_plays_the_first_side() -> None:
    table = evening("420", 2, rules={"format": "drinks"})
    table.sit("ann")
    steps = table.steps("bob", ask.Sit(None, "Bob"), draws=[1])
    assert _told(table, steps, 0)[2:] == [
        "Player 1 is Bob. Round 1.",
        "Bob plays Red, Ann plays Blue.",
        "Bob is next: 4 dice to roll.",
    ]
    assert [seat.side for seat in _view(table).seats] == ["Blue", "Red"]


def test_more_at_a_table_or_another_game_play_no_sides() -> None:
    for table in (
        played("ann", "bob", "cid", game="420", rules={"format": "race"}),
        played("ann", "bob", game="midnight"),
        played("ann", "bob"),
    ):
        assert not any(seat.side for seat in _view(table).seats)
        assert " as " not in _view(table).whose.text


def test_bots_wait_one_second_or_so_many() -> None:
    table = evening("midnight", 2)
    table.sit("ann")
    for ms, told in ((0, "Bots do not wait."), (1000, "Bots wait 1 second."), (400, "Bots wait 0.4 seconds.")):
        assert _told(table, table.steps("ann", ask.Pace(ms))) == [told]
