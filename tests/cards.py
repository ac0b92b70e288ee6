"""The printed lines of a card, read back as a policy from their words alone. Nothing here knows how they were made.

Lines are read from the top. At Midnight each adds dice to those kept, the lines for the last to roll go before all
others, and what no line settles is any one die by chance. At 420 the first line that keeps dice decides, at Ship and
Mexico the first that fits, but that lines which hold a die add to each other, and one that only forbids to stop leaves
the rest to those after it; what none settles is any legal keep by chance. At Shut the Box each line
chooses among what those before it leave.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from pubdice.core.game import Game, Keep, Policy
from pubdice.core.game import RoundState as TurnState
from pubdice.games.fourtwenty.rules import RoundState as FourTwentyState
from pubdice.games.mexico.rules import MexicoRound
from pubdice.games.shutbox.rules import BoxRound
from pubdice.games.threes.rules import Threes as ThreesRules

LINE = re.compile(
    r"\d\. (?P<text>.+[.]) Ignored: (?P<cost>[0-9.]+) ?(?P<unit>points|% of the round|% of the race) lost\."
)
Weighted = tuple[tuple[Keep, int], ...]


@dataclass(frozen=True)
class Printed:
    """A line as printed: what to do, and what ignoring it costs, as the figure's text and its unit."""

    text: str
    cost: str
    unit: str


def printed(told: Iterable[str]) -> list[Printed]:
    """The numbered lines that name a cost, in their order."""
    return [Printed(match["text"], match["cost"], match["unit"]) for line in told if (match := LINE.fullmatch(line))]


class Reading:
    """One roll at Midnight while the lines are read: what is locked and kept, what is left, how many may be kept."""

    def __init__(self, need: Sequence[int], locked: Sequence[int], free: Sequence[int]) -> None:
        self.need, self.locked = need, tuple(locked)
        self.kept: list[int] = []
        self.left = list(free)
        self.most = len(free)

    def have(self, face: int) -> bool:
        return face in self.locked or face in self.kept

    def keep(self, face: int, times: int) -> None:
        for _ in range(min(times, self.most - len(self.kept))):
            self.left.remove(face)
            self.kept.append(face)

    def take(self, *faces: str) -> None:
        for face in map(int, faces):
            if not self.have(face) and face in self.left:
                self.keep(face, 1)

    def one(self) -> None:
        if not all(map(self.have, self.need)):
            self.most = 1

    def every(self, face: str, leaving: str = "6") -> None:
        times = min(self.left.count(int(face)), self.most - len(self.kept))
        if len(self.left) - times <= int(leaving):
            self.keep(int(face), times)

    def highest(self) -> None:
        if not self.kept:
            self.keep(max(self.left), 1)

    def only(self, face: str) -> None:
        if self.left == [int(face)]:
            self.keep(int(face), 1)


TURN: dict[str, Callable[..., None]] = {
    r"A (\d) or (\d) you lack: keep it when it falls\.": Reading.take,
    r"Until you have both, keep just one die a roll\.": Reading.one,
    r"Keep every (\d)\.": Reading.every,
    r"Keep every (\d) if that leaves at most (\d) (?:die|dice) to roll\.": Reading.every,
    r"Nothing kept so far: keep your highest die\.": Reading.highest,
    r"A (\d) that is the only die left: keep it, too\.": Reading.only,
}
ALL = "Last to roll: keep all once that beats the leader."
SIX = r"Last, the leader has (\d+)\+, (\d)\+ dice: one 6, no more\."


