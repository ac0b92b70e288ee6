"""Who sits at a table: names, bots, numbers, and the first line of a log."""

import json

import pytest

from pubdice.game import BadNotation
from pubdice.games import GAMES
from pubdice.notation import Header
from pubdice.terminal.seating import Setup, read_seats, read_setup

MIDNIGHT, FOURTWENTY = GAMES["midnight"], GAMES["420"]
SEATS: dict[str, tuple[tuple[str, ...], dict[str, str]]] = {
    "you,bot": (("you", "Tip"), {"Tip": "tip"}),
    "Ann": (("Ann",), {}),
    "Ann, Bob": (("Ann", "Bob"), {}),
    " Ann  Lee ,Bob": (("Ann Lee", "Bob"), {}),
    "bot,bot,bot": (("Tip", "Tip 2", "Tip 3"), {"Tip": "tip", "Tip 2": "tip", "Tip 3": "tip"}),
    "bot:lucky,bot": (("Lucky", "Tip"), {"Lucky": "lucky", "Tip": "tip"}),
    "BOT:LUCKY,Ann": (("Lucky", "Ann"), {"Lucky": "lucky"}),
    "Zoë=lucky,Ann": (("Zoë", "Ann"), {"Zoë": "lucky"}),
    "Tip,bot": (("Tip", "Tip 2"), {"Tip 2": "tip"}),
    "Bob=tip,Bo": (("Bob", "Bo"), {"Bob": "tip"}),
}


@pytest.mark.parametrize("text", SEATS)
def test_names_and_bots_are_read(text: str) -> None:
    assert read_seats(text, MIDNIGHT) == SEATS[text]


def test_a_number_is_that_many_people() -> None:
    assert read_seats("2", FOURTWENTY) == (("Red", "Blue"), {})
    names, bots = read_seats("4", FOURTWENTY)
    assert (names[:2], len(set(names)), bots) == (("Red", "Blue"), 4, {})
    assert len(read_seats("20", MIDNIGHT)[0]) == 20
    assert len(read_seats(" 1 ", MIDNIGHT)[0]) == 1


@pytest.mark.parametrize(
    ("text", "fault"),
    [("0", "seats"), ("-1", "seats"), ("999", "seats"), ("Ann=me", "bot"), ("bot:me", "bot"), ("", "name-missing")],
)
def test_seats_that_cannot_be_are_refused(text: str, fault: str) -> None:
    with pytest.raises(BadNotation) as caught:
        read_seats(text, MIDNIGHT)
    assert caught.value.fault == fault


def _setup(**facts: object) -> Setup:
    header = MIDNIGHT.settle(Header({"game": "midnight", "seats": "Zoë, Tip"}))
    return Setup(header, {"Tip": "tip"}, **facts)  # type: ignore[arg-type]


@pytest.mark.parametrize("facts", [{}, {"dice": "real"}, {"seed": "7"}, {"seed": "🎲"}, {"keys": "position"}])
def test_a_setup_written_is_read_again(facts: dict[str, object]) -> None:
    setup = _setup(**facts)
    assert "\n" not in setup.write()
    assert read_setup(setup.write()) == setup


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("pubdice", 2),
        ("header", None),
        ("header", {"game": "midnight"}),
        ("header", {"game": 1, "seats": "Ann", "format": "rounds 1", "first": "Ann"}),
        ("bots", ["Tip"]),
        ("bots", {"Tip": 1}),
        ("dice", "loaded"),
        ("dice", []),
        ("seed", 7),
        ("keys", "hands"),
    ],
)
def test_a_setup_that_was_tampered_with_is_refused(key: str, value: object) -> None:
    data = json.loads(_setup().write())
    with pytest.raises(BadNotation):
        read_setup(json.dumps({**data, key: value}))
    with pytest.raises(BadNotation):
        read_setup(json.dumps({name: fact for name, fact in data.items() if name != key}))


@pytest.mark.parametrize("text", ["", "{}", "[]", "null", "7", '"x"', "{", "[" * 5])
def test_what_is_no_setup_is_refused(text: str) -> None:
    with pytest.raises(BadNotation):
        read_setup(text)
