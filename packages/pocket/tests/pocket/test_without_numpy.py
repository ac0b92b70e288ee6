"""A pocket house has no numpy. These tests run in a Python that can import neither numpy nor numba."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from pubdice.games import GAMES
from support.paths import PATHS

BLOCKED = """
import sys
sys.modules["numpy"] = sys.modules["numba"] = None  # as if they were not installed
import json
from random import Random
from pubdice.advice.figures import figure_names
from pubdice.advice.rule_variants import match_rules, parts
from pubdice.games import GAMES
from pubdice.match.header import RawHeader
from pubdice.match.record import Played, Rolled, write
from pubdice_pocket.solvers import solvers
from pubdice.server import jobs as house
from pubdice.server.bot_processes import weigh
from pubdice.solve.without_numpy import bring

bring(solvers())

def header(kit, form, seats):
    names = ", ".join(["Ann", "Bob", "Cid", "Dan", "Eve", "Flo"][:seats])
    return kit.normalize(RawHeader({"game": kit.name, "seats": names, "format": form, "first": "Ann"}))

def played(match):
    chance, state, moves, choice = Random(2), match.start(), [], None
    while not state.over:
        due = match.to_roll(state)
        if due:
            moves.append(Rolled(tuple(chance.randint(1, 6) for _ in range(due))))
            state = match.roll(state, tuple(sorted(moves[-1].dice)))
        else:
            choice = choice or (state if len(match.legal(state)) > 1 else None)
            moves.append(Played(chance.choice(match.legal(state))))
            state = match.play(state, moves[-1].action)
    return moves, choice

def done(ask, *given):
    for _ in range(1_000):
        found = ask(*given)
        if found is not None:
            return found
    raise AssertionError("never done")

def told(found):
    return found.code if isinstance(found, house.NoAnswer) else type(found).__name__
"""
QUESTIONS = """
from pubdice.advice import luck_rank
luck_rank.MOST_DECISIONS = 100  # replays take longest, and are all alike
game, *forms = sys.argv[1:]
every = {}
for form in forms:
    kit, said = GAMES[game], every.setdefault(form, {})
    head = header(kit, form, 2)
    match, rules = kit.match(head), tuple(head.fields.items())
    moves, choice = played(match)
    text = write(head, match, moves)
    said["chances"] = told(house.tell_chances(None, rules, (), "en"))
    said["lesson"] = told(house.teach(None, rules, choice, "de")) if choice else "Lesson"
    said["decision"] = told(house.rank_decision(None, text, 1, "en")) if choice else "Ranking"
    said["losses"] = told(done(house.weigh_losses, None, house.MatchRecord(("", 0), text)))
    said["highlights"] = told(done(house.find_highlights, None, house.MatchRecord(("", 0), text), "en"))
    said["ledger"] = told(done(house.write_ledger, None, house.MatchRecord(("", 0), text)))
    said["receipt"] = told(done(house.write_receipt, None, house.MatchRecord(("", 0), text), "en"))
    said["solvable"] = house.check_solvable(None, rules, "en")
    said["bots"] = all(done(weigh, rules, bot, choice, None) for bot in kit.bots) if choice else True
print(json.dumps(every))
"""
ANSWERED = {
    "chances": "SeatChances",
    "lesson": "Lesson",
    "decision": "Ranking",
    "losses": "MatchLosses",
    "highlights": "Highlights",
    "ledger": "Ledger",
    "receipt": "Receipt",
    "solvable": True,
    "bots": True,
}
REFUSED = """
said = {}
for game, kit in GAMES.items():
    for kind in kit.formats:
        head = header(kit, kind.name, 3)
        found = house.tell_chances(None, tuple(head.fields.items()), (), sys.argv[1])
        said[f"{game} {kind.name}"] = [found.code, found.why]