class Midnight:
    """The policy that Midnight's lines say, for a pair of needed faces."""

    def __init__(self, need: Sequence[int], lines: Iterable[str]) -> None:
        self.need = need
        self.keep_all, self.six = False, (99, 9)
        self.steps: list[tuple[Callable[..., None], tuple[str, ...]]] = []
        for line in lines:
            six = re.fullmatch(SIX, line)
            if line == ALL:
                self.keep_all = True
            elif six:
                self.six = int(six[1]), int(six[2])
            else:
                self.steps.append(_found(line))
        self._known: dict[tuple[Sequence[int], Sequence[int]], list[tuple[int, ...]]] = {}

    def score(self, dice: Sequence[int]) -> int:
        return sum(dice) - sum(self.need) if set(self.need) <= set(dice) else 0

    def keeps(self, locked: Sequence[int], free: Sequence[int], beat: int | None) -> list[tuple[int, ...]]:
        """What is kept: one choice, or several of which chance picks one."""
        if beat is not None:
            ahead = self.score((*locked, *free)) > beat
            if ahead and self.keep_all:
                return [tuple(free)]
            if not ahead and beat >= self.six[0] and len(free) >= self.six[1] and 6 in free:
                return [(6,)]
        found = self._known.get((locked, free))
        if found is None:
            reading = Reading(self.need, locked, free)
            for step, words in self.steps:
                step(reading, *words)
            found = [tuple(sorted(reading.kept))] if reading.kept else [(face,) for face in free]
            self._known[locked, free] = found
        return found

    def against(self, beat: int | None) -> Policy[TurnState, Keep]:
        """As a policy of the solver; ``beat`` is the leader's score, for the last to roll."""

        def policy(game: Game[TurnState, Keep], state: TurnState) -> Weighted:
            return tuple((Keep(kept), 1) for kept in self.keeps(state.locked, state.free, beat))

        return policy


def _found(line: str) -> tuple[Callable[..., None], tuple[str, ...]]:
    for pattern, step in TURN.items():
        match = re.fullmatch(pattern, line)
        if match:
            return step, match.groups()
    raise AssertionError(f"no reader for: {line}")


class FourTwenty:
    """The policy that 420's lines say; where none speaks, or over 20, all four dice are rerolled."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.lines = list(lines)

    def __call__(self, game: Game[FourTwentyState, Keep], state: FourTwentyState) -> Weighted:
        return ((Keep(self.keeps(state.hands[state.mover])), 1),)

    def keeps(self, hand: Sequence[int]) -> tuple[int, ...]:
        if sum(hand) <= 20:
            for line in self.lines:
                kept = self._kept(line, sorted(hand))
                if kept:
                    return kept
        return ()

    @staticmethod
    def _kept(line: str, hand: list[int]) -> tuple[int, ...]:
        if three := re.fullmatch(r"Three dice make (\d+)(?: or else (\d+))?: keep those three\.", line):
            for total in three.groups():
                for dice in combinations(hand, 3):
                    if total and sum(dice) == int(total):
                        return dice
            return ()
        if two := re.fullmatch(r"Otherwise two make (\d+) or more: keep your highest two\.", line):
            return tuple(hand[-2:]) if sum(hand[-2:]) >= int(two[1]) else ()
        if one := re.fullmatch(r"Otherwise keep one (\d), or else one (\d)\.", line):
            return next(((face,) for face in map(int, one.groups()) if face in hand), ())
        raise AssertionError(f"no reader for: {line}")


class Ship:
    """The policy that Ship's lines say."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.lines = list(lines)
        for line in self.lines:
            assert any(re.fullmatch(pattern, line) for pattern in SHIP), f"no reader for: {line}"

    def __call__(self, game: Game[TurnState, Keep], state: TurnState) -> Weighted:
        legal = game.legal(state)
        cargo = sorted((*state.locked, *state.free))
        if len(legal) > 1:
            for face in (6, 5, 4):
                cargo.remove(face)
        cargo_kept = self.keeps(cargo, 3 - state.rolls, _to_beat(state)) if len(legal) > 1 else None
        if cargo_kept is None:
            return tuple((keep, 1) for keep in legal)
        rerolled = list(state.free)
        for face in cargo:
            rerolled.remove(face)
        return ((Keep(tuple(sorted((*rerolled, *cargo_kept)))), 1),)

    def keeps(self, cargo: list[int], left: int, beat: int | None) -> list[int] | None:
        """The cargo dice kept; None where no line speaks. beat: the leader's cargo, for the last to roll."""
        held: list[int] = []
        lower = False
        for line in self.lines:
            if line == "Last to roll: stop as soon as you lead." and beat is not None and sum(cargo) > beat:
                return cargo
            if line == "Last and behind: roll again." and beat is not None and sum(cargo) < beat:
                return []
            if line == "Last and behind: roll your lower die at least." and beat is not None:
                lower = sum(cargo) < beat
            stop = re.fullmatch(r"(One roll left: s|S)top with (\d+) or more\.", line)
            if stop and sum(cargo) >= int(stop[2]) and (stop[1] == "S" or left == 1):
                return cargo
            if hold := re.fullmatch(r"Hold a (\d) and a (\d), roll the rest\.", line):
                held += [face for face in cargo if face in map(int, hold.groups())]
            if hold := re.fullmatch(r"One roll left: hold a (\d), too\.", line):
                held += [face for face in cargo if face == int(hold[1]) and left == 1]
            if line.endswith("roll your cargo again.") or (line.endswith("roll both cargo dice.") and not held):
                return []
        if lower and len(held) == len(cargo):
            held.remove(min(held))
        return held or None


