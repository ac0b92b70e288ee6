"""A typed line does the same at a table in this process and at one across HTTP, and is answered in the same words.

The dice are real, so that both tables have the same.
"""

import re
from pathlib import Path

import pytest

from pubdice.games import GAMES
from pubdice.terminal.web_client import Tokens
from pubdice.text.catalogues import CODES, language
from support.console import Room, Told
from support.house_process import House
from terminal.house_tables import own_table

DOORS = ("play", "join")
RULES = {"midnight": "rounds 1", "420": "race", "shutbox": "rounds 1"}
WHICH = "Which dice do you reroll?"
LEFT = "The rest of the line was left undone."
Lines = list[tuple[str, str]]


def at(
    door: str, house: House, folder: Path, game: str, flags: str, *typed: str, code: str = "en", cid: str = "Cid"
) -> tuple[Told, str]:
    """What the terminal says at a table of Bob and Cid, who share it, and the record of their match.

    game: its name, and a format unless it is the game's in ``RULES``.
    """
    game, _, form = game.partition(" ")
    form = form or RULES[game]
    if door == "play":
        room = Room(language=language(code))
        told = room.run(f"play {game} --seats Bob,{cid} --format {form.replace(' ', ':')} --dice real {flags}", *typed)
        return told, room.run("record 1").out
    table = own_table(house, game=game, rules={"format": form}, others=[cid], dice="real", start=True)
    Tokens(folder / "houses.json").keep(table.house, table.cookie)
    told = Room(language=language(code)).run(f"join {table.address} {flags}", *typed, tokens=folder / "houses.json")
    with table._open(f"{table.path}/record") as answer:
        return told, answer.read().decode()


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize(
    ("game", "flags", "lines", "recorded"),
    [
        ("midnight", "", [
            ("", ""), ("344512", ""), ("4 5", "Keep 4 5, reroll 3 4 1 2."), ("u", "Keep 4, reroll 3 4 5 1 2."),
            ("u", "You've chosen no dice to keep."), ("6", "There's no 6 to choose. The dice are 3 4 4 5 1 2."),
            ("9", '"9" is no die.'), ("zz", '"zz" means nothing here.'), ("x 3", "Keep 4 4 5 1 2, reroll 3."),
            ("k 4 5", "Keep 4 5, reroll 3 4 1 2."), ("+1 -5", "Keep 4 1, reroll 3 4 5 2."),
            ("3 b 5 r", LEFT), ("k 4 5 r", ""), ("6326", ""), ("6 6", "Keep 6 6, reroll 3 2."), ("", ""), ("21", ""),
            ("1 r", ""), ("3 r", LEFT), ("q", ""),
        ], "344512 k45 6326 k66 21 k1 3"),
        ("midnight", "--keys position", [
            ("344512", ""), ("1 4", "Keep 3 5, reroll 4 4 1 2."), ("9", '"9" is no die.'), ("2 u", "Keep 3 5, reroll"),
            ("k 2 4 r", ""), ("6326", ""), ("u", ""), ("6325", ""),
        ], "344512 k45 6325"),
        ("midnight", "--choose reroll", [("166664", ""), ("b", "")], "166664 k146666"),
        ("420", "--choose reroll", [
            ("6551", ""), ("2 2 1 1", WHICH), ("?", "choose these to reroll (the others stay)"),
            ("r", "Choose the dice to reroll first. The others stay."),
            ("1", "Keep 6 5 5, reroll 1."), ("5", "Keep 6 5, reroll 5 1."), ("u", "Keep 6 5 5, reroll 1."),
            ("u", "Keep 6 5 5 1, all of them."), ("u", ""), ("1122", WHICH),
            ("6 1", "Keep 5 5, reroll 6 1."), ("6", "Keep 6 5 5, reroll 1."),
            ("k 6 5 5", "Keep 6 5 5, reroll 1."), ("+5", "Keep 6 5, reroll 5 1."),
            ("x 1", "Keep 6 5 5, reroll 1."), ("5 5 6", "Reroll 6 5 5 1, all of them."), ("x 1 r", ""), ("2", ""),
        ], "Bob: k556 2 = "),
        ("420", "--choose reroll --keys position", [("6551", ""), ("1122", ""), ("4 r", "")], "Bob: k556\n"),
        ("420", "--choose reroll", [("6551", ""), ("1122", ""), ("5 5 6 1 r", ""), ("1234", "")], "Bob: k- 1234 = "),
        ("420", "", [
            ("6541", ""), ("6332", ""), ("", ""), ("6 6", "There aren't that many 6s."), ("", ""),
            ("k -", "You've chosen no dice to keep."), ("", ""), ("k - r", ""), ("1111", ""),
        ], "Bob: k- 1111 = "),
        ("420 drinks", "", [
            ("6554", "Draw Player 1 first."), ("Zoe", "Type the name of Player 1: Bob"), ("cid", ""),
            ("u", ""), (" BOB ", ""), ("5555", ""),
        ], "draw Bob\n"),
        ("shutbox", "", [
            ("63", "9"), ("", ""), ("7", ""), ("1 2 6", ""), ("54", ""),
        ], "63 s621 54"),
    ],
)  # fmt: skip
def test_a_line_does_the_same_at_both_doors(  # noqa: PLR0917 - pytest gives them by name
    door: str, game: str, flags: str, lines: Lines, recorded: str, house: House, tmp_path: Path
) -> None:
    told, record = at(door, house, tmp_path, game, flags, *[line for line, _ in lines])
    assert (told.status, told.err) == (0, "")
    for (line, said), reply in zip(lines, told.replies[1:], strict=False):
        assert said in reply, (line, reply, told.out)
    assert recorded in record


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize(("game", "fell"), [("midnight", "344512"), ("shutbox", "63")])
def test_the_same_words_ask_at_both_doors(  # noqa: PLR0917 - pytest gives them by name
    door: str, game: str, fell: str, code: str, house: House, tmp_path: Path
) -> None:
    told, _ = at(door, house, tmp_path, game, "", fell, "?", "h", "d", "H", "q", code=code)
    page, *dice = told.replies[2:6]
    rows = re.findall(r"^  (\S+(?: \S+)*)  ", page, re.MULTILINE)
    assert {"t", "s", "d, h", "l", "Enter", "?", "q"} <= set(rows)
    choosing = {"1 4 6", "k 6 5", "x 1 3"}
    assert choosing & set(rows) == (choosing if game == "midnight" else set())
    if game == "shutbox":
        assert {key for key, _ in GAMES[game].words.verbs(language(code))} <= set(rows)
        assert "b" not in rows
    assert dice[0] == dice[1] == dice[2]
    assert dice[0].strip()
    assert ("hint" in rows) == (door == "play")


@pytest.mark.parametrize("door", DOORS)
def test_a_person_is_drawn_by_name_also_if_that_is_a_word_of_the_house(door: str, house: House, tmp_path: Path) -> None:
    told, record = at(door, house, tmp_path, "420 drinks", "", "hint", "5555", cid="Hint")
    assert told.status == 0
    assert "draw Hint\n" in record
