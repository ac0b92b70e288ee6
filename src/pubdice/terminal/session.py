"""One game in the terminal. Each move has four steps: ask the mover, let the room decide, store the events, and tell
them.

A *room* is a table with its people (``pubdice.room``). An event is stored before any player hears of it. The clock, the
dice and the store are parameters.
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
from pubdice.typed_dice import Keys, Names, picks_dice


@dataclass(frozen=True, slots=True)
class TerminalServices:
    """The outside services of a game.

    ``bots`` is the cup for the bots' draws. ``now`` returns the time in ms since 1970. ``pause`` waits before a bot's
    move.
    """

    store: Store
    cup: Cup
    bots: Cup
    now: Callable[[], int]
    pause: Callable[[], None]
    seals: Seals = NO_SEALS


class Session(TypedTable):
    """A table in this process, with people and bots. It goes on from the end of its log.

    ``asking`` is the part of the help on questions, if it is not the usual one.
    """

    def __init__(
        self,
        loaded: SavedGame,
        house: TerminalServices,
        line: Console,
        language: Language,
        *,
        keys: Keys | None = None,
        names: Names | None = None,
        asking: own.Rows | None = None,
    ) -> None:
        self.number, self.room, self.log, self.kit = loaded.number, loaded.room, loaded.log, loaded.kit
        asking = asking or (own.ASKING if self.kit.tells_chances else own.WITHOUT_CHANCES)
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
        self._asked: object = None  # the state of the match when the latest question was put in words
        self._turns = 0  # the number of turns that have ended in this session
        self._bot_moved = False  # True if a bot has moved since a person was last asked
        self._closed = False  # True once the people have accepted that the match is over

    @property
    def state(self) -> TableState:
        """The current state of the table."""
        return self.live.state

    def open(self, *, new: bool = False) -> None:
        """Say the game, the players and the scores. ``new`` is True if the game was just created."""
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
                self._do(Draw())  # files of version 1 did not draw Player 1
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
        """Let the room decide on a command. Store the events, then apply and tell them.

        Raises IllegalAction or Refused if the command is not allowed. Then nothing has changed.
        """
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
        """Ask, and do what the answer says. The question is put in words only if it is a new one."""
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
        """Put the question in words again. If the match is over, accept that."""
        self._asked, self._closed = None, self.state.match.over

    def leave(self) -> None:
        """Leave the table. While the match goes on, raise QuitError. After it, accept that it is over."""
        if not self.state.match.over:
            raise QuitError
        self._closed = True

    def seen(self) -> SeenTable:
        """Return the table as the people see it."""
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
        """Return the words for rolling and for ending a turn, each with its meaning."""
        return self.kit.words.verbs(self.language)

    def stays(self) -> tuple[int, ...]:
        """Return the places of the dice that stay even without a mark."""
        return self.table.stays(self.state)

    def picks_dice(self) -> bool:
        """Return False if under these rules all dice go together."""
        return picks_dice(self.match.game)

    def ends(self) -> bool:
        """Return True if keeping exactly the marked dice would end the turn."""
        return self._meant("bank") is not None

    def gold(self) -> Verb | None:
        """Return the verb for Enter: "roll" if the program must roll, or if the marked dice are a legal keep. Otherwise
        None.
        """
        inner, game = self.state.match, self.match.game
        if self._policy() is not None or self.room_state.mover is None:
            return None
        if self.match.to_roll(inner):
            return None if self.table.dice == "real" else "roll"
        meant = self._meant("roll") if self.state.marks else None
        chosen = meant is not None and isinstance(game, KeepGame) and not game.gives_up(inner.round, meant)
        return "roll" if chosen else None

    def do(self, command: Play) -> bool:
        """Do a command. Returns True if it was done. If it is refused, say why."""
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
        """Refuse a choice of dice while the people have to roll real dice for a bot. Raises Refused or IllegalAction.

        The room's own refusal would only name the mover.
        """
        if isinstance(command, Mark | RollOrBank) and (self.room_state.mover is None or self._policy() is not None):
            choice = command if isinstance(command, Mark) else RollOrBank(command.verb)
            self.table.decide(self.state, choice, self.house.cup)

    def choose_move(self, move: str) -> None:
        """Play a move by its notation, unless the coach warns first."""
        action = self.match.game.read_action(move)
        if not self._held_back(action):
            self.do(PlayAction(action, rolls=True))

    def roll_or_bank(self, verb: Verb, *, none: bool) -> bool:
        """Roll or bank, unless the coach warns first. Returns True if it was done. ``none`` is True if the player said
        "keep none".
        """
        action = self._meant(verb)
        sure = none or (not self.state.marks and self.counsel.has_warned(self.state.match, action))
        return not self._held_back(action) and self.do(RollOrBank(verb, sure=sure))

    def reply(self, word: Word) -> list[str]:
        """Return the answer to a question that a player typed. If the question is about the score to beat, the coach
        adds the chances that it knows.
        """
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
        """Return the action that a verb means with the current marks. Return None if there is no such action."""
        try:
            return self.table.meant(self.state, verb)
        except IllegalAction:
            return None

    def _held_back(self, action: Any) -> bool:
        """Return True if the coach has just warned of this action for the first time. ``action`` is None for no
        action.
        """
        try:
            told = [] if action is None else self.counsel.holds_back(self.state.match, action)
        except FaultError as error:
            self.line.say([str(error)])
            return False
        self.line.say(told)
        return bool(told)
