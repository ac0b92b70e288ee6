"""The commands by name, and what becomes of a fault: one sentence on standard error, and an exit status."""

import sys
from collections.abc import Callable

from pubdice.core.errors import BadNotation, NotStored, Refused
from pubdice.failures import exit_status
from pubdice.terminal import drilling, join, playing, reading, sealed_seat
from pubdice.terminal.arguments import Outside
from pubdice.terminal.sentences import FaultError, explain
from pubdice.text.language import Language

__all__ = ["COMMANDS", "Outside", "run"]

COMMANDS: dict[str, Callable[[list[str], Outside, Language], None]] = {
    "play": playing.play,
    "resume": playing.resume,
    "games": reading.games,
    "rules": reading.rules,
    "replay": reading.replay,
    "record": reading.record,
    "verify": sealed_seat.verify,
    "night": reading.command,
    "perft": reading.perft,
    "review": reading.review_command,
    "drill": drilling.drill,
    "daily": drilling.daily,
    "join": join.join,
    **{name: reading.question(name) for name in reading.DESCRIPTIONS},
}


def run(words: list[str], outside: Outside) -> int:
    """Run one command; the exit status. A fault is one sentence on standard error."""
    language = Language()
    name = words[0] if words else "play"
    try:
        COMMANDS[name](words[1:], outside, language)
    except FaultError as error:
        return _sorry(name, str(error), error.status)
    except (BadNotation, Refused, NotStored) as error:
        return _sorry(name, explain(language, error), exit_status(error))
    return 0


def _sorry(name: str, told: str, status: int) -> int:
    sys.stderr.write(f"pubdice {name}: {told}\n")
    return status
