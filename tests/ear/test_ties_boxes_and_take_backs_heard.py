"""Shut the Box with twelve tiles, tied rounds played again, and choices taken back: each whole, in order, once.

Bob and Cid are programs, and Bob types in the dice, so each match is the same one. Ann plays by keys. In both browsers.
"""

import re
import time

import pytest

from ear.conftest import IN_BOTH, Place
from ear.people import LAST_LINE_S, Story, check, found, opened, words
from ear.reader import Reader
from ear.test_heard import ARRIVED_S, focus_mode
from pubdice.terminal.web_client import WebTable

pytestmark = [pytest.mark.nightly, IN_BOTH]
SHUT = (("6 6", 12), ("5 6", 11), ("5 5", 10), ("4 5", 9), ("4 4", 8), ("3 4", 7), ("3 3", 6))
"""Twelve tiles shut down to 1 to 5, a tile a roll."""
WITHIN_S = 20.0


def came(reader: Reader, table: WebTable) -> None:
    """Come to a table, and let it finish what it reads on arrival."""
    here, mark = reader.here, reader.mark()
    here.browser.open(table.house, table.path, table.cookie)
    here.heard.wait(lambda: "Type your move" in reader.said(mark), ARRIVED_S)
    here.heard.settle(2.0)
    here.hush()


class Seated:
    """Ann at a table, in focus mode, with programs in the other seats, and what she is told from then on."""

    def __init__(self, place: Place, *others: str, **order: object) -> None:
        self.reader, house = place
        key = "-".join(re.findall(r"\w+", f"{others} {order}"))[:60]
        self.ann = opened(house, people=1 + len(others), bots=[], key=key, **order)
        self.people = [self.ann, *[self._sits(name) for name in others]]
        reader = self.reader
        came(reader, self.ann)
        focus_mode(reader.here, sticky=True)
        reader.here.heard.settle(2.0)
        self.story, self.mark = Story(self.ann), reader.mark()

    def _sits(self, name: str) -> WebTable:
        guest = WebTable(self.ann.address, time.sleep)
        guest.state()
        guest.ask("sit", name=name)
        Story(guest)  # they have the page open too
        return guest

    @property
    def view(self) -> dict[str, object]:
        """The table as the house tells it."""
        shown: dict[str, object] = self.ann.state()["view"]
        return shown

    def does(self, seat: int, deed: str, *patterns: str, **fields: object) -> str:
        """Let a program act, and wait until patterns are heard in this order; all that was heard."""
        mark = self.reader.mark()
        self.people[seat].state()
        self.people[seat].ask(deed, **fields)
        heard = self.reader.hear(mark, *patterns)
        self.reader.here.heard.settle(1.2)
        return heard

    def heard_whole(self, result: str) -> None:
        """Check that each line of the story was heard once, in order."""
        heard = self.reader.here.heard
        heard.wait(lambda: found(words(self.story.lines[-1]), words(heard.since(self.mark))) >= 0, LAST_LINE_S)
        heard.settle(2.0)
        check(self.story.lines, heard.since(self.mark), result)


def shut(table: Seated, seat: int, who: str) -> None:
    """Shut the box down to 1 to 5."""
    for dice, tile in SHUT:
        mine = seat == 0
        table.does(1, "enter", r"Which tiles do you shut" if mine else rf"{who} rolled {dice}\.", dice=dice)
        if mine:
            key = f"shift+{tile - 10}" if tile > 9 else str(tile)
            table.reader.press(key, rf"{tile} chosen\. R: Shut {tile}\.")
            table.reader.press("r", rf"You shut {tile}\.", r"Roll 2 dice\.", "Up: ")
        else:
            table.does(seat, "choose", rf"{who} shut {tile}\.", action=f"s{tile}")


