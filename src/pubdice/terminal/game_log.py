"""The file of a saved game: a room's log, with the terminal's own settings in its first line.

A *room* is a table with its people. The house has the same logs (``pubdice.room``). Version 1 of the file had no people
and no times. The parser adds lines in which the people sit down, and gives each line the time 0. The file then goes on
in its own version. This module neither decides nor stores.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, get_args

from pubdice.core.errors import BadNotation
from pubdice.core.json_depth import shallow
from pubdice.match.header import Header
from pubdice.match.table import Dice
from pubdice.room import LogLine, Setup, Step, read_setup, write_line, write_setup
from pubdice.room.events import Sat, Shared, Started
from pubdice.room.setup import Expected
from pubdice.typed_dice import Keys, Names

LOCAL = "local"
"""The id of the person in the log. All people at this terminal are one person there, as if they shared a phone."""
OWN = "terminal"
"""The key of the terminal's own settings in the first line."""
UNTIMED = 1
"""The version of the file that has no times."""


@dataclass(frozen=True, slots=True)
class GameLog:
    """A saved game as text: its setup, the terminal's settings, and all lines of the log after the first.

    - ``seed``: the seed of dice and bots. None for true randomness.
    - ``keys`` and ``choose``: the way in which the player names dice.
    - ``added``: the number of lines at the start of ``texts`` that a file of version 1 lacks. 0 for the current
      version.
    """

    setup: Setup
    seed: str | None = None
    keys: Keys = "face"
    choose: Names = "keep"
    texts: tuple[str, ...] = ()
    added: int = 0

    @property
    def person(self) -> str | None:
        """The person who types: LOCAL. None if only bots play, because then no person acts."""
        return LOCAL if any(chair.people for chair in self.setup.expected) else None

    def write(self) -> list[str]:
        """Return all lines of the file, in the current version."""
        own = {"seed": self.seed, "keys": self.keys, **({"choose": self.choose} if self.choose != "keep" else {})}
        return [write_setup(self.setup, **{OWN: own}), *self.texts]

    def seen(self, seq: int) -> int:
        """Return the number of lines that the file has after ``seq`` events."""
        return 1 + seq - self.added

    def lines(self, steps: Sequence[Step]) -> list[str]:
        """Return steps as lines, in the version of the file."""
        texts = [step.write() for step in steps]
        return [text.partition(" ")[2] for text in texts] if self.added else texts


def local_setup(header: Header, bots: Mapping[str, str], dice: Dice, opened: int) -> Setup:
    """Return the setup of a saved game. The header names the seats, and ``bots`` has the policy of each bot by its
    name.

    ``opened`` is in ms since 1970. The pace of bots is 0 ms, because ``--pause`` sets it each time. No person can lose
    the connection here, so the grace time has no effect.
    """
    names, first = header.names, header.fields["first"]
    drawn = first == "draw"
    rules = {key: value for key, value in header.fields.items() if key != "seats" and (key != "first" or drawn)}
    return Setup(
        rules,
        len(names),
        LOCAL,
        opened,
        dice=dice,
        opens=0 if drawn else names.index(first),
        pace_ms=0,
        expected=tuple(Expected(name, () if name in bots else (LOCAL,), bots.get(name, "")) for name in names),
        moves_left=not drawn,
        loser_lost=True,
    )


def seated(setup: Setup) -> list[str]:
    """Return the lines that a file of version 1 lacks: the people sit down, and the match begins."""
    seats = [seat for seat, chair in enumerate(setup.expected) if chair.people]
    events = [(Shared if at else Sat)(seat, LOCAL, setup.expected[seat].name) for at, seat in enumerate(seats)]
    return [write_line(None, LogLine(0, event)) for event in (*events, Started())]


def read_log(lines: Sequence[str]) -> GameLog:
    """Read a game from its lines. Raises BadNotation("event") if the first line is invalid."""
    try:
        facts = json.loads(shallow(lines[0]))
        untimed = facts["pubdice"] == UNTIMED
        own = facts if untimed else facts.pop(OWN)
        seed, keys, choose = own["seed"], own["keys"], own.get("choose", "keep")
        setup = read_setup(write_setup(_of_version_1(facts)) if untimed else json.dumps(facts))
        sound = seed is None or (isinstance(seed, str) and seed.isprintable())
        sound = sound and keys in get_args(Keys) and choose in get_args(Names) and setup.host == LOCAL
    except (ValueError, KeyError, TypeError, AttributeError):
        sound = False
    if not sound:
        raise BadNotation("event", found=lines[0])
    added = seated(setup) if untimed else []
    texts = [f"0 {text}" for text in lines[1:]] if untimed else lines[1:]
    return GameLog(setup, seed, keys, choose, (*added, *texts), len(added))


def _of_version_1(facts: Mapping[str, Any]) -> Setup:
    """Return the setup from the first line of a version 1 file. Raises ValueError, and KeyError or others for a damaged
    line.
    """
    header, bots = Header(facts["header"]), facts["bots"]
    if not bots.keys() <= set(header.names):
        raise ValueError("a bot without a seat")
    return replace(local_setup(header, bots, facts["dice"], 0), loser_lost=False)
