"""A bot's move: weighted actions from the bot process, and the draw between them.

The table's timer (``autoplay``) asks for the move. ``room.moves.Bot`` makes it.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from pubdice.core.cup import Cup
from pubdice.core.errors import NotStored, Unsolved
from pubdice.core.game import pick
from pubdice.match.match import MatchState
from pubdice.room import Room, RoomState
from pubdice.room.commands import Bot
from pubdice.room.setup import with_seats
from pubdice.server.table.background import Background

HURRY, HURRY_MS = 1000, 5000
"""The budget of fast bots (with a pace below 1 s): 1,000 actions in 5 s, or 200 a second in the whole house."""


class ChooseAction(Protocol):
    """Computes a bot's choice: ``BotProcess`` in a house, a function in tests."""

    async def __call__(
        self, rules: Mapping[str, str], bot: str, match: MatchState[Any], *, people: bool = True, asker: str = ""
    ) -> Sequence[tuple[Any, int]]:
        """Return the weighted actions at a decision.

        Tables with people come first. Tables of one ``asker`` share one turn.
        """


class Hurry:
    """A budget of fast bots' actions, ``HURRY`` in each ``HURRY_MS``, shared out by asker and then by table.

    Beyond it a table may still take the rest of its fair share, so early tables do not slow down late ones. The total
    never exceeds twice the budget.
    """

    def __init__(self) -> None:
        self._window = self._total = 0
        self._before, self._taken = dict[str, Counter[int]](), dict[str, Counter[int]]()

    def take(self, asker: str, table: int, now: int) -> bool:
        """Return True if a table may act now. Counts the action. table: its number. now: ms since 1970."""
        if now // HURRY_MS != self._window:
            self._window, self._before, self._taken = now // HURRY_MS, self._taken, {}
            self._total = 0
        own = self._taken.setdefault(asker, Counter())
        askers = max(len(self._before), len(self._taken))
        tables = max(len(self._before.get(asker, ())), len(own) + (table not in own))
        if self._total >= HURRY and (self._total >= 2 * HURRY or own[table] >= HURRY // askers // tables):
            return False
        own[table] += 1
        self._total += 1
        return True


class Bots:
    """Chooses for the bots of all tables. ``cup`` draws between a bot's weighted actions."""

    def __init__(self, choose: ChooseAction, cup: Cup, background: Background) -> None:
        self._choose, self._cup, self._background = choose, cup, background
        self.hurry = Hurry()

    async def command(self, room: Room, state: RoomState, gone: Mapping[int, int], asker: str = "") -> Bot:
        """Return the move of the bot whose turn it is: a roll, or an action drawn by weight.

        Raises NotStored("no-bots") if the bot process has died, or if too many tables wait for it.
        """
        live, mover = state.match, state.mover
        if live is None or mover is None or live.table.match.to_roll(live.state.match):
            return Bot()
        people = any(chair.kind == "person" and seat not in gone for seat, chair in enumerate(state.chairs))
        usual_bot, bot = room.kit.bots[0], state.chairs[mover].bot
        rules = with_seats(state.setup.rules, len(state.chairs))
        try:
            weighted = await self._choose(rules, bot or usual_bot, live.state.match, people=people, asker=asker)
        except Exception as error:
            if bot in ("", usual_bot) or isinstance(error, NotStored):
                raise
            if not isinstance(error, Unsolved):  # the match is too large, as the page says at the choice of a bot
                self._background.failed(error)
            # People are waiting, so the usual bot moves instead.
            weighted = await self._choose(rules, usual_bot, live.state.match, people=people, asker=asker)
        return Bot(pick(tuple(weighted), lambda number: self._cup.draw(number, live.state.moved)))
