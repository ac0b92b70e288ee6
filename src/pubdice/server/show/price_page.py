"""What the page of the prices of a match's rules shows, as frozen data. Knows no templates and no request."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from pubdice.advice.questions.rule_prices import match_rules
from pubdice.advice.rule_prices_told import PricedChoice, PricedPart
from pubdice.core.errors import BadNotation
from pubdice.kit import Kit
from pubdice.match.formats import Format


@dataclass(frozen=True, slots=True)
class ShownChoice:
    """A choice with the page of the match that it makes. best: it is the most even."""

    choice: PricedChoice
    link: str
    best: bool = False


@dataclass(frozen=True, slots=True)
class ShownPart:
    """A part of the page with its choices; best: the most even of them, None where that is not asked."""

    part: PricedPart
    choices: tuple[ShownChoice, ...]
    best: ShownChoice | None


@dataclass(frozen=True, slots=True)
class PricePage:
    """The prices of a match's rules. game, title: the game's. here: this page's link. usual: that of the usual rules.

    players: how many. now: the match in words. parts: those worked out so far, of so many; the first is the match as it
    is. again_s: when the page asks again for the others; 0 for never.
    """

    game: str
    title: str
    here: str
    usual: str
    players: int
    now: str
    parts: tuple[ShownPart, ...]
    of: int
    again_s: int = 0


def link(game: str, rules: Mapping[str, str]) -> str:
    """The page of a match."""
    return f"/prices/{game}?{urlencode(rules, safe=':')}"


def link_of(kit: Kit, rules: Mapping[str, str], seats: int) -> str:
    """The page of a table's match, with so many players and no fewer than two; "" without one."""
    if kit.solver is None:
        return ""
    form = kit.format(rules.get("format", kit.formats[0].name))
    given = {key: text for key, text in rules.items() if key in {"opener", *(option.key for option in kit.options)}}
    given["format"] = _as_flag(form)
    try:
        return link(kit.name, match_rules(kit, {**given, "seats": str(seats)}))
    except BadNotation:  # fewer players than there can be odds about
        return link(kit.name, match_rules(kit, given))


def _as_flag(form: Format) -> str:
    return form.write().replace(" ", ":")


def shown(game: str, part: PricedPart) -> ShownPart:
    """A part with links."""
    choices = tuple(
        ShownChoice(choice, link(game, choice.rules), at == part.best) for at, choice in enumerate(part.choices)
    )
    return ShownPart(part, choices, None if part.best is None else choices[part.best])


def as_data(parts: Sequence[PricedPart]) -> list[dict[str, Any]]:
    """Parts for programs: the odds as ``pubdice odds --json`` prints them."""
    return [
        {
            "rule": part.name,
            "choices": [
                {"rules": dict(choice.rules), **({"odds": choice.data} if not choice.why else choice.data or {})}
                for choice in part.choices
            ],
            "best": part.best,
        }
        for part in parts
    ]
