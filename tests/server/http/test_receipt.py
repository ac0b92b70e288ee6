"""The receipt of a match on the web: exact, as printed too, move by move, asked again, and shared."""

import re
from dataclasses import replace
from typing import Any

import pytest

from play import SHORT
from pubdice.advice import luck_rank, review
from pubdice.games import GAMES
from pubdice.server import answers
from pubdice.server.answers import MOST_RECEIPTS, Answers
from pubdice.server.jobs import MatchRecord, write_receipt
from pubdice.server.web.limits import Limits, Rate
from server.http.test_ask import Held, asked_of
from support.asgi_client import Client
from support.house import ANY, UNLIMITED, Pub, at_the_pub, growing, play_out, seated
from support.html_tree import Node, read
from support.http_wire import Answer

EXACT = 1e-9
PLAYED = [
    pytest.param(
        name, SHORT.get(kind.name, kind.name), marks=[pytest.mark.nightly] if at else [], id=f"{name} {kind.name}"
    )
    for name, kit in GAMES.items()
    for at, kind in enumerate(kit.formats)
]
"""Every game in every format of the house, by day each in its usual one."""


@pytest.fixture(autouse=True)
def few_replays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(luck_rank, "MOST_REPLAYS", 25)


async def played(pub: Pub, game: str = "midnight", form: str = "rounds 1") -> tuple[Client, str]:
    """A match of Ann and Bob that is over: Ann, and its code."""
    ann, bob, code = await seated(pub, game=game, rules={"format": form})
    await play_out(pub, code, [ann, bob])
    return ann, code


async def page_of(client: Client, target: str) -> Node:
    """A page that is there."""
    answer: Answer = await asked_of(client, target, "text/html")
    assert answer.status == 200, answer.text
    return read(answer.text)


def number(text: str) -> float:
    """A printed amount."""
    return float(re.sub(r"[^0-9.−-]", "", text).replace("−", "-"))


@pytest.mark.parametrize(("game", "form"), PLAYED)
async def test_the_parts_of_a_receipt_add_up_as_printed(pub: Pub, game: str, form: str) -> None:
    ann, code = await played(pub, game, form)
    data: dict[str, Any] = (await asked_of(ann, f"/t/{code}/receipt")).data
    page = await page_of(ann, f"/t/{code}/receipt")
    bills = page.all("section", **{"class": "card bill"})
    assert len(bills) == len(data["seats"]) == 2
    for (name, split), bill in zip(data["seats"].items(), bills, strict=True):
        parts = [split[part] for part in ("expectation", "luck", "skill", "given")]
        assert sum(parts) == pytest.approx(split["result"], abs=EXACT)
        assert bill.one("h2").words().endswith("You" if name == "Ann" else name), "she reads it"
        tenths, unit = (10, 1000) if "%" in bill.one("table").words() else (100, 100)
        *printed, result = [round(tenths * number(node.words())) for node in bill.all("b")]
        assert sum(printed) == result
        assert [*parts, split["result"]] == pytest.approx([each / unit for each in [*printed, result]], abs=2.5 / unit)
        assert name in data["luck_rank"]["seats"]
        assert re.search("(more|less) luck than in", bill.words())
    rows = page.one("table", **{"class": "numbers"}).one("tbody").all("tr")
    assert len(rows) == len(data["line"])
    last = [number(cell.words()) for cell in rows[-1].all("td")]
    assert last == [number(bill.all("b")[-1].words()) for bill in bills]


