"""The questions that set up a match. Enter plays the usual match. Each answer is checked at once."""

from collections.abc import Callable, Mapping
from typing import TypeVar

from pubdice.command_line import kit_named
from pubdice.core.errors import BadNotation
from pubdice.kit import Kit, Option
from pubdice.match.header import Header, RawHeader
from pubdice.match.table import Dice
from pubdice.terminal.console import Console, LeftError
from pubdice.terminal.declared import usual_seats
from pubdice.terminal.sentences import explain
from pubdice.terminal.typed_seats import mistaken, read_seats
from pubdice.text.language import Language
from pubdice.typed import command_words
from pubdice.typed_rules import format_words, read_choice, read_dice, read_format, show, shown_choices

T = TypeVar("T")


def ask_setup(games: Mapping[str, Kit], line: Console, language: Language) -> tuple[Header, dict[str, str], Dice]:
    """Ask for a match. Returns its header, the bots' policies by seat name, and the kind of dice. Raises LeftError."""
    questions = _Questions(line, language)
    usual = questions.usual(games)
    if usual is not None:
        names, bots = read_seats(usual_seats(language), usual)
        return usual.normalize(RawHeader({"game": usual.name, "seats": ", ".join(names)})), bots, "house"
    kit = questions.game(games)
    names, bots = questions.seats(kit, games)
    fields = {"game": kit.name, "seats": ", ".join(names)}
    for option in kit.options:
        fields[option.key] = questions.option(option)
    fields["format"] = questions.format(kit)
    return kit.normalize(RawHeader(fields)), bots, questions.dice()


HELP = "Press Enter for the usual answer, type q to leave."
HELP_FIRST = (
    "Press Enter to play this. Type the name of another game to play that, change to choose game, players, house rules "
    "and dice, or q to leave."
)
CHANGE = ("change", "c")
"""Words that ask for all the questions. Each language has a word of its own besides."""


class _Questions:
    def __init__(self, line: Console, language: Language) -> None:
        self.line, self.language, self.say = line, language, language.say

    def _ask(self, question: str, usual: str, read: Callable[[str], T], help_: str = HELP) -> T:
        """Ask until the answer is valid. ``help_`` answers "?". Raises LeftError for q and at the end of input."""
        while True:
            answer = self.line.ask(question)
            if command_words(self.language).get(answer.lower()) == "quit":
                raise LeftError
            try:
                if answer != "?":
                    return read(answer or usual)
                self.line.say([self.say(help_)])
            except BadNotation as error:
                self.line.say([explain(self.language, error)])

    def usual(self, games: Mapping[str, Kit]) -> Kit | None:
        """Offer the usual match in one line. Returns the chosen game, or None if the player wants all the questions."""
        kit = next(iter(games.values()))
        names, bots = read_seats(usual_seats(self.language), kit)

        def read(text: str) -> Kit | None:
            return None if text.lower() in (*CHANGE, self.say("change")) else kit_named(text, games, self.language)

        title = kit.tongue(self.language).say(kit.words.title)
        rules = kit.format_rules(kit.formats[0].usual, self.language)
        against = self.language.join([name for name in names if name in bots])
        text = "Enter plays {title} against {names}: {rules}. Type change for anything else."
        return self._ask(self.say(text, title=title, names=against, rules=rules), kit.name, read, HELP_FIRST)

    def game(self, games: Mapping[str, Kit]) -> Kit:
        kits = {str(at): kit for at, kit in enumerate(games.values(), 1)}
        menu = [f"{at} {self.say(kit.words.title)}, {self.say(kit.words.tagline)}." for at, kit in kits.items()]
        self.line.say([self.say("Welcome. There are {number} games:", number=len(kits)), *menu])

        def read(text: str) -> Kit:
            return kits.get(text) or kit_named(text, games, self.language)

        usual = self.say(kits["1"].words.title)
        return self._ask(
            self.say("What do you want to play? Type its number, or press Enter for {usual}.", usual=usual), "1", read
        )

    def seats(self, kit: Kit, games: Mapping[str, Kit]) -> tuple[tuple[str, ...], dict[str, str]]:

        def read(text: str) -> tuple[tuple[str, ...], dict[str, str]]:
            names, bots = read_seats(text, kit)
            kit.normalize(RawHeader({"game": kit.name, "seats": ", ".join(names)}))
            self.line.say(mistaken(names, bots, kit, games, self.language))
            return names, bots

        question = "Who plays? Type names with commas between them, and bot for a bot. Press Enter for {usual}."
        usual = usual_seats(self.language)
        return self._ask(self.say(question, usual=usual), usual, read)

    def option(self, option: Option) -> str:
        choices = shown_choices(option, self.language)
        question = self.say(
            "{key}: {meaning}. {choices}. Enter for {usual}.",
            key=option.key,
            meaning=self.say(option.meaning),
            choices=self.language.join(choices, "{some} or {last}"),
            usual=choices[0],
        )
        return self._ask(question, option.choices[0], lambda text: read_choice(text, option, self.language))

    def format(self, kit: Kit) -> str:
        words = format_words(kit.formats, self.language)
        offered = {show(kind.usual.write(), words): self.say(kind.meaning) for kind in kit.formats}
        self.line.say(f"{written}: {meaning}." for written, meaning in offered.items())
        usual = next(iter(offered))
        question = self.say("How do you want to play? Press Enter for {usual}.", usual=usual)
        return self._ask(question, usual, lambda text: read_format(text, kit, self.language))

    def dice(self) -> Dice:
        question = (
            "Which dice? house: rolled on screen. real: your own, typed in. sealed: on screen, and you can check "
            "them afterwards. Press Enter for house."
        )
        return self._ask(self.say(question), "house", lambda text: read_dice(text, self.language))
