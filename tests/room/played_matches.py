"""Matches played to their end, for what comes after one."""

from pubdice.room import commands as ask
from room.scripted_room import Evening, evening


def win(table: Evening) -> Evening:
    """The opener wins Pig at once."""
    assert table.state.mover is not None
    person = table.state.chairs[table.state.mover].people[0]
    for _ in range(4):
        table.roll(person, (6,))
    table.ask(person, ask.PlayAction("hold"))
    assert table.state.stage == "over"
    return table


def race(*people: str, first: str = "", form: str = "race") -> Evening:
    """A race that Bob, who was drawn, has won at once."""
    table = evening("420", len(people), rules={"format": form, **({"first": first} if first else {})})
    for person in people:
        table.ask(person, ask.Sit(None, person.capitalize()), draws=[1])
    while table.state.stage == "playing":
        assert table.state.mover is not None
        table.roll(people[table.state.mover], (5, 5, 5, 5))
    return table


def midnight(table: Evening) -> Evening:
    """Ann makes 24 each time, and everybody else 4."""
    while table.state.stage == "playing":
        assert table.state.mover is not None
        chair = table.state.chairs[table.state.mover]
        table.roll(chair.people[0], (1, 4, 6, 6, 6, 6) if chair.name == "Ann" else (1, 4, 1, 1, 1, 1))
        table.ask(chair.people[0], ask.RollOrBank("bank", (0, 1, 2, 3, 4, 5)))
    return table
