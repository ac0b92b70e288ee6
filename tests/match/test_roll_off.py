"""A roll-off: those who tie for a match roll one die each, as dice of the match like any others."""

from dataclasses import replace

import pytest

import aces
from play import KITS, read
from pubdice.core.dice import Roll
from pubdice.core.errors import BadNotation, IllegalAction, Refused
from pubdice.core.game import Seat
from pubdice.match.formats import Format, Points, Pot, Rounds, Total, read_format, rolls_off, shared
from pubdice.match.header import RawHeader
from pubdice.match.match import Match
from pubdice.match.narrate import Narrator
from pubdice.match.record import Rolled, write
from pubdice.match.table import Dice, EnterDice, Mark, PlayAction, RollOrBank, Table, TableState, TakeBack, moves
from pubdice.text.catalogues import language
from pubdice.text.language import Language
from support.console import Room, dice
from support.scripted_cup import ScriptedCup

KIT = KITS["midnight"]
NAMES = ("Ann", "Bob", "Cid")
ROLL = RollOrBank("roll")
RECORD = """pubdice 1
game: midnight
need: 1 4
seats: Ann, Bob, Cid
format: rounds 1 rolloff
opener: rotate
first: Ann

round 1
Ann: 144666 k144666 = 22
Bob: 146666 k146666 = 24
Cid: 664166 k146666 = 24
round 2
Bob: 3
Cid: 3
round 3
Bob: 2
Cid: 6
"""
RULES = {"need": "1 4"}


def _table(dice: Dice = "house") -> Table:
    return Table(Match(KIT.build(RULES), 3, Rounds(1, 1)), NAMES, dice)


def _tied(table: Table, *rounds: str) -> TableState:
    """The table once everybody has rolled and kept these dice, the last two with the same score."""
    state = table.start()
    for roll in rounds:
        fallen = tuple(map(int, roll))
        for command in (EnterDice(fallen), PlayAction(KIT.build(RULES).read_action(f"k{roll}"))):
            for event in table.decide(state, command, ScriptedCup()):
                state = table.apply(state, event)
    return state


def _roll(table: Table, state: TableState, *rolls: Roll) -> TableState:
    for fallen in rolls:
        for event in table.decide(state, EnterDice(fallen), ScriptedCup()):
            state = table.apply(state, event)
    return state


def test_a_record_with_a_roll_off_is_read_and_written_as_it_was() -> None:
    record, steps = read(RECORD)
    end = steps[-1].after
    assert (end.over, end.tally.won, end.tally.points) == (True, 2, (0, 1, 1))
    match = KIT.match(KIT.normalize(RawHeader(record.header.fields)))
    assert match.format.champions(end.tally) == (2,)
    assert write(KIT.normalize(record.header), match, [step.move for step in steps]) == RECORD


@pytest.mark.parametrize(
    ("was", "now", "code"),
    [
        ("Bob: 3\n", "Bob: 33\n", "roll-count"),
        ("Bob: 3\n", "Ann: 3\n", "turn"),
        ("Bob: 3\n", "Bob: 3 3\n", "turn-over"),
        ("Bob: 3\n", "Bob: 3 k3\n", "turn-over"),
        ("Bob: 3\n", "Bob: k3\n", "no-choice"),
        ("Bob: 3\n", "Bob: 3 = 4\n", "score"),
        ("round 3\n", "round 4\n", "round"),
        ("Cid: 6\n", "Cid: 6\nBob: 1\n", "match-over"),
    ],
)
def test_a_record_whose_roll_off_is_wrong_is_refused(was: str, now: str, code: str) -> None:
    assert was in RECORD
    with pytest.raises(IllegalAction) as refused:
        read(RECORD.replace(was, now, 1))
    assert refused.value.code == code


def test_the_dice_of_a_roll_off_lie_on_the_table_and_the_match_is_the_highest_ones() -> None:
    table = _table("real")
    state = _tied(table, "144666", "146666", "146666")
    assert (state.mover, state.match.round, table.match.to_roll(state.match)) == (1, None, 1)
    assert [table.view(state, Seat(seat)) for seat in range(3)] == [(), (), ()]
    state = _roll(table, state, (5,))
    assert [[die.face for die in table.view(state, Seat(seat))] for seat in range(3)] == [[], [5], []]
    assert state.mover == 2
    state = _roll(table, state, (4,))
    assert (state.match.over, state.match.tally.won) == (True, 1)
    assert [[die.face for die in table.view(state, Seat(seat))] for seat in range(3)] == [[], [5], [4]]
    assert state.best[1] is not None
    assert state.best[1].score == 24, "the winning hand is the one of the round, and no single die"


def test_real_dice_of_a_roll_off_are_typed_one_at_a_time_and_taken_back() -> None:
    table = _table("real")
    tied = _tied(table, "144666", "146666", "146666")
    for wrong in (EnterDice((5, 5)), EnterDice((7,)), EnterDice(())):
        with pytest.raises(IllegalAction):
            table.decide(tied, wrong, ScriptedCup())
    for nothing in (Mark((0,)), ROLL):
        with pytest.raises(Refused):
            table.decide(tied, nothing, ScriptedCup())
    rolled = _roll(table, tied, (5,))
    (event,) = table.decide(rolled, TakeBack(), ScriptedCup())
    assert replace(table.apply(rolled, event), seq=tied.seq, before=tied.before) == tied


