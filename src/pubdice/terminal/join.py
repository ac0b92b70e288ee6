"""``join``: sit down at a table of a house on the web, and play it in lines, in the house's own words."""

import argparse
from threading import Condition, Thread
from typing import Any, get_args

from pubdice import typed_answers
from pubdice.command_line import FaultError, Parser
from pubdice.core.dice import SIX, DieFaces
from pubdice.failures import BAD_NOTATION
from pubdice.match.table import Die
from pubdice.room.commands import house_words
from pubdice.terminal import sentences as own
from pubdice.terminal.arguments import Environment
from pubdice.terminal.board import DrawnLine
from pubdice.terminal.console import Console, LeftError
from pubdice.terminal.remote_board import seen_from_afar
from pubdice.terminal.sealed_seat import SealedSeat, SealNotes
from pubdice.terminal.web_client import AddressError, HouseError, Tokens, WebTable
from pubdice.text.game_words import Offer
from pubdice.text.language import Language, each_once, printable, stopped
from pubdice.typed import (
    OUTRIGHT,
    Choose,
    CommandWord,
    Intent,
    Unclear,
    Word,
    command_words,
    listed,
    move_named,
    read_answer,
)
from pubdice.typed_dice import Keys, Names, NoSuchDieError, Rerolls, choose, others

SHOWN_WITHIN_S = 3.0
"""The time to wait for the stream to show a deed, before the next question."""
MOVES = ("mark", "roll", "reroll", "bank", "choose", "enter", "back", "draw")
"""Deeds with dice that lie there: the house refuses them if the dice have changed since they were shown here."""
STATUS = {"free": "free", "reroll": "free", "marked": "marked", "locked": "locked"}


def join(words: list[str], outside: Environment, language: Language) -> None:
    """Run ``join``. Raises FaultError."""
    say = language.say
    parser = Parser("join", language, description=say("Play at a table on the web, from the terminal."))
    parser.add_argument("address", metavar="URL", help=say("the table's address, as its page shows it"))
    parser.add_argument("--name", help=say("sit down under this name; otherwise pubdice asks"))
    parser.add_argument("--watch", action="store_true", help=say("only watch"))
    parser.add_argument("--words", metavar="WORDS", help=say("the four words of your seat, to take it here"))
    parser.add_argument("--brief", action="store_true", help=say("say only what happens, not the dice each time"))
    text = say("name dice by their faces (usual) or by their places")
    parser.add_argument("--keys", choices=("face", "position"), default="face", help=text)
    text = say("name the dice you keep (usual), or the dice you reroll: the others stay")
    parser.add_argument("--choose", choices=get_args(Names), default="keep", help=text)
    options = parser.parse_args(words)
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
            visit.table.closed = True  # the last of them, after rematches: else its listener goes on
    except AddressError as error:
        raise FaultError(printable(str(error)), BAD_NOTATION) from None
    except HouseError as error:
        raise FaultError(printable(str(error)), 1) from None


