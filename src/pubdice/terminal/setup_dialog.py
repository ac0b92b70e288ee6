"""``pubdice`` alone: what shall we play, who plays, how. Each answer is checked at once; Enter takes the usual."""

from collections.abc import Callable, Mapping
from typing import TypeVar, get_args

from pubdice.core.errors import BadNotation
from pubdice.kit import Kit, Option
from pubdice.match.notation import Header, RawHeader
from pubdice.match.table import Dice
from pubdice.terminal.console import Console, LeftError
from pubdice.terminal.error_text import explain
from pubdice.terminal.seating import USUAL_SEATS, read_seats
from pubdice.text.language import Language

T = TypeVar("T")


def ask_setup(games: Mapping[str, Kit], line: Console, language: Language) -> tuple[Header, dict[str, str], Dice]:
    """A table as people want it: its header, the bots by name, whose dice. Raises LeftError when they leave."""
    questions = _Questions(line, language)
    kit = questions.game(games)
    names, bots = questions.seats(kit)
    fields = {"game": kit.name, "seats": ", ".join(names)}
    for option in kit.options:
        fields[option.key] = questions.option(option)
    fields["format"] = questions.format(kit)
    return kit.normalize(RawHeader(fields)), bots, questions.dice()


class _Questions:
    """The questions, one a method."""

    def __init__(self, line: Console, language: Language) -> None:
        self.line, self.language, self.say = line, language, language.say

    def _ask(self, question: str, usual: str, read: Callable[[str], T]) -> T:
        """An answer that reads. Raises LeftError for q and at the end of input."""
        while True:
            answer = self.line.ask(question)
            if answer.lower() in ("q", "quit"):
                raise LeftError
            try:
                if answer != "?":
                    return read(answer or usual)
                self.line.say([self.say("Press Enter for the usual answer, type q to leave.")])
            except BadNotation as error:
                self.line.say([explain(self.language, error)])

    def game(self, games: Mapping[str, Kit]) -> Kit:
        """Ask which game to play."""
        kits = {str(at): kit for at, kit in enumerate(games.values(), 1)}
        menu = [f"{at} {kit.words.title}, {self.say(kit.words.tagline)}." for at, kit in kits.items()]
        self.line.say([self.say("Welcome. There are {number} games:", number=len(kits)), *menu])

        def read(text: str) -> Kit:
            kit = kits.get(text) or games.get(text.lower())
            if kit is None:
                raise BadNotation("game", found=text, games=tuple(games))
            return kit

        usual = kits["1"].words.title
        return self._ask(
            self.say("What do you want to play? Type its number, or press Enter for {usual}.", usual=usual), "1", read
        )

    def seats(self, kit: Kit) -> tuple[tuple[str, ...], dict[str, str]]:
        """Ask for players' names and bots."""

        def read(text: str) -> tuple[tuple[str, ...], dict[str, str]]:
            names, bots = read_seats(text, kit)
            kit.normalize(RawHeader({"game": kit.name, "seats": ", ".join(names)}))
            return names, bots

        question = "Who plays? Type names with commas between them; bot adds a bot. Press Enter for {usual}."
        return self._ask(self.say(question, usual=USUAL_SEATS), USUAL_SEATS, read)

    def option(self, option: Option) -> str:
        """Ask about one house rule."""
        question = self.say(
            "{key}: {meaning}. {choices}; Enter for {usual}.",
            key=option.key,
            meaning=self.say(option.meaning),
            choices=self.language.join(option.choices, "{some} or {last}"),
            usual=option.choices[0],
        )
        return self._ask(question, option.choices[0], option.read)

    def format(self, kit: Kit) -> str:
        """How rounds make a match."""
        self.line.say(f"{kind.usual.write()}: {self.say(kind.meaning)}." for kind in kit.formats)
        usual = kit.formats[0].usual.write()
        question = self.say("How do you want to play? Press Enter for {usual}.", usual=usual)
        return self._ask(question, usual, lambda text: kit.format(text).write())

    def dice(self) -> Dice:
        """Ask whose dice are thrown."""

        def read(text: str) -> Dice:
            found: Dice | None = next((dice for dice in get_args(Dice) if text.lower() == dice), None)
            if found is None:
                raise BadNotation("dice", found=text)
            return found

        question = (
            "Which dice? house: rolled on screen. real: your own, typed in. sealed: on screen, and you can check "
            "them afterwards. Press Enter for house."
        )
        return self._ask(self.say(question), "house", read)
