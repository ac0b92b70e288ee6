"""Who sits at a table: names, bots, numbers."""

import pytest

from pubdice.core.errors import BadNotation
from pubdice.games import GAMES
from pubdice.terminal.typed_seats import read_seats
from pubdice.text.catalogues import language
from support.console import Room, pubdice

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


def test_a_person_with_the_name_of_a_bot_gets_a_hint() -> None:
    """``simulate --seats tip,perfect`` seats two bots, ``play --seats tip,perfect`` two people."""
    told = Room().run("play mexico --seats tip,Perfect,bot,Zoe=lucky", "q")
    assert told.paragraphs[:2] == [
        "tip is a person here. For the bot of that name write bot:tip.",
        "Perfect is a person here. For the bot of that name write bot:perfect.",
    ]
    assert "a person here" not in "".join(told.paragraphs[2:])
    assert "person here" not in Room().run("play mexico --seats Ann,bot:tip", "q").out


def test_a_person_with_the_name_of_another_games_bot_gets_a_hint() -> None:
    """Mexico has no Steady. A player who knows it from Midnight would wait for it to play."""
    told = Room().run("play mexico --seats you,steady", "q")
    assert told.paragraphs[0] == (
        "steady is a person here. Mexico has no bot of that name. Choose bot:tip, bot:lucky or bot:perfect."
    )
    assert "bot:steady" in Room().run("play midnight --seats you,steady", "q").paragraphs[0]
    german = Room(language=language("de")).run("play", "change", "mexico", "du,steady", "q")
    assert "Mexico hat keinen Bot dieses Namens. Zur Wahl: bot:tip, bot:lucky oder bot:perfect." in german.out.replace(
        "\n", " "
    )


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("de", "tip ist hier ein Mensch. Für den Bot dieses Namens schreib bot:tip."),
        ("es", "tip es aquí una persona. Para el bot de ese nombre escribe bot:tip."),
    ],
)
def test_the_hint_comes_after_the_question_too(code: str, told: str) -> None:
    assert told in Room(language=language(code)).run("play", "change", "mexico", "tip,Ann", "q").paragraphs


@pytest.mark.parametrize("command", ["simulate", "arena"])
def test_a_bot_is_named_alike_in_every_command(command: str) -> None:
    """Of three ways to name a bot, each gives the same result."""
    asked = [command, "threes", "--games", "100", "--seed", "5", "--bots" if command == "arena" else "--seats"]
    usual, *others = (pubdice(*asked, seats) for seats in ("tip,lucky", "bot,bot:lucky", "Bot:Tip, LUCKY"))
    assert (usual.status, usual.err) == (0, "")
    assert others == [usual, usual]
