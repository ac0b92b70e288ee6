"""The words of a game with one turn a seat: keeps, scores, questions, and the rail (the dice that a turn has kept)."""

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, TypeVar

from pubdice.core.dice import Hand, beyond, hands, together, without
from pubdice.core.game import Keep, RoundState, TurnGame
from pubdice.text.game_words import GameWords, PlainWords, Rail, Slot, needed_faces, told_dice
from pubdice.text.language import Language, faces
from pubdice.text.turn_advice import chance, why

LINES = 1024
"""The size of a cache of sentences. It pays, because a turn repeats most sentences at every move."""


@cache
def winning_scores(game: TurnGame) -> tuple[int, ...]:
    """Return every score that can win, from the worst to the best."""
    found = {game.worth(hand) for hand in hands(game.number_of_dice, game.faces.sides)} - {game.scoreless}
    return tuple(sorted(found, reverse=game.lowest_wins))


def better(game: TurnGame, score: int) -> tuple[int, ...]:
    """Return the scores that beat this one, the closest first. Empty if it is the best, which can only be tied."""
    return tuple(found for found in winning_scores(game) if (found < score if game.lowest_wins else found > score))


@lru_cache(maxsize=LINES)
def this_round(
    words: GameWords, language: Language, game: TurnGame, scores: tuple[int, ...], names: tuple[str, ...]
) -> str:
    """Return the scores of this round so far, in a sentence."""
    told = [
        language.about("{name} has {score}", "you have {score}", name, score=words.score(language, game, score))
        for name, score in zip(names, scores, strict=False)
    ]
    return language.say("This round: {scores}.", scores=", ".join(told))


@lru_cache(maxsize=LINES)
def lead(
    words: GameWords,
    language: Language,
    game: TurnGame,
    scores: tuple[int, ...],
    names: tuple[str, ...],
    *,
    also: str = "",
) -> tuple[str, ...]:
    """Return a sentence on the leader, the leader's score, and the score that the mover needs. Empty before the first
    score.

    ``also`` is a special score that beats every sum of dice, in a word, if the mover can still get it.
    """
    if not scores:
        return ()
    best, mover = game.best(scores), names[len(scores)]
    if best is None:
        return (language.say("No score yet. Anything beats it."),)
    leaders = [name for name, score in zip(names, scores, strict=False) if score == best]
    has = _has(language, leaders, words.score(language, game, best))
    leading = better(game, best)
    if not leading and not also:
        return (language.about("{has}: {name} can only tie.", "{has}: you can only tie.", mover, has=has),)
    more = words.score(language, game, leading[0]) if leading else ""
    if also and game.lowest_wins and len(leading) > 1:
        text = "{has}, {name} needs {less} or less, or {also}.", "{has}, you need {less} or less, or {also}."
        return (language.about(*text, mover, has=has, less=more, also=also),)
    if also:
        more = language.join(filter(None, [more, also]), "{some} or {last}")
    if game.lowest_wins and len(leading) > 1:
        text = "{has}, {name} needs {less} or less.", "{has}, you need {less} or less."
        return (language.about(*text, mover, has=has, less=more),)
    text = "{has}, {name} needs {more}.", "{has}, you need {more}."
    return (language.about(*text, mover, has=has, more=more),)


def _has(language: Language, names: Sequence[str], score: str) -> str:
    """Return the first part of a sentence: the holders of this score."""
    if len(names) == 1:
        return language.about("{name} has {score}", "You have {score}", names[0], score=score)
    return language.about_all("{names} have {score}", "You and {names} have {score}", names, score=score)


KEPT_LINES = 1024
"""The size of each cache of sentences about kept dice."""


@cache
def lacking(hand: Hand, need: tuple[int, ...]) -> Hand:
    """Return the needed faces that a hand lacks.

    >>> lacking((1, 1, 3), (1, 4))
    (4,)
    """
    return tuple([face for face in need if face not in hand])


@lru_cache(maxsize=LINES)
def row(language: Language, needed: Hand, names: tuple[str, ...]) -> str:
    """Return needed faces as a list in words, such as "1 and 4". ``names`` has the names of all faces
    (``DieFaces``).
    """
    return language.join([names[face - 1] for face in needed])


