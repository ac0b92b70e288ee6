from pathlib import Path

import pytest

from play import KITS, read
from pubdice.core.errors import BadNotation, IllegalAction, Place
from pubdice.core.game import Keep
from pubdice.match.notation import WORDS_A_SEAT, WORDS_AT_LEAST, parse
from pubdice.match.record import Drawn, Played, Rolled, write
from pubdice.match.record import moves as replayed

HEAD = "pubdice 1\ngame: midnight\nseats: Ann, Bob\nformat: rounds 1\n"
EXAMPLE = "Ann: 344512 k45 6326 k66 21 k1 3 = 20"
"""The encyclopedia's worked example ("Example game"), as written at the table: the last die is implied."""


def _bad(text: str) -> BadNotation:
    with pytest.raises(BadNotation) as error:
        read(text)
    return error.value


def _illegal(text: str) -> IllegalAction:
    with pytest.raises(IllegalAction) as error:
        read(text)
    return error.value


def test_a_pot_of_a_thousand_rounds_is_no_longer_than_a_record_may_be() -> None:
    head = "pubdice 1\ngame: midnight\nseats: A, B, C, D\nformat: pot 1 rounds 1000\nround 1\n"
    assert parse(head + "A: 654321 k1 11111 k1 1111 k1 111 k1 11 k1 1 k1 = 0\n" * 4_000).tokens


def test_a_record_longer_than_any_match_is_refused_before_it_is_replayed() -> None:
    head = "pubdice 1\ngame: 420\nseats: Ann, Bob\nfirst: Ann\nround 1\n"
    turn = "Ann: 1 = 4\n"
    most = WORDS_AT_LEAST + 2 * WORDS_A_SEAT
    fits = (most - 1) // 3
    assert len(parse(head + turn * fits).tokens) <= most
    for text in (head + turn * (fits + 1), head + "Ann: " + "1 " * 1_000_000):
        with pytest.raises(BadNotation, match="record-long") as error:
            parse(text)
        assert error.value.place is not None
        assert error.value.place.line == (6 + fits if text.count(turn) else 6)


def text_of(text: str) -> str:
    """The record of what a record tells, as the house writes it."""
    record, steps = read(text)
    kit = KITS[record.header.fields["game"]]
    header = kit.normalize(record.header)
    return write(header, kit.match(header), replayed(steps))


def test_the_worked_example_of_the_encyclopedia_scores_20() -> None:
    _, steps = read(f"{HEAD}round 1\n{EXAMPLE}\n")
    assert replayed(steps)[:2] == [Rolled((3, 4, 4, 5, 1, 2)), Played(Keep((4, 5)))]
    assert steps[-1].move == Played(Keep((3,)))
    assert steps[-1].place is None
    after = steps[-1].after.round
    assert after is not None
    assert after.scores == (20,)


def test_dice_are_recorded_as_they_fell_and_keeps_sorted() -> None:
    kit = KITS["midnight"]
    record, steps = read(f"{HEAD}round 1\nAnn: 344512 k54\n")
    header = kit.normalize(record.header)
    assert write(header, kit.match(header), replayed(steps)).splitlines()[-1] == "Ann: 344512 k45"


def test_a_header_is_in_full_and_canonical_when_it_is_written() -> None:
    kit = KITS["midnight"]
    record = parse("\n\n  PUBDICE 1 # mine\nSeats:Ann ,Bob\n game : midnight\nneed: 2-4\nformat: pot:3\n")
    assert kit.normalize(record.header).write().splitlines() == [
        "pubdice 1",
        "game: midnight",
        "need: 2 4",
        "seats: Ann, Bob",
        f"format: {kit.format('pot 3').write()}",
        "opener: rotate",
        "first: Ann",
    ]


def test_a_record_of_no_moves_is_its_header() -> None:
    record, steps = read(HEAD)
    assert (record.tokens, steps) == ((), [])


