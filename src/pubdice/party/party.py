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
from pubdice.party.events import Botted, Joined, Line, Sat, read_line
from pubdice.party.setup import Setup, unused
from pubdice.party.sitting import Sitting
from pubdice.party.state import Chair, PartyState


@dataclass(frozen=True, slots=True)
class Party:
    """The rules of a table with people: a game and what was ordered."""

    kit: Kit
    setup: Setup

    def start(self) -> PartyState:
        """Seats as they were ordered: empty, with the bots last."""
        setup = self.setup
        chairs = [Chair() for _ in range(setup.seats - len(setup.bots))]
        for bot in setup.bots:
            chairs.append(Chair(unused(bot.capitalize(), [chair.name for chair in chairs]), bot=bot))
        return PartyState(setup, tuple(chairs), setup.host, setup.pace_ms, setup.opened, setup.opened)

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

    def again(self, state: PartyState, now: int, cup: Cup) -> tuple[Setup, tuple[Step, ...]]:
        """A rematch: the same people and bots at a fresh table, the next seat opening, or drawn again if it was drawn.

        What is ordered, and the steps up to the start. Who gave their seat to a bot, or was voted away, sits there
        again themselves.
        """
        assert state.table is not None, "a match has been played"
        seats, opens = len(state.chairs), state.setup.opens
        if state.table.match.first is not None:
            opens = (opens + 1) % seats
        setup = replace(state.setup, seats=seats, host=state.host, opened=now, opens=opens, bots=())
        setup = replace(setup, pace_ms=state.pace_ms)
        sitting = Sitting(self.kit, Party(self.kit, setup).start(), Asker(None, now), cup)
        for seat, chair in sorted(enumerate(state.chairs), key=lambda seated: state.host not in seated[1].people):
            if chair.people:  # the host first, as whoever sits down first runs the table otherwise
                sitting.add(Sat(seat, chair.people[0], chair.name))
                for person in chair.people[1:]:
                    sitting.add(Joined(seat, person))
            else:
                sitting.add(Botted(seat, chair.bot, chair.name))
        sitting.begin()
        return setup, tuple(sitting.steps)
