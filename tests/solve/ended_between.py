"""Ends the solving of a match as Ctrl-C would, at some call made by the solvers, and asks again in the same process.

``python ended_between.py GAME RULES SEATS TRIES`` prints JSON: ``whole``, the answers of a process in which
nothing was ended, ``lines``, the number of lines of the solvers that call something, and ``after``, [line, whether its
call was reached, answers of the solver that was ended, those of another one] of each try. Each of these lines is as
likely to be tried, at its first, middle or last call.
"""

import json
import os
import random
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from importlib import import_module
from pkgutil import walk_packages
from types import FrameType
from typing import Any

import pubdice.solve
from pubdice.core.game import Seat
from pubdice.games import GAMES
from pubdice.match.header import RawHeader
from pubdice.match.match import Match
from pubdice.solve.solver import Solver

MOVES = 8
BOUND = 1e-6
"""The bounds of answers may differ, as more or fewer tables are worked out; each is below it."""
SOLVING = [pubdice.solve]
"""The packages that have the solvers."""
Answers = list[list[float]]


def answers(solver: Solver, match: Match[Any, Any]) -> Answers:
    """The values of the first positions of a match, and of all that may be done in them."""
    state, found = match.start(), Answers()
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


def ended_at(line: str, call: int, work: Callable[[], object]) -> dict[str, int]:
    """Do the work, but end it as this line of the solvers makes the call of this number. Returns the calls by line.

    The call that ends a ``with`` is none of them: Python looks for Ctrl-C after a call, never between the last one of a
    block and its end, so a lock is given back.
    """
    made = dict[str, int]()
    folders = tuple(package.__path__[0] for package in SOLVING)

    def count(frame: FrameType, event: str, called: object) -> None:
        if event == "c_call" and getattr(called, "__name__", "") == "__exit__":
            return
        if event == "call" and frame.f_back is not None:
            frame = frame.f_back  # the profile tells of the function that is called
        if event not in ("call", "c_call") or not frame.f_code.co_filename.startswith(folders):
            return
        at = f"{frame.f_code.co_filename}:{frame.f_lineno}"
        made[at] = made.get(at, 0) + 1
        if at == line and made[at] == call:
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


def main(name: str, rules: str, seats: str, tries: str) -> None:
    for package in SOLVING:
        for module in walk_packages(package.__path__, f"{package.__name__}."):
            with suppress(ImportError):  # without numpy
                import_module(module.name)
    kit = GAMES[name]
    header = kit.normalize(RawHeader({"game": name, "seats": ", ".join("ABC"[: int(seats)]), **json.loads(rules)}))
    match, solve = kit.match(header), kit.solver
    assert solve is not None

    kept = list[Solver]()

    def asked() -> Answers:
        if not kept:
            kept.append(solve(match))
        return answers(kept[0], match)

    def asked_after(line: str, call: int) -> tuple[str, bool, Answers, Answers]:
        was_reached = ended_at(line, call, asked).get(line) == call
        return line, was_reached, asked(), answers(solve(match), match)

    whole, calls = elsewhere(asked), elsewhere(lambda: ended_at("", 0, asked))
    cup, lines = random.Random(f"{name} {rules}"), sorted(calls)
    chosen = cup.sample(lines, min(int(tries), len(lines)))
    tried = [(line, cup.choice([1, (1 + calls[line]) // 2, calls[line]])) for line in chosen]
    after = [elsewhere(partial(asked_after, line, call)) for line, call in tried]
    print(json.dumps({"whole": whole, "lines": len(lines), "after": after}))


if __name__ == "__main__":
    main(*sys.argv[1:])
