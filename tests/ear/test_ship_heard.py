"""Ship and Threes with the moon by ear, in both languages: what is said is what lies there, and ends with the choice.

Ann types in the dice that everybody rolls, so the turns are always the same.
"""

from collections.abc import Iterator

import pytest

from ear.people import opened
from ear.reader import Reader, reading
from support.house_process import House

pytestmark = pytest.mark.nightly
Place = tuple[Reader, House]
FIELD = {"en": "Type your move entry", "de": "Tipp deinen Zug ein entry"}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    with reading(tmp_path_factory.mktemp("ear")) as place:
        yield place


def _seated(place: Place, said: str, **order: object) -> Reader:
    """Ann at a table with real dice and a bot, in the field for moves."""
    reader, house = place
    table = opened(house, dice="real", **order)
    reader.come("/help", f"language={said}")
    reader.come(table.path, table.cookie)
    reader.until("Tab", FIELD[said])
    return reader


SHIP = {
    "en": (
        (r"You rolled 6 5 3 2 1\.", r"You kept 5 6\.", r"Roll 3 dice\. 2 rolls left\.", r"You still need a 4\."),
        (r"You rolled 4 3 2\.", r"You have a cargo of 5\.", r"1 roll left\.", r"Stop, or roll again\?"),
        r"Locked: 6 5 4; rolled: 3 2\. You have 6, 5 and 4\. Score 5\.",
        r"Nobody has scored yet\.",
        (r"You stopped\.", "You scored 5", r"Tip's turn\."),
        "still need",
    ),
    "de": (
        (r"Du hast 6 5 3 2 1 geworfen\.", "5 6", r"Wirf 3 Würfel\. Noch 2 Würfe\.", r"Dir fehlt noch eine 4\."),
        (
            r"Du hast 4 3 2 geworfen\.",
            "Du hast 5 geladen",
            "Noch 1 Wurf",
            "Hörst du auf, oder würfelst du noch",
        ),
        r"Fest: 6 5 4; geworfen: 3 2\. Du hast 6, 5 und 4\. Punkte: 5\.",
        r"Noch hat niemand Punkte\.",
        ("Du hast aufgehört", "5 Punkte", "Tip ist dran"),
        "fehlt",
    ),
}


@pytest.mark.parametrize("said", SHIP)
def test_with_the_4_aboard_no_4_is_needed_and_the_choice_is_heard(place: Place, said: str) -> None:
    lacking, aboard, hand, standing, stopped, need = SHIP[said]
    reader = _seated(place, said, game="ship", rules={"format": "rounds 1"})
    reader.type("6 5 3 2 1", *lacking)
    for line, heard in (("4 3 2", aboard), ("h", (hand,)), ("s", (standing,)), ("b", stopped)):
        assert need not in reader.type(line, *heard), line


MOON = {
    "en": (r"Which dice do you keep\?", r"You shot the moon: five sixes!.*You win"),
    "de": (r"Welche Würfel behältst du\?", r"fünf Sechsen! Du gewinnst mit fünf Sechsen\."),
}


@pytest.mark.parametrize("said", MOON)
def test_the_moon_is_heard_as_what_it_is(place: Place, said: str) -> None:
    choice, shot = MOON[said]
    reader = _seated(place, said, game="threes", rules={"format": "rounds 1", "moon": "yes"})
    reader.type("6 6 6 3 3", "6 6 6 3 3", choice)
    reader.type("k 6 6 6 r", "2")
    reader.type("6 6", choice)
    heard = reader.type("k 6 6 r", shot)
    assert "30" not in heard, "the moon is no sum"
