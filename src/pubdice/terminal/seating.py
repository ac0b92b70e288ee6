"""Who sits at a table: names and bots, from the words of the command line."""

from pubdice.core.errors import BadNotation
from pubdice.kit import Kit
from pubdice.match.names import read_name
from pubdice.room.setup import unused

BOT = "bot"
USUAL_SEATS = "you,bot"


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
            name = given or unused(policy.capitalize(), taken)
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
