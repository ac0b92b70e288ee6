"""What all pages that work something out have in common: a limit, other languages, asking again, games not here."""

import re

import pytest

from pubdice.server import answers
from pubdice.server.answers import Answers
from pubdice.server.web.limits import Limits, Rate
from server.http.test_ask import Held, asked_of
from support.house import Pub, at_the_pub
from support.html_tree import read

TARGETS = ["/ask/threes?roll=33621", "/best-play/ship", "/prices/ship?format=rounds:2", "/daily", "/drill/threes/1"]
GERMAN = {
    "/ask/threes?roll=33621": "Frag das Haus",
    "/best-play/ship": "Bestes Spiel: Schiff, Kapitän und Mannschaft",
    "/prices/ship?format=rounds:2": "Was die Regeln ändern: Schiff, Kapitän und Mannschaft",
    "/daily": "Letzte Runde 214",
    "/drill": "Üben",
    "/drill/threes/1": "Stellung 1",
    "/try/midnight": "Du hast ",
}


@pytest.mark.parametrize("target", TARGETS)
@at_the_pub(limits=Limits(questions=Rate(1, 2)))
async def test_who_asks_too_often_is_told_to_wait_and_a_household_of_many_networks_is_one(
    pub: Pub, target: str
) -> None:
    pub.house.answers = Answers(Held())
    ann, statuses = pub.client("Ann"), list[int]()
    for network in (0, 0, 1, 0x100):
        ann.address = f"2001:db8:0:{network:x}::7"
        statuses.append((await ann.get(target)).status)
    assert statuses == [202, 202, 429, 202]


@pytest.mark.parametrize("target", GERMAN)
async def test_every_page_speaks_german_and_so_do_its_numbers(pub: Pub, target: str) -> None:
    page = read((await asked_of(pub.client("Eva", "de"), target, "text/html")).text)
    told = page.words()
    assert GERMAN[target] in told
    assert not re.search(r"\d\.\d+%| the ", page.one("main").words())


@pytest.mark.parametrize("target", ["/best-play/ship", "/prices/ship?seats=2&format=rounds:2"])
async def test_while_it_is_worked_out_a_page_asks_again(pub: Pub, target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "WAIT_S", 0.0)
    ann = pub.client("Ann")
    first = await ann.get(target, "text/html")
    assert first.status == 202
    assert read(first.text).one("main").all("section") == []
    assert read(first.text).all("meta", **{"http-equiv": "refresh"})
    monkeypatch.undo()
    assert (await asked_of(ann, target)).status == 200


@pytest.mark.parametrize("page", ["ask", "best-play", "prices", "drill"])
async def test_a_game_that_is_not_here_has_no_page(pub: Pub, page: str) -> None:
    assert (await pub.client("Ann").get(f"/{page}/chess")).status == 404
