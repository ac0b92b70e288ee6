"""A format and a game the house has not, each one module in tests/: played, told, recorded and shown as they are."""

import json
import re
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

import pytest

import mexico
from lives import LIVES, Lives
from play import Case, bot_match, read
from pubdice.core.errors import Unsolved
from pubdice.core.game import Result, Seat
from pubdice.games import GAMES
from pubdice.match.match import Match
from pubdice.match.narrate import Narrator
from pubdice.match.record import Rolled
from pubdice.text.language import Language
from support.console import Room, dice, pubdice
from support.house import Pub, at_the_pub, play_out

MEXICO = {"mexican": mexico.KIT}
THREE = (Seat(0), Seat(1), Seat(2))


def _settled(form: Lives, *rounds: tuple[int, ...]) -> Any:
    """The tally after rounds with these scores by seat; who is out scores 0."""
    tally = form.start(len(rounds[0]))
    for scores in rounds:
        tally = form.settle(form.open(tally), Result((), scores), tally.still_in)
    return tally


def test_the_lowest_loses_a_life_and_who_has_none_left_is_out() -> None:
    assert _settled(Lives(2), (31, 62, 64)).points == (1, 2, 2)
    tally = _settled(Lives(2), (31, 62, 64), (32, 64, 65))
    assert (tally.points, tally.out, Lives(2).over(tally)) == ((0, 2, 2), (0,), False)
    tally = _settled(Lives(1), (31, 62, 64), (0, 65, 62))
    assert (tally.out, Lives(1).over(tally), Lives(1).champions(tally)) == ((0, 2), True, (1,))


def test_two_who_drop_out_together_do_so_in_turn_order_from_every_chair() -> None:
    for turned in range(3):
        order = tuple(Seat((seat + turned) % 3) for seat in range(3))
        scores = [0, 0, 0]
        for seat, score in zip(order, (31, 64, 31), strict=True):
            scores[seat] = score
        tally = Lives(1).settle(Lives(1).start(3), Result((order[1],), tuple(scores)), order)
        assert tally.out == (order[0], order[2])


def test_where_all_tie_nobody_loses_a_life_so_somebody_is_always_left() -> None:
    assert _settled(Lives(1), (31, 31, 31)).points == (1, 1, 1)


def _opened(opener: str, *scores: int) -> tuple[Seat, ...]:
    """The turn order of the second round, after a first that seat 1 opened, with one life each."""
    match = Match(mexico.Mexico(), len(scores), Lives(1), opener, Seat(1))
    start = match.start()
    order = start.order
    best = max(scores)
    winners = tuple(seat for seat in order if scores[seat] == best)
    assert start.round is not None
    return match.ended(start, start.round, Result(winners, scores)).order


@pytest.mark.parametrize(
    ("opener", "scores", "order"),
    [
        ("loser", (62, 31, 64, 52), (3, 0, 2)),  # the lowest of those still in
        ("loser", (62, 31, 31, 52), (3, 0)),
        ("winner", (62, 31, 64, 52), (2, 3, 0)),
        ("fixed", (62, 31, 64, 52), (2, 3, 0)),  # the opener is out: the next to the left
        ("fixed", (31, 62, 64, 52), (1, 2, 3)),
        ("rotate", (62, 64, 31, 52), (3, 0, 1)),  # the next is out
        ("rotate", (62, 31, 64, 52), (2, 3, 0)),
    ],
)
def test_the_next_opener_is_one_who_is_still_in(opener: str, scores: tuple[int, ...], order: tuple[int, ...]) -> None:
    assert _opened(opener, *scores) == order


def test_who_loses_a_life_is_told_by_name_and_as_you() -> None:
    kit = mexico.KIT
    header = Case(kit, (("format", "lives 1"),)).header(3)
    match = kit.match(header)
    narrator = Narrator(Language(), kit.words, match, header.names)
    state = match.start()
    state = match.roll(match.play(match.roll(state, (3, 3)), "hold"), (1, 3))
    after = match.roll(state, (1, 2))
    assert narrator.tell(state, Rolled((2, 1)), after) == [
        "Cid rolled 2 1. That is Mexico.",
        "Bob loses a life with 31. Bob is out. Lives: Ann has 1, Bob has 0, Cid has 1.",
        "Round 2. Cid goes first.",
    ]
    assert narrator.to(1).tell(state, Rolled((2, 1)), after)[1] == (
        "You lose a life with 31. You are out. Lives: Ann has 1, you have 0, Cid has 1."
    )
    assert narrator.rules() == "1 life each"


