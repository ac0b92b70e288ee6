"""Who sits at a table: names, bots, numbers."""

import pytest

from pubdice.core.errors import BadNotation
from pubdice.games import GAMES
from pubdice.terminal.typed_seats import read_seats

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
    assert caught.value.code == fault
