"""Crew, a test game: a small Ship, Captain and Crew in which most keeps are forced.

The dice keep a 6, a 5 and a 4 as they fall, in that order. Until all three are kept, the player has no choice. Then the
player keeps both other dice, or rolls both again. A turn has at most three rolls. Its score is the sum of the two dice.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from pubdice.core.dice import Hand, together, without
from pubdice.core.game import Game, Keep, RoundState, TurnGame, Verb, uniform
from pubdice.kit import Kit
from pubdice.match.formats import ROUNDS
from pubdice.text.game_words import PlainWords
from pubdice.text.language import Language, faces, localized_facts

MOST_ROLLS = 3
ABOARD = (4, 5, 6)


def gained(locked: Hand, free: Hand) -> Hand:
    """Return the free dice that the player must keep. The search goes through 6, 5 and 4, skips locked faces, and stops
    at the first face that is not free.

    >>> gained((), (1, 4, 6, 6, 6)), gained((6,), (1, 2, 4, 5)), gained((4, 5, 6), (4, 5))
    ((6,), (4, 5), ())
    """
    found: Hand = ()
    for face in (6, 5, 4):
        if face in locked:
            continue
        if face not in free:
            break
        found = together(found, (face,))
    return found


@dataclass(frozen=True, slots=True)
class Crew(TurnGame):
    """The rules of Crew. After the third roll all dice are kept."""

    number_of_dice: ClassVar[int] = 5
    one_turn_each: ClassVar[bool] = True

    def worth(self, hand: Hand) -> int:
        aboard = all(face in hand for face in ABOARD)
        return sum(hand) - sum(ABOARD) if aboard else 0

    def roll(self, state: RoundState, hand: Hand) -> RoundState:
        free = self.rolled(state, hand)
        return RoundState(state.seats, state.scores, state.locked, free, state.rolls + 1)

    def legal(self, state: RoundState) -> tuple[Keep, ...]:
        if not state.free:
            return ()
        held = gained(state.locked, state.free)
        if state.rolls == MOST_ROLLS:
            return (Keep(state.free),)
        if len(state.locked) + len(held) < len(ABOARD):
            return (Keep(held),)
        return (Keep(held), Keep(state.free))

    def play(self, state: RoundState, action: Keep) -> RoundState:
        if action not in self.legal(state):
            self._refuse(state, action)
        locked = together(state.locked, action.dice)
        if len(locked) < self.number_of_dice:
            return RoundState(state.seats, state.scores, locked, (), state.rolls)
        return self.scored(state, locked)

    def choose(self, state: RoundState, verb: Verb, kept: Hand) -> Keep:
        if verb == "roll" and not kept and state.free:
            return Keep(gained(state.locked, state.free))
        return TurnGame.choose(self, state, verb, kept)


def tip(game: Game[RoundState, Keep], state: RoundState) -> tuple[tuple[Keep, int], ...]:
    """Keep the other two dice if their sum is 8 or more."""
    *_, whole = game.legal(state)
    cargo = without(whole.dice, gained(state.locked, state.free))
    return ((whole if sum(cargo) >= 8 else game.legal(state)[0], 1),)


class CrewWords(PlainWords[Crew]):
    title = "Crew"
    tagline = "6, 5, 4, then two dice that count"

    def action_sentences(self, language: Language, game: Any, name: str, before: Any, action: Any) -> list[str]:
        if not action.dice:
            return [language.about("{name} kept nothing.", "You kept nothing.", name)]
        kept = faces(action.dice[::-1])
        return [language.about("{name} kept {dice}.", "You kept {dice}.", name, dice=kept)]

    def to_roll(self, language: Language, game: Any, state: Any) -> str:
        return language.say("Roll {number} of {limit}.", number=state.rolls + 1, limit=MOST_ROLLS)

    def ask(self, language: Language, game: Any, state: Any) -> str:
        return language.say("All aboard. Roll the two dice again, or keep them?")

    def todo(self, language: Language, game: Any, state: Any) -> str:
        return language.say("roll the two dice again, or keep them")

    def status(self, language: Language, game: Any, state: Any, names: tuple[str, ...]) -> list[str]:
        return self.to_beat(language, game, state, names)

    def to_beat(self, language: Language, game: Any, state: Any, names: tuple[str, ...]) -> list[str]:
        return [language.say("{most} leads.", most=max(state.scores))] if state.scores else []

    def scores(self, language: Language, game: Any, state: Any, names: tuple[str, ...]) -> list[str]:
        points = zip(names, state.scores, strict=False)
        return [language.about("{name} has {score}", "you have {score}", name, score=score) for name, score in points]

    def choice(self, language: Language, game: Any, state: Any, action: Any) -> str:
        return language.say("keep both" if action.dice == state.free else "roll the two dice again")

    def verbs(self, language: Language) -> list[tuple[str, str]]:
        return [("r", "roll the two dice again"), ("b", "keep them")]

    def refusal(self, language: Language, game: Any, rule: str, facts: Mapping[str, Any]) -> str | None:
        text = "In Crew you keep 6, 5 and 4 as they come, then both other dice or none."
        return language.say(text, **localized_facts(facts, language)) if rule == "not-free" else None


KIT = Kit(
    name="crew",
    options=(),
    build=lambda options: Crew(),
    formats=(ROUNDS,),
    names=("Ann", "Bob"),
    draws_from=0,
    words=CrewWords(),
    policies={"tip": tip, "lucky": uniform},
    rules=lambda code: "Keep a 6, a 5 and a 4, in that order. Then the two other dice are your score; three rolls.",
)
