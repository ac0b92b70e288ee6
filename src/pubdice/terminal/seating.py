"""Who sits at a table and how it is played: from the command line's words, and to and from a log's first line."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import get_args

from pubdice.game import BadNotation
from pubdice.kit import Kit
from pubdice.names import read_name
from pubdice.notation import Header
from pubdice.table import Dice
from pubdice.typed.marks import Keys
from pubdice.typed.rerolls import Names

VERSION = 1
BOT = "bot"
USUAL_SEATS = "you,bot"


@dataclass(frozen=True, slots=True)
class Setup:
    """A table before anybody rolls: its settled header, the bots by seat name, whose dice, the seed, the keys.

    choose: whether dice are named to be kept or to be rerolled.
    """

    header: Header
    bots: Mapping[str, str]
    dice: Dice = "house"
    seed: str | None = None
    keys: Keys = "face"
    choose: Names = "keep"

    def write(self) -> str:
        """The first line of the table's log."""
        fields = {"header": dict(self.header.fields), "bots": dict(self.bots), "dice": self.dice}
        sitting = {"seed": self.seed, "keys": self.keys, **({"choose": self.choose} if self.choose != "keep" else {})}
        return json.dumps({"pubdice": VERSION, **fields, **sitting}, ensure_ascii=False)


def read_setup(text: str) -> Setup:
    """The setup in a log's first line. Raises BadNotation("event") if it is none."""
    try:
        data = json.loads(text)
        header, bots, dice, seed, keys = (data[key] for key in ("header", "bots", "dice", "seed", "keys"))
        names = data.get("choose", "keep")
        sound = (
            data["pubdice"] == VERSION
            and all(isinstance(word, str) for pairs in (header, bots) for pair in pairs.items() for word in pair)
            and {"game", "seats", "format", "first"} <= header.keys()
            and dice in get_args(Dice)
            and keys in get_args(Keys)
            and names in get_args(Names)
            and (seed is None or isinstance(seed, str))
        )
    except (ValueError, KeyError, TypeError, AttributeError):
        sound = False
    if not sound:
        raise BadNotation("event", found=text)
    return Setup(Header(header), bots, dice, seed, keys, names)


def read_seats(text: str, kit: Kit) -> tuple[tuple[str, ...], dict[str, str]]:
    """The names of the seats and the bots among them, by name.

    ``you,Ann,bot``: a name is a person; ``bot`` is the game's usual bot, ``bot:lucky`` one by name, ``Zoe=lucky`` one
    under another name; a number alone is that many people. Raises BadNotation.
    """
    digits = text.strip()
    if digits.isascii() and digits.removeprefix("-").isdigit():
        game = kit.build({option.key: option.choices[0] for option in kit.options})
        number = int(digits[:4])  # more than any game seats already
        if not game.least_seats <= number <= game.most_seats:
            raise BadNotation("seats", found=text, least=game.least_seats, most=game.most_seats)
        names = [kit.names[at] if at < len(kit.names) else f"Seat {at + 1}" for at in range(number)]
        return tuple(names), {}
    seats = [_seat(part.strip(), kit) for part in text.split(",")]
    taken = [name for name, _ in seats if name]
    names, bots = [], {}
    for given, policy in seats:
        name = given
        if policy is not None:
            name = given or _unused(policy.capitalize(), taken)
            taken.append(name)
            bots[name] = policy
        names.append(name)
    return tuple(names), bots


def _seat(part: str, kit: Kit) -> tuple[str, str | None]:
    name, equals, policy = part.partition("=")
    kind, colon, which = part.partition(":")
    if equals:
        return read_name(name), _policy(policy.strip(), kit)
    if kind.strip().lower() == BOT:
        return "", _policy(which.strip(), kit) if colon else next(iter(kit.policies))
    return read_name(part), None


def _policy(text: str, kit: Kit) -> str:
    if text.lower() not in kit.bots:
        raise BadNotation("bot", found=text, bots=kit.bots)
    return text.lower()


def _unused(name: str, names: list[str]) -> str:
    taken = {other.casefold() for other in names}
    number = 1
    while (fresh := name if number == 1 else f"{name} {number}").casefold() in taken:
        number += 1
    return fresh
