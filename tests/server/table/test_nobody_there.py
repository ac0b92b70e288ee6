"""Nothing plays by itself: bots and clocks at an empty table, and the share of one table and one address."""

import pytest

from pubdice.core.errors import Refused
from pubdice.room import log_lines, state
from pubdice.server.table import autoplay, bot_moves, in_play
from pubdice.server.table.in_play import InPlay
from support.asgi_client import Client
from support.house import HOUR, MINUTE, SECOND, Pub, play_out, seated, table_of, three

pytestmark = pytest.mark.usefixtures("twenty_seats")

LONG = {"format": "pot 1 rounds 1000"}


async def given(pub: Pub, pace_ms: int = 1000) -> tuple[Client, str]:
    """Ann's table with nineteen bots. She has given her seat to a twentieth."""
    ann = pub.client("Ann")
    code = await ann.order(people=1, bots=["lucky"] * 19, pace_ms=pace_ms, rules=LONG)
    await ann.done(code, "give")
    return ann, code


@pytest.mark.parametrize("away_ms", [5 * MINUTE, pytest.param(3 * HOUR, marks=pytest.mark.nightly)])
async def test_when_somebody_is_back_the_table_goes_on_by_itself(pub: Pub, away_ms: int) -> None:
    ann, code = await given(pub)
    await pub.advance(5 * MINUTE)
    await pub.advance(away_ms)
    pub.house.tidy()
    played = len(pub.stored(code))
    stream = await ann.look(code)
    await pub.advance(10 * SECOND)
    assert len(pub.stored(code)) >= played + 10
    await stream.drop()
    await pub.advance(5 * MINUTE)
    rests = len(pub.stored(code))
    await pub.advance(HOUR)
    assert len(pub.stored(code)) == rests


async def test_a_watcher_without_a_stream_keeps_a_table_going(pub: Pub) -> None:
    _, code = await given(pub)
    stranger = pub.client()
    await pub.advance(5 * MINUTE)
    for path in ("", "/state"):
        played = len(pub.stored(code))
        assert (await stranger.get(f"{pub.house.link(code)}{path}", "text/html")).status == 200
        await pub.advance(30 * SECOND)
        assert len(pub.stored(code)) >= played + 30
        await pub.advance(5 * MINUTE)


