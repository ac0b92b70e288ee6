"""The words of Mexico: rolls and scores, the number of rolls, the lowest seat."""

from collections.abc import Mapping
from typing import Any

from pubdice.core.dice import Hand, hands
from pubdice.core.game import Keep
from pubdice.games.mexico.rules import DOUBLE, HOLDABLE, MEXICO, Mexico, MexicoRound, worth
from pubdice.text.game_words import (
    Ladder,
    PlainWords,
    Rung,
    rolls_for_others,
    rolls_left,
    rolls_to_set,
    rolls_you_have,
)
from pubdice.text.language import Language, Sentence

TWO = 2
"""Seats of a round in which there is one other: a seat that neither wins alone nor ties is the lowest."""
LEAST_CHANCE = 0.005
"""The least difference of two chances that is worth a word."""

LOWEST = (
    ("{name} is lowest with {score}.", "You are lowest with {score}."),
    ("{names} are lowest with {score}.", "You and {names} are lowest with {score}."),
)
"""Of one seat and of several that share the score, by name and to the listener."""
HIGHEST = (
    ("{name} is highest with {score}.", "You are highest with {score}."),
    ("{names} are highest with {score}.", "You and {names} are highest with {score}."),
)
EVEN = (
    ("{name} has {score}.", "You have {score}."),
    ("{names} have {score}.", "You and {names} have {score}."),
)

SCORES = sorted({worth(hand) for hand in hands(2)})
"""All scores, the worst first."""
LANDMARKS = (0, 4, 8, 13, 14, 17, 19, 20)
"""The rungs of a ladder, as ranks: the worst roll, some on the way, the first double, two more, Mexico."""


