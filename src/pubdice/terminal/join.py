"""``join``: sit down at a table of a house on the web, and play it in lines of text, with the sentences of that
house.
"""

import argparse
from threading import Condition, Thread
from typing import Any

from pubdice import typed_answers
from pubdice.command_line import FaultError
from pubdice.core.game import Verb
from pubdice.failures import BAD_NOTATION
from pubdice.match.header import find_name
from pubdice.match.table import Draw, EnterDice, Mark, RollOrBank, TakeBack
from pubdice.room.commands import house_words
from pubdice.terminal import sentences as own
from pubdice.terminal.arguments import Environment
from pubdice.terminal.board import DrawnLine
from pubdice.terminal.console import Console, LeftError
from pubdice.terminal.remote_board import dice_of, faces_of, seen_from_afar, told
from pubdice.terminal.sealed_seat import SealedSeat, SealNotes
from pubdice.terminal.typed_table import QuitError, SeenTable, TypedTable
from pubdice.terminal.web_client import AddressError, HouseError, Tokens, WebTable
from pubdice.text.game_words import Offer
from pubdice.text.language import Language, each_once, printable, stopped
from pubdice.typed import (
    Word,
    listed,
    move_named,
)
from pubdice.typed_dice import Keys, Names

SHOWN_WITHIN_S = 3.0
"""The seconds that the next question waits for the stream to show the result of a command."""
MOVES = ("mark", "roll", "reroll", "bank", "choose", "enter", "back", "draw", "agree", "decline")
"""Commands about the dice or the question on the table. The house refuses them if these have changed since the player
saw them."""


def join(options: argparse.Namespace, outside: Environment, language: Language) -> None:
    """Join a table on the web and play. Raises FaultError."""
    kept = Tokens(outside.tokens)
    try:
        table = WebTable(options.address, outside.sleep, language.code)
        table.cookie = kept.of(table.house)
        notes = SealNotes(outside.tokens)
        visit = RemoteGame(
            table, outside.line, language, options.keys, brief=options.brief, names=options.choose, notes=notes
        )
        try:
            visit.sit(options)
            kept.keep(table.house, table.cookie)
            visit.play()
        finally:
            # this is the table of the last rematch; without this, its listener thread would go on
            visit.table.closed = True
    except HouseError as error:
        status = BAD_NOTATION if isinstance(error, AddressError) else 1
        raise FaultError(printable(str(error)), status) from None


