"""A program that restores a pocket's file in a process that is killed at one of its steps. It does so for every step.

Its arguments are a pocket's folder, the file to restore, a scratch folder, and the number of steps from one kill to the
next. After each kill it prints how the folder then opens: as the old pocket, as the new one, or as neither.
"""

import asyncio
import json
import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pocket.pockets import content, page, pocket

STEPS = ("open", "os.rename", "os.remove", "sqlite3.connect")
"""Names of events from the interpreter's audit hooks, which come just before a file changes."""
KILLED, DONE, FAILED = 9, 0, 1
MOST = 2_000


def restore(folder: Path, file: bytes, steps: int) -> None:
    """Restore in a process of its own. Exit at once after this many steps on files of the folder."""
    left, armed = steps, False

    def end(event: str, arguments: tuple[object, ...]) -> None:
        nonlocal left
        if armed and event in STEPS and str(arguments[0]).startswith(str(folder)):
            left -= 1
            if left < 0:
                os._exit(KILLED)

    async def work() -> None:
        nonlocal armed
        running = pocket(folder)
        await running.begin()
        armed = True
        await running.restore(file)
        await running.end()

    sys.addaudithook(end)
    asyncio.run(work())


async def opened(folder: Path) -> int:
    """Open the pocket again. Return the status of its front page."""
    again = pocket(folder)
    await again.begin()
    answer = await page(again, "/")
    await again.end()
    return answer.status


def main(lived: Path, file: bytes, scratch: Path, stride: int) -> None:
    """Kill a restore at each step, until one ends before its kill."""
    told = []
    kinds: dict[str, Mapping[str, Any]] = {}
    for steps in range(0, MOST, stride):
        folder = scratch / f"{steps}"
        shutil.copytree(lived, folder)
        child = os.fork()
        if not child:
            try:
                restore(folder, file, steps)
                os._exit(DONE)
            finally:
                os._exit(FAILED)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        assert asyncio.run(opened(folder)) == 200
        if not kinds:
            kinds["old"] = content(folder / "house.db")
        found = content(folder / "house.db")
        if status == DONE:
            kinds["new"] = found
        told.append((status, found, sorted(path.name for path in folder.iterdir())))
        shutil.rmtree(folder)
        if status == DONE:
            break
    names = [next((kind for kind in kinds if kinds[kind] == found), "neither") for _, found, _ in told]
    sys.stdout.write(json.dumps([[status, name, files] for (status, _, files), name in zip(told, names, strict=True)]))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]).read_bytes(), Path(sys.argv[3]), int(sys.argv[4]))
