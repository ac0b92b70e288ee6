"""Refuses tests that measure a page without `support.steady`, and tests that wait for a time (make lint).

A page that still moves has other edges a moment later, and a time is too short on a busy machine. Both were the
commonest false reds. A wait inside a loop is a look that repeats until a thing is there, and no wait for a time.
``LEFT`` lists the other places, each file with their number and the reason. A number may only fall.
"""

import ast
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).parents[1]
MEASURE = re.compile(r"getBoundingClientRect|elementFromPoint|getClientRects|\.bounding_box\(|\.screenshot\(")
STEADY = "from support.steady import"
WAITS = re.compile(r"(asyncio|time)\.sleep|.*\.wait_for_timeout")
NETWORK = "a real network, database or process must stay silent, cut or frozen for a time of its own"
CHANCE = "a kill or a cut comes at a moment of chance"
NOTHING = "nothing may happen meanwhile"
LAID = "the script measures once its own page tells that it is laid out"
RESTS = "after a change a page takes no taps for RESTS_MS"
COUNTED = "the calls, or what it counts, are the test"
LEFT: dict[str, tuple[int, str]] = {
    "packages/cluster/tests/cluster/test_apart.py": (5, NETWORK),
    "packages/cluster/tests/cluster/test_going_on.py": (2, NETWORK),
    "packages/cluster/tests/cluster/test_kills.py": (6, CHANCE),
    "packages/cluster/tests/cluster/test_replicas.py": (2, NETWORK),
    "packages/cluster/tests/cluster/test_switchover.py": (2, NETWORK),
    "packages/cluster/tests/copied/test_copying.py": (1, NETWORK),
    "packages/cluster/tests/costs/idle_postgres.py": (2, "the minute that is counted, and the time before it"),
    "packages/cluster/tests/test_two_processes.py": (3, "other tasks run meanwhile, as over a network"),
    "packages/lab/tests/test_arena.py": (2, "a bot, or a worker, that is slow"),
    "packages/pocket/tests/browser/make_manifest_pictures.py": (1, "draws a page of its own, which does not move"),
    "packages/pocket/tests/pocket/test_kills.py": (2, "a browser tells nobody when it has written to its disk"),
    "packages/pocket/tests/pocket/test_shell_told.py": (5, LAID),
    "tests/browser/client/test_commands.py": (2, NOTHING),
    "tests/browser/client/test_costs_of_scripts.py": (2, COUNTED),
    "tests/browser/client/test_keys.py": (2, RESTS),
    "tests/browser/client/test_shape.py": (4, NOTHING),
    "tests/browser/client/test_stream.py": (1, NOTHING),
    "tests/browser/make_picture.py": (2, "a picture for the README, made by hand"),
    "tests/browser/page_players.py": (2, "a player thinks"),
    "tests/browser/test_by_ear.py": (1, "a bubble stands for 2 s, and nothing else tells that it is gone"),
    "tests/browser/test_camera.py": (5, NOTHING),
    "tests/browser/test_come_back.py": (1, NOTHING),
    "tests/browser/test_drawn_once.py": (1, RESTS),
    "tests/browser/test_end_of_match.py": (1, NOTHING),
    "tests/browser/test_moment_of_play.py": (1, RESTS),
    "tests/browser/test_room_for_eight.py": (1, RESTS),
    "tests/browser/test_sealed.py": (1, RESTS),
    "tests/browser/test_tabs.py": (1, NOTHING),
    "tests/browser/test_touch.py": (3, NOTHING),
    "tests/browser/test_whole_games.py": (1, "a player thinks"),
    "tests/costs/server.py": (2, "the minute that is counted"),
    "tests/costs/test_contract.py": (1, COUNTED),
    "tests/ear/transcript.py": (1, "a screen reader's voice"),
    "tests/ear/voice.py": (1, "a screen reader's voice"),
    "tests/faults/test_house_streams.py": (1, "a phone that is slow"),
    "tests/server/http/test_turns.py": (1, "a request that never ends"),
    "tests/support/house_process.py": (1, "a cancelled task ends"),
}
"""Number of places and reason, by file."""
HERE = ("tests/bare_waits.py", "tests/test_bare_waits.py", "tests/support/steady.py")


def _waits(node: ast.AST, looped: bool = False) -> Iterator[ast.Call]:
    for child in ast.iter_child_nodes(node):
        inside = (looped or isinstance(node, ast.While | ast.For | ast.AsyncFor)) and not isinstance(
            child, ast.FunctionDef | ast.AsyncFunctionDef
        )
        match child:
            case ast.Call(func=func, args=[first, *_]) if not inside and WAITS.fullmatch(ast.unparse(func)):
                if ast.unparse(first) != "0":  # 0 lets other tasks run
                    yield child
        yield from _waits(child, inside)


def places(text: str) -> int:
    """Return the number of places at which a test file waits for a time, and of bare measures."""
    bare = 0 if STEADY in text else sum(bool(MEASURE.search(line)) for line in text.splitlines())
    return bare + len([*_waits(ast.parse(text))])


def found(root: Path = ROOT) -> dict[str, int]:
    """Return the places by file, of tests in the core and in annexes."""
    files = [*root.glob("tests/**/*.py"), *root.glob("packages/*/tests/**/*.py")]
    names = {path.relative_to(root).as_posix(): path.read_text(encoding="utf-8") for path in files}
    return {name: number for name, text in sorted(names.items()) if name not in HERE and (number := places(text))}


def problems(now: Mapping[str, int], left: Mapping[str, tuple[int, str]]) -> list[str]:
    """Return a sentence for each file with more places than its entry, and for each entry with too many."""
    told = []
    for name in sorted({*now, *left}):
        number, most = now.get(name, 0), left[name][0] if name in left else 0
        if number > most:
            told.append(f"{name}: {number} places wait for a time or measure a page that may move, {most} at most.")
        elif number < most and (ROOT / name).exists():
            told.append(f"{name}: {number} places are left. Lower its entry in tests/bare_waits.py.")
    return told


if __name__ == "__main__":
    faults = problems(found(), LEFT)
    print("\n".join(faults), end="\n" * bool(faults))
    sys.exit(bool(faults))
