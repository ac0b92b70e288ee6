"""kill -9 at random moments of piped games: resumed every time, no decision lost, none doubled."""

import random
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from faults.plan import Kept, Plan, kept, plan
from faults.terminal_process import Ended, play
from pubdice.store import FileStore
from support.console import pubdice
from support.profiles import NIGHTLY

GAMES = {
    "midnight in rounds against a bot": ("midnight", "--seats", "Ann,bot", "--format", "rounds:4"),
    "midnight for a pot, three seats": (
        *("midnight", "--seats", "Ann,Bob,Cid=lucky", "--format", "pot:2:3"),
        *("--opener", "loser", "--need", "2,4"),
    ),
    "420, a race of two": ("420", "--seats", "you,Bob"),
    "420 for drinks, four seats": ("420", "--seats", "Ann,bot,Bob,bot:lucky", "--format", "drinks"),
}
KILLS = 50 if NIGHTLY else 2
"""For each game."""


def planned(words: tuple[str, ...], seed: int, scratch: Path) -> Plan:
    """The game of these words and this seed, with people who choose by the seed too."""
    command = ("play", *words, "--seed", str(seed))
    assert pubdice(*command, data=scratch).status == 0
    store = FileStore(scratch)
    return plan(command, store.read(store.tables()[-1])[0], seed)


def game_kept(data: Path) -> tuple[int, Kept | None]:
    """The newest game and what is kept of it. None, if the process was killed before there was one."""
    tables = FileStore(data).tables()
    return (tables[-1], kept(data / f"{tables[-1]}.log")) if tables else (0, None)


def check(ended: Ended, before: Kept | None, after: Kept | None) -> None:
    """Everything told is kept, in order, once. All else that is kept came in one last append."""
    had, have = (before.told if before else ()), (after.told if after else ())
    assert have[: len(had)] == had
    news, told = have[len(had) :], ended.told
    if told != news[: len(told)]:  # a player who comes back is told the last event again
        assert told[:1] == had[-1:]
        told = told[1:]
    assert told == news[: len(told)]
    if ended.told and after:
        assert len(news) - len(told) <= after.last
    assert ended.marked <= (after.marks if after else 0) - (before.marks if before else 0)


def uninterrupted_s(words: tuple[str, ...], folder: Path) -> float:
    """The time of a game without kills. It tells all it keeps, and its record is the one planned."""
    game, began = planned(words, 1, folder / "scratch"), time.monotonic()
    whole = play(game.words, game.lines, folder / "whole")
    took_s = time.monotonic() - began
    assert (whole.status, whole.err) == (0, "")
    reference = kept(folder / "whole" / "1.log")
    assert (reference.told, reference.marks) == (whole.told, whole.marked)
    assert "\n".join(play(("record", "1"), (), folder / "whole").lines) + "\n" == game.record
    return took_s


@dataclass
class Hazard:
    """Random moments: after a delay since the start, or once so many lines were told."""

    source: random.Random
    longest_s: float

    def play(self, words: tuple[str, ...], typed: tuple[str, ...], data: Path) -> Ended:
        """A process that is killed at a random moment, if it lives to see it."""
        if self.source.random() < 0.4:
            return play(words, typed, data, kill_after_s=self.source.uniform(0.0, self.longest_s))
        return play(words, typed, data, kill_after_lines=self.source.randint(1, 30))


def survive(game: Plan, data: Path, hazard: Hazard) -> int:
    """Play a game to its end, killed again and again. Return the number of kills."""
    words, typed, before, kills = game.words, game.lines, None, 0
    while before is None or not before.over:
        ended = hazard.play(words, typed, data)
        number, after = game_kept(data)
        check(ended, before, after)
        assert ended.status in (0, -9), ended.err
        kills += ended.status == -9
        assert ended.status == -9 or (after is not None and after.over)
        if after is not None:
            words, typed, before = ("resume", str(number)), game.lines[after.typed :], after
    assert before.typed == len(game.lines)
    assert pubdice("record", str(number), data=data).out == game.record
    return kills


BY_DAY = "midnight for a pot, three seats"


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name == BY_DAY else pytest.mark.nightly) for name in GAMES]
)
def test_a_game_killed_at_random_moments_ends_as_planned(name: str, tmp_path: Path) -> None:
    hazard, kills, seed = Hazard(random.Random(name), uninterrupted_s(GAMES[name], tmp_path)), 0, 0
    while kills < KILLS:
        seed += 1
        game = planned(GAMES[name], seed, tmp_path / "scratch")
        kills += survive(game, tmp_path / f"killed {seed}", hazard)
    assert kills >= KILLS


def test_a_killed_game_is_the_one_that_resume_alone_goes_on_with(tmp_path: Path) -> None:
    game = planned(GAMES["420, a race of two"], 3, tmp_path / "scratch")
    ended = play(game.words, game.lines[:-1], tmp_path / "data", kill_after_lines=6, is_all=False)
    _, after = game_kept(tmp_path / "data")
    assert ended.status == -9
    assert after is not None
    assert play(("resume",), game.lines[after.typed :], tmp_path / "data").status == 0
    assert pubdice("record", "1", data=tmp_path / "data").out == game.record