SHIP = (
    r"Last to roll: stop as soon as you lead\.",
    r"Last and behind: roll (again|your lower die at least)\.",
    r"(Stop|One roll left: stop) with \d+ or more\.",
    r"Otherwise roll your cargo again\.",
    r"Hold a \d and a \d, roll the rest\.",
    r"One roll left: hold a \d, too\.",
    r"Nothing to hold: roll both cargo dice\.",
)


class Threes:
    """The policy that Threes's lines say; what none settles is any one die by chance."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.lines = list(lines)
        for line in self.lines:
            assert any(re.fullmatch(pattern, line) for pattern in THREES), f"no reader for: {line}"

    def __call__(self, game: Game[TurnState, Keep], state: TurnState) -> Weighted:
        last = bool(state.scores) and len(state.scores) == state.seats - 1
        ahead = min(state.scores) - _low((*state.locked, *state.free)) if last else 0
        if last and _is_moon(game, state):
            ahead = 99  # "five sixes win the round at once": they beat the leader, whatever it has
        kept = self.keeps(list(state.free), ahead)
        return ((Keep(tuple(sorted(kept))), 1),) if kept else tuple((Keep((face,)), 1) for face in state.free)

    def keeps(self, free: list[int], ahead: int) -> list[int]:
        """What is kept; ahead: by how much all dice would beat the leader, for the last to roll."""
        kept: list[int] = []
        lowest = min(free, key=lambda face: _low([face]))
        for line in self.lines:
            number = int(found[-1]) if (found := re.findall(r"\d+", line)) else 0
            if line.startswith("Last to roll") and ahead > 0:
                return free
            if line.startswith("Last and behind") and ahead < 0:
                return [face for face in free if face == 3] or [lowest]
            if line.startswith("Only") and max(free) <= 3 and _low(free) <= number:
                return free
            if line.startswith("Keep every"):
                kept += [face for face in free if face == number]
            if line.startswith("No ") and number not in free:
                kept.append(lowest)
            if line.startswith("At most"):
                rest = list(free)
                for face in kept:
                    rest.remove(face)
                kept += [1] * rest.count(1) if len(rest) <= int(found[0]) else []
        return kept


THREES = (
    r"Last to roll: keep all once that beats the leader\.",
    r"Last and behind: keep just your 3s, or else your lowest die\.",
    r"Only 1s, 2s and 3s that come to \d+ or less: keep them all\.",
    r"Keep every \d\.",
    r"No \d: keep your lowest die\.",
    r"At most \d dice left after that: keep every 1, too\.",
)


def _is_moon(game: Game[TurnState, Keep], state: TurnState) -> bool:
    """All dice are sixes, and the page of rules says that they win: always, or as they fell on the first roll."""
    assert isinstance(game, ThreesRules)
    return {*state.locked, *state.free} == {6} and (game.moon == "yes" or (game.moon == "first" and not state.locked))


def _low(dice: Sequence[int]) -> int:
    """What dice count at Threes."""
    return sum(face for face in dice if face != 3)


class Mexico:
    """The policy that Mexico's lines say."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.lines = list(lines)
        for line in self.lines:
            assert any(re.fullmatch(pattern, line) for pattern in MEXICO), f"no reader for: {line}"

    def __call__(self, game: Game[MexicoRound, Keep], state: MexicoRound) -> Weighted:
        open_, beat = list(game.legal(state)), _to_beat(state)
        have = _mexico(state.free)
        for line in self.lines if len(open_) > 1 else ():
            number = int(found[0]) if (found := re.findall(r"\d\d+", line)) else 0
            rolls_left = state.limit - state.rolls
            stops = number and have >= number and Keep(state.free) in open_
            if (
                (line.startswith("Last to roll") and beat is not None and have > beat)
                or (line.startswith("Stop with") and stops)
                or (line.startswith("First") and stops and not state.scores and rolls_left == 2)
            ):
                return ((Keep(state.free), 1),)
            if line.startswith("Last and behind") and beat is not None and have < beat:
                open_.remove(Keep(state.free))
            if (line.startswith("Last, less") and beat is not None and beat < number) or line.startswith("Otherwise"):
                return ((Keep(()), 1),)
            single = [keep for keep in open_ if len(keep.dice) == 1]
            if line.startswith("Hold") and single:
                return ((single[0], 1),)
        return tuple((keep, 1) for keep in open_)