async def test_every_move_has_a_page_that_leads_to_the_next(pub: Pub) -> None:
    ann, code = await played(pub)
    last = len((await asked_of(ann, f"/t/{code}/receipt")).data["line"]) - 1
    link = pub.house.link(code)
    rolls = decisions = 0
    for step in range(last + 1):
        page = await page_of(ann, f"/t/{code}/receipt?step={step}")
        moves = page.one("section", id="moves")
        assert moves.one("h3").words().startswith(f"Move {step} of {last}" if step else "The start")
        hrefs = [str(node.attrs["href"]) for node in moves.all("a")]
        for near in (step - 1, step + 1):
            assert (f"{link}/receipt?step={near}#step" in hrefs[:4]) == (0 <= near <= last)
        rolls += "rolled" in " ".join(node.words() for node in moves.all("p", "li"))
        decisions += any("/ask/" in href for href in hrefs)
        assert len(moves.one("ul", **{"class": "rows"}).all("li")) == 2
    listed = (await page_of(ann, f"/t/{code}/receipt")).one("ol").all("li")
    assert rolls >= 2
    assert decisions == len(listed)


@pytest.mark.parametrize(
    ("query", "why"),
    [
        ("step=9999", "This match has moves 0 to "),
        ("step=-1", "This match has moves 0 to "),
        ("step=x", "This match has moves 0 to "),
        ("again=0", "This match has questions 1 to "),
        ("again=77", "This match has questions 1 to "),
        ("again=1&keep=k", "Choose one of the answers."),
        ("again=1&keep=", "Choose one of the answers."),
    ],
)
async def test_what_is_not_there_is_refused_in_a_sentence(pub: Pub, query: str, why: str) -> None:
    ann, code = await played(pub)
    data = await asked_of(ann, f"/t/{code}/receipt?{query}")
    assert data.status == 422
    assert data.data["why"].startswith(why)
    page = await asked_of(ann, f"/t/{code}/receipt?{query}", "text/html")
    assert page.status == 422
    assert why in read(page.text).words()


async def test_a_receipt_comes_at_the_end_and_asks_of_errors_alone(pub: Pub) -> None:
    ann, bob, code = await seated(pub, game="420", rules={"format": "race"})
    for path in ("receipt", "receipt.svg"):
        answer = await ann.get(f"/t/{code}/{path}")
        assert (answer.status, answer.data["code"]) == (409, "not-over")
    await play_out(pub, code, [ann, bob])
    data = (await asked_of(ann, f"/t/{code}/receipt")).data
    asked = await asked_of(ann, f"/t/{code}/receipt?again=1")
    assert asked.status == (200 if data["worst"] else 422)


async def test_a_costly_keep_is_asked_without_its_answer_and_then_told(pub: Pub) -> None:
    ann, code = await played(pub)
    data = (await asked_of(ann, f"/t/{code}/receipt")).data
    lost = [each for each in data["decisions"] if each["lost"] > 0]
    assert lost, "these dice leave something to lose"
    page = await page_of(ann, f"/t/{code}/receipt?again=1")
    main = page.one("main")
    keys = [str(node.attrs["value"]) for node in main.all("input", name="keep", type="radio")]
    assert not main.one("input", name="keep", type="hidden").attrs["value"], "no answer is an answer that is refused"
    assert "is best" not in main.words()
    assert "loses" not in main.words()
    assert not main.all("table")
    told = set()
    for key in keys:
        answered = (await page_of(ann, f"/t/{code}/receipt?again=1&keep={key}")).one("main")
        told.add(answered.one("p", id="answer").words())
        assert "is best." in answered.words()
        assert len(answered.one("tbody").all("tr")) == len(keys)
        assert [key for key in ("yours", "played by") if key in answered.words()]
    assert len(told) == len(keys)

    assert sum("Best!" in text for text in told) >= 1
    assert not [event for event in pub.stored(code) if "again" in event], "nothing is stored"


