"""Who sits at the desk and across the table, and the story as the house tells it: what must be heard."""

import json
import re
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import combinations
from typing import Any, Protocol
from urllib.request import Request, urlopen

from ear.desk import Desk
from pubdice.terminal.web_client import HouseError, WebTable
from support.house_process import House

MATCH_S = 300.0
LAST_LINE_S = 20.0
"""A screen reader on a busy machine is so far behind."""
ECHOES = ("space", "shift", "question", "return", "enter", "left shift", "left alt", "left control")
TOKENS = re.compile(r"\w+|[.!?]")


def opened(house: House, **order: Any) -> WebTable:
    """A table that Ann has set up, as she reaches it."""
    usual = {"game": "midnight", "name": "Ann", "people": 1, "bots": ["tip"], "pace_ms": 400, "key": "ann-sets-it-up"}
    place = f"http://127.0.0.1:{house.port}"
    body = json.dumps({**usual, "rules": {"format": "rounds 1"}, **order}).encode()
    kind = {"content-type": "application/json", "accept": "application/json"}
    with urlopen(Request(f"{place}/tables", body, kind), timeout=10) as answer:
        cookie = str(answer.headers["set-cookie"]).partition(";")[0]
        return WebTable(place + json.loads(answer.read())["go"], time.sleep, cookie=cookie)


ON_BOARD = """(document.activeElement.contentDocument ?? document).activeElement.closest('#play') !== null"""
"""Whether the focus is at the board, also of a house in a frame, as a pocket's is."""


class Followed(Protocol):
    """A match that a person plays: where it stands, and what the house told them since it was first looked at."""

    seat: int

    @property
    def lines(self) -> Sequence[str]:
        """What the house told, in order."""

    def state(self) -> Any:
        """The table's state as the house tells it."""


class Story:
    """What the house tells a person from now on, or since the table's first event, line by line: it runs beside the
    page, on a stream of its own.
    """

    def __init__(self, table: WebTable, *, whole: bool = False) -> None:
        self.lines: list[str] = []
        self.table = table
        state = table.state()
        self.seat, self._seq = state["seat"], 0 if whole else state["seq"]
        self._thread = threading.Thread(target=self._follow, daemon=True)
        self._thread.start()

    def state(self) -> Any:
        """The table's state as the house tells it."""
        return self.table.state()

    def _follow(self) -> None:
        with suppress(HouseError):  # once the test is over, the next one's house may be at the same port
            for update in self.table.follow(self._seq):
                urgent = [say for say in update["say"] if say["urgent"]]
                for say in [*urgent, *[say for say in update["say"] if not say["urgent"]]]:
                    if say["level"] == 0:
                        self.lines.append(say["own"].get(str(self.seat), say["text"]))


def words(text: str) -> list[str]:
    """A text as it is compared: its words, and its stops."""
    return TOKENS.findall(text.lower())


def found(line: Sequence[str], spoken: Sequence[str], start: int = 0) -> int:
    """Where a line is spoken, from a place on; -1 if it is not."""
    size = len(line)
    return next((at for at in range(start, len(spoken) - size + 1) if spoken[at : at + size] == line), -1)


def check(told: Sequence[str], heard: str, result: str) -> None:
    """Every line of the story was spoken whole, in order, and once, and so was the result."""
    spoken, at = words(heard), 0
    for line in told:
        place = found(words(line), spoken, at)
        before, after = " ".join(spoken[:at][-40:]), " ".join(spoken[at : at + 60])
        assert place >= 0, f"{line!r} was not heard after {before!r}, but {after!r}"
        at = place + len(words(line))
    story = words(" ".join(told))
    for line in dict.fromkeys(told):
        times = times_of(words(line), spoken)
        assert times == times_of(words(line), story), f"{line!r} was heard {times} times"
    lead = words(result.rstrip(".!"))
    times = times_of(lead, spoken)
    assert times == times_of(lead, story), f"the result was heard {times} times"


def times_of(line: Sequence[str], spoken: Sequence[str]) -> int:
    """How often a line is spoken."""
    times, place = 0, found(line, spoken)
    while place >= 0:
        times, place = times + 1, found(line, spoken, place + 1)
    return times


