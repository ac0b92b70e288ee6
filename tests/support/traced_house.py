"""``pubdice`` that notes each module's calls of others between SIGUSR1 and SIGUSR2. Then they go, as JSON, to a file.

Beside it, a file that ends in .begun says that it notes now.
"""

import json
import os
import signal
import sys
import threading
from pathlib import Path
from types import FrameType

from pubdice.cli import main
from pubdice.server.web import render

calls: set[tuple[str, str]] = set()
made: set[str] = set()
noting = False


def note(frame: FrameType, event: str, _: object) -> None:
    """Note a call of one module of pubdice by another, and each module that makes a call."""
    if not noting or event != "call":
        return
    callee = frame.f_globals.get("__name__", "")
    if not callee.startswith("pubdice.") or frame.f_code.co_name.startswith("<"):
        return
    made.add(callee)
    caller = "" if frame.f_back is None else frame.f_back.f_globals.get("__name__", "")
    if caller.startswith("pubdice.") and caller != callee:
        calls.add((caller, callee))


def begin(*_: object) -> None:
    """Begin to note calls."""
    global noting  # noqa: PLW0603 - a profiler is global
    made.clear()
    calls.clear()
    noting = True
    Path(os.environ["PUBDICE_CALLS"]).with_suffix(".begun").touch()


def end(*_: object) -> None:
    """Write down what was noted."""
    global noting  # noqa: PLW0603
    noting = False
    told = Path(os.environ["PUBDICE_CALLS"])
    told.with_suffix(".new").write_text(json.dumps([sorted(made), sorted(calls)]), encoding="utf-8")
    told.with_suffix(".new").rename(told)


if __name__ == "__main__":
    signal.signal(signal.SIGUSR1, begin)
    signal.signal(signal.SIGUSR2, end)
    render.templates = lambda: ()  # which a start compiles for a second, whatever is asked meanwhile
    threading.setprofile(note)
    sys.setprofile(note)
    sys.exit(main())
