"""How the seats of a round stand: who leads with what, what the mover needs to lead, and what the scores are so far."""

from collections.abc import Sequence
from functools import cache, lru_cache

from pubdice.core.dice import hands
from pubdice.core.turn_game import TurnGame
from pubdice.text.game_words import GameWords
from pubdice.text.language import Language

LINES = 1024
"""Lines that are kept of each kind: a turn says the same at every move."""


@cache
def winning_scores(game: TurnGame) -> tuple[int, ...]:
    """Every score of a turn that can win, the best last."""
    found = {game.worth(hand) for hand in hands(game.number_of_dice)} - {game.scoreless}
    return tuple(sorted(found, reverse=game.lowest_wins))


def better(game: TurnGame, score: int) -> tuple[int, ...]:
    """The scores that beat this one, the least of them first; none where it can only be tied."""
    return tuple(found for found in winning_scores(game) if (found < score if game.lowest_wins else found > score))


@lru_cache(maxsize=LINES)
def this_round(
    words: GameWords, language: Language, game: TurnGame, scores: tuple[int, ...], names: tuple[str, ...]
) -> str:
    """The scores so far."""
    told = [
        language.about("{name} {score}", "you {score}", name, score=words.score(language, game, score))
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
    """Who leads with what, and what the mover needs; nothing before anybody has played.

    also: a score that is no sum of dice and beats them all, in a word, if the mover can still get it.
    """
    if not scores:
        return ()
    best, mover = game.best(scores), names[len(scores)]
    if best is None:
        return (language.say("Nobody has scored yet. Anything leads."),)
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
    """Who has this score, as the beginning of a sentence."""
    if len(names) == 1:
        return language.about("{name} has {score}", "You have {score}", names[0], score=score)
    return language.about_all("{names} have {score}", "You and {names} have {score}", names, score=score)
