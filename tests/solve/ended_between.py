"""Ends the solving of a match as Ctrl-C would, at some call made by the solvers, and asks again in the same process.

``python ended_between.py GAME RULES SEATS TRIES NUMPY`` prints JSON: ``whole``, the answers of a process in which
nothing was ended, ``calls``, the number of calls that took, and ``after``, [call, whether it was reached, answers] of
each try.
"""

import json
import os
import random
import sys
from collections.abc import Callable
from functools import partial
from types import FrameType
from typing import Any

from pubdice.core.game import Seat
from pubdice.games import GAMES
from pubdice.match.match import Match
from pubdice.match.notation import RawHeader
from pubdice.solve.solver import Solver

MOVES = 8
BOUND = 1e-6
"""The bounds of answers may differ, as more or fewer tables are worked out; each is below it."""
Answers = list[list[float]]
Solve = Callable[[Match[Any, Any]], Solver]


def answers(solve: Solve, match: Match[Any, Any]) -> Answers:
    """The values of the first positions of a match, and of all that may be done in them."""
    solver, state, found = solve(match), match.start(), Answers()
    for number in range(MOVES):
        found.append(list(solver.values(state)))
        if state.over:
            break
        if match.to_draw(state):
            state = match.draw(state, Seat(0))
        elif due := match.to_roll(state):
            dice = random.Random(number).choices(range(1, match.game.faces.sides + 1), k=due)
            state = match.roll(state, tuple(sorted(dice)))
        else:
            valued = solver.action_values(state)
            found.append([value for _, value in valued])
            state = match.play(state, valued[0][0])
    return [*found, [float(solver.bound < BOUND)]]


def ended_at(last: int, work: Callable[[], object]) -> int:
    """Do the work, but end it at this call made by the solvers. Returns the number of calls."""
    made = 0

    def count(frame: FrameType, event: str, _: object) -> None:
        nonlocal made
        if "pubdice/solve" in frame.f_code.co_filename and not event.endswith("return"):
            made += 1
            if made == last:
                sys.setprofile(None)
                raise KeyboardInterrupt

    sys.setprofile(count)
    try:
        work()
    except KeyboardInterrupt:
        pass
    finally:
        sys.setprofile(None)
    return made


def elsewhere(work: Callable[[], Any]) -> Any:
    """The result of the work in a copy of this process, in which nothing is solved so far."""
    out, into = os.pipe()
    if not (child := os.fork()):
        with os.fdopen(into, "w") as told:
            json.dump(work(), told)
        os._exit(0)
    os.close(into)
    with os.fdopen(out) as told:
        text = told.read()
    os.waitpid(child, 0)
    return json.loads(text)


def main(name: str, rules: str, seats: str, tries: str, numpy: str) -> None:
    if numpy == "without":
        sys.modules["numpy"] = None  # type: ignore[assignment]  # so it cannot be found
    kit = GAMES[name]
    header = kit.normalize(RawHeader({"game": name, "seats": ", ".join("ABC"[: int(seats)]), **json.loads(rules)}))
    match, solve = kit.match(header), kit.solver
    assert solve is not None

    def asked() -> Answers:
        return answers(solve, match)

    def asked_after(call: int) -> tuple[int, bool, Answers]:
        return call, ended_at(call, asked) == call, asked()

    whole, calls = elsewhere(asked), elsewhere(lambda: ended_at(0, asked))
    cup = random.Random(f"{name} {rules} {numpy}")
    after = [elsewhere(partial(asked_after, cup.randrange(1, calls))) for _ in range(int(tries))]
    print(json.dumps({"whole": whole, "calls": calls, "after": after}))


if __name__ == "__main__":
    main(*sys.argv[1:])
