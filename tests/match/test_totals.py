"""Points that add up: the first to reach a number wins with the turn, or with the round; or the most after so many."""

from typing import Any

import pytest

from play import KITS, Case, endless, play, read
from pubdice.core.errors import BadNotation
from pubdice.core.game import Result, Seat
from pubdice.games.midnight.rules import Midnight, RoundState
from pubdice.match.formats import Format, Points, Tally, Total, read_format
from pubdice.match.match import Match, MatchState
from pubdice.match.narrate import Narrator
from pubdice.match.record import Played
from pubdice.text.catalogues import language
from pubdice.text.language import Language
from support.console import Room, dice

KIT = KITS["midnight"]
NAMES = ("Ann", "Bob", "Cid")


def _added(form: Format, *rounds: tuple[int, ...]) -> Tally:
    tally = form.start(len(rounds[0]))
    for scores in rounds:
        assert not form.over(tally)
        order = tuple(Seat(seat) for seat in range(len(scores)))
        tally = form.settle(form.open(tally), Result((), scores), order)
    return tally


def _about_to(
    form: Format, scores: tuple[int, ...], points: tuple[int, ...]
) -> tuple[Match[Any, Any], MatchState[Any]]:
    """A match in which the mover has 1 4 and three sixes locked, and its last die shows a 2: it scores 20."""
    match = Match(Midnight(), len(points), form)
    start = match.start()
    state = RoundState(len(points), scores, (1, 4, 6, 6, 6), (2,))
    moved = match.at(start, state)
    return match, MatchState(moved.order, state, Tally(1, points), moved.mover, 2)


def test_scores_add_up_and_the_most_points_win() -> None:
    tally = _added(Total(3), (20, 0), (0, 17), (4, 4))
    assert (tally, Total(3).over(tally)) == (Tally(3, (24, 21)), True)
    assert Total(3).champions(tally) == (0,)
    assert Total(2).champions(_added(Total(2), (20, 0), (0, 20))) == (0, 1)
    assert Points(21).champions(_added(Points(21), (20, 20), (4, 0))) == (0,)


def test_who_reaches_the_number_wins_at_once_and_the_others_have_no_turn() -> None:
    match, state = _about_to(Points(100), (), (80, 99, 0))
    after = match.play(state, match.legal(state)[0])
    assert (after.over, after.mover, after.tally.points) == (True, None, (100, 99, 0))
    assert after.last == Result((), (20, 0, 0))
    assert match.format.champions(after.tally) == (0,)
    assert match.turn_ended(state, after) == (0, 20)


def test_one_point_less_goes_on() -> None:
    match, state = _about_to(Points(101), (), (80, 99, 0))
    after = match.play(state, match.legal(state)[0])
    assert (after.over, after.mover) == (False, 1)


def test_a_round_that_is_played_out_gives_everybody_as_many_turns_and_a_tie_is_shared() -> None:
    match, state = _about_to(Points(100, 1), (), (80, 99, 0))
    assert not match.play(state, match.legal(state)[0]).over
    match, state = _about_to(Points(100, 1), (20, 1), (80, 99, 80))
    after = match.play(state, match.legal(state)[0])
    assert after.over
    assert match.format.champions(after.tally) == (0, 1, 2)


def test_where_scores_add_up_nobody_is_told_what_to_beat_but_what_is_needed() -> None:
    match, state = _about_to(Points(120), (20,), (30, 70))
    after = match.play(state, match.legal(state)[0])
    narrator = Narrator(Language(), KIT.words, match, NAMES[:2])
    assert narrator.needs(state) == ["Bob needs 50 more points."]
    assert narrator.to(1).needs(state) == ["You need 50 more points."]
    told = narrator.to(1).tell(state, Played(match.legal(state)[0]), after)
    assert told[1] == "Points: Ann has 50, you have 90. You lead by 40."
    assert Narrator(language("de"), KIT.words, match, NAMES[:2]).needs(state) == ["Bob fehlen noch 50 Punkte."]


@pytest.mark.parametrize(
    ("form", "scores", "points", "yours", "told"),
    [
        (Total(2), (), (30, 40, 35), "You need 11 points to lead.", "Ann needs 11 points to lead."),
        (Total(2), (20,), (30, 40, 35), "You need 11 points to lead.", "Bob needs 11 points to lead."),
        (Total(2), (20, 0), (30, 40, 35), "You need 16 points to win.", "Cid needs 16 points to win."),
        (Total(2), (10, 0), (30, 40, 40), "You need 1 point to win.", "Cid needs 1 point to win."),
        (Total(2), (9, 0), (30, 40, 41), "You win with any roll.", "Cid wins with any roll."),
        (Total(2), (0,), (30, 40, 35), "", ""),
        (Total(3), (20, 0), (30, 40, 35), "", ""),
        (Total(2), (), (30,), "", ""),
        (Points(50, 1), (20,), (30, 35), "You need 16 more points.", "Bob needs 16 more points."),
        (Points(50, 1), (19,), (30, 35), "You need 15 more points.", "Bob needs 15 more points."),
    ],
)
def test_in_the_last_round_who_moves_is_told_what_leads_and_the_last_what_wins(
    form: Format, scores: tuple[int, ...], points: tuple[int, ...], yours: str, told: str
) -> None:
    match, state = _about_to(form, scores, points)
    narrator = Narrator(Language(), KIT.words, match, NAMES[: len(points)])
    assert narrator.needs(state) == [told] * bool(told)
    assert narrator.to(len(scores)).needs(state) == [yours] * bool(yours)


