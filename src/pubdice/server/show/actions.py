"""What the mover may do, as buttons: roll, enter, keep, end the turn, and give up what asks first. Knows no rules."""

from dataclasses import dataclass
from typing import Any

from pubdice.core.errors import IllegalAction
from pubdice.kit import Kit
from pubdice.match.match import MatchState
from pubdice.match.table import Table, TableState
from pubdice.server.wire import Button, Sure, View
from pubdice.text.language import Language, sentence


@dataclass(frozen=True, slots=True)
class Moves:
    """Offers one table's moves in one language."""

    language: Language
    kit: Kit

    def rolling(self, view: View, table: Table, inner: MatchState[object]) -> None:
        """Into a view: the dice that are due."""
        view.due = due = table.match.to_roll(inner)
        if table.dice == "real":
            view.ask = "enter"
            view.main = Button("enter", self.language.count("Enter {number} die", "Enter {number} dice", due))
            return
        view.ask = "roll"
        view.main = Button("roll", self.language.count("Roll {number} die", "Roll {number} dice", due))

    def choosing(self, view: View, table: Table, play: TableState) -> None:
        """Into a view: what the marks on the table would do."""
        match, words, say = table.match, self.kit.words, self.language.say
        game, inner = match.game, play.match
        view.ask = "keep"
        try:
            rolls = table.meant(play, "roll")
            label, ready = self._label(table, play, rolls), not game.gives_up(inner.round, rolls)
        except IllegalAction as error:
            rolls, ready = None, False
            label = words.missing(self.language, game, error.code, error.facts)
        if not ready and not (rolls is None and label):
            label = say("Tap the dice you keep")
        view.main = Button("roll", label, ready)
        if table.may_give_up(play):
            asked = words.question(self.language, game, inner.round)
            view.sure = None if asked is None else Sure("reroll", asked.label, asked.question, asked.yes, asked.no)
        try:
            banks = table.meant(play, "bank")
        except IllegalAction:
            return
        if banks != rolls:
            view.bank = Button("bank", sentence(words.choice(self.language, game, inner.round, banks)))

    def _label(self, table: Table, play: TableState, action: Any) -> str:
        """What the main button says of an action."""
        match, say = table.match, self.language.say
        choice = self.kit.words.choice(self.language, match.game, play.match.round, action)
        after = match.play(play.match, action)
        due, ended = match.to_roll(after), match.turn_ended(play.match, after)
        if ended is not None:
            score = self.kit.words.score(self.language, match.game, ended[1])
            text = "{choice}, score {score}" if score == str(ended[1]) else "{choice}: {score}"
            return sentence(say(text, choice=choice, score=score))
        if not due or not match.game.kept(action) or table.dice == "real":
            return sentence(choice)
        return sentence(say("{choice}, roll {number}", choice=choice, number=due))
