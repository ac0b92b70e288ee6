"""A table with random commands, for tests that look at the board after every command while a match is played."""

from collections.abc import Callable

from pubdice.room import Live, Step
from pubdice.room.commands import Command
from pubdice.server.table.announce import Announcer
from pubdice.server.table.views import ViewContext, Viewer
from pubdice.server.wire import View
from pubdice.text.language import Language
from room.random_commands import Order, Walk


class Looked(Walk):
    """A table with random commands. ``look`` is called with each view of the board (in ``language``) and with the match
    that the view shows.
    """

    def __init__(self, order: Order, look: Callable[[View, Live], None], language: Language | None = None) -> None:
        super().__init__(order)
        language, self.look = language or Language(), look
        self.viewer = Viewer(language, self.room.kit, Announcer(language, self.room.kit))

    def attempt(self, person: str | None, command: Command) -> tuple[Step, ...]:
        steps = super().attempt(person, command)
        live = self.state.match
        if live is not None and self.state.stage == "playing":
            self.look(self.viewer.view(self.state, ViewContext(self.now, self.gone, "/t/".__add__), []), live)
        return steps