def test_a_box_of_twelve_tiles_is_heard_from_the_first_roll_to_the_one_that_shuts_it(place: Place) -> None:
    rules = {"format": "out 300 shut rolloff", "die": "maysix", "left": "digits", "tiles": "12"}
    table = Seated(place, "Bob", game="shutbox", dice="real", rules=rules)
    reader = table.reader
    reader.press("question", r"With Shift they choose tiles from 10 on: Shift and 2 choose 12\.")
    reader.press("Escape")
    reader.here.press("shift+Tab")
    table.mark, table.story = reader.mark(), Story(table.ann)
    shut(table, 0, "You")
    table.does(1, "enter", "Which tiles do you shut for 9", dice="4 5")
    reader.press("5", r"5 chosen\. You can add 1, 3 or 4\.")
    reader.press("4", r"4, 5 chosen\. R: Shut 5 and 4\.")
    reader.press("r", r"You shut 5 and 4\.", r"Up: 1 2 3\.", "Roll one die or roll two dice")
    reader.press("1", r"You took one die\.", r"Roll 1 die\.")
    table.does(1, "enter", r"You rolled 2\. You shut 2\.", r"Up: 1 3\.", "Roll one die or roll two dice", dice="2")
    reader.press("2", r"You took two dice\.", r"Roll 2 dice\.")
    table.does(1, "enter", r"scored 13\.", r"Bob's turn\.", dice="6 6")
    assert "They count" not in reader.said(table.mark), "the tiles are the number"
    shut(table, 1, "Bob")
    table.does(1, "enter", r"Bob rolled 6 3\.", dice="6 3")
    table.does(1, "choose", r"Bob shut 5 and 4\.", action="s54")
    table.does(1, "choose", r"Bob took two dice\.", action="two")
    table.does(1, "enter", r"Bob rolled 2 4\.", r"The box is shut! Bob wins at once!", dice="2 4")
    table.heard_whole("Bob wins at once!")
    assert re.search(r"Points: you have 13, Bob has 0\.", reader.said(table.mark))


def test_eight_hear_who_is_out_and_who_is_the_last_one_in(place: Place) -> None:
    """A second roll of 1 and 1 ends a turn with 43, but Hal shuts 9 and 3 before, and has 31."""
    names = ("Bob", "Cid", "Dora", "Eli", "Fay", "Gil", "Hal")
    table = Seated(place, *names, game="shutbox", dice="real", rules={"format": "out 40"})
    for seat, who in enumerate(("You", *names)):
        if seat == 7:
            table.does(1, "enter", r"Hal rolled 6 6\.", dice="6 6")
            table.does(seat, "choose", r"Hal shut 9 and 3\.", action="s93")
        table.does(1, "enter", rf"{who} rolled 1 1\.", dice="1 1")
        last = "Hal is the last one in and wins!" if seat == 7 else ""
        heard = table.does(1, "enter", rf"{who} rolled 1 1\.", "scored", last, dice="1 1")
    assert "You are out" in heard, heard
    table.heard_whole("Hal is the last one in and wins!")


TIES: dict[str, tuple[str, str, str]] = {
    "midnight": ("rounds 1 replay", "146665 146665 142222 146662 146663", "Bob wins with 21"),
    "ship": ("rounds 1 replay", "65411 65424 65433 65412 65411", "Bob wins with 3"),
    "threes": ("pot 2 rounds 1 replay", "33333 33333 66666 33331 33332", "You win!"),
    "mexico": ("rounds 1 replay", "65 65 43 64 54", "You win with 64"),
}
"""A format, the dice of each turn, and the result. At Ship it is Ann who rests."""


@pytest.mark.parametrize("game", TIES)
def test_a_tied_round_is_played_again_by_those_who_tie_and_each_line_is_heard_once(place: Place, game: str) -> None:
    form, rolls, result = TIES[game]
    table = Seated(place, "Bob", "Cid", game=game, dice="real", rules={"format": form})
    for faces in rolls.split():
        dice = " ".join(faces)
        seat = int(str(table.view["mover"]))
        who = ("You", "Bob", "Cid")[seat]
        table.does(1, "enter", rf"{who} rolled {dice}\.", dice=dice)
        asked = table.people[seat].state()["view"]
        if asked["mover"] == seat and asked["ask"] == "keep":
            if asked["bank"]:
                table.does(seat, "bank", rf"{who} stopped")
            else:
                marks = [die["place"] for die in asked["dice"] if die["marks"] is not None]
                table.does(seat, "roll", rf"{who} kept", marks=marks)
    table.heard_whole(result)
    heard = table.reader.said(table.mark)
    tied = r"Bob and Cid tie with \S+ They play" if game == "ship" else r"You and Bob tie with \S+ You play"
    assert len(re.findall(rf"{tied} the round again\.", heard)) == 1, heard
    assert "Round 1 again" not in heard, "once is enough"


