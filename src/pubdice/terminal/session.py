"""One game played in lines: ask the mover, let the room decide, write down, and only then tell.

Knows the order that keeps promises: an event is stored before anybody hears of it. Time, dice and the store are given.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest
from typing import Any

from pubdice import typed, typed_answers
from pubdice.advice.bots import Perfect, act
from pubdice.command_line import FaultError
from pubdice.core.cup import Cup
from pubdice.core.dice import SIX, DieFaces
from pubdice.core.errors import IllegalAction, Refused
from pubdice.core.game import KeepGame, Policy, Seat, Verb
from pubdice.core.seal import Seals, read_seal
from pubdice.failures import sentence
from pubdice.kit import PERFECT
from pubdice.match.header import find_name
from pubdice.match.table import Die, PlayAction, TableState
from pubdice.room import Caller
from pubdice.room.commands import Bot, Draw, EnterDice, Mark, Play, RollOrBank, TakeBack
from pubdice.room.decide import NO_SEALS
from pubdice.room.events import SealOpened
from pubdice.store import Store
from pubdice.terminal import sentences as own
from pubdice.terminal.board import Board
from pubdice.terminal.console import Console
from pubdice.terminal.saved_games import SavedGame
from pubdice.terminal.speaker import Speaker
from pubdice.terminal.table_coach import TableCoach, solved, working
from pubdice.text.game_words import offers
from pubdice.text.language import Language
from pubdice.typed import OUTRIGHT, Choose, CommandWord, Intent, Unclear, Word, command_words, read_answer
from pubdice.typed_dice import Keys, Names, NoSuchDieError, Rerolls, choose, others


class QuitError(Exception):
    """A player leaves the table."""


@dataclass(frozen=True, slots=True)
class TerminalServices:
    """The services of a game: a store, a cup for the dice, one for the bots, a pause before a bot acts.

    now: the time, in ms since 1970. seals: of sealed dice.
    """

    store: Store
    cup: Cup
    bots: Cup
    now: Callable[[], int]
    pause: Callable[[], None]
    seals: Seals = NO_SEALS


class Session:
    """A table at which people type and bots play, from wherever its log stands to the end of the match."""

    def __init__(
        self,
        loaded: SavedGame,
        house: TerminalServices,
        line: Console,
        language: Language,
        *,
        keys: Keys | None = None,
        names: Names | None = None,
    ) -> None:
        self.number, self.room, self.log, self.kit = loaded.number, loaded.room, loaded.log, loaded.kit
        self.house, self.line, self.language = house, line, language
        self.room_state, self.live = loaded.state, loaded.live
        self.table, self.match = loaded.live.table, loaded.live.table.match
        self.keys: Keys = keys or loaded.log.keys
        self.names: Names = names or loaded.log.choose
        self.rerolls = Rerolls()
        self.speaker = Speaker(self.table, self.kit, language, self.keys, self.names, live=line.live)
        self.policies = {
            Seat(seat): self._player(chair.bot) for seat, chair in enumerate(loaded.state.chairs) if chair.bot
        }
        self.counsel = TableCoach(self.kit, self.match, language, line)
        self.last: list[str] = []
        for step in loaded.steps:
            self.last = self.speaker.sentences(step) or self.last
        self._asked: object = None  # the match as it stood when the question was last put in words
        self._turns = 0  # finished since this session began
        self._bot_moved = False  # since a person was last asked
        self._none = False  # it was said last, in so many words, that no die is kept
        self._closed = False  # the people agree that the match is over

    @property
    def state(self) -> TableState:
        """The match table as it stands."""
        return self.live.state

    def open(self, *, new: bool = False) -> None:
        """Say what is played and by whom, and where it stands. new: it has just been set up."""
        self.line.say(self.speaker.opening(self.table.start() if new else self.state, self.last))
        if self.table.dice == "sealed" and not new:
            self.line.say([own.sealed(self.language, read_seal(self.room.setup.seal))])

    def play(self) -> None:
        """Play to the end. Raises QuitError, or LeftError at the end of input: the table waits in the store."""
        board = Board(
            self.table, self.kit, self.speaker.narrator.language, self.speaker.narrator, self.keys == "position"
        )
        with self.line.drawing(lambda width, height: board.draw(self.state, width, height)):
            self._play()

    def _play(self) -> None:
        real = self.table.dice == "real"
        while not (state := self.state).match.over or (state.before is not None and not self._closed):
            policy = self._policy()
            if self.match.to_draw(state.match) and not real:
                self._do(Draw())  # left undrawn by version 1
            elif policy is None or (self.match.to_roll(state.match) and real):
                self._ask()
            else:
                self.house.pause()
                self._bot_moved = True
                with working(self.language, self.line):
                    acts = act(policy, self.table, state, partial(self.house.bots.draw, index=state.moved))
                self._do(Bot(acts.action if isinstance(acts, PlayAction) else None))

    def _player(self, bot: str) -> Policy[Any, Any] | Perfect:
        if bot == PERFECT and self.kit.solver is not None:
            with working(self.language, self.line):
                return Perfect(solved(self.kit, self.match, self.language).solver)
        return self.kit.policies[bot]

    def _policy(self) -> Policy[Any, Any] | Perfect | None:
        mover = self.room_state.mover
        return None if mover is None else self.policies.get(mover)

    def _do(self, command: Play | Bot) -> None:
        """Decide, store, then apply and tell. Raises IllegalAction or Refused with nothing changed."""
        person = None if isinstance(command, Bot) else self.log.person
        caller = Caller(person, self.house.now())
        steps = self.room.decide(self.room_state, command, caller, self.house.cup, self.house.seals)
        self.house.store.append(self.number, self.log.seen(self.room_state.seq), self.log.lines(steps))
        for step in steps:
            if isinstance(step.line.event, SealOpened):
                self.house.seals.note_opened(read_seal(self.room.setup.seal))
            before, self.room_state = self.state, step.after
            self.live = step.after.match or self.live
            self._turns += self.match.turn_ended(before.match, self.state.match) is not None
            told = self.speaker.sentences(step)
            self.last = told or self.last
            self.line.say(told)

    def _ask(self) -> None:
        """Put the question that is open, in words only when it is a new one, and do what is answered."""
        question = ""
        if self._asked is not self.state.match:
            question = self.speaker.question(self.state)
            self.line.say(self.speaker.moves(self.state))
            if self.state.marks:
                self._say_marks()
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
        if self._move(text):
            return
        gold = None if text else self.gold()
        words, enters = command_words(self.language), drawing or self.table.enters_dice(self.state)
        intents = read_answer(text, self._die, words, names_dice=self.speaker.keeps_dice, enters=enters)
        if gold:
            intents = [CommandWord(gold)]
        if isinstance(intents, Unclear):
            told = typed_answers.unclear(self.language, intents, self._die)
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
                self._say_marks()

    def _say_marks(self) -> None:
        """Say what is marked, and at a terminal that Enter goes on with it."""
        told = self.speaker.marks(self.state)
        rolls = self.speaker.live and self.gold() and not self.speaker.all_marked(self.state)
        self.line.say([self.language.say("{said} Enter rolls.", said=told) if rolls else told])

    def gold(self) -> Verb | None:
        """The verb that Enter stands for: all that can be done, or what the chosen dice say; None where nothing is
        chosen yet, or real dice are due.
        """
        inner, game = self.state.match, self.match.game
        if self._policy() is not None or self.room_state.mover is None:
            return None
        if self.match.to_roll(inner):
            return None if self.table.dice == "real" else "roll"
        meant = self._meant("roll") if self.state.marks else None
        chosen = meant is not None and isinstance(game, KeepGame) and not game.gives_up(inner.round, meant)
        return "roll" if chosen else None

    def _turn(self) -> object:
        """The key of a turn, which no line may outlast: the mover, the number of finished turns, and whether a bot is
        to choose.
        """
        bot_chooses = self._policy() is not None and not self.match.to_roll(self.state.match)
        return self.state.match.number, self.room_state.mover, self._turns, bot_chooses

    def _try(self, command: Play) -> bool:
        """Do a command; if it is refused, say why. True if it was done."""
        try:
            self._check_turn(command)
            self._do(command)
        except IllegalAction as error:
            self.line.say([sentence(self.language, error, self.kit.words, self.match.game)])
            return False
        except Refused as error:
            self.line.say([own.refused(self.language, error, self.table.names, self.match.game.faces)])
            return False
        return True

    def _check_turn(self, command: Play) -> None:
        """Refuse a choice before a bot's real dice are typed; the room would only say whose turn it is."""
        if isinstance(command, Mark | RollOrBank) and (self.room_state.mover is None or self._policy() is not None):
            choice = command if isinstance(command, Mark) else RollOrBank(command.verb)
            self.table.decide(self.state, choice, self.house.cup)

    def _move(self, text: str) -> bool:
        """Take the move that a whole line names, in a game of moves; False if the line names none."""
        inner = self.state.match
        if self._policy() is not None or not self.match.legal(inner):
            return False
        named = typed.move_named(text, offers(self.kit.words, self.language, self.match.game, inner.round))
        if named is None:
            return False
        action = self.match.game.read_action(named)
        if not self._held_back(action):
            self._try(PlayAction(action, rolls=True))
        return True

    def _obey(self, intent: Intent) -> bool:
        """Do one thing; True if it was done."""
        none, self._none = self._none, False
        if isinstance(intent, Choose):
            if self.table.enters_dice(self.state) and intent.how == "toggle":
                return self._try(EnterDice(intent.digits))
            return self._mark(intent)
        if intent.word in ("roll", "bank"):
            verb: Verb = "roll" if intent.word == "roll" else "bank"
            none = (none or self.rerolls.begun(self.state.moved)) and not self.state.marks
            done = self._named(verb) and self._roll_or_bank(verb, none=none)
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

    def _roll_or_bank(self, verb: Verb, *, none: bool) -> bool:
        """Do it unless the coach holds it back; True if it was done. none: it was said that no die is kept."""
        action = self._meant(verb)
        sure = none or (not self.state.marks and self.counsel.has_warned(self.state.match, action))
        return not self._held_back(action) and self._try(RollOrBank(verb, sure=sure))

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
        try:
            return self.table.meant(self.state, verb)
        except IllegalAction:
            return None

    def _held_back(self, action: Any) -> bool:
        """True if the coach has something to say before this is done, and has said it. action: None for no choice."""
        try:
            told = [] if action is None else self.counsel.holds_back(self.state.match, action)
        except FaultError as error:
            self.line.say([str(error)])
            return False
        self.line.say(told)
        return bool(told)

    @property
    def _die(self) -> DieFaces:
        """The faces that a line may name; by place, numbers name the dice."""
        return self.match.game.faces if self.keys == "face" or not self.match.legal(self.state.match) else SIX

    def _mark(self, choice: Choose) -> bool:
        if self.speaker.moves(self.state):
            return self._try(RollOrBank("roll"))  # which is refused
        places, dice = self.state.marks, self._dice()
        if self.match.legal(self.state.match):
            try:
                if self.names == "reroll":
                    named = self.rerolls.at(self.state.moved, dice, places)
                    return self._reroll(named.choose(self.state.moved, dice, choice, self.keys))
                places = choose(dice, places, choice, self.keys, self.table.stays(self.state))
            except NoSuchDieError as error:
                self.line.say([typed_answers.no_such_die(self.language, error, dice, self._die)])
                return False
        self._none = not places and choice.how in OUTRIGHT
        return self._try(Mark(places))

    def _dice(self) -> tuple[Die, ...]:
        mover = self.room_state.mover
        return () if mover is None else self.table.view(self.state, mover)

    def _reroll(self, named: Rerolls) -> bool:
        """Mark all dice but those named."""
        self.rerolls = named
        return self._try(Mark(others(self._dice(), named.places)))

    def _named(self, verb: Verb) -> bool:
        """A check for people who name the dice to reroll: True if some are, or if none is and all stay; otherwise say
        so.
        """
        if self.names == "keep" or not self.match.legal(self.state.match):
            return True
        if self.state.marks or self.rerolls.begun(self.state.moved):
            return True
        if verb == "bank":
            return self._try(Mark(others(self._dice(), ())))
        self.line.say([typed_answers.none_to_reroll(self.language)])
        return False

    def _undo(self) -> bool:
        if self.names == "reroll" and self.match.legal(self.state.match):
            self.rerolls = self.rerolls.at(self.state.moved, self._dice(), self.state.marks)
            if self.rerolls.places:
                done = self._reroll(self.rerolls.back(self.state.moved))
                self._say_marks()
                return done
            if self.state.marks and not self._try(Mark(())):
                return False
        if not self.state.marks:
            done = self._try(TakeBack())
            self._asked = None if done else self._asked
            return done
        done = self._try(Mark(self.state.marks[:-1]))
        self._say_marks()
        return done
