"""What becomes of something handed to the store, awaited: by whoever asked for it, for as long as a disk may take."""

import asyncio
from collections.abc import Callable
from typing import Any

from pubdice.store import NotStored

KNOWN_WITHIN_S = 8.0
"""How long a disk that does not answer is waited for: less than those who ask wait for the house."""


async def outcome_of(submit: Callable[..., None], late: Callable[[], None] | None = None) -> Any:
    """What becomes of it, once that holds. Raises NotStored; ("not-known") if the disk does not answer in time.

    What is being written cannot be called back: whoever is told to stop hears what has become of it, and then stops.
    late: called when it is known after all, but nobody waits for it any more.
    """
    loop = asyncio.get_running_loop()
    known: list[Any] = []
    stopped, waiting = False, loop.create_future()

    def done(outcome: Any) -> None:
        if not known:
            known.append(outcome)
            if not waiting.done():
                waiting.set_result(None)
        elif late is not None:
            late()

    submit(done, loop.call_soon_threadsafe)
    given_up = loop.call_later(KNOWN_WITHIN_S, done, NotStored("not-known"))
    while not known:
        try:
            await waiting
        except asyncio.CancelledError:
            stopped, waiting = True, loop.create_future()
    given_up.cancel()
    task = asyncio.current_task()
    if stopped and task is not None:
        task.cancel()  # at whatever it waits for next
    if isinstance(known[0], NotStored):
        raise known[0]
    return known[0]
