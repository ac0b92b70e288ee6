"""Tables of one duplicate night have the same dice at the same slot, whatever is chosen, in every game of the house."""

from itertools import combinations, permutations

import pytest

from pubdice.checked_record import read_checked
from pubdice.core.errors import BadNotation, Refused
from pubdice.games import GAMES
from pubdice.kit import Kit
from pubdice.match.notation import parse
from pubdice.match.record import dice_by_slot, first_difference, night_in
from pubdice.room import Caller, Room, read_setup, write_setup
from pubdice.room import commands as ask
from pubdice.text.language import Language
from support.duplicate_match import CODE, CUP, played, record_of, seals_of, setup_of

KITS = pytest.mark.parametrize("kit", GAMES.values(), ids=list(GAMES))
SEATS = 3


@KITS
def test_other_choices_meet_the_same_dice_at_the_same_slot(kit: Kit) -> None:
    """Printed advice and random play part soon, yet every slot that two tables come to has the same dice."""
    plays = [(kit.bots[0], "one"), *[(kit.bots[1], lots) for lots in "abc"]]
    texts = [record_of(*played(kit, policy, lots, seats=SEATS)) for policy, lots in plays]
    assert len(set(texts)) > 1
    checked = [read_checked(text, GAMES, Language()) for text in texts]
    slots = [dice_by_slot(found.match, found.steps) for found in checked]
    for one, other in permutations(slots, 2):
        assert first_difference(one, other) is None
    shared = set.union(*[one.keys() & other.keys() for one, other in combinations(slots, 2)])
    assert {slot.seat for slot in shared} == set(range(SEATS))
    assert any(slot.turn > 1 or slot.roll > 1 for slot in shared), "also after a choice"
    assert {night_in(parse(text)) for text in texts} == {seals_of().night(CODE)}


@KITS
def test_a_table_that_is_killed_rolls_what_it_would_have_rolled(kit: Kit) -> None:
    once = record_of(*played(kit, kit.bots[0], "one"))
    assert record_of(*played(kit, kit.bots[0], "one", crash=True)) == once


def test_a_draw_is_the_same_too_and_another_night_has_other_dice() -> None:
    kit = GAMES["midnight"]
    rules = {"first": "draw", "format": "rounds 1"}
    seats = {played(kit, kit.bots[0], lots, seats=4, rules=rules)[1].drawn for lots in "abc"}
    assert len(seats) == 1
    mine, theirs = (
        record_of(*played(kit, kit.bots[0], "one", seals=seals_of(key))) for key in (b"one key", b"another key")
    )
    checked = [read_checked(text, GAMES, Language()) for text in (mine, theirs)]
    slots = [dice_by_slot(found.match, found.steps) for found in checked]
    assert first_difference(*slots) is not None


def test_roll_offs_and_rounds_that_others_sit_out_have_slots_of_their_own() -> None:
    """Every roll of a match has a slot, and no two have the same: in lives, ties, drinks and races alike."""
    for game, form in (("mexico", "lives 3"), ("mexico", "rounds 5"), ("420", "drinks"), ("ship", "rounds 3")):
        kit = GAMES[game]
        room, state, log = played(kit, kit.bots[0], "one", seats=4, rules={"format": form})
        found = read_checked(record_of(room, state, log), GAMES, Language())
        slots = dice_by_slot(found.match, found.steps)
        assert sum(slot.roll > 0 for slot in slots) == state.rolls


def test_the_rules_of_a_nights_table_are_fixed_and_a_rematch_is_of_no_night() -> None:
    kit, seals = GAMES["midnight"], seals_of()
    setup = setup_of(kit, seals)
    assert read_setup(write_setup(setup)) == setup
    room = Room(kit, setup)
    (step,) = room.decide(room.start(), ask.Sit(None, "Ann"), Caller("ann", 0), CUP, seals)
    for command in (ask.Rules({"need": "2 4"}), ask.Rules({}, dice="real"), ask.Rules({}, dice="sealed"), ask.Close(1)):
        with pytest.raises(Refused) as refused:
            room.decide(step.after, command, Caller("ann", 0), CUP, seals)
        assert refused.value.code == "night-rules"
    assert room.decide(step.after, ask.Rules({}, clock_s=60), Caller("ann", 0), CUP, seals)
    room, state, _ = played(kit, kit.bots[0], "one", rules={"format": "rounds 1"})
    again = room.again(state, 0, "KORBUM", seals)
    assert (again.night, again.dice) == ("", "house")


def test_a_house_with_another_key_does_not_go_on_with_other_dice() -> None:
    kit = GAMES["midnight"]
    room = Room(kit, setup_of(kit, seals_of()))
    state = room.start()
    for person in ("ann", "bob"):
        state = room.decide(state, ask.Sit(None, person), Caller(person, 0), CUP, seals_of())[-1].after
    state = state if state.match else room.decide(state, ask.Start(), Caller("ann", 0), CUP, seals_of())[-1].after
    with pytest.raises(Refused) as refused:
        room.decide(state, ask.RollOrBank("roll"), Caller("ann", 0), CUP, seals_of(b"another key"))
    assert refused.value.code == "night-lost"


@pytest.mark.parametrize("night", ["KORBUM", "KORBUM 12", "kor 0123456789abcdef", 7])
def test_a_setup_with_a_damaged_night_is_no_setup(night: object) -> None:
    setup = setup_of(GAMES["midnight"], seals_of())
    text = write_setup(setup).replace(f'"{setup.night}"', f'"{night}"' if isinstance(night, str) else str(night))
    with pytest.raises(BadNotation):
        read_setup(text)
