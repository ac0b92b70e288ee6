"""The words of 420: hands, prompts, the bar of the total, refusals, and reasons why one keep is better than another."""

from collections.abc import Mapping
from functools import lru_cache, partial
from typing import Any

from pubdice.core.dice import Hand, together
from pubdice.core.game import Keep
from pubdice.games.fourtwenty.rules import DICE, TARGET, FourTwenty, RoundState, legal_keeps
from pubdice.text.game_words import Beam, Confirmation, PlainWords, keep_words, other_keeps
from pubdice.text.language import Language, Sentence, difference, faces, weighed

HAS = {
    (True, -1): ("{name} has {total}.", "You have {total}."),
    (True, 0): ("{name} has exactly 20!", "You have exactly 20!"),
    (True, 1): ("{name} has {total}: too many.", "You have {total}: too many."),
    (False, -1): ("{name} has {hand}: {total}.", "You have {hand}: {total}."),
    (False, 0): ("{name} has {hand}: exactly 20!", "You have {hand}: exactly 20!"),
    (False, 1): ("{name} has {hand}: {total}, too many.", "You have {hand}: {total}, too many."),
}
"""Sentences on a seat's hand, each with a form by name and a form with "you". Two facts are the key.

The first fact is True if all dice of the hand are new, because they have just been read out. The second is -1 below 20,
0 at 20 and 1 over 20.
"""
TOTAL, HAND = HAS[True, -1], HAS[False, -1]
LIES = "{name}: {hand}, {total}.", "You have {hand}: {total}."
LIES_OVER = "{name}: {hand}, {total}, too many.", "You have {hand}: {total}, too many."
"""The sentence on a hand over 20 in a list of hands. ``LIES`` is for all other hands."""
LEAST_CHANCE = 0.0005
WHY = {
    "win_now": ("{amount} more chance to win with this roll", "{amount} less chance to win with this roll"),
    "over": ("{amount} more chance to go over", "{amount} less chance to go over"),
}
"""The chances that can be a reason for a keep. Each has two sentences: its chance is higher, or lower."""
CHANCES = {
    "winning": (
        "Chance of winning: {value}. There is nothing to choose: all four are rolled.",
        "{choice}: {value}, the chance of winning. The roll wins with {win_now} and goes over with {over}.",
    ),
    "not buying": (
        "Chance of not buying: {value}. There is nothing to choose: all four are rolled.",
        "{choice}: {value}, the chance of not buying. The roll wins with {win_now} and goes over with {over}.",
    ),
}
"""Sentences on a position, by the utility: one if there is no choice, and one on the best keep."""
LINES = 4096
"""The size of the cache of sentences about hands. A move changes only one hand, so most sentences are said again."""


