"""The page that checks sealed dice: empty, with a table's record, and as one file that needs no house.

The check runs in the browser. For browsers without scripts, the house checks.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from starlette.responses import Response

from pubdice.core.errors import Refused
from pubdice.match.sealed_record import DiceCheck, check_dice
from pubdice.match.sealed_sentences import (
    ANOTHER,
    ATTEMPTS,
    BROKEN,
    DICE_UNCHOSEN,
    DIFFERS,
    FAULTS,
    LEFT_OUT,
    MATCHES,
    MISSING,
    NO_PHONE,
    NO_SEED_OF_MINE,
    NOT_NOTED,
    NOTED,
    OLD,
    ORDER,
    PHONES,
    TYPED_SEED,
    UNENDED,
    UNTOLD,
    WITHOUT,
    covered_sentences,
    fault_sentence,
    matches_sentence,
)
from pubdice.server.pages.visit import CODE, FINDING, PageVisit
from pubdice.server.web.render import Frame, render, template
from pubdice.server.web.routing import Route
from pubdice.server.web.static_files import served
from pubdice.text.language import NOTATION, Language
from pubdice.text.word_lists import seal_words, word_list

STYLES, SCRIPTS = ("house.css", "paper.css", "seal.css"), ("sha256.js", "verify.js", "verify_page.js")
html = template("verify.html")


@dataclass(frozen=True, slots=True)
class VerifyPage:
    """A check of sealed dice."""

    told: dict[str, Any]  # the word list, and the script's sentences
    record: str = ""  # a record to check
    words: tuple[str, ...] = ()  # the record's eight words
    lines: tuple[str, ...] = ()  # the house's verdict
    fault: bool = False  # the verdict is a fault
    table: str = ""  # the link of the record's match


async def first(visit: PageVisit) -> Response:
    """``GET /verify``: the page, to paste a record into."""
    return visit.html(html, blank(visit.tongue))


async def alone(visit: PageVisit) -> Response:
    """``GET /verify.html``: the page as one file."""
    response = visit.html(alone_html, blank(visit.tongue))
    response.headers["content-disposition"] = 'attachment; filename="pubdice-verify.html"'
    return response


async def table(visit: PageVisit) -> Response:
    """``GET /t/{code}/verify``: the page with a table's record, checked in a thread, as a long one takes 0.2 s."""
    actor = await visit.table()
    if actor.state.setup.dice != "sealed":
        raise Refused("not-sealed")
    text = await visit.house.record(actor)
    verdict = await asyncio.to_thread(check_dice, text)
    return visit.html(html, checked(visit.tongue, text, verdict, visit.house.link(actor.code)))


def alone_html(frame: Frame, page: VerifyPage) -> str:
    """Return the check of sealed dice as one file, with its styles and its script inside."""
    styles = "".join(served(name).decode() for name in STYLES)
    script = "\n".join(served(name).decode() for name in SCRIPTS)
    return render("verify_alone.html", frame, page=page, styles=styles, script=script)


def blank(language: Language) -> VerifyPage:
    """Return the page without a record."""
    return VerifyPage({"words": word_list(language.code), "said": script_sentences(language)})


def checked(language: Language, text: str, verdict: DiceCheck, table: str) -> VerifyPage:
    """Return the page with a record, and the house's own verdict on it."""
    page = blank(language)
    words = seal_words(verdict.proof.seal.public_digest, language.code) if verdict.proof else ()
    if verdict.fault or verdict.proof is None:
        lines = [fault_sentence(verdict, language)]
    else:
        lines = [matches_sentence(verdict, language), *covered_sentences(verdict.proof, language)]
    return VerifyPage(page.told, text, words, tuple(lines), verdict.fault is not None, table)


def script_sentences(language: Language) -> dict[str, str | Sequence[str | Sequence[str]]]:
    """Return the sentences of the script, by name. The script fills in the {facts}.

    Some names have two sentences: for one seat, and for several. ``changes`` is ``Language.changes``, because the
    script joins names itself.
    """
    say = language.say
    gaps = {name: f"{{{name}}}" for name in ("number", "expected", "line", "said", "one", "other", "chain")}

    def gap(text: str) -> str:
        return say(text, **gaps)

    def forms(one: str, many: str) -> list[str]:
        """Return a sentence about one seat, and about several."""
        return [language.count(one, many, number, names="{names}") for number in (1, 2)]

    return {
        **{fault: gap(text) for fault, text in FAULTS.items()},
        "none": say("This is no record of pubdice."),
        "newer": language.tell(NOTATION["text-newer"], {}),
        "right": say("Checked"),
        "unread": say("Not checked"),
        "wrong": say("The seal does not hold"),
        "missing_seed": say("Without your seed"),
        "right_told": gap(MATCHES),
        "phone": forms(*PHONES),
        "typed": forms(*TYPED_SEED),
        "without": forms(*WITHOUT),
        "no_phone": say(NO_PHONE),
        "attempts": gap(ATTEMPTS),
        "old": say(OLD),
        "and": say("{some} and {last}", some="{some}", last="{last}"),
        "changes": language.changes,
        "line": gap("Line {line}: {said}"),
        "missing": gap(MISSING),
        "broken": gap(BROKEN),
        "order": gap(ORDER),
        "another": gap(ANOTHER),
        "stamp_good": gap("✓ {number} of {number} rolls"),
        "stamp_bad": gap("✕ roll {number} differs"),
        "noted": say(NOTED, names="{names}"),
        "unchosen": say(DICE_UNCHOSEN),
        "not_noted": say(NOT_NOTED),
        "untold": say(UNTOLD),
        "away": say(LEFT_OUT, names="{names}"),
        "no_seed": say(NO_SEED_OF_MINE),
        "noted_old": say("This device noted the same seal before the match, and what it added is in the record."),
        "differs": say(DIFFERS),
        "unended": [language.count(*UNENDED, number, table="{table}") for number in (1, 2)],
    }


ROUTES = (
    Route("GET", "/verify", first, "Check the sealed dice of a record."),
    Route("GET", "/verify.html", alone, "The same check as one file that needs no house."),
    Route(
        "GET",
        "/t/{code}/verify",
        table,
        "Check the sealed dice of a table's match.",
        (CODE,),
        limit="record",
        refuses=(*FINDING, "no-record", "not-sealed"),
    ),
)
