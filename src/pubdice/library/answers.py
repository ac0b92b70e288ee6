"""Exact answers to a match in play: the value of every choice, the value of the match to every player, and a review."""

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
from pubdice.library.match_in_play import MatchInPlay, RankedAction, new_match
from pubdice.library.picture import ENGLISH, explained


@dataclass(frozen=True, slots=True)
class Choices:
    """Every legal action at a decision, best first. No value is off by more than ``bound``."""

    ranked: tuple[RankedAction, ...]
    utility: str
    bound: float

    @property
    def best(self) -> RankedAction:
        """The first of the best."""
        return self.ranked[0]

    def __str__(self) -> str:
        return "\n".join(f"{each.words}: {each.value:.4f}, {each.verdict}" for each in self.ranked)

    def to_dict(self) -> dict[str, Any]:
        """The same as plain data, such as ``json`` and data frames take."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Odds:
    """The value of the match to every player from here on if everybody plays best, by name.

    utility: its meaning, such as "share of the match". No value is off by more than ``bound``.
    """

    values: dict[str, float]
    utility: str
    bound: float

    def __str__(self) -> str:
        return "; ".join(f"{name}: {value:.4f}" for name, value in self.values.items()) + f" ({self.utility})"

    def __getitem__(self, name: str) -> float:
        """A player's value, by any spelling of the name. Raises BadNotation("seat")."""
        seat = find_name(str(name), tuple(self.values))
        if seat is None:
            with explained():
                raise BadNotation("seat", found=str(name), names=tuple(self.values))
        return tuple(self.values.values())[seat]

    def to_dict(self) -> dict[str, Any]:
        """The same as plain data, such as ``json`` and data frames take."""
        return asdict(self)


@lru_cache(maxsize=8)  # a solved match is up to a gigabyte
def _coach(game: str, rules: Match[Any, Any]) -> Coach:
    kit = GAMES[game]
    if kit.solver is None:
        raise Unsolved("no-solver", title=kit.words.title)
    return Coach(kit.solver(rules), rules)


def solved(match: MatchInPlay) -> Coach:
    """The coach of a match. Raises Unsolved."""
    with explained(match.kit, match.rules.game):
        return _coach(match.kit.name, match.rules)


def asked(match: object) -> MatchInPlay:
    """The match that is meant: itself, or the usual one of the game of that name. Raises BadNotation."""
    if isinstance(match, MatchInPlay):
        return match
    if isinstance(match, str):
        return new_match(match)
    with explained():
        raise BadNotation("no-match", found=repr(match))


def nothing_to_choose(match: MatchInPlay) -> IllegalAction:
    """The refusal where no choice is due."""
    error = IllegalAction("no-choice", state=match.state)
    error.sentence = "The match is over." if match.over else f"There is nothing to choose now. {match}"
    return error


def advise(match: MatchInPlay | str) -> Choices:
    """The value of every choice here. Raises IllegalAction where there is nothing to choose, and Unsolved."""
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
    """The value of the match, or of a game as it usually begins, to every player. Raises Unsolved."""
    match = asked(match)
    solver = solved(match).solver
    values = [as_counted(solver.utility, float(value)) for value in solver.values(match.state)]
    return Odds(dict(zip(match.names, values, strict=True)), solver.utility, solver.bound)


def review(match: MatchInPlay) -> Review:
    """Every decision graded, every roll weighed, and the result split into luck and skill. Raises Unsolved.

    Values are told as the game counts them, as those of ``advise`` and ``odds`` are.
    """
    match = asked(match)
    found = counted(reviewed(solved(match), match.steps()))
    return replace(found, names=match.names, write=match.rules.game.write_action)


def solve_round(match: MatchInPlay | str) -> "SolvedRound":
    """Every position of the round under way, with its values and the best move, as arrays of numpy.

    Raises Unsolved where there are too many positions to list, and IllegalAction where no round is under way.
    """
    from pubdice.advice.solved_round import solve_positions  # noqa: PLC0415  numpy, for which nobody else need wait

    match = asked(match)
    coach = solved(match)
    with explained(match.kit, match.rules.game):
        return solve_positions(coach, match.state, match.names)
