"""The file of a game in the terminal: a room's log, with the terminal's own settings in its first line.

Version 1 had no people and no times. The parser adds lines in which the people sit down, and gives each line time 0.
The file then goes on in its own version. This module neither decides nor stores.
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
"""The person of everyone at this terminal. They share it as people share a phone."""
OWN = "terminal"
"""The key of the terminal's own settings in the first line."""
UNTIMED = 1
"""The version without times."""


@dataclass(frozen=True, slots=True)
class GameLog:
    """A game as text: its setup, the terminal's settings, and the lines of a room's log after the first.

    ``seed`` is of dice and bots; None means real randomness. ``choose`` says which dice the player names. ``added``
    counts the leading texts that a file of version 1 lacks; 0 for the current version.
    """

    setup: Setup
    seed: str | None = None
    keys: Keys = "face"
    choose: Names = "keep"
    texts: tuple[str, ...] = ()
    added: int = 0

    @property
    def person(self) -> str | None:
        """The person who types: LOCAL, or None if bots play alone and the table itself acts."""
        return LOCAL if any(chair.people for chair in self.setup.expected) else None

    def write(self) -> list[str]:
        """All lines of a file of the current version."""
        own = {"seed": self.seed, "keys": self.keys, **({"choose": self.choose} if self.choose != "keep" else {})}
        return [write_setup(self.setup, **{OWN: own}), *self.texts]

    def seen(self, seq: int) -> int:
        """The number of lines in the file after ``seq`` events."""
        return 1 + seq - self.added

    def lines(self, steps: Sequence[Step]) -> list[str]:
        """Write steps as lines in the file's own version."""
        texts = [step.write() for step in steps]
        return [text.partition(" ")[2] for text in texts] if self.added else texts


def local_setup(header: Header, bots: Mapping[str, str], dice: Dice, opened: int) -> Setup:
    """The setup of a terminal's room, with people and bots (policies by name) in the header's seats.

    ``opened`` is in ms since 1970. The pace is 0 ms, since ``--pause`` sets it for each sitting. Nothing disconnects a
    person here, so the grace time has no effect.
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
    """The lines that a file of version 1 lacks: the people sit down, and the match begins."""
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
    """The setup of a version 1 file, from its record header and its bots by name. Raises ValueError and others."""
    header, bots = Header(facts["header"]), facts["bots"]
    if not bots.keys() <= set(header.names):
        raise ValueError("a bot without a seat")
    return replace(local_setup(header, bots, facts["dice"], 0), loser_lost=False)
