"""The rules of a table with people.

``decide`` turns a command into log lines, and ``apply`` a line into the next state.

Both are pure functions. The caller brings the time, and the source of the dice (the cup) is an argument.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from pubdice.core.cup import Cup
from pubdice.core.seal import NoSeals, Seals
from pubdice.kit import Kit
from pubdice.room.beginning import start_if_complete
from pubdice.room.decision import Caller, Decision, RoomCommand, Step, apply
from pubdice.room.events import LogLine, read_line
from pubdice.room.moves import Play, play
from pubdice.room.next_table import next_table
from pubdice.room.setup import Setup, unused
from pubdice.room.state import Chair, RoomState

NO_SEALS = NoSeals()


@dataclass(frozen=True, slots=True)
class Room:
    """The rules of a table with people: its game and its setup. ``games`` has all games that can follow, by name."""

    kit: Kit
    setup: Setup
    games: Mapping[str, Kit] = field(default_factory=dict)

    def start(self) -> RoomState:
        """Return the state before a person sits down: empty chairs, chairs kept for people of the last table, bots."""
        setup = self.setup
        chairs = [Chair(expected.name, bot=expected.bot, awaited=expected.people) for expected in setup.expected]
        if not chairs:
            chairs = [Chair() for _ in range(setup.seats - len(setup.bots))]
        for bot in setup.bots:
            chairs.append(Chair(unused(bot.capitalize(), [chair.name for chair in chairs]), bot=bot))
        state = RoomState(setup, tuple(chairs), setup.host, setup.pace_ms, setup.opened, setup.opened)
        return replace(state, banned=setup.banned, opens=setup.opens, shut=setup.shut)

    def apply(self, state: RoomState, line: LogLine) -> RoomState:
        """Return the state after a line of the log. Raise IllegalAction for a line that cannot have happened."""
        return apply(self.kit, state, line)

    def decide(
        self, state: RoomState, command: RoomCommand | Play, caller: Caller, cup: Cup, seals: Seals = NO_SEALS
    ) -> tuple[Step, ...]:
        """Return the steps (log lines with states) to which a command leads. ``seals`` is for sealed dice.

        Raise Refused, IllegalAction or BadNotation. Nothing has changed then.
        """
        decision = Decision(self.kit, state, caller, cup, seals, self.games)
        if not isinstance(command, RoomCommand):  # first, because nearly all commands are moves in the match
            play(decision, command)
        else:
            command.decide(decision)
            if command.may_begin:
                start_if_complete(decision)
        return tuple(decision.steps)

    def replay(self, state: RoomState, texts: Iterable[str]) -> Iterator[Step]:
        """Yield the steps of a log's lines from this state on.

        Raise BadNotation or IllegalAction for an impossible log.
        """
        for text in texts:
            line = read_line(state.table, text)
            after = apply(self.kit, state, line)
            yield Step(state, line, after)
            state = after

    def again(
        self, state: RoomState, now: int, code: str = "", seals: Seals = NO_SEALS, *, decides: bool = False
    ) -> Setup:
        """Return the setup of the table for a rematch. ``line_up`` chooses the game.

        This table's match must be over. ``code`` is the code of this table. ``seals`` is for sealed dice. If
        ``decides``, the rematch is one more round between the seats that share the match.
        """
        return next_table(self.kit, state, now, code, seals, games=self.games, decides=decides)
