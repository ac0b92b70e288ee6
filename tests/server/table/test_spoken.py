"""The house on the web in every language it speaks: whole evenings, refusals and pages without a word of English."""

import json
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from play import endless
from pubdice.core.errors import BadNotation, IllegalAction, Refused
from pubdice.games import GAMES
from pubdice.kit import Kit
from pubdice.room import Caller, Step
from pubdice.room.commands import Command
from pubdice.server.pages import about
from pubdice.server.pages import front as front_page
from pubdice.server.pages import table as table_page
from pubdice.server.pages.table import rules_line
from pubdice.server.table.announce import Announcer
from pubdice.server.table.views import ViewContext, Viewer
from pubdice.server.web import render
from pubdice.server.web.guard import REFUSALS
from pubdice.server.web.refusals import REFUSED, refusal
from pubdice.server.wire import Told, View
from pubdice.text.catalogues import CODES, language
from pubdice.text.language import Language
from room.random_commands import Order, Walk, walks
from sentences import at_length, english_only, letters
from server.samples.front import FRONT
from server.samples.tables import NASTY, tables
from support.html_tree import Node, read
from support.profiles import NIGHTLY

EVERY_CODE = pytest.mark.parametrize("code", at_length(CODES[1:]))
EVERY_KIT = pytest.mark.parametrize(
    "kit",
    [pytest.param(kit, marks=() if name == "mexico" else pytest.mark.nightly) for name, kit in GAMES.items()],
    ids=GAMES,
)


class Heard(Walk):
    """An evening of which everything is said and shown in a language, refusals too."""

    def __init__(self, order: Order, said: Language) -> None:
        super().__init__(order)
        kit = self.room.kit
        self.said, self.story = said, list[str]()
        self.announcer = Announcer(said, kit)
        self.viewer = Viewer(said, kit, self.announcer)
        self.story.append(rules_line(said, self.room, self.state))

    def attempt(self, person: str | None, command: Command) -> tuple[Step, ...]:
        """Ask for something, and hear what comes of it."""
        kit, game = self.room.kit, self.state.table.match.game if self.state.table else None
        try:
            self.room.decide(self.state, command, Caller(person, self.now, self.gone), self.cup)
        except (Refused, IllegalAction, BadNotation) as error:
            self.story.append(refusal(self.said, error, kit, game)[1].why)
        steps = super().attempt(person, command)
        self.story += [say.text for say in self.announcer.tell(steps, self.gone)]
        return steps

    def view(self) -> View:
        """The table as it is shown."""
        context = ViewContext(self.now, self.gone, "/t/".__add__)
        return self.viewer.view(self.state, context, list(map(Told, self.story[-2:])))


def _shown(view: View) -> Iterator[str]:
    told = view.heading, view.status, view.beat, view.scores, view.standing, view.whose, *view.last, *view.result
    for line in told:
        yield from (line.text, *line.own.values())
    yield view.counter
    yield from (button.label for button in (view.main, view.bank, view.back) if button is not None)
    yield from (text for die in view.dice for text in (die.label, die.word))
    for seat in view.seats:
        yield from (seat.note, seat.hand, seat.own_hand)


def _written(page: Node) -> Iterator[str]:
    """Every text of a page that people read or hear, except the names of languages."""
    for node in page.all():
        if "lang" not in node.attrs:
            yield node.text
        yield from (text for name in ("aria-label", "alt", "title", "data-of") if (text := node.attrs.get(name)))
        yield from json.loads(node.attrs.get("data-words") or "{}").values()


def _check_page(code: str, text: str, english: frozenset[str]) -> None:
    page = read(text)
    assert page.one("html").attrs["lang"] == code
    for piece in _written(page):
        assert not letters(piece) & english, piece


@EVERY_CODE
@EVERY_KIT
@given(data=st.data())
def test_an_evening_is_told_without_a_word_of_english(kit: Kit, code: str, data: st.DataObject) -> None:
    heard, english = Heard(data.draw(walks(kit)), language(code, strict=True)), english_only(code)
    frame, numbers = render.Frame(language(code, strict=True), code), endless(heard.numbers.below(1000))
    shown = range(5) if NIGHTLY else (numbers.below(3), 3 + numbers.below(2))
    for moment in range(5):
        heard.run(16)
        view, seat = heard.view(), numbers.below(len(heard.state.chairs) + 1) - 1
        for text in (*heard.story, *_shown(view)):
            assert "{" not in text
            assert not letters(text) & english, text
        if moment in shown:  # to read a page costs more than all else, and what is told in it was looked at above
            page = table_page.TablePage(
                "ABCDEF", "/t/ABCDEF", kit, heard.story[0], view, "key",
                seat if seat >= 0 else None,
                host=seat == 0, words="xx", story=tuple(heard.story), bots=kit.bots,
                real=heard.room.setup.dice == "real",
            )  # fmt: skip
            _check_page(code, table_page.html(frame, page), english)
        del heard.story[1:]


@EVERY_CODE
def test_every_refusal_is_told_without_a_word_of_english(code: str) -> None:
    said, english = language(code, strict=True), english_only(code)
    typed = {"found": "9", "digit": "9", "shown": "1 4"}
    for number in (1, 3):
        numbers = dict.fromkeys(("seats", "least", "seconds", "due", "missing"), number)
        for why in REFUSED:
            facts = {
                "name": "Ann",
                "reason": "?",
                "field": "?",
                "game": "420",
                "table": "MEK WUF",
                "most": 5,
                "count": 20,
                "day": "2025-04-21",
                "played": 2,
                "bots": GAMES["midnight"].bots,
                **numbers,
                **typed,
            }
            text = refusal(said, Refused(why, **facts))[1].why
            assert "{" not in text
            assert not letters(text) & english, text
    assert not any(letters(said.say(why)) & english for _, why in REFUSALS.values())


@EVERY_CODE
def test_pages_are_written_without_a_word_of_english(code: str) -> None:
    said, english = language(code, strict=True), english_only(code)
    frame = render.Frame(said, code)
    front = replace(FRONT, games=tuple(GAMES.values()), mine=(), lobby=())
    refused = replace(front, values={"pace": "300", "name": NASTY}, refusal="?", field="midnight.bot")
    for text in (
        front_page.html(frame, front),
        front_page.html(frame, refused),
        about.help_html(frame, None),
        about.privacy_html(frame, None),
        *(render.trouble(frame, render.Trouble(status, said.say("Page not found."))) for status in (404, 500)),
    ):
        _check_page(code, text, english)


@EVERY_CODE
def test_every_kind_of_page_can_be_made_in_every_language(code: str) -> None:
    frame = render.Frame(language(code, strict=True), code)
    rules = [about.rules_html(frame, kit) for kit in GAMES.values()]
    for text in (*rules, *(table_page.html(frame, table) for _, table in tables())):
        assert read(text).one("html").attrs["lang"] == code