@lru_cache(maxsize=KEPT_LINES)
def keeps(language: Language, dice: Hand | str, last: bool, name: str) -> str:
    """Return a sentence on the dice that a seat kept. ``dice`` is a hand, or already in words.

    If ``last`` is true, it is the last die of a turn, and the sentence is about its face alone.
    """
    if isinstance(dice, str):
        last = False
    else:
        dice = faces(dice)
    if last:
        return language.say("The last die is a {dice}.", dice=dice)
    if not dice:
        return language.about("{name} kept none.", "You kept none.", name)
    return language.about("{name} kept {dice}.", "You kept {dice}.", name, dice=dice)


@lru_cache(maxsize=KEPT_LINES)
def needs(language: Language, need: Hand, names: tuple[str, ...], name: str) -> str:
    """Return a sentence on the faces that a turn needs, before the first keep."""
    return language.about("{name} needs {lack}.", "You need {lack}.", name, lack=row(language, need, names))


@lru_cache(maxsize=KEPT_LINES)
def still_needs(language: Language, missing: Hand, names: tuple[str, ...], name: str) -> str:
    """Return a sentence on the faces that a turn still needs."""
    called = [names[face - 1] for face in missing]
    lack = language.join(language.say("a {face}", face=name) if name.isalnum() else name for name in called)
    return language.about("{name} still needs {lack}.", "You still need {lack}.", name, lack=lack)


@lru_cache(maxsize=KEPT_LINES)
def lacks(language: Language, missing: Hand, names: tuple[str, ...], name: str) -> str:
    """Return a sentence on the end of a turn without the needed faces, which scores nothing."""
    lack = language.join(language.say("no {face}", face=names[face - 1]) for face in missing)
    return language.about("{lack}: {name} scores nothing.", "{lack}: you score nothing.", name, lack=lack)


@lru_cache(maxsize=KEPT_LINES)
def rail(
    words: "TurnWords[Any]",
    language: Language,
    game: TurnGame,
    dice: tuple[Hand, Hand],
    name: str,
    *,
    lie: tuple[Hand, Hand] | None = None,
    settled: str = "",
) -> Rail:
    """Return the rail: a slot for each needed face, and a slot for each other die.

    - ``dice``: the dice won before, and the dice chosen now.
    - ``lie``: these two hands as the slots show them, if some of the dice won do not lie in a slot yet
      (``TurnWords.rail``).
    - ``settled``: the score of the turn if these dice end it. Otherwise "", and the rail shows the sum so far.
    """
    need, hand, names = words.red(game), together(*dice), needed_faces(language, game)
    rest, slots = beyond(hand, need), _slots(need, game.number_of_dice, *(lie or dice))
    score = settled or str(words.total(game, rest))
    has, missing = tuple([face for face in need if face in hand]), lacking(hand, need)
    facts: dict[str, Any] = {"has": row(language, has, names), "lack": row(language, missing, names), "score": score}
    about = language.about
    if not need and not rest:
        said = about("{name} has kept nothing yet.", "You have kept nothing yet.", name)
    elif not need:
        text = "{name} kept {dice}. Score {score}.", "You kept {dice}. Score {score}."
        said = about(*text, name, dice=told_dice(language, game, reversed(rest)), score=score)
    elif not missing:
        said = about("{name} has {has}. Score {score}.", "You have {has}. Score {score}.", name, **facts)
    elif has:
        text = (
            "{name} has {has}, still needs {lack}. Score {score}.",
            "You have {has}, still need {lack}. Score {score}.",
        )
        said = about(*text, name, **facts)
    else:
        said = about("{name} needs {lack}. Score {score}.", "You need {lack}. Score {score}.", name, **facts)
    return Rail(slots, *_labels(language, bool(need), name), score, said)


@lru_cache(maxsize=KEPT_LINES)
def _labels(language: Language, needs_faces: bool, name: str) -> tuple[str, str]:
    label = ("{name} needs", "You need") if needs_faces else ("{name} kept", "You kept")
    return language.about(*label, name), language.about("{name}'s score", "Your score", name)


_slot = lru_cache(maxsize=KEPT_LINES)(Slot)


@lru_cache(maxsize=KEPT_LINES)
def _slots(need: tuple[int, ...], number: int, locked: Hand, marked: Hand) -> tuple[Slot, ...]:
    """Return the slots of a rail. ``number`` is the number of dice of a turn."""
    slots, won, rest = list[Slot](), list(locked), list(together(locked, marked))
    for face in need:
        held = face in rest
        slots.append(_slot(face if held else 0, face, held and face not in won))
        if held:
            rest.remove(face)
        if face in won:
            won.remove(face)
    for face in reversed(rest):
        slots.append(_slot(face, 0, face not in won))
        if face in won:
            won.remove(face)
    return (*slots, *[Slot()] * (number - len(slots)))


