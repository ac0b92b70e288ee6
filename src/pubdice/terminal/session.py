"""One table played in lines: ask whoever is to move, decide, write down, and only then tell.

Knows the order that keeps promises: an event is stored before anybody hears of it. Time, dice and the store are given.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest
from typing import Any

from pubdice.bots import Perfect, act
from pubdice.cup import Cup
from pubdice.game import IllegalAction, Seat, Verb
from pubdice.kit import PERFECT
from pubdice.names import find_name
from pubdice.policy import Policy
from pubdice.store import NotStored, Store
from pubdice.table import Command, Do, Draw, Enter, Mark, Refused, TakeBack, TakenBack, write_event
from pubdice.terminal import words as own
from pubdice.terminal.coaching import Counsel, solved
from pubdice.terminal.faults import FaultError
from pubdice.terminal.line import Line
from pubdice.terminal.speaker import Speaker
from pubdice.terminal.tables import Loaded
from pubdice.typed import words as typed
from pubdice.typed.grammar import OUTRIGHT, Choose, Intent, Unclear, Word, read_answer
from pubdice.typed.marks import Keys, NoSuchDieError, choose
from pubdice.typed.rerolls import Names, Rerolls, others
from pubdice.view import Die
from pubdice.words import Language, illegal_action


class QuitError(Exception):
    """A player leaves the table."""


@dataclass(frozen=True, slots=True)
class House:
    """What a table needs from outside: a store, a cup for the dice, one for the bots, a pause before a bot acts."""

    store: Store
    cup: Cup
    bots: Cup
    pause: Callable[[], None]


class Session:
    """A table at which people type and bots play, from wherever its log stands to the end of the match."""

    def __init__(
        self,
        loaded: Loaded,
        house: House,
        line: Line,
        language: Language,
        *,
        keys: Keys | None = None,
        names: Names | None = None,
    ) -> None:
        self.number, self.kit = loaded.number, loaded.kit
        self.house, self.line, self.language = house, line, language
        self.table, self.match, self.state = loaded.table, loaded.table.match, loaded.state
        self.keys: Keys = keys or loaded.setup.keys
        self.names: Names = names or loaded.setup.choose
        self.rerolls = Rerolls()
        self.speaker = Speaker(self.table, self.kit, language, self.keys, self.names)
        self.policies = {
            Seat(self.table.names.index(name)): self._player(policy) for name, policy in loaded.setup.bots.items()
        }
        self.counsel = Counsel(self.kit, self.match, language, line.say)
        self.last: list[str] = []
        for before, event, after in zip(loaded.states, loaded.events, loaded.states[1:], strict=False):
            self.last = self.speaker.told(before, event, after) or self.last
        self._asked: object = None  # the match as it stood when the question was last put in words
        self._turns = 0  # finished since this session began
        self._bot_moved = False  # since a person was last asked
        self._none = False  # it was said last, in so many words, that no die is kept
        self._closed = False  # the people agree that the match is over

    def open(self) -> None:
        """Say what is played and by whom, and where it stands."""
        self.line.say(self.speaker.opening(self.state, self.last))

    def play(self) -> None:
        """Play to the end. Raises QuitError, or LeftError at the end of input: the table waits in the store."""
        real = self.table.dice == "real"
        while not self.state.match.over or (self.state.before is not None and not self._closed):
            policy = self._policy()
            if self.match.to_draw(self.state.match) and not real:
                self._do(Draw())
            elif policy is None or (self.match.to_roll(self.state.match) and real):
                self._ask()
            else:
                self.house.pause()
                self._bot_moved = True
                self._do(act(policy, self.table, self.state, partial(self.house.bots.draw, index=self.state.moved)))

    def _player(self, bot: str) -> Policy[Any, Any] | Perfect:
        if bot == PERFECT and self.kit.solver is not None:
            return Perfect(solved(self.kit, self.match, self.language).solver)
        return self.kit.policies[bot]

    def _policy(self) -> Policy[Any, Any] | Perfect | None:
        mover = self.table.mover(self.state)
        return None if mover is None else self.policies.get(mover)

    def _do(self, command: Command) -> None:
        """Decide, store, then apply and tell. Raises IllegalAction or Refused with nothing changed."""
        events = self.table.decide(self.state, command, self.house.cup)
        seen = self.state.seq + 1  # line 0 of the log is the setup
        self.house.store.append(self.number, seen, [write_event(self.table, event) for event in events])
        for event in events:
            before, self.state = self.state, self.table.apply(self.state, event)
            self._turns += self.match.finished(before.match, self.state.match) is not None
            if isinstance(event, TakenBack):
                self._asked = None
            told = self.speaker.told(before, event, self.state)
            self.last = told or self.last
            self.line.say(told)

    def _ask(self) -> None:
        """Put the question that is open, in words only when it is a new one, and do what is answered."""
        question = ""
        if self._asked is not self.state.match:
            question = self.speaker.question(self.state)
            if self.state.marks:
                self.line.say([self.speaker.marks(self.state)])
        self._asked = self.state.match
        if self._bot_moved:
            self._bot_moved = False
            self.line.forget()
        self.answer(self.line.ask(question))

    def answer(self, text: str) -> None:
        """Do what a line says, as far as it is allowed and in the turn it was typed in; say why where it is not."""
        drawing = self.match.to_draw(self.state.match)
        seat = find_name(text, self.table.names) if drawing else None
        if seat is not None:
            self._try(Draw(Seat(seat)))
            return
        intents = read_answer(text)
        if isinstance(intents, Unclear):
            told = typed.unclear(self.language, intents)
            if drawing:
                told = own.refused(self.language, Refused("name-player-one"), self.table.names)
            self.line.say([told])
            return
        if not intents:
            self._asked, self._closed = None, self.state.match.over  # Enter alone: the question again, or the end
        turn = self._turn()
        for intent, following in zip_longest(intents, intents[1:]):
            choosing = bool(self.match.legal(self.state.match))
            done = self._obey(intent)
            if following and (not done or self._turn() != turn):
                self.line.say([self.language.say("The rest of the line was left undone.")])
                return
            if done and isinstance(intent, Choose) and choosing and not following:
                self.line.say([self.speaker.marks(self.state)])

    def _turn(self) -> object:
        """What no line may outlast: whose turn it is, and how many were finished before."""
        return self.state.match.number, self.table.mover(self.state), self._turns

    def _try(self, command: Command) -> bool:
        """Do a command; if it is refused, say why. True if it was done."""
        try:
            self._do(command)
        except IllegalAction as error:
            told = illegal_action(self.language, self.kit.words, self.match.game, error.rule, error.facts)
            self.line.say([told])
            return False
        except NotStored:
            raise
        except Refused as error:
            self.line.say([own.refused(self.language, error, self.table.names)])
            return False
        return True

    def _obey(self, intent: Intent) -> bool:
        """Do one thing; True if it was done."""
        none, self._none = self._none, False
        if isinstance(intent, Choose):
            if self.table.dice == "real" and self.match.to_roll(self.state.match) and intent.how == "toggle":
                return self._try(Enter(intent.digits))
            return self._mark(intent)
        if intent.word in ("roll", "bank"):
            verb: Verb = "roll" if intent.word == "roll" else "bank"
            none = (none or self.rerolls.begun(self.state.moved)) and not self.state.marks
            done = self._named(verb) and not self._held_back(verb) and self._try(Do(verb, sure=none))
            self._none = none and not done
            return done
        if intent.word == "undo":
            return self._undo()
        if intent.word == "quit":
            if not self.state.match.over:
                raise QuitError
            self._closed = True
            return True
        self._reply(intent.word)
        return True

    def _reply(self, word: Word) -> None:
        """Answer a question; the coach's part only if it is known."""
        inner = self.state.match
        if word == "advice":
            marked = (self._meant("bank") or self._meant("roll")) if self.state.marks else None
            try:
                self.line.say(self.counsel.advice(inner, marked))
            except FaultError as error:
                self.line.say([str(error)])
            return
        told = self.speaker.reply(word, self.state, self.last)
        self.line.say([" ".join([*told, *self.counsel.chance(inner)])] if word == "beat" else told)

    def _meant(self, verb: Verb) -> Any:
        """The action that a verb means with these marks; None where it means none."""
        mover = self.table.mover(self.state)
        if mover is None or not self.match.legal(self.state.match):
            return None
        try:
            action = self.match.choose(self.state.match, verb, self.state.trays[mover].shows(self.state.marks))
        except IllegalAction:
            return None
        return action if action in self.match.legal(self.state.match) else None

    def _held_back(self, verb: Verb) -> bool:
        """True if the coach has something to say before this is done, and has said it."""
        action = self._meant(verb)
        try:
            told = [] if action is None else self.counsel.holds_back(self.state.match, action)
        except FaultError as error:
            self.line.say([str(error)])
            return False
        self.line.say(told)
        return bool(told)

    def _mark(self, choice: Choose) -> bool:
        places, dice = self.state.marks, self._dice()
        if self.match.legal(self.state.match):
            try:
                if self.names == "reroll":
                    named = self.rerolls.at(self.state.moved, dice, places)
                    return self._reroll(named.choose(self.state.moved, dice, choice, self.keys))
                places = choose(dice, places, choice, self.keys)
            except NoSuchDieError as error:
                self.line.say([typed.no_such_die(self.language, error, dice)])
                return False
        self._none = not places and choice.how in OUTRIGHT
        return self._try(Mark(places))

    def _dice(self) -> tuple[Die, ...]:
        mover = self.table.mover(self.state)
        return () if mover is None else self.table.view(self.state, mover)

    def _reroll(self, named: Rerolls) -> bool:
        """Mark all dice but those named."""
        self.rerolls = named
        return self._try(Mark(others(self._dice(), named.places)))

    def _named(self, verb: Verb) -> bool:
        """Where dice are named to be rerolled: True if some are, or if none is and all stay; otherwise say so."""
        if self.names == "keep" or not self.match.legal(self.state.match):
            return True
        if self.state.marks or self.rerolls.begun(self.state.moved):
            return True
        if verb == "bank":
            return self._try(Mark(others(self._dice(), ())))
        self.line.say([self.language.say(typed.NONE_TO_REROLL)])
        return False

    def _undo(self) -> bool:
        if self.names == "reroll" and self.match.legal(self.state.match):
            self.rerolls = self.rerolls.at(self.state.moved, self._dice(), self.state.marks)
            if self.rerolls.places:
                done = self._reroll(self.rerolls.back(self.state.moved))
                self.line.say([self.speaker.marks(self.state)])
                return done
            if self.state.marks and not self._try(Mark(())):
                return False
        if not self.state.marks:
            return self._try(TakeBack())
        done = self._try(Mark(self.state.marks[:-1]))
        self.line.say([self.speaker.marks(self.state)])
        return done
