"""Exact answers about a match in play: the value of every choice, the odds of every player, and a review."""

from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from pubdice.advice.coach import Coach
from pubdice.advice.ranking import PositionAdvice
from pubdice.advice.review import Review, counted
from pubdice.advice.review import review as reviewed
from pubdice.core.errors import BadNotation, IllegalAction, Unsolved
from pubdice.games import GAMES
from pubdice.match.header import find_name
from pubdice.match.match import Match
from pubdice.solve.solver import as_counted

if TYPE_CHECKING:
    from pubdice.advice.solved_round import SolvedRound
from pubdice.library.frozen import frozen
from pubdice.library.match_in_play import MatchInPlay, RankedAction, new_match
from pubdice.library.picture import ENGLISH, explained


@frozen
@dataclass(frozen=True, slots=True)
class Choices:
    """The legal actions at a decision with their values, as ``advise`` returns them.

    Attributes:
        ranked: The actions, best first. Actions of equal value are in the order of the rules.
        utility: The unit of the values, such as "share of the match".
        bound: The error bound. No value is off by more.

    """

    ranked: tuple[RankedAction, ...]
    utility: str
    bound: float

    @property
    def best(self) -> RankedAction:
        """The best action. If several are equally good, the first of them in the order of the rules."""
        return self.ranked[0]

    def __str__(self) -> str:
        return "\n".join(f"{each.words}: {each.value:.4f}, {each.verdict}" for each in self.ranked)

    def to_dict(self) -> dict[str, Any]:
        """Return the choices as plain data, for ``json`` and data frames."""
        return asdict(self)


@frozen
@dataclass(frozen=True, slots=True)
class Odds:
    """The value of a match to each player under best play, as ``odds`` returns it.

    ``found["Ann"]`` is Ann's value.

    Attributes:
        values: The values by player name, in seat order.
        utility: The unit of the values, such as "share of the match".
        bound: The error bound. No value is off by more.

    """

    values: dict[str, float]
    utility: str
    bound: float

    def __str__(self) -> str:
        return "; ".join(f"{name}: {value:.4f}" for name, value in self.values.items()) + f" ({self.utility})"

    def __getitem__(self, name: str) -> float:
        """Return a player's value. Capitals and spaces in the name do not matter.

        Raises:
            BadNotation: The code is "seat" if no player has that name.

        """
        seat = find_name(str(name), tuple(self.values))
        if seat is None:
            with explained():
                raise BadNotation("seat", found=str(name), names=tuple(self.values))
        return tuple(self.values.values())[seat]

    def to_dict(self) -> dict[str, Any]:
        """Return the odds as plain data, for ``json`` and data frames."""
        return asdict(self)


@lru_cache(maxsize=8)  # only 8 matches, because a solved match may take a gigabyte
def _coach(game: str, rules: Match[Any, Any]) -> Coach:
    kit = GAMES[game]
    if kit.solver is None:
        raise Unsolved("no-solver", title=kit.words.title)
    return Coach(kit.solver(rules), rules)


def solved(match: MatchInPlay) -> Coach:
    """Return the coach of a match: an object that holds the solved match. Raises Unsolved."""
    with explained(match.kit, match.rules.game):
        return _coach(match.kit.name, match.rules)


def asked(match: object) -> MatchInPlay:
    """Return the match given. If it is the name of a game, return the usual match of that game. Raises
    BadNotation("no-match").
    """
    if isinstance(match, MatchInPlay):
        return match
    if isinstance(match, str):
        return new_match(match)
    with explained():
        raise BadNotation("no-match", found=repr(match))


def nothing_to_choose(match: MatchInPlay) -> IllegalAction:
    """Return the IllegalAction for a match that is not at a decision."""
    error = IllegalAction("no-choice", state=match.state)
    error.sentence = "The match is over." if match.over else f"There is nothing to choose now. {match}"
    return error


