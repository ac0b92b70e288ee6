"""A table at which a person types, in this process (``session``) or on the web (``join``).

This module knows words, faces, places and marks, and the order within a line. The table decides if an action is
allowed.
"""

from abc import ABC, abstractmethod
from collections.abc import Hashable
from dataclasses import dataclass
from itertools import zip_longest

from pubdice import typed, typed_answers
from pubdice.core.dice import SIX, DieFaces
from pubdice.core.errors import Refused
from pubdice.core.frozen import quick
from pubdice.core.game import Seat, Verb
from pubdice.match.header import find_name
from pubdice.match.table import Die, Draw, EnterDice, Mark, RollOrBank, TakeBack
from pubdice.terminal import sentences as own
from pubdice.terminal.console import Console
from pubdice.text.game_words import Offer
from pubdice.text.language import Language
from pubdice.typed import OUTRIGHT, Choose, CommandWord, Intent, Unclear, Word
from pubdice.typed_dice import Keys, Names, NoSuchDieError, Rerolls, choose, others


class QuitError(Exception):
    """The player leaves the table."""


@quick
@dataclass(frozen=True, slots=True)
class SeenTable:
    """A table as the people at this terminal see it.

    Attributes:
        decision: A value that changes if the dice on the table or the question change.
        turn: A value that changes with the turn. If it changes, the rest of a typed line is dropped.
        dice: The mover's dice on the table.
        keeps: True if the people here must now choose dice to keep.
        enters: True if the people here must now type the roll of their real dice.
        keeps_dice: True in a game of keeps, False in a game of moves.
        real: True if the people roll their own dice.
        draws: The names to draw Player 1 from, if the people draw with their own dice.

    """

    decision: Hashable
    turn: Hashable
    dice: tuple[Die, ...]
    marks: tuple[int, ...]
    faces: DieFaces
    keeps: bool
    enters: bool
    keeps_dice: bool
    real: bool
    offered: tuple[Offer, ...]
    draws: tuple[str, ...] = ()


