"""The part of ``play --help`` that explains formats, opener rules, bots and the goals of the bots."""

from collections import Counter
from collections.abc import Mapping

from pubdice.command_line import one_of
from pubdice.core.game import TurnGame
from pubdice.kit import Kit
from pubdice.match.formats import OPENERS
from pubdice.text.language import BOTS, Language
from pubdice.text.language import OPENERS as OPENS
from pubdice.typed_rules import format_words, show

AIMING = {"cautious": (7, 8), "bold": (1, 5)}
"""For each of these bots, the least share of turns in which ``steady`` reaches the bot's goal, as (part, whole).

They are the numbers of ``advice.bots.REACHED`` as fractions."""


def meanings(games: Mapping[str, Kit], language: Language) -> str:
    """Explain every format, opener and bot on the command line."""
    say = language.say
    formats = {
        show(kind.name, format_words(kit.formats, language)): say(kind.meaning)
        for kit in games.values()
        for kind in kit.formats
    }
    bots = dict.fromkeys(name for kit in games.values() for name in kit.bots)
    lists = {
        say("formats:"): formats,
        say("openers:"): {name: say(OPENS[name]) for name in OPENERS},
        say("bots:"): {name: say(BOTS.get(name, "")) if name in BOTS else "" for name in bots},
    }
    lines = []
    for head, rows in lists.items():
        width = max(map(len, rows)) + 2
        lines += [head, *(f"  {name:<{width}}{meaning}" for name, meaning in rows.items())]
        if rows is formats and {"rounds", "pot"} <= {kind.name for kit in games.values() for kind in kit.formats}:
            lines.append(_numbers(games, language))
        lines += [*([_goals(games, language)] if rows.keys() == bots.keys() else []), ""]
    return "\n".join([*lines, say("pubdice saves the game as you play. Leave with q, and go on with pubdice resume.")])


def _numbers(games: Mapping[str, Kit], language: Language) -> str:
    """Return a sentence on the numbers behind a format's name."""
    kinds = tuple(kind for kit in games.values() for kind in kit.formats)
    pot, rounds = (show(text, format_words(kinds, language)) for text in ("pot:2", "rounds:3"))
    return language.say("A number follows a colon: {rounds} is 3 rounds, {pot} an ante of 2.", rounds=rounds, pot=pot)


def _goals(games: Mapping[str, Kit], language: Language) -> str:
    """Return a sentence on the goals of ``steady``, ``cautious`` and ``bold``, in games with one turn a seat
    (``advice.bots``).
    """
    kits = [kit for kit in games.values() if isinstance(kit.usual_game, TurnGame)]
    if not kits:
        return ""
    cautious, bold = ([f"{kit.name}: {kit.thresholds[bot]}" for kit in kits if bot in kit.thresholds] for bot in AIMING)
    return language.say(
        "In {names} steady plays for the best mean score. The bot cautious plays for a score that steady reaches "
        "in {often} turns{cautious}, or for any score. The bot bold plays for a score that steady reaches in "
        "{seldom} turns{bold}.",
        names=language.join(kit.name for kit in kits),
        often=language.say("{part} of {whole}", part=AIMING["cautious"][0], whole=AIMING["cautious"][1]),
        seldom=language.say("{part} of {whole}", part=AIMING["bold"][0], whole=AIMING["bold"][1]),
        cautious=_aside(cautious),
        bold=_aside(bold),
    )


def _aside(told: list[str]) -> str:
    return f" ({', '.join(told)})" if told else ""


def openers(games: Mapping[str, Kit], language: Language) -> str:
    """Return a phrase on the usual rules for the opener: first the rule of most formats, then the exceptions."""
    usual = {
        show(kind.name, format_words(kit.formats, language)): kind.usual.openers[0]
        for kit in games.values()
        for kind in kit.formats
    }
    most = Counter(usual.values()).most_common(1)[0][0]
    others = [
        language.say("{opener} with {format}", opener=opener, format=name)
        for name, opener in usual.items()
        if opener != most
    ]
    return ", ".join([language.say("{opener} is usual", opener=most), *others])


def formats(kit: Kit, language: Language) -> str:
    """Return the formats of a game as typed on the command line, each with its usual numbers."""
    written = [
        kind.usual.write().replace(" rounds ", ":").replace(" ", ":") + kind.switched("[:{word}]")
        for kind in kit.formats
    ]
    words = format_words(kit.formats, language)
    return one_of([show(each, words) for each in written], language)
