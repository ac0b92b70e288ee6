"""Laws of the example beside the field "Type your move". In every state the example must be readable as a move and
legal. The laws hold for every game, for the house's dice and real dice, with and without marked dice.
"""

from itertools import islice
from typing import Any

import pytest

from play import KITS, endless
from pubdice.core.errors import IllegalAction, Refused
from pubdice.kit import Kit
from pubdice.match.record import Played, Rolled
from pubdice.match.table import Dice, Marked
from pubdice.room import Caller, Step
from pubdice.room import commands as ask
from pubdice.room.events import Moved
from pubdice.server.table.commands import command_of
from pubdice.server.table.typed_field import meant, read_moves
from pubdice.server.wire import TypeLine
from pubdice.text.language import Language
from room.scripted_room import Evening, played
from server.table.announced import view_of

STATES = 30
"""The number of states to try for each game and kind of dice. More states found no further faults."""


def typed(table: Evening, seat: int, line: str) -> Any:
    """Submit a typed line as the house reads it, and return the steps. Raises the refusal."""
    kit, tongue = table.room.kit, Language()
    request = meant(TypeLine(key="some-key", text=line), table.state, kit, tongue)
    live = table.state.match
    assert live is not None
    if isinstance(request, TypeLine):
        enters = live.table.enters_dice(live.state)
        command: ask.Command = ask.Typed(
            read_moves(tongue, line, table.state.die, names_dice=kit.keeps_dice, enters=enters)
        )
    else:
        command = command_of(request)
    return table.room.decide(table.state, command, Caller(PEOPLE[seat], table.now, {}), endless(3))


PEOPLE = ("ann", "bob")


def says(kit: Kit, table: Evening, told: str, steps: tuple[Step, ...]) -> bool:
    """Return True if the text beside an example describes its first move: the action by its name, or the number of dice
    in a roll.
    """
    match, inner = table.table.match, table.play.match
    events = [step.line.event for step in steps]
    move = next(event.event for event in events if isinstance(event, Moved) and not isinstance(event.event, Marked))
    if isinstance(move, Rolled):
        return f" {len(move.dice)} di" in told
    assert isinstance(move, Played)
    return kit.words.choice(Language(), match.game, inner.round, move.action).casefold() in told.casefold()


def states(kit: Kit, dice: Dice) -> Any:
    """Play random moves of two people. Yield the table before each move, and sometimes again with a die marked."""
    table, numbers = played(*PEOPLE, game=kit.name, dice=dice), endless(11)
    while (seat := table.state.mover) is not None:
        yield table
        play, match = table.play, table.table.match
        command: ask.Command = ask.RollOrBank("roll")
        if play.legal:
            command = ask.PlayAction(play.legal[numbers.below(len(play.legal))], rolls=dice == "house")
            free = [die.place for die in table.table.view(play, seat) if die.status == "free"]
            if free and numbers.below(2) and kit.keeps_dice:
                marked = table.room.decide(
                    table.state, ask.Mark((free[0],)), Caller(PEOPLE[seat], table.now, {}), numbers
                )
                table.state = marked[-1].after
                yield table
        elif dice == "real":
            command = ask.EnterDice(tuple(1 + numbers.below(match.game.faces.sides) for _ in range(view_of(table).due)))
        table.state = table.room.decide(table.state, command, Caller(PEOPLE[seat], table.now, {}), numbers)[-1].after


def wrong(kit: Kit, dice: Dice) -> list[str]:
    """Return a sentence for each example that the table refuses or reads otherwise, and for each state of a turn
    without an example.
    """
    found = []
    for table in islice(states(kit, dice), STATES):
        seat, example = table.state.mover, view_of(table).example
        if not example:
            found.append(f"no example: {table.play}")
        for told in filter(None, example.split(". ")):
            line = told.partition(":")[0]
            try:
                steps = typed(table, seat, line)
            except (IllegalAction, Refused) as error:
                found.append(f"{told!r} is refused with {error!r}: {table.play}")
                continue
            found += [f"{told!r} does something else: {table.play}"] * (not says(kit, table, told, steps))
    return found


@pytest.mark.parametrize("dice", ["house", "real"])
def test_who_draws_player_1_has_an_example_too(dice: Dice) -> None:
    table = played("ann", "bob", game="midnight", rules={"first": "draw"}, dice=dice)
    assert typed(table, 0, view_of(table).example.partition(":")[0])


def test_a_face_in_an_example_is_that_of_the_dice_that_stay_first() -> None:
    """A face in an example means the first die of that face. Here "k 6 r" keeps the 6 of the ship, and not the 6 in the
    cargo.
    """
    table = played("ann", "bob", game="ship", rules={"cargo": "single"})
    table.roll("ann", (6, 5, 2, 6, 4))
    table.ask("ann", ask.Mark((2,)))
    example = view_of(table).example
    assert example == "k 6 r: Give up the cargo, roll 2."
    assert says(table.room.kit, table, example, typed(table, 0, "k 6 r"))


@pytest.mark.parametrize("game", ["mexico", "ship", "420"])
def test_the_example_of_midnight_is_refused_elsewhere(game: str) -> None:
    """Midnight's example is refused in other games. In an earlier version, the field of every game showed it."""
    table = played("ann", "bob", game=game)
    table.roll("ann", (6, 5, 2, 2, 1)[: view_of(table).due])
    with pytest.raises((IllegalAction, Refused)):
        typed(table, table.state.mover or 0, "1 4 r")


@pytest.mark.parametrize("dice", ["house", "real"])
@pytest.mark.parametrize("kit", KITS.values(), ids=lambda kit: kit.name)
def test_each_example_in_the_field_can_be_typed(kit: Kit, dice: Dice) -> None:
    assert wrong(kit, dice) == []