class RemoteGame:
    """A table on the web at which somebody types."""

    def __init__(
        self, table: WebTable, line: Console, language: Language, keys: Keys, *, brief: bool, names: Names = "keep",
        notes: SealNotes | None = None,
    ) -> None:  # fmt: skip
        self.names, self.rerolls, self.decision = names, Rerolls(), 0
        self._lying: object = None  # whose dice lie there, how, and what is asked: another decision if it changes
        self.table, self.line, self.language, self.keys, self.brief = table, line, language, keys, brief
        self.changed = Condition()
        self.notes = notes or SealNotes(None)
        self.sealed = SealedSeat(table, line, language, self.notes)
        self.view: dict[str, Any] = {}
        self.seq = 0
        self.seat: int | None = None
        self.marks: tuple[int, ...] = ()
        self.none = False  # it was said last, in so many words, that no die is kept
        self.going = False

    def sit(self, options: argparse.Namespace) -> None:
        """Take a seat, unless this person has one already or only watches."""
        self._take_in(self.table.state())
        if options.words:
            self.table.ask("join", words=options.words)
        elif self.view["stage"] == "over":
            if options.name:
                self.line.say([self.language.say("The game is over, so nobody can sit down now.")])
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
        """Add a seed to sealed dice, and note what is fixed."""
        if not self.view.get("seal"):
            return
        if self.view.get("stage") == "over" and self.view["seal"].get("opened"):
            self.sealed.end(self.view["seal"]["seal"])
        elif self.seat is not None:
            self.sealed.take_in(self.view["seal"], self.seat, self.view["seats"][self.seat]["name"])

    def play(self) -> None:
        """Tell what happens and do what is typed, until one leaves."""
        self.line.say(
            [printable(self._line_text(self.view["whose"])), self.language.say("Type ? for all the commands.")]
        )
        with self.line.drawing(self._draw):
            Thread(target=self._listen, daemon=True).start()
            while not self.table.closed:
                try:
                    if not self._answer(self.line.ask("")):
                        return
                except LeftError:
                    return
                except HouseError as error:
                    self.line.say([self._refused(error)])

    def _draw(self, width: int, height: int) -> list[DrawnLine]:
        """The table as the house shows it now."""
        layout = seen_from_afar(self.view, self.seat, self.table.place, places=self.keys == "position")
        return [] if layout is None else layout.draw(width, height)

    def _refused(self, error: HouseError) -> str:
        """Why the house says no, and what to do next where the page would have a button for it."""
        if error.code == "paused":
            return self.language.say("The table is paused. Type unpause to go on.")
        return printable(str(error))

    # what comes in

    def _listen(self) -> None:
        """Hear of all that happens; if the house will have no more of that, say why, and leave."""
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
            said = self.language.say("The house restarted. Here is where the table stands.")
            self.line.say([said, printable(self._line_text(update["view"]["whose"]))])
        mine = self.seat is not None and update["view"]["mover"] == self.seat
        laid = bool(update["view"].get("rematch")) and not self.view.get("rematch")
        ended = update["view"].get("stage") == "over" and self.view.get("stage") == "playing"
        most = 0 if self.brief or laid or ended else 2 if mine else 1  # the page's ways on are none from here
        told = [self._line_text(say) for say in update["say"] if say["level"] <= most]
        if self.names == "reroll":
            told = [typed_answers.to_reroll(self.language, text) for text in told]
        lines = [printable(text) for text in told if text]
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
        self._take_in(update)
        self.line.say(lines)
        self._seal()
        if self._mine() and self.view.get("moves") != known:
            self.line.say(listed(self._offered()))
        if self._names_rerolls() and self.decision != before and not asked:
            self.line.say([self.language.say(typed_answers.WHICH_REROLL)])

    def _take_in(self, update: dict[str, Any]) -> None:
        self.view, self.seq = update["view"], update["seq"]
        if "seat" in update:
            self.seat = update["seat"]
        marked = [die["place"] for die in self.view["dice"] if die["status"] == "marked"]
        kept = [mark for mark in self.marks if mark in marked]
        self.marks = (*kept, *(mark for mark in marked if mark not in kept))
        dice = [
            (die["place"], die["face"], STATUS.get(die["status"]) in ("free", "marked")) for die in self.view["dice"]
        ]
        lying = (self.view["mover"], self.view.get("ask"), dice)
        self.decision, self._lying = self.decision + (lying != self._lying), lying

    def _mine(self) -> bool:
        return self.seat is not None and self.view["mover"] == self.seat

    def _line_text(self, line: dict[str, Any]) -> str:
        """A line as the own seat is told it: in the second person where it is about that seat."""
        own: dict[str, str] = line.get("own", {})
        text: str = line["text"]
        return own.get(str(self.seat), text)

    @property
    def _die(self) -> DieFaces:
        """The faces of the table's dice."""
        names = self.view.get("faces")
        return DieFaces(tuple(names)) if names else SIX

    def _dice(self) -> tuple[Die, ...]:
        return tuple(
            Die(die["place"], die["face"], STATUS.get(die["status"], "locked"))  # type: ignore[arg-type]
            for die in self.view["dice"]
        )

    # what goes out

    def _do(self, deed: str, **fields: object) -> dict[str, Any]:
        """Ask it of the house, and wait until the stream has shown it."""
        if deed in MOVES:
            fields["seen"] = self.seq
        done = self.table.ask(deed, **fields)
        with self.changed:
            self.changed.wait_for(lambda: self.seq >= done["seq"], SHOWN_WITHIN_S)
        return done

    def _answer(self, text: str) -> bool:
        """Do what a line says; False to leave."""
        offered = self._offered() if self._mine() else ()
        if (move := move_named(text, offered)) is not None:
            self._do("choose", action=move)
            return True
        extra = house_words(self.language).get(text.strip().lower())
        if extra == "whose":
            self.line.say([printable(self._line_text(self.view["whose"]))])
            return True
        if extra == "rematch":
            self._rematch()
            return True
        if extra is not None:
            self.line.say([printable(said) for said in [self._do(extra).get("said")] if said])
            return True
        main = self.view.get("main") or {}
        rolls = not text and self._mine() and main.get("gold") is True and main.get("do") == "roll"
        is_of_moves, words = bool(self.view.get("verbs")), command_words(self.language)
        enters = self.view["ask"] == "enter"
        intents = read_answer(text, self._die, words, names_dice=not is_of_moves, enters=enters)
        if rolls:
            intents = [CommandWord("roll")]
        if isinstance(intents, Unclear):
            self.line.say([typed_answers.unclear(self.language, intents, self._die)])
            return True
        return all(self._obey(intent, last=intent is intents[-1]) for intent in intents)

    def _obey(self, intent: Intent, *, last: bool) -> bool:
        none, self.none = self.none, False
        if isinstance(intent, Choose):
            self._choose(intent, last=last)
            return True
        if intent.word == "quit":
            return False
        if intent.word in ("roll", "bank") and not self._named(intent.word):
            return True
        if intent.word == "roll" and (none or self._names_rerolls()) and not self.marks and self.view["ask"] == "keep":
            self._do("reroll")
        elif intent.word in ("roll", "bank"):
            self._do(intent.word, **({"marks": list(self.marks)} if self._mine() else {}))
        elif intent.word == "undo":
            if self._names_rerolls() and self._rerolls().places:
                self.rerolls = self._rerolls().back(self.decision)
                self._mark(others(self._dice(), self.rerolls.places), last=last)
            elif self.marks:
                self._mark(self.marks[:-1], last=last)
            else:
                self._do("back")
        else:
            self.line.say(map(printable, self._reply(intent.word)))
        return True

    def _choose(self, choice: Choose, *, last: bool) -> None:
        if self.view["ask"] == "enter" and choice.how == "toggle":
            self._do("enter", dice=self._die.write(choice.digits))
            return
        if self._mine() and self._offered():
            self._do("roll")  # which is refused
            return
        marks = self.marks
        if self._mine() and self.view["ask"] == "keep":
            try:
                if self.names == "reroll":
                    self.rerolls = self._rerolls().choose(self.decision, self._dice(), choice, self.keys)
                    marks = others(self._dice(), self.rerolls.places)
                else:
                    marks = choose(self._dice(), self.marks, choice, self.keys)
            except NoSuchDieError as error:
                self.line.say([typed_answers.no_such_die(self.language, error, self._dice(), self._die)])
                return
        self._mark(marks, last=last)
        self.none = not marks and choice.how in OUTRIGHT

    def _mark(self, marks: tuple[int, ...], *, last: bool) -> None:
        self._do("mark", marks=list(marks))
        self.marks = marks
        if last:
            self.line.say(
                [typed_answers.marked(self.language, self._dice(), ends=False, names=self.names, die=self._die)]
            )

    def _offered(self) -> tuple[Offer, ...]:
        """The moves that the house offers to the mover."""
        return tuple([
            Offer(move["move"], printable(move["label"]), move["key"], tuple(move["takes"]))
            for move in self.view.get("moves", ())
        ])  # fmt: skip

    def _names_rerolls(self) -> bool:
        return self.names == "reroll" and self._mine() and bool(self.view["ask"] == "keep")

    def _rerolls(self) -> Rerolls:
        return self.rerolls.at(self.decision, self._dice(), self.marks)

    def _named(self, verb: str) -> bool:
        """A check for people who name dice to reroll: False, with a line, if none is named yet; to bank, all stay."""
        if not self._names_rerolls() or self.marks or self.rerolls.begun(self.decision):
            return True
        if verb == "roll":
            self.line.say([typed_answers.none_to_reroll(self.language)])
            return False
        self._mark(others(self._dice(), ()), last=False)
        return True

    def _rematch(self) -> None:
        self.going = True  # so that nobody has to be told how
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
            self.line.say([printable(self._line_text(self.view["whose"]))])
            self._seal()
            Thread(target=self._listen, daemon=True).start()

    def _reply(self, word: Word) -> list[str]:
        """The answer to a question, from what the house has said."""
        view, line_text = self.view, self._line_text
        if word == "scores":
            said = [*view["result"], view["scores"], view["standing"]]
            return [each_once(map(line_text, said)) or stopped(line_text(view["heading"]))]
        if word == "beat":
            return [line_text(view["beat"]) or stopped(line_text(view["heading"]))]
        if word == "last":
            return list(map(line_text, view["last"])) or [self.language.say("Nothing has happened yet.")]
        if word in ("dice", "advice"):
            seats = view["seats"]
            if self.seat is not None and seats[self.seat]["dice"]:
                return [seats[self.seat]["own_hand"] or seats[self.seat]["hand"]]
            if view["mover"] is None:
                return [stopped(line_text(view["heading"]))]
            return [seats[view["mover"]]["hand"] or own.lie(self.language, (), self.keys)]
        verbs = [("r", self.language.say("keep what is marked, and roll the others"))]
        verbs.append(("b", self.language.say("bank, where the game has it")))
        moves = [(printable(each[0]), printable(each[1])) for each in view.get("verbs", ()) if len(each) > 1]
        real = view["ask"] == "enter"
        page = own.page_of_help(
            self.language,
            moves or verbs,
            self.keys,
            real=real,
            names=self.names,
            keeps_dice=not moves,
            house=True,
            die=self._die,
        )
        return [*listed(self._offered()), *page]
