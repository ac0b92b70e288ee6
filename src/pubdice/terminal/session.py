"""One table played in lines: ask whoever is to move, decide, write down, and only then tell.

Knows the order that keeps promises: an event is stored before anybody hears of it. Time, dice and the store are given.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest
from typing import Any

from pubdice.bots import act
from pubdice.cup import Cup
from pubdice.game import IllegalAction, Seat
from pubdice.policy import Policy
from pubdice.store import NotStored, Store
from pubdice.table import (
    Command,
    Do,
    Draw,
    Enter,
    Event,
    Mark,
    Marked,
    Refused,
    TableState,
    TakeBack,
    TakenBack,
    write_event,
)
from pubdice.terminal import words as own
from pubdice.terminal.answers import Choose, Intent, Say, Unclear, Word, read_answer
from pubdice.terminal.line import LeftError, Line
from pubdice.terminal.marks import Keys, NoSuchDieError, choose
from pubdice.terminal.tables import Loaded
from pubdice.words import Language, illegal_action, sentence


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

    def __init__(self, loaded: Loaded, house: House, line: Line, language: Language, keys: Keys | None = None) -> None:
        self.number, self.setup, self.kit = loaded.number, loaded.setup, loaded.kit
        self.house, self.line, self.language = house, line, language
        self.table, self.state = loaded.table, loaded.state
        self.match = loaded.table.match
        self.narrator = loaded.narrator(language)
        self.policies: Mapping[Seat, Policy[Any, Any]] = {
            Seat(self.table.names.index(name)): self.kit.policies[policy] for name, policy in self.setup.bots.items()
        }
        self.last: list[str] = []
        for before, event, after in zip(loaded.states, loaded.events, loaded.states[1:], strict=False):
            self.last = self._told(before, event, after) or self.last
        self.keys: Keys = keys or self.setup.keys
        self._asked: object = None

    def open(self) -> None:
        """Say what is played and by whom, and where it stands."""
        inner = self.state.match
        self.line.say([self.narrator.opening() + " " + self.language.say("? lists what can be typed.")])
        if not inner.round:
            return
        if not self.state.seq:
            self.line.say([self.narrator.round_opens(inner)])
            return
        going_on = self.language.say("Round {number} goes on.", number=inner.number)
        self.line.say([" ".join([going_on, *self.standing()]), *self.last])

    def _told(self, before: TableState, event: Event, after: TableState) -> list[str]:
        if isinstance(event, Marked):
            return []
        if isinstance(event, TakenBack):
            return [self.language.say("The last dice typed in are taken back.")]
        return self.narrator.tell(before.match, event, after.match)

    def play(self) -> None:
        """Play to the end. Raises QuitError, or LeftError at the end of input: the table waits in the store."""
        while not self.state.match.over or self._mistyped():
            policy = self._policy()
            if self.match.to_draw(self.state.match):
                self._draw()
            elif policy is None or (self.match.to_roll(self.state.match) and self.table.dice == "real"):
                self._ask()
            else:
                self.house.pause()
                self._do(act(policy, self.table, self.state, partial(self.house.bots.draw, index=self.state.seq)))

    def _mistyped(self) -> bool:
        """With real dice: whether the dice that ended the match are taken back."""
        if self.state.before is None:
            return False
        text = self.language.say("That is the end. Enter closes the record; u takes back the last dice typed in.")
        try:
            intents = read_answer(self.line.ask(text))
        except LeftError:
            return False
        return intents == [Say("undo")] and self._try(TakeBack())

    def _policy(self) -> Policy[Any, Any] | None:
        mover = self.table.mover(self.state)
        return None if mover is None else self.policies.get(mover)

    def _do(self, command: Command) -> None:
        """Decide, store, then apply and tell. Raises IllegalAction or Refused with nothing changed."""
        events = self.table.decide(self.state, command, self.house.cup)
        seen = self.state.seq + 1  # line 0 of the log is the setup
        self.house.store.append(self.number, seen, [write_event(self.table, event) for event in events])
        for event in events:
            before, self.state = self.state, self.table.apply(self.state, event)
            told = self._told(before, event, self.state)
            self.last = told or self.last
            self.line.say(told)

    def _draw(self) -> None:
        if self.table.dice == "house":
            self._do(Draw())
        else:
            self._ask()

    def _ask(self) -> None:
        """Put the question that is open, in words only when it is a new one, and do what is answered."""
        prompt = "" if self._asked is self.state.match else self.prompt()
        self._asked = self.state.match
        self.answer(self.line.ask(prompt))

    def prompt(self) -> str:
        """The question that is open."""
        say, game, inner = self.language.say, self.match.game, self.state.match
        mover = self.table.mover(self.state)
        if mover is None:
            return say("Who is Player 1? Draw with your own dice, and type the name.")
        name = self.table.names[mover]
        if self.match.to_roll(inner):
            said = self.kit.words.to_roll(self.language, game, inner.round)
            text = "{name}: {said}. Type what fell." if self.table.dice == "real" else "{name}: {said}. r rolls."
            return sentence(say(text, name=name, said=said))
        said = self.kit.words.ask(self.language, game, inner.round)
        if self.keys == "position":
            said = own.lie(self.language, self.table.view(self.state, mover), "position") + " " + sentence(said)
        return sentence(say("{name}: {said}", name=name, said=said))

    def answer(self, text: str) -> None:
        """Do what a line says, as far as it is allowed; say why where it is not."""
        drawing = self.match.to_draw(self.state.match)
        names = [name.casefold() for name in self.table.names]
        if drawing and text.casefold() in names:
            self._try(Draw(Seat(names.index(text.casefold()))))
            return
        intents = read_answer(text)
        if isinstance(intents, Unclear):
            told = own.unclear(self.language, intents)
            self.line.say([own.refused(self.language, Refused("name-player-one")) if drawing else told])
            return
        if not text:
            self._asked = None  # Enter alone: the question again
        for intent, following in zip_longest(intents, intents[1:]):
            choosing = bool(self.match.legal(self.state.match))
            if not self._obey(intent):
                if following:
                    self.line.say([self.language.say("The rest of the line was left undone.")])
                return
            if isinstance(intent, Choose) and choosing and following is None:
                self._tell_marks()

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
            self.line.say([own.refused(self.language, error)])
            return False
        return True

    def _obey(self, intent: Intent) -> bool:
        """Do one thing; True if it was done."""
        if isinstance(intent, Choose):
            if self.table.dice == "real" and self.match.to_roll(self.state.match) and intent.how == "toggle":
                return self._try(Enter(intent.digits))
            return self._mark(intent)
        if intent.word in ("roll", "bank"):
            return self._try(Do("roll" if intent.word == "roll" else "bank"))
        if intent.word == "undo":
            return self._undo()
        if intent.word == "quit":
            raise QuitError
        self._tell(intent.word)
        return True

    def _mark(self, choice: Choose) -> bool:
        mover = self.table.mover(self.state)
        dice = () if mover is None else self.table.view(self.state, mover)
        places = self.state.marks
        if self.match.legal(self.state.match):
            try:
                places = choose(dice, places, choice, self.keys)
            except NoSuchDieError as error:
                self.line.say([own.no_such_die(self.language, error, dice)])
                return False
        return self._try(Mark(places))

    def _undo(self) -> bool:
        if self.state.marks:
            done = self._try(Mark(self.state.marks[:-1]))
            self._tell_marks()
            return done
        return self._try(TakeBack())

    def _tell_marks(self) -> None:
        mover = self.table.mover(self.state)
        if mover is None:
            return
        try:
            self.match.choose(self.state.match, "bank", self.state.trays[mover].shows(self.state.marks))
            ends = True
        except IllegalAction:
            ends = False
        self.line.say([own.marked(self.language, self.table.view(self.state, mover), ends=ends)])

    def _tell(self, word: Word) -> None:
        """Answer a question; asking changes nothing."""
        inner, game = self.state.match, self.match.game
        names = tuple(self.table.names[seat] for seat in inner.order)
        mover = self.table.mover(self.state)
        if word == "help":
            self.line.say([own.page_of_help(self.language, self.keys, real=self.table.dice == "real")])
        elif word == "last":
            self.line.say(self.last or [self.language.say("Nothing has happened yet.")])
        elif word == "dice":
            dice = () if mover is None else self.table.view(self.state, mover)
            self.line.say([own.lie(self.language, dice, self.keys)])
        elif inner.round is None:
            self.line.say([self.language.say("Player 1 is to be drawn first.")])
        elif word == "beat":
            told = self.kit.words.to_beat(self.language, game, inner.round, names)
            self.line.say([" ".join(map(sentence, told))])
        else:
            self.line.say([" ".join(self.standing())])

    def standing(self) -> list[str]:
        """Where the round and the match stand."""
        inner = self.state.match
        if inner.round is None:
            return []
        names = tuple(self.table.names[seat] for seat in inner.order)
        scores = self.kit.words.scores(self.language, self.match.game, inner.round, names)
        return list(map(sentence, [*scores, *self.narrator.standing(inner)]))
