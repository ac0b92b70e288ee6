"""The words of Mexico: scores, the rolls left, and the seats with the lowest and the highest score."""

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
"""The number of seats in a round of two. There a seat is the lowest if it neither wins alone nor ties."""
LEAST_CHANCE = 0.005
"""The least difference between two chances that is worth a sentence."""

LOWEST = (
    ("{name} is lowest with {score}.", "You are lowest with {score}."),
    ("{names} are lowest with {score}.", "You and {names} are lowest with {score}."),
)
"""Sentences on the lowest score, for one seat and for several. Each has a form by name and a form with "you"."""
HIGHEST = (
    ("{name} is highest with {score}.", "You are highest with {score}."),
    ("{names} are highest with {score}.", "You and {names} are highest with {score}."),
)
EVEN = (
    ("{name} has {score}.", "You have {score}."),
    ("{names} have {score}.", "You and {names} have {score}."),
)

SCORES = sorted({worth(hand) for hand in hands(2)})
"""All possible scores, from the worst to the best."""
LANDMARKS = (0, 4, 8, 13, 14, 17, 19, 20)
"""The usual rungs of the ladder of scores, as indices into ``SCORES``.

They are 31, 43, 54, 65, double 1, double 4, double 6 and Mexico.
"""


class MexicoWords(PlainWords[Mexico]):
    """The words of Mexico."""

    title = "Mexico"
    tagline = "two dice, don't be the lowest"
    refusals: Mapping[str, Sentence] = {
        "counts": "Nothing is left to choose: {dice} counts.",
        "both": "Roll both dice again, or stop. One alone can't stay.",
        "hold": "Only a 1 or a 2 can stay alone, and only for one roll.",
        "nothing-rolled": "Both dice would stay, so nothing is rolled. Stop instead, or roll again.",
    }

    def aim(self, language: Language, game: Mexico) -> str:
        """Return the aim. It names the best score too, because 21 is not the highest number."""
        return language.say("The lowest loses, 21 beats all.")

    def options(self, language: Language, game: Mexico) -> str:
        """Return the house rule that a 1 or a 2 may stay. Return "" if it is not in force."""
        return language.say("a 1 or a 2 may stay for one roll") if game.hold else ""

    def score(self, language: Language, game: Mexico, score: int) -> str:
        """Return a score as people say it: "Mexico", "double 3", "64"."""
        if score == MEXICO:
            return language.say("score|Mexico")
        return language.say("double {face}", face=score // DOUBLE) if score >= DOUBLE else str(score)

    def _called(self, language: Language, game: Mexico, hand: Hand) -> str:
        return self.score(language, game, worth(hand))

    def action_sentences(
        self, language: Language, game: Mexico, name: str, before: MexicoRound, action: Keep
    ) -> list[str]:
        """Say that the mover rolls again, or stops with a score.

        After the opener's turn, a second sentence tells the others how many rolls they have.
        """
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
        """Return the score of the dice just rolled, with a note if the last of several rolls makes it count at once."""
        hand = tuple(sorted((*before.held, *dice)))
        if worth(hand) == MEXICO:
            return [language.say("Mexico!")]
        text = "The last roll: {score}." if before.rolls + 1 == before.limit > 1 else "That's {score}."
        return [language.say(text, score=self._called(language, game, hand))]

    def stands(self, language: Language, game: Mexico, state: MexicoRound) -> list[str]:
        """Return the number of rolls left. The opener hears instead that its own rolls will set the limit."""
        if not state.scores and not state.rolls:
            return [rolls_to_set(language, state.limit)]
        return [rolls_you_have(language, state.limit - state.rolls)]

    def to_choose(self, language: Language, game: Mexico, state: MexicoRound) -> list[str]:
        """Return the rolls left and the question to roll again or stop. The score was read out with the dice."""
        return [self._left(language, game, state), language.say("Roll again or stop?")]

    def ask(self, language: Language, game: Mexico, state: MexicoRound) -> str:
        """Return the mover's score, the rolls left, and the question to roll again or stop."""
        one, many = "You have {score} and {number} roll left.", "You have {score} and {number} rolls left."
        score = self._called(language, game, state.free)
        has = language.count(one, many, state.limit - state.rolls, score=score)
        return " ".join([has, language.say("Roll again or stop?")])

    def todo(self, language: Language, game: Mexico, state: MexicoRound) -> str:
        """Return the mover's task in a few words: roll again or stop."""
        return language.say("roll again or stop")

    def hint(self, language: Language, game: Mexico, state: MexicoRound) -> str:
        """Say which die may stay. Return "" if none may."""
        new = [face for face in HOLDABLE if Keep((face,)) in game.legal(state)]  # at most one, as 1 and 2 are Mexico
        return language.say("You may keep the {face} and roll the other die.", face=new[0]) if new else ""

    def _left(self, language: Language, game: Mexico, state: MexicoRound) -> str:
        """Return the rolls left in the turn. After a Mexico there are none."""
        left = 0 if game.legal(state) == (Keep(state.free),) else state.limit - state.rolls
        return rolls_left(language, left)

    def status(self, language: Language, game: Mexico, state: MexicoRound, names: tuple[str, ...]) -> list[str]:
        """Return the rolls left, and the lowest and the highest score of the round so far."""
        return [
            self._left(language, game, state),
            *(self.to_beat(language, game, state, names) if state.scores else []),
        ]

    def ladder(self, language: Language, game: Mexico, state: MexicoRound) -> Ladder:
        """Return eight of the 21 scores as rungs.

        The mover's score and the round's lowest score so far replace the ``LANDMARKS`` nearest to them.
        """
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
        """Say which dice to mark instead."""
        if rule == "nothing-rolled":
            return language.say("Both stay: stop, or tap one")
        return language.say("Only a 1 or a 2 can stay") if rule == "hold" else language.say("Roll both, or stop")

    def to_beat(self, language: Language, game: Mexico, state: MexicoRound, names: tuple[str, ...]) -> list[str]:
        """Return the lowest and the highest score of the round so far, with the seats that have them.

        If the two are equal, say also that the mover needs more. Before the first score, name the opener.
        """
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
        """Return the scores of the seats that have finished."""
        done = [
            language.about("{name} has {score}", "you have {score}", name, score=self.score(language, game, score))
            for name, score in zip(names, state.scores, strict=False)
        ]
        return [language.say("So far: {scores}.", scores=", ".join(done))] if done else []

    def stand(self, language: Language, game: Mexico, state: MexicoRound, seat: int, marked: Hand) -> str:
        """Return the seat's score. For the mover, return the score of the dice on the table.

        For a seat that has not rolled yet, return "".
        """
        if seat < len(state.scores):
            return self.score(language, game, state.scores[seat])
        return self._called(language, game, state.free) if seat == len(state.scores) and state.free else ""

    def choice(self, language: Language, game: Mexico, state: MexicoRound, action: Keep) -> str:
        """Name an action: to stop, to roll both dice again, or to keep one die."""
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
        """Explain why ``other`` is worse than ``best``: it is lowest more often, or else it ties more often.

        With more than two seats, return "", because the facts do not tell which seat is the lowest.
        """
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
        """Return the mover's chance to be the lowest of two seats.

        With more seats, return its chance to be the highest.

        The facts give only the chances to win and to tie. With two seats, the chance to be the lowest follows from
        them.
        """
        if not {"win", "share"} <= facts.keys():
            return []
        text, chance = "Chance to be highest: {chance}, to tie: {tie}.", facts["win"]
        if state.seats == TWO:
            text, chance = "Chance to be lowest: {chance}, to tie: {tie}.", _lowest(facts)
        return [language.say(text, chance=language.per_cent(chance), tie=language.per_cent(facts["share"]))]

    def verbs(self, language: Language) -> list[tuple[str, str]]:
        """Return the keys for rolling again and for stopping."""
        return [("r", language.say("roll again")), ("b", language.say("stop: the dice count as they lie"))]


def _lowest(facts: Mapping[str, float]) -> float:
    """Return the mover's chance to be the lowest of two seats: the chance that the other seat wins alone."""
    return max(0.0, 1 - facts["win"] - facts["share"])