class FourTwentyWords(PlainWords[FourTwenty]):
    """The words of 420. Hands are read out from the highest die down (Steere)."""

    title = "420"
    tagline = "first to make exactly 20"
    sides = ("Red", "Blue")
    refusals: Mapping[str, Sentence] = {
        "not-free": "{dice} is not in the hand: {free}.",
        "reset": "{total} is too many. Reroll all four dice and keep none.",
        "reroll-one": "At least one die must be rerolled each turn: keep three at most.",
        "no-bank": "There is no banking in 420: every turn rerolls at least one die.",
    }
    falling = True

    def aim(self, language: Language, game: FourTwenty) -> str:
        """Return the aim: exactly 20."""
        return language.say("Exactly 20 wins.")

    def action_sentences(
        self, language: Language, game: FourTwenty, name: str, before: RoundState, action: Keep
    ) -> list[str]:
        """Say which dice the mover keeps, or why all four must go back."""
        hand = before.hands[before.mover]
        if len(legal_keeps(hand)) == 1:
            return [self._goes_back(language, hand, name)]
        if not action.dice:
            return [language.about("{name} rerolls all four.", "You reroll all four.", name)]
        return super().action_sentences(language, game, name, before, action)

    def _goes_back(self, language: Language, hand: Hand, name: str) -> str:
        text = "{name} can keep none of {hand}. All four go back.", "You can keep none of {hand}. All four go back."
        if sum(hand) > TARGET:
            text = "{name} has {total}: too many. All four go back.", "You have {total}: too many. All four go back."
        return _has(language, hand, name, text)

    def rolled(
        self, language: Language, game: FourTwenty, name: str, before: RoundState, dice: tuple[int, ...]
    ) -> list[str]:
        """Return the new hand and its total, with "exactly 20" or "too many"."""
        hand = together(before.kept or (), tuple(sorted(dice)))
        text = HAS[len(dice) == DICE, (sum(hand) > TARGET) - (sum(hand) < TARGET)]
        return [_has(language, hand, name, text)]

    def stands(self, language: Language, game: FourTwenty, state: RoundState) -> list[str]:
        """Return the dice that the mover keeps, or the hand from which to choose."""
        if state.kept is None:
            return [_has(language, state.hands[state.mover], "", HAND)]
        return [language.say("You keep {dice}.", dice=self.faces(state.kept))] if state.kept else []

    def todo(self, language: Language, game: FourTwenty, state: RoundState) -> str:
        """Return the mover's task in a few words."""
        return language.say("keep or reroll")

    def hint(self, language: Language, game: FourTwenty, state: RoundState) -> str:
        """Say which dice of the mover's hand may stay. Single dice are named by their face."""
        legal = [keep.dice for keep in legal_keeps(state.hands[state.mover]) if keep.dice]
        alone = [str(dice[0]) for dice in reversed(legal) if len(dice) == 1]
        may = [language.say("{dice} alone", dice=language.join(alone, "{some} or {last}"))] if alone else []
        several = {2: "two from 10", 3: "three from 15"}
        may += [language.say(text) for number, text in several.items() if any(len(dice) == number for dice in legal)]
        return language.say("You may keep {dice}.", dice=language.join(may, "{some} or {last}")) if may else ""

    def status(self, language: Language, game: FourTwenty, state: RoundState, names: tuple[str, ...]) -> list[str]:
        """Return the mover's hand, and the dice in it that may stay. After a keep, return the sum still to roll."""
        name, hand = names[state.mover], state.hands[state.mover]
        if not hand:
            return [language.say("Exactly 20 wins.")]
        if state.kept:
            return [self._exactly(language, state)]
        if state.kept is None:
            chooses = not name and sum(hand) <= TARGET
            hint = self.hint(language, game, state) if chooses else ""
            return [_has(language, hand, name), *([hint] if hint else [])]
        if len(legal_keeps(hand)) > 1:
            return [language.about("{name} rerolls all four.", "You reroll all four.", name)]
        if name or sum(hand) <= TARGET:
            return [self._goes_back(language, hand, name)]
        return [language.say("{total}: too many. All four go back, and 20 still wins.", total=sum(hand))]

    def _exactly(self, language: Language, state: RoundState) -> str:
        """Return the sum that wins with the dice still to roll."""
        kept = state.kept or ()
        one, many = "Exactly {lack} with {number} die wins.", "Exactly {lack} with {number} dice wins."
        return language.count(one, many, DICE - len(kept), lack=TARGET - sum(kept))

    def beam(self, language: Language, game: FourTwenty, state: RoundState, name: str, marked: Hand) -> Beam | None:
        """Return the bar of the total against 20. After the mover has chosen dice to keep, only these count."""
        hand = state.hands[state.mover]
        forced = state.kept == () and len(legal_keeps(hand)) == 1
        value = sum(hand if state.kept is None or forced else state.kept)
        said = language.about("{name} has {total} of 20.", "You have {total} of 20.", name, total=value)
        return Beam(value, TARGET, 6 * DICE, language.say("20 wins"), said)

    def missing(self, language: Language, game: FourTwenty, rule: str, facts: Mapping[str, Any]) -> str:
        """Return the least total that this number of kept dice must have."""
        if rule == "reroll-one":
            return language.say("Reroll one die or more")
        if rule != "foundation":
            return ""
        text = "Keep at least {least} with one die", "Keep at least {least} with {number} dice"
        return language.count(*text, len(facts["dice"]), least=facts["least"])

    def question(self, language: Language, game: FourTwenty, state: RoundState) -> Confirmation | None:
        """Return the question to ask before the whole hand is thrown away."""
        total = sum(state.hands[state.mover])
        return Confirmation(
            language.say("Reroll all four…"),
            language.say("Throw away {total}?", total=total),
            language.say("Reroll all four"),
            language.say("Go back"),
        )

    def to_beat(self, language: Language, game: FourTwenty, state: RoundState, names: tuple[str, ...]) -> list[str]:
        """Return the mover's hand or the sum it still needs, the aim, and the hands of all other seats."""
        name, hand = names[state.mover], state.hands[state.mover]
        if state.kept:
            return [self._exactly(language, state), *_hands_sentences(language, state, names, but=state.mover)]
        said = [] if any(state.hands) else super().to_beat(language, game, state, names)
        if state.kept is None:
            said = [_has(language, hand, name)]
        elif hand and len(legal_keeps(hand)) == 1:
            said = [self._goes_back(language, hand, name)]
        return [*said, language.say("Exactly 20 wins."), *_hands_sentences(language, state, names, but=state.mover)]

    def scores(self, language: Language, game: FourTwenty, state: RoundState, names: tuple[str, ...]) -> list[str]:
        """Return a sentence on every hand on the table."""
        return _hands_sentences(language, state, names)

    def stand(self, language: Language, game: FourTwenty, state: RoundState, seat: int, marked: Hand) -> str:
        """Return the total of the seat's hand, and a note if it is over 20.

        While the mover rolls, only kept dice count.
        """
        hand = state.hands[seat]
        if seat == state.mover and state.kept:
            hand = state.kept
        if not hand:
            return ""
        return language.say("{total}, too many", total=sum(hand)) if sum(hand) > TARGET else str(sum(hand))

    def choice(self, language: Language, game: FourTwenty, state: RoundState, action: Keep) -> str:
        """Name the dice to keep."""
        if not action.dice:
            return language.say("reroll all four")
        return super().choice(language, game, state, action)

    def why(
        self,
        language: Language,
        game: FourTwenty,
        state: RoundState,
        best: Mapping[str, float],
        other: Mapping[str, float],
    ) -> str:
        """Explain why ``other`` is worse than ``best``, by this roll's chances to win and to go over."""
        return why(language, best, other)

    def chance(self, language: Language, game: FourTwenty, state: RoundState, facts: Mapping[str, float]) -> list[str]:
        """Return sentences with the chances that this roll wins and that it goes over."""
        texts = {"win_now": "This roll wins with {chance}.", "over": "It goes over with {chance}."}
        return [language.say(texts[fact], chance=language.per_cent(facts[fact])) for fact in texts if fact in facts]

    def verbs(self, language: Language) -> list[tuple[str, str]]:
        """Return the one key for rolling. Every turn rerolls, so there is no banking."""
        return [("r", language.say("keep what is marked, and reroll the others"))]

    def refusal(self, language: Language, game: FourTwenty, rule: str, facts: Mapping[str, Any]) -> str | None:
        """Say why the keep is forbidden in 420, and which keeps are allowed."""
        if rule != "foundation":
            return super().refusal(language, game, rule, facts)
        told = self.localized_facts(language, facts)
        said = language.count(
            "A single die kept must show at least {least}. {dice} does not.",
            "{number} dice kept must total at least {least}. {dice} total {total}.",
            len(facts["dice"]),
            **told,
        )
        allowed = [self.faces(keep.dice) or language.say("none") for keep in legal_keeps(tuple(sorted(facts["free"])))]
        text = "{rule} You may keep {allowed}."
        return language.say(text, rule=said, allowed=language.join(allowed, "{some} or {last}"))


