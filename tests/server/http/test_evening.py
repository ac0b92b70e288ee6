"""The page of an evening: from any table of a chain, its tally, its payer, its matches, highlights, and records."""

from dataclasses import dataclass
from typing import Any

import pytest

from pubdice.advice import luck_rank as ranks
from pubdice.checked_record import read_checked
from pubdice.games import GAMES
from pubdice.match.formats import Unit
from pubdice.match.notation import parts
from pubdice.match.sealed_record import check_dice
from pubdice.room.setup import Row
from pubdice.server import answers, evenings, jobs
from pubdice.server.answers import Answers
from pubdice.server.jobs import NoAnswer
from pubdice.server.pages import evening
from pubdice.server.table.codes import read_code
from pubdice.server.web.limits import Limits, Rate
from pubdice.text.catalogues import language
from server.http.test_ask import Held, asked_of
from server.http.test_receipt import page_of
from server.table.test_rematches import on
from support.house import ANY, Pub, at_the_pub, growing, play_out
from support.html_tree import read


async def chain(pub: Pub, *plays: str, game: str = "threes", form: str = "rounds 1", **order: Any) -> Any:
    """Ann and Bob, and the codes of the tables of an evening with so many more matches. All are over."""
    ann, bob, code = await growing(pub, game=game, rules={"format": form}, **order)
    for play in plays:
        await ann.done(code, "plan", play=play, times="1")
    codes = [code]
    for number in range(len(plays) + 1):
        if order.get("dice") == "sealed":
            for client in (ann, bob):
                await client.done(codes[-1], "seed", seed=f"{client.name} {number}")
        if number == 0 or order.get("dice") == "sealed":
            await ann.done(codes[-1], "start")
        await play_out(pub, codes[-1], [ann, bob])
        if number < len(plays):
            codes.append(await on(pub, codes[-1], [ann, bob]))
    return ann, bob, codes


async def test_an_evening_is_the_same_from_any_of_its_tables(pub: Pub) -> None:
    ann, _, codes = await chain(pub, "midnight rounds 1", "ship rounds 1")
    found = [(await asked_of(ann, f"/t/{code}/evening")).data for code in codes]
    assert found[0] == found[1] == found[2]
    data = found[0]
    assert (data["games"], data["older"], data["weighed"], data["of"]) == (3, 0, 3, 3)
    assert [match["game"] for match in data["matches"]] == ["threes", "midnight", "ship"]
    wins = {row["name"]: row["wins"] for row in data["rows"]}
    for name in ("Ann", "Bob"):
        assert wins[name] == sum(name in match["winners"] for match in data["matches"])
    page = await page_of(pub.client("Eve"), f"{pub.house.link(read_code(codes[0]) or '')}/evening")
    matches = page.one("section", id="matches").one("ol").all("li")
    for match, shown in zip(data["matches"], matches, strict=True):
        hrefs = [node.attrs["href"] for node in shown.all("a")]
        assert hrefs == [f"{match['go']}/receipt", f"{match['go']}/record"]
        assert (await ann.get(f"{match['go']}/record")).status == 200
    rows = page.one("table").one("tbody").all("tr")
    assert [(row.one("th").words(), row.all("td")[0].words()) for row in rows] == [
        (row["name"], str(row["wins"])) for row in data["rows"]
    ]


async def test_the_highlights_are_the_greatest_of_all_receipts(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranks, "MOST_REPLAYS", 25)
    ann, _, codes = await chain(pub, "midnight rounds 1", "ship rounds 1")
    receipts = [(await asked_of(ann, f"/t/{code}/receipt")).data for code in codes]
    data = (await asked_of(ann, f"/t/{codes[0]}/evening")).data
    lost = [receipt["worst"]["lost"] if receipt["worst"] else 0.0 for receipt in receipts]
    gain = [receipt["best_roll"]["gain"] if receipt["best_roll"] else 0.0 for receipt in receipts]
    assert [each["match"] for each in data["dearest"]] == ([1 + lost.index(max(lost))] if any(lost) else [])
    assert [each["match"] for each in data["luckiest"]] == [1 + gain.index(max(gain))]
    page = await page_of(ann, f"/t/{codes[-1]}/evening")
    told = " ".join(data["luckiest"][0]["told"])
    assert told in page.words()
    links = [str(node.attrs["href"]) for node in page.all("a")]
    step = next(link for link in links if "/receipt?step=" in link)
    assert told.split(". ")[0].rstrip(".") in (await page_of(ann, step.partition("#")[0])).words()