async def test_the_result_and_each_decision_lead_to_the_receipt(pub: Pub) -> None:
    ann, code = await played(pub)
    link = pub.house.link(code)
    assert read((await ann.page(code)).text).one("section", id="play").all("a", href=f"{link}/receipt")
    decision = await page_of(ann, f"/t/{code}/ask/1")
    assert decision.all("a", href=f"{link}/receipt")
    page = await page_of(ann, f"/t/{code}/receipt")
    shared = page.one("p", id="share").words()
    assert shared.startswith("Midnight: ")
    assert shared.endswith(f"{link}/receipt")
    assert "You" not in shared, "it is read by others"
    assert (page.one("meta", property="og:title").attrs["content"] or "nothing") in shared
    picture = await ann.get(f"/t/{code}/receipt.svg")
    assert (picture.status, picture.headers["content-type"]) == (200, "image/svg+xml")
    drawn = read(picture.text)
    words, address = drawn.one("title").words(), drawn.one("desc").words()
    assert f"{words} {address}" == shared, "what is copied there and at the end of the match is the same"
    assert drawn.all("polyline"), "the chances as lines"
    shown = page.one("img", **{"class": "picture"})
    assert str(shown.attrs["alt"]).startswith(words)
    assert "It turned here" in str(shown.attrs["alt"])
    size = [drawn.one("svg", xmlns="http://www.w3.org/2000/svg").attrs[name] for name in ("width", "height")]
    assert size == [shown.attrs[name] for name in ("width", "height")]


async def test_a_match_too_long_for_a_receipt_says_how_long_it_is(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(review, "MOST_MOVES", 3)
    ann, code = await played(pub, "ship", "rounds 3")
    why = (await asked_of(ann, f"/t/{code}/receipt")).data["why"]
    assert re.fullmatch(r"This match has \d+ moves, and a receipt is written for 3 at most\.", why)


@at_the_pub(limits=replace(UNLIMITED, records=Rate(1 / 60, 1)))
async def test_a_page_that_asks_again_has_its_log_read_once(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "WAIT_S", 0.01)
    ann, code = await played(pub)
    held = Held()
    monkeypatch.setattr(pub.worker, "run", held.run)
    address = f"{pub.house.link(code)}/receipt"
    cid, eve = pub.client("Cid"), pub.client("Eve")
    asked = [await client.get(address, "text/html") for client in (cid, cid, eve, ann)]
    assert [answer.status for answer in asked] == [202, 202, 202, 429], "Ann's own receipt has other words"
    held.may.set()
    assert (await asked_of(eve, address)).data["seats"].keys() == {"Ann", "Bob"}


@at_the_pub(limits=Limits(ANY, ANY, ANY, ANY, ANY, ANY, ANY, questions=Rate(1, 1)))
async def test_a_receipt_once_worked_out_counts_no_more(pub: Pub) -> None:
    ann, code = await played(pub)
    await pub.advance(60_000)
    while (await ann.get(f"/t/{code}/receipt")).status == 202:
        await pub.advance(60_000)
    await pub.client("Cid").done(code, "queue", name="Cid")
    steps = [(await ann.get(f"/t/{code}/receipt?step={step}")).status for step in range(5)]
    assert steps == [200] * 5, "also after somebody came to watch and queued"


async def test_the_receipts_longest_unused_are_forgotten_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(answers, "WAIT_S", 5)
    worker = Held()
    worker.may.set()
    house = Answers(worker)
    for seq in range(MOST_RECEIPTS + 5):
        await house.ask("Ann", write_receipt, MatchRecord(("CODE", seq), "nonsense"), "en")
        await house.ask("Bob", write_receipt, MatchRecord(("CODE", 0), "nonsense"), "en")
        house.known(write_receipt, MatchRecord(("CODE", 1)), "en")
    known = [
        house.known(write_receipt, MatchRecord(("CODE", seq)), "en") is not None for seq in range(MOST_RECEIPTS + 5)
    ]
    assert known.count(True) <= MOST_RECEIPTS
    assert known[:3] == [True, True, False]
    assert worker.asked == len(known), "none is worked out twice"
    assert known[-1]


async def test_a_match_with_sealed_dice_has_its_receipt(pub: Pub) -> None:
    ann, bob, code = await growing(pub, dice="sealed")
    for client in (ann, bob):
        await client.done(code, "seed", seed=f"{client.name} seed")
    await ann.done(code, "start")
    await play_out(pub, code, [ann, bob])
    assert (await asked_of(ann, f"/t/{code}/receipt")).data["luck_rank"]["replays"] == 25
