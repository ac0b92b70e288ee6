"""The line-up of an evening: how many matches of a game, who has won it, which game comes next, and what is refused."""

from dataclasses import replace
from typing import Any

import pytest

from play import KITS
from pubdice.core.errors import BadNotation, IllegalAction, Refused
from pubdice.room import Room, read_setup, write_setup
from pubdice.room import commands as ask
from pubdice.room.events import Ruled
from pubdice.room.line_up import decider, following, is_decided
from pubdice.room.setup import MOST_PLANNED, Planned, Row
from pubdice.room.setup_text import write_rules
from room.scripted_room import Evening, again, growing, played
from room.test_rematch import win


def planned(*people: str, **more: Any) -> Evening:
    """A table of Pig of a house with all games."""
    table = growing(*people, **more)
    table.room = Room(table.room.kit, table.room.setup, KITS)
    return table


def begun(table: Evening, *people: str) -> Evening:
    """The match, which everybody is ready for."""
    for person in people:
        table.ask(person, ask.Ready(), draws=[0])
    return table


def next_table(table: Evening, *people: str) -> Evening:
    """The table of a rematch in the same house, where everybody is ready."""
    table.room = Room(table.room.kit, table.room.setup, KITS)
    setup = table.room.again(table.state, table.now, "ABCDEF")
    assert read_setup(write_setup(setup)) == setup
    room = Room(KITS[setup.rules["game"]], setup, KITS)
    after = Evening(room, room.start(), table.now)
    for person in people:
        after.ask(person, ask.Sit(None, ""))
    return begun(after, *people)


def test_best_of_three_then_another_game() -> None:
    table = planned("ann", "bob")
    table.ask("ann", ask.Plan("", "best of 3"))
    table.ask("ann", ask.Plan("midnight rounds 2", "1"))
    table.ask("ann", ask.Plan("mexico", "2"))
    table = win(begun(table, "ann", "bob"))
    after = following(table.room.kit, KITS, table.state)
    assert (after.kit.name, after.played, after.decided, after.planned) == ("pig", 1, False, True)
    second = next_table(table, "ann", "bob")
    assert (second.state.setup.matches, second.state.setup.best, second.state.setup.played) == (3, True, 1)
    assert [(row.name, row.wins) for row in second.state.setup.won] == [("Ann", 1), ("Bob", 0)]
    third = next_table(win(second), "ann", "bob")
    assert third.room.kit.name == "pig"
    assert [(row.name, row.wins) for row in third.state.setup.won] == [("Ann", 1), ("Bob", 1)]
    fourth = next_table(win(third), "ann", "bob")
    assert fourth.room.kit.name == "midnight"
    assert fourth.state.setup.rules["format"] == "rounds 2"
    assert (fourth.state.setup.matches, fourth.state.setup.played, fourth.state.setup.won) == (0, 0, ())
    assert [entry.rules["game"] for entry in fourth.state.setup.line_up] == ["mexico"]
    assert fourth.state.stage == "playing"


def test_it_is_over_early_once_somebody_has_more_than_half() -> None:
    table = planned("ann", "bob")
    table.ask("ann", ask.Plan("", "best of 3"))
    table.ask("ann", ask.Plan("midnight", "1"))
    table = win(begun(table, "ann", "bob"))
    table.state = replace(table.state, setup=replace(table.state.setup, played=1, won=(Row("Ann", ("ann",), 1),)))
    assert following(table.room.kit, KITS, table.state).kit.name == "midnight"
    table.state = replace(table.state, setup=replace(table.state.setup, best=False))
    assert following(table.room.kit, KITS, table.state).kit.name == "pig", "three matches are three"


@pytest.mark.parametrize(
    ("matches", "best", "played", "wins", "over"),
    [
        (0, False, 1, (1, 0), True),
        (2, False, 1, (1, 0), False),
        (2, True, 1, (1, 0), False),
        (2, True, 2, (1, 1), True),
        (4, True, 2, (2, 0), False),
        (4, True, 3, (3, 0), True),
        (5, True, 3, (3, 3), True),
        (9, True, 4, (4, 0), False),
        (9, True, 5, (5, 0), True),
        (9, False, 5, (5, 0), False),
    ],
)
def test_one_place_says_when_it_is_decided(
    matches: int, best: bool, played: int, wins: tuple[int, ...], over: bool
) -> None:
    assert is_decided(matches, best, played, [Row(f"P{at}", wins=won) for at, won in enumerate(wins)]) == over


def test_between_matches_the_host_plans_on_and_nothing_of_the_match_changes() -> None:
    table = win(planned_match())
    before = table.state
    assert table.refused("bob", ask.Plan("midnight", "1")) == "not-host"
    assert [type(event) for event in table.ask("ann", ask.Plan("midnight", "1"))] == [Ruled]
    assert table.state.match == before.match
    assert table.state.chairs == before.chairs
    assert following(table.room.kit, KITS, table.state).kit.name == "midnight"
    table.ask("ann", ask.Plan("", "3"))
    assert following(table.room.kit, KITS, table.state).played == 1, "the match that is over is one of the three"
    with pytest.raises(IllegalAction):
        list(table.room.replay(table.state, [f"{table.now} ruled {rules_with(table, clock_s=30)}"]))
    table.ask("ann", ask.Rematch("ABCDEF"))
    assert table.refused("ann", ask.Plan("midnight", "1")) == "rematch-laid"


