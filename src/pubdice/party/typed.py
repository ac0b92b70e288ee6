"""A typed line at a table with people: its intents carried out one after another, all of them or none.

A roll ends the line. What stood after it would be chosen before anybody sees the dice; and a line refused after a roll
would undo that roll, which could then be tried again.
"""

from collections.abc import Sequence

from pubdice.game import IllegalAction, Verb
from pubdice.party import commands as ask
from pubdice.party.asking import Asking
from pubdice.table import Draw, Enter, Mark, Refused, Table, TableState, TakeBack
from pubdice.typed.grammar import OUTRIGHT, Choose, Intent, Say
from pubdice.typed.marks import NoSuchDieError, choose

ENDS = ("roll", "bank")
MOST_CHOICES = 12
"""Pieces of a line that choose dice: each of six dice taken and let go again."""


class Typing(Asking):
    """Somebody who types a line at a table."""

    def do(self, command: ask.Command) -> None:
        """Do what is asked."""
        raise NotImplementedError

    def type(self, intents: Sequence[Intent]) -> None:
        """Do what a line says. Raises Refused, IllegalAction or BadNotation."""
        if any(not isinstance(intent, Choose) and intent.word in ENDS for intent in intents[:-1]):
            raise Refused("typed-roll-last")
        if sum(isinstance(intent, Choose) for intent in intents) > MOST_CHOICES:
            raise Refused("typed-many", most=MOST_CHOICES)
        chosen = False
        for intent in intents:
            match intent:
                case Choose():
                    chosen = self._type_choice(intent)
                case Say("roll" | "bank" as verb):
                    self._type_end(verb, chosen=chosen)
                case _:
                    self._type_undo()

    def _type_choice(self, choice: Choose) -> bool:
        """Enter real dice, or mark some to keep; whether it was said of all dice which are kept."""
        table, play = self.match()
        mover = table.mover(play)
        if table.dice == "real" and table.match.to_roll(play.match) and choice.how == "toggle":
            self.do(Enter(choice.digits))
            return False
        places = play.marks
        if mover is not None and mover == self.state.seat_of(self.asker.person) and table.match.legal(play.match):
            dice = table.view(play, mover)
            try:
                places = choose(dice, places, choice, "face")
            except NoSuchDieError as error:
                free = tuple(die.face for die in dice if die.status != "locked")
                raise Refused(f"typed-{error.why}", digit=error.digit, shown=free) from None
        self.do(Mark(places))
        return choice.how in OUTRIGHT

    def _type_end(self, verb: Verb, *, chosen: bool) -> None:
        table, play = self.match()
        if table.match.to_draw(play.match) and verb == "roll":
            self.do(Draw())
            return
        if verb == "roll" and not play.marks and _gives_up(table, play):
            if not chosen:
                raise Refused("typed-keep-none", number=table.match.to_roll(play.match))
            self.do(ask.Go(verb, sure=True))
            return
        self.do(ask.Go(verb))

    def _type_undo(self) -> None:
        _, play = self.match()
        self.do(Mark(play.marks[:-1]) if play.marks else TakeBack())


def _gives_up(table: Table, play: TableState) -> bool:
    """Whether a roll without any die kept gives dice up of which some could stay."""
    match = table.match
    try:
        return bool(match.legal(play.match)) and match.game.gives_up(
            play.match.round, match.choose(play.match, "roll", ())
        )
    except IllegalAction:
        return False
