"""The seats of a new game as typed: people, and bots by policy."""

from pubdice.core.errors import BadNotation
from pubdice.kit import Kit
from pubdice.match.header import read_name, typed_name
from pubdice.room.setup import unused
from pubdice.terminal.declared import BOT


def read_seats(text: str, kit: Kit) -> tuple[tuple[str, ...], dict[str, str]]:
    """Read the names of the seats, and the policies of the bots among them by name. Raises BadNotation.

    In ``you,Ann,bot`` a name is a person and ``bot`` is the game's usual bot. ``bot:lucky`` is a bot by policy.
    ``Zoe=lucky`` is that bot under another name. A number alone means that many people.
    """
    digits = text.strip()
    if digits.isascii() and digits.removeprefix("-").isdigit():
        return kit.numbered(int(digits[:4])), {}  # four digits exceed any game's seats
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
