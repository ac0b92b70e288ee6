"""``pubdice`` alone: what shall we play, who plays, how. Each answer is checked at once; Enter takes the usual."""

from collections.abc import Callable, Mapping
from typing import TypeVar

from pubdice.game import BadNotation
from pubdice.kit import Kit
from pubdice.record import Header
from pubdice.table import Dice
from pubdice.terminal.faults import explain
from pubdice.terminal.line import Line
from pubdice.terminal.seating import USUAL_SEATS, Setup, read_seats
from pubdice.words import Language

T = TypeVar("T")


def ask_setup(games: Mapping[str, Kit], line: Line, language: Language) -> Setup:
    """A table as people want it. Raises LeftError when they leave."""

    def ask(question: str, usual: str, read: Callable[[str], T]) -> T:
        while True:
            try:
                return read(line.ask(question) or usual)
            except BadNotation as error:
                line.say([explain(language, error)])

    say = language.say
    kits = list(games.values())
    menu = [f"{at} {kit.words.title}, {kit.words.tagline}." for at, kit in enumerate(kits, 1)]
    line.say([say("Welcome. There are {number} games:", number=len(kits)), *menu])

    def read_game(text: str) -> Kit:
        by_name = {kit.name: kit for kit in kits} | {str(at): kit for at, kit in enumerate(kits, 1)}
        if text.lower() not in by_name:
            raise BadNotation("game", found=text, games=tuple(games))
        return by_name[text.lower()]

    kit = ask(say("What shall we play? Type its number; Enter for {usual}.", usual=kits[0].words.title), "1", read_game)

    def read_table(text: str) -> tuple[tuple[str, ...], dict[str, str]]:
        names, bots = read_seats(text, kit)
        kit.settle(Header({"game": kit.name, "seats": ", ".join(names)}))
        return names, bots

    names, bots = ask(
        say(
            "Who plays? Names with commas between; bot is a player of the house. Enter for {usual}.", usual=USUAL_SEATS
        ),
        USUAL_SEATS,
        read_table,
    )
    fields = {"game": kit.name, "seats": ", ".join(names)}
    for option in kit.options:
        choices = language.join(option.choices, "{some} or {last}")
        question = say(
            "{key}: {meaning}. {choices}; Enter for {usual}.",
            key=option.key,
            meaning=option.meaning,
            choices=choices,
            usual=option.choices[0],
        )
        fields[option.key] = ask(question, option.choices[0], option.read)
    usual = kit.format(kit.formats[0]).write()
    examples = language.join((kit.format(kind).write() for kind in kit.formats), "{some} or {last}")
    question = say("How long? For instance {examples}. Enter for {usual}.", examples=examples, usual=usual)
    fields["format"] = ask(question, usual, lambda text: kit.format(text).write())

    def read_dice(text: str) -> Dice:
        if text.lower() == "house":
            return "house"
        if text.lower() == "real":
            return "real"
        raise BadNotation("dice", found=text)

    dice = ask(
        say("Whose dice? house: rolled here. real: yours, you type what fell. Enter for house."), "house", read_dice
    )
    return Setup(kit.settle(Header(fields)), bots, dice)
