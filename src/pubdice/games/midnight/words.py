"""The words of Midnight: its name, its house rules, the dice that score, and the rolls left under a limit."""

from pubdice.core.dice import Hand
from pubdice.core.game import Keep, RoundState
from pubdice.games.midnight.rules import DICE, Midnight, MidnightFollow, counted
from pubdice.text.game_words import rolls_for_others, rolls_left, rolls_to_set, rolls_you_have
from pubdice.text.language import Language
from pubdice.text.turn_words import TurnWords


class MidnightWords(TurnWords[Midnight]):
    """The words of Midnight. A turn needs a pair of faces, and the other four dice score."""

    title = "Midnight"
    tagline = "get 1 and 4, then score high"

    def aim(self, language: Language, game: Midnight) -> str:
        """Return the aim, with the pair of faces needed at this table."""
        first, second = game.need
        return language.say("Get {first} and {second}, then score high.", first=first, second=second)

    def options(self, language: Language, game: Midnight) -> str:
        """Return the pair that qualifies. If the opener's rolls limit the others, say that too."""
        pair = language.say("you need a {first} and a {second}", first=game.need[0], second=game.need[1])
        if isinstance(game, MidnightFollow):
            return language.say("{pair}, and no player rolls more often than the opener", pair=pair)
        return pair

    def red(self, game: Midnight) -> tuple[int, ...]:
        """Return the pair of needed faces. Their dice are shown in red."""
        return game.need

    def counted(self, game: Midnight, hand: Hand) -> Hand:
        """Return the dice that score: all but the needed pair."""
        return counted(hand, game.need)

    def action_sentences(
        self, language: Language, game: Midnight, name: str, before: RoundState, action: Keep
    ) -> list[str]:
        """Say which dice the mover keeps, and the score once the turn ends.

        After the opener's turn under a limit, a last sentence tells the others how many rolls they have.
        """
        said = super().action_sentences(language, game, name, before, action)
        if isinstance(game, MidnightFollow) and action.dice == before.free and not before.scores and before.seats > 1:
            said.append(rolls_for_others(language, before.seats, before.rolls))
        return said

    def keeps(self, language: Language, game: Midnight, name: str, before: RoundState, action: Keep) -> list[str]:
        """Say which dice the mover keeps.

        After a last roll of several dice, return nothing, because ``rolled`` has already said that all of them stay.
        """
        return [] if before.limit and _last(before) else super().keeps(language, game, name, before, action)

    def rolled(
        self, language: Language, game: Midnight, name: str, before: RoundState, dice: tuple[int, ...]
    ) -> list[str]:
        """Say that all dice stay, if this is the last roll under a limit and has several dice."""
        if before.limit and before.rolls + 1 == before.limit and len(dice) > 1:
            return [language.say("The last roll: all dice stay.")]
        return []

    def stands(self, language: Language, game: Midnight, state: RoundState) -> list[str]:
        """Return the locked dice and the faces still needed. Under a limit, return the number of rolls too."""
        said = super().stands(language, game, state)
        if not isinstance(game, MidnightFollow) or state.seats == 1:
            return said
        if state.scores:
            return [*said, rolls_you_have(language, _rolls(state))]
        return said if state.rolls else [*said, rolls_to_set(language, state.limit)]

    def to_choose(self, language: Language, game: Midnight, state: RoundState) -> list[str]:
        """Return the faces still needed, and the question which dice to keep.

        Under a limit, the rolls left come first.
        """
        said = super().to_choose(language, game, state)
        return [*_left(language, state), *said] if state.limit else said

    def status(self, language: Language, game: Midnight, state: RoundState, names: tuple[str, ...]) -> list[str]:
        """Return the mover's needed faces and the score to beat. Under a limit, return the rolls left too."""
        said = super().status(language, game, state, names)
        return [*said, *_left(language, state)] if state.limit else said


def _last(before: RoundState) -> bool:
    return before.rolls == before.limit and len(before.free) > 1


def _left(language: Language, state: RoundState) -> list[str]:
    """Return the rolls left under a limit, for every seat but the opener. Return nothing for the opener."""
    return [rolls_left(language, _rolls(state))] if state.limit and state.scores else []


def _rolls(state: RoundState) -> int:
    """Return the most rolls that a turn under a limit can still have. Each roll takes away at least one die to keep."""
    dice = len(state.free) - 1 if state.free else DICE - len(state.locked)
    return min(state.limit - state.rolls, dice)
