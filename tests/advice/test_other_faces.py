"""Questions about dice of other faces: told, typed and printed by their names."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar

import pytest

from aces import KIT as ACES
from aces import POKER, Aces
from pubdice.advice.card import LineCard, card_line
from pubdice.advice.card_prices import answer
from pubdice.advice.printed_card import svg
from pubdice.advice.questions import question
from pubdice.core.dice import DieFaces, Hand, numbered
from pubdice.core.errors import BadNotation
from pubdice.core.game import Keep
from pubdice.games import GAMES
from pubdice.games.fourtwenty.rules import FourTwenty
from pubdice.kit import Kit
from pubdice.match.formats import RACE
from pubdice.text.catalogues import language
from pubdice.text.game_words import keep_words
from pubdice.text.language import Language
from support.console import pubdice
from support.house import Pub, at_the_pub
from support.html_tree import read

WITH_ACES = {**GAMES, "aces": ACES}


def test_advice_names_faces_as_they_are_typed() -> None:
    told = pubdice("advise", "aces", "--locked", "A", "--roll", "10,K", games=WITH_ACES)
    assert [line.partition(":")[0] for line in told.out.splitlines()] == ["Keep K", "Keep K 10", "Keep 10"]


@pytest.mark.parametrize("typed", ["KKA", "655", "K,1", "K K"])
def test_dice_that_it_has_not_are_refused_in_one_sentence(typed: str) -> None:
    told = pubdice("advise", "aces", "--roll", typed, games=WITH_ACES)
    assert told.status == 2
    assert told.err.count("\n") == 1
    assert "9, 10, J, Q, K or A" in told.err or "are 3 together" in told.err


@dataclass(frozen=True, slots=True)
class PokerRace(FourTwenty):
    """420 with dice that show letters."""

    faces: ClassVar[DieFaces] = DieFaces(tuple("ABCDEF"))


def tell_hands(tongue: Language, data: Mapping[str, Any]) -> list[str]:
    """The dice of each keep, by the names of their faces."""
    return [keep_words(tongue, row, PokerRace.faces) for row in data["actions"]]


RACED = replace(GAMES["420"], name="raced", build=lambda options: PokerRace(), formats=(RACE,), tell_hands=tell_hands)


def test_hands_on_the_table_are_typed_by_the_names_of_their_faces() -> None:
    advise = question(RACED, "advise")
    usual = question(GAMES["420"], "advise")
    assert advise is not None
    assert usual is not None
    assert "F.E.E.A,F.E.D.A" in advise.flags[0].meaning
    named, counted = advise.answer({"hands": "F E E A,F.F.D.B"}), usual.answer({"hands": "6551,6642"})
    assert named.data()["actions"] == counted.data()["actions"]
    assert set(named.sentences(language("en"))[0].removeprefix("Keep ")) <= set("FEA ")
    with pytest.raises(BadNotation, match="flag-faces"):
        advise.answer({"hands": "6551,6642"})


def play(names: frozenset[str], game: Aces, state: Any) -> tuple[tuple[Keep, int], ...]:
    """Aces, or the highest die."""
    aces: Hand = tuple(face for face in state.free if face == 6)
    return ((Keep(aces or (max(state.free),)), 1),)


def carded(kit: Kit) -> Kit:
    """The kit with a card of one line, which shows an ace."""
    line = card_line("aces", "Keep every ace.", (6,))
    return replace(kit, card_lines=lambda game: LineCard((line,), lambda names: partial(play, names)))


def test_a_card_draws_the_names_of_faces() -> None:
    found = answer(carded(ACES), {})
    picture = svg(found.layout(language("en")))
    assert re.search(r'text-anchor="middle"[^>]*>A</text>', picture)
    assert "<circle" not in picture, "a face with a name has no pips"
    many = replace(found.layout(language("en")), die=numbered(100))
    assert ">6</text>" in svg(many)


@at_the_pub(games=WITH_ACES)
async def test_the_form_has_a_button_for_each_face_and_its_answer_draws_names(
    pub: Pub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(GAMES, "aces", ACES)
    ann = pub.client("Ann")
    form = read((await ann.get("/ask/aces", "text/html")).text).one("form", action="/ask/aces")
    (pad, *_) = form.all("span", **{"data-for": "roll"})
    assert [button.attrs["data-face"] for button in pad.all("button") if "data-face" in button.attrs] == [*POKER.names]
    while (answered := await ann.get("/ask/aces?locked=A&roll=10+K", "text/html")).status == 202:
        pass
    page = read(answered.text).one("main")
    assert page.one("h2", id="answer").words() == "Keep K: 8.50 points on average."
    assert [
        mini.words() for mini in page.all("ol", **{"class": "keeps"})[0].all("li")[1].all("span", **{"class": "mini"})
    ] == ["K", "10"]
