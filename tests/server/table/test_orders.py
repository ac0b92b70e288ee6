"""Tables ordered: each key opens one table and never a second, and a bad key none."""

import asyncio
from typing import Any

import pytest

from support.house import MONTH, Pub, at_the_pub, play_out, seated


@pytest.mark.parametrize("kill", [False, True])
@at_the_pub()
async def test_an_order_repeated_after_a_restart_opens_no_second_table(pub: Pub, kill: bool) -> None:
    ann = pub.client("Ann")
    code = await ann.order(key="the-one-key")
    await pub.restart(2 * MONTH, kill=kill)
    codes = await asyncio.gather(*[ann.order(key="the-one-key") for _ in range(10)])
    assert set(codes) == {code}
    assert len(pub.store.tables()) == 1
    assert await pub.client("Bob").order(key="the-one-key") != code
    assert await ann.order(key="another-key") != code
    assert await ann.order() != await ann.order(), "without a key each is another"


@at_the_pub()
async def test_a_house_killed_at_a_rematch_lays_no_other(pub: Pub) -> None:
    ann, bob, code = await seated(pub, rules={"format": "rounds 1"})
    await play_out(pub, code, [ann, bob])
    lost = asyncio.ensure_future(ann.ask(code, "rematch", "the-lost-key"))
    while len(pub.store.tables()) < 2:
        await asyncio.sleep(0)
    lost.cancel()
    await pub.restart(kill=True)
    assert not any("rematched" in line for line in pub.stored(code)), "it is not written down"
    answers = [await client.ask(code, "rematch") for client in (bob, ann)]
    assert {answer.status for answer in answers} == {200}
    assert len({answer.data["go"] for answer in answers}) == 1
    assert len(pub.store.tables()) == 2
    assert sum("rematched" in line for line in pub.stored(code)) == 1
    assert (await pub.view(answers[0].data["go"].removeprefix("/t/")))["stage"] == "playing"


@at_the_pub()
async def test_impossible_house_rules_are_refused_in_the_pages_words(pub: Pub) -> None:
    ann = pub.client("Ann")
    order = {"game": "midnight", "name": "Ann", "people": 2}
    first = await ann.post("/tables", {**order, "rules": {"first": "Seat 2"}})
    assert (first.status, first.data["why"]) == (422, 'Write "draw" for who goes first, or leave it out.')
    code = await ann.order(people=2)
    why = {rule: (await ann.ask(code, "rules", rules={rule: "Ann"})).data["why"] for rule in ("first", "Format")}
    assert why == {
        "first": 'Write "draw" for who goes first, or leave it out.',
        "Format": 'There is no house rule called "Format" here.',
    }
    assert len(pub.store.tables()) == 1


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"do": "close", "seat": -1}, ": seat"),
        ({"do": "dance"}, ": do"),
        ({"do": "roll", "marks": ["a"]}, ": marks"),
        ({"do": "roll", "colour": "red"}, ": colour"),
        ({"do": "roll", "<b>": "red"}, ""),
        ({}, ": do"),
        ([], ""),
    ],
)
@at_the_pub()
async def test_a_wrong_field_is_named_and_nothing_is_said_in_english(pub: Pub, asked: Any, field: str) -> None:
    ann = pub.client("Ann", "de")
    code = await ann.order(people=2)
    body = {"key": "a-key-of-ours", **asked} if isinstance(asked, dict) else asked
    answer = await ann.post(f"/t/{code}", body)
    assert answer.status == 422
    assert answer.data["why"] == f"An dieser Anfrage stimmt etwas nicht{field}."


@at_the_pub()
async def test_an_address_with_a_slash_at_its_end_is_none(pub: Pub) -> None:
    for path in ("/rules/..%2f", "/rules/midnight/", "/help/"):
        answer = await pub.client().get(path)
        assert (answer.status, answer.data["code"]) == (404, "no-page")


@pytest.mark.parametrize("key", ["x" * 65, "a key", "key\n", "schlüssel"])
@at_the_pub()
async def test_a_key_that_is_none_opens_no_table(pub: Pub, key: str) -> None:
    ann = pub.client("Ann")
    by_form = await ann.send("/tables", game="midnight", name="Ann", key=key)
    assert by_form.status == 422
    head, _, body = by_form.text.partition("</head>")
    assert head.count("Something in that request is wrong: ") == 1, "it is the first that is heard of the page"
    assert body.count("Something in that request is wrong: ") == body.count('class="refusal"')
    by_json = await ann.post("/tables", {"game": "midnight", "name": "Ann", "key": key})
    assert (by_json.status, by_json.data["code"]) == (422, "fields")
    assert not pub.store.tables()
    assert (await ann.send("/tables", game="midnight", name="Ann", key="x" * 64)).status == 303


@pytest.mark.parametrize(
    "rules",
    [
        {"seed": "abc"},
        {"seal": "x"},
        {"seeds": "a b"},
        {"check": "x"},
        {"night": "x"},
        {"seats": "Eve, Dan"},
        {"game": "ship"},
        {"colour": "red"},
        {"Seed": "abc"},
    ],
    ids=lambda rules: next(iter(rules)),
)
@at_the_pub()
async def test_a_rule_that_a_table_would_ignore_is_refused(pub: Pub, rules: dict[str, str]) -> None:
    ann = pub.client("Ann")
    answer = await ann.post("/tables", {"game": "midnight", "name": "Ann", "rules": rules})
    (key,) = rules
    assert (answer.status, answer.data["code"]) == (422, "header-key")
    assert answer.data["why"] == f'There is no house rule called "{key}" here.'
    assert not pub.store.tables()
    if key == "game":
        return
    code = await ann.order(people=2)
    stored = pub.stored(code)
    assert (await ann.ask(code, "rules", rules=rules)).data["code"] == "header-key"
    assert (await ann.ask(code, "plan", play="ship", times="1", rules=rules)).data["code"] == "header-key"
    assert pub.stored(code) == stored
