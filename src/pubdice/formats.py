"""Match formats: what a round win is worth and when a match is over. Knows winners and numbers, no dice and no game."""

from dataclasses import dataclass
from typing import Protocol

from pubdice.game import BadNotation, Seat

OPENERS = ("rotate", "fixed", "winner", "loser")
MOST_ROUNDS = 20
MOST_POT_ROUNDS = 1_000
MOST_STAKE = 1_000_000


@dataclass(frozen=True, slots=True)
class Tally:
    """What a match has come to: rounds finished, each seat's points, chips in the pot, who has dropped out, in order.

    Points are round wins, or chips won and lost, or 1 for a seat that left as a winner, as the format has it.
    """

    rounds: int
    points: tuple[int, ...]
    pot: int = 0
    out: tuple[Seat, ...] = ()


class Format(Protocol):
    """How rounds make a match."""

    @property
    def openers(self) -> tuple[str, ...]:
        """The opener rules that go with it."""

    @property
    def drops_out(self) -> bool:
        """True if winners of a round leave the match."""

    def start(self, seats: int) -> Tally:
        """The tally before the first round."""

    def open(self, tally: Tally) -> Tally:
        """The tally as a round begins: stakes are paid here."""

    def settle(self, tally: Tally, winners: tuple[Seat, ...]) -> Tally:
        """The tally after a round with these winners, perhaps none."""

    def over(self, tally: Tally) -> bool:
        """True when no further round is played."""

    def champions(self, tally: Tally) -> tuple[Seat, ...]:
        """Who wins a match that is over with this tally; several share it."""

    def takings(self, tally: Tally) -> tuple[str, tuple[int, ...]]:
        """What each seat takes from a match into an evening's tally: of what ("" for nothing), and how much."""

    def write(self) -> str:
        """The format as notation."""


def _leaders(tally: Tally) -> tuple[Seat, ...]:
    best = max(tally.points)
    return tuple(Seat(seat) for seat, points in enumerate(tally.points) if points == best)


def _credit(tally: Tally, winners: tuple[Seat, ...]) -> Tally:
    points = tuple([have + (seat in winners) for seat, have in enumerate(tally.points)])
    return Tally(tally.rounds + 1, points, tally.pot, tally.out)


class _Unstaked:
    """What the formats played without chips have in common."""

    __slots__ = ()

    def takings(self, tally: Tally) -> tuple[str, tuple[int, ...]]:
        """Nothing but the match."""
        return "", ()

    def start(self, seats: int) -> Tally:
        """No round wins yet."""
        return Tally(0, (0,) * seats)

    def open(self, tally: Tally) -> Tally:
        """Nothing is staked."""
        return tally


@dataclass(frozen=True, slots=True)
class Rounds(_Unstaked):
    """A number of rounds, 1 to 20; a round win to every winner, tied ones too; most round wins take the match.

    Equal leaders share it, at 0 wins each too (PlayPalace, "Winning a Round", "Winning the Game").
    """

    number: int = 5
    openers = OPENERS
    drops_out = False

    def takings(self, tally: Tally) -> tuple[str, tuple[int, ...]]:
        """Round wins."""
        return "rounds", tally.points

    def settle(self, tally: Tally, winners: tuple[Seat, ...]) -> Tally:
        """A round win to each winner."""
        return _credit(tally, winners)

    def over(self, tally: Tally) -> bool:
        """After the chosen number of rounds."""
        return tally.rounds >= self.number

    def champions(self, tally: Tally) -> tuple[Seat, ...]:
        """Everyone with the most round wins."""
        return _leaders(tally)

    def write(self) -> str:
        """``rounds 5``."""
        return f"rounds {self.number}"


