"""House rules with their prices: the effect of each rule on the player who goes first, in the match of the address."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.parse import urlencode

from msgspec import Struct
from starlette.responses import Response

from pubdice.advice.asked_match import MATCH_FLAGS, written
from pubdice.advice.rule_prices import PricedPart
from pubdice.advice.rule_variants import FAIR, NOW, MatchRules, match_rules, parts
from pubdice.core.errors import BadNotation, Refused
from pubdice.kit import Kit
from pubdice.server.jobs import price_rules
from pubdice.server.pages.visit import PARTS_SOON_S, PageVisit
from pubdice.server.table.game_offers import match_fields
from pubdice.server.web.render import Frame, render
from pubdice.server.web.routing import GAME, JSON, PAGE, Route
from pubdice.text.language import Language


class RulePrices(Struct):
    """The effect of each rule of a match on the player who goes first: the ready parts, and the number of all (``of``).

    - rules: the match, as flags.
    - prices: a part each: ``now``, ``fair`` (the order), or a rule. Each has choices. A choice has its rules, and
      ``odds`` as ``pubdice odds --json`` prints them, or the reason why there are none. ``fields`` are the form fields
      that make the choice, and ``beside`` the text next to them. ``best`` is the most even choice of ``fair``, from 0.
    - told: the text above the choices.
    """

    game: str
    rules: dict[str, str]
    prices: list[dict[str, Any]]
    of: int
    told: str


@dataclass(frozen=True, slots=True)
class PricePage:
    """The page with the prices of a match's rules."""

    game: str
    title: str
    here: str  # this page's link
    usual: str  # the link of the usual rules' page
    players: int
    now: str  # the match in words
    parts: tuple[PricedPart, ...]  # parts worked out so far; the first is the match as it is
    of: int  # the number of all parts
    again_s: int = 0  # seconds until the page asks again, 0 for never
    titles: Sequence[tuple[str, str]] = ()  # the games with such a page


async def prices(visit: PageVisit) -> Response:
    """``GET /prices/{game}``: the parts that are ready, while others are worked out."""
    kit = visit.solved_game()
    given = {name: text.strip() for name, text in visit.request.query_params.items() if text.strip()}
    known = {*MATCH_FLAGS, *(option.key for option in kit.options)}
    if unknown := [name for name in given if name not in known]:
        raise Refused("fields", field=unknown[0])
    rules = match_rules(kit, given)
    found, names = list[PricedPart](), parts(kit, rules)
    # One after another, so a page has one place in the queue. The order of play comes last, as it has the most matches.
    for name in sorted(names, key=FAIR.__eq__):
        part = await visit.ask(price_rules, kit.name, tuple(rules.items()), name, visit.language)
        if part is None:
            break
        found.append(part)
    found.sort(key=lambda part: names.index(part.name))
    again_s = PARTS_SOON_S if len(found) < len(names) else 0
    page = PricePage(
        kit.name,
        kit.words.title,
        link(kit.name, rules),
        f"/prices/{kit.name}",
        int(rules["seats"]),
        kit.format_rules(kit.format(rules["format"]), visit.tongue),
        tuple(found),
        len(names),
        again_s,
        [(name, each.words.title) for name, each in visit.solved.items()],
    )
    return visit.show(html, page, partial(_data, kit, rules, visit.tongue), again_s)


def html(frame: Frame, page: PricePage) -> str:
    """Return the page of a match's prices."""
    return render("prices.html", frame, page=page, titles=page.titles, link=link)


def _data(kit: Kit, rules: MatchRules, tongue: Language, page: PricePage) -> RulePrices:
    said = form_sentence(page.parts, tongue, waits=len(page.parts) < page.of)
    return RulePrices(kit.name, dict(rules), as_data(kit, page.parts), page.of, said)


def link(game: str, rules: Mapping[str, str]) -> str:
    """Return the link of the page with the prices of a match."""
    return f"/prices/{game}?{urlencode(rules, safe=':')}"


def link_of(kit: Kit, rules: Mapping[str, str], seats: int) -> str:
    """Return the link of the prices page for a table's match with its number of players, but at least two. "" if the
    game has no solver.
    """
    if kit.solver is None:
        return ""
    given = _flags(kit, rules)
    try:
        return link(kit.name, match_rules(kit, {**given, "seats": str(seats)}))
    except BadNotation:  # too few players for odds
        return link(kit.name, match_rules(kit, given))


def link_for(kit: Kit, rules: Mapping[str, str], seats: str) -> str:
    """Return the link of the prices page for a form's match with exactly this number of players.

    Raises BadNotation, or Refused("no-page") without a solver.
    """
    if kit.solver is None:
        raise Refused("no-page")
    return link(kit.name, match_rules(kit, {**_flags(kit, rules), "seats": seats}))


def _flags(kit: Kit, rules: Mapping[str, str]) -> dict[str, str]:
    form = kit.format(rules.get("format", kit.formats[0].name))
    given = {key: text for key, text in rules.items() if key in {"opener", *(option.key for option in kit.options)}}
    return {**given, "format": written(form)}


def as_data(kit: Kit, parts: Sequence[PricedPart]) -> list[dict[str, Any]]:
    """Return parts for programs: the odds as ``pubdice odds --json`` prints them, and the texts of a form."""
    return [
        {
            "rule": part.name,
            "told": part.lead,
            "choices": [
                {
                    "rules": dict(choice.rules),
                    "fields": choice_fields(kit, part.name, choice.rules),
                    "beside": choice.beside,
                    **({"odds": choice.data} if not choice.why else choice.data or {}),
                }
                for choice in part.choices
            ],
            "best": part.best,
        }
        for part in parts
    ]


def choice_fields(kit: Kit, part: str, rules: MatchRules) -> dict[str, str]:
    """Return the form fields that make a choice, the chosen one first. Empty if the form has none.

    The fair order is a choice of the opener and the format.
    """
    if part in (NOW, "seats"):
        return {}
    keys = ["format", "opener"] if part == FAIR else [part]
    if "format" in keys:
        keys += [field.key for field in kit.format(rules["format"]).kind.fields]
    return {key: text for key, text in match_fields(kit, rules).items() if key.removeprefix(f"{kit.name}.") in keys}


def form_sentence(parts: Sequence[PricedPart], language: Language, *, waits: bool) -> str:
    """Return the text above a form's choices: the value of the match, or the reason why it has none.

    ``waits``: more parts are still worked out.
    """
    say, now = language.say, next((part.choices[0] for part in parts if part.name == NOW), None)
    if now is None:
        return say("The house is working it out.")
    lines = [now.why or say("{worth}: with these rules, Player 1 has {value}.", value=now.values[0], worth=now.worth)]
    if waits:
        lines.append(say("The house is still working out the rest."))
    return " ".join(lines)


ROUTES = (
    Route(
        "GET",
        "/prices/{game}",
        prices,
        "What each rule of a match does for the player who goes first: a field for each flag of odds.",
        (GAME,),
        returns=RulePrices,
        asks=True,
        limit="asking",
        refuses=("no-page",),
        gives={200: (PAGE, JSON), 202: (PAGE, JSON)},
    ),
)
