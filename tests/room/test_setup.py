"""What a table is before anybody sits down: written, read, and refused where it cannot be."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from play import CASES, KITS, Case
from pubdice.core.errors import BadNotation
from pubdice.room import Room, Setup, read_setup, write_setup
from pubdice.room.setup import (
    LEAST_CLOCK_S,
    MOST_CLOCK_S,
    MOST_GRACE_S,
    MOST_PACE_MS,
    Expected,
    Row,
    checked,
    placeholders,
    unused,
    within,
)
from room.scripted_room import BEGIN

PIG = KITS["pig"]
WORDS = st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), max_size=20)
SOUND: dict[str, Any] = json.loads(write_setup(Setup({"game": "pig"}, 3, "ann", BEGIN, ("tip",))))


def _orders(case: Case) -> st.SearchStrategy[Setup]:
    """Any table of this game that can be ordered."""
    kit, game = case.kit, case.game
    return st.builds(
        lambda people, bots, **more: Setup(
            {"game": kit.name, **dict(case.fields)}, max(people + len(bots), game.least_seats), bots=bots, **more
        ),
        people=st.integers(1, 6),
        bots=st.lists(st.sampled_from(kit.bots), max_size=3).map(tuple),
        host=WORDS,
        opened=st.integers(0, 10**13),
        dice=st.sampled_from(("house", "real")),
        listed=st.booleans(),
        opens=st.integers(0, 10),
        grace_s=st.integers(0, MOST_GRACE_S),
        clock_s=st.one_of(st.just(0), st.integers(LEAST_CLOCK_S, MOST_CLOCK_S)),
        pace_ms=st.integers(0, MOST_PACE_MS),
    )


@given(order=st.sampled_from(CASES).flatmap(lambda case: st.tuples(st.just(case), _orders(case))))
def test_a_setup_written_and_read_is_the_same_on_one_line(order: tuple[Case, Setup]) -> None:
    case, setup = order
    setup = checked(case.kit, setup)
    text = write_setup(setup)
    assert read_setup(text) == setup
    assert len(text.splitlines()) == 1
    assert checked(case.kit, setup) == setup
    assert Room(case.kit, read_setup(text)).start() == Room(case.kit, setup).start()


def test_the_first_line_is_plain() -> None:
    """Logs are kept: a line written today is read in every later version."""
    assert write_setup(Setup({"game": "pig", "target": "20"}, 3, "ann", BEGIN, ("tip",))) == (
        '{"pubdice": 3, "rules": {"game": "pig", "target": "20"}, "seats": 3, "host": "ann", '
        f'"opened": {BEGIN}, "bots": ["tip"], "dice": "house", "listed": false, "opens": 0, "grace_s": 120, '
        '"clock_s": 0, "pace_ms": 1200, "grows": false, "before": "", "expected": [], "moves_left": false, '
        '"barred": [], "games": 0, "evening": [], "shut": false, "first_stays": false}'
    )


def test_a_rematch_is_written_with_whom_it_waits_for_and_what_the_evening_has_come_to() -> None:
    setup = Setup(
        {"game": "pig"},
        2,
        "ann",
        BEGIN,
        grows=True,
        before="ABCDEF",
        expected=(Expected("Ann", ("ann", "ann2")), Expected("Tip", bot="tip")),
        moves_left=True,
        banned=("eve",),
        games=2,
        evening=(Row("Ann", ("ann",), 2, (("chips", -3),)), Row("Tip", takings=(("chips", 0),))),
    )
    assert read_setup(write_setup(setup)) == setup
    room = Room(KITS["pig"], read_setup(write_setup(setup)))
    assert [chair.name for chair in room.start().chairs] == ["Ann", "Tip"]
    assert [chair.kind for chair in room.start().chairs] == ["empty", "bot"]


def _evening(**takings: int) -> Setup:
    """Of Ann, who has this, and of Bob, who has one of each."""
    ann, bob = Row("Ann", ("ann",), 2, tuple(takings.items())), Row("Bob", (), 1, tuple((unit, 1) for unit in takings))
    return Setup({"game": "pig"}, 3, "ann", BEGIN, games=3, evening=(ann, bob))


@pytest.mark.parametrize(
    ("takings", "written"),
    [
        ({}, '"rounds": 0, "chips": 0, "drinks": 0'),
        ({"chips": -3}, '"rounds": 0, "chips": -3, "drinks": 0'),
        ({"rounds": 0, "drinks": 2}, '"rounds": 0, "chips": 0, "drinks": 2'),
        ({"chips": 4, "rounds": 2}, '"chips": 4, "rounds": 2, "drinks": 0'),
        ({"rounds": 2, "pints": 3}, '"rounds": 2, "chips": 0, "drinks": 0, "pints": 3'),
        ({"pints": 3, "rounds": 2}, '"pints": 3, "rounds": 2, "chips": 0, "drinks": 0'),
    ],
)
def test_units_are_written_as_ever_and_read_in_the_order_they_occurred_in(
    takings: dict[str, int], written: str
) -> None:
    setup = _evening(**takings)
    assert f'"wins": 2, {written}}}' in write_setup(setup)
    assert read_setup(write_setup(setup)) == setup


def test_units_that_nobody_has_any_of_are_not_kept() -> None:
    old = {"name": "Ann", "people": [], "wins": 1, "rounds": 0, "chips": 0, "drinks": 0}
    assert read_setup(json.dumps({**SOUND, "evening": [old]})).evening == (Row("Ann", (), 1),)


def test_a_setup_of_version_2_is_read() -> None:
    assert read_setup(json.dumps({**SOUND, "pubdice": 2})) == Setup({"game": "pig"}, 3, "ann", BEGIN, ("tip",))


def test_what_a_later_version_added_may_be_left_out() -> None:
    old = {key: SOUND[key] for key in ("pubdice", "rules", "seats", "host", "opened", "bots")}
    assert read_setup(json.dumps(old)) == Setup({"game": "pig"}, 3, "ann", BEGIN, ("tip",))


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "x",
        "{",
        "null",
        "1",
        "[]",
        '"pubdice"',
        "{}",
        "NaN",
        "\x00",
        "\ud800",
        '{"pubdice": 2}',
        "[" * 100_000,
        '{"a":' * 100_000,
        '{"pubdice": 2, "rules": ' + "[" * 100_000,
        '{"pubdice": ' + "9" * 100_000 + "}",
        f"{BEGIN} sat 0 ann Ann",
    ],
    ids=range(18),
)
def test_a_line_that_is_no_setup_is_refused(text: str) -> None:
    with pytest.raises(BadNotation) as error:
        read_setup(text)
    assert error.value.code == "event"
    assert len(str(error.value)) < 1000, "and not repeated at length"


WRONG: dict[str, tuple[Any, ...]] = {
    "pubdice": (1, 4, "2", None, True, [2]),
    "rules": (
        *(None, [], "game", {}, {"seats": "Ann"}, {"game": 1}, {"game": None}, [["game"]]),
        *({"game": "pig", "a\nb": "c"}, {"game": "pig", "a": "b\nc"}, {"game": "pig", "a": "\u2028"}),
    ),
    "seats": (0, -1, 1.0, 3.5, "3", None, True, [], 100, 10**30, float("inf"), float("nan")),
    "host": (None, 1, [], {}, "a\nb", "\ud800"),
    "opened": (-1, 1.5, "now", None, False, 10**14, 10**4000),
    "bots": (None, "tip", 1, {"tip": 1}, [1], [None], [["tip"]], ["tip"] * 4, ["a\nb"]),
    "dice": (None, "", "House", 1, ["house"], {}),
    "listed": (None, 0, 1, "yes", []),
    "opens": (-1, 0.5, "1", None, True, 10**9),
    "grace_s": (-1, 0.5, "1", None, True, 10**9),
    "clock_s": (-1, 0.5, "1", None, True, 10**9),
    "pace_ms": (-1, 0.5, "1", None, True, 10**9),
    "grows": (None, 0, 1, "yes", []),
    "before": (None, 1, [], "a\nb"),
    "expected": (
        *(None, {}, "x", [1], [None], [{}], [{"name": "Ann"}], [{"name": "Ann", "people": ["a"], "bot": "", "x": 1}]),
        *([{"name": "Ann", "people": "ann", "bot": ""}] * 3, [{"name": "Ann", "people": ["ann"], "bot": ""}] * 2),
        [{"name": name, "people": [name], "bot": ""} for name in ("Ann", "ann", "Bob")],
        [{"name": name, "people": [], "bot": ""} for name in ("Ann", "Bob", "Cid")],
        [{"name": name, "people": [name], "bot": "tip"} for name in ("Ann", "Bob", "Cid")],
        [{"name": name, "people": [name], "bot": ""} for name in ("Ann", "", "Cid")],
    ),
    "moves_left": (None, 0, "yes"),
    "barred": (None, "ann", [1], [None], ["a\nb"]),
    "games": (-1, 0.5, "1", None, True, 10**9),
    "evening": (
        *(None, {}, "x", [1], [{}], [{"name": "Ann", "people": "ann"}], [{"name": 1, "people": []}]),
        *([{"name": "Ann", "people": [], "wins": wins}] for wins in (None, "1", 0.5, True, 10**15)),
    ),
    "evening, by unit": (
        *([{"name": "Ann", "people": [], "chips": count}] for count in (None, "1", 0.0, True, 10**15)),
        *([{"name": "Ann", "people": [], "pints": count}] for count in (None, "1", 0.0, True, -(10**15))),
        *([{"name": "Ann", "people": [], key: 1}] for key in ("", "Pints", "a b", "p" * 17, "pints\n", "2")),
        [{"name": name, "people": [], **{f"u{name}{at}": 1 for at in range(5)}} for name in "ab"],
    ),
    "matches": (-1, 0.5, "1", None, True, 10**9),
    "played": (-1, 0.5, "1", None, True, 10**9),
    "best": (None, 0, 1, "yes", []),
    "line_up": (
        *(None, {}, "x", [1], [None], [{}], [{"rules": [], "matches": 1}]),
        *([{"rules": rules, "matches": 1}] for rules in ({}, {"need": "1 4"}, {"game": 1}, {"game": "a\nb"})),
        *([{"rules": {"game": "420"}, "matches": count}] for count in (-1, 0, 0.5, "1", None, True, 10**9)),
        *([{"rules": {"game": "420"}, "matches": 1, "best": best}] for best in (None, 0, 1, "yes")),
        [{"rules": {"game": "420"}, "matches": 1}] * 99,
    ),
    "more": (1,),
    "self": (1,),
    "": ("",),
}


@pytest.mark.parametrize("key", WRONG)
def test_a_setup_with_something_wrong_is_refused(key: str) -> None:
    for value in WRONG[key]:
        with pytest.raises(BadNotation, match="event"):
            read_setup(json.dumps({**SOUND, key.partition(",")[0]: value}))


@pytest.mark.parametrize("key", ["pubdice", "rules", "seats", "host", "opened", "bots"])
def test_a_setup_that_lacks_something_is_refused(key: str) -> None:
    with pytest.raises(BadNotation, match="event"):
        read_setup(json.dumps({name: value for name, value in SOUND.items() if name != key}))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@given(keys=st.lists(st.sampled_from(sorted(SOUND)), min_size=1, max_size=3), data=st.data())
def test_whatever_json_stands_there_it_is_a_setup_or_refused(keys: list[str], data: st.DataObject) -> None:
    text = json.dumps({**SOUND, **{key: data.draw(JSON) for key in keys}})
    try:
        setup = read_setup(text)
    except BadNotation:
        pass
    else:
        assert read_setup(write_setup(setup)) == setup
        Room(PIG, setup).start()


@given(text=st.text(max_size=80))
def test_whatever_text_stands_there_it_is_refused(text: str) -> None:
    with pytest.raises(BadNotation, match="event"):
        read_setup(text)


# what can be ordered


def _order(**changed: Any) -> Setup:
    return Setup(**{"rules": {"game": "pig"}, "seats": 3, "host": "ann", "opened": BEGIN, **changed})


def test_rules_are_spelt_in_full() -> None:
    assert checked(PIG, _order()).rules == {"game": "pig", "target": "20", "format": "race"}
    kit = KITS["midnight"]
    given_rules = {"game": "midnight", "need": "2,4", "format": "pot:2:3"}
    assert checked(kit, _order(rules=given_rules)).rules == {
        "game": "midnight",
        "need": "2 4",
        "format": "pot 2 rounds 3",
        "opener": "rotate",
    }


@pytest.mark.parametrize("first", ["draw", "Draw", "DRAW"])
def test_player_1_may_be_drawn_wherever_people_want_it(first: str) -> None:
    assert checked(PIG, _order(rules={"game": "pig", "first": first})).rules["first"] == "draw"
    assert "first" not in checked(KITS["420"], _order(rules={"game": "420"})).rules, "as the seats have it in the end"


@pytest.mark.parametrize("key", ["seats", "seed", "seeds", "seal", "check", "night", "colour"])
def test_the_header_of_a_record_has_keys_that_are_no_rules_of_a_table(key: str) -> None:
    with pytest.raises(BadNotation, match="header-key"):
        checked(PIG, _order(rules={"game": "pig", key: "Ann, Bob, Cid, Dot"}))


@pytest.mark.parametrize(
    ("changed", "fault"),
    [
        ({"seats": 0}, "number-range"),
        ({"seats": -1}, "number-range"),
        ({"seats": 100}, "number-range"),
        ({"seats": 10**30}, "number-range"),
        ({"seats": 1}, "seats"),
        ({"seats": 11}, "seats"),
        ({"bots": ("tip", "tip", "tip")}, "people-none"),
        ({"bots": ("tip",) * 9}, "people-none"),
        ({"bots": ("hal",)}, "bot"),
        ({"bots": ("Tip",)}, "bot"),
        ({"dice": "loaded"}, "dice"),
        ({"grace_s": -1}, "number-range"),
        ({"grace_s": MOST_GRACE_S + 1}, "number-range"),
        ({"pace_ms": -1}, "number-range"),
        ({"pace_ms": MOST_PACE_MS + 1}, "number-range"),
        ({"clock_s": -1}, "number-range"),
        ({"clock_s": LEAST_CLOCK_S - 1}, "number-range"),
        ({"clock_s": MOST_CLOCK_S + 1}, "number-range"),
        ({"rules": {"game": "pig", "target": "21"}}, "option"),
        ({"rules": {"game": "pig", "need": "1 4"}}, "header-key"),
        ({"rules": {"game": "pig", "format": "rounds 5"}}, "format-game"),
        ({"rules": {"game": "pig", "opener": "nobody"}}, "opener"),
        ({"rules": {"game": "pig", "first": "Ann"}}, "first-draw"),
        ({"rules": {"game": "pig", "first": "Seat 2"}}, "first-draw"),
    ],
    ids=str,
)
def test_what_cannot_be_played_is_refused(changed: dict[str, Any], fault: str) -> None:
    with pytest.raises(BadNotation) as error:
        checked(PIG, _order(**changed))
    assert error.value.code == fault


@pytest.mark.parametrize("value", [0, 5, 10])
def test_a_number_within_its_bounds_is_itself(value: int) -> None:
    assert within("pace", value, 0, 10) == value


def test_a_number_out_of_its_bounds_says_them() -> None:
    with pytest.raises(BadNotation) as error:
        within("pace", 11, 0, 10)
    assert error.value.facts == {"found": 11, "key": "pace", "least": 0, "most": 10}


def test_seats_nobody_has_taken_have_names_too() -> None:
    assert placeholders(3) == ("Seat 1", "Seat 2", "Seat 3")


def test_a_name_that_is_taken_is_numbered() -> None:
    assert unused("Tip", []) == "Tip"
    assert unused("Tip", ["TIP", " tip 2", "Tip 3"]) == "Tip 2", "names are kept tidy"
    assert unused("Tip", ["TIP", "tip 2", "Tip 3"]) == "Tip 4"
