"""A failure ready to be told in the terminal: a sentence, and the exit status that goes with it."""

from typing import Any

from pubdice import failures
from pubdice.core.errors import Failure, NotStored, Refused
from pubdice.terminal.sentences import refused
from pubdice.text.game_words import GameWords
from pubdice.text.language import Language


class FaultError(Exception):
    """A fault ready to be told: its sentence, and the exit status that goes with it."""

    def __init__(self, told: str, status: int) -> None:
        super().__init__(told)
        self.status = status


def explain(language: Language, error: Failure, words: GameWords | None = None, game: Any = None) -> str:
    """The sentence for a failure; ``words`` and ``game`` are needed for moves the rules forbid."""
    if isinstance(error, Refused | NotStored):
        return refused(language, error)
    return failures.explain(language, error, words, game)
