"""Goals of one turn (what a player aims for), as utilities over its score.

- ``score``: the score itself, to maximise its mean
- ``qualify``: 1 for any score that can win
- ``reach:N``: 1 for N or a score that is better by the rules. If the lowest score wins, that is N or less, and the moon
  at Threes.
- ``exactly:N``: 1 for N
- a name in ``TurnTaking.goals``, such as ``shut`` at Shut the Box: the same as ``reach`` with its score
- ``win``: the value of winning the round, see ``Win``
"""

from dataclasses import dataclass

from pubdice.core.dice import MOST_SCORE_DIGITS, whole_number
from pubdice.core.errors import BadNotation
from pubdice.solve.turns.turn_nodes import NumberRow, TurnNodes
from pubdice.solve.turns.win import TIES, Ties, win


@dataclass(frozen=True, slots=True)
class ToWin:
    """The situation of a seat before its turn, if it plays to win the round.

    ``best`` is the best score so far, or None if no score can win yet. ``holders`` is the number of seats that have it.
    ``to_come`` is the number of seats that play after this one.
    """

    best: int | None = None
    holders: int = 0
    to_come: int = 0
    ties: Ties = "share"

    @property
    def seats(self) -> int:
        """The number of seats that can still win: the holders, the mover, and the seats that play after it."""
        return self.holders + 1 + self.to_come


def read_goal(text: str, turn: TurnNodes) -> tuple[str, int]:
    """Read a goal: its kind and its number, or 0 if it has none. Raises BadNotation: "goal" or "goal-low"."""
    least, most = span(turn)
    kind, colon, number = text.strip().lower().partition(":")
    if kind in ("score", "qualify", "win") and not colon:
        return kind, 0
    if kind in turn.game.goals and not colon:
        return "reach", turn.game.goals[kind]
    score = whole_number(number, MOST_SCORE_DIGITS)
    if kind in ("reach", "exactly") and score is not None and least <= score <= most:
        return kind, score
    if not turn.game.lowest_wins:
        raise BadNotation("goal", found=text, least=least, most=most)
    named = ", ".join(["score", "win", *turn.game.goals])
    raise BadNotation("goal-low", found=text, least=least, most=most, goals=named)


def utility(goal: tuple[str, int], turn: TurnNodes, to_win: ToWin) -> NumberRow:
    """Return [scores] the utility that each score of a turn has for a goal."""
    kind, number = goal
    if kind == "score":
        mean: NumberRow = turn.mean
        return mean
    if kind == "win":
        table = win(turn.game, to_win.ties, to_win.seats)
        return table.to_beat(to_win.best, to_win.holders, to_win.to_come)
    return [float(rank > 0 and _reached(kind, number, score, turn)) for rank, score in enumerate(turn.scores)]


def _reached(kind: str, number: int, score: int, turn: TurnNodes) -> bool:
    if kind == "exactly":
        return score == number
    if kind == "reach":
        return turn.game.better(score) >= turn.game.better(number)
    return True


def span(turn: TurnNodes) -> tuple[int, int]:
    """Return the least and the greatest score that can win."""
    return min(turn.scores[1:]), max(turn.scores[1:])


def read_to_win(turn: TurnNodes, beat: int | None, holders: int | None, to_come: int, ties: str) -> ToWin:
    """Check the situation of a seat that plays to win, and return it. Raises BadNotation."""
    if ties not in TIES:
        raise BadNotation("option", found=ties, key="ties", choices=TIES)
    if beat == turn.game.scoreless:
        beat = None
    if beat is not None and (beat not in turn.scores or turn.game.wins_at_once(beat)):
        raise BadNotation("standing-score", found=beat, flag="to-beat")
    if holders is None:
        holders = 0 if beat is None else 1
    if bool(holders) != (beat is not None):
        raise BadNotation("holders", found=holders)
    if holders + 1 + to_come > turn.game.most_seats:
        raise BadNotation("seats", found=holders + 1 + to_come, least=1, most=turn.game.most_seats)
    return ToWin(beat, holders, to_come, TIES[TIES.index(ties)])
