"""The exact answer to a match in play: what every choice is worth, what every player is worth, what a match was."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from pubdice.advice.coach import Coach, Verdict
from pubdice.advice.review import Review, counted
from pubdice.advice.review import review as reviewed
from pubdice.core.errors import IllegalAction, Unsolved
from pubdice.games import GAMES
from pubdice.library.match_in_play import ENGLISH, MatchInPlay, told
from pubdice.match.match import Match
from pubdice.solve.solver import as_counted


@dataclass(frozen=True, slots=True)
class RankedAction:
    """An action, as notation and in words, with what it is worth to the player and what is lost by it.

    value is in the unit of ``Choices.utility``: a share of the match (0 to 1), round wins, chips or points.
    """

    action: str
    words: str
    value: float
    lost: float
    verdict: Verdict


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


@dataclass(frozen=True, slots=True)
class Odds:
    """What the match is worth to every player from here on if everybody plays best, by name.

    utility: what that is, such as "share of the match". No value is off by more than ``bound``.
    """

    values: dict[str, float]
    utility: str
    bound: float

    def __str__(self) -> str:
        return "; ".join(f"{name}: {value:.4f}" for name, value in self.values.items()) + f" ({self.utility})"


@lru_cache(maxsize=8)  # a solved match is up to a gigabyte
def _coach(game: str, rules: Match[Any, Any]) -> Coach:
    kit = GAMES[game]
    if kit.solver is None:
        raise Unsolved("no-solver", title=kit.words.title)
    return Coach(kit.solver(rules), rules)


def _solved(match: MatchInPlay) -> Coach:
    with told(match.kit, match.rules.game):
        return _coach(match.kit.name, match.rules)


def advise(match: MatchInPlay) -> Choices:
    """What every choice is worth here. Raises IllegalAction where there is nothing to choose, and Unsolved."""
    if not match.legal:
        error = IllegalAction("no-choice", state=match.state)
        error.told = "The match is over." if match.over else f"There is nothing to choose now. {match}"
        raise error
    coach = _solved(match)
    game, write, words = match.rules.game, match.rules.game.write_action, match.kit.words
    ranked = tuple(
        RankedAction(
            write(choice.action),
            words.choice(ENGLISH, game, match.state.round, choice.action),
            as_counted(coach.solver.utility, float(choice.value)),
            float(choice.lost),
            choice.verdict,
        )
        for choice in coach.advise(match.state).choices
    )
    return Choices(ranked, coach.solver.utility, coach.solver.bound)


def odds(match: MatchInPlay) -> Odds:
    """What the match is worth to every player, at any point of it. Raises Unsolved."""
    solver = _solved(match).solver
    values = [as_counted(solver.utility, float(value)) for value in solver.values(match.state)]
    return Odds(dict(zip(match.names, values, strict=True)), solver.utility, solver.bound)


def review(match: MatchInPlay) -> Review:
    """Every decision graded, every roll weighed, and the result split into luck and skill. Raises Unsolved.

    Values are told as the game counts them, as those of ``advise`` and ``odds`` are.
    """
    return counted(reviewed(_solved(match), match.steps()))
