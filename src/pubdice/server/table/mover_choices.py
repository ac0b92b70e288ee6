"""The mover's choices on a page: the buttons, and an example of a line to type. Knows no rules."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pubdice.core.dice import DieFaces
from pubdice.core.errors import IllegalAction
from pubdice.core.game import KeepGame, kept_by
from pubdice.kit import Kit
from pubdice.match.match import MatchState
from pubdice.match.table import Table, TableState
from pubdice.room.commands import house_words
from pubdice.server.wire import Button, DieView, Sure, View
from pubdice.text.game_words import GameWords, Offer, by_things, offers
from pubdice.text.language import Language, sentence
from pubdice.typed import Unclear, command_words, read_answer


@dataclass(frozen=True, slots=True)
class Moves:
    """Offers one table's moves in one language."""

    language: Language
    kit: Kit

    def rolling(self, view: View, table: Table, inner: MatchState[object]) -> None:
        """Add the number of dice to roll or to enter to a view, with its button."""
        view.due = due = table.match.to_roll(inner)
        if table.dice == "real":
            view.ask = "enter"
            view.main = Button(
                "enter", self.language.count("Enter {number} die", "Enter {number} dice", due), gold=True
            )
            return
        view.ask = "roll"
        view.main = Button("roll", self.language.count("Roll {number} die", "Roll {number} dice", due), gold=True)

    def choosing(self, view: View, table: Table, play: TableState) -> None:
        """Add the effect of the marked dice to a view: the label of each button."""
        match, words, say = table.match, self.kit.words, self.language.say
        game, inner = match.game, play.match
        if not isinstance(game, KeepGame):
            view.ask = "move"
            view.moves = offers(words, self.language, game, inner.round)
            return
        view.ask = "keep"
        try:
            rolls = table.meant(play, "roll")
            label = self._label(table, play, rolls, match.play(inner, rolls))
            ready = not game.gives_up(inner.round, rolls)
        except IllegalAction as error:
            rolls, ready = None, False
            label = words.missing(self.language, game, error.code, error.facts)
        if not ready and not (rolls is None and label):
            label = say("Choose the dice you keep")
        view.main = Button("roll", label, ready, gold=ready and bool(play.marks))
        if table.may_give_up(play):
            asked = words.question(self.language, game, inner.round)
            view.sure = None if asked is None else Sure("reroll", asked.label, asked.question, asked.yes, asked.no)
        try:
            banks = table.meant(play, "bank")
        except IllegalAction:
            return
        if banks != rolls:
            view.bank = Button("bank", self._stops(table, play, banks))

    def example(self, view: View, table: Table, play: TableState) -> str:
        """Return an example of a line to type now, with its effect, such as "1 4 r: Keep 1 4, roll 4.".

        It may be empty.
        """
        line, label = "r", view.main.label if view.main else ""
        if view.ask == "draw" and table.dice == "real":
            line = draw_line(self.language, table.names)
            label = self.language.say("Player 1 is {name}.", name=line).removesuffix(".")
        elif view.ask == "enter":
            line = dice_line(view.due, table.match.game.faces)
        elif view.ask == "move":
            line, label = move_line(view.moves), view.moves[0].label
        elif view.ask == "keep":
            found = keep_line(self.kit.words, view.dice, table, play)
            line, label = (found[0], self._label(table, play, *found[1:])) if found else ("", "")
        ways = [(line, label)] if line else []
        if line == "r" and view.bank:
            ways.append(("b", view.bank.label))
        # In small letters, as people type it: a capital K may be a face.
        return " ".join([self.language.say("{name}: {choice}.", name=line, choice=label) for line, label in ways])

    def _stops(self, table: Table, play: TableState, action: Any) -> str:
        match, words = table.match, self.kit.words
        choice = words.choice(self.language, match.game, play.match.round, action)
        ended = match.turn_ended(play.match, match.play(play.match, action))
        score = "" if ended is None else words.score(self.language, match.game, ended[1])
        if score not in choice:
            choice = self.language.say("{choice} with {score}", choice=choice, score=score)
        return sentence(choice)

    def _label(self, table: Table, play: TableState, action: Any, after: MatchState[Any]) -> str:
        match, say = table.match, self.language.say
        choice = self.kit.words.choice(self.language, match.game, play.match.round, action)
        due, ended = match.to_roll(after), match.turn_ended(play.match, after)
        if ended is not None:
            score = self.kit.words.score(self.language, match.game, ended[1])
            text = "{choice}, score {score}" if score == str(ended[1]) else "{choice}: {score}"
            return sentence(say(text, choice=choice, score=score))
        if not due or not kept_by(match.game, action) or table.dice == "real":
            return sentence(choice)
        return sentence(say("{choice}, roll {number}", choice=choice, number=due))


def move_line(moves: Sequence[Offer]) -> str:
    """Return the line that names the first move: by its tiles, its letter or its number."""
    first = moves[0]
    return " ".join(map(str, first.takes)) if by_things(moves) else first.key or "1"


def dice_line(number: int, die: DieFaces) -> str:
    """Return a line that enters ``number`` real dice."""
    return named([1 + place % die.sides for place in range(number)], die)


def draw_line(language: Language, names: Sequence[str]) -> str:
    """Return a line that makes a seat Player 1: the first name that means nothing else in the text field.

    Empty if there is none.
    """
    words, commands = house_words(language), command_words(language)
    free = (name for name in names if name.casefold() not in words)
    return next((name for name in free if isinstance(read_answer(name, words=commands), Unclear)), "")


def keep_line(words: GameWords, dice: Sequence[DieView], table: Table, play: TableState) -> tuple[str, Any, Any] | None:
    """Return a line that keeps dice and rolls, its action, and the match's state after it. None if there is none.
    ``dice`` are the mover's.

    The line names dice that the turn needs, or else a few at the end of the row. It shows how to name dice, and is no
    advice. Every view of a decision has an example, so the action comes from the rules, not from reading the line.
    """
    match, game, stays = table.match, table.match.game, table.stays(play)
    free = sorted([die.face for die in dice if die.status != "locked" and die.place not in stays])
    staying = [die.face for die in dice if die.place in stays]
    locked = [die.face for die in dice if die.status == "locked" and die.place not in stays]
    needed = [face for face in words.red(game) if face in free and face not in locked]
    row = free if game.lowest_wins else free[::-1]
    hands = [needed[:2]] if needed else []  # the best example first
    hands += [row[:number] for number in (2, 1, 3, len(row), 0)]
    if not [die for die in dice if die.marks is not None]:  # no die can be marked, so the line names none
        hands = [[]]
    for hand in hands:
        if not hand and not play.marks and table.may_give_up(play):
            continue  # the page asks first here, and the text field expects "k - r"
        # "k" names the first dice of a face, including dice that stay. A line without "k" names only the others.
        beside = list((Counter(staying) - Counter(hand)).elements()) if play.marks else staying
        try:
            action = match.choose(play.match, "roll", tuple(sorted(hand + beside)) if hand else ())
            after = match.play(play.match, action)
        except IllegalAction:
            continue
        said = named(hand, game.faces) or ("-" if play.marks else "")
        return " ".join(filter(None, ["k" if play.marks else "", said, "r"])), action, after
    return None


def named(dice: Sequence[int], die: DieFaces) -> str:
    """Return dice as they are typed, with spaces between."""
    return " ".join([die.names[face - 1] for face in dice])
