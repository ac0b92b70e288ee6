"""A process beside the house's: it ends with the house, at once, whatever it is at."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import BrokenExecutor
from contextlib import suppress
from multiprocessing import active_children
from pathlib import Path

import pytest

from pubdice.server.processes import WorkerProcess

WITHIN_S = 20.0
HOUSE = """
import asyncio, sys, time
from multiprocessing import active_children
from pubdice.server.processes import WorkerProcess

async def evening():
    worker = WorkerProcess()
    work = asyncio.ensure_future(worker.run(time.sleep, 600))
    while not active_children():
        await asyncio.sleep(0.01)
    print(active_children()[0].pid, flush=True)
    await asyncio.sleep({"closes": 2, "closes while it starts": 0}.get(sys.argv[1], 600))
    worker.close()
    try:
        await work
    except Exception as error:
        print(type(error).__name__, flush=True)

if __name__ == "__main__":
    asyncio.run(evening())
"""


def is_there(process: int) -> bool:
    try:
        return "\nState:\tZ" not in Path(f"/proc/{process}/status").read_text(encoding="ascii")
    except (FileNotFoundError, ProcessLookupError):  # the second when it ends between the opening and the reading
        return False


def ends(process: int) -> bool:
    until = time.monotonic() + WITHIN_S
    while is_there(process):
        if time.monotonic() > until:
            return False
        time.sleep(0.05)
    return True


def test_a_house_that_closes_while_its_process_starts_waits_for_nothing(tmp_path: Path) -> None:
    """On a busy machine a process takes seconds to start, and Python waits for it at its end: here a minute."""
    (tmp_path / "house.py").write_text(HOUSE, encoding="utf-8")
    (tmp_path / "sitecustomize.py").write_text(
        'import sys, time\n"--multiprocessing-fork" in sys.orig_argv and time.sleep(60)\n', encoding="utf-8"
    )
    command = [sys.executable, str(tmp_path / "house.py"), "closes while it starts"]
    environ = {**os.environ, "PYTHONPATH": str(tmp_path)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environ) as house:
        assert house.stdout is not None
        house.stdout.readline()
        house.wait(WITHIN_S)  # not communicate: it does not see what a slow reader had with the first line
        assert house.stdout.read().split() == ["BrokenProcessPool"]


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("how", ["closes", "is killed"])
def test_it_ends_with_the_house_in_the_middle_of_its_work(how: str, tmp_path: Path) -> None:
    (tmp_path / "house.py").write_text(HOUSE, encoding="utf-8")
    command = [sys.executable, str(tmp_path / "house.py"), how]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as house:
        assert house.stdout is not None
        process = int(house.stdout.readline())
        if how == "is killed":
            time.sleep(2)
            house.send_signal(signal.SIGKILL)
        assert ends(process), "ten minutes of work are left to do"
        house.wait(WITHIN_S)
        said = house.stdout.read()
    assert said.split() == (["BrokenProcessPool"] if how == "closes" else [])


@pytest.mark.skipif(sys.platform == "win32", reason="has no SIGPIPE")
async def test_a_result_for_a_house_that_is_gone_ends_it_without_a_traceback() -> None:
    worker = WorkerProcess()
    assert await worker.run(signal.getsignal, signal.SIGPIPE) == signal.SIG_DFL
    worker.close()


@pytest.mark.parametrize("leaves", [None, 2])
async def test_all_who_wait_are_told_that_it_has_ended(leaves: int | None) -> None:
    """None is cancelled, though its work had not come to the process yet; but for one that waits no more."""
    worker = WorkerProcess()
    waiting = [asyncio.ensure_future(worker.run(time.sleep, 600)) for _ in range(5)]
    await asyncio.sleep(0)  # each has asked by now
    if leaves is not None:
        waiting[leaves].cancel()
        await asyncio.sleep(0)
    worker.close()
    told = await asyncio.wait_for(asyncio.gather(*waiting, return_exceptions=True), WITHIN_S)
    assert [isinstance(each, BrokenExecutor) for each in told] == [at != leaves for at in range(5)]


async def test_it_works_and_comes_again() -> None:
    worker = WorkerProcess()
    first = await worker.run(os.getpid)
    assert first != os.getpid()
    assert await worker.run(os.getpid) == first
    os.kill(first, signal.SIGKILL)
    with suppress(BrokenExecutor):  # if it was asked before its death was known
        await worker.run(os.getpid)
    second = await worker.run(os.getpid)
    assert second not in (first, os.getpid())
    work = asyncio.ensure_future(worker.run(time.sleep, 600))
    await asyncio.sleep(0.5)
    os.kill(second, signal.SIGKILL)
    with pytest.raises(BrokenExecutor):
        await work
    third = await worker.run(os.getpid)
    assert third not in (first, second)
    os.kill(third, signal.SIGKILL)
    assert ends(third)
    await asyncio.sleep(0.5)  # the pool has seen it
    assert await worker.run(os.getpid) not in (first, second, third)
    worker.close()
    worker.close()
    assert all(ends(child.pid) for child in active_children() if child.pid)