@dataclass(frozen=True, slots=True)
class Pot:
    """Every seat stakes chips each round; a sole winner takes the pot; a tie, or nobody, carries it.

    That a tie carries the stakes on is the encyclopedia's rule ("Rules"). It does not say when to
    stop: here, once ``rounds`` are played and the pot is not left hanging.
    """

    stake: int = 1
    rounds: int = 5
    openers = OPENERS
    drops_out = False

    def takings(self, tally: Tally) -> tuple[str, tuple[int, ...]]:
        """Chips, won and lost."""
        return "chips", tally.points

    def start(self, seats: int) -> Tally:
        """Nobody is up or down."""
        return Tally(0, (0,) * seats)

    def open(self, tally: Tally) -> Tally:
        """Every seat pays its stake into the pot."""
        points = tuple(have - self.stake for have in tally.points)
        return Tally(tally.rounds, points, tally.pot + self.stake * len(points), tally.out)

    def settle(self, tally: Tally, winners: tuple[Seat, ...]) -> Tally:
        """A sole winner takes the pot; otherwise it stays for the next round."""
        if len(winners) != 1:
            return Tally(tally.rounds + 1, tally.points, tally.pot, tally.out)
        points = tuple(have + tally.pot * (seat == winners[0]) for seat, have in enumerate(tally.points))
        return Tally(tally.rounds + 1, points, 0, tally.out)

    def over(self, tally: Tally) -> bool:
        """Once the rounds are played and somebody has taken the pot."""
        return tally.rounds >= self.rounds and tally.pot == 0

    def champions(self, tally: Tally) -> tuple[Seat, ...]:
        """Everyone with the most chips."""
        return _leaders(tally)

    def write(self) -> str:
        """``pot 1 rounds 5``."""
        return f"pot {self.stake} rounds {self.rounds}"


@dataclass(frozen=True, slots=True)
class Race(_Unstaked):
    """One round decides (Steere, "Object of the game")."""

    openers = ("rotate",)
    drops_out = False

    def settle(self, tally: Tally, winners: tuple[Seat, ...]) -> Tally:
        """The winner of the round has won."""
        return _credit(tally, winners)

    def over(self, tally: Tally) -> bool:
        """After one round."""
        return tally.rounds >= 1

    def champions(self, tally: Tally) -> tuple[Seat, ...]:
        """The winner of the round."""
        return _leaders(tally)

    def write(self) -> str:
        """``race``."""
        return "race"


@dataclass(frozen=True, slots=True)
class Drinks(_Unstaked):
    """Each round's winner drops out; the last one left is the buyer (Steere, "Multiplayer 420")."""

    openers = ("rotate",)
    drops_out = True

    def takings(self, tally: Tally) -> tuple[str, tuple[int, ...]]:
        """A round of drinks, for the buyer."""
        buys = buyer(tally)
        return "drinks", tuple([int(seat == buys) for seat in range(len(tally.points))])

    def settle(self, tally: Tally, winners: tuple[Seat, ...]) -> Tally:
        """The winners leave the table."""
        credited = _credit(tally, winners)
        return Tally(credited.rounds, credited.points, tally.pot, tally.out + winners)

    def over(self, tally: Tally) -> bool:
        """When one seat is left, or none."""
        return len(tally.out) >= len(tally.points) - 1

    def champions(self, tally: Tally) -> tuple[Seat, ...]:
        """Everyone who does not buy."""
        return tuple(sorted(tally.out))

    def write(self) -> str:
        """``drinks``."""
        return "drinks"


def buyer(tally: Tally) -> Seat | None:
    """The last seat left once all others are out."""
    left = [seat for seat in range(len(tally.points)) if seat not in tally.out]
    return Seat(left[0]) if tally.out and len(left) == 1 else None


def _number(words: list[str], at: int, least: int, most: int, default: int) -> int:
    if at >= len(words):
        return default
    text = words[at]
    if not (text.isascii() and text.isdigit()) or len(text) > 9 or not least <= int(text) <= most:
        raise BadNotation("format-number", found=text, least=least, most=most)
    return int(text)


def read_format(text: str) -> Format:
    """The format a piece of notation names; words may be parted by spaces or colons, numbers may be left out.

    ``rounds N`` (1 to 20), ``pot STAKE rounds N`` or ``pot STAKE N``, ``race``, ``drinks``. Raises BadNotation.

    >>> read_format("rounds:5"), read_format("pot 2 rounds 3"), read_format("pot 2 rounds")
    (Rounds(number=5), Pot(stake=2, rounds=3), Pot(stake=2, rounds=5))
    """
    words = text.replace(":", " ").split()
    kind, numbers = words[0] if words else "", words[1:]
    if kind == "pot" and "rounds" in numbers[:2]:
        at = numbers.index("rounds")
        numbers = [*(numbers[:at] or ["1"]), *numbers[at + 1 :]]
    if kind not in ("rounds", "pot", "race", "drinks"):
        raise BadNotation("format", found=text)
    if len(numbers) > {"rounds": 1, "pot": 2}.get(kind, 0):
        raise BadNotation("format-words", found=text)
    if kind == "rounds":
        return Rounds(_number(numbers, 0, 1, MOST_ROUNDS, 5))
    if kind == "pot":
        return Pot(_number(numbers, 0, 1, MOST_STAKE, 1), _number(numbers, 1, 1, MOST_POT_ROUNDS, 5))
    return Race() if kind == "race" else Drinks()
