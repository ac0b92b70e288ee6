"""A replay: the seats that tie for a round play it again alone, and the round counts once."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from play import KITS, read
from pubdice.core.errors import IllegalAction
from pubdice.core.game import Result, Seat
from pubdice.kit import Kit
from pubdice.match.formats import Format, Pot, Rounds, Tally
from pubdice.match.header import RawHeader
from pubdice.match.match import Match, MatchState
from pubdice.match.narrate import Narrator
from pubdice.match.record import write
from pubdice.text.catalogues import language
from pubdice.text.language import Language

RECORD = """pubdice 1
game: ship
cargo: together
boxcars: no
seats: Ann, Bob, Cid
format: rounds 2 replay
opener: rotate
first: Ann

round 1
Ann: 11654 k11456 = 2
Bob: 66654 k45666 = 12
Cid: 66654 k45666 = 12
round 2
Bob: 11111 k- 11111 k- 11111 k11111 = 0
Cid: 22222 k- 22222 k- 22222 k22222 = 0
round 3
Bob: 66654 k45666 = 12
Cid: 55654 k45556 = 10
round 4
Bob: 66654 k45666 = 12
Cid: 11654 k11456 = 2
Ann: 11654 k11456 = 2
"""
GAMES = [kit for kit in KITS.values() if {"rounds", "pot"} <= {kind.name for kind in kit.formats}]


def _match(kit: Kit, form: Format, seats: int, opener: str = "rotate", first: int = 0) -> Match[object, object]:
    game = kit.build({option.key: option.choices[0] for option in kit.options})
    return Match(game, seats, form, opener, Seat(first))


def _after(match: Match[object, object], state: MatchState[object], *won: int) -> MatchState[object]:
    """The match after a round with these winners. Every other seat that played has a score of its own."""
    scores = tuple(9 * (seat in won) + seat if seat in state.order else 0 for seat in range(match.seats))
    return match.ended(state, state.round, Result(tuple(map(Seat, won)), scores))


def test_a_record_with_replays_is_read_and_written_as_it_was() -> None:
    record, steps = read(RECORD)
    match = KITS["ship"].match(KITS["ship"].normalize(RawHeader(record.header.fields)))
    end = steps[-1].after
    assert (end.over, end.tally.rounds, end.tally.points) == (True, 2, (0, 2, 0))
    assert write(KITS["ship"].normalize(record.header), match, [step.move for step in steps]) == RECORD
    assert next(step.before.called for step in steps if step.before.number == 4) == 2


@pytest.mark.parametrize(
    ("was", "now", "code"),
    [
        ("round 2\nBob:", "round 2\nAnn:", "turn"),
        ("Cid: 55654 k45556 = 10\n", "Cid: 55654 k45556 = 10\nAnn: 66654\n", "turn"),
        ("round 2\n", "round 1\n", "round"),
        ("Bob: 66654 k45666 = 12\nCid: 11654 k11456 = 2\n", "Cid: 66654 k45666 = 12\nBob: 11654 k11456 = 2\n", "turn"),
        ("Ann: 11654 k11456 = 2\n\n", "Ann: 11654 k11456 = 2\nround 5\nAnn: 11654\n", "match-over"),
    ],
)
def test_a_seat_that_rests_cannot_roll_and_a_round_is_not_counted_twice(was: str, now: str, code: str) -> None:
    text = RECORD + "\n"
    assert was in text
    with pytest.raises(IllegalAction) as refused:
        read(text.replace(was, now, 1))
    assert refused.value.code == code


@pytest.mark.parametrize("kit", GAMES, ids=lambda kit: kit.name)
def test_those_who_tie_play_again_until_one_is_left(kit: Kit) -> None:
    match = _match(kit, Rounds(3, replay=1), 4, first=2)
    state = match.start()
    assert state.order == (2, 3, 0, 1)
    again = _after(match, state, 0, 1, 3)
    assert (again.order, again.tally) == ((3, 0, 1), Tally(0, (0, 0, 0, 0), resting=(Seat(2),), began=Seat(2)))
    once_more = _after(match, again, 1, 3)
    assert (once_more.order, once_more.tally.resting) == ((3, 1), (0, 2))
    nobody = _after(match, once_more)
    assert (nobody.order, nobody.tally) == (once_more.order, once_more.tally)
    done = _after(match, nobody, 1)
    assert done.tally == Tally(1, (0, 1, 0, 0))
    assert (done.order, done.called, done.number) == ((3, 0, 1, 2), 2, 5)


@pytest.mark.parametrize(("opener", "following"), [("rotate", 3), ("fixed", 2), ("winner", 1), ("loser", 0)])
def test_the_next_opener_goes_by_the_round_and_not_by_its_replay(opener: str, following: int) -> None:
    match = _match(KITS["ship"], Rounds(3, replay=1), 4, opener, first=2)
    state = _after(match, _after(match, match.start(), 0, 1), 1)
    assert state.order[0] == following


def test_a_replay_is_for_the_pot_as_it_stands() -> None:
    match = _match(KITS["threes"], Pot(2, 2, replay=1), 3)
    state = match.start()
    assert (state.tally.pot, state.tally.points) == (6, (-2, -2, -2))
    tied = _after(match, state, 1, 2)
    assert (tied.tally.pot, tied.tally.points, tied.order) == (6, (-2, -2, -2), (1, 2))
    won = _after(match, tied, 2)
    assert (won.tally.points, won.tally.rounds, won.order) == ((-4, -4, 2), 1, (1, 2, 0))
    assert _after(match, won, 0).over, "no pot is left to play on for"


def test_a_seat_alone_never_plays_a_missed_round_again() -> None:
    form = Rounds(2, replay=1)
    assert form.settle(form.start(1), Result((), (0,)), (Seat(0),)) == Tally(1, (0,))


@given(st.sampled_from(["rounds", "pot"]), st.integers(2, 5), st.lists(st.sets(st.integers(0, 4)), max_size=30))
def test_every_round_counts_once_and_every_stake_is_paid_once(name: str, seats: int, rounds: list[set[int]]) -> None:
    form = Rounds(5, replay=1) if name == "rounds" else Pot(3, 5, replay=1)
    match = _match(KITS["ship"], form, seats)
    state, decided = match.start(), 0
    for won in rounds:
        if state.over:
            break
        winners = sorted(won & set(state.order))
        before, state = state, _after(match, state, *winners)
        decided += len(winners) == 1
        assert state.tally.rounds == decided
        if name == "rounds":
            assert sum(state.tally.points) == decided
        else:
            assert sum(state.tally.points) + state.tally.pot == 0
            assert state.tally.pot == (0 if state.over else 3 * seats)
        if len(winners) > 1:
            assert sorted(state.order) == winners
        elif not winners:
            assert state.order == before.order
    assert state.over == (decided == 5)


TOLD = {
    None: ["Ann and Bob tie with 12. They play the round again.", "Ann goes first."],
    0: ["You and Bob tie with 12. You play the round again.", "You go first."],
}


@pytest.mark.parametrize("you", TOLD)
def test_a_tie_and_its_replay_are_told(you: int | None) -> None:
    text = RECORD.split("round 1\n", 1)[0].replace("first: Ann", "first: Cid") + (
        "round 1\nCid: 11654 k11456 = 2\nAnn: 66654 k45666 = 12\nBob: 66654 k45666 = 12\n"
    )
    record, steps = read(text)
    match = KITS["ship"].match(KITS["ship"].normalize(RawHeader(record.header.fields)))
    narrator = Narrator(Language(), KITS["ship"].words, match, record.header.names, you=you)
    last = steps[-1]
    assert narrator.tell(last.before, last.move, last.after)[-2:] == TOLD[you]
    assert narrator.counter(last.after) == "Round 1 of 2"
    for tongue in ("de", "es"):
        others = Narrator(language(tongue, strict=True), KITS["ship"].words, match, record.header.names, you=you)
        assert len(others.tell(last.before, last.move, last.after)) == len(
            narrator.tell(last.before, last.move, last.after)
        )


def test_the_end_of_one_round_leaves_out_the_seats_that_rested() -> None:
    match = _match(KITS["ship"], Rounds(1, replay=1), 3)
    state = _after(match, _after(match, match.start(), 0, 1), 1)
    narrator = Narrator(Language(), KITS["ship"].words, match, ("Ann", "Bob", "Cid"))
    assert state.over
    assert narrator.ending(state.tally, state.last) == ["Bob wins with 10.", "Ann has nothing."]
