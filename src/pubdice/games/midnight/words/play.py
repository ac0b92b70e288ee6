"""What Midnight says while it is played: keeps, scores and prompts, and the dice a turn has won, slot by slot."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from pubdice.core.dice import Hand, together
from pubdice.core.game import Keep
from pubdice.games.midnight.rules import DICE, Midnight, RoundState, counted, lacking
from pubdice.games.midnight.words import advice
from pubdice.games.midnight.words.refusals import FAULTS, refusal
from pubdice.games.midnight.words.standing import lead, points, this_round
from pubdice.text.game_words import Beam, Confirmation, Rail, Slot
from pubdice.text.language import Language, faces

LINES = 1024
"""Lines that are kept of each kind: a turn says the same at every move."""


def _lack(language: Language, needed: Iterable[int]) -> str:
    """Needed faces in words."""
    return language.join(language.say("a {face}", face=face) for face in needed)


def _row(language: Language, needed: Iterable[int]) -> str:
    """Needed faces in a row; empty for none."""
    row = list(map(str, needed))
    return language.join(row) if row else ""


@lru_cache(maxsize=LINES)
def _still_needs(language: Language, missing: tuple[int, ...], name: str) -> str:
    """What a turn still lacks of the needed pair."""
    return language.about("{name} still needs {lack}.", "You still need {lack}.", name, lack=_lack(language, missing))


@lru_cache(maxsize=LINES)
def _rail(language: Language, need: tuple[int, int], locked: Hand, marked: Hand, name: str) -> Rail:
    """Two needed slots, and four that score, the dice won before those chosen now."""
    hand = together(locked, marked)
    slots, won, rest = list[Slot](), list(locked), list(hand)
    for face in need:
        held = face in rest
        slots.append(Slot(face if held else 0, face, held and face not in won))
        if held:
            rest.remove(face)
        if face in won:
            won.remove(face)
    for face in reversed(rest):
        slots.append(Slot(face, 0, face not in won))
        if face in won:
            won.remove(face)
    slots += [Slot()] * (DICE - len(slots))
    has, missing = [face for face in need if face in hand], lacking(hand, need)
    facts: dict[str, Any] = {"has": _row(language, has), "lack": _row(language, missing), "score": sum(rest)}
    about = language.about
    if not missing:
        said = about("{name} has {has}. Score {score}.", "You have {has}. Score {score}.", name, **facts)
    elif has:
        text = (
            "{name} has {has}, still needs {lack}. Score {score}.",
            "You have {has}, still need {lack}. Score {score}.",
        )
        said = about(*text, name, **facts)
    else:
        said = about("{name} needs {lack}. Score {score}.", "You need {lack}. Score {score}.", name, **facts)
    labels = about("{name} needs", "You need", name), about("{name}'s score", "Your score", name)
    return Rail(tuple(slots), *labels, str(sum(rest)), said)


class MidnightWords:
    """What Midnight says: its sentences, rail, labels and house rules."""

    title = "Midnight"
    tagline = "get a 1 and a 4, then score high"
    sides: tuple[str, ...] = ()
    faults = FAULTS

    def options(self, language: Language, game: Midnight) -> str:
        """The one house rule: which pair qualifies."""
        return language.say("you need a {first} and a {second}", first=game.need[0], second=game.need[1])

    def told(self, language: Language, game: Midnight, name: str, before: RoundState, action: Keep) -> list[str]:
        """What was kept; at the end of a turn its score, or what was lacking."""
        about = language.about
        if len(before.free) == 1:
            said = [language.say("The last die is a {dice}.", dice=faces(action.dice))]
        else:
            said = [about("{name} kept {dice}.", "You kept {dice}.", name, dice=faces(action.dice))]
        hand = together(before.locked, action.dice)
        if len(hand) < DICE:
            return said
        missing = lacking(hand, game.need)
        if missing:
            lack = language.join(language.say("no {face}", face=face) for face in missing)
            return [*said, about("{lack}: {name} scores nothing.", "{lack}: you score nothing.", name, lack=lack)]
        facts = {"score": game.worth(hand), "dice": faces(counted(hand, game.need)[::-1])}
        return [*said, about("{name} scored {score}: {dice}.", "You scored {score}: {dice}.", name, **facts)]

    def rolled(
        self, language: Language, game: Midnight, name: str, before: RoundState, dice: tuple[int, ...]
    ) -> list[str]:
        """Nothing beyond the dice themselves."""
        return []

    def to_roll(self, language: Language, game: Midnight, state: RoundState) -> str:
        """How many dice, and where the turn stands."""
        rolls = language.count("Roll {number} die.", "Roll {number} dice.", game.to_roll(state))
        return " ".join([*self._stands(language, game, state), rolls])

    def ask(self, language: Language, game: Midnight, state: RoundState) -> str:
        """Where the turn stands, and what to keep."""
        return " ".join([*self._stands(language, game, state), language.say("Which dice do you keep?")])

    def _stands(self, language: Language, game: Midnight, state: RoundState) -> list[str]:
        if not state.locked:
            return []
        locked = language.say("Locked: {dice}.", dice=faces(state.locked))
        return [locked, *filter(None, [self.needs(language, game, state, "")])]

    def todo(self, language: Language, game: Midnight, state: RoundState) -> str:
        """One die at least is kept."""
        return language.say("keep one or more")

    def hint(self, language: Language, game: Midnight, state: RoundState) -> str:
        """Nothing: the question says it all."""
        return ""

    def needs(self, language: Language, game: Midnight, state: RoundState, name: str) -> str:
        """What is lacking of the needed pair, once dice are locked."""
        missing = lacking(state.locked, game.need) if state.locked else ()
        return _still_needs(language, missing, name) if missing else ""

    def status(self, language: Language, game: Midnight, state: RoundState, names: tuple[str, ...]) -> list[str]:
        """What the mover still needs, and what there is to beat."""
        name = names[len(state.scores)]
        needs = self.needs(language, game, state, name)
        if state.free and not state.locked:
            row = _row(language, game.need)
            needs = language.about("{name} needs {lack}.", "You need {lack}.", name, lack=row)
        return [*filter(None, [needs]), *lead(language, state.scores, names)]

    def rail(self, language: Language, game: Midnight, state: RoundState, name: str, marked: Hand) -> Rail | None:
        """Two needed slots, and four that score."""
        if len(state.scores) == state.seats:
            return None
        return _rail(language, game.need, state.locked, marked, name)

    def beam(self, language: Language, game: Midnight, state: RoundState, name: str, marked: Hand) -> Beam | None:
        """Nothing to reach exactly."""
        return None

    def red(self, game: Midnight) -> tuple[int, ...]:
        """The faces shown in red: the needed pair."""
        return game.need

    def missing(self, language: Language, game: Midnight, rule: str, facts: Mapping[str, Any]) -> str:
        """Nothing of its own."""
        return ""

    def question(self, language: Language, game: Midnight, state: RoundState) -> Confirmation | None:
        """Nothing: one die at least is kept."""
        return None

    def stand(self, language: Language, game: Midnight, state: RoundState, seat: int, marked: Hand) -> str:
        """Of a seat that has played, its score."""
        return self.score(language, game, state.scores[seat]) if seat < len(state.scores) else ""

    def to_beat(self, language: Language, game: Midnight, state: RoundState, names: tuple[str, ...]) -> list[str]:
        """The best score so far; where there is none, who goes first, and how many play after."""
        if state.scores:
            return [*lead(language, state.scores, names)]
        said = [language.about("{name} goes first.", "You go first.", names[0])]
        after = state.seats - 1
        if after:
            text = ("{number} player after you.", "{number} players after you.")
            if names[0]:
                text = ("{number} player after that.", "{number} players after that.")
            said.append(language.count(*text, after))
        return said

    def scores(self, language: Language, game: Midnight, state: RoundState, names: tuple[str, ...]) -> list[str]:
        """The scores of those who have played this round."""
        return [this_round(language, state.scores, names)] if state.scores else []

    def score(self, language: Language, game: Midnight, score: int) -> str:
        """The points, or nothing."""
        return points(language, score)

    def choice(self, language: Language, game: Midnight, state: RoundState, action: Keep) -> str:
        """The dice to keep."""
        return language.say("keep {dice}", dice=faces(action.dice))

    def why(self, language: Language, best: Mapping[str, float], other: Mapping[str, float]) -> str:
        """By the mean score, by qualifying, and by beating or tying the best score so far."""
        return advice.why(language, best, other)

    def chance(self, language: Language, facts: Mapping[str, float]) -> list[str]:
        """To beat the best score so far; where there is none, to qualify."""
        return advice.chance(language, facts)

    def verbs(self, language: Language) -> list[tuple[str, str]]:
        """Both: banking ends a turn once all dice are kept."""
        return [
            ("r", language.say("keep what is marked, and roll the others")),
            ("b", language.say("bank: end the turn, once every die is kept")),
        ]

    def refusal(self, language: Language, game: Midnight, rule: str, facts: Mapping[str, Any]) -> str | None:
        """Why Midnight forbids it."""
        return refusal(language, rule, facts)
