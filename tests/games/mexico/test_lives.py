"""Lives: who loses one, how a tie is played off, who opens, and how it is told."""

import random
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from play import Case, bot_match, endless, play
from pubdice.core.errors import BadNotation
from pubdice.core.game import Result, Seat
from pubdice.games.mexico import KIT, Mexico
from pubdice.games.mexico.lives import Lives
from pubdice.games.mexico.rules import MEXICO
from pubdice.match.formats import Tally
from pubdice.match.match import Match, MatchState
from pubdice.match.narrate import Narrator
from pubdice.match.record import Played, Rolled
from pubdice.text.catalogues import language
from pubdice.text.language import Language

SCORES = (31, 32, 41, 64, 100, 600, MEXICO)


def _settled(form: Lives, seats: int, *rounds: dict[int, int]) -> Tally:
    """The tally after rounds with these scores by seat, of those who played."""
    tally = form.start(seats)
    for scores in rounds:
        assert set(scores) == set(tally.playing)
        order = tuple(sorted(scores))
        tally = form.settle(
            tally, Result((), tuple(scores.get(seat, 0) for seat in range(seats))), tuple(map(Seat, order))
        )
    return tally


def _match(seats: int, form: Lives, opener: str, first: int = 0) -> Match[object, object]:
    return Match(Mexico(), seats, form, opener, Seat(first))  # type: ignore[arg-type]


def _ended(match: Match[object, object], state: MatchState[object], scores: Sequence[int]) -> MatchState[object]:
    """The state after a round with these scores, in turn order."""
    by_seat = [0] * match.seats
    for seat, score in zip(state.order, scores, strict=True):
        by_seat[seat] = score
    winners = tuple(seat for seat in state.order if by_seat[seat] == max(scores))
    assert state.round is not None
    return match.ended(state, state.round, Result(winners, tuple(by_seat)))


def test_the_lowest_loses_a_life_and_without_lives_is_out() -> None:
    assert _settled(Lives(2), 3, {0: 31, 1: 62, 2: 64}).points == (1, 2, 2)
    tally = _settled(Lives(2), 3, {0: 31, 1: 62, 2: 64}, {0: 32, 1: 64, 2: 65})
    assert (tally.points, tally.out, Lives(2).over(tally)) == ((0, 2, 2), (0,), False)
    tally = _settled(Lives(1), 3, {0: 31, 1: 62, 2: 64}, {1: 65, 2: 62})
    assert (tally.out, Lives(1).over(tally), Lives(1).champions(tally)) == ((0, 2), True, (1,))


def test_those_who_tie_for_the_lowest_play_on_alone_until_one_has_lost() -> None:
    """Wikipedia: the tied players play a round of their own, and who loses it pays."""
    tally = _settled(Lives(2), 4, {0: 31, 1: 62, 2: 31, 3: 31})
    assert (tally.points, tally.resting, tally.playing) == ((2, 2, 2, 2), (1,), (0, 2, 3))
    tally = _settled(Lives(2), 4, {0: 31, 1: 62, 2: 31, 3: 31}, {0: 64, 2: 41, 3: 41})
    assert (tally.points, tally.playing) == ((2, 2, 2, 2), (2, 3))
    tally = _settled(Lives(2), 4, {0: 31, 1: 62, 2: 31, 3: 31}, {0: 64, 2: 41, 3: 41}, {2: 65, 3: 62})
    assert (tally.points, tally.resting, tally.rounds) == ((2, 2, 2, 1), (), 3)


def test_where_everybody_ties_everybody_plays_again() -> None:
    tally = _settled(Lives(1), 3, {0: 31, 1: 31, 2: 31})
    assert (tally.points, tally.playing) == ((1, 1, 1), (0, 1, 2))


def test_mexico_costs_two_lives_where_that_is_chosen_in_its_play_off_too() -> None:
    """Sameroom Games: two with a Mexico in the round. Have a Cocktail: one in the round before a play-off counts."""
    assert _settled(Lives(3, 2), 2, {0: 31, 1: MEXICO}).points == (1, 3)
    assert _settled(Lives(3), 2, {0: 31, 1: MEXICO}).points == (2, 3)
    assert _settled(Lives(3, 2), 2, {0: 31, 1: 65}).points == (2, 3)
    assert _settled(Lives(3, 2), 3, {0: 31, 1: MEXICO, 2: 31}, {0: 65, 2: 64}).points == (3, 3, 1)
    assert _settled(Lives(3, 2), 3, {0: 31, 1: 65, 2: 31}, {0: MEXICO, 2: 64}).points == (3, 3, 1)
    tally = _settled(Lives(3, 2), 3, {0: 31, 1: MEXICO, 2: 31}, {0: 65, 2: 64}, {0: 31, 1: 41, 2: 42})
    assert tally.points == (2, 3, 1), "the next round costs one again"
    assert _settled(Lives(1, 2), 2, {0: 31, 1: MEXICO}).points == (0, 1), "nobody has less than none"


