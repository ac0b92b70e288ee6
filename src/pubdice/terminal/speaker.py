"""What a table says to the people at it: questions, replies, where things stand. Changes nothing."""

from pubdice.core.errors import IllegalAction
from pubdice.kit import Kit
from pubdice.match.narrate import Narrator
from pubdice.match.table import Marked, Table, TableState, TakenBack
from pubdice.room import Step
from pubdice.room.events import Moved
from pubdice.terminal import sentences as own
from pubdice.text.language import Language, one_line
from pubdice.typed import answers as typed
from pubdice.typed.grammar import Word
from pubdice.typed.marks import Keys
from pubdice.typed.rerolls import Names


class Speaker:
    """Speaks of one table, in one language; dice are named by face or by place."""

    def __init__(self, table: Table, kit: Kit, language: Language, keys: Keys, names: Names = "keep") -> None:
        self.names, self.keeps_dice = names, kit.keeps_dice
        self.table, self.match, self.words, self.language, self.keys = table, table.match, kit.words, language, keys
        self.narrator = Narrator(language, kit.words, table.match, table.names)

    def told(self, step: Step) -> list[str]:
        """What a step is worth saying, in lines; nothing of who sits where, which the opening says."""
        before, event, after = step.before.match, step.line.event, step.after.match
        if before is None or after is None or not isinstance(event, Moved) or isinstance(event.event, Marked):
            return []
        if isinstance(event.event, TakenBack):
            return [self.language.say("What was typed last is taken back.")]
        return self.narrator.tell(before.state.match, event.event, after.state.match)

    def opening(self, state: TableState, last: list[str]) -> list[str]:
        """What is played and by whom, and where it stands."""
        inner = state.match
        said = [self.narrator.opening() + " " + self.language.say("Type ? for all the commands.")]
        if not state.seq:
            return [*said, *([] if inner.round is None else [self.narrator.round_opens(inner)]), *last]
        if inner.round is None:
            return said
        going_on = self.language.say("Round {number} goes on.", number=inner.number)
        if inner.over:
            going_on = self.language.say("The match is over.")
        return [*said, one_line([going_on, *self._standing(state)]), *last]

    def question(self, state: TableState) -> str:
        """The question that is open."""
        say, inner = self.language.say, state.match
        mover = state.mover
        if inner.over:
            return say("That is the end. Enter leaves it at that; u takes back what was typed last.")
        if mover is None:
            return say("Who is Player 1? Draw with your own dice, and type the name.")
        name = self.narrator.name(mover)
        if self.match.to_roll(inner):
            said = self.words.to_roll(self.language, self.match.game, inner.round)
            text = "{said} Type what fell." if self.table.dice == "real" else "{said} r rolls."
            said = say(text, said=said)
        else:
            said = self.words.ask(self.language, self.match.game, inner.round)
            if self.names == "reroll":
                said = typed.to_reroll(self.language, said)
            if self.keys == "position":
                said = own.lie(self.language, self.table.view(state, mover), "position") + " " + said
        return self.language.about("{name}: {said}", "{said}", name, said=said)

    def marks(self, state: TableState) -> str:
        """What is marked, and what would happen to the rest."""
        mover = state.mover
        if mover is None:
            return ""
        try:
            self.table.meant(state, "bank")
            ends = True
        except IllegalAction:
            ends = False
        return typed.marked(self.language, self.table.view(state, mover), ends=ends, names=self.names)

    def reply(self, word: Word, state: TableState, last: list[str]) -> list[str]:
        """The answer to a question a player asks."""
        inner, mover = state.match, state.mover
        if word == "help":
            real = self.table.dice == "real"
            verbs = self.words.verbs(self.language)
            return own.page_of_help(
                self.language, verbs, self.keys, real=real, names=self.names, keeps_dice=self.keeps_dice
            )
        if word == "last":
            return last or [self.language.say("Nothing has happened yet.")]
        if word == "dice":
            dice = () if mover is None else self.table.view(state, mover)
            return [own.lie(self.language, dice, self.keys)]
        if inner.round is None:
            return [self.language.say("Draw Player 1 first.")]
        if word == "beat" and mover is not None:
            names = self.narrator.around(inner.order)
            told = self.words.to_beat(self.language, self.match.game, inner.round, names)
            return [one_line(told)]
        return [one_line(self._standing(state)) or self.language.say("Nobody has scored yet.")]

    def _standing(self, state: TableState) -> list[str]:
        """Where the round and the match stand."""
        inner = state.match
        scores = self.words.scores(self.language, self.match.game, inner.round, self.narrator.around(inner.order))
        return [*scores, *self.narrator.standing(inner.tally)]
