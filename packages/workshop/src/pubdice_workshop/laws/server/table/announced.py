"""The announcements of a table that a script plays."""

from pubdice.room import Step
from pubdice.server.table.announce import Announcer
from pubdice.server.table.views import ViewContext, Viewer
from pubdice.server.wire import Say, Told, View
from pubdice.text.language import Language
from room.scripted_room import BEGIN, Evening


def announcer_of(table: Evening) -> Announcer:
    return Announcer(Language(), table.room.kit)


def told_to(table: Evening, steps: tuple[Step, ...], most: int = 3, seat: int | None = None) -> list[str]:
    """Return the lines that a seat hears, up to a level. Level 0 is for the brief announcements, 1 for everyone, 2 for
    the mover, 3 for the keys of dice.
    """
    said = [say for say in announcer_of(table).tell(steps, table.gone) if say.level <= most]
    return [line for say in said if (line := said_to(seat, say))]


def said_to(seat: int | None, line: Say | Told) -> str:
    return line.text if seat is None else line.own.get(seat, line.text)


def view_of(table: Evening) -> View:
    context = ViewContext(BEGIN, {}, "/t/".__add__)
    return Viewer(Language(), table.room.kit, announcer_of(table)).view(table.state, context, [])
