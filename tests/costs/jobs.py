"""What a worker does for a page: each of its jobs for the first time, and again for somebody with another language.

The match's solver is made and both languages are read before. When a part is over depends on no clock.
"""

from collections.abc import Callable
from itertools import cycle
from random import Random
from typing import Any
from unittest.mock import patch

from costs.counting import counted_calls
from costs.games import SEED, steps
from costs.houses import in_child
from costs.measured import Cost, cost_of
from pubdice.advice.rule_variants import match_rules
from pubdice.games import GAMES
from pubdice.match.header import RawHeader
from pubdice.match.record import write_steps
from pubdice.server import bot_processes, jobs
from pubdice.server.jobs import MatchRecord, NoAnswer

KIT = GAMES["mexico"]
HEADER = {"game": KIT.name, "format": "lives 1", "seats": "Ann, Bob"}
ASKED, DAY, PRICED, FIGURE = (("roll", "2,1"),), 100, "opener", "first-rolls"
STEPS, MOST_PARTS = 50, 500
LANGUAGES = {"": "en", ", once more": "de"}
Job = Callable[[str], Any]


def every_job() -> dict[str, Job]:
    """The jobs by name; each takes the language of who asks."""
    header = KIT.normalize(RawHeader(HEADER))
    match = KIT.match(header)
    text, rules = write_steps(header, match, steps(match, Random(SEED))), tuple(HEADER.items())
    over, priced = MatchRecord(("ABCDEF", 9), text), tuple(match_rules(KIT, {"format": HEADER["format"]}).items())
    first, hand = (match.roll(match.start(), dice) for dice in ((2, 1), (4, 3)))
    for code in LANGUAGES.values():
        jobs.teach(None, rules, first, code)
    return {
        "A hint": lambda code: jobs.teach(None, rules, hand, code),
        "A receipt": lambda code: jobs.write_receipt(None, over, code, 0),
        "Highlights of a match": lambda code: jobs.find_highlights(None, over, code, 0),
        "What the book says of a match": lambda code: jobs.write_ledger(None, over),
        "What the seats of a match lost": lambda code: jobs.weigh_losses(None, over),
        "A decision of a record": lambda code: jobs.rank_decision(None, text, 1, code),
        "A position": lambda code: jobs.rank_position(None, KIT.name, ASKED, code),
        "A bot's decision": lambda code: bot_processes.weigh(rules, "tip", hand, None),
        "Chances": lambda code: jobs.tell_chances(None, rules, (), code),
        "A day's question": lambda code: jobs.rank_day(None, (KIT.name,), DAY, code),
        "A drill": lambda code: jobs.rank_drill(None, KIT.name, 1, code),
        "A figure of best play": lambda code: jobs.best_play_figure(None, KIT.name, FIGURE, code),
        "The price of a rule": lambda code: jobs.price_rules(None, KIT.name, priced, PRICED, code),
    }


def cost_of_job(job: Job, code: str, *, parts: bool = False) -> Cost:
    """The cost of a job that is done whole, or in parts of so many steps."""
    goes_on = [False] * STEPS
    with patch.object(jobs, "process_part", lambda: cycle([*goes_on, parts]).__next__), counted_calls() as calls:
        found = next((found for found in (job(code) for _ in range(MOST_PARTS)) if found is not None), None)
    assert found is not None, "each part begins from the start: nothing is kept between them"
    assert not isinstance(found, NoAnswer), found
    return cost_of(calls)


def measure() -> dict[str, Cost]:
    """Every job, each in a process that has done no other."""
    found, done = dict[str, Cost](), every_job()
    for name, job in done.items():
        costs = in_child(lambda job=job: [vars(cost_of_job(job, code)) for code in LANGUAGES.values()])  # type: ignore[misc]
        found |= {f"{name}{which}": Cost(**cost) for which, cost in zip(LANGUAGES, costs, strict=True)}
    in_parts = in_child(lambda: vars(cost_of_job(done["A receipt"], "en", parts=True)))
    found[f"A receipt, in parts of {STEPS} steps"] = Cost(**in_parts)
    return found
