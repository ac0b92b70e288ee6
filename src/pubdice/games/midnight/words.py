"""What Midnight says: keeps, scores, prompts and refusals, in sentences made to be heard."""

from collections.abc import Mapping
from typing import Any

from pubdice.dice import together
from pubdice.game import Keep
from pubdice.games.midnight.rules import BEST, DICE, Midnight, Turns, counted, lacking
from pubdice.words import Language, Sentence, faces, told_facts

REFUSALS: dict[str, Sentence] = {
    "keep-one": "Keep at least one of the dice just rolled: {free}.",
    "not-free": "{dice} is not among the dice just rolled: {free}.",
    "bank-early": (
        "Too early to bank: one of the dice just rolled is not kept. Keep it too, or roll it again.",
        "Too early to bank: {number} of the dice just rolled are not kept. Keep them too, or roll them again.",
        "undecided",
    ),
}


class MidnightWords:
    """Midnight in words."""

    title = "Midnight"
    tagline = "six dice, a 1 and a 4 to qualify, 24 at best"

    def options(self, language: Language, game: Midnight) -> str:
        """Which pair qualifies."""
        return language.say("a {first} and a {second} to qualify", first=game.need[0], second=game.need[1])

    def told(self, language: Language, game: Midnight, name: str, before: Turns, action: Keep) -> list[str]:
        """What was kept; at the end of a turn its score, or what was lacking."""
        if len(before.free) == 1:
            said = [language.say("The last die, {dice}, is kept.", dice=faces(action.dice))]
        else:
            said = [language.say("{name} kept {dice}.", name=name, dice=faces(action.dice))]
        hand = together(before.locked, action.dice)
        if len(hand) < DICE:
            return said
        missing = lacking(hand, game.need)
        if missing:
            lack = language.join(language.say("no {face}", face=face) for face in missing)
            return [
                *said,
                language.say("{name} missed: {lack} in {hand}. Score 0.", name=name, lack=lack, hand=faces(hand)),
            ]
        dice = faces(counted(hand, game.need)[::-1])
        return [*said, language.say("{name} scored {score}: {dice}.", name=name, score=game.worth(hand), dice=dice)]

    def rolled(self, language: Language, game: Midnight, before: Turns, dice: tuple[int, ...]) -> list[str]:
        """Nothing beyond the dice themselves."""
        return []

    def to_roll(self, language: Language, game: Midnight, state: Turns) -> str:
        """How many dice, and where the turn stands."""
        due = game.to_roll(state)
        said = language.count("{number} die to roll", "{number} dice to roll", due)
        return (
            language.say("{said}; {stand}", said=said, stand=self._stand(language, game, state))
            if state.locked
            else said
        )

    def ask(self, language: Language, game: Midnight, state: Turns) -> str:
        """What to keep, and where the turn stands."""
        if not state.locked:
            return language.say("Keep which?")
        return language.say("{stand}. Keep which?", stand=self._stand(language, game, state))

    def _stand(self, language: Language, game: Midnight, state: Turns) -> str:
        missing = lacking(state.locked, game.need)
        if not missing:
            return language.say("locked {dice}, qualified", dice=faces(state.locked))
        lack = language.join(language.say("a {face}", face=face) for face in missing)
        return language.say("locked {dice}, lacking {lack}", dice=faces(state.locked), lack=lack)

    def to_beat(self, language: Language, game: Midnight, state: Turns, names: tuple[str, ...]) -> list[str]:
        """The best score so far and how many are still to come after the mover."""
        best = max(state.scores, default=0)
        said = []
        if not state.scores:
            said.append(language.say("Nothing to beat yet: this turn is the first of the round."))
        elif not best:
            said.append(language.say("Nobody has qualified yet: any score leads."))
        else:
            leaders = language.join(name for name, score in zip(names, state.scores, strict=False) if score == best)
            if best == BEST:
                said.append(language.say("{score} by {names} cannot be beaten, only tied.", score=best, names=leaders))
            else:
                said.append(
                    language.say("To beat: {score} by {names}; {more} leads.", score=best, names=leaders, more=best + 1)
                )
        after = state.seats - len(state.scores) - 1
        if after > 0:
            said.append(language.count("{number} seat to come.", "{number} seats to come.", after))
        return said

    def scores(self, language: Language, game: Midnight, state: Turns, names: tuple[str, ...]) -> list[str]:
        """Every seat's score this round."""
        told = []
        for seat, name in enumerate(names):
            if seat < len(state.scores):
                score = state.scores[seat]
                told.append(language.say("{name} scored {score}" if score else "{name} missed", name=name, score=score))
            else:
                told.append(language.say("{name} not done yet", name=name))
        return [language.say("This round: {scores}.", scores=", ".join(told))]

    def verbs(self, language: Language) -> list[tuple[str, str]]:
        """Both: banking ends a turn once all dice are kept."""
        return [
            ("r", language.say("keep what is marked, and roll the others")),
            ("b", language.say("bank: end the turn, once every die is kept")),
        ]

    def refusal(self, language: Language, game: Midnight, rule: str, facts: Mapping[str, Any]) -> str | None:
        """Why Midnight forbids it."""
        return language.tell(REFUSALS[rule], told_facts(facts, language)) if rule in REFUSALS else None
