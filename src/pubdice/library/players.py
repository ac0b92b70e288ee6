"""Players for a match in play: the bots of the house, and matches that any of them play to the end."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pubdice.advice.bots import BotPolicy, Perfect, choose_action
from pubdice.core.cup import Cup
from pubdice.core.errors import BadNotation
from pubdice.kit import PERFECT

if TYPE_CHECKING:
    pass
from pubdice.library.answers import asked, nothing_to_choose, solved
from pubdice.library.match_in_play import MatchInPlay, cup
from pubdice.library.picture import explained

Chooser = Callable[[MatchInPlay], object]
"""A player: from a match where there is something to choose to the action, as ``MatchInPlay.play`` takes it."""


@dataclass(frozen=True, slots=True)
class HouseBot:
    """A bot of the house, for any match of a game that has one of that name. cup: lots among actions it likes alike."""

    name: str
    cup: Cup

    def __call__(self, match: MatchInPlay) -> str:
        """The action it takes here, as notation. Raises as ``advise`` does, and BadNotation("bot")."""
        match = asked(match)
        if not match.legal:
            raise nothing_to_choose(match)
        with explained(match.kit, match.rules.game):
            if self.name == PERFECT:
                bot: BotPolicy = Perfect(solved(match).solver)
            elif self.name in match.kit.policies:
                bot = match.kit.policies[self.name]
            else:
                raise BadNotation("bot", found=self.name, bots=match.kit.bots)
            at = len(match.moves)
            action = choose_action(bot, match.rules, match.state, lambda number: self.cup.draw(number, at))
        return match.rules.game.write_action(action)


def bot(name: str, seed: object = "") -> HouseBot:
    """The bot of that name: "perfect", "tip", "lucky" and others of a game. seed: as of ``cup``."""
    return HouseBot(str(name).lower(), cup(seed))


def play_out(
    match: MatchInPlay | str, players: Chooser | str | Mapping[str, Chooser | str], dice: Cup | None = None
) -> MatchInPlay:
    """The match after it was played to its end. Raises BadNotation, and all that a player raises.

    players: one for all, or one each by name; a ``HouseBot``, its name, or a function of your own. dice: a cup of fair
    dice if left out.
    """
    match, dice = asked(match), cup() if dice is None else dice
    if isinstance(players, Mapping):
        with explained():
            named = {int(match._seat(name)): player for name, player in players.items()}
            if idle := [name for seat, name in enumerate(match.names) if seat not in named]:
                raise BadNotation("no-bot", names=tuple(idle))
    else:
        named = dict.fromkeys(range(len(match.names)), players)
    with explained():
        choosers = {seat: _chooser(player) for seat, player in named.items()}
    while not match.over:
        if match.to_roll or match.to_draw:
            match = match.throw(dice)
            continue
        mover = match.rules.mover(match.state)
        assert mover is not None, "somebody has to choose"
        match = match.play(choosers[mover](match))
    return match


def _chooser(player: object) -> Chooser:
    """A player as given. Raises BadNotation."""
    if isinstance(player, str):
        return bot(player)
    if not callable(player):
        raise BadNotation("no-player", found=repr(player))
    return player
