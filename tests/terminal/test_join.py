"""``join`` at a real house: its own process and file, real sockets; the typist looks at the table before each line."""

import itertools
import re
import stat
import sys
import threading
import time
from argparse import Namespace
from collections.abc import Callable, Iterator
from http.client import BadStatusLine, HTTPResponse
from pathlib import Path
from threading import Event
from typing import Any
from unittest.mock import patch
from urllib.error import URLError

import pytest

from pubdice.terminal.join import RemoteGame
from pubdice.terminal.web_client import HouseError, Tokens, WebTable
from pubdice.text.catalogues import language
from pubdice.text.language import Language
from support.console import Room, pubdice
from support.house_process import House
from terminal.house_tables import Heard, Typist, own_table

WITHIN_S = 60.0


def laid(house: House, **order: Any) -> str:
    """The address of a table that somebody else has set up, and sits at."""
    return own_table(house, **{"name": "Ann", "people": 2, "pace_ms": 0, "rules": {}, **order}).address


def watcher(address: str) -> WebTable:
    return WebTable(address, time.sleep)


def until(address: str, fits: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """The table's view, once it is so."""
    table, end = watcher(address), time.monotonic() + WITHIN_S
    while not fits(view := table.state()["view"]):
        assert time.monotonic() < end, view
        time.sleep(0.02)
    return dict(view)


def until_told(text: str) -> None:
    """Wait until the terminal has said this: its stream tells it a moment after the house knows."""
    for _ in range(1200):
        said = getattr(sys.stdout, "getvalue")()  # noqa: B009 - where ``Room`` has the terminal write
        if text in " ".join(said.split()):
            return
        time.sleep(0.05)
    raise AssertionError(f"{text!r} was not said")


def test_a_spectator_can_ask_and_not_move(house: House) -> None:
    address = laid(house, game="420", people=1, bots=["lucky"], rules={"format": "race"})
    told = Room().run(f"join {address} --watch", "s", "zzz", "4 r", "?", "h", "q")
    assert told.status == 0, told.err
    assert '"zzz" means nothing here' in told.out
    assert "You are watching. Sit down to play." in told.out
    assert "nudge the player whose turn it is" in told.out
    assert "the score to beat" in told.out
    assert "the seat stays yours" in told.out
    assert "  d, h    your dice, or the dice of the player whose turn it is" in told.out
    assert "coach" not in told.out
    assert told.out.startswith("Ann's turn.")
    assert told.out.split("> h")[1].startswith("\nNo dice on the table. They are all in the cup.\n")
    assert watcher(address).state()["seat"] is None
    assert "seat waits" not in told.out


def test_a_person_who_sat_down_from_the_terminal_finds_the_seat_again(house: House, tmp_path: Path) -> None:
    address = laid(house, game="midnight", people=2, rules={"format": "rounds 1"})
    told = pubdice("join", address, "--name", "Bob", data=tmp_path, typed="q\n")
    assert told.status == 0, told.err
    again = pubdice("join", address, data=tmp_path, typed="r\nd\nw\n1\n")
    assert again.status == 0, again.err
    assert "Ann's turn. Here" in again.out
    way_back = f"Your seat waits. pubdice join {address} takes you back."
    assert [told.out.splitlines()[-1], again.out.splitlines()[-1]] == [way_back, way_back]
    kept = tmp_path / "houses.json"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600


def test_a_match_is_played_to_its_end_by_looking_before_each_line(house: House) -> None:
    """Bob plays in the terminal; Ann's moves are made beside it over HTTP. 420: r alone rerolls all four."""
    mine = own_table(house, game="420", name="Ann", people=2, rules={"format": "race"})
    turns = itertools.count()

    def line() -> str | None:
        for _ in turns:
            view = until(mine.address, lambda view: view["stage"] != "gathering")
            if view["stage"] == "over":
                until_told("exactly 20!")
                return None
            if view["mover"] == 1:
                return "k - r" if view["ask"] == "keep" else "r"
            mine.ask("reroll" if view["ask"] == "keep" else "roll")
        return None

    told = Room().run(f"join {mine.address} --name Bob", *[line] * 400)
    assert told.status == 0, told.err
    view = watcher(mine.address).state()["view"]
    assert view["stage"] == "over"
    assert "exactly 20!" in told.out
    lead = view["result"][0]
    assert lead["own"].get("1", lead["text"]) in told.out
    assert "Space" not in told.out
    assert "Type rematch to play again." in told.out
    assert told.out.count("You rolled") + told.out.count("Ann rolled") == view["rolls"]


def test_hints_warnings_and_chances_are_told(house: House) -> None:
    """At a table with lessons, chances and real dice, each keep is followed by its best answer and both chances."""
    table = own_table(house, bots=["tip"], dice="real", lessons=2, chances=True, pace_ms=0)
    chances = r"^Chances with \w+ to move: Bob \d+\.\d%, Tip \d+\.\d%\.$"

    def typed(said: list[str]) -> Iterator[str]:
        yield "2 6 4 1 3 5"
        for pattern, line in (("Keep 6 is best", "hint"), ("Keep 2 loses .*do it again", "k 2 r")):
            end = time.monotonic() + WITHIN_S
            while not typist.said_by_now(pattern):
                assert time.monotonic() < end, "\n".join(said)
                yield line
                time.sleep(0.2)
        yield from ("r", "6 6 6 4 1", "k 6 6 6 4 1", "r")
        end = time.monotonic() + WITHIN_S
        while not typist.said_by_now(chances):
            assert time.monotonic() < end, "\n".join(said)
            time.sleep(0.1)
        yield "q"

    typist = Typist(typed)
    table.ask("start")
    visit = RemoteGame(table, typist, Language(), "face", brief=False)
    visit.sit(Namespace(words=None, name=None, watch=False))
    visit.play()
    table.closed = True


def test_a_keep_among_dice_that_have_changed_is_refused_in_a_sentence_and_can_be_typed_again(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bob rolls in a browser, too; the terminal's stream is late."""
    table = own_table(house, people=1)
    here = WebTable(table.address, time.sleep, cookie=table.cookie)
    late, follow = Event(), here.follow

    def followed(seq: int) -> Iterator[dict[str, Any]]:
        assert late.wait(WITHIN_S)
        yield from follow(seq)

    def typed(said: list[str]) -> Iterator[str]:
        table.ask("roll", marks=[0])
        stored = table.state()
        yield "k 6 r"  # the sixth die lies there in both rolls
        changed = "The dice have changed since you looked. Nothing happened. Look again, then choose."
        assert said[-2:] == [changed, "The rest of the line was left undone."]
        assert sum("changed" in each for each in said) == 1
        assert visit.marks == ()
        assert table.state()["seq"] == stored["seq"], "nothing was kept or rolled"
        late.set()
        with visit.changed:
            assert visit.changed.wait_for(lambda: visit.seq == stored["seq"], WITHIN_S)
        yield "k 6"
        *lying, sixth = stored["view"]["dice"]
        assert [(die["face"], die["status"]) for die in table.state()["view"]["dice"]] == [
            *((die["face"], die["status"]) for die in lying),
            (sixth["face"], "marked"),
        ]
        yield "q"

    monkeypatch.setattr(here, "follow", followed)
    table.ask("roll")
    typist = Typist(typed)
    visit = RemoteGame(here, typist, Language(), "position", brief=False)
    visit.sit(Namespace(words=None, name=None, watch=False))
    visit.play()
    here.closed = True


def test_a_typed_command_asks_the_house_once_and_a_question_never(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = own_table(house, people=1)
    asks = {"r": 1, "d": 0, "s": 0, "k 1": 1, "u": 1, "k 1 2 r": 2, "?": 0, "b": 1}  # a keep and a roll are two
    opened: list[str] = []
    asked: dict[str, int] = {}
    open_it = here._open

    def noted(path: str, body: bytes | None = None, within_s: float = 10.0) -> HTTPResponse:
        if "/events" not in path:  # the stream is opened beside it, and again if it breaks
            opened.append(path)
        return open_it(path, body, within_s)

    def typed(said: list[str]) -> Iterator[str]:
        for line in asks:
            opened.clear()
            yield line
            asked[line] = len(opened)
        yield "q"

    monkeypatch.setattr(here, "_open", noted)
    visit = RemoteGame(here, Typist(typed), Language(), "position", brief=False)
    visit.sit(Namespace(words=None, name=None, watch=False))
    visit.play()
    here.closed = True
    assert asked == asks


def test_what_is_planned_next_is_told_once_the_match_is_over(house: House, tmp_path: Path) -> None:
    table = own_table(house, pace_ms=0)
    table.ask("plan", play="mexico lives 3", times="best of 3")
    table.ask("add-bot")
    table.ask("start")
    Tokens(tmp_path / "houses.json").keep(table.house, table.cookie)

    def give() -> str:
        table.ask("give")
        until(table.address, lambda view: view["stage"] == "over")
        until_told("Type rematch to go on.")
        return "w"

    told = Room().run(f"join {table.address}", give, "q", tokens=tmp_path / "houses.json")
    assert told.status == 0, told.err
    assert "Next: Mexico, match 1, best of 3. Type rematch to go on." in " ".join(told.out.split())


def played_to_its_end(house: House, tmp_path: Path) -> WebTable:
    """A table that Bob has played at alone, to its end; he is known in the file of houses."""
    table = own_table(house, people=1)
    while (view := table.state()["view"])["stage"] != "over":
        places = [die["place"] for die in view["dice"] if die["status"] != "locked"]
        table.ask("roll", **({"marks": places} if view["ask"] == "keep" else {}))
    Tokens(tmp_path / "houses.json").keep(table.house, table.cookie)
    return table


def test_a_rematch_is_joined_from_the_terminal(house: House, tmp_path: Path) -> None:
    table = played_to_its_end(house, tmp_path)
    told = Room().run(f"join {table.address}", "s", "rematch", "w", "q", tokens=tmp_path / "houses.json")
    assert told.status == 0, told.err
    assert "You win with" in told.out or "You tie" in told.out or "No points" in told.out
    assert "Your turn. Here: Bob." in told.out.split("> rematch")[1]
    assert "Space" not in told.out
    assert "Type rematch" not in told.out, "who asked for it is going there"
    over = Room().run(f"join {table.address} --name Eve", "w", "rematch", "q")
    assert over.status == 0, over.err
    assert "The game is over, so you can't sit down now." in over.out
    assert re.search(r"^(Bob wins with \d+|No points, so no winner)\. Here: Bob\.$", over.out, re.MULTILINE)
    seated = Room().run(
        f"join {table.house}{table.state()['view']['rematch']} --words wrong", tokens=tmp_path / "houses.json"
    )
    assert (seated.status, seated.err) == (1, "pubdice join: No seat at this table has those four words. Check them.\n")


def test_nobody_listens_to_a_rematch_that_was_left(house: House, tmp_path: Path) -> None:
    table = played_to_its_end(house, tmp_path)
    before = set(threading.enumerate())
    assert Room().run(f"join {table.address}", "rematch", "w", "q", tokens=tmp_path / "houses.json").status == 0
    following = WebTable(table.house + table.state()["view"]["rematch"], time.sleep, cookie=table.cookie)
    for left in (table, following):
        left.ask("react", phrase=2)  # a listener hears it, and sees that its table is left
    end = time.monotonic() + WITHIN_S
    while set(threading.enumerate()) - before:
        assert time.monotonic() < end, "somebody listens"
        time.sleep(0.02)


@pytest.mark.parametrize(
    "address",
    [
        "nonsense", "ftp://127.0.0.1/t/ABCDEF", "http://127.0.0.1:port/t/ABCDEF", "http://127.0.0.1:99999/t/ABCDEF",
        "http://[::1/t/ABCDEF", "http://127.0.0.1/t/", "http://127.0.0.1/t/ABCDEF/more", "http:///t/ABCDEF",
    ],
)  # fmt: skip
def test_what_is_no_address_of_a_table_does_not_parse(address: str) -> None:
    told = Room().run(f"join {address}", "")
    why = "An address is needed as the table shows it, such as http://192.168.1.7:4224/t/ABCDEF."
    assert (told.status, told.err) == (2, f"pubdice join: {why}\n")


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("127.0.0.1:9/t/ABC-DEF", "Can't reach a table at 127.0.0.1, port 9: nothing answers there."),
        (
            "http://no-such-house.invalid/t/ABCDEF/",
            "Can't reach a table at no-such-house.invalid, port 80: no machine of that name is known.",
        ),
        ("http://a..b/t/KORBUM", "Can't reach a table at a..b, port 80: no machine of that name is known."),
        (
            f"http://{'a' * 70}/t/KORBUM",
            f"Can't reach a table at {'a' * 70}, port 80: no machine of that name is known.",
        ),
        (
            "http://\u65e5\u672c.invalid/t/KORBUM",
            "Can't reach a table at \u65e5\u672c.invalid, port 80: no machine of that name is known.",
        ),
    ],
)
def test_a_house_that_cannot_be_reached_is_named_in_one_sentence(address: str, why: str) -> None:
    told = Room().run(f"join {address}", "")
    assert (told.status, told.err) == (1, f"pubdice join: {why}\n")


def test_what_is_in_the_way_is_told_without_numbers() -> None:
    for error, why in (
        (URLError(TimeoutError("timed out")), ": no answer came in time"),
        (URLError(OSError(113, "No route to host")), ""),
        (TimeoutError(), ": no answer came in time"),
        (BadStatusLine("x"), ""),
    ):
        assert WebTable("http://127.0.0.1:9/t/ABCDEF", time.sleep)._why(error) == why


def test_a_house_of_another_script_is_asked_for_as_the_web_writes_its_name() -> None:
    with patch("pubdice.terminal.web_client.urlopen", side_effect=ConnectionRefusedError) as asked:
        for at, host in (("\u65e5\u672c:4224", "xn--wgv71a:4224"), ("\u65e5\u672c", "xn--wgv71a"), ("pub:4224", None)):
            with pytest.raises(HouseError, match="nothing answers there"):
                WebTable(f"http://{at}/t/ABCDEF", time.sleep).state()
            assert asked.call_args.args[0].get_header("Host") == host


def test_a_code_that_no_table_has_is_one_sentence(house: House) -> None:
    told = Room().run(f"join 127.0.0.1:{house.port}/t/ZZZZZZ", "")
    assert (told.status, told.err) == (1, "pubdice join: There's no table with that code. Check it.\n")


def test_a_name_that_is_taken_is_refused_with_the_reason(house: House) -> None:
    address = laid(house, game="midnight", people=2)
    told = Room().run(f"join {address} --name ann", "")
    assert told.status == 1
    assert "The name ann is taken here" in told.err


def test_a_pause_is_ended_from_the_terminal_as_its_refusal_says(house: House) -> None:
    address = laid(house, game="midnight", people=2, rules={"format": "rounds 1"})
    told = Room().run(f"join {address} --name Bob", "pause", "r", "unpause", "q")
    assert told.status == 0, told.err
    assert "The table is paused. Type unpause to go on." in told.out.split("> r")[1]
    assert "Press Go on" not in told.out
    assert "the pause is over" in told.out.split("> unpause")[1]


def test_the_four_words_take_a_seat_from_the_terminal(house: House) -> None:
    address = laid(house, game="midnight", people=2)
    told = Room().run(f"join {address} --words wrong", "")
    assert told.status == 1
    assert "No seat at this table has those four words" in told.err


def test_tokens_that_cannot_be_kept_stop_nobody(tmp_path: Path) -> None:
    file = tmp_path / "file" / "houses.json"
    (tmp_path / "file").write_text("")
    tokens = Tokens(file)
    tokens.keep("http://x", "pubdice=a")
    assert tokens.of("http://x") == "pubdice=a"
    assert Tokens(None).of("http://x") == ""


def test_the_same_key_is_sent_until_there_is_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    table = WebTable("http://127.0.0.1:9/t/ABCDEF", waits.append)
    with pytest.raises(HouseError, match="Can't reach"):
        table.ask("roll")
    assert len(waits) == 5
    assert waits == sorted(waits)


@pytest.mark.parametrize(
    ("seat", "brief", "told"),
    [
        (0, False, ["always", "full", "mover"]),
        (1, False, ["always", "full"]),
        (None, False, ["always", "full"]),
        (0, True, ["always"]),
    ],
)
def test_what_is_for_the_mover_alone_is_told_to_nobody_else(seat: int | None, brief: bool, told: list[str]) -> None:
    line = Heard()
    visit = RemoteGame(watcher("http://pub/t/ABCDEF"), line, Language(), "face", brief=brief)
    visit.seat = seat
    says = [{"text": "always", "level": -1}, {"text": "full", "level": 1}, {"text": "mover", "level": 2}]
    visit._hear({"seq": 1, "log": ["1 roll 1234"], "say": says, "view": {"mover": 0, "dice": []}})
    assert line.said == told


def test_an_onlooker_who_left_a_sealed_match_sees_its_end() -> None:
    visit = RemoteGame(watcher("http://pub/t/ABCDEF"), Heard(), Language(), "face", brief=False)
    visit.notes.keep("2 seal", {"at": "x", "own": {}, "header": "h", "ended": False})
    view: dict[str, Any] = {"mover": None, "dice": [], "seal": {"seal": "2 seal", "opened": True}}
    for seq, stage, unended in ((1, "playing", ["x"]), (2, "over", [])):
        visit._hear({"seq": seq, "log": [], "say": [], "view": {**view, "stage": stage}})
        assert visit.notes.unended() == unended


@pytest.mark.parametrize("going", [False, True])
def test_the_way_to_the_next_table_is_told_as_it_is_from_here(going: bool) -> None:
    line = Heard()
    visit = RemoteGame(watcher("http://pub/t/ABCDEF"), line, Language(), "face", brief=False)
    visit.going = going
    says = [
        {"text": "Bob wants a rematch: the next table is laid.", "level": 0},
        {"text": "Space goes there.", "level": 1},
    ]
    view: dict[str, Any] = {"mover": None, "dice": [], "rematch": "/t/BCDEFG"}
    visit._hear({"seq": 1, "log": ["1 rematched 1 BCDEFG"], "say": says, "view": view})
    visit._hear({"seq": 2, "log": ["2 joined 1"], "say": [{"text": "more", "level": 1}], "view": view})
    way = [] if going else ["Type rematch to go there."]
    assert line.said == ["Bob wants a rematch: the next table is laid.", *way, "more"]


@pytest.mark.parametrize(
    ("code", "answer", "asks", "result"),
    [
        ("en", "agree", "Do you agree", "The choice is taken back. The dice stay as they fell."),
        ("de", "einverstanden", "Bist du einverstanden", "Die Würfel bleiben, wie sie gefallen sind."),
        ("es", "no", "Aceptas", "Dices que no. La decisión vale."),
    ],
)
def test_a_question_is_heard_once_and_answered_with_a_typed_word(
    house: House, code: str, answer: str, asks: str, result: str
) -> None:
    table = own_table(house, people=2)
    here = WebTable(table.address, time.sleep, code)

    def typed(said: list[str]) -> Iterator[str]:
        table.ask("roll")
        table.ask("roll", marks=[0])
        table.ask("back")
        for wanted in (asks, result):
            for _ in range(1200):
                if any(wanted in line for line in said):
                    break
                time.sleep(0.05)
            yield answer if wanted == asks else "q"

    typist = Typist(typed)
    visit = RemoteGame(here, typist, language(code), "face", brief=False)
    visit.sit(Namespace(words=None, name="Ann", watch=False))
    visit.play()
    here.closed = True
    told = " ".join(typist.said)
    assert told.count(asks) == 1
    assert result in told
    assert answer in told, "the word to type is told beside the question"