def advise(match: MatchInPlay | str) -> Choices:
    """Work out the exact value of every legal action, and rank the actions.

    A value is the mover's, if every player plays best from here on.

    Args:
        match: A match at a decision.

    Returns:
        The actions, best first. Each ``RankedAction`` has its value, the value lost against the best, and a verdict.

    Raises:
        BadNotation: If the argument is neither a match nor the name of a game.
        IllegalAction: The code is "no-choice" if dice are due or the match is over.
        Unsolved: If the match is too large to solve, or its game has no solver.

    Examples:
        >>> import pubdice
        >>> match = pubdice.new_match("midnight", seats="Ann, Bob", format="rounds 1").roll(3, 4, 4, 5, 1, 2)
        >>> choices = pubdice.advise(match)
        >>> choices.best.words, round(choices.best.value, 4), len(choices.ranked)
        ('keep 4', 0.4291, 47)
        >>> match = match.play(choices.best)

    """
    match = asked(match)
    if not match.legal:
        raise nothing_to_choose(match)
    coach = solved(match)
    found = PositionAdvice(match.kit.words, coach, match.state, coach.advise(match.state))
    spoken, data = found.spoken(ENGLISH), found.data()
    ranked = tuple(
        RankedAction(row["action"], spoken.act(match.state, choice), row["value"], row["lost"], row["verdict"])
        for row, choice in zip(data["actions"], found.advice.choices, strict=True)
    )
    return Choices(ranked, data["utility"], data["bound"])


def odds(match: MatchInPlay | str) -> Odds:
    """Work out the exact value of a match to each player, if every player plays best from here on.

    Args:
        match: A match at any point. The name of a game stands for its usual match. Most games are solved for up to six
            players, Mexico for fewer.

    Returns:
        The values by player name, with their unit and error bound.

    Raises:
        BadNotation: If the argument is neither a match nor the name of a game.
        Unsolved: If the match is too large to solve, or its game has no solver.

    Examples:
        >>> import pubdice
        >>> print(pubdice.odds("420"))
        Red: 0.5270; Blue: 0.4730 (chance of winning)

    """
    match = asked(match)
    solver = solved(match).solver
    values = [as_counted(solver.utility, float(value)) for value in solver.values(match.state)]
    return Odds(dict(zip(match.names, values, strict=True)), solver.utility, solver.bound)


def review(match: MatchInPlay) -> Review:
    """Grade every decision of a match, weigh every roll, and split each player's result into luck and skill.

    The match may be over or in play. Values are counted as ``advise`` and ``odds`` count them.

    Args:
        match: The match with its moves so far.

    Returns:
        The graded decisions, the worst one, the luckiest roll, and a split for each seat. In a split, ``expectation +
        luck + skill + given = result``. ``given`` is the effect of the other players' decisions.

    Raises:
        BadNotation: If the argument is not a match.
        Unsolved: If the match is too large to solve, or its game has no solver.

    Examples:
        >>> import pubdice
        >>> match = pubdice.new_match("midnight", seats="Ann, Bob", format="rounds 1").roll(3, 4, 4, 5, 1, 2)
        >>> found = pubdice.review(match.keep(1, 4))
        >>> found.worst.chosen.verdict, round(found.splits[0].skill, 2)  # it cost Ann 4% of the match
        ('mistake', -0.04)

    """
    match = asked(match)
    found = counted(reviewed(solved(match), match.steps()))
    return replace(found, names=match.names, write=match.rules.game.write_action)


def solve_round(match: MatchInPlay | str) -> "SolvedRound":
    """Solve every position of the round under way, as numpy arrays.

    The result counts the rest of the match after the round. numpy must be installed.

    Args:
        match: A match with a round under way. The name of a game stands for its usual match.

    Returns:
        The positions of the round with their values, and the best move at each decision.

    Raises:
        BadNotation: If the argument is neither a match nor the name of a game.
        IllegalAction: If no round is under way, or only a roll-off.
        Unsolved: If the match is too large to solve. The code is "no-table" if the round has more than 3,000,000
            positions (with three or more players, 600,000), and "ends-by-turn" if a turn can end the match inside a
            round.

    Examples:
        >>> import pubdice
        >>> match = pubdice.new_match("ship", seats="Ann, Bob", format="rounds 1")
        >>> solved = pubdice.solve_round(match)
        >>> solved.best(match.roll("66541"))
        'k456'

    """
    from pubdice.advice.solved_round import solve_positions  # noqa: PLC0415  numpy takes long to import

    match = asked(match)
    coach = solved(match)
    with explained(match.kit, match.rules.game):
        return solve_positions(coach, match.state, match.names)
