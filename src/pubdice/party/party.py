"""A table with its people: decide(state, command, asker, cup) → steps, apply(state, line) → state. Pure.

Time comes in with who asks, dice with the cup. Who may ask for what is ``sitting``'s to decide.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from pubdice.cup import Cup
from pubdice.kit import Kit
from pubdice.party import commands as ask
from pubdice.party.apply import apply
from pubdice.party.asking import Asker, Step
from pubdice.party.chain import next_table
from pubdice.party.events import Line, read_line
from pubdice.party.setup import Setup, unused
from pubdice.party.sitting import Sitting
from pubdice.party.state import Chair, PartyState


@dataclass(frozen=True, slots=True)
class Party:
    """The rules of a table with people: a game and what was ordered."""

    kit: Kit
    setup: Setup

    def start(self) -> PartyState:
        """Seats as they were ordered: empty, with the bots last; at a rematch as they were, kept for their people."""
        setup = self.setup
        chairs = [Chair(each.name, bot=each.bot, awaited=each.people) for each in setup.expected]
        if not chairs:
            chairs = [Chair() for _ in range(setup.seats - len(setup.bots))]
        for bot in setup.bots:
            chairs.append(Chair(unused(bot.capitalize(), [chair.name for chair in chairs]), bot=bot))
        opened = PartyState(setup, tuple(chairs), setup.host, setup.pace_ms, setup.opened, setup.opened)
        return replace(opened, barred=setup.barred, opens=setup.opens, shut=setup.shut)

    def apply(self, state: PartyState, line: Line) -> PartyState:
        """The state after a line of the log. Raises IllegalAction for one that cannot have happened."""
        return apply(self.kit, state, line)

    def decide(self, state: PartyState, command: ask.Command, asker: Asker, cup: Cup) -> tuple[Step, ...]:
        """The lines a command leads to, each with the states it leads from and to.

        Raises Refused, IllegalAction or BadNotation, and then nothing has changed.
        """
        sitting = Sitting(self.kit, state, asker, cup)
        sitting.do(command)
        return tuple(sitting.steps)

    def replay(self, state: PartyState, texts: Iterable[str]) -> Iterator[Step]:
        """The steps that the lines of a log tell. Raises BadNotation or IllegalAction for a log that cannot be."""
        for text in texts:
            line = read_line(state.table, text)
            after = apply(self.kit, state, line)
            yield Step(state, line, after)
            state = after

    def again(self, state: PartyState, now: int, code: str = "") -> Setup:
        """The table of a rematch, as it is laid; see ``chain``. code: of the table whose match is over."""
        return next_table(self.kit, state, now, code)
