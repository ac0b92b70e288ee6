"""What a game of one turn a seat says while it is played: keeps, scores and prompts, and the dice a turn has kept."""

from collections.abc import Mapping
from typing import TypeVar

from pubdice.core.dice import Hand, beyond, together, without
from pubdice.core.game import Keep
from pubdice.core.turn_game import RoundState, TurnGame
from pubdice.text.game_words import Rail
from pubdice.text.language import Language, faces
from pubdice.text.plain_words import PlainWords
from pubdice.text.turn_words import advice
from pubdice.text.turn_words.kept import keeps, lacking, lacks, needs, rail, still_needs
from pubdice.text.turn_words.standing import better, lead, this_round, winning_scores

G = TypeVar("G", bound=TurnGame)


class TurnWords(PlainWords[G]):
    """Satisfies ``GameWords`` for the games of ``core.turn_game``; a game must write title and tagline.

    What usually differs has a method of its own: ``red`` (the faces a turn needs, if any), ``counted`` (the dice of a
    finished hand that score), ``total`` (what the dice kept so far come to), ``ended`` (the end of a turn) and
    ``score`` (a score in a word).
    """

    def counted(self, game: G, hand: Hand) -> Hand:
        """The dice of a finished hand that score: all but one of each face it needs."""
        return without(hand, self.red(game))

    def total(self, game: G, dice: Hand) -> int:
        """What dice kept come to before the turn is over, those it needs left out: their sum."""
        return sum(dice)

    def told(self, language: Language, game: G, name: str, before: RoundState, action: Keep) -> list[str]:
        """What was kept; at the end of a turn what it came to."""
        said = self.keeps(language, game, name, before, action)
        after = game.play(before, action)
        if len(after.scores) == len(before.scores):
            return said
        score = after.scores[len(before.scores)]
        return [*said, *self.ended(language, game, name, together(before.locked, action.dice), score)]

    def keeps(self, language: Language, game: G, name: str, before: RoundState, action: Keep) -> list[str]:
        """Which dice the seat kept; of a single die that was left, only what it shows."""
        return [keeps(language, action.dice, len(before.free) == 1 and bool(action.dice), name)]

    def ended(self, language: Language, game: G, name: str, hand: Hand, score: int) -> list[str]:
        """The score of a turn, or what it lacked. hand: all dice kept in this turn."""
        if score == game.scoreless:
            missing = lacking(hand, self.red(game))
            if missing:
                return [lacks(language, missing, name)]
            return [language.about("{name} scored nothing.", "You scored nothing.", name)]
        facts = {"score": self.score(language, game, score), "dice": faces(self.counted(game, hand)[::-1])}
        if facts["score"] != str(score):
            return [language.about("{name} got {score}: {dice}.", "You got {score}: {dice}.", name, **facts)]
        return [language.about("{name} scored {score}: {dice}.", "You scored {score}: {dice}.", name, **facts)]

    def stands(self, language: Language, game: G, state: RoundState) -> list[str]:
        """To the mover: the dice that are locked, and what the turn needs."""
        locked = language.say("Locked: {dice}.", dice=faces(state.locked)) if state.locked else ""
        return [*filter(None, [locked, self.needs(language, game, state, "")])]

    def to_choose(self, language: Language, game: G, state: RoundState) -> list[str]:
        """What the turn needs, and the question: which dice are locked was told as they were kept."""
        needed = filter(None, [self.needs(language, game, state, "")])
        return [*needed, language.say("Which dice do you keep?")]

    def todo(self, language: Language, game: G, state: RoundState) -> str:
        """One die at least is kept."""
        return language.say("keep one or more")

    def needs(self, language: Language, game: G, state: RoundState, name: str) -> str:
        """What is lacking of the needed faces, once dice lie there; empty for nothing."""
        found = self._found(game, state)
        missing = lacking(found, self.red(game)) if found or state.free else ()
        if not missing:
            return ""
        return (still_needs if found else needs)(language, missing, name)

    def _found(self, game: G, state: RoundState) -> Hand:
        """The dice that are locked, and each needed face among the others that stays whatever the mover keeps."""
        stays = state.locked
        for face in lacking(stays, self.red(game)) if state.free else ():
            if face in state.free and all(face in keep.dice for keep in game.legal(state)):
                stays = together(stays, (face,))
        return stays

    def status(self, language: Language, game: G, state: RoundState, names: tuple[str, ...]) -> list[str]:
        """What the mover still needs, and what there is to beat."""
        lack = self.needs(language, game, state, names[len(state.scores)])
        return [*filter(None, [lack]), *self._lead(language, game, state, names)]

    def rail(self, language: Language, game: G, state: RoundState, name: str, marked: Hand) -> Rail | None:
        """A slot for each needed face, and one for each die that scores."""
        if len(state.scores) == state.seats:
            return None
        settled = ""
        if marked and marked == state.free:  # the turn would end: what it comes to is no longer a sum so far
            settled = game.write_score(game.play(state, Keep(marked)).scores[len(state.scores)])
        found = self._found(game, state)
        more = beyond(marked, without(found, state.locked))
        return rail(self, language, game, (found, more), name, settled=settled)

    def stand(self, language: Language, game: G, state: RoundState, seat: int, marked: Hand) -> str:
        """Of a seat that has played, its score."""
        return self.score(language, game, state.scores[seat]) if seat < len(state.scores) else ""

    def to_beat(self, language: Language, game: G, state: RoundState, names: tuple[str, ...]) -> list[str]:
        """The best score so far; where there is none, who goes first, and how many play after."""
        if state.scores:
            return [*self._lead(language, game, state, names)]
        said = super().to_beat(language, game, state, names)
        after = state.seats - 1
        if after:
            text = ("{number} player after you.", "{number} players after you.")
            if names[0]:
                text = ("{number} player after that.", "{number} players after that.")
            said.append(language.count(*text, after))
        return said

    def _lead(self, language: Language, game: G, state: RoundState, names: tuple[str, ...]) -> tuple[str, ...]:
        return lead(self, language, game, state.scores, names, also=self.besides(language, game, state))

    def besides(self, language: Language, game: G, state: RoundState) -> str:
        """A score that is no sum of dice and beats them all, in a word, if the mover can still get it: none."""
        return ""

    def scores(self, language: Language, game: G, state: RoundState, names: tuple[str, ...]) -> list[str]:
        """The scores of those who have played this round."""
        return [this_round(self, language, game, state.scores, names)] if state.scores else []

    def score(self, language: Language, game: G, score: int) -> str:
        """The points; of the score that never wins, "nothing"."""
        return language.say("nothing") if score == game.scoreless else super().score(language, game, score)

    def why(
        self,
        language: Language,
        game: G,
        state: RoundState,
        best: Mapping[str, float],
        other: Mapping[str, float],
    ) -> str:
        """By the mean score, by qualifying, and by beating or tying the best score so far."""
        return advice.why(
            language,
            best,
            other,
            self._to_beat(language, game, state),
            lowest=game.lowest_wins,
            called=lambda score: self.score(language, game, score),
            can_beat=self._can_beat(game, state),
            also=self.besides(language, game, state),
            top=winning_scores(game)[-1],
        )

    def chance(self, language: Language, game: G, state: RoundState, facts: Mapping[str, float]) -> list[str]:
        """To beat the best score so far; where there is none, to qualify."""
        return advice.chance(
            language,
            facts,
            self._to_beat(language, game, state),
            can_miss=game.scoreless is not None,
            can_beat=self._can_beat(game, state),
            lowest=game.lowest_wins,
            also=self.besides(language, game, state),
        )

    def _can_beat(self, game: G, state: RoundState) -> bool:
        """Whether a sum of dice beats the best score so far."""
        best = game.best(state.scores)
        return best is None or bool(better(game, best))

    def _to_beat(self, language: Language, game: G, state: RoundState) -> str:
        best = game.best(state.scores)
        return "" if best is None else self.score(language, game, best)

    def verbs(self, language: Language) -> list[tuple[str, str]]:
        """Both: banking ends a turn once all dice are kept."""
        return [*super().verbs(language), ("b", language.say("bank: end the turn, once every die is kept"))]