@pytest.mark.parametrize("seed", range(20))
def test_three_players_with_five_lives_lose_one_a_round_in_10_to_14_rounds(seed: int) -> None:
    """Wikipedia, "Play": three players with five units each play a minimum of ten and a maximum of fourteen rounds."""
    form, source = Lives(5), random.Random(seed)
    tally, decided = form.start(3), 0
    while not form.over(tally):
        scores = tuple(source.choice(SCORES) if seat in tally.playing else 0 for seat in range(3))
        after = form.settle(tally, Result((), scores), tally.playing)
        decided += sum(tally.points) - sum(after.points)
        tally = after
    assert 10 <= decided <= 14
    assert len(tally.still_in) == 1


@given(
    seats=st.integers(2, 6),
    lives=st.integers(1, 4),
    lost=st.integers(1, 2),
    seed=st.integers(0, 2**32),
    ties=st.booleans(),
)
def test_every_match_ends_with_exactly_one_left(seats: int, lives: int, lost: int, seed: int, ties: bool) -> None:
    """At most one drops out in a round, and those who tie play on, so the last one is always one."""
    form, source = Lives(lives, lost), random.Random(seed)
    scores = SCORES[:2] if ties else SCORES
    tally = form.start(seats)
    while not form.over(tally):
        assert len(tally.playing) >= 2
        fell = tuple(source.choice(scores) if seat in tally.playing else 0 for seat in range(seats))
        after = form.settle(tally, Result((), fell), tally.playing)
        assert len(after.out) - len(tally.out) in (0, 1)
        assert not set(after.resting) & set(after.out)
        tally = after
    assert len(form.champions(tally)) == 1
    assert sorted(tally.out + tally.still_in) == list(range(seats))
    assert all((points == 0) == (seat in tally.out) for seat, points in enumerate(tally.points))


@pytest.mark.parametrize(
    ("opener", "scores", "order"),
    [
        ("loser", (31, 64, 52, 62), (3, 0, 2)),  # who lost is out: the lowest of those still in, at seat 3
        ("winner", (31, 64, 52, 62), (2, 3, 0)),
        ("rotate", (31, 64, 52, 62), (2, 3, 0)),
        ("rotate", (64, 31, 52, 62), (3, 0, 1)),  # the next one is out
        ("loser", (64, 31, 52, 31), (2, 0)),  # a play-off: the first of them in turn order
        ("winner", (64, 31, 52, 31), (2, 0)),  # the winner rests
        ("rotate", (64, 31, 52, 31), (2, 0)),
        ("rotate", (31, 31, 52, 64), (2, 1)),
    ],
)
def test_the_next_opener_is_one_who_plays(opener: str, scores: tuple[int, ...], order: tuple[int, ...]) -> None:
    match = _match(4, Lives(1), opener, first=1)
    assert _ended(match, match.start(), scores).order == order


@pytest.mark.parametrize(
    ("opener", "order"), [("loser", (2, 3, 0, 1)), ("winner", (1, 2, 3, 0)), ("rotate", (2, 3, 0, 1))]
)
def test_after_a_play_off_everybody_still_in_plays_again(opener: str, order: tuple[int, ...]) -> None:
    match = _match(4, Lives(2), opener)
    play_off = _ended(match, match.start(), (64, 31, 31, 62))
    assert play_off.order == (1, 2)
    assert _ended(match, play_off, (62, 41)).order == order


def test_with_every_opener_a_match_of_four_is_played_until_one_is_left() -> None:
    for opener in Lives.openers:
        for seed in range(10):
            live = bot_match(Case(KIT, (("format", "lives 2"), ("opener", opener))), 4, f"{opener} {seed}")
            tally = live.end.match.tally
            assert (len(tally.still_in), len(tally.out), live.end.match.over) == (1, 3, True)


def test_a_match_with_real_dice_taken_back_and_again_ends_with_one_left() -> None:
    live = play(Case(KIT, (("format", "lives 2"),)), 3, endless(1), "real")
    assert live.end.match.over
    assert "back" in live.lines()