def planned_match() -> Evening:
    return begun(planned("ann", "bob"), "ann", "bob")


def rules_with(table: Evening, **changed: Any) -> str:
    """A line of rules that changes more than what is planned."""
    return write_rules(replace(table.state.setup, **changed))


def test_what_cannot_be_played_is_refused_and_changes_nothing() -> None:
    table = planned("ann", "bob")
    for command, code in (
        (ask.Plan("chess", "1"), "game"),
        (ask.Plan("midnight best", "1"), "format-game"),
        (ask.Plan("midnight rounds 0", "1"), "format-number"),
        (ask.Plan("midnight", "10"), "times"),
        (ask.Plan("midnight", "0"), "times"),
        (ask.Plan("midnight", "best of many"), "times"),
        (ask.Plan("midnight", ""), "times"),
        (ask.Plan("", "1"), "nothing-new"),
        (ask.Unplan(0, "midnight"), "not-planned"),
    ):
        assert table.refused("ann", command) == code, command
    assert table.refused("ann", ask.Plan("midnight", "1", {"need": "9 9"})) == "option"
    assert table.refused("ann", ask.Plan("midnight", "1", {"nonsense": "1"})) == "header-key"
    begun(table, "ann", "bob")
    assert table.refused("ann", ask.Plan("midnight", "1")) == "started"


def test_a_game_that_cannot_seat_so_many_is_refused_and_later_left_out() -> None:
    few = min(KITS.values(), key=lambda kit: kit.usual_game.most_seats)
    most = few.usual_game.most_seats
    people = [f"p{number}" for number in range(most + 1)]
    table = growing(*people, game="midnight", host="p0")
    table.room = Room(table.room.kit, table.room.setup, KITS)
    why = table.refusal("p0", ask.Plan(few.name, "1"))
    assert isinstance(why, BadNotation)
    assert (why.code, why.facts["most"]) == ("seats", most)
    table.ask(people[-1], ask.Leave())
    table.ask("p0", ask.Close(most)) if not table.state.chairs[-1].people else None
    table.ask("p0", ask.Plan(few.name, "1"))
    table.ask("p0", ask.Plan("midnight rounds 2", "1"))
    table.ask("late", ask.Sit(None, "Late"))
    setup = table.state.setup
    over = replace(table.state, setup=setup)
    after = following(table.room.kit, KITS, stopped(over))
    assert after.rules["format"] == "rounds 2"
    assert after.line_up == ()


def stopped(state: Any) -> Any:
    """A table whose match was broken off, of which one more has been played than planned."""
    return replace(state, setup=replace(state.setup, played=1))


def test_the_list_is_bounded_and_a_game_is_taken_off_by_its_place_and_name() -> None:
    table = planned("ann", "bob")
    for _ in range(MOST_PLANNED):
        table.ask("ann", ask.Plan("midnight", "1"))
    why = table.refusal("ann", ask.Plan("mexico", "1"))
    assert isinstance(why, Refused)
    assert (why.code, why.facts) == ("line-up-full", {"most": MOST_PLANNED})
    table.ask("ann", ask.Unplan(0, "midnight"))
    table.ask("ann", ask.Plan("mexico", "best of 3"))
    assert table.refused("ann", ask.Unplan(0, "mexico")) == "not-planned"
    table.ask("ann", ask.Unplan(MOST_PLANNED - 1, "mexico"))
    for _ in range(MOST_PLANNED - 1):
        table.ask("ann", ask.Unplan(0, "midnight"))
    assert table.state.setup.line_up == ()
    assert table.replayed() == table.state


def test_planning_leaves_everybody_ready_and_changed_rules_keep_the_plan() -> None:
    table = planned("ann", "bob", "cid")
    table.ask("bob", ask.Ready())
    table.ask("ann", ask.Plan("", "3"))
    assert [chair.ready for chair in table.state.chairs] == [False, True, False]
    table.ask("ann", ask.Rules(clock_s=30))
    assert [chair.ready for chair in table.state.chairs] == [False, False, False]
    assert table.state.setup.matches == 3
    assert table.replayed() == table.state


def test_the_same_game_keeps_its_house_rules_and_bots_find_a_way_to_play() -> None:
    table = planned("ann", game="midnight", rules={"need": "2 4", "format": "rounds 2"}, bots=["cautious"])
    table.ask("ann", ask.Plan("midnight pot 2 rounds 3", "1"))
    assert table.state.setup.line_up[0].rules["need"] == "2 4"
    table.ask("ann", ask.Unplan(0, "midnight"))
    table.ask("ann", ask.Plan("pig", "1"))
    setup = Room(KITS["midnight"], table.room.setup, KITS).again(match_over(table), table.now, "ABCDEF")
    assert setup.rules["game"] == "pig"
    assert "cautious" not in KITS["pig"].bots
    assert [chair.bot for chair in setup.expected] == ["", KITS["pig"].bots[0]]