def why(language: Language, best: Mapping[str, float], other: Mapping[str, float]) -> str:
    """Explain in a clause why ``other`` is worse than ``best``, by this roll's chances to win and to go over.

    If ``other`` has the better chances, it must leave a worse hand to go on with, so the clause says that.
    """
    gains: list[str] = []
    costs: list[str] = []
    for fact, (more, less) in WHY.items():
        change = difference(best, other, fact, LEAST_CHANCE)
        if change:
            said = language.say(more if change > 0 else less, amount=language.per_cent(abs(change)))
            (gains if (change > 0) == (fact == "win_now") else costs).append(said)
    return weighed(language, gains, costs or ([language.say("a worse hand to go on with")] if gains else []))


def _hands_sentences(
    language: Language, state: RoundState, names: tuple[str, ...], but: int | None = None
) -> list[str]:
    """Return a sentence for every hand that has been rolled, except the hand of seat ``but``."""
    seats = enumerate(zip(names, state.hands, strict=True))
    return [
        _has(language, hand, name, LIES_OVER if sum(hand) > TARGET else LIES)
        for seat, (name, hand) in seats
        if seat != but and hand
    ]


@lru_cache(maxsize=LINES)
def _has(language: Language, hand: Hand, name: str, text: tuple[str, str] = TOTAL) -> str:
    return language.about(*text, name, hand=faces(hand[::-1]), total=sum(hand))


def tell_hands(language: Language, data: Mapping[str, Any]) -> list[str]:
    """Return a sentence for each keep, from the best down, with its value, its loss and the reason."""
    value, (alone, text) = language.per_cent(data["value"]), CHANCES[data["utility"]]
    if not data["actions"]:
        return [language.say(alone, value=value)]
    best = data["actions"][0]
    now = {"win_now": language.per_cent(best["win_now"]), "over": language.per_cent(best["over"])}
    first = language.say(text, choice=keep_words(language, best), value=language.per_cent(best["value"]), **now)
    return [first, *other_keeps(language, data["actions"], language.per_cent, partial(why, language))]