@pytest.mark.parametrize(
    ("text", "form", "written"),
    [
        ("lives", Lives(3), "lives 3"),
        ("lives:5", Lives(5), "lives 5"),
        ("lives 12", Lives(12), "lives 12"),
        ("lives 3 mexico 2", Lives(3, 2), "lives 3 mexico 2"),
        ("lives mexico 2", Lives(3, 2), "lives 3 mexico 2"),
        ("lives:4:2", Lives(4, 2), "lives 4 mexico 2"),
        ("lives 4 mexico 1", Lives(4), "lives 4"),
    ],
)
def test_it_is_read_and_written_as_notation(text: str, form: Lives, written: str) -> None:
    assert KIT.format(text) == form
    assert form.write() == written
    assert KIT.format(form.write()) == form


@pytest.mark.parametrize("text", ["lives 0", "lives 13", "lives x", "lives 3 mexico 3", "lives 3 2 1"])
def test_numbers_out_of_bounds_are_refused(text: str) -> None:
    with pytest.raises(BadNotation):
        KIT.format(text)


def _told(narrator: Narrator, state: MatchState[object], *moves: str) -> tuple[list[str], MatchState[object]]:
    """The lines of these moves, and the state after them: rolls, and ``stop``."""
    match, lines = narrator.match, list[str]()
    for move in moves:
        step = Rolled(tuple(map(int, move))) if move.isdigit() else Played(match.choose(state, "bank", ()))
        after = match.roll(state, step.dice) if isinstance(step, Rolled) else match.play(state, step.action)
        lines += narrator.tell(state, step, after)
        state = after
    return lines, state


def _narrator(said: Language, form: str, seats: int = 3) -> Narrator:
    header = Case(KIT, (("format", form),)).header(seats)
    return Narrator(said, KIT.words, KIT.match(header), header.names)


def test_who_ties_who_loses_a_life_and_who_is_out_is_told_by_name_and_as_you() -> None:
    narrator = _narrator(Language(), "lives 1")
    start = narrator.match.start()
    lines, state = _told(narrator, start, "31", "stop", "64", "stop", "13", "stop")
    assert lines[-2:] == [
        "Ann and Cid tie for the lowest with 31.",
        "Round 2 is a play-off: Ann and Cid. Ann goes first.",
    ]
    heard = _told(narrator.to(2), start, "31", "stop", "64", "stop", "13", "stop")[0]
    assert heard[-2] == "You and Ann tie for the lowest with 31."
    assert _told(narrator.to(2), state, "12", "stop")[0] == ["Ann rolled 1 2. Mexico!", "The other player has 1 roll."]
    heard = _told(narrator.to(2), state, "12", "stop", "33", "stop")[0]
    assert heard[-2:] == [
        "You have the lowest, double 3, and lose a life. You are out. Lives: Ann has 1, Bob has 1.",
        "Round 3. Ann goes first.",
    ]
    end = _told(narrator, state, "12", "stop", "33", "stop", "31", "stop", "21", "stop")[0]
    assert end[-2:] == [
        "Ann has the lowest, 31, and loses a life. Ann is out.",
        "Bob wins! 1 life left.",
    ]
    assert narrator.rules() == "1 life each"


def test_it_is_told_in_german() -> None:
    narrator = _narrator(language("de", strict=True), "lives 2 mexico 2", 2)
    assert narrator.rules() == "2 Leben für alle, 2 kostet eine Runde mit Mexico"
    lines, _ = _told(narrator, narrator.match.start(), "31", "stop", "21", "stop")
    assert lines[-2:] == [
        "Ann hat mit 31 am wenigsten und verliert 2 Leben. Ann ist raus.",
        "Bob gewinnt! Noch 2 Leben.",
    ]
    heard = _told(narrator.to(0), narrator.match.start(), "31", "stop", "13", "stop")[0]
    assert heard[-2] == "Du und Bob habt am wenigsten, je 31. Leben: du hast 2, Bob hat 2."


def test_the_slate_and_what_stands_beside_a_name() -> None:
    tally = _settled(Lives(1), 3, {0: 31, 1: 62, 2: 64})
    assert Lives(1).slate(tally, ("Ann", "Bob", "Cid")) == {"lives": {"Ann": 0, "Bob": 1, "Cid": 1}, "out": ["Ann"]}
    assert Lives(3).words.seat_note(Lives(3).start(2), Seat(0)) == "♥♥♥"
