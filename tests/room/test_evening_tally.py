"""The tally of an evening: what the matches of a chain came to, by person, and that a chain stays small."""

from pubdice.room import commands as ask
from pubdice.room import write_setup
from pubdice.room.next_table import MOST_BANNED
from pubdice.room.next_table import evening as tally
from room.played_matches import midnight, race, win
from room.scripted_room import again, over, played


def test_the_evening_is_counted_for_each_format() -> None:
    table = midnight(played("ann", "bob", game="midnight", rules={"format": "rounds 3"}))
    following = again(table, "bob")
    following.ask("ann", ask.Sit(None, ""))
    following.ask("ann", ask.Rules({"format": "pot 2 rounds 1"}))
    following.ask("ann", ask.Ready())
    following.ask("bob", ask.Ready())
    games, rows = tally(midnight(following).state)
    assert games == 2
    assert [(row.name, row.wins, row.takings) for row in rows] == [
        ("Ann", 2, (("rounds", 3), ("chips", 2))),
        ("Bob", 0, (("rounds", 0), ("chips", -2))),
    ]


def test_the_evening_knows_who_buys() -> None:
    table = race("ann", "bob", form="drinks")
    assert [(row.name, row.wins, row.takings) for row in tally(table.state)[1]] == [
        ("Bob", 1, (("drinks", 0),)),
        ("Ann", 0, (("drinks", 1),)),
    ]


def test_all_rows_have_the_same_units_in_the_order_they_occurred_in() -> None:
    table = midnight(played("bob", "cid", game="midnight", rules={"format": "rounds 1"}, host="bob"))
    table.ask("ann", ask.Queue("Ann"))
    following = again(table)
    for person in ("bob", "cid", "ann"):
        following.ask(person, ask.Sit(None, ""))
    following.ask("bob", ask.Rules({"format": "pot 2 rounds 1"}))
    for person in ("bob", "cid", "ann"):
        following.ask(person, ask.Ready())
    assert [(row.name, row.takings) for row in tally(midnight(following).state)[1]] == [
        ("Bob", (("rounds", 1), ("chips", -2))),
        ("Cid", (("rounds", 1), ("chips", -2))),
        ("Ann", (("rounds", 0), ("chips", 4))),
    ]


def test_a_name_changed_keeps_what_it_has_won() -> None:
    following = again(over("ann", "bob", bots=["tip"]), "ann")
    following.ask("ann", ask.Rename("Queen Ann"))
    following.ask("bob", ask.Sit(None, ""))
    following.ask("bob", ask.Ready())
    games, rows = tally(win(following).state)
    assert [(row.name, row.wins) for row in rows] == [("Queen Ann", 1), ("Bob", 1), ("Tip", 0)]
    assert games == 2


def test_a_long_chain_stays_small() -> None:
    table = played("ann", "bob")
    sizes = []
    for number in range(80):
        table.ask(f"w{number}", ask.Queue(f"W{number}"))
        table = again(win(table), "ann", "bob")
        table.ask("ann", ask.Remove(2))
        assert (table.names, table.state.stage) == ("Ann Bob", "playing")
        sizes.append(len(write_setup(table.room.setup)))
    assert len(table.room.setup.banned) == MOST_BANNED
    assert [row.name for row in table.room.setup.evening] == ["Ann", "Bob"]
    assert sizes[-1] - sizes[70] < 10