def test_it_is_played_in_the_terminal_to_its_end() -> None:
    room = Room(games=MEXICO, rolls=dice("64", "31", "51", "62"))
    told = room.run("play mexican --seats Ann,Bob --format lives:2", "r", "b", "r", "r", "b", "r")
    assert (told.status, told.err) == (0, "")
    for line in (
        "Mexico: 2 lives each",
        "Bob loses a life with 31",
        "Lives: Ann has 2, Bob has 1",
        "Ann is the last one in and wins",
    ):
        assert line in told.out, told.out


def test_it_is_offered_recorded_and_replayed_by_the_command_line(tmp_path: Path) -> None:
    manual = pubdice("play", "--help", data=tmp_path, games=MEXICO).out
    assert "the lowest score loses a life" in " ".join(manual.split())
    asked = pubdice(data=tmp_path, games=MEXICO, typed="change\nmexican\nAnn,Bob\nlives 10\nq\n")
    assert "Enter a number from 1 to 9." in asked.out
    record = bot_match(Case(mexico.KIT, (("format", "lives 2"), ("opener", "loser"))), 4, "recorded").text()
    data = json.loads(pubdice("replay", "-", "--json", data=tmp_path, games=MEXICO, typed=record).out)
    assert (data["header"]["format"], data["finished"], len(data["winners"])) == ("lives 2", True, 1)
    assert sorted(data["slate"]["out"]) == sorted({"Ann", "Bob", "Cid", "Dot"} - set(data["winners"]))
    assert read(record)[1][-1].after.over


@at_the_pub(games={**GAMES, **MEXICO})
async def test_it_is_ordered_shown_and_played_on_the_web(pub: Pub) -> None:
    ann = pub.client("Ann")
    front = unescape((await ann.get("/", accept="text/html")).text)
    assert 'value="mexican"' in front
    front = unescape((await ann.send("/houserules", game="mexican")).text)
    assert 'value="lives"' in front
    assert "Lives each" in front
    choice = re.search(r'<select id="mexican.lives".*?</select>', front, re.DOTALL)
    assert choice is not None
    assert re.findall(r"<option(?: selected)?>(.)", choice[0]) == ["1", "2", "3", "4", "5"]
    assert "<option selected>3" in choice[0]
    key = "key-of-the-table"
    form = {"mexican.format": "lives", "mexican.lives": "2", "mexican.opener": "loser", "mexican.bot": "lucky"}
    answer = await ann.send("/tables", key=key, game="mexican", name="Ann", **form, **{"with": "bot"})
    assert answer.status == 303, answer.text
    code = answer.headers["location"].split("?")[0].rsplit("/", 1)[1]
    assert pub.actor(code).state.setup.rules["format"] == "lives 2"
    assert [seat["points"] for seat in (await pub.view(code))["seats"]] == ["♥♥", "♥♥"]
    view = await play_out(pub, code, [ann])
    assert len(view["won"]) == 1
    assert "the last one in" in view["result"][0]["text"]
    assert [seat["out"] for seat in view["seats"]].count(True) == 1


UNSOLVED = {"midnight": (3, "too-many-moves"), "420": (2, "format")}
"""From how many seats on a game has no values in lives, and why: its round is too large for ``solve.plain``, or its own
solver knows no lives."""

SLOW = ("midnight", "shutbox", "threes")
"""Games whose rounds of two or three have some 100,000 positions: 6 to 25 s of the processor."""


@pytest.mark.parametrize(
    "game",
    [
        pytest.param(name, marks=pytest.mark.nightly if name in SLOW else ())
        for name, kit in GAMES.items()
        if kit.solver is not None
    ],
)
def test_it_is_solved_from_its_rules_or_refused_with_the_reason(game: str) -> None:
    kit = replace(GAMES[game], formats=(LIVES,))
    match = kit.match(Case(kit, ()).header(2))
    assert kit.solver is not None
    seats, reason = UNSOLVED.get(game, (0, ""))
    if reason:
        with pytest.raises(Unsolved, match=reason):
            kit.solver(kit.match(Case(kit, ()).header(seats)))
    if seats == match.seats:
        return
    solver = kit.solver(match)
    values = solver.values(match.start())
    assert sum(values) == pytest.approx(1, abs=1e-9)
    assert all(0.4 < value < 0.6 for value in values)
    assert solver.bound < 1e-9


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("opener", LIVES.usual.openers)
def test_the_houses_own_games_are_played_in_it_too(game: str, opener: str) -> None:
    kit = replace(GAMES[game], formats=(LIVES,))
    live = bot_match(Case(kit, (("format", "lives 1"), ("opener", opener))), 4, f"lives {opener}")
    assert live.end.match.over
    assert len(live.end.match.tally.still_in) == 1