def test_a_draw_names_player_1() -> None:
    text = "pubdice 1\ngame: 420\nseats: Ann, Bob, Cid\nformat: drinks\n\ndraw Cid\nround 1\nCid: 5555 = 20\nround 2\n"
    _, steps = read(text)
    assert steps[0].move == Drawn(steps[0].after.order[0])
    assert steps[0].after.order == (2, 0, 1)
    assert steps[-1].after.order == (0, 1)


def test_a_turn_may_go_on_over_several_lines() -> None:
    _, one = read(f"{HEAD}round 1\n{EXAMPLE}\n")
    _, many = read(f"{HEAD}round 1\nAnn: 344512 k45\nAnn: 6326 k66\n\n# a pause\nAnn: 21 k1\nAnn: 3 k3 = 20\n")
    assert replayed(many) == replayed(one)


def test_a_line_may_begin_with_the_forced_action_of_the_seat_it_names() -> None:
    _, one = read(f"{HEAD}round 1\n{EXAMPLE}\n")
    _, two = read(f"{HEAD}round 1\nAnn: 344512 k45 6326 k66 21 k1 3\nAnn: k3 = 20\n")
    assert replayed(two) == replayed(one)


def test_where_all_open_in_turn_each_seat_has_a_line_of_its_own() -> None:
    head = "pubdice 1\ngame: twentyone\nseats: Ann, Bob\nformat: rounds 1\nopener: rotate\nfirst: Ann\n\n"
    text = f"{head}round 1\nAnn: 66\nBob: 54\nAnn: draw 6 stand = 18\nBob: draw 6 draw 6 = 21\n"
    assert text_of(text) == text
    one_line = text.replace("Ann: 66\nBob: 54\nAnn: draw", "Ann: 66 54 draw")  # as earlier versions wrote it
    assert text_of(one_line) == text


def test_words_need_no_spaces_between() -> None:
    _, steps = read(f"{HEAD}round 1\nAnn:344512k45 6326k66 21k1 3=20\n")
    _, same = read(f"{HEAD}round 1\n{EXAMPLE}\n")
    assert replayed(steps) == replayed(same)


@pytest.mark.parametrize(
    ("text", "fault", "place"),
    [
        ("", "empty", Place(1, 1, "")),
        ("\n# nothing\n", "empty", Place(1, 1, "")),
        ("pubdice 2\n", "version", Place(1, 1, "pubdice 2")),
        ("\n  hello\n", "version", Place(2, 3, "hello")),
        ("pubdice 1\nno colon here\n", "header-line", Place(2, 1, "no colon here")),
        ("pubdice 1\ngame: 420\n Game: pig\n", "header-twice", Place(3, 2, "Game: pig")),
        ("pubdice 1\ngame:\n", "header-empty", Place(2, 1, "game:")),
        ("pubdice 1\ngame: 420\n", "header-missing", Place(3, 1, "")),
        ("pubdice 1\nseats: Ann\nround 1\n", "header-missing", Place(3, 1, "round 1")),
        ("pubdice 1\ngame: midnight\nseats: Ann, A:b\n", "name-characters", Place(3, 8, "Ann, A:b")),
        ("pubdice 1\ngame: midnight\nseats: Ann\nneed: 1 1\n", "option", Place(4, 7, "1 1")),
        ("pubdice 1\ngame: midnight\nseats: Ann\ncolour: red\n", "header-key", Place(4, 1, "colour")),
        ("pubdice 1\ngame: midnight\nseats: Ann\nformat: race\n", "format-game", Place(4, 9, "race")),
        ("pubdice 1\ngame: midnight\nseats: Ann\nformat: rounds 99\n", "format-number", Place(4, 9, "rounds 99")),
        ("pubdice 1\ngame: midnight\nseats: Ann\nopener: me\n", "opener", Place(4, 9, "me")),
        ("pubdice 1\ngame: midnight\nseats: Ann\nfirst: Bob\n", "first", Place(4, 8, "Bob")),
        ("pubdice 1\ngame: 420\nseats: Ann\n", "seats", Place(3, 8, "Ann")),
        (f"{HEAD}round 1\nAnn 344512\n", "line", Place(6, 1, "Ann 344512")),
        (f"{HEAD}round 1\n  Cid: 344512\n", "seat", Place(6, 3, "Cid")),
        (f"{HEAD}round 1\n: 344512\n", "seat", Place(6, 1, "")),
        (f"{HEAD}round 1\nAnn: 344572 k45\n", "face", Place(6, 6, "344572")),
        (f"{HEAD}round 1\nAnn: 344512  kx\n", "action", Place(6, 14, "kx")),
        (f"{HEAD}round 1\nAnn: 344512 hold\n", "action", Place(6, 13, "hold")),
        (f"{HEAD}round 1\nAnn: 344512 ?\n", "word", Place(6, 13, "?")),
        (f"{HEAD}round 1\nAnn: 344512 = x\n", "score-number", Place(6, 13, "= x")),
        (f"{HEAD}round 1\nAnn: = ٣\n", "score-number", Place(6, 6, "= ٣")),
        (f"{HEAD}round 1\n{EXAMPLE} 6\n", "after-score", Place(6, 39, "6")),
        (f"{HEAD}draw Cid\n", "seat", Place(5, 6, "Cid")),
    ],
)
def test_text_that_does_not_parse_is_faulted_where_it_stands(text: str, fault: str, place: Place) -> None:
    error = _bad(text)
    assert (error.code, error.place) == (fault, place)