async def test_after_a_restart_no_log_is_read_before_somebody_comes(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
    codes = [(await given(pub, 5000))[1] for _ in range(5)]
    await pub.restart(kill=True)
    await pub.advance(HOUR)
    assert not pub.house.actors
    await pub.client().get(f"/t/{codes[0]}/state")
    assert list(pub.house.actors) == codes[:1]


async def test_bots_play_slowly_where_no_page_is_open(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_moves, "HURRY", 100)
    ann, code = await given(pub, 0)
    await pub.advance(0)
    played = len(pub.stored(code))
    await pub.advance(15 * SECOND)
    acted = 15_000 // autoplay.UNSEEN_PACE_MS
    assert acted <= len(pub.stored(code)) - played <= 3 * acted, "an action may be followed by what it forces"
    await ann.look(code)
    played = len(pub.stored(code))
    await pub.advance(autoplay.UNSEEN_PACE_MS)
    assert len(pub.stored(code)) > played + 50, "and at once where one is"


async def test_fast_bots_share_what_the_house_has_for_them(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_moves, "HURRY", 50)
    ann, code = await given(pub, 0)
    await ann.look(code)
    await pub.advance(autoplay.UNSEEN_PACE_MS)
    before = len(pub.stored(code))
    assert before > 50
    await pub.advance(10 * SECOND)
    assert 3 <= len(pub.stored(code)) - before <= 3 * (10 * 10 + 50 + 10), "10 a second; each may force another"


async def test_a_clock_stands_still_at_an_empty_table(pub: Pub) -> None:
    people, streams, code = await three(pub, clock_s=600, grace_s=45)
    await pub.advance(5 * MINUTE)
    for stream in streams:
        await stream.drop()
    await pub.advance(HOUR)
    assert not any("timedout" in line for line in pub.stored(code))
    stream = await people[1].look(code)
    assert stream.view["clock"] == pub.clock.ms + 10 * MINUTE
    await pub.advance(10 * MINUTE)
    assert sum("timedout 0" in line for line in pub.stored(code)) == 1, "Ann is still away, and Bob waits"


async def test_marks_for_one_decision_are_bounded_and_seen_until_then(pub: Pub) -> None:
    ann = pub.client("Ann")
    code = await ann.order(people=1, bots=["tip"], rules={"format": "rounds 2"})
    stream = await ann.look(code)
    await ann.done(code, "roll")
    for number in range(log_lines.MOST_MARKS):
        await ann.done(code, "mark", marks=[number % 6])
    await pub.settle()
    assert stream.log[-1].endswith(f"mark {(log_lines.MOST_MARKS - 1) % 6}")
    refused = await ann.ask(code, "mark", marks=[0, 1])
    assert (refused.status, refused.data["code"]) == (429, "marks-enough")
    pub.house.actors.pop(code).close()
    assert (await ann.ask(code, "mark", marks=[0, 1])).status == 429, "and counted from the log too"
    await ann.done(code, "bank", marks=[0, 1, 2, 3, 4, 5])


async def test_marks_of_typed_lines_count_as_others_do(pub: Pub) -> None:
    ann = pub.client("Ann")
    code = await ann.order(people=1, bots=["tip"], rules={"format": "rounds 2"})
    await ann.done(code, "roll")
    face = (await pub.view(code))["dice"][0]["face"]
    before, line = len(pub.stored(code)), f"+{face} -{face} " * 6
    answers = [await ann.ask(code, "type", text=line) for _ in range(20)]
    assert {(each.status, each.data.get("code")) for each in answers} == {(200, None), (429, "marks-enough")}
    assert len(pub.stored(code)) - before <= log_lines.MOST_MARKS
    await ann.done(code, "type", text=f"{face} r")
    assert (await ann.ask(code, "type", text="+1 -1 " * 30)).data["code"] == "typed-many"


async def test_after_all_marks_a_player_may_still_roll_or_bank(pub: Pub) -> None:
    ann = pub.client("Ann")
    code = await ann.order(people=1, bots=["tip"], rules={"format": "rounds 2"})
    await ann.done(code, "roll")
    for number in range(log_lines.MOST_MARKS):
        await ann.done(code, "mark", marks=[number % 6])
    assert (await ann.ask(code, "type", text="k 1 k 2")).status != 200
    await ann.done(code, "roll", marks=[0, 1])


async def test_a_log_that_is_full_takes_no_more_and_its_bots_rest(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, code = await given(pub)
    stream = await ann.look(code)
    monkeypatch.setattr(log_lines, "LEAST_BOUND", 0)
    monkeypatch.setattr(state, "COMING_AND_GOING", 60)
    monkeypatch.setattr(state, "most_lines", lambda rounds, seats: 100)
    await pub.advance(HOUR)
    assert 100 <= len(pub.stored(code)) <= 110
    refused = await ann.ask(code, "resume")
    assert (refused.status, refused.data["code"]) == (409, "log-full")
    assert stream.log[-1] == pub.stored(code)[-1]


async def test_a_match_whose_log_is_full_can_be_played_again(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, bob, code = await seated(pub, people=3, bots=["tip"], rules={"format": "rounds 9"}, pace_ms=10_000)
    kim = pub.client("Kim")
    await kim.done(code, "sit", name="Kim")
    stream = await ann.look(code)
    monkeypatch.setattr(log_lines, "LEAST_BOUND", 0)
    monkeypatch.setattr(state, "COMING_AND_GOING", 1)
    assert (await ann.ask(code, "rematch")).data["code"] == "not-over"
    assert (await ann.ask(code, "forget")).data["code"] == "still-seated"
    monkeypatch.setattr(state, "most_lines", lambda rounds, seats: 4)
    for do in ("roll", "pause"):
        assert (await ann.ask(code, do)).data["code"] == "log-full"
    assert "takes no more moves" in (await ann.page(code)).text
    await bob.done(code, "give")
    await kim.done(code, "leave")
    await ann.done(code, "forget")
    following = (await ann.ask(code, "rematch")).data["go"].removeprefix("/t/")
    assert (await bob.ask(code, "rematch")).data["go"].removeprefix("/t/") == following
    await pub.settle()
    assert stream.log[-1].endswith("followed 1")
    assert [seat["kind"] for seat in (await pub.view(following))["seats"]] == ["person", "person", "bot", "bot"]
    pub.forget()
    assert (await pub.table(code)).state.rematch


async def test_strangers_who_come_and_go_leave_the_lines_of_the_match(
    pub: Pub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_lines, "LEAST_BOUND", 0)
    monkeypatch.setattr(log_lines, "MOST_COMINGS", 30)
    for module in (log_lines, state):
        monkeypatch.setattr(module, "A_TURN", 10_000)
    (ann, bob), code = await table_of(pub, "Ann", "Bob", people=None, rules={"format": "rounds 1"})
    answers = []
    for number in range(20):
        eve = pub.client(f"eve {number}")
        answers.append((await eve.ask(code, "sit", name="Eve")).data.get("code"))
        await eve.ask(code, "leave")
    assert answers[-1] == "log-comings"
    assert len(pub.stored(code)) <= 33
    assert (await ann.ask(code, "pace", ms=5)).data["code"] == "log-comings"
    await bob.done(code, "ready")
    await ann.done(code, "start")
    await play_out(pub, code, [ann, bob])
    following = (await ann.ask(code, "rematch")).data["go"].removeprefix("/t/")
    assert (await bob.ask(following, "sit")).status == 200


async def test_marks_and_undoing_leave_lines_for_moves(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = pub.client("Ann")
    code = await ann.order(people=1, bots=["tip"], rules={"format": "rounds 2"})
    await ann.done(code, "roll")
    monkeypatch.setattr(log_lines, "LEAST_BOUND", 0)
    monkeypatch.setattr(state, "most_lines", lambda rounds, seats: 40)
    answers = [await ann.ask(code, "mark", marks=[number % 6]) for number in range(40)]
    assert answers[-1].data["code"] == "log-choices"
    assert len(pub.stored(code)) == 30
    await ann.done(code, "roll", marks=[0])


def test_no_log_has_a_bound_below_the_least() -> None:
    lowest = state.most_lines(1, 1)
    assert min(log_lines.MOST_COMINGS, state.COMING_AND_GOING, lowest * 3 // 4) >= log_lines.LEAST_BOUND


def test_every_match_fits_its_bound() -> None:
    assert state.most_lines(20, 20) >= 20 * 20 * 6 * 4
    assert state.most_lines(1000, 99) == state.MOST_LINES


def test_what_counts_as_in_play() -> None:
    stands: dict[str, bool | None] = {}
    many = InPlay(stands.get)
    for number in range(in_play.MOST_HERE):
        many.check("192.0.2.1", 0, 0)
        many.opened("192.0.2.1", str(number), 0)
    with pytest.raises(Refused, match="tables-here"):
        many.check("192.0.2.1", 0, 0)
    many.check("192.0.2.2", 0, 0)
    stands["7"] = False  # over
    many.check("192.0.2.1", 0, 0)
    stands |= {str(number): True for number in range(in_play.MOST_HERE)}
    many.opened("192.0.2.1", "one more", 0)
    stands["one more"] = True
    with pytest.raises(Refused, match="tables-here"):
        many.check("192.0.2.1", 0, 10**9)
    with pytest.raises(Refused, match="tables-in-all"):
        many.check("192.0.2.2", in_play.MOST_IN_ALL, 0)
    for number in range(100):
        many.opened(f"198.51.100.{number}", str(1000 + number), number * in_play.NEW_MS)
    assert len(many._opened) <= 4