class RemoteGame(TypedTable):
    """A table on the web that is played from this terminal."""

    def __init__(
        self, table: WebTable, line: Console, language: Language, keys: Keys, *, brief: bool, names: Names = "keep",
        notes: SealNotes | None = None,
    ) -> None:  # fmt: skip
        super().__init__(line, language, keys, names, own.ASKING_THE_HOUSE)
        self.table, self.brief, self.decision = table, brief, 0
        self._lying: object = None  # the mover, the question and the dice; if they change, it is another decision
        self.changed = Condition()
        self.notes = notes or SealNotes(None)
        self.sealed = SealedSeat(table, line, language, self.notes)
        self.view: dict[str, Any] = {}
        self.seq = 0
        self.seat: int | None = None
        self.marks: tuple[int, ...] = ()
        self.going = False
        self.game = ""

    def sit(self, options: argparse.Namespace) -> None:
        """Take a seat, unless the player only watches, or has a seat already."""
        self._take_in(self.table.state())
        if options.words:
            self.table.ask("join", words=options.words)
        elif self.view["stage"] == "over":
            if options.name:
                self.line.say([self.language.say("The game is over, so you can't sit down now.")])
        elif self.seat is None and not options.watch:
            name = options.name
            while name is None:
                try:
                    name = self.line.ask(self.language.say("Your name? Just press Enter to watch."))
                except LeftError:
                    return
            if name:
                self.table.ask("sit", name=name)
        self._take_in(self.table.state())
        self._seal()

    def _seal(self) -> None:
        """If the dice are sealed, add this seat's seed, and note the fixed header."""
        if not self.view.get("seal"):
            return
        if self.view.get("stage") == "over" and self.view["seal"].get("opened"):
            self.sealed.end(self.view["seal"]["seal"])
        elif self.seat is not None:
            self.sealed.take_in(self.view["seal"], self.seat, self.view["seats"][self.seat]["name"])

    def play(self) -> None:
        """Say what happens and do what the player types, until the player leaves."""
        self.line.say([self._line_text(self.view["whose"]), self.language.say("Type ? for all the commands.")])
        with self.line.drawing(self._draw):
            Thread(target=self._listen, daemon=True).start()
            while not self.table.closed:
                try:
                    self.answer(self.line.ask(""))
                except (LeftError, QuitError):
                    self._tell_way_back()
                    return
                except HouseError as error:
                    self.line.say([self._refused(error)])

    def _tell_way_back(self) -> None:
        """If the match is not over, tell a seated player that the seat waits, and the command that goes on."""
        if self.seat is not None and self.view["stage"] != "over":
            address = printable(self.table.house + self.table.path)
            text = "Your seat waits. pubdice join {address} takes you back."
            self.line.say([self.language.say(text, address=address)])

    def _draw(self, width: int, height: int) -> list[DrawnLine]:
        layout = seen_from_afar(self.view, self.seat, self.table.place, self.game, places=self.keys == "position")
        return [] if layout is None else layout.draw(width, height)

    def _refused(self, error: HouseError) -> str:
        """Return the sentence for a refusal of the house. If a command would help, name the word to type."""
        if error.code == "paused":
            return self.language.say("The table is paused. Type unpause to go on.")
        return printable(str(error))

    def _listen(self) -> None:
        """Read the event stream, on a thread of its own. If the house ends the stream for good, say why and leave."""
        table = self.table
        try:
            for update in table.follow(self.seq):
                with self.changed:
                    if table.closed:
                        return
                    if "chances" in update:
                        self.line.say(
                            [stopped(printable(update["chances"]))] if update["chances"] and not self.brief else ()
                        )
                        continue
                    self._hear(update)
                    self.changed.notify_all()
        except HouseError as error:
            if not table.closed:
                table.closed = True
                self.line.say([printable(str(error))])

    def _hear(self, update: dict[str, Any]) -> None:
        if update["seq"] <= self.seq and update["log"]:
            return
        if "anew" in update:
            said = self.language.say("The house restarted. This is the table now.")
            self.line.say([said, self._line_text(update["view"]["whose"])])
        mine = self.seat is not None and update["view"]["mover"] == self.seat
        laid = bool(update["view"].get("rematch")) and not self.view.get("rematch")
        ended = update["view"].get("stage") == "over" and self.view.get("stage") == "playing"
        most = 0 if self.brief or laid or ended else 2 if mine else 1  # level 2: instructions for the mover
        told = [self._line_text(say) for say in update["say"] if say["level"] <= most]
        if self.names == "reroll":
            told = [typed_answers.to_reroll(self.language, text) for text in told]
        lines = [text for text in told if text]
        if laid and not self.going:
            lines.append(self.language.say("Type rematch to go there."))
        elif ended and update["view"].get("planned"):
            lines += [printable(update["view"]["planned"]), self.language.say("Type rematch to go on.")]
        elif ended and self.seat is not None and not self.brief:
            lines.append(self.language.say("Type rematch to play again."))
        known, before, asked = (
            self.view.get("moves"),
            self.decision,
            any(text.endswith(self.language.say(typed_answers.WHICH_REROLL)) for text in told),
        )
        if self.seat in update["view"].get("answers", ()) and self.seat not in self.view.get("answers", ()):
            lines.append(self.language.say("Type agree or decline."))
        self._take_in(update)
        self.line.say(lines)
        self._seal()
        if self._mine() and self.view.get("moves") != known:
            self.line.say(listed(self.seen().offered))
        if self.names == "reroll" and self.seen().keeps and self.decision != before and not asked:
            self.line.say([self.language.say(typed_answers.WHICH_REROLL)])

    def _take_in(self, update: dict[str, Any]) -> None:
        self.view, self.seq = update["view"], update["seq"]
        self.seat, self.game = update.get("seat", self.seat), printable(update.get("game", self.game))
        dice = dice_of(self.view)
        marked = [die.place for die in dice if die.status == "marked"]
        kept = [place for place in self.marks if place in marked]
        self.marks = (*kept, *[place for place in marked if place not in kept])
        lies = [(die.place, die.face, die.status == "locked") for die in dice]
        lying = (self.view["mover"], self.view.get("ask"), lies)
        self.decision, self._lying = self.decision + (lying != self._lying), lying

    def _line_text(self, line: dict[str, Any]) -> str:
        """Return a line as this player should read it. A line about the player's own seat says "you"."""
        return told(line, self.seat)

    def _mine(self) -> bool:
        return self.seat is not None and self.view["mover"] == self.seat

    def seen(self) -> SeenTable:
        """Return the table as the house shows it now."""
        view, mine = self.view, self._mine()
        return SeenTable(
            decision=self.decision,
            turn=(view["mover"], view.get("counter")),
            dice=dice_of(view),
            marks=self.marks,
            faces=faces_of(view),
            keeps=mine and view["ask"] == "keep",
            enters=view["ask"] == "enter",
            keeps_dice=not view.get("verbs"),
            real=view["ask"] == "enter",
            offered=tuple([
                Offer(move["move"], printable(move["label"]), move["key"], tuple(move["takes"]))
                for move in (view.get("moves", ()) if mine else ())
            ]),
            draws=tuple([each["name"] for each in view["seats"]]) if view["ask"] == "draw" else (),
        )  # fmt: skip

    def gold(self) -> Verb | None:
        """Return the verb for Enter: "roll" if the page's golden button would roll now, otherwise None."""
        main = self.view.get("main") or {}
        return "roll" if self._mine() and main.get("gold") is True and main.get("do") == "roll" else None

    def verbs(self) -> list[tuple[str, str]]:
        """Return the words for rolling and for ending a turn, each with its meaning."""
        say = self.language.say
        keeps = [("r", say("keep what is marked, and roll the others")), ("b", say("bank, if the game has it"))]
        return [
            (printable(each[0]), printable(each[1])) for each in self.view.get("verbs", ()) if len(each) > 1
        ] or keeps

    def _do(self, deed: str, **fields: object) -> dict[str, Any]:
        """Send a command, and wait until the stream shows its result. Raises HouseError."""
        if deed in MOVES:
            fields["seen"] = self.seq
        done = self.table.ask(deed, **fields)
        with self.changed:
            self.changed.wait_for(lambda: self.seq >= done["seq"], SHOWN_WITHIN_S)
        return done

    def answer(self, text: str) -> None:
        """Do what a typed line says. A command word of the house must stand alone. Raises QuitError and HouseError."""
        extra, seen = house_words(self.language).get(text.strip().lower()), self.seen()
        if extra is None or move_named(text, seen.offered) is not None or find_name(text, seen.draws) is not None:
            super().answer(text)
        elif extra == "whose":
            self.line.say([self._line_text(self.view["whose"])])
        elif extra == "rematch":
            self._rematch()
        elif said := self._do(extra).get("said"):
            self.line.say([printable(said)])

    def do(self, command: Draw | EnterDice | Mark | RollOrBank | TakeBack) -> bool:
        """Send a command. Returns True if it was done. If the house refuses it, say why."""
        mine = self._mine()
        try:
            match command:
                case Draw(seat):
                    self._do("draw", seat=seat)
                case EnterDice(dice):
                    self._do("enter", dice=self.seen().faces.write(dice))
                case Mark(places):
                    self._do("mark", marks=list(places))
                    self.marks = places
                case RollOrBank("roll", sure=True) if mine and self.view["ask"] == "keep":
                    self._do("reroll")
                case RollOrBank(verb):
                    self._do(verb, **({"marks": list(self.marks)} if mine else {}))
                case TakeBack():
                    self._do("back")
        except HouseError as error:
            self.line.say([self._refused(error)])
            return False
        return True

    def repeat(self) -> None:
        """Say whose turn it is. If it is this player's, add the instructions."""
        self.line.say([stopped(self._line_text(self.view["heading"]))])

    def choose_move(self, move: str) -> None:
        """Play a move by its notation, in a game of moves. Raises HouseError."""
        self._do("choose", action=move)

    def _rematch(self) -> None:
        self.going = True  # keeps ``_hear`` from saying "Type rematch to go there."
        try:
            watched = self.view["rematch"] if self.seat is None else None
            go = watched or self._do("rematch").get("go")
        finally:
            self.going = False
        if go:
            self.table.closed = True
            self.table = WebTable(self.table.house + go, self.table.wait, self.table.language, self.table.cookie)
            self.sealed = SealedSeat(self.table, self.line, self.language, self.notes)
            self.seq, self.marks = 0, ()
            self._take_in(self.table.state())
            self.line.say([self._line_text(self.view["whose"])])
            self._seal()
            Thread(target=self._listen, daemon=True).start()

    def reply(self, word: Word) -> list[str]:
        """Return the answer to a question that the player typed, from the house's latest view."""
        view, line_text, stopped_heading = self.view, self._line_text, stopped(self._line_text(self.view["heading"]))
        if word == "scores":
            said = [*view["result"], view["scores"], view["standing"]]
            return [each_once(map(line_text, said)) or stopped_heading]
        if word == "beat":
            return [line_text(view["beat"]) or stopped_heading]
        if word == "last":
            return list(map(line_text, view["last"])) or [self.language.say("Nothing has happened yet.")]
        seats, mover = view["seats"], view["mover"]
        if self.seat is not None and seats[self.seat]["dice"]:
            return [printable(seats[self.seat]["own_hand"] or seats[self.seat]["hand"])]
        if mover is None:
            return [stopped_heading]
        return [printable(seats[mover]["hand"]) or own.lie(self.language, (), self.keys)]