@pytest.mark.parametrize(
    ("body", "rule", "place"),
    [
        ("round 2\n", "round", Place(5, 7, "2")),
        ("round 1\nBob: 344512\n", "turn", Place(6, 1, "Bob")),
        ("round 1\nAnn: 34451\n", "roll-count", Place(6, 6, "34451")),
        ("round 1\nAnn: 344512 344512\n", "no-roll", Place(6, 13, "344512")),
        ("round 1\nAnn: k4\n", "no-keep", Place(6, 6, "k4")),
        ("round 1\nAnn: 344512 k6\n", "not-free", Place(6, 13, "k6")),
        ("round 1\nAnn: 344512 k444\n", "not-free", Place(6, 13, "k444")),
        ("round 1\nAnn: 344512 k-\n", "keep-one", Place(6, 13, "k-")),
        ("round 1\nAnn: 344512 = 3\n", "score-early", Place(6, 13, "= 3")),
        ("round 1\nAnn: 344512 k45 6326 k66 21 k1 3 = 21\n", "score", Place(6, 34, "= 21")),
        ("round 1\nAnn: 344512 k45 6326 k66 21 k1 3 = 19\n", "score", Place(6, 34, "= 19")),
        ("draw Ann\n", "no-draw", Place(5, 6, "Ann")),
        ("round 1\nAnn: 146666 k146666\nBob: 111111 k111111\nround 2\n", "match-over", Place(8, 7, "2")),
        ("round 1\nAnn: 146666 k146666\nBob: 111111 k111111\nAnn: 1\n", "match-over", Place(8, 1, "Ann")),
    ],
)
def test_a_move_the_rules_forbid_is_faulted_where_it_stands(body: str, rule: str, place: Place) -> None:
    error = _illegal(HEAD + body)
    assert (error.code, error.place) == (rule, place)


def test_a_turn_before_the_draw_is_refused() -> None:
    error = _illegal("pubdice 1\ngame: 420\nseats: Ann, Bob, Cid\n\nround 1\nAnn: 1111\n")
    assert (error.code, error.place) == ("draw-first", Place(5, 7, "1"))


@pytest.mark.parametrize(
    "path", sorted((Path(__file__).parents[2] / "examples").glob("*.record")), ids=lambda p: p.name
)
def test_every_example_replays(path: Path) -> None:
    _, steps = read(path.read_text(encoding="utf-8"))
    assert steps
