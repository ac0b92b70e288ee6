"""A parser of the seats of a new game, as typed: people, and bots by policy."""

from collections.abc import Iterable, Mapping

from pubdice.kit import BOT, Kit
from pubdice.match.header import read_name, typed_name
from pubdice.room.setup import unused
from pubdice.text.language import Language


def read_seats(text: str, kit: Kit) -> tuple[tuple[str, ...], dict[str, str]]:
    """Read the names of the seats. Returns them with the policy of each bot by its name. Raises BadNotation.

    In ``you,Ann,bot`` the first two are people, and ``bot`` is the game's usual bot. ``bot:lucky`` is a bot with that
    policy. ``Zoe=lucky`` is such a bot named Zoe. A number alone means that many people.
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
    if equals:
        return read_name(typed_name(name)), kit.read_bot(policy)
    if part.partition(":")[0].strip().lower() == BOT:
        return "", kit.read_bot(part)
    return read_name(typed_name(part)), None


def mistaken(
    names: Iterable[str], bots: Mapping[str, str], kit: Kit, games: Mapping[str, Kit], language: Language
) -> list[str]:
    """Return a hint for each person who has the name of a bot of this game or of another one. In ``simulate`` and
    ``arena`` that name means the bot.
    """
    say, told = language.say, list[str]()
    elsewhere = {bot for each in games.values() for bot in each.bots}
    for name in names:
        bot = name.lower()
        if name in bots:
            continue
        if bot in kit.bots:
            text = "{name} is a person here. For the bot of that name write {bot}."
            told.append(say(text, name=name, bot=f"{BOT}:{bot}"))
        elif bot in elsewhere:
            text = "{name} is a person here. {title} has no bot of that name. Choose {bots}."
            found = language.join([f"{BOT}:{each}" for each in kit.bots], "{some} or {last}")
            told.append(say(text, name=name, title=kit.words.title, bots=found))
    return told
