"""The solved races of a game with whatever solves them here: ``solutions`` where numpy is, else ``bare_race``."""

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

from pubdice.solve.hand_race.bare_race import BareRaces
from pubdice.solve.hand_race.seat import HandRace, one_seat
from pubdice.solve.numpy_there import numpy_there
from pubdice.solve.race.automaton import Automaton


class AnyRace(Protocol):
    """A solved race: values of every seat, the mover's first."""

    @property
    def automaton(self) -> Automaton:
        """What every seat is."""

    def value(self, stage: int, kinds: Sequence[int]) -> Any:
        """The value of each seat, the mover's first."""

    def after(self, stage: int, action: int, others: Sequence[int]) -> Any:
        """The same once the mover has taken an action and before its dice fall."""


class AnySolution(Protocol):
    """A race with the bound of its values, which counts those of later rounds too."""

    @property
    def race(self) -> AnyRace:
        """The race that was solved."""

    @property
    def bound(self) -> float:
        """No value is further off."""


class AnyRaces(Protocol):
    """What has been solved of one automaton."""

    def solved(self, seats: int, drinks: bool) -> AnySolution:
        """The race of so many seats, or the round of drinks. Raises BadNotation, or Unsolved("needs-house")."""

    def odds(self, seats: int, drinks: bool) -> tuple[tuple[float, ...], float, float]:
        """Each seat's chance of winning, or of buying, from Player 1 on; their bound; NashConv."""


@cache
def races(game: HandRace, folder: Path | None) -> AnyRaces:
    """The solved races of these rules, one set a process."""
    if not numpy_there():
        return BareRaces(one_seat(game).automaton, type(game).__name__)
    found: AnyRaces = import_module("pubdice.solve.hand_race.solutions").solutions(game, folder)
    return found