class MexicoWords(PlainWords[Mexico]):
    """The words of Mexico: nothing is kept, so they are about the dice, the rolls left and the lowest seat."""

    title = "Mexico"
    tagline = "two dice; don't be the lowest"
    refusals: Mapping[str, Sentence] = {
        "counts": "Nothing is left to choose: {dice} counts.",
        "both": "Roll both dice again, or stop. One alone can't stay.",
        "hold": "Only a 1 or a 2 can stay alone, and only for one roll.",
        "nothing-rolled": "Both dice would stay, so nothing is rolled. Stop instead, or roll again.",
    }

    faults: Mapping[str, Sentence] = {
        "standing-resting": "--{flag}: at least two players who are still in play a round.",
    }

    def aim(self, language: Language, game: Mexico) -> str:
        """The loser's score and the best one, in a sentence: it is not the highest number."""
        return language.say("The lowest loses, 21 beats all.")

    def options(self, language: Language, game: Mexico) -> str:
        """The one house rule, where it is in force: a 1 or a 2 may stay."""
        return language.say("a 1 or a 2 may stay for one roll") if game.hold else ""

    def score(self, language: Language, game: Mexico, score: int) -> str:
        """A score as people call it: "Mexico", "double 3", "64"."""
        if score == MEXICO:
            return language.say("Mexico")
        return language.say("double {face}", face=score // DOUBLE) if score >= DOUBLE else str(score)

    def _called(self, language: Language, game: Mexico, hand: Hand) -> str:
        return self.score(language, game, worth(hand))

    def action_sentences(
        self, language: Language, game: Mexico, name: str, before: MexicoRound, action: Keep
    ) -> list[str]:
        """The seat that stops, its score, and the rolls the opener leaves to the others; or the dice rolled again."""
        about = language.about
        if not action.dice:
            return [about("{name} rolled both again.", "You rolled both again.", name)]
        if action.dice != before.free:
            return super().action_sentences(language, game, name, before, action)
        said = []
        if len(game.legal(before)) > 1:
            text = "{name} stopped with {score}.", "You stopped with {score}."
            said = [about(*text, name, score=self._called(language, game, before.free))]
        if not before.scores:
            said.append(rolls_for_others(language, before.seats, before.rolls))
        return said

    def rolled(
        self, language: Language, game: Mexico, name: str, before: MexicoRound, dice: tuple[int, ...]
    ) -> list[str]:
        """The score of the dice; that the last roll of several counts without asking."""
        hand = tuple(sorted((*before.held, *dice)))
        if worth(hand) == MEXICO:
            return [language.say("Mexico!")]
        text = "The last roll: {score}." if before.rolls + 1 == before.limit > 1 else "That's {score}."
        return [language.say(text, score=self._called(language, game, hand))]

    def stands(self, language: Language, game: Mexico, state: MexicoRound) -> list[str]:
        """Before a roll: the number left, or that the opener sets the number."""
        if not state.scores and not state.rolls:
            return [rolls_to_set(language, state.limit)]
        return [rolls_you_have(language, state.limit - state.rolls)]

    def to_choose(self, language: Language, game: Mexico, state: MexicoRound) -> list[str]:
        """The rolls left, and the choice: the score was said with the dice."""
        return [self._left(language, game, state), language.say("Roll again or stop?")]

    def ask(self, language: Language, game: Mexico, state: MexicoRound) -> str:
        """The dice, the rolls left, and the choice."""
        one, many = "You have {score} and {number} roll left.", "You have {score} and {number} rolls left."
        score = self._called(language, game, state.free)
        has = language.count(one, many, state.limit - state.rolls, score=score)
        return " ".join([has, language.say("Roll again or stop?")])

    def todo(self, language: Language, game: Mexico, state: MexicoRound) -> str:
        """Two ways to go on."""
        return language.say("roll again or stop")

    def hint(self, language: Language, game: Mexico, state: MexicoRound) -> str:
        """That a die may stay, where one may."""
        new = [face for face in HOLDABLE if Keep((face,)) in game.legal(state)]  # one: both together are Mexico
        return language.say("You may keep the {face} and roll the other die.", face=new[0]) if new else ""

    def _left(self, language: Language, game: Mexico, state: MexicoRound) -> str:
        """The rolls the turn may still have: none once Mexico lies there."""
        left = 0 if game.legal(state) == (Keep(state.free),) else state.limit - state.rolls
        return rolls_left(language, left)

    def status(self, language: Language, game: Mexico, state: MexicoRound, names: tuple[str, ...]) -> list[str]:
        """The rolls left, and the lowest and the highest score so far."""
        return [
            self._left(language, game, state),
            *(self.to_beat(language, game, state, names) if state.scores else []),
        ]

    def ladder(self, language: Language, game: Mexico, state: MexicoRound) -> Ladder:
        """Eight scores of 21: the score there and the lowest so far take the places of those nearest to them."""
        lowest, here = min(state.scores, default=0), worth(state.free) if state.free else 0
        shown, told = list(LANDMARKS), [SCORES.index(score) for score in (lowest, here) if score]
        for rank in told:
            if rank not in shown:
                near = min(set(shown) - set(told), key=lambda other: abs(other - rank))
                shown[shown.index(near)] = rank
        rungs = [(SCORES[rank], game.write_score(SCORES[rank])) for rank in sorted(shown)]
        return Ladder(
            tuple([Rung(label, score == here, score <= lowest) for score, label in rungs]),
            language.say("lowest loses"),
            language.say("21 is Mexico"),
        )

    def missing(self, language: Language, game: Mexico, rule: str, facts: Mapping[str, Any]) -> str:
        """The marks to set instead, if the marked dice can't stay alone."""
        if rule == "nothing-rolled":
            return language.say("Both stay: stop, or tap one")
        return language.say("Only a 1 or a 2 can stay") if rule == "hold" else language.say("Roll both, or stop")

    def to_beat(self, language: Language, game: Mexico, state: MexicoRound, names: tuple[str, ...]) -> list[str]:
        """The lowest and the highest so far, or that the mover needs more than both; before any, who goes first."""
        if not state.scores:
            return super().to_beat(language, game, state, names)
        ends = {min(state.scores): LOWEST, max(state.scores): HIGHEST}
        if len(ends) == 1:
            ends = {state.scores[0]: EVEN}
        said = []
        for score, (one, several) in ends.items():
            who = [name for name, has in zip(names, state.scores, strict=False) if has == score]
            called = self.score(language, game, score)
            said += [
                language.about(*one, who[0], score=called)
                if len(who) == 1
                else language.about_all(*several, who, score=called)
            ]
        mover = game.mover(state)
        if len(ends) == 1 and mover is not None:
            text = "{name} needs more.", "You need more."
            if state.scores[0] == SCORES[-1]:
                text = "{name} can only tie.", "You can only tie."
            said.append(language.about(*text, names[mover]))
        return said

    def scores(self, language: Language, game: Mexico, state: MexicoRound, names: tuple[str, ...]) -> list[str]:
        """The scores of the seats that have finished."""
        done = [
            language.about("{name} has {score}", "you have {score}", name, score=self.score(language, game, score))
            for name, score in zip(names, state.scores, strict=False)
        ]
        return [language.say("So far: {scores}.", scores=", ".join(done))] if done else []

    def stand(self, language: Language, game: Mexico, state: MexicoRound, seat: int, marked: Hand) -> str:
        """The score of the dice."""
        if seat < len(state.scores):
            return self.score(language, game, state.scores[seat])
        return self._called(language, game, state.free) if seat == len(state.scores) and state.free else ""

    def choice(self, language: Language, game: Mexico, state: MexicoRound, action: Keep) -> str:
        """Stop, roll both, or keep one."""
        if not action.dice:
            return language.say("roll both again")
        if action.dice == state.free:
            return language.say("stop with {score}", score=self._called(language, game, state.free))
        return super().choice(language, game, state, action)

    def why(
        self,
        language: Language,
        game: Mexico,
        state: MexicoRound,
        best: Mapping[str, float],
        other: Mapping[str, float],
    ) -> str:
        """Of two who play: the chance to be lowest, or else of a tie. Of more, the facts do not say who is lowest."""
        if state.seats != TWO or not {"win", "share"} <= best.keys() & other.keys():
            return ""
        lowest, least = _lowest(other), _lowest(best)
        text = "it is lowest with {chance}, not {less}"
        if lowest - least < LEAST_CHANCE:
            lowest, least = other["share"], best["share"]
            text = "it ties with {chance}, not {less}"
        if abs(lowest - least) < LEAST_CHANCE:
            return ""
        return language.say(text, chance=language.per_cent(lowest), less=language.per_cent(least))

    def chance(self, language: Language, game: Mexico, state: MexicoRound, facts: Mapping[str, float]) -> list[str]:
        """Of two who play, to be lowest; of more, to be highest, as the facts tell winners from all others."""
        if not {"win", "share"} <= facts.keys():
            return []
        text, chance = "Chance to be highest: {chance}, to tie: {tie}.", facts["win"]
        if state.seats == TWO:
            text, chance = "Chance to be lowest: {chance}, to tie: {tie}.", _lowest(facts)
        return [language.say(text, chance=language.per_cent(chance), tie=language.per_cent(facts["share"]))]

    def verbs(self, language: Language) -> list[tuple[str, str]]:
        """Both: rolling again and stopping."""
        return [("r", language.say("roll again")), ("b", language.say("stop: the dice count as they lie"))]


def _lowest(facts: Mapping[str, float]) -> float:
    """Of two who play, the chance to be lowest: it is the other who wins the round alone."""
    return max(0.0, 1 - facts["win"] - facts["share"])
