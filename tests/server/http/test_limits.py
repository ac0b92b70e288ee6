"""Limits that meet guesses and floods and no player, and codes that are found and run out."""

import re
from collections.abc import Callable
from dataclasses import fields, replace
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pubdice.server import evenings, match_records
from pubdice.server.evenings import Evenings
from pubdice.server.table import in_play, new_tables
from pubdice.server.table.codes import RUDE_CODES, link, syllables
from pubdice.server.table.in_play import InPlay
from pubdice.server.table.new_tables import MOST_SHORT
from pubdice.server.table.seat_words import WORDS_OF_A_SEAT
from pubdice.server.web.limits import Buckets, Limiter, Limits, Rate, block_of, retry_after
from server.http.test_evening import chain
from support.house import ANY, HOUR, MONTH, UNLIMITED, Pub, at_the_pub, play_out, seated
from support.html_tree import read

SECURITY = Path(__file__).parents[3] / "docs/host/security.md"
HERE = "192.0.2.7"


class PlainBucket:
    """The same in exact numbers, written the long way round."""

    def __init__(self, per_s: Fraction, burst: int) -> None:
        self.per_s, self.burst, self.held, self.at = per_s, Fraction(burst), Fraction(burst), Fraction(0)

    def take(self, now: Fraction) -> Fraction:
        self.held = min(self.burst, self.held + (now - self.at) * self.per_s)
        self.at = now
        if self.held >= 1:
            self.held -= 1
            return Fraction(0)
        return (1 - self.held) / self.per_s


@given(
    st.sampled_from([Rate(1, 1), Rate(5, 30), Rate(10 / 60, 20), Rate(60, 600), Rate(4, 3)]),
    st.lists(st.integers(0, 40), max_size=120),
)
def test_a_bucket_lets_through_what_a_bucket_lets_through(rate: Rate, quarters: list[int]) -> None:
    buckets = Buckets(rate, 10)
    plain = PlainBucket(Fraction(rate.per_s).limit_denominator(1000), rate.burst)
    now = 0
    for quarter in quarters:
        now += quarter
        wait, right = buckets.take("a", now / 4), plain.take(Fraction(now, 4))
        assert (wait > 0) == (right > 0)
        assert abs(wait - right) < 1e-4


def test_sixty_phones_behind_one_address_never_meet_a_limit() -> None:
    limiter, now = Limiter(), 0.0
    for _ in range(60):  # all at once open a page of six parts, and a stream
        assert all(limiter.request(HERE, now) == 0 for _ in range(7))
        assert limiter.stream_opens(HERE)
    for second in range(600):  # then a move every two seconds each, and as many other requests
        for phone in range(60):
            if phone % 2 == second % 2:
                assert limiter.command(f"person {phone}", second) == 0
                assert limiter.request(HERE, second) == 0
            assert second % 2 or limiter.request(HERE, second) == 0
    for _ in range(15):  # every fourth mistypes a code within a minute
        assert limiter.guess(HERE, now) == 0
        limiter.missed(HERE, now)


def test_many_addresses_guess_no_more_than_the_house_allows() -> None:
    limiter, tried = Limiter(), 0
    for second in range(3600):
        for at in range(20):
            address = f"10.{at}.{second % 200}.1"
            if limiter.guess(address, second) == 0:
                limiter.missed(address, second)
                tried += 1
    assert tried <= 60 + 180 + 1


def test_misses_on_credit_are_paid_back_within_40_minutes() -> None:
    limiter = Limiter()
    for _ in range(10_000):
        limiter.missed(HERE, 0)
    assert 0 < limiter.guess(HERE, 0) <= 2 * 20 * 60


def test_openings_and_streams_have_an_end() -> None:
    limiter = Limiter(Limits(streams=2))
    assert [limiter.opening(HERE, 0) > 0 for _ in range(31)] == [False] * 30 + [True]
    assert [limiter.stream_opens(HERE) for _ in range(3)] == [True, True, False]
    limiter.stream_closed(HERE)
    assert limiter.stream_opens(HERE)
    for _ in range(5):
        limiter.stream_closed(HERE)
    assert [limiter.stream_opens(HERE) for _ in range(3)] == [True, True, False]
    assert limiter.stream_opens("2001:db8::1")


def test_memory_is_bounded_and_full_buckets_are_forgotten() -> None:
    buckets = Buckets(Rate(1, 5), 1000)
    for at in range(50_000):
        buckets.take(f"address {at}", 0)
        assert len(buckets) <= 1000
    for at in range(1100):
        buckets.take(f"later {at}", 100 + at)
    assert len(buckets) < 10


def test_an_ipv6_household_is_one_address() -> None:
    assert block_of("2001:db8:0:100::1") == block_of("2001:db8:0:1ff:ffff::2") != block_of("2001:db8:0:200::1")
    assert block_of("::ffff:192.0.2.7") == block_of("192.0.2.7") == "192.0.2.7"
    assert block_of("fe80::1%eth0") == "fe80::"
    assert block_of("") == block_of("testclient") == "unknown"


def test_retry_after_never_asks_to_come_back_too_early() -> None:
    assert [retry_after(wait) for wait in (0.001, 1.0, 1.001, 59.5)] == ["1", "1", "2", "60"]


def test_every_limit_is_documented_with_its_value() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \| ([^|]+) \|", SECURITY.read_text(encoding="utf-8"), re.MULTILINE))
    for limit in fields(Limits):
        value = getattr(Limits(), limit.name)
        told = str(value) if isinstance(value, Rate) else f"{value:,}"
        if isinstance(value, Rate):
            often = f"{value.per_s:g} a second" if value.per_s >= 1 else f"{value.per_s * 60:g} a minute"
            told = f"{often}, {value.burst} at once"
        assert rows.get(limit.name, "").strip() == told, limit.name