MEXICO = (
    r"Last to roll: stop as soon as you lead\.",
    r"Last and behind: roll again\.",
    r"Stop with \d+ or more\.",
    r"First to roll, two rolls left: stop with \d+ or more\.",
    r"Last, less than \d+ to beat: roll both\.",
    r"Hold a 1 or a 2 if you may, roll the other die\.",
    r"Otherwise roll both again\.",
)


def _mexico(hand: Sequence[int]) -> int:
    """What two dice count, as the page of rules says: the higher digit first, doubles above, Mexico on top."""
    low, high = hand
    return 1000 if (low, high) == (1, 2) else 100 * low if low == high else 10 * high + low


def _to_beat(state: TurnState | MexicoRound) -> int | None:
    """The best score so far, where the highest wins; None unless the mover is the last of several."""
    return max(state.scores) if state.scores and len(state.scores) == state.seats - 1 else None


class ShutTheBox:
    """The lines of Shut the Box: each leaves some of the moves that the lines before it left."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines

    def __call__(self, game: Game[Any, Any], state: BoxRound) -> tuple[tuple[str, int], ...]:
        left = list(game.legal(state))
        tiles = {move: [int(tile) for tile in move[1:]] for move in left if move[0] == "s"}
        for line in self._lines:
            if line == "Shut as few tiles as you can.":
                left = _least(left, {move: len(shut) for move, shut in tiles.items()})
            elif line == "Of several ways, shut the highest tile.":
                left = _least(left, {move: -max(shut) for move, shut in tiles.items()})
            else:
                said = re.fullmatch(r"One die if the tiles that are up make (\d+) or less, else two\.", line)
                assert said, line
                if not tiles:
                    left = ["one" if sum(state.up) <= int(said[1]) else "two"]
        return tuple([(move, 1) for move in left])


def _least(moves: list[str], counts: dict[str, int]) -> list[str]:
    """The moves with the least count; all where nothing is counted."""
    least = min([counts[move] for move in moves], default=0) if counts else None
    return [move for move in moves if counts.get(move) == least]
