"""What waits in a hub's queue: a command to decide, an answer to store with no event, or a look at the log."""

from collections.abc import Callable
from dataclasses import dataclass

from pubdice.core.frozen import quick
from pubdice.room import RoomState
from pubdice.room.commands import Command
from pubdice.server.live.idempotency import Key
from pubdice.server.requests import Done

Reply = Callable[[bytes | Exception], None]
"""Called with the outcome of a command: the encoded answer, or the error that kept it from being done."""


@quick
@dataclass(frozen=True, slots=True)
class Pending:
    """A command in a hub's queue.

    seen: the last event that its sender had seen; None if that is not known. answer: where the client goes next. only:
    the state that the command is meant for; at any other it is dropped, with an empty answer. told: makes the answer's
    sentence from the state after. tries: how often it was decided before.
    """

    command: Command
    person: str | None
    key: Key | None
    reply: Reply
    answer: Done | None = None
    only: RoomState | None = None
    told: Callable[[RoomState], str] | None = None
    seen: int | None = None
    tries: int = 0


@dataclass(frozen=True, slots=True)
class PendingAnswer:
    """An answer in a hub's queue, to store under its idempotency key with no event."""

    answer: Done
    key: Key
    reply: Reply
    tries: int = 0


@dataclass(frozen=True, slots=True)
class PendingLook:
    """A look in a hub's queue for what other processes have stored; its ``reply`` hears that memory is up to date."""

    reply: Reply
    tries: int = 0
    key: None = None


Storing = Pending | PendingAnswer
"""What is stored under a key."""
Waiting = Storing | PendingLook
"""What a hub's queue holds."""
