"""Laws of the record (a match as text). Reading gives back what was written, and replaying gives back the match."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from play import BY_RULES, CASES, KITS, NAMES, Case, Choices, Live, bot_match, choices, play, read, seatings
from pubdice.checked_record import read_checked
from pubdice.core.errors import BadNotation, IllegalAction, Place
from pubdice.core.game import Result, Seat
from pubdice.kit import Kit
from pubdice.match.formats import Tally
from pubdice.match.header import RawHeader
from pubdice.match.match import Match, MatchState
from pubdice.match.notation import parse
from pubdice.match.record import Drawn, Move, Played, advance, write
from pubdice.match.record import moves as replayed
from pubdice.match.table import moves
from pubdice.text.language import Language, bad_notation, illegal_action

EVERY_KIT = pytest.mark.parametrize("kit", KITS.values(), ids=KITS)


def _match(live: Live) -> Match[Any, Any]:
    return live.table.match


@EVERY_KIT
@given(data=st.data())
def test_a_record_replays_to_the_live_state_move_by_move(kit: Kit, data: st.DataObject) -> None:
    case, seats = data.draw(seatings(kit))
    live = play(case, seats, data.draw(choices(200)))
    _, steps = read(live.text())
    assert replayed(steps) == moves(live.events)
    assert [step.after for step in steps][-1:] == [live.end.match][: len(steps)]
    assert all(step.after == after.before for step, after in pairwise(steps))


@EVERY_KIT
@given(data=st.data())
def test_a_record_read_and_written_again_is_the_same_text(kit: Kit, data: st.DataObject) -> None:
    case, seats = data.draw(seatings(kit))
    live = play(case, seats, data.draw(choices(200)))
    text = live.text()
    assert live.text().encode() == text.encode()
    record, steps = read(text)
    assert write(kit.normalize(record.header), _match(live), replayed(steps)).encode() == text.encode()


@EVERY_KIT
@given(data=st.data())
def test_a_record_with_choices_taken_back_is_written_again_as_it_was(kit: Kit, data: st.DataObject) -> None:
    case, seats = data.draw(seatings(kit))
    live = play(case, seats, data.draw(choices(100)), takes_back=True)
    found = read_checked(text := live.text(), {kit.name: kit}, Language())
    assert bool(found.written) == ("\nback " in text)
    moved = found.written or replayed(found.steps)
    assert write(found.header, found.match, moved).encode() == text.encode()


@EVERY_KIT
@given(data=st.data())
def test_a_record_cut_after_any_move_replays_to_the_state_there(kit: Kit, data: st.DataObject) -> None:
    case, seats = data.draw(seatings(kit))
    live = play(case, seats, data.draw(choices(60)))
    match, played = _match(live), replayed(read(live.text())[1])
    cut = data.draw(st.integers(0, len(played)))
    state = match.start()
    for move in played[:cut]:
        state = advance(match, state, move)
    _, steps = read(write(live.header, match, played[:cut]))
    assert replayed(steps)[:cut] == played[:cut]
    assert [match.start(), *(step.after for step in steps)][cut] == state
    assert all(len(match.legal(step.before)) == 1 for step in steps[cut:]), "only what is forced may be implied"


@EVERY_KIT
@given(data=st.data())
def test_a_record_may_leave_out_forced_actions_and_scores(kit: Kit, data: st.DataObject) -> None:
    case, seats = data.draw(seatings(kit))
    live = play(case, seats, data.draw(choices(100)))
    _, steps = read(live.text())
    forced = [step.place for step in steps if step.place and len(_match(live).legal(step.before)) == 1]
    lines = live.text().splitlines()
    for place in reversed(forced):
        line = lines[place.line - 1]
        assert line[place.column - 1 :].startswith(place.found)
        lines[place.line - 1] = line[: place.column - 1] + line[place.column - 1 + len(place.found) :]
    _, fewer = read("\n".join(line.split("=")[0].rstrip() for line in lines))
    assert replayed(fewer) == replayed(steps)
    assert all(step.place is None for step in fewer if len(_match(live).legal(step.before)) == 1)


FORCED = """pubdice 1
game: flip
seats: Ann, Bob
format: rounds 1