class TypedTable(ABC):
    """A table at which a person types. ``asking`` has the words that ask a question, each with its meaning."""

    def __init__(self, line: Console, language: Language, keys: Keys, names: Names, asking: own.Rows) -> None:
        self.line, self.language, self.keys, self.names, self.asking = line, language, keys, names, asking
        self.rerolls = Rerolls()
        self._none = False  # True if the last choice was "keep none" (``k -``)

    @abstractmethod
    def seen(self) -> SeenTable:
        """Return the table as it is now."""

    @abstractmethod
    def gold(self) -> Verb | None:
        """Return the verb for Enter: the only possible verb, or the verb that goes with the chosen dice. Return None if
        neither exists.
        """

    @abstractmethod
    def verbs(self) -> list[tuple[str, str]]:
        """Return the words for rolling and for ending a turn, each with its meaning."""

    def stays(self) -> tuple[int, ...]:
        """Return the places of the dice that stay even without a mark. If they are not known, return ()."""
        return ()

    def ends(self) -> bool:
        """Return True if it is known that keeping the marked dice would end the turn."""
        return False

    @abstractmethod
    def do(self, command: Draw | EnterDice | Mark | RollOrBank | TakeBack) -> bool:
        """Do a command. Returns True if it was done. If it is refused, say why."""

    @abstractmethod
    def choose_move(self, move: str) -> None:
        """Play a move by its notation, in a game of moves."""

    @abstractmethod
    def repeat(self) -> None:
        """Say the question again, because the player pressed only Enter."""

    @abstractmethod
    def reply(self, word: Word) -> list[str]:
        """Return the answer to a question that the player typed."""

    def roll_or_bank(self, verb: Verb, *, none: bool) -> bool:
        """Roll or bank. Returns True if it was done. ``none`` is True if the player said "keep none"."""
        return self.do(RollOrBank(verb, sure=none))

    def leave(self) -> None:
        """Leave the table. Raises QuitError."""
        raise QuitError

    def answer(self, text: str) -> None:
        """Do the intents of a typed line in order. If one of them is refused, say why. Raises QuitError.

        If an intent fails, or the turn changes, the rest of the line is not done.
        """
        seen = self.seen()
        if (seat := find_name(text, seen.draws)) is not None:
            self.do(Draw(Seat(seat)))
            return
        if (move := typed.move_named(text, seen.offered)) is not None:
            self.choose_move(move)
            return
        words, die, enters = typed.command_words(self.language), self._die(seen), seen.enters or bool(seen.draws)
        intents = typed.read_answer(text, die, words, names_dice=seen.keeps_dice, enters=enters)
        if not text and (gold := self.gold()):
            intents = [CommandWord(gold)]
        if isinstance(intents, Unclear):
            told = typed_answers.unclear(self.language, intents, die)
            if seen.draws:
                told = own.refused(self.language, Refused("name-player-one"), seen.draws)
            self.line.say([told])
            return
        if not intents:
            self.repeat()
        for intent, following in zip_longest(intents, intents[1:]):
            done = self._obey(seen, intent)
            if done and isinstance(intent, Choose) and seen.keeps and not following:
                self.say_marks()
            turn, seen = seen.turn, self.seen() if following else seen
            if following and (not done or seen.turn != turn):
                self.line.say([self.language.say("The rest of the line was left undone.")])
                return

    def say_marks(self) -> None:
        """Say the marked dice. On a terminal, add that Enter rolls, if it does."""
        seen, say = self.seen(), self.language.say
        told = typed_answers.marked(self.language, seen.dice, ends=self.ends(), names=self.names, die=seen.faces)
        rolls = self.line.live and self.gold() and any(die.status == "free" for die in seen.dice)
        self.line.say([say("{said} Enter rolls.", said=told) if rolls else told])

    def _die(self, seen: SeenTable) -> DieFaces:
        """Return the faces that a line may name. If players name dice by place, these are numbers."""
        return seen.faces if self.keys == "face" or not seen.keeps else SIX

    def _obey(self, seen: SeenTable, intent: Intent) -> bool:
        none, self._none = self._none, False
        if isinstance(intent, Choose):
            return self._choose(seen, intent)
        if intent.word in ("roll", "bank"):
            verb: Verb = "roll" if intent.word == "roll" else "bank"
            none = (none or self.rerolls.begun(seen.decision)) and not seen.marks
            done = self._named(seen, verb) and self.roll_or_bank(verb, none=none)
            self._none = none and not done
            return done
        if intent.word == "undo":
            return self._undo(seen)
        if intent.word == "quit":
            self.leave()
        elif intent.word == "help":
            self.line.say([*typed.listed(seen.offered), *self._page_of_help(seen)])
        else:
            self.line.say(self.reply(intent.word))
        return True

    def picks_dice(self) -> bool:
        """Return False if it is known that players can't choose single dice to keep."""
        return True

    def _page_of_help(self, seen: SeenTable) -> list[str]:
        return own.page_of_help(
            self.language, self.verbs(), self.keys, self.names, seen.faces, self.asking,
            real=seen.real, keeps_dice=seen.keeps_dice and self.picks_dice(),
        )  # fmt: skip

    def _choose(self, seen: SeenTable, choice: Choose) -> bool:
        if seen.enters and choice.how == "toggle":
            return self.do(EnterDice(choice.digits))
        if seen.offered:
            return self.do(RollOrBank("roll"))  # the table refuses this and says why
        places = seen.marks
        try:
            if seen.keeps and self.names == "reroll":
                named = self.rerolls.at(seen.decision, seen.dice, places)
                return self._reroll(seen, named.choose(seen.decision, seen.dice, choice, self.keys))
            if seen.keeps:
                places = choose(seen.dice, places, choice, self.keys, self.stays())
        except NoSuchDieError as error:
            self.line.say([typed_answers.no_such_die(self.language, error, seen.dice, self._die(seen))])
            return False
        done = self.do(Mark(places))
        self._none = done and not places and choice.how in OUTRIGHT
        return done

    def _reroll(self, seen: SeenTable, named: Rerolls) -> bool:
        self.rerolls = named
        return self.do(Mark(others(seen.dice, named.places)))

    def _named(self, seen: SeenTable, verb: Verb) -> bool:
        """Return True if a roll or a bank may go ahead, for a player who names the dice to reroll.

        If the player has named no die, a bank keeps all dice, and a roll is refused.
        """
        if self.names == "keep" or not seen.keeps or seen.marks or self.rerolls.begun(seen.decision):
            return True
        if verb == "bank":
            return self.do(Mark(others(seen.dice, ())))
        self.line.say([typed_answers.none_to_reroll(self.language)])
        return False

    def _undo(self, seen: SeenTable) -> bool:
        marks = seen.marks
        if self.names == "reroll" and seen.keeps:
            self.rerolls = self.rerolls.at(seen.decision, seen.dice, marks)
            if self.rerolls.places:
                done = self._reroll(seen, self.rerolls.back(seen.decision))
                self.say_marks()
                return done
            if marks and not self.do(Mark(())):
                return False
            marks = ()
        if not marks:
            return self.do(TakeBack())
        done = self.do(Mark(marks[:-1]))
        self.say_marks()
        return done
