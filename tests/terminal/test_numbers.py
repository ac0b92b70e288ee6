"""Every flag that takes a number: one out of its range is refused in one sentence that says the range."""

import re
from itertools import product
from pathlib import Path

from support.console import pubdice

PAGES = (
    "play", "resume", "drill", "perft", "replay", "review", "record", "join", "serve", "backup", "check",
    "odds midnight", "odds 420", "advise midnight", "advise 420", "advise mexico", "price midnight", "card midnight",
    "card 420",
)  # fmt: skip
NUMBER = re.compile(r"^  (--[a-z-]+) (?:N|K|M|SECONDS|PERCENT)\b", re.MULTILINE)
WIN = "odds midnight --goal win"
FORMATS = ("rounds", "pot", "points", "total")
ROUNDS, POT, POINTS, TOTAL = (f"advise midnight --roll 6,5,2,2,1,4 --format {form}" for form in FORMATS)
MEXICO = "advise mexico --roll 6,4"
RANGES = {
    "play midnight --pause": "0 to 60",
    "play midnight --coach-at": "0 to 100",
    "resume 1 --pause": "0 to 60",
    "resume 1 --coach-at": "0 to 100",
    "drill --count": "1 to 1000",
    "perft midnight --seats": "1 to 20",
    "perft 420 --seats": "2 to 20",
    "perft midnight --depth": "0 to 100",
    "serve --port": "0 to 65535",
    "odds midnight --seats": "1 to 20",
    "odds 420 --seats": "2 to 6",
    "odds 420 --drinks --seats": "2 to 5",
    f"{WIN} --to-beat": "0 to 24",
    f"{WIN} --holders": "0 to 20",
    f"{WIN} --to-come": "0 to 19",
    "advise midnight --roll 6,5,2,2,1,4 --goal win --to-beat": "0 to 24",
    "advise midnight --roll 6,5,2,2,1,4 --goal win --holders": "0 to 20",
    "advise midnight --roll 6,5,2,2,1,4 --goal win --to-come": "0 to 19",
    f"{ROUNDS} --seats": "2 to 20",
    f"{ROUNDS} --rounds": "1 to 20",
    f"{ROUNDS} --rounds-replay": "0 to 1",
    f"{ROUNDS} --round": "1 to 5",
    f"{POT} --stake": "1 to 1000000",
    f"{POT} --pot-rounds": "1 to 1000",
    f"{POT} --pot-replay": "0 to 1",
    f"{POT} --round": "1 to 1020",
    f"{POINTS} --points": "1 to 1000",
    f"{POINTS} --even": "0 to 1",
    f"{TOTAL} --total-rounds": "1 to 20",
    f"{TOTAL} --round": "1 to 5",
    f"{MEXICO} --rolls": "1 to 3",
    f"{MEXICO} --scores 31 --limit": "1 to 3",
    f"{MEXICO} --lives": "1 to 12",
    f"{MEXICO} --mexico": "1 to 2",
    f"{MEXICO} --doubled": "0",
    "advise 420 --hands 6551,6541 --drinks --player-one": "1 to 2",
    "play midnight --seats": "1 to 20",
    "play 420 --seats": "2 to 20",
    "play midnight --format rounds:": "1 to 20",
    "play midnight --format pot:1:": "1 to 1000",
}
"""The flag comes last; what is typed after it is no number within these."""


def test_every_flag_with_a_number_is_looked_at(tmp_path: Path) -> None:
    here = {(command.split()[0], command.split()[-1]) for command in RANGES}
    for page in PAGES:
        told = pubdice(*page.split(), "--help", data=tmp_path)
        assert told.status == 0, page
        for flag in NUMBER.findall(told.out):
            assert (page.split()[0], flag) in here, page


def test_a_number_out_of_range_is_told_with_its_range(tmp_path: Path) -> None:
    for command, typed in product(RANGES, ("9999999", "-1", "9" * 5_000, "1e99", "many", "nan", "\u00b2")):
        _refused(command, typed, tmp_path)


def _refused(command: str, typed: str, tmp_path: Path) -> None:
    if command.startswith("play") and command.endswith("--seats"):
        typed = typed if typed.lstrip("-").isdecimal() else "-9"  # anything else is a name
    words = command.split()
    words = [*words[:-1], words[-1] + typed] if command.endswith(":") else [*words, typed]
    told = pubdice(*words, data=tmp_path)
    assert (told.status, told.out) == (2, ""), (command, typed)
    assert len(told.err.strip().splitlines()) == 1, told.err
    assert RANGES[command] in told.err, command
    assert len(told.err) < 200