async def test_an_evening_links_to_its_match_under_way(pub: Pub) -> None:
    ann, bob, codes = await chain(pub, "midnight rounds 1")
    await on(pub, codes[-1], [ann, bob])
    data = (await asked_of(ann, f"/t/{codes[0]}/evening")).data
    assert [match["stage"] for match in data["matches"]] == ["over", "over", "playing"]
    page = await page_of(ann, f"/t/{codes[0]}/evening")
    last = page.one("section", id="matches").one("ol").all("li")[-1]
    assert "Under way" in last.words()
    assert [node.attrs["href"] for node in last.all("a")] == [data["matches"][-1]["go"]]
    assert len(parts((await ann.get(f"/t/{codes[0]}/evening/records")).text)) == 2


async def test_all_records_are_in_one_file_each_as_the_table_has_it(pub: Pub) -> None:
    ann, _, codes = await chain(pub, "midnight rounds 1", dice="sealed")
    answer = await ann.get(f"/t/{codes[0]}/evening/records")
    assert answer.status == 200
    assert answer.headers["content-disposition"].endswith('.records"')
    records = parts(answer.text)
    assert len(records) == 2
    for code, text in zip(codes, records, strict=True):
        own = (await ann.get(f"/t/{code}/record")).text
        assert text.rstrip("\n") == own.rstrip("\n")
        assert read_checked(text, GAMES, language("en")).steps[-1].after.over
        assert check_dice(text).fault is None


