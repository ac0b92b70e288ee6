"""One game in the terminal: ask the mover, let the room decide, store the events, and then tell them.

An event is stored before any player hears of it. Time, dice and store are parameters.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from pubdice.advice.bots import Perfect, act
from pubdice.command_line import FaultError
from pubdice.core.cup import Cup
from pubdice.core.errors import IllegalAction, Refused
from pubdice.core.game import KeepGame, Policy, Seat, Verb
from pubdice.core.seal import Seals, read_seal
from pubdice.failures import sentence
from pubdice.kit import PERFECT
from pubdice.match.table import PlayAction, TableState
from pubdice.room import Caller
from pubdice.room.commands import Bot, Draw, Mark, Play, RollOrBank
from pubdice.room.decide import NO_SEALS
from pubdice.room.events import SealOpened
from pubdice.store import Store
from pubdice.terminal import sentences as own
from pubdice.terminal.board import Board
from pubdice.terminal.console import Console
from pubdice.terminal.saved_games import SavedGame
from pubdice.terminal.speaker import Speaker
from pubdice.terminal.table_coach import TableCoach, solved, working
from pubdice.terminal.typed_table import QuitError, SeenTable, TypedTable
from pubdice.text.game_words import offers
from pubdice.text.language import Language
from pubdice.typed import Word, listed
from pubdice.typed_dice import Keys, Names


@dataclass(frozen=True, slots=True)
class TerminalServices:
    """The services of a game. ``bots`` draws for the bots, ``now`` is in ms since 1970, ``pause`` delays a bot."""

    store: Store
    cup: Cup
    bots: Cup
    now: Callable[[], int]
    pause: Callable[[], None]
    seals: Seals = NO_SEALS


class Session(TypedTable):
    """A table with people and bots in this process. It goes on from the end of its log."""

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
        asking = own.ASKING if self.kit.tells_chances else own.WITHOUT_CHANCES
        super().__init__(line, language, keys or loaded.log.keys, names or loaded.log.choose, asking)
        self.house = house
        self.room_state, self.live = loaded.state, loaded.live
        self.table, self.match = loaded.live.table, loaded.live.table.match
        self.speaker = Speaker(self.table, self.kit, language, self.keys, self.names, live=line.live)
        self.policies = {
            Seat(seat): self._player(chair.bot) for seat, chair in enumerate(loaded.state.chairs) if chair.bot
        }
        self.counsel = TableCoach(self.kit, self.match, language, line)
        self.last: list[str] = []
        for step in loaded.steps:
            self.last = self.speaker.sentences(step) or self.last
        self._asked: object = None  # the match as of the latest question in words
        self._turns = 0  # turns that ended in this session
        self._bot_moved = False  # True if a bot has moved since the last question to a person
        self._closed = False  # True if the people agree that the match is over

    @property
    def state(self) -> TableState:
        """The current state of the table."""
        return self.live.state

    def open(self, *, new: bool = False) -> None:
        """Announce the game, the players and the standing. ``new`` is True for a table just set up."""
        self.line.say(self.speaker.opening(self.table.start() if new else self.state, self.last))
        if self.table.dice == "sealed" and not new:
            self.line.say([own.sealed(self.language, read_seal(self.room.setup.seal))])

    def play(self) -> None:
        """Play to the end. Raises QuitError, or LeftError at the end of input. The game stays in the store."""
        board = Board(self.table, self.kit, self.speaker.narrator, self.keys == "position")
        with self.line.drawing(lambda width, height: board.draw(self.state, width, height)):
            self._play()

    def _play(self) -> None:
        real = self.table.dice == "real"
        while not (state := self.state).match.over or (state.before is not None and not self._closed):
            policy = self._policy()
            if self.match.to_draw(state.match) and not real:
                self._do(Draw())  # version 1 left Player 1 undrawn
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
        """Ask the current question and do the answer. Only a new question is put in words."""
        question = ""
        if self._asked is not self.state.match:
            question = self.speaker.question(self.state)
            self.line.say([] if self.speaker.keeps_dice else listed(self.seen().offered))
            if self.state.marks:
                self.say_marks()
        self._asked = self.state.match
        if self._bot_moved:
            self._bot_moved = False
            self.line.forget()
        self.answer(self.line.ask(question))

    def repeat(self) -> None:
        """Put the question in words again. After the match, accept its end."""
        self._asked, self._closed = None, self.state.match.over

    def leave(self) -> None:
        """Leave the table. Raises QuitError while the match is unfinished, and otherwise accepts its end."""
        if not self.state.match.over:
            raise QuitError
        self._closed = True

    def seen(self) -> SeenTable:
        """The table as the people see it."""
        state, inner, game, mover = self.state, self.state.match, self.match.game, self.room_state.mover
        chooses, bot = bool(self.match.legal(inner)), self._policy() is not None
        return SeenTable(
            decision=state.moved,
            turn=(inner.number, mover, self._turns, bot and not self.match.to_roll(inner)),
            dice=() if mover is None else self.table.view(state, mover),
            marks=state.marks,
            faces=game.faces,
            keeps=chooses and self.speaker.keeps_dice,
            enters=self.table.enters_dice(state),
            keeps_dice=self.speaker.keeps_dice,
            real=self.table.dice == "real",
            offered=offers(self.kit.words, self.language, game, inner.round) if chooses and not bot else (),
            draws=self.table.names if mover is None and self.match.to_draw(inner) else (),
        )

    def verbs(self) -> list[tuple[str, str]]:
        """The words that roll and that end a turn, each with its meaning."""
        return self.kit.words.verbs(self.language)

    def stays(self) -> tuple[int, ...]:
        """The places of dice that stay without a mark."""
        return self.table.stays(self.state)

    def ends(self) -> bool:
        """True if keeping exactly the marked dice ends the turn."""
        return self._meant("bank") is not None

    def gold(self) -> Verb | None:
        """The verb for Enter: "roll" if the house's dice are due, or the marks make a keep. Otherwise None."""
        inner, game = self.state.match, self.match.game
        if self._policy() is not None or self.room_state.mover is None:
            return None
        if self.match.to_roll(inner):
            return None if self.table.dice == "real" else "roll"
        meant = self._meant("roll") if self.state.marks else None
        chosen = meant is not None and isinstance(game, KeepGame) and not game.gives_up(inner.round, meant)
        return "roll" if chosen else None

    def do(self, command: Play) -> bool:
        """Do a command. If it is refused, say why. True if it was done."""
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
        """Refuse a choice while a bot's real dice are due. The room itself would only name the mover."""
        if isinstance(command, Mark | RollOrBank) and (self.room_state.mover is None or self._policy() is not None):
            choice = command if isinstance(command, Mark) else RollOrBank(command.verb)
            self.table.decide(self.state, choice, self.house.cup)

    def choose_move(self, move: str) -> None:
        """Play a move by its notation, unless the coach holds it back."""
        action = self.match.game.read_action(move)
        if not self._held_back(action):
            self.do(PlayAction(action, rolls=True))

    def roll_or_bank(self, verb: Verb, *, none: bool) -> bool:
        """Roll or bank, unless the coach holds it back. True if it was done. ``none``: the player said "keep none"."""
        action = self._meant(verb)
        sure = none or (not self.state.marks and self.counsel.has_warned(self.state.match, action))
        return not self._held_back(action) and self.do(RollOrBank(verb, sure=sure))

    def reply(self, word: Word) -> list[str]:
        """The answer to a question, with the coach's part if it is known."""
        inner = self.state.match
        if word == "advice":
            marked = (self._meant("bank") or self._meant("roll")) if self.state.marks else None
            try:
                return self.counsel.advice(inner, marked)
            except FaultError as error:
                return [str(error)]
        told = self.speaker.reply(word, self.state, self.last)
        return [" ".join([*told, *self.counsel.chance(inner)])] if word == "beat" else told

    def _meant(self, verb: Verb) -> Any:
        """The action of a verb with the current marks. None if there is none."""
        try:
            return self.table.meant(self.state, verb)
        except IllegalAction:
            return None

    def _held_back(self, action: Any) -> bool:
        """True if the coach has just warned of this action. ``action`` is None for no action."""
        try:
            told = [] if action is None else self.counsel.holds_back(self.state.match, action)
        except FaultError as error:
            self.line.say([str(error)])
            return False
        self.line.say(told)
        return bool(told)
