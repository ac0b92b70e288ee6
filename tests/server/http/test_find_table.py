"""Who gets to a table: links without a limit, codes with one, seats always; and codes that have run out."""

import pytest

from pubdice.server.table import new_tables
from pubdice.server.table.codes import link
from pubdice.server.web.limits import Limits, Rate
from support.house import ANY, HOUR, MONTH, Pub, at_the_pub, play_out
from support.html_tree import read

GUESSING = Limits(ANY, ANY, Rate(1 / 60, 3), Rate(3 / 60, 6), openings=ANY, streams=100)


@at_the_pub(limits=GUESSING)
async def test_links_open_while_others_use_up_the_guesses(pub: Pub) -> None:
    ann, eve, bob = pub.client("Ann"), pub.client("Eve"), pub.client("Bob")
    code = await ann.order(people=2)
    way = pub.house.link(code).removeprefix("/t/")
    tried = [(await eve.get(f"/t/BAFBA{letter}")).status for letter in "FKLMNPRST"]
    assert tried == [404] * 3 + [429] * 6
    assert (await bob.get(f"/t/{code}/state")).status == 429
    assert (await bob.get(f"/find?code={code}", "text/html")).status == 429
    assert (await bob.page(way)).status == 200
    assert (await bob.get(f"/t/{way}/state")).status == 200
    assert (await bob.ask(way, "sit", name="Bob")).status == 200
    stream = await bob.look(way)
    assert stream.view["stage"] == "playing"
    for target in (f"/t/{code}/state", f"/t/{code}/qr.svg", f"/t/{code}/record"):
        assert (await bob.get(target)).status == 200, "a person with a seat is let in by the code"


@at_the_pub(limits=GUESSING)
async def test_a_typed_code_leads_to_the_link_and_a_bare_page_too(pub: Pub) -> None:
    ann = pub.client("Ann")
    code = await ann.order(people=2)
    for typed in (
        code,
        code.lower(),
        f"{code[:3]} {code[3:]}",
        pub.house.link(code),
        f"http://pub{pub.house.link(code)}",
        f"https://{'a-long-name-of-a-house.' * 5}example{pub.house.link(code)}%23play",
    ):
        answer = await pub.client().request("GET", f"/find?code={typed.replace(' ', '+')}")
        assert (answer.status, answer.headers["location"]) == (303, pub.house.link(code)), typed
        field = read((await pub.client().get("/", "text/html")).text).one("input", id="code")
        assert len(typed) <= int(str(field.attrs["maxlength"])), "the field takes it whole"
    assert (await pub.client().get(f"/t/{code}", "text/html")).headers["location"] == pub.house.link(code)


@at_the_pub(limits=GUESSING)
async def test_a_wrong_link_is_refused_and_counts_as_no_guess(pub: Pub) -> None:
    ann, eve = pub.client("Ann"), pub.client("Eve")
    code = await ann.order(people=2)
    wrong = [link(b"another's", code), f"{code}-aaaaaaaaaaaa", link(b"another's", "BAFBAF")] * 5
    answers = [await eve.get(f"/t/{each}/state") for each in wrong]
    assert {(answer.status, answer.data["code"]) for answer in answers} == {(404, "no-link")}
    assert (await eve.get(f"/t/{code}/state")).status == 200
    gone = await eve.get(f"{pub.house.link('BAFBAF')}/state")
    assert (gone.status, gone.data["code"]) == (404, "no-table"), "the link was right once"


async def test_codes_nobody_plays_by_run_out_but_not_for_those_who_sat_there(pub: Pub) -> None:
    ann, bob = pub.client("Ann"), pub.client("Bob")
    code = await ann.order(people=2)
    await pub.sleep(MONTH)
    assert (await bob.get(f"/t/{code}/state")).status == 200
    await pub.sleep(HOUR)
    answer = await bob.get(f"/t/{code}/state")
    assert (answer.status, answer.data["code"]) == (404, "code-retired")
    assert "month" not in answer.data["why"]
    assert (await bob.get(f"/find?code={code}", "text/html")).status == 404
    assert (await ann.get(f"/t/{code}/state")).status == 200
    assert (await bob.get(f"{pub.house.link(code)}/state")).status == 200
    await ann.done(code, "leave")
    await pub.sleep(MONTH + HOUR)
    assert (await ann.get(f"/t/{code}/state")).status == 200, "she sat there once"
    assert (await ann.page(code)).status == 200


async def test_the_code_of_a_match_that_is_over_runs_out_after_a_day(pub: Pub) -> None:
    ann = pub.client("Ann")
    code = await ann.order(people=1, rules={"format": "rounds 1"})
    await play_out(pub, code, [ann])
    await pub.sleep(23 * HOUR)
    assert (await pub.client().get(f"/t/{code}/state")).status == 200
    await pub.sleep(2 * HOUR)
    assert (await pub.client().get(f"/t/{code}/state")).status == 404
    assert (await pub.client().get(f"{pub.house.link(code)}/record")).status == 200


async def test_where_many_tables_are_in_use_new_codes_have_a_third_syllable(
    pub: Pub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(new_tables, "MOST_SHORT", 5)
    ann = pub.client("Ann")
    codes = [await ann.order(people=2) for _ in range(7)]
    assert [len(code) for code in codes] == [6] * 5 + [9, 9]
    await pub.sleep(MONTH + HOUR)
    assert len(await ann.order(people=2)) == 6


@at_the_pub(limits=GUESSING)
async def test_a_restart_gives_nobody_new_guesses(pub: Pub) -> None:
    eve = pub.client("Eve")
    assert [(await eve.get(f"/t/BAFBA{letter}")).status for letter in "FKLM"] == [404] * 3 + [429]
    await pub.restart()
    assert (await eve.get("/t/BAFBAN")).status == 429
    await pub.advance(10_000)
    await pub.restart(kill=True)
    assert (await eve.get("/t/BAFBAN")).status == 429
