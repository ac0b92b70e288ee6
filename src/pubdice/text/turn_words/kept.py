"""The dice a turn has kept, slot by slot: those it needs first, then those that score; and what it lacks."""

from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Any, Protocol

from pubdice.core.dice import Hand, together
from pubdice.core.turn_game import TurnGame
from pubdice.text.game_words import Rail, Slot
from pubdice.text.language import Language, faces

LINES = 1024
"""Lines that are kept of each kind: a turn says the same at every move."""


class KeptWords(Protocol):
    """What a rail asks of a game's words."""

    def red(self, game: Any) -> tuple[int, ...]:
        """The faces a turn needs."""

    def total(self, game: Any, dice: Hand) -> int:
        """What the other dice come to so far."""


@cache
def lacking(hand: Hand, need: tuple[int, ...]) -> Hand:
    """The needed faces a hand does not hold.

    >>> lacking((1, 1, 3), (1, 4))
    (4,)
    """
    return tuple([face for face in need if face not in hand])


def row(language: Language, needed: Iterable[int]) -> str:
    """Needed faces in a row, such as "1 and 4"; empty for none."""
    told = list(map(str, needed))
    return language.join(told) if len(told) > 1 else "".join(told)


@lru_cache(maxsize=LINES)
def keeps(language: Language, dice: Hand, last: bool, name: str) -> str:
    """Which dice a seat kept. last: they are a single die that was left, so only what it shows is news."""
    if last:
        return language.say("The last die is a {dice}.", dice=faces(dice))
    if not dice:
        return language.about("{name} kept none.", "You kept none.", name)
    return language.about("{name} kept {dice}.", "You kept {dice}.", name, dice=faces(dice))


@lru_cache(maxsize=LINES)
def needs(language: Language, need: Hand, name: str) -> str:
    """What a turn needs before anything is kept."""
    return language.about("{name} needs {lack}.", "You need {lack}.", name, lack=row(language, need))


@lru_cache(maxsize=LINES)
def still_needs(language: Language, missing: Hand, name: str) -> str:
    """What a turn still lacks of the needed faces."""
    lack = language.join(language.say("a {face}", face=face) for face in missing)
    return language.about("{name} still needs {lack}.", "You still need {lack}.", name, lack=lack)


@lru_cache(maxsize=LINES)
def lacks(language: Language, missing: Hand, name: str) -> str:
    """That a turn has ended without the faces it needed."""
    lack = language.join(language.say("no {face}", face=face) for face in missing)
    return language.about("{lack}: {name} scores nothing.", "{lack}: you score nothing.", name, lack=lack)


@lru_cache(maxsize=LINES)
def rail(
    words: KeptWords, language: Language, game: TurnGame, dice: tuple[Hand, Hand], name: str, *, settled: str = ""
) -> Rail:
    """A slot for each needed face and one for every other die. dice: those won before, and those chosen now.

    settled: what the turn comes to, if they end it; until then the score is the sum so far.
    """
    need, hand = words.red(game), together(*dice)
    slots, rest = _slots(need, game.number_of_dice, *dice)
    score = settled or str(words.total(game, rest))
    has, missing = [face for face in need if face in hand], lacking(hand, need)
    facts: dict[str, Any] = {"has": row(language, has), "lack": row(language, missing), "score": score}
    about = language.about
    if not need and not rest:
        said = about("{name} has kept nothing yet.", "You have kept nothing yet.", name)
    elif not need:
        text = "{name} kept {dice}. Score {score}.", "You kept {dice}. Score {score}."
        said = about(*text, name, dice=faces(reversed(rest)), score=score)
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


@lru_cache(maxsize=LINES)
def _labels(language: Language, needs_faces: bool, name: str) -> tuple[str, str]:
    """What stands over a rail, and over its score."""
    label = ("{name} needs", "You need") if needs_faces else ("{name} kept", "You kept")
    return language.about(*label, name), language.about("{name}'s score", "Your score", name)


@lru_cache(maxsize=LINES)
def _slots(need: tuple[int, ...], number: int, locked: Hand, marked: Hand) -> tuple[tuple[Slot, ...], Hand]:
    """The slots of a rail, and the dice that are not needed, which score. number: how many dice a turn has."""
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
    return (*slots, *[Slot()] * (number - len(slots))), tuple(rest)