print(json.dumps(said))
"""
PAGES = """
game = sys.argv[1]
kit = GAMES[game]
said = {name: told(house.best_play_figure(None, game, name, "en")) for name in figure_names(kit) if name != "prices"}
rules = match_rules(kit, {"seats": "2"})
for part in parts(kit, rules):
    if part != "fair":
        said["price of " + part] = told(done(house.price_rules, None, game, tuple(rules.items()), part, "en"))
print(json.dumps(said))
"""
KEPT = """
found = {name: house.best_play_figure(None, "midnight", name, "en") for name in ("card", "prices")}
print(json.dumps({name: answer.code for name, answer in found.items()}))
"""
DAYS = """
print(json.dumps([told(house.rank_day(None, ("420", "mexico", "ship"), day, "en")) for day in range(6)]))
"""
TURNS = """
given = {"roll": "6 5 4 2 1"}
found = []
for flags in ({}, {"goal": "reach:7"}, {"goal": "win", "to-beat": "6", "to-come": "2"}, {"goal": "qualify"}):
    found.append(told(house.rank_position(None, "ship", tuple({**given, **flags}.items()), "en")))
asked = {**given, "format": "rounds", "rounds": "3", "seats": "2"}
found.append(told(house.rank_position(None, "ship", tuple(asked.items()), "en")))
print(json.dumps(found))
"""


def asked(script: str, *given: str, folder: Path | None = None) -> object:
    """Run a script in a Python without numpy, and return the JSON it prints. It can import modules from ``folder``."""
    command = [sys.executable, "-c", BLOCKED + script, *given]
    more = {**os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{PATHS}"} if folder else None
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False, env=more)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


ADDS_UP = [*((game, form) for game in ("midnight", "ship") for form in ("points", "total")), ("shutbox", "out")]
MATCHES = {"ship": ("rounds 3", "pot 1 2"), "mexico": ("lives 2", "rounds 2", "pot 1 2"), "420": ("race", "drinks")}


@pytest.mark.parametrize("game", ["ship", "mexico", pytest.param("420", marks=pytest.mark.nightly)])
def test_every_question_about_two_seats_is_answered(game: str) -> None:
    assert asked(QUESTIONS, game, *MATCHES[game]) == dict.fromkeys(MATCHES[game], ANSWERED)


def test_more_seats_are_refused_with_a_way_to_an_answer() -> None:
    said, why = asked(REFUSED, "de"), "Computer mit pubdice"
    assert isinstance(said, dict)
    assert len(said) == sum(len(kit.formats) for kit in GAMES.values())
    adds_up = {f"{game} {form}": said.pop(f"{game} {form}") for game, form in ADDS_UP}
    assert {found[0] for found in said.values()} == {"needs-house"}
    assert all(why in found[1] for found in said.values())
    assert {found[0] for found in adds_up.values()} == {"adds-up-seats"}, "no house can answer that either"
    assert not any(why in found[1] for found in adds_up.values())


def test_pages_of_best_play_are_answered_or_say_who_can() -> None:
    said = asked(PAGES, "ship")
    assert isinstance(said, dict)
    assert said.pop("card") == "needs-house", "made when the folder is built"
    figures = {name for name in said if not name.startswith("price")}
    assert figures == {"spread", "reach", "last", "first-rolls"}
    assert {said[name] for name in figures} == {"BestPlayFigure"}
    assert {found for name, found in said.items() if name not in figures} == {"PricedPart"}


def test_last_orders_has_a_position_each_day() -> None:
    assert asked(DAYS) == ["ExplainedDay"] * 6


def test_single_turns_are_answered_for_any_seats_to_come() -> None:
    assert asked(TURNS) == ["Ranking"] * 5


def test_a_long_figure_is_shown_only_if_it_was_made_before() -> None:
    """The prices of Midnight's usual rules take 22 s. If a guest could ask for them, the host's phone would stand
    still.
    """
    assert asked(KEPT) == {"card": "needs-house", "prices": "needs-house"}
