"""What 420 says while it is played: keeps, hands and prompts, and the sum of a hand against 20."""

from collections.abc import Mapping
from typing import Any

from pubdice.core.dice import Hand, together
from pubdice.core.game import Keep
from pubdice.games.fourtwenty.rules import DICE, TARGET, FourTwenty, RoundState, legal_keeps
from pubdice.games.fourtwenty.words import advice
from pubdice.games.fourtwenty.words.refusals import REFUSALS, foundation
from pubdice.games.fourtwenty.words.standing import hands as told_hands
from pubdice.text.game_words import Beam, Confirmation
from pubdice.text.language import Language, faces
from pubdice.text.plain_words import PlainWords


class FourTwentyWords(PlainWords[FourTwenty]):
    """What 420 says: its sentences, beam, labels and questions. Hands are read out from the highest die (Steere)."""

    title = "420"
    tagline = "first to make exactly 20"
    sides = ("Red", "Blue")
    refusals = REFUSALS
    falling = True

    def told(self, language: Language, game: FourTwenty, name: str, before: RoundState, action: Keep) -> list[str]:
        """What stays, or why nothing may."""
        hand = before.hands[before.mover]
        if len(legal_keeps(hand)) == 1:
            return [self._goes_back(language, hand, name)]
        if not action.dice:
            return [language.about("{name} rerolls all four.", "You reroll all four.", name)]
        return super().told(language, game, name, before, action)

    def _goes_back(self, language: Language, hand: Hand, name: str) -> str:
        """Why all four must be rolled again."""
        facts: dict[str, Any] = {"hand": faces(hand[::-1]), "total": sum(hand)}
        if sum(hand) > TARGET:
            text = "{name} has {total}: too many. All four go back.", "You have {total}: too many. All four go back."
            return language.about(*text, name, **facts)
        text = "{name} can keep none of {hand}. All four go back.", "You can keep none of {hand}. All four go back."
        return language.about(*text, name, **facts)

    def rolled(
        self, language: Language, game: FourTwenty, name: str, before: RoundState, dice: tuple[int, ...]
    ) -> list[str]:
        """The hand that makes, and what it means."""
        hand = together(before.kept or (), tuple(sorted(dice)))
        facts: dict[str, Any] = {"hand": faces(hand[::-1]), "total": sum(hand)}
        all_new, about = len(dice) == DICE, language.about
        if facts["total"] == TARGET:
            if all_new:
                return [about("{name} has exactly 20!", "You have exactly 20!", name)]
            return [about("{name} has {hand}: exactly 20!", "You have {hand}: exactly 20!", name, **facts)]
        if facts["total"] > TARGET:
            if all_new:
                return [about("{name} has {total}: too many.", "You have {total}: too many.", name, **facts)]
            return [
                about("{name} has {hand}: {total}, too many.", "You have {hand}: {total}, too many.", name, **facts)
            ]
        if all_new:
            return [about("{name} has {total}.", "You have {total}.", name, **facts)]
        return [about("{name} has {hand}: {total}.", "You have {hand}: {total}.", name, **facts)]

    def to_roll(self, language: Language, game: FourTwenty, state: RoundState) -> str:
        """How many dice are rolled, and what stays."""
        said = language.count("Roll {number} die.", "Roll {number} dice.", game.to_roll(state))
        if not state.kept:
            return said
        return language.say("You keep {dice}. {said}", said=said, dice=faces(state.kept[::-1]))

    def ask(self, language: Language, game: FourTwenty, state: RoundState) -> str:
        """The hand, and what to keep of it."""
        hand = state.hands[state.mover]
        text = "You have {hand}: {total}. Which dice do you keep?"
        return language.say(text, hand=faces(hand[::-1]), total=sum(hand))

    def todo(self, language: Language, game: FourTwenty, state: RoundState) -> str:
        """What the mover does: reroll, as every turn after the first does."""
        return language.say("keep or reroll")

    def hint(self, language: Language, game: FourTwenty, state: RoundState) -> str:
        """Which dice make a foundation, for the mover who must choose."""
        return language.say("One stays from 5, two from 10, three from 15.")

    def status(self, language: Language, game: FourTwenty, state: RoundState, names: tuple[str, ...]) -> list[str]:
        """What the mover has, and what may stay of it."""
        name, hand = names[state.mover], state.hands[state.mover]
        about = language.about
        if not hand:
            return [language.say("Exactly 20 wins.")]
        if state.kept:
            return [self._exactly(language, state)]
        if state.kept is None:
            has = about("{name} has {total}.", "You have {total}.", name, total=sum(hand))
            return [has] if name else [has, self.hint(language, game, state)]
        if len(legal_keeps(hand)) > 1:
            return [about("{name} rerolls all four.", "You reroll all four.", name)]
        if name or sum(hand) <= TARGET:
            return [self._goes_back(language, hand, name)]
        return [language.say("{total}: too many. All four go back, and 20 still wins.", total=sum(hand))]

    def _exactly(self, language: Language, state: RoundState) -> str:
        """What the dice still to be rolled must make."""
        kept = state.kept or ()
        one, many = "Exactly {lack} with {number} die wins.", "Exactly {lack} with {number} dice wins."
        return language.count(one, many, DICE - len(kept), lack=TARGET - sum(kept))

    def beam(self, language: Language, game: FourTwenty, state: RoundState, name: str, marked: Hand) -> Beam | None:
        """The hand's total against 20; of dice about to be joined by others, theirs."""
        hand = state.hands[state.mover]
        forced = state.kept == () and len(legal_keeps(hand)) == 1
        value = sum(hand if state.kept is None or forced else state.kept)
        said = language.about("{name} has {total} of 20.", "You have {total} of 20.", name, total=value)
        return Beam(value, TARGET, 6 * DICE, language.say("20 wins"), said)

    def missing(self, language: Language, game: FourTwenty, rule: str, facts: Mapping[str, Any]) -> str:
        """How much must be kept with so many dice."""
        if rule == "reroll-one":
            return language.say("Reroll one die or more")
        if rule != "foundation":
            return ""
        text = "Keep at least {least} with one die", "Keep at least {least} with {number} dice"
        return language.count(*text, len(facts["dice"]), least=facts["least"])

    def question(self, language: Language, game: FourTwenty, state: RoundState) -> Confirmation | None:
        """Whether the whole hand is thrown away."""
        total = sum(state.hands[state.mover])
        return Confirmation(
            language.say("Reroll all four…"),
            language.say("Throw away {total}?", total=total),
            language.say("Reroll all four"),
            language.say("Go back"),
        )

    def to_beat(self, language: Language, game: FourTwenty, state: RoundState, names: tuple[str, ...]) -> list[str]:
        """What the mover needs, and how the other hands stand."""
        hand, hands = state.hands[state.mover], told_hands(language, state, names, but=state.mover)
        if not hand and not any(state.hands):
            name = names[state.mover]
            return [language.about("{name} goes first.", "You go first.", name), language.say("Exactly 20 wins.")]
        if state.kept:
            return [self._exactly(language, state), *hands]
        name, wins = names[state.mover], language.say("Exactly 20 wins.")
        if state.kept is None:
            return [language.about("{name} has {total}.", "You have {total}.", name, total=sum(hand)), wins, *hands]
        return [*([self._goes_back(language, hand, name)] if len(legal_keeps(hand)) == 1 else []), wins, *hands]

    def scores(self, language: Language, game: FourTwenty, state: RoundState, names: tuple[str, ...]) -> list[str]:
        """Every hand on the table."""
        return told_hands(language, state, names)

    def stand(self, language: Language, game: FourTwenty, state: RoundState, seat: int, marked: Hand) -> str:
        """What the hand totals, and if that is too many."""
        hand = state.hands[seat]
        if seat == state.mover and state.kept:
            hand = state.kept
        if not hand:
            return ""
        return language.say("{total}, too many", total=sum(hand)) if sum(hand) > TARGET else str(sum(hand))

    def choice(self, language: Language, game: FourTwenty, state: RoundState, action: Keep) -> str:
        """The dice to keep."""
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
        """By this roll's chance to win and to go over."""
        return advice.why(language, best, other)

    def chance(self, language: Language, game: FourTwenty, state: RoundState, facts: Mapping[str, float]) -> list[str]:
        """To win with the next roll."""
        return advice.chance(language, facts)

    def verbs(self, language: Language) -> list[tuple[str, str]]:
        """Only rolling: every turn rerolls."""
        return [("r", language.say("keep what is marked, and reroll the others"))]

    def refusal(self, language: Language, game: FourTwenty, rule: str, facts: Mapping[str, Any]) -> str | None:
        """Why 420 forbids it, and what may be kept."""
        if rule == "foundation":
            return foundation(language, facts, self.told_facts(language, facts))
        return super().refusal(language, game, rule, facts)