async def test_a_chain_is_followed_to_the_tables_that_are_wanted(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
    _, _, codes = await chain(pub, "threes rounds 1", "threes rounds 1")
    first, second, last = [code.partition("-")[0] for code in codes]
    kept = evenings.Evenings(pub.house)
    assert await kept.chain(last, {second}) == [last, second]
    assert await kept.chain(last, {first, second}) == [last, second, first]
    monkeypatch.setattr(evenings, "MOST_SHOWN", 2)
    assert await kept.chain(last, {first}) == [last, second]


async def test_a_file_of_records_is_no_larger_than_a_program_reads(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, _, codes = await chain(pub, "threes rounds 1", "threes rounds 1")
    target = f"/t/{codes[0]}/evening/records"
    size = len((await ann.get(target)).text.replace("\n\npubdice", "\npubdice"))
    for most, status in ((size, 200), (size - 1, 409)):
        monkeypatch.setattr(evenings, "MOST_BYTES", most)
        assert (await ann.get(target)).status == status


async def test_before_the_first_end_an_evening_has_no_result(pub: Pub) -> None:
    ann, bob, code = await growing(pub)
    page = await page_of(ann, f"/t/{code}/evening")
    assert "No match of this evening is over yet." in page.words()
    refused = await bob.get(f"/t/{code}/evening/records")
    assert (refused.status, refused.data["code"]) == (404, "no-match-over")


async def test_a_long_evening_shows_the_latest_and_sums_up_the_rest(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evenings, "MOST_SHOWN", 2)
    ann, _, codes = await chain(pub, "midnight rounds 1", "threes rounds 1")
    data = (await asked_of(ann, f"/t/{codes[0]}/evening")).data
    assert (data["games"], data["older"], len(data["matches"]), data["of"]) == (3, 1, 2, 2)
    assert [match["number"] for match in data["matches"]] == [2, 3]
    page = await page_of(ann, f"/t/{codes[0]}/evening")
    assert "One earlier match counts but isn't shown." in page.words()


async def test_an_evening_is_shown_while_highlights_are_found(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "WAIT_S", 0.01)
    held = Held()
    ann, _, codes = await chain(pub, "midnight rounds 1")
    pub.house.answers = Answers(held)
    answer = await ann.get(f"/t/{codes[0]}/evening", "text/html")
    assert answer.status == 202
    assert "Looking through the matches: 0 of 2…" in read(answer.text).words()
    assert 'http-equiv="refresh"' in answer.text
    assert held.asked == 1
    held.may.set()
    data = (await asked_of(ann, f"/t/{codes[0]}/evening")).data
    assert (data["weighed"], data["of"]) == (2, 2)


async def test_who_may_not_see_the_table_does_not_see_its_evening(pub: Pub) -> None:
    _, _, code = await growing(pub)
    stranger = pub.client("Eve")
    link = pub.house.link(code)
    for path in ("/evening", "/evening/records"):
        wrong = link[:-1] + ("a" if link[-1] != "a" else "b")
        assert (await stranger.get(f"{wrong}{path}")).data["code"] == "no-link"
        assert (await stranger.get(f"/t/QQQQQQ{path}")).data["code"] == "no-table"


async def test_a_match_too_large_says_so_among_others(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, _, codes = await chain(pub, "midnight rounds 1")

    def large(cache: Any, match: jobs.MatchRecord, code: str, you: int | None) -> Any:
        if "game: midnight" in match.text:
            return NoAnswer("too-large", "This match is too large to solve on this machine.")
        return jobs.find_highlights(cache, match, code, you)

    monkeypatch.setattr("pubdice.server.evenings.find_highlights", large)
    page = await page_of(ann, f"/t/{codes[0]}/evening")
    assert "Match 2: This match is too large to solve on this machine." in page.words()
    data = (await asked_of(ann, f"/t/{codes[0]}/evening")).data
    assert (data["weighed"], [each["match"] for each in data["luckiest"]]) == (2, [1])


@dataclass(frozen=True)
class ToYou:
    """A page's word for its reader, in a language."""

    tongue: str
    you: str
    won: str
    won_by: str
    won_too: str
    leads: str


@pytest.mark.parametrize(
    "said",
    [
        ToYou("en", "You", "You won", "Won by {names}", "Won by you and {names}", "You lead."),
        ToYou("de", "Du", "Du hast gewonnen", "Gewonnen: {names}", "Gewonnen: du und {names}", "Du führst."),
    ],
    ids=["en", "de"],
)
async def test_players_are_told_as_you(pub: Pub, said: ToYou) -> None:
    ann, bob, codes = await chain(pub, "ship rounds 1")
    found = (await asked_of(ann, f"/t/{codes[0]}/evening")).data
    wins = {row["name"]: row["wins"] for row in found["rows"]}
    for reader, other in ((ann, bob), (bob, ann)):
        reader.speaks = said.tongue
        page = await page_of(reader, f"/t/{codes[0]}/evening")
        names = {row.one("th").words() for row in page.one("table").one("tbody").all("tr")}
        assert names == {said.you, other.name}
        shown = page.one("section", id="matches").one("ol").all("li")
        for match, item in zip(found["matches"], shown, strict=True):
            if match["winners"] == [reader.name]:
                assert said.won in item.words()
            elif reader.name in match["winners"]:
                assert said.won_too.format(names=other.name) in item.words()
            else:
                assert said.won_by.format(names=other.name) in item.words()
        assert (said.leads in page.words()) == (wins[reader.name] > wins[other.name])
        shared = page.one("p", id="share").words()
        assert reader.name in shared, "handed on, it is read by others"
        assert reader.name not in page.words().replace(shared, "")
    stranger = pub.client("Eve", speaks=said.tongue)
    page = await page_of(stranger, f"{pub.house.link(read_code(codes[0]) or '')}/evening")
    assert {row.one("th").words() for row in page.one("table").one("tbody").all("tr")} == {"Ann", "Bob"}


async def test_people_who_share_a_phone_are_called_by_name_there(pub: Pub) -> None:
    ann, bob, code = await growing(pub, game="threes")
    await bob.done(code, "share", name="Kim")
    await ann.done(code, "start")
    await play_out(pub, code, [ann, bob])
    for client, names in ((ann, {"You", "Bob", "Kim"}), (bob, {"Ann", "Bob", "Kim"})):
        page = await page_of(client, f"/t/{code}/evening")
        assert {row.one("th").words() for row in page.one("table").one("tbody").all("tr")} == names
        assert ("You" in page.words()) == (client is ann)


async def test_the_table_pages_lead_there_once_a_match_is_over(pub: Pub) -> None:
    ann, bob, code = await growing(pub)
    assert "/evening" not in (await ann.page(code)).text
    await ann.done(code, "start")
    await play_out(pub, code, [ann, bob])
    href = f"{pub.house.link(read_code(code) or '')}/evening"
    assert href in [node.attrs.get("href") for node in read((await bob.page(code)).text).all("a")]
    big = read((await bob.get(f"{pub.house.link(read_code(code) or '')}/big", "text/html")).text)
    assert "All square: split the bill" in big.words()
    following = await on(pub, code, [ann, bob])
    assert f"{pub.house.link(read_code(following) or '')}/evening" in (await bob.page(following)).text


@at_the_pub(limits=Limits(ANY, ANY, ANY, ANY, ANY, ANY, ANY, Rate(0.001, 4), ANY, ANY, streams=10))
async def test_a_file_of_records_counts_as_so_many_and_is_given_whole(pub: Pub) -> None:
    ann, _, codes = await chain(pub, "midnight rounds 1", "threes rounds 1")
    assert len(parts((await ann.get(f"/t/{codes[0]}/evening/records")).text)) == 3
    assert (await ann.get(f"/t/{codes[0]}/record")).status == 200
    assert (await ann.get(f"/t/{codes[0]}/record")).status == 429


def test_only_what_is_counted_with_a_heading_has_a_column() -> None:
    units = {unit.key: unit for unit in (Unit("chips", label="Chips"), Unit("points"))}
    row = Row("Ann", people=("ann",), wins=1, takings=(("points", 3), ("chips", -2), ("gone", 1)))
    assert evening.columns([row], units) == ("chips",)
    assert evening.columns([], units) == ()
