"""The seats of a new game as somebody types them: people, and bots by the name of their policy."""

from pubdice.core.errors import BadNotation
from pubdice.kit import Kit
from pubdice.match.header import read_name, typed_name
from pubdice.room.setup import unused
from pubdice.terminal.declared import BOT


def read_seats(text: str, kit: Kit) -> tuple[tuple[str, ...], dict[str, str]]:
    """The names of the seats and the bots among them, by name.

    ``you,Ann,bot``: a name is a person; ``bot`` is the game's usual bot, ``bot:lucky`` one by name, ``Zoe=lucky`` one
    under another name; a number alone is that many people. Raises BadNotation.
    """
    digits = text.strip()
    if digits.isascii() and digits.removeprefix("-").isdigit():
        return kit.numbered(int(digits[:4])), {}  # more than any game seats already
    seats = [_seat(part.strip(), kit) for part in text.split(",")]
    taken = [name for name, _ in seats if name]
    names, bots = [], {}
    for given, policy in seats:
        name = given
        if policy is not None:
            name = given or unused(policy.capitalize(), taken)
            taken.append(name)
            bots[name] = policy
        names.append(name)
    return tuple(names), bots


def _seat(part: str, kit: Kit) -> tuple[str, str | None]:
    name, equals, policy = part.partition("=")
    kind, colon, which = part.partition(":")
    if equals:
        return read_name(typed_name(name)), _policy(policy.strip(), kit)
    if kind.strip().lower() == BOT:
        return "", _policy(which.strip(), kit) if colon else next(iter(kit.policies))
    return read_name(typed_name(part)), None


def _policy(text: str, kit: Kit) -> str:
    if text.lower() not in kit.bots:
        raise BadNotation("bot", found=text, bots=kit.bots)
    return text.lower()
