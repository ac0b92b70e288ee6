"""The commands by name, and what becomes of a fault: one sentence on standard error, and an exit status."""

import sys
from collections.abc import Callable, Sequence

from pubdice.command_line import FaultError, complain, guess
from pubdice.core.errors import BadNotation, NotStored, Refused
from pubdice.failures import exit_status
from pubdice.terminal import completion, daily, drilling, join, night, playing, questions, reading, verify
from pubdice.terminal.arguments import Environment
from pubdice.terminal.sentences import explain
from pubdice.text.language import Language, shorten

__all__ = ["COMMANDS", "Environment", "run"]

COMMANDS: dict[str, Callable[[list[str], Environment, Language], None]] = {
    "play": playing.play,
    "resume": playing.resume,
    "games": reading.games,
    "rules": reading.rules,
    "replay": reading.replay,
    "record": reading.record,
    "verify": verify.verify,
    "night": night.command,
    "perft": reading.perft,
    "review": reading.review_command,
    "drill": drilling.drill,
    "daily": daily.daily,
    "join": join.join,
    **{name: questions.question(name) for name in questions.DESCRIPTIONS},
    "completion": lambda words, outside, language: completion.completion(words, outside, language, COMMANDS),
}


def run(words: list[str], outside: Environment) -> int:
    """Run one command; the exit status. A fault is one sentence on standard error."""
    language = outside.language
    name = words[0] if words else "play"
    try:
        COMMANDS[name](words[1:], outside, language)
    except FaultError as error:
        return _sorry(name, str(error), error.status)
    except (BadNotation, Refused, NotStored) as error:
        return _sorry(name, explain(language, error), exit_status(error))
    return 0


def no_command(found: str, commands: Sequence[str], games: Sequence[str], language: Language) -> str:
    """The line for a word that is no command; if it is a game, that is what they want to play."""
    say, name = language.say, guess(found, (*commands, *games))
    name = found if found in games else name
    if name is None:
        text = '"{found}" is no command. Choose {commands}.'
        told = say(text, found=shorten(found), commands=", ".join(commands))
    else:
        meant = f"play {name}" if name in games else name
        told = say('"{found}" is no command. Did you mean {name}?', found=shorten(found), name=f"pubdice {meant}")
    return f"pubdice: {told} {say('See {program} --help.', program='pubdice')}\n"


def _sorry(name: str, told: str, status: int) -> int:
    complain(sys.stderr, f"pubdice {name}: {told}\n")
    return status
