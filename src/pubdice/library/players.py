"""Players for a match in play: the bots of the house, and ``play_out``."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from pubdice.advice.bots import BotPolicy, Perfect, choose_action
from pubdice.core.cup import Cup
from pubdice.core.errors import BadNotation
from pubdice.core.game import Keep
from pubdice.games import GAMES
from pubdice.kit import PERFECT
from pubdice.library.answers import asked, nothing_to_choose, solved
from pubdice.library.frozen import frozen
from pubdice.library.match_in_play import MatchInPlay, RankedAction, cup
from pubdice.library.picture import explained

Chooser = Callable[[MatchInPlay], str | RankedAction | Keep]
"""A player: a function from a match at a decision to an action. The action has any form that ``MatchInPlay.play``
takes."""


@frozen
@dataclass(frozen=True, slots=True)
class HouseBot:
    """A bot of the house, as ``bot`` makes it. Call it with a match to get its action.

    Attributes:
        name: The name of the bot.
        cup: The source of chance, if the bot chooses between several actions.

    """

    name: str
    cup: Cup

    def __call__(self, match: MatchInPlay) -> str:
        """Choose an action and return it as notation.

        Raises:
            BadNotation: The code is "bot" if the game has no bot of that name.
            IllegalAction: The code is "no-choice" if dice are due or the match is over.
            Unsolved: For "perfect", if the match is too large to solve.

        """
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
    """Get a bot of the house by its name.

    Args:
        name: "perfect" plays best. "tip" follows a printed rule of thumb. "lucky" picks any legal action. Games of one
            turn a round also have "steady", "cautious" and "bold".
        seed: A seed for the bot's random choices, as in ``cup``.

    Returns:
        A player for any match whose game has that bot.

    Raises:
        BadNotation: The code is "bot" if no game has a bot of that name.

    """
    known, named = tuple(dict.fromkeys(name for kit in GAMES.values() for name in kit.bots)), str(name).lower()
    if named not in known:
        with explained():
            raise BadNotation("bot", found=str(name), bots=known)
    return HouseBot(named, cup(seed))


def play_out(
    match: MatchInPlay | str, players: Chooser | str | Mapping[str, Chooser | str], dice: Cup | None = None
) -> MatchInPlay:
    """Play a match to its end.

    Args:
        match: The match to go on with. The name of a game stands for its usual match.
        players: One player for all seats, or one for each by name. A player is a ``HouseBot``, the name of one, or your
            own function from a match to an action.
        dice: The cup that rolls come from. A cup of fair dice if left out.

    Returns:
        The finished match.

    Raises:
        BadNotation: The code is "no-bot" if a seat has no player, "seat" for an unknown name, and "no-player" for
            anything that is not a player. A player's own errors pass through too.

    Examples:
        >>> import pubdice
        >>> match = pubdice.new_match("midnight", seats="Ann, Bob", format="rounds 3")
        >>> players = {"Ann": "perfect", "Bob": lambda match: match.legal[-1]}
        >>> pubdice.play_out(match, players, pubdice.cup("stout")).points
        {'Ann': 2, 'Bob': 1}

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
        assert mover is not None, "a seat has to choose"
        match = match.play(choosers[mover](match))
    return match


def _chooser(player: object) -> Chooser:
    """Return the function that plays for a player given as a bot's name or as a function. Raises BadNotation."""
    if isinstance(player, str):
        return bot(player)
    if not callable(player):
        raise BadNotation("no-player", found=repr(player))
    return player
