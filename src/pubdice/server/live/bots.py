"""A bot's move: weighted actions from the bot process, and the draw between them. The table's timer (``autoplay``) asks
for it, and ``room.playing.play_bot`` makes it.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from pubdice.core.cup import Cup
from pubdice.core.errors import NotStored, Unsolved
from pubdice.core.policy import pick
from pubdice.match.match import MatchState
from pubdice.room import Room, RoomState
from pubdice.room.commands import Bot
from pubdice.room.setup import with_seats
from pubdice.server.live.background import Background
from pubdice.server.rate_limit import Buckets, Rate

HURRY = Rate(200, 1000)
"""Actions a second, and at once, of all bots together whose pace is below a second."""


class ChooseAction(Protocol):
    """Computes a bot's choice: ``BotProcess`` in a house, a function in tests."""

    async def __call__(
        self, rules: Mapping[str, str], bot: str, match: MatchState[Any], *, people: bool = True
    ) -> Sequence[tuple[Any, int]]:
        """The weighted actions at a decision. people: whether anybody plays at the table; such tables come first."""


class Bots:
    """Chooses for the bots of all tables. cup: where the draw between a bot's weighted actions comes from."""

    def __init__(self, choose: ChooseAction, cup: Cup, background: Background) -> None:
        self._choose, self._cup, self._background = choose, cup, background
        self.hurry = Buckets(HURRY, 1)

    def may_hurry(self, now: int) -> bool:
        """Whether one more bot may act fast now (ms since 1970): the house has a rate limit for all together."""
        return not self.hurry.take("", now / 1000)

    async def command(self, room: Room, state: RoomState, gone: Mapping[int, int]) -> Bot:
        """The move of the bot whose turn it is: a roll where one is due, else the action it draws.

        Raises NotStored("no-bots") if the bot process has died, or too many tables wait for it.
        """
        live, mover = state.match, state.mover
        if live is None or mover is None or live.table.match.to_roll(live.state.match):
            return Bot()
        people = any(chair.kind == "person" and seat not in gone for seat, chair in enumerate(state.chairs))
        weighted = await self._weighted(room, state, live.state.match, state.chairs[mover].bot, people=people)
        return Bot(pick(tuple(weighted), lambda number: self._cup.draw(number, live.state.moved)))

    async def _weighted(
        self, room: Room, state: RoomState, match: MatchState[Any], bot: str, *, people: bool
    ) -> Sequence[tuple[Any, int]]:
        usual_bot = room.kit.bots[0]
        rules = with_seats(state.setup.rules, len(state.chairs))
        try:
            return await self._choose(rules, bot or usual_bot, match, people=people)
        except Exception as error:
            if bot in ("", usual_bot) or isinstance(error, NotStored):
                raise
            if not isinstance(error, Unsolved):  # that a match may be too large is said where a bot is chosen
                self._background.failed(error)
            # people are waiting: the usual bot plays for the one that failed
            return await self._choose(rules, usual_bot, match, people=people)