def _scores(state: MatchState[Any]) -> tuple[int, ...]:
    """The scores of the turns of this round so far, in turn order."""
    assert state.round is not None
    return tuple(state.round.scores)


@pytest.mark.parametrize("seed", range(20))
def test_a_score_that_is_needed_to_win_wins_and_one_less_does_not(seed: int) -> None:
    form = Total(2)
    states = [live.match for live in play(Case(KIT, (("format", form.write()),)), 3, endless(seed)).states]
    match = Match(Midnight(), 3, form)
    lasts = [state for state in states if state.number == form.number and not state.over and state.round]
    last = next(state for state in lasts if len(_scores(state)) == 2)
    assert last.mover is not None
    needs = Narrator(Language(), KIT.words, match, NAMES).to(last.mover).needs(last)
    number = int("".join(filter(str.isdigit, needs[0])) or 0)

    def champions(score: int) -> tuple[int, ...]:
        scores = [0] * 3
        for at, seat in enumerate(last.order):
            scores[seat] = [*_scores(last), score][at]
        return form.champions(form.settle(last.tally, Result((), tuple(scores)), last.order))

    if number or "any roll" in needs[0]:
        assert champions(number) == (last.mover,)
        assert not number or champions(number - 1) != (last.mover,)
    else:  # 24 is the best score
        assert (last.mover in champions(24)) == (needs == ["You can only tie."])
        assert champions(24) != (last.mover,)
        assert needs in (["You can only tie."], ["You can't win any more."])


def test_the_end_says_who_wins_and_everybodys_points() -> None:
    match, state = _about_to(Points(100), (), (80, 99))
    after = match.play(state, match.legal(state)[0])
    narrator = Narrator(Language(), KIT.words, match, NAMES[:2])
    told = narrator.tell(state, Played(match.legal(state)[0]), after)
    assert told[-1] == "Ann wins! Points: Ann has 100, Bob has 99."


@pytest.mark.parametrize("form", [Points(), Points(50, 1), Points(1000), Total(), Total(20)], ids=str)
def test_a_format_written_and_read_is_the_same(form: Format) -> None:
    assert read_format(form.write()) == form


@pytest.mark.parametrize(
    ("text", "form"), [("points:50:even", Points(50, 1)), ("points even", Points(100, 1)), ("total", Total(5))]
)
def test_numbers_may_be_left_out(text: str, form: Format) -> None:
    assert read_format(text) == form


@pytest.mark.parametrize(
    "text", ["points 0", "points 1001", "points 1 even even", "points even 1", "total 21", "total even"]
)
def test_what_is_no_format_is_refused(text: str) -> None:
    with pytest.raises(BadNotation):
        read_format(text)


def test_points_alone_are_as_many_as_the_game_is_usually_played_to() -> None:
    assert KITS["midnight"].format("points").write() == "points 100"
    assert KITS["ship"].format("points even").write() == "points 50 even"


def test_a_record_that_ends_in_the_middle_of_a_round_is_read_back() -> None:
    case = Case(KIT, (("format", "points 4"), ("opener", "rotate")))
    ended = [live for seed in range(30) if (live := play(case, 3, endless(seed))).end.match.over]
    broken = [live for live in ended if live.end.match.round and len(live.end.match.round.scores) < 3]
    assert broken
    for live in broken:
        assert read(live.text())[1][-1].after == live.end.match


def test_it_is_played_in_the_terminal_and_the_prompt_says_what_is_needed() -> None:
    room = Room(rolls=dice("144666", "146611"))
    told = room.run("play midnight --seats Ann,Bob --format points:20", "beat", "r", "k 144666", "b")
    assert "first to 20 points" in told.out, told.out
    assert "Ann needs 20 more points." in told.out
    assert "Ann wins! Points: Ann has 22, Bob has 0." in told.out


@pytest.mark.parametrize("form", ["total:4", "points:100"])
def test_the_question_who_leads_counts_the_scores_of_the_round(form: str) -> None:
    nothing, much = ("643222", "k643222 r"), ("661466", "k661466 r")
    lines = ["t", *nothing, "t", *much, "t", *nothing, *nothing, *nothing, *much, "t"]
    told = Room().run(f"play midnight --seats Ann,Bob,Cid,Dan --dice real --format {form}", *lines)
    said = [reply for line, reply in zip(lines, told.replies[1:], strict=False) if line == "t"]
    starts = (
        "", "", "Points: Ann has 0, Bob has 24, Cid has 0, Dan has 0. Bob leads by 24.",
        "Points: Ann has 0, Bob has 24, Cid has 24, Dan has 0. Bob and Cid share the lead.",
    )  # fmt: skip
    for reply, start in zip(said, starts, strict=True):
        assert start in reply, told.out
        assert ("Points:" in reply) == bool(start), "nobody has scored yet"