def test_a_clock_set_back_turns_nobody_away() -> None:
    limiter = Limiter(Limits())
    for _ in range(600):
        assert limiter.request("192.0.2.1", 10_000.0) == 0
    assert limiter.request("192.0.2.1", 10_000.0) > 0
    assert limiter.request("192.0.2.1", 10_000.0 - 3_600) == 0


@pytest.mark.parametrize("missed", [Limiter.missed, Limiter.missed_words])
def test_a_wrong_guess_of_any_kind_is_kept_once(missed: Callable[[Limiter, str, float], None]) -> None:
    limiter = Limiter()
    assert limiter.changed_guesses(0) is None
    missed(limiter, HERE, 0)
    assert limiter.changed_guesses(0) is not None
    assert limiter.changed_guesses(0) is None


def test_guesses_are_kept_through_a_restart_and_tell_no_address() -> None:
    before = Limiter(secret=b"the house's")
    assert before.changed_guesses(0) is None
    for _ in range(20):
        before.missed(HERE, 1000)
        before.missed_words("192.0.2.9", 1000)
    kept = before.changed_guesses(1000)
    assert kept is not None
    assert before.changed_guesses(1000) is None
    assert b"192.0.2" not in kept
    after = Limiter(secret=b"the house's")
    after.restore_guesses(kept, 1001)
    assert after.guess(HERE, 1001) == before.guess(HERE, 1001) > 50
    assert after.guess_words("192.0.2.9", 1001) > 0
    assert after.guess("192.0.2.8", 1001) == 0
    for nonsense in (b"", b"[]", b"[1,2,3,4]", b'[{"a":"x"},{},{},{}]', b'[{"a":1e99},{},{},{}]', b"\xff", b"[" * 9999):
        after = Limiter(secret=b"the house's")
        after.restore_guesses(nonsense, 1001)
        assert after.guess(HERE, 1001) == 0


@pytest.mark.nightly
def test_codes_cannot_be_guessed_at_the_rate_that_is_allowed() -> None:
    """The figures of the security page, everybody guessing at the rate the limits allow."""
    limits, evening_s, day_s = Limits(), 5 * 3600, 86_400
    known = len(syllables())
    two = sum(not any(rude in a + b for rude in RUDE_CODES) for a in syllables() for b in syllables())
    assert known == 575
    assert 330_500 < two <= 330_607, "each language leaves out a few"
    house, alone = limits.house_misses, limits.misses
    evening = house.burst + house.per_s * evening_s
    assert evening == 60 + 900
    assert evening / two < 0.003  # a given table, in an evening
    assert (alone.burst + alone.per_s * evening_s) / two < 0.001  # from one address
    assert 38 < two / 2 / house.per_s / day_s < 38.5  # days on average, all addresses together
    assert 114.5 < two / 2 / alone.per_s / day_s < 115
    for tables, together, from_one in ((100, 18.4, 55), (10_000, 18.4, 55), (100_000, 10.6, 32)):
        found = max(min(tables, MOST_SHORT) / two, (tables - MOST_SHORT) / known**3)  # guessed as pays best
        assert abs(1 / found / house.per_s / 3600 - together) < 0.1, tables
        assert abs(1 / found / alone.per_s / 3600 - from_one) < 0.5, tables
    words = limits.house_wrong_words
    assert (words.burst + words.per_s * evening_s) / 2 ** (10 * WORDS_OF_A_SEAT) < 1 / 60_000_000


@at_the_pub(limits=replace(UNLIMITED, commands=Rate(1, 3), streams=2))
async def test_one_person_s_commands_and_streams_hold_up_no_other(pub: Pub) -> None:
    ann, bob, code = await seated(pub)
    answers = [await ann.ask(code, "pace", ms=ms) for ms in range(1, 6)]
    assert [answer.status for answer in answers] == [200] * 3 + [429] * 2
    assert (answers[-1].data["code"], answers[-1].headers["retry-after"]) == ("often", "1")
    assert (await bob.ask(code, "give")).status == 200
    streams = [await ann.look(code) for _ in range(2)]
    assert (await bob.get(f"/t/{code}/events")).status == 429, "of one address"
    bob.address = "192.0.2.8"
    assert not (await bob.look(code)).ended
    await streams[0].drop()
    assert not (await ann.look(code)).ended


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


async def test_an_idle_code_runs_out_for_those_who_never_sat_there(pub: Pub) -> None:
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


async def test_a_house_of_many_tables_gives_codes_a_third_syllable(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_addresses_that_opened_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(in_play, "REMEMBERED", 10)
    monkeypatch.setattr(in_play, "MOST_SHOWN", 2)
    tables = InPlay(lambda code: True)
    for number in range(50):
        tables.opened(f"10.0.{number // 3}.1", f"T{number}", number)
    assert len(tables._from) == 10
    assert tables.is_crowded(["T45", "T46", "T47"])


async def test_records_that_were_asked_for(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match_records, "MOST_RECORDS", 2)
    for _ in range(3):
        ann, bob, code = await seated(pub, game="threes", rules={"format": "rounds 1"})
        await play_out(pub, code, [ann, bob])
        assert (await ann.get(f"/t/{code}/record")).status == 200
    assert len(pub.house._records._latest) == 2


async def test_matches_of_evenings(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evenings, "MOST_KEPT", 2)
    _, _, codes = await chain(pub, "threes rounds 1", "threes rounds 1", "threes rounds 1")
    kept = Evenings(pub.house)
    for _ in range(2):
        whole = await kept.of(pub.actor(codes[-1]))
        assert [match.code for match in whole.matches] == [code.partition("-")[0] for code in codes]
        assert len(kept._over) == 2