def test_the_house_throws_one_die_for_each() -> None:
    table, cup = _table(), ScriptedCup(dice("144666", "146666", "146666", "6", "2"))
    state, done = table.start(), []
    for _ in range(3):
        for command in (ROLL, RollOrBank("bank", marks=(0, 1, 2, 3, 4, 5))):
            for event in table.decide(state, command, cup):
                state = table.apply(state, event)
                done.append(event)
    for _ in range(2):
        (event,) = table.decide(state, ROLL, cup)
        state = table.apply(state, event)
        done.append(event)
    assert state.match.tally.won == 1
    assert moves(done)[-2:] == [Rolled((6,)), Rolled((2,))]


def test_everybody_hears_who_ties_what_falls_and_who_has_won() -> None:
    table = _table("real")
    state = _tied(table, "144666", "146666")
    heard: list[list[str]] = []
    narrator = Narrator(Language(), KIT.words, table.match, NAMES).to(1)
    steps: list[EnterDice | PlayAction] = [
        EnterDice((1, 4, 6, 6, 6, 6)),
        PlayAction(table.match.game.read_action("k146666")),
    ]
    for command in (*steps, EnterDice((3,)), EnterDice((3,)), EnterDice((2,)), EnterDice((6,))):
        for event in table.decide(state, command, ScriptedCup()):
            after = table.apply(state, event)
            heard.append(narrator.tell(state.match, event, after.match))  # type: ignore[arg-type]
            state = after
    assert heard[1][-2:] == [
        "You and Cid tie with 24. Ann has 22.",
        "Roll-off: you and Cid roll one die each, the highest wins. You go first.",
    ]
    assert heard[2:] == [
        ["You rolled 3."],
        ["Cid rolled 3.", "You and Cid tie again with 3, and roll again. You go first."],
        ["You rolled 2."],
        ["Cid rolled 6.", "Cid wins the roll-off! Score: Ann has 22, you have 24, Cid has 24."],
    ]
    german = Narrator(language("de"), KIT.words, table.match, NAMES)
    assert german.ending(state.match.tally, state.match.last)[0] == "Cid gewinnt das Stechen!"


def test_faces_of_other_dice_compare_in_the_order_of_their_names() -> None:
    match = Match(aces.KIT.usual_game, 2, Rounds(1, 1))
    case = RawHeader(
        {"game": aces.KIT.name, "seats": "Ann, Bob", "format": "rounds 1 rolloff", "faces": "9 10 J Q K A"}
    )
    header = aces.KIT.normalize(case)
    assert aces.KIT.match(header).format == match.format
    state = match.start()
    while state.roll_off is None:
        due = match.to_roll(state)
        state = match.roll(state, (1,) * due) if due else match.play(state, match.legal(state)[-1])
    king, ace = (match.game.faces.names.index(name) + 1 for name in "KA")
    assert match.roll(match.roll(state, (king,)), (ace,)).tally.won == 1
    with pytest.raises(IllegalAction):
        match.roll(state, (7,))


@pytest.mark.parametrize("form", [Rounds(5, 1), Rounds(1, 1), Points(50, 1, 1), Total(1, 1), Total(20, 1)], ids=str)
def test_a_format_with_a_roll_off_written_and_read_is_the_same(form: Format) -> None:
    assert read_format(form.write()) == form
    assert form.write().endswith(" rolloff")
    assert rolls_off(form)
    assert not rolls_off(shared(form))
    assert shared(form).write() == form.write().removesuffix(" rolloff")


def test_where_nobody_can_tie_the_word_is_left_out() -> None:
    assert not rolls_off(Pot())
    for wrong in ("rounds rolloff 5", "rounds 5 rolloff rolloff", "pot 1 rounds 5 rolloff", "points 5 rolloff"):
        with pytest.raises(BadNotation):
            read_format(wrong)


def test_it_is_played_in_the_terminal_with_the_dice_drawn_and_told() -> None:
    room = Room(rolls=dice("144666", "144666", "4", "6"))
    kept = ["r", "k 144666", "b"]
    told = room.run("play midnight --seats Ann,Bob --format rounds:1:rolloff", *kept, *kept, "beat", "r", "beat", "r")
    assert "1 round, a tie is rolled off" in told.out, told.out
    assert "Roll-off: Ann and Bob roll one die each, the highest wins. Ann goes first." in told.out
    assert "Ann: Roll one die." in told.out
    assert "Roll-off: no rolls yet." in told.out
    assert "Roll-off: Ann has 4." in told.out
    assert "Bob wins the roll-off! Score: Ann has 22, Bob has 22." in told.out


def test_the_switch_is_asked_for_in_one_sentence_and_named_by_its_format() -> None:
    asked = [field for kind in KIT.formats for field in kind.fields if field.label == "If several tie for the match"]
    assert [field.key for field in asked] == ["rounds-tie", "points-tie", "total-tie"]