def answer(desk: Desk, key: str) -> list[str]:
    """What a key is answered with, but for the screen reader's echo of it."""
    mark = len(desk.heard.said)

    def said() -> list[str]:
        texts = [one.text for one in desk.heard.said[mark:]]
        return [text for text in texts if text.lower().rstrip(".") not in (*ECHOES, key.lower())]

    desk.press(key)
    desk.heard.wait(lambda: bool(said()))
    desk.heard.settle()
    return said()


def keeps(game: str, view: Any) -> list[dict[str, Any]]:
    """The dice that Ann keeps; none where she only rolls and stops."""
    free = [die for die in view["dice"] if die["marks"] is not None]
    if game in ("mexico", "ship"):
        return []
    if game == "threes":
        return [die for die in free if die["face"] in (1, 3)] or sorted(free, key=lambda die: int(die["face"]))[:1]
    if game == "420":
        for size, least in ((3, 15), (2, 10), (1, 5)):
            for some in combinations(free, size):
                if least <= sum(die["face"] for die in some) < 20:
                    return list(some)
        return []
    locked = [die["face"] for die in view["dice"] if die["status"] == "locked"]
    needed = [next((die for die in free if die["face"] == face), None) for face in (1, 4) if face not in locked]
    chosen = [die for die in needed if die] + [die for die in free if die["face"] == 6]
    return chosen or sorted(free, key=lambda die: -int(die["face"]))[:1]


def choose(desk: Desk, moves: Sequence[Any]) -> None:
    """Ann's first move where no dice are kept, by its number; by the tiles it takes, and Space, where it takes any."""
    each = {tuple(move["takes"]) for move in moves}
    taken = moves[0]["takes"] if len(each) == len(moves) and all(each) else []
    for number in taken or [1]:
        assert answer(desk, str(number)), f"key {number} is met with silence"
    for _ in range(2 if taken else 0):
        on_board = desk.browser.ask(ON_BOARD)
        assert answer(desk, "space"), "space is met with silence"
        if on_board:  # elsewhere it only says what it would do, and comes to the button
            break


def by_keys(desk: Desk, game: str, view: Any, turn: int) -> None:
    """One move of Ann's, dice by their places, then R and Space by turns; every key is answered."""
    if view["moves"]:
        choose(desk, view["moves"])
        return
    if view["ask"] == "keep" and not any(die["status"] == "marked" for die in view["dice"]):
        for die in keeps(game, view):
            number = die["place"] + 1
            said = answer(desk, str(number))
            assert said, f"key {number} is met with silence"
    on_board = desk.browser.ask(ON_BOARD)
    key = "space" if turn % 2 and on_board else "r"
    if view["ask"] == "keep" and game in ("mexico", "ship"):
        key = "b" if view["bank"] else "r"  # Space would only say which of the two keys does what
    assert answer(desk, key), f"{key} is met with silence"


def by_field(desk: Desk, game: str, view: Any, turn: int) -> None:
    """One move of Ann's, as a line."""
    faces = " ".join(str(die["face"]) for die in keeps(game, view)) if view["ask"] == "keep" else ""
    mark = len(desk.heard.said)
    desk.type(f"k {faces} r" if faces else "k - r" if view["ask"] == "keep" else "r")
    assert desk.heard.since(mark), "a line is met with silence"


def play(
    desk: Desk, story: Followed, game: str, move: Callable[[Desk, str, Any, int], None], guest: WebTable | None = None
) -> str:
    """Play until the match is over: how it ended. The guest moves when all that was said is heard."""
    until, turn = time.monotonic() + MATCH_S, 0
    while (view := story.state()["view"])["stage"] != "over":
        assert time.monotonic() < until, f"no end: {view['heading']}"
        if view["mover"] == story.seat:
            desk.heard.settle()
            if story.state()["seq"] == view["seq"]:
                move(desk, game, view, turn)
                turn += 1
        elif guest is not None:
            desk.heard.settle()
            marks = [die["place"] for die in keeps(game, view)] if view["ask"] == "keep" else []
            if view["moves"]:
                guest.ask("choose", action=view["moves"][0]["move"])
            elif view["ask"] == "keep" and game in ("mexico", "ship") and view["bank"]:
                guest.ask("bank")
            else:
                guest.ask("roll", **({"marks": marks} if marks else {}))
        time.sleep(0.15)
    desk.heard.wait(lambda: found(words(story.lines[-1]), words(desk.heard.since(0))) >= 0, LAST_LINE_S)
    desk.heard.settle(2.0)
    lead = view["result"][0]
    return str(lead["own"].get(str(story.seat), lead["text"]))
