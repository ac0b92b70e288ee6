"""What takes longer than a second says so in one line on standard error, to people and not to programs."""

import io
import sys
import threading
from collections.abc import Callable
from functools import partial
from time import monotonic, sleep
from typing import Any

import pytest

from pubdice.advice import price_list
from pubdice.annexes import CommandContext
from pubdice.core.cup import SeededCup
from pubdice.games import GAMES
from pubdice.games.fourtwenty import solving
from pubdice.terminal import console, drilling
from pubdice.terminal.console import Console
from pubdice.terminal.table_coach import TableCoach
from pubdice.text.language import Language
from support.console import Room

SAID = "Working it out. This may take a minute.\n"


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(console, "PATIENCE_S", 0.01)


def _console(aside: io.StringIO | None) -> Console:
    return Console(io.StringIO(), io.StringIO(), live=False, aside=aside)


def _once_said(aside: io.StringIO, text: str) -> None:
    until = monotonic() + 60
    while not aside.getvalue().endswith(text):
        assert monotonic() < until, f"not said: {text!r}"
        sleep(0.01)
    sleep(0.05)  # for what should not be said


def test_what_takes_long_is_said_once_however_deep_it_lies() -> None:
    aside = io.StringIO()
    line = _console(aside)
    with line.waiting("Outer."), line.waiting("Inner."):
        _once_said(aside, "Outer.\n")
    assert aside.getvalue() == "Outer.\n"
    with line.waiting("Next."):
        _once_said(aside, "Next.\n")
    assert aside.getvalue() == "Outer.\nNext.\n"


def test_what_is_quick_is_not_announced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(console, "PATIENCE_S", 600)
    aside, before = io.StringIO(), set(threading.enumerate())
    with _console(aside).waiting("Too early."):
        (timer,) = [each for each in threading.enumerate() if isinstance(each, threading.Timer) and each not in before]
    timer.join(60)
    assert not timer.is_alive(), "it would say so yet"
    assert aside.getvalue() == ""


def test_a_pipe_gets_no_word_of_it_and_a_closed_terminal_none_either() -> None:
    with _console(None).waiting("Unheard."):
        sleep(0.05)
    closed = io.StringIO()
    closed.close()
    with _console(closed).waiting("Unheard."):
        sleep(0.05)


def test_what_is_said_is_there_before_anything_is_asked() -> None:
    """Though whatever reads it is no terminal, and a bot thinks for long."""
    pipe = io.BytesIO()
    line = Console(io.StringIO(), io.TextIOWrapper(pipe), live=False)
    line.say(["Kim rolled 1 4."])
    assert pipe.getvalue() == b"Kim rolled 1 4.\n"


class OverAtOnce:
    """A timer whose time is over as it begins: all that is waited for takes longer, whatever was solved before."""

    def __init__(self, interval: float, function: Callable[..., None], args: tuple[str, ...]) -> None:
        self.daemon, self.start = False, partial(function, *args)

    def cancel(self) -> None:
        """It is too late for that."""


@pytest.mark.parametrize("command", ["odds mexico", "drill threes --count 1 --seed a"])
def test_people_who_wait_for_the_solver_are_told_so_beside_the_answer(
    command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(console, "Timer", OverAtOnce)
    aside = io.StringIO()
    told = Room(aside=aside).run(command, "k1 r", "k2 r", "k3 r")
    assert told.status == 0
    assert aside.getvalue().startswith(SAID)
    assert SAID.strip() not in told.out + told.err


@pytest.mark.parametrize("command", ["odds mexico --json", "daily --json", "perft mexico"])
def test_the_terminal_is_told_beside_json_and_counts_too(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(console, "Timer", OverAtOnce)
    aside = io.StringIO()
    told = Room(aside=aside).run(command)
    assert (told.status, aside.getvalue(), told.err) == (0, SAID, "")
    assert SAID.strip() not in told.out


def test_prices_are_announced_as_the_many_matches_that_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(console, "Timer", OverAtOnce)
    aside = io.StringIO()
    assert Room(aside=aside).run("price mexico").status == 0
    assert aside.getvalue() == "Solving the match once for each house rule. This may take a minute.\n"


@pytest.mark.parametrize("game", ["threes", "420"])
def test_each_price_is_printed_as_soon_as_its_match_is_solved(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module, name = (price_list, "match_odds") if game == "threes" else (solving, "races")
    before, solve = list[int](), getattr(module, name)

    def solved(*given: Any) -> Any:
        out = sys.stdout
        assert isinstance(out, io.StringIO), "the room's"
        before.append(out.getvalue().count("\n"))
        return solve(*given)

    monkeypatch.setattr(module, name, solved)
    monkeypatch.setattr(solving, "MOST_PRICED", {False: 2, True: 2})
    told = Room().run(f"price {game}")
    assert told.status == 0
    assert before == sorted(before)
    assert before[-1] > len(before) / 2 - 1
    assert before[-1] >= told.out.count("\n") - 3, "the last row and the sentences after it"


class Terminal(io.StringIO):
    """An output that claims to be a terminal."""

    def isatty(self) -> bool:
        return True


def test_a_command_of_an_annex_says_so_on_a_terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(console, "Timer", OverAtOnce)
    for err, heard in ((Terminal(), "Wait.\n"), (io.StringIO(), "")):
        out = io.StringIO()
        context = CommandContext(Language(), GAMES, out, err, monotonic, str, cache=None, plain=False)
        with context.waiting("Wait."):
            pass
        assert (out.getvalue(), err.getvalue()) == ("", heard)


def test_a_drill_has_one_coach_for_all_positions_of_a_match(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []

    class Counted(TableCoach):
        def __init__(self, *given: object) -> None:
            made.append(given)
            super().__init__(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(drilling, "TableCoach", Counted)
    told = Room(laid=SeededCup("drill", "x")).run("drill threes --count 3 --seed a", "k1 r", "k2 r", "k3 r", "k4 r")
    assert told.status == 0
    assert len(made) == 1


def test_a_drill_says_once_that_a_position_takes_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(console, "Timer", OverAtOnce)
    aside = io.StringIO()
    Room(aside=aside).run("drill threes --count 1 --seed a", "q")
    assert aside.getvalue() == SAID
