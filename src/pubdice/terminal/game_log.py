"""A game of the terminal as text: a room's log, whose first line also holds the terminal's own settings.

Version 1 knew no people, and its lines no time. It is read as the log of a room in which these people sat down, and
goes on as it began. Decides nothing, stores nothing.
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
"""The person of the log: everybody at this terminal, who share it as people share a phone."""
OWN = "terminal"
"""The key of the first line under which stands what the room does not know."""
UNTIMED = 1
"""The version whose lines have no time."""


@dataclass(frozen=True, slots=True)
class GameLog:
    """A game as text: its setup, the facts that only the terminal knows, and the lines that a room's log has after the
    first.

    seed: of dice and bots. choose: the habit of naming the dice to keep or to reroll. added: the number of the first
    texts that the file does not have, as it is of version 1.
    """

    setup: Setup
    seed: str | None = None
    keys: Keys = "face"
    choose: Names = "keep"
    texts: tuple[str, ...] = ()
    added: int = 0

    @property
    def person(self) -> str | None:
        """The person who types: the people here; None, the table itself, if bots play alone."""
        return LOCAL if any(chair.people for chair in self.setup.expected) else None

    def write(self) -> list[str]:
        """All lines of a file of this version."""
        own = {"seed": self.seed, "keys": self.keys, **({"choose": self.choose} if self.choose != "keep" else {})}
        return [write_setup(self.setup, **{OWN: own}), *self.texts]

    def seen(self, seq: int) -> int:
        """The number of lines of the file after this many events."""
        return 1 + seq - self.added

    def lines(self, steps: Sequence[Step]) -> list[str]:
        """Steps as lines of this file."""
        texts = [step.write() for step in steps]
        return [text.partition(" ")[2] for text in texts] if self.added else texts


def local_setup(header: Header, bots: Mapping[str, str], dice: Dice, opened: int) -> Setup:
    """The room of a terminal: people and bots (policies by name) as the header seats them. opened: in ms since 1970.

    Bots wait as long as each sitting says (``--pause``), so their pace is 0. Nobody is lost here: any grace time does.
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
    """The lines by which the people here sit down and the match begins, before there were times."""
    seats = [seat for seat, chair in enumerate(setup.expected) if chair.people]
    events = [(Shared if at else Sat)(seat, LOCAL, setup.expected[seat].name) for at, seat in enumerate(seats)]
    return [write_line(None, LogLine(0, event)) for event in (*events, Started())]


def read_log(lines: Sequence[str]) -> GameLog:
    """A game out of its lines. Raises BadNotation("event") if the first one is of no game."""
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
    """The setup of such a game, which had a record's header, and the bots by name. Raises ValueError and others."""
    header, bots = Header(facts["header"]), facts["bots"]
    if not bots.keys() <= set(header.names):
        raise ValueError("a bot without a seat")
    return replace(local_setup(header, bots, facts["dice"], 0), loser_lost=False)