def match_over(table: Evening) -> Any:
    """The table once its match has been played by whom it may be."""
    begun(table, "ann")
    while table.state.stage == "playing":
        assert table.state.mover is not None
        if table.state.plays(table.state.mover):
            legal = table.table.match.legal(table.play.match)
            due = table.table.match.to_roll(table.play.match)
            table.ask(None, ask.Bot(legal[-1] if legal else None), [(2, 4, 6, 6, 6, 6)[:due]])
        elif table.table.match.to_roll(table.play.match):
            table.roll("ann", (2, 4, 6, 6, 6, 6))
        else:
            table.ask("ann", ask.RollOrBank("bank", (0, 1, 2, 3, 4, 5)))
    return table.state


def test_without_a_plan_the_same_game_follows_as_ever() -> None:
    table = win(played("ann", "bob"))
    assert not following(table.room.kit, {}, table.state).planned
    assert again(table).room.setup.rules == table.room.setup.rules
    assert '"matches"' not in write_setup(again(table).room.setup)


def test_the_same_game_in_another_format_keeps_its_house_rules_and_opens_as_is_usual_there() -> None:
    table = growing("ann", "bob", game="midnight", rules={"need": "2 4", "format": "rounds 3", "opener": "winner"})
    table.ask("ann", ask.Plan("midnight rounds 3", "1"))
    table.ask("ann", ask.Plan("midnight pot 2", "1"))
    same, other = (planned.rules for planned in table.state.setup.line_up)
    assert same == table.state.setup.rules
    assert (other["need"], other["format"], other.get("opener", "rotate")) == ("2 4", "pot 2 rounds 5", "rotate")


def tied(*people: str, scores: tuple[int, ...]) -> Evening:
    """A round of Midnight that ended with these scores, each four sixes or less and what is needed."""
    table = growing(*people, game="midnight", rules={"format": "rounds 1"})
    table = begun(table, *people)
    for person, score in zip(people, scores, strict=True):
        table.roll(person, (1, 4, *[6] * 3, score - 18))
        table.ask(person, ask.RollOrBank("bank", (0, 1, 2, 3, 4, 5)))
    return table


def test_one_round_more_decides_between_those_who_tied_and_then_all_is_as_before() -> None:
    table = tied("ann", "bob", "cid", scores=(20, 19, 20))
    rules = table.state.setup.rules
    assert following(table.room.kit, KITS, table.state).planned is False
    setup = table.room.again(table.state, table.now, "ABCDEF", decides=True)
    assert read_setup(write_setup(setup)) == setup
    assert ([chair.name for chair in setup.expected], setup.grows) == (["Ann", "Cid"], False)
    assert (setup.rules["format"], setup.line_up) == ("rounds 1", (Planned(rules, 1),))
    room = Room(KITS["midnight"], setup, KITS)
    decides = Evening(room, room.start(), table.now)
    assert decides.refused("bob", ask.Sit(None, "Bob")) == "table-full"
    for person in ("ann", "cid"):
        decides.ask(person, ask.Sit(None, ""))
    assert decides.state.turn_order == (1, 0)  # the second of the others opens
    for person, score in zip(("cid", "ann"), (21, 21), strict=True):
        decides.roll(person, (1, 4, *[6] * 3, score - 18))
        decides.ask(person, ask.RollOrBank("bank", (0, 1, 2, 3, 4, 5)))
    again = decides.room.again(decides.state, table.now, "BCDEFG", decides=True)
    assert (again.rules, again.line_up) == (setup.rules, setup.line_up)  # once more
    after = following(decides.room.kit, KITS, decides.state)
    assert (after.rules, after.line_up, after.planned) == (rules, (), True)


def test_nothing_is_left_to_decide_where_somebody_won_or_more_matches_are_due() -> None:
    table = tied("ann", "bob", scores=(20, 19))
    assert decider(table.room.kit, table.state) is None
    assert table.room.again(table.state, table.now, "ABCDEF", decides=True) == table.room.again(
        table.state, table.now, "ABCDEF"
    )
    table = tied("ann", "bob", scores=(20, 20))
    assert decider(table.room.kit, table.state) is not None
    table.room = Room(table.room.kit, table.room.setup, KITS)
    table.ask("ann", ask.Plan("mexico", "1"))
    after = decider(table.room.kit, table.state)
    assert after is not None
    assert after.line_up == table.state.setup.line_up
    table.ask("ann", ask.Plan("", "best of 3"))
    assert decider(table.room.kit, table.state) is None
    last = replace(table.state, setup=replace(table.state.setup, played=2))
    assert decider(table.room.kit, last) is not None, "the third of three"