def asked_by_bob(table: Seated, first: str) -> str:
    """Bob keeps a die, rolls the others, and asks for that choice back; what Ann hears."""
    table.does(1, "roll", rf"Bob kept {first}\.", marks=[0])
    return table.does(1, "back", "Bob asks to take the last choice back. Do you agree.", r"1: Agree\.", r"2: No\.")


def test_choices_come_back_by_keys_alone_and_each_side_hears_what_it_must(place: Place) -> None:
    table = Seated(place, "Bob", game="midnight", rules={"format": "rounds 1"})
    reader = table.reader
    reader.press("r", "You rolled", "Which dice do you keep")
    reader.press("1", "kept")
    reader.press("r", "You kept", "You rolled", "Which dice do you keep")
    reader.press("u", r"You ask to take the last choice back\.")
    asked = r"You asked Bob if the last choice may come back\."
    for key in ("u", "w", "question"):
        assert "nothing to undo" not in reader.press(key, asked)
    table.does(1, "agree", r"Bob agrees\.", r"The choice is taken back\.", r"The dice stay", "Which dice do you keep")
    reader.press("2", "kept")
    reader.press("r", "You kept", "Which dice do you keep")
    reader.press("u", "You ask to take")
    table.does(1, "decline", r"Bob says no\.", r"The choice stands\.")
    while table.view["mover"] == 0:
        marks = [die["place"] for die in table.view["dice"] if die["marks"] is not None]  # type: ignore[attr-defined]
        table.does(0, "roll", "You kept", marks=marks)
    table.does(1, "roll", "Bob rolled")
    first = str(table.view["dice"][0]["face"])  # type: ignore[index]
    asked_by_bob(table, first)
    for key in ("w", "space", "question", "3"):
        heard = reader.press(key, "Do you agree", r"1: Agree\.", r"2: No\.")
        assert "Browse mode" not in heard
    reader.press("1", r"You agree\.", r"The choice is taken back\.")
    asked_by_bob(table, first)
    heard = reader.press("2", r"You say no\.", r"The choice stands\.")
    assert "clickable" not in heard, "nothing is read out beside the answer"
    assert reader.press("w", r"Bob's turn\."), "keys go on to tell"


def test_a_bot_agrees_once_and_an_answer_is_typed_in_the_field(place: Place) -> None:
    reader, house = place
    table = opened(house, key="with-tip")
    came(reader, table)
    until = time.monotonic() + WITHIN_S
    while table.state()["view"]["mover"] != 0:
        assert time.monotonic() < until, "the bot takes its turn"
        time.sleep(0.5)
    focus_mode(reader.here, sticky=True)
    reader.press("r", "You rolled", "Which dice do you keep")
    reader.press("1", "kept")
    reader.press("r", "You kept", "Which dice do you keep")
    reader.press("u", r"You ask to take", r"The choice is taken back\.", "Which dice do you keep")
    reader.press("2", "kept")
    reader.press("r", "You kept", "Which dice do you keep")
    reader.press("u", r"The bots have agreed once in this round\.")

    two = Seated(place, "Bob", game="midnight", dice="real", rules={"format": "rounds 1"})
    two.does(1, "enter", "You rolled", dice="1 4 6 6 5 5")
    two.does(0, "roll", "You kept", r"Bob's turn", marks=[0, 1, 2, 3, 4, 5])
    reader.press("u", "You ask to take the last choice back")
    two.does(1, "agree", r"Bob agrees\.", r"The choice is taken back\.", "keep")
    two.does(0, "roll", "You kept", r"Bob's turn", marks=[0, 1, 2, 3, 4, 5])
    two.does(1, "enter", r"Bob rolled", dice="1 4 6 6 5 2")
    reader.until("Tab", "Type your move entry")
    two.does(1, "roll", r"Bob kept 1\.", marks=[0])
    two.does(1, "back", "Do you agree", r"Type agree or decline\.")
    reader.type("decline", r"You say no\.", r"The choice stands\.")