G = TypeVar("G", bound=TurnGame)


class TurnWords(PlainWords[G]):
    """``GameWords`` for any ``TurnGame``. A game must write title and tagline.

    Games usually override ``red`` (the faces that a turn needs), ``counted`` (the dice of a finished hand that score),
    ``total`` (the sum of the dice kept so far), ``ended`` (the end of a turn) and ``score`` (a score in a word).
    """

    def counted(self, game: G, hand: Hand) -> Hand:
        """Return the dice of a finished hand that score: all except one of each needed face."""
        return without(hand, self.red(game))

    def total(self, game: G, dice: Hand) -> int:
        """Return the score so far, the sum of these kept dice. The caller has left out one die of each needed face."""
        return sum(dice)

    def action_sentences(self, language: Language, game: G, name: str, before: RoundState, action: Keep) -> list[str]:
        """Return sentences on the dice that the seat kept. At the end of the turn, add its score."""
        said = self.keeps(language, game, name, before, action)
        after = game.play(before, action)
        if len(after.scores) == len(before.scores):
            return said
        score = after.scores[len(before.scores)]
        return [*said, *self.ended(language, game, name, together(before.locked, action.dice), score)]

    def keeps(self, language: Language, game: G, name: str, before: RoundState, action: Keep) -> list[str]:
        """Return a sentence on the dice that the seat kept. For the last die of a turn, it has only the face."""
        dice = action.dice if game.faces.is_usual else told_dice(language, game, action.dice)
        return [keeps(language, dice, len(before.free) == 1 and bool(dice), name)]

    def ended(self, language: Language, game: G, name: str, hand: Hand, score: int) -> list[str]:
        """Return a sentence on the score of a turn, or on the needed faces it lacked. ``hand`` has all dice kept in
        this turn.
        """
        if score == game.scoreless:
            missing = lacking(hand, self.red(game))
            if missing:
                return [lacks(language, missing, game.faces.names, name)]
            return [language.about("{name} scored nothing.", "You scored nothing.", name)]
        facts = {
            "score": self.score(language, game, score),
            "dice": told_dice(language, game, self.counted(game, hand)[::-1]),
        }
        if facts["score"] != str(score):
            return [language.about("{name} got {score}: {dice}.", "You got {score}: {dice}.", name, **facts)]
        return [language.about("{name} scored {score}: {dice}.", "You scored {score}: {dice}.", name, **facts)]

    def stands(self, language: Language, game: G, state: RoundState) -> list[str]:
        """Return sentences on the locked dice, and on the faces still needed."""
        locked = language.say("Locked: {dice}.", dice=told_dice(language, game, state.locked)) if state.locked else ""
        return [*filter(None, [locked, self.needs(language, game, state, "")])]

    def rolls_on(self, language: Language, game: G, state: RoundState) -> list[str]:
        """Return the number of dice, and the faces still needed. The kept dice have just been read out."""
        return [*super().rolls_on(language, game, state), *filter(None, [self.needs(language, game, state, "")])]

    def to_choose(self, language: Language, game: G, state: RoundState) -> list[str]:
        """Return the faces still needed, and the question. The locked dice were read out when they were kept."""
        needed = filter(None, [self.needs(language, game, state, "")])
        return [*needed, language.say("Which dice do you keep?")]

    def todo(self, language: Language, game: G, state: RoundState) -> str:
        """Return the reminder that at least one die must be kept."""
        return language.say("keep one or more")

    def needs(self, language: Language, game: G, state: RoundState, name: str) -> str:
        """Return a sentence on the faces still needed. Empty before the first roll, or if the hand lacks none."""
        found = self._found(game, state)
        missing = lacking(found, self.red(game)) if found or state.free else ()
        if not missing:
            return ""
        return (still_needs if found else needs)(language, missing, needed_faces(language, game), name)

    def _found(self, game: G, state: RoundState) -> Hand:
        """Return the dice that are sure to stay: the locked dice, and needed faces that every legal keep holds."""
        stays = state.locked
        for face in lacking(stays, self.red(game)) if state.free else ():
            if face in state.free and all(face in keep.dice for keep in game.legal(state)):
                stays = together(stays, (face,))
        return stays

    def _lies(self, game: G, state: RoundState, found: Hand) -> Hand:
        """Return those dice of ``found`` that stay without a mark.

        If the roll shows 1 1 at Midnight, either 1 can be marked. So neither of them stays without a mark.
        """
        if found == state.locked:
            return found
        legal = game.legal(state)
        unmarked = legal[0] if len(legal) == 1 else game.choose(state, "roll", ())
        return together(state.locked, tuple([face for face in without(found, state.locked) if face in unmarked.dice]))

    def status(self, language: Language, game: G, state: RoundState, names: tuple[str, ...]) -> list[str]:
        """Return the faces still needed, and the score to beat. Empty at first, because the aim of the game then says
        the same.
        """
        lack, need = "", self.red(game)
        if state.scores or lacking(self._found(game, state), need) != need:
            lack = self.needs(language, game, state, names[len(state.scores)])
        return [*filter(None, [lack]), *self._lead(language, game, state, names)]

    def rail(self, language: Language, game: G, state: RoundState, name: str, marked: Hand) -> Rail | None:
        """Return the rail: a slot for each needed face, and a slot for each die that scores."""
        if len(state.scores) == state.seats:
            return None
        settled = ""
        if marked and marked == state.free:  # this keep ends the turn, so the rail shows its score and not a sum so far
            settled = game.write_score(game.play(state, Keep(marked)).scores[len(state.scores)])
        found = self._found(game, state)
        lies = self._lies(game, state, found)
        had, lie = [(hand, beyond(marked, without(hand, state.locked))) for hand in (found, lies)]
        return rail(self, language, game, had, name, lie=lie, settled=settled)

    def stand(self, language: Language, game: G, state: RoundState, seat: int, marked: Hand) -> str:
        """Return the score of a seat that has finished its turn, otherwise ""."""
        return self.score(language, game, state.scores[seat]) if seat < len(state.scores) else ""

    def to_beat(self, language: Language, game: G, state: RoundState, names: tuple[str, ...]) -> list[str]:
        """Return the score to beat. Before the first score, return the seat that goes first, and the number of seats
        after it.
        """
        if state.scores:
            return [*self._lead(language, game, state, names)]
        said = super().to_beat(language, game, state, names)
        after = state.seats - 1
        if after:
            said.append(language.count("Then one more.", "Then {number} more.", after))
        return said

    def _lead(self, language: Language, game: G, state: RoundState, names: tuple[str, ...]) -> tuple[str, ...]:
        return lead(self, language, game, state.scores, names, also=self.besides(language, game, state))

    def besides(self, language: Language, game: G, state: RoundState) -> str:
        """Return a special score that beats every sum of dice, in a word, if the mover can still get it. Here there is
        none.
        """
        return ""

    def scores(self, language: Language, game: G, state: RoundState, names: tuple[str, ...]) -> list[str]:
        """Return the scores of the seats that have played this round."""
        return [this_round(self, language, game, state.scores, names)] if state.scores else []

    def score(self, language: Language, game: G, score: int) -> str:
        """Return the points. If this is the score that never wins, return "nothing"."""
        return language.say("nothing") if score == game.scoreless else super().score(language, game, score)

    def why(
        self,
        language: Language,
        game: G,
        state: RoundState,
        best: Mapping[str, float],
        other: Mapping[str, float],
    ) -> str:
        """Return a reason from the mean score, or from the chances to qualify, to beat and to tie (``turn_advice``)."""
        return why(
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
        """Return the chances to beat and to tie the best score so far. Before the first score, return the chance to
        qualify.
        """
        return chance(
            language,
            facts,
            self._to_beat(language, game, state),
            can_miss=game.scoreless is not None,
            can_beat=self._can_beat(game, state),
            lowest=game.lowest_wins,
            also=self.besides(language, game, state),
        )

    def _can_beat(self, game: G, state: RoundState) -> bool:
        best = game.best(state.scores)
        return best is None or bool(better(game, best))

    def _to_beat(self, language: Language, game: G, state: RoundState) -> str:
        best = game.best(state.scores)
        return "" if best is None else self.score(language, game, best)

    def verbs(self, language: Language) -> list[tuple[str, str]]:
        """Return the commands: r to roll, and b to bank, which ends a turn once all dice are kept."""
        return [*super().verbs(language), ("b", language.say("bank: end the turn, once every die is kept"))]
