"""The sentences for the people at a table in this process: questions, replies and scores. It changes nothing."""

from pubdice import typed_answers
from pubdice.kit import Kit
from pubdice.match.formats import adding
from pubdice.match.narrate import Narrator
from pubdice.match.record import ChoiceTakenBack
from pubdice.match.table import Marked, Table, TableState, TakenBack
from pubdice.room import Step
from pubdice.room.events import Moved
from pubdice.terminal import sentences as own
from pubdice.text.language import Language
from pubdice.typed import Word
from pubdice.typed_dice import Keys, Names


class Speaker:
    """Sentences about one table in one language. If ``live`` is true, a person types at a terminal, so questions
    mention Enter.
    """

    def __init__(
        self, table: Table, kit: Kit, language: Language, keys: Keys, names: Names = "keep", *, live: bool = False
    ) -> None:
        self.names, self.keeps_dice, self.live = names, kit.keeps_dice, live
        self.table, self.match, self.words, self.language, self.keys = table, table.match, kit.words, language, keys
        self.narrator = Narrator(language, kit.words, table.match, table.names)

    def sentences(self, step: Step) -> list[str]:
        """Return the lines about a step. People who sit down and marks have none: the opening lists the seats."""
        before, event, after = step.before.match, step.line.event, step.after.match
        if before is None or after is None or not isinstance(event, Moved) or isinstance(event.event, Marked):
            return []
        if isinstance(event.event, TakenBack):
            return [self.language.say("Your last entry is taken back.")]
        if isinstance(event.event, ChoiceTakenBack):
            return [self.language.say("The choice is taken back. The dice stay as they fell.")]
        return self.narrator.tell(before.state.match, event.event, after.state.match)

    def opening(self, state: TableState, last: list[str]) -> list[str]:
        """Return lines on the game, its players and the scores."""
        inner = state.match
        said = [self.narrator.opening() + " " + self.language.say("Type ? for all the commands.")]
        if not state.seq:
            return [*said, *([] if inner.round is None else [self.narrator.round_opens(inner)]), *last]
        if self.match.to_draw(inner):
            return said
        going_on = self.language.say("Round {number} goes on.", number=inner.called)
        if inner.roll_off is not None:
            going_on = self.language.say("The roll-off goes on.")
        if inner.over:
            going_on = self.language.say("The match is over.")
        return [*said, self.narrator.line([going_on, *self._standing(state)]), *last]

    def question(self, state: TableState) -> str:
        """Return the question that is open now."""
        say, inner = self.language.say, state.match
        mover = state.mover
        if inner.over:
            return say("That is the end. Enter leaves it at that. To take back your last entry, type u.")
        if mover is None:
            return say("Who is Player 1? Draw with your own dice, and type the name.")
        name = self.narrator.name(mover)
        if self.match.to_roll(inner):
            said = self.narrator.to_roll(inner)
            text = "{said} Enter rolls." if self.live else "{said} r rolls."
            said = say("{said} Type what fell." if self.table.dice == "real" else text, said=said)
        else:
            said = self.words.ask(self.language, self.match.game, inner.round)
            if self.names == "reroll":
                said = typed_answers.to_reroll(self.language, said)
            if self.keys == "position" and self.keeps_dice:
                said = (
                    own.lie(self.language, self.table.view(state, mover), "position", die=self.match.game.faces)
                    + " "
                    + said
                )
        return self.language.about("{name}: {said}", "{said}", name, said=said)

    def reply(self, word: Word, state: TableState, last: list[str]) -> list[str]:
        """Return the answer to a question that a player typed."""
        inner, mover = state.match, state.mover
        if word == "last":
            return last or [self.language.say("Nothing has happened yet.")]
        if word == "dice":
            dice = () if mover is None else self.table.view(state, mover)
            things = None if inner.round is None else self.words.things(self.language, self.match.game, inner.round)
            return [
                own.lie(self.language, dice, self.keys, keeps_dice=self.keeps_dice, die=self.match.game.faces),
                *([things.said] if things is not None else []),
            ]
        if self.match.to_draw(inner):
            return [self.language.say("Draw Player 1 first.")]
        if told := self.narrator.roll_off(inner):
            return told
        if word == "beat" and mover is not None:
            if adding(self.match.format) is not None:
                told = [*self.narrator.needs(inner), *self.narrator.standing_now(inner)]
                return [self.narrator.line(told) or self.language.say("No points yet.")]
            names = self.narrator.around(inner.order)
            told = self.words.to_beat(self.language, self.match.game, inner.round, names)
            return [self.narrator.line(told)]
        return [self.narrator.line(self._standing(state)) or self.language.say("No points yet.")]

    def _standing(self, state: TableState) -> list[str]:
        inner = state.match
        if told := self.narrator.roll_off(inner):
            return told
        scores = self.words.scores(self.language, self.match.game, inner.round, self.narrator.around(inner.order))
        return [*scores, *self.narrator.standing(inner.tally)]
