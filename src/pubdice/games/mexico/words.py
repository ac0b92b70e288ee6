"""What Mexico says: rolls and scores, how many rolls there are, who is lowest."""

from collections.abc import Mapping
from typing import Any

from pubdice.core.dice import Hand
from pubdice.core.game import Keep
from pubdice.games.mexico.rules import DICE, DOUBLE, MEXICO, Mexico, MexicoRound, worth
from pubdice.text.game_words import Beam, Confirmation, Rail
from pubdice.text.language import Language, Sentence, faces, told_facts

REFUSALS: dict[str, Sentence] = {
    "counts": "Nothing is left to choose: {dice} counts.",
    "both": "Roll both dice again, or stop. One alone can't stay.",
    "hold": "Only a 1 or a 2 can stay alone, and only for one roll.",
    "nothing-rolled": "Both dice would stay, so nothing is rolled. Stop instead, or roll again.",
}
"""Sentences for actions that the rules forbid, by the code of the refusal."""


def points(language: Language, score: int) -> str:
    """A score as people call it: "Mexico", "double 3", "64"."""
    if score == MEXICO:
        return language.say("Mexico")
    return language.say("double {face}", face=score // DOUBLE) if score >= DOUBLE else str(score)


class MexicoWords:
    """What Mexico says: its sentences, labels and house rule."""

    title = "Mexico"
    tagline = "two dice; don't be the lowest"
    sides: tuple[str, ...] = ()
    faults: Mapping[str, Sentence] = {}

    def options(self, language: Language, game: Mexico) -> str:
        """The one house rule, where it is in force: a 1 or a 2 may stay."""
        return language.say("a 1 or a 2 may stay for one roll") if game.hold else ""

    def told(self, language: Language, game: Mexico, name: str, before: MexicoRound, action: Keep) -> list[str]:
        """Who stops with what, and how many rolls the opener leaves to the others; or what is rolled again."""
        about = language.about
        if not action.dice:
            return [about("{name} rolled both again.", "You rolled both again.", name)]
        if action.dice != before.free:
            return [about("{name} kept {dice}.", "You kept {dice}.", name, dice=faces(action.dice))]
        said = []
        if len(game.legal(before)) > 1:
            text = "{name} stopped with {score}.", "You stopped with {score}."
            said = [about(*text, name, score=points(language, worth(before.free)))]
        if not before.scores:
            one, many = "Everybody else has {number} roll.", "Everybody else has up to {number} rolls."
            said.append(language.count(one, many, before.rolls))
        return said

    def rolled(
        self, language: Language, game: Mexico, name: str, before: MexicoRound, dice: tuple[int, ...]
    ) -> list[str]:
        """What the dice count; that the last roll of several does so without asking."""
        hand = tuple(sorted((*before.held, *dice)))
        if worth(hand) == MEXICO:
            return [language.say("Mexico!")]
        score = points(language, worth(hand))
        if before.rolls + 1 == before.limit > 1:
            return [language.say("The last roll: {score}.", score=score)]
        return [language.say("That's {score}.", score=score)]

    def to_roll(self, language: Language, game: Mexico, state: MexicoRound) -> str:
        """How many rolls are left, and how many dice."""
        rolls = language.count("Roll {number} die.", "Roll {number} dice.", game.to_roll(state))
        if not state.scores and not state.rolls:
            return " ".join([language.say("You set the number of rolls: up to {number}.", number=state.limit), rolls])
        one, many = "You have {number} roll left.", "You have {number} rolls left."
        return " ".join([language.count(one, many, state.limit - state.rolls), rolls])

    def ask(self, language: Language, game: Mexico, state: MexicoRound) -> str:
        """What lies there, how many rolls are left, and the choice."""
        one, many = "You have {score} and {number} roll left.", "You have {score} and {number} rolls left."
        score = points(language, worth(state.free))
        has = language.count(one, many, state.limit - state.rolls, score=score)
        return " ".join([has, language.say("Roll again or stop?")])

    def todo(self, language: Language, game: Mexico, state: MexicoRound) -> str:
        """Two ways to go on."""
        return language.say("roll again or stop")

    def hint(self, language: Language, game: Mexico, state: MexicoRound) -> str:
        """How many rolls are left; and that a die may stay, where one may."""
        stays = language.say("You may keep the 1 or the 2 and roll the other die.")
        return " ".join([self._left(language, state), *([stays] if len(game.legal(state)) > DICE else [])])

    def _left(self, language: Language, state: MexicoRound) -> str:
        return language.count("{number} roll left.", "{number} rolls left.", state.limit - state.rolls)

    def needs(self, language: Language, game: Mexico, state: MexicoRound, name: str) -> str:
        """Nothing: no face is needed."""
        return ""

    def status(self, language: Language, game: Mexico, state: MexicoRound, names: tuple[str, ...]) -> list[str]:
        """How many rolls are left, and the lowest and the highest so far."""
        return [self._left(language, state), *self._ends(language, state, names)]

    def _ends(self, language: Language, state: MexicoRound, names: tuple[str, ...]) -> list[str]:
        if not state.scores:
            return []
        least, most = min(state.scores), max(state.scores)
        low, high = names[state.scores.index(least)], names[state.scores.index(most)]
        if least == most:
            text = "{name} has {score}.", "You have {score}."
            return [language.about(*text, low, score=points(language, least))]
        lowest = "{name} is lowest with {score}.", "You are lowest with {score}."
        highest = "{name} is highest with {score}.", "You are highest with {score}."
        return [
            language.about(*lowest, low, score=points(language, least)),
            language.about(*highest, high, score=points(language, most)),
        ]

    def rail(self, language: Language, game: Mexico, state: MexicoRound, name: str, marked: Hand) -> Rail | None:
        """Nothing is won before the end."""
        return None

    def beam(self, language: Language, game: Mexico, state: MexicoRound, name: str, marked: Hand) -> Beam | None:
        """Nothing to reach exactly."""
        return None

    def red(self, game: Mexico) -> tuple[int, ...]:
        """No face is needed more than another."""
        return ()

    def missing(self, language: Language, game: Mexico, rule: str, facts: Mapping[str, Any]) -> str:
        """What to mark instead, where the marked dice can't stay alone."""
        if rule == "nothing-rolled":
            return language.say("Both stay: stop, or tap one")
        return language.say("Only a 1 or a 2 can stay") if rule == "hold" else language.say("Roll both, or stop")

    def question(self, language: Language, game: Mexico, state: MexicoRound) -> Confirmation | None:
        """Nothing: rolling both again is asked by the button itself."""
        return None

    def to_beat(self, language: Language, game: Mexico, state: MexicoRound, names: tuple[str, ...]) -> list[str]:
        """The lowest and the highest so far; before there is any, who goes first and sets the number of rolls."""
        if state.scores:
            return self._ends(language, state, names)
        return [language.about("{name} goes first.", "You go first.", names[0])]

    def scores(self, language: Language, game: Mexico, state: MexicoRound, names: tuple[str, ...]) -> list[str]:
        """What those have who have finished."""
        done = [
            language.about("{name} {score}", "you {score}", name, score=points(language, score))
            for name, score in zip(names, state.scores, strict=False)
        ]
        return [language.say("So far: {scores}.", scores=", ".join(done))] if done else []

    def stand(self, language: Language, game: Mexico, state: MexicoRound, seat: int, marked: Hand) -> str:
        """What the dice count."""
        if seat < len(state.scores):
            return points(language, state.scores[seat])
        return points(language, worth(state.free)) if seat == len(state.scores) and state.free else ""

    def score(self, language: Language, game: Mexico, score: int) -> str:
        """What people call it."""
        return points(language, score)

    def choice(self, language: Language, game: Mexico, state: MexicoRound, action: Keep) -> str:
        """Stop, roll both, or keep one."""
        if not action.dice:
            return language.say("roll both again")
        if action.dice == state.free:
            return language.say("stop with {score}", score=points(language, worth(state.free)))
        return language.say("keep {dice}", dice=faces(action.dice))

    def why(
        self,
        language: Language,
        game: Mexico,
        state: MexicoRound,
        best: Mapping[str, float],
        other: Mapping[str, float],
    ) -> str:
        """Nothing: what a choice is worth depends on the match, and its value says that."""
        return ""

    def chance(self, language: Language, game: Mexico, state: MexicoRound, facts: Mapping[str, float]) -> list[str]:
        """Nothing beyond the match's own chances."""
        return []

    def verbs(self, language: Language) -> list[tuple[str, str]]:
        """Both: rolling again and stopping."""
        return [("r", language.say("roll again")), ("b", language.say("stop: the dice count as they lie"))]

    def refusal(self, language: Language, game: Mexico, rule: str, facts: Mapping[str, Any]) -> str | None:
        """Why Mexico forbids it."""
        return language.tell(REFUSALS[rule], told_facts(facts, language)) if rule in REFUSALS else None