round 1
Ann: 6 {ann} = 1
Bob: 6 {bob} 3 = 3
"""


@pytest.mark.parametrize(("ann", "bob"), [("stay", "again"), ("flip stay", "again"), ("stay", "flip again")])
def test_a_forced_action_may_be_left_out_before_another(ann: str, bob: str) -> None:
    _, steps = read(FORCED.format(ann=ann, bob=bob))
    actions = [step.move.action for step in steps if isinstance(step.move, Played)]
    assert actions == ["flip", "stay", "flip", "again"]


@pytest.mark.parametrize("word", ["flip flip", "again stay", "k6"])
def test_a_wrong_action_beside_a_forced_one_is_told_where_it_stands(word: str) -> None:
    with pytest.raises((IllegalAction, BadNotation)) as fault:
        read(FORCED.format(ann=word, bob="again"))
    place: Place = fault.value.place  # type: ignore[attr-defined]
    assert (place.line, place.found) == (7, word.rpartition(" ")[2])


@EVERY_KIT
@given(data=st.data())
def test_spaces_comments_capital_actions_and_line_ends_do_not_matter(kit: Kit, data: st.DataObject) -> None:
    case, seats = data.draw(seatings(kit))
    live = play(case, seats, data.draw(choices(60)))
    loose = "\ufeff" + live.text().replace("\n", "   # a note: = 7\r\n\r\n").replace(" = ", "=").replace(": ", "  :   ")
    record, steps = read(loose)
    assert kit.normalize(record.header) == live.header
    assert replayed(steps) == moves(live.events)


@EVERY_KIT
@given(data=st.data())
def test_seats_renamed_are_the_same_match_renamed(kit: Kit, data: st.DataObject) -> None:
    case, seats = data.draw(seatings(kit))
    live = play(case, seats, data.draw(choices()))
    other = [f"Guest {number}" for number in range(seats)]
    renamed = live.text()
    for name, new in zip(NAMES, other, strict=False):
        renamed = renamed.replace(name, new)
    _, steps = read(renamed)
    assert replayed(steps) == moves(live.events)
    fields = {**live.header.fields, "seats": ", ".join(other)}
    if fields["first"] != "draw":
        fields["first"] = other[NAMES.index(fields["first"])]
    assert write(kit.normalize(RawHeader(fields)), _match(live), moves(live.events)) == renamed


def _turned(state: MatchState[Any], by: int) -> MatchState[Any]:
    """Return the state with every seat moved ``by`` places round the table."""

    def chair(seat: int) -> Seat:
        return Seat((seat + by) % len(state.tally.points))

    def row(values: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(values[(seat - by) % len(values)] for seat in range(len(values)))

    tally = state.tally
    resting = tuple(sorted(map(chair, tally.resting)))
    won = None if tally.won is None else chair(tally.won)
    began = None if tally.began is None else chair(tally.began)
    turned = Tally(tally.rounds, row(tally.points), tally.pot, tuple(map(chair, tally.out)), resting, won, began)
    last = state.last and Result(tuple(map(chair, state.last.winners)), row(state.last.scores))
    mover = None if state.mover is None else chair(state.mover)
    off = state.roll_off and replace(state.roll_off, seats=tuple(map(chair, state.roll_off.seats)))
    return MatchState(tuple(map(chair, state.order)), state.round, turned, mover, state.number, last, state.over, off)


def _unordered(state: MatchState[Any]) -> MatchState[Any]:
    """Return the state with the last winners sorted by seat, so their order does not depend on the opener."""
    last = state.last and Result(tuple(sorted(state.last.winners)), state.last.scores)
    return replace(state, last=last)


def _drawn_on(move: Move, by: int, seats: int) -> Move:
    return Drawn(Seat((move.seat + by) % seats)) if isinstance(move, Drawn) else move


@EVERY_KIT
@given(data=st.data())
def test_seats_turned_round_the_table_are_the_same_match_turned(kit: Kit, data: st.DataObject) -> None:
    case, seats = data.draw(seatings(kit))
    by = data.draw(st.integers(1, max(1, seats - 1)))
    live = play(case, seats, data.draw(choices(200)))
    first = live.header.fields["first"]
    if first != "draw":
        first = NAMES[(NAMES.index(first) + by) % seats]
    match = case.table(seats, first=first)[1].match
    here, there = _match(live).start(), match.start()
    for move in replayed(read(live.text())[1]):
        here, there = advance(_match(live), here, move), advance(match, there, _drawn_on(move, by, seats))
        assert _unordered(there) == _unordered(_turned(here, by))


MARKS = "1469kK-=:# \n\tarZ."


def _spoilt(text: str, data: st.DataObject) -> str:
    at = data.draw(st.integers(0, len(text) - 1))
    what = data.draw(st.sampled_from(["cut", "swap", "add", "line", "end"]))
    new = data.draw(st.sampled_from(MARKS))
    if what == "line":
        lines = text.splitlines(keepends=True)
        del lines[data.draw(st.integers(0, len(lines) - 1))]
        return "".join(lines)
    return {
        "cut": text[:at] + text[at + 1 :],
        "swap": text[:at] + new + text[at + 1 :],
        "add": text[:at] + new + text[at:],
        "end": text[:at],
    }[what]


def _fault(text: str) -> tuple[BadNotation | IllegalAction, str] | None:
    """Return the first fault of a record with its sentence, or None if the record is right."""
    try:
        read(text)
    except BadNotation as error:
        return error, bad_notation(Language(), error.code, error.facts)
    except IllegalAction as error:
        kit = KITS[parse(text).header.fields["game"]]
        options = {option.key: option.choices[0] for option in kit.options}
        facts: Mapping[str, object] = error.facts
        return error, illegal_action(Language(), kit.words, kit.build(options), error.code, facts)
    return None


@cache
def _spoilable(name: str) -> list[str]:
    return [bot_match(case, 3, "spoilt").text() for case in CASES if case.kit.name == name]


@EVERY_KIT
@given(data=st.data())
def test_a_spoilt_record_is_read_or_its_fault_has_a_place_and_a_sentence(kit: Kit, data: st.DataObject) -> None:
    text = _spoilt(data.draw(st.sampled_from(_spoilable(kit.name))), data)
    for _ in range(data.draw(st.integers(0, 2))):
        text = _spoilt(text or "\n", data)
    with suppress(BadNotation):
        if parse(text).header.fields["game"] not in KITS:
            return  # here the caller looks up the game by its name, so it is the caller who reports an unknown one
    found = _fault(text)
    if found is None:
        return
    error, sentence = found
    assert sentence.endswith(".")
    assert "{" not in sentence
    assert error.place is not None
    assert error.place.line >= 1
    if error.place.found:
        line = text.removeprefix("\ufeff").splitlines()[error.place.line - 1]
        assert line[error.place.column - 1 :].startswith(error.place.found)


@pytest.mark.parametrize("case", BY_RULES, ids=str)
def test_the_same_seed_writes_the_same_bytes_again(case: Case) -> None:
    assert bot_match(case, 3, "twice").text().encode() == bot_match(case, 3, "twice").text().encode()
    assert bot_match(case, 3, "twice").text() != bot_match(case, 3, "thrice").text()


def test_numbers_that_run_out_leave_a_partial_match() -> None:
    live = play(CASES[0], 2, Choices([0, 0]))
    assert not live.end.match.over
    assert live.events
