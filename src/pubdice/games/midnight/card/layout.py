"""Midnight's card in words, with the numbers of ``costs.py``. ``tests/cards.py`` reads the words back as a policy."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from pubdice.advice.card import CardLine, LineCard, Measure, card_line
from pubdice.games.midnight.card.costs import maker
from pubdice.games.midnight.card.lines import ALWAYS, Fit
from pubdice.games.midnight.rules import BEST, Midnight
from pubdice.solve.numerics import ROUNDING
from pubdice.text.language import Language

LAST = "last"
TAKE = "A {first} or {second} you lack: keep it when it falls."
SIX = "Last, the leader has {score}+, {dice}+ dice: one 6, no more."
Data = Mapping[str, Any]


def card(game: Midnight) -> LineCard:
    """The card of a pair of needed faces, its numbers worked out once."""
    made = maker(game.need)
    lines, (first, second) = made.lines, game.need
    assert lines.six is not None, "always found"
    fits = {fit: CardLine(fit.name, partial(_fit, fit), (fit.face,)) for fit in lines.fits}
    score, dice = lines.six.score, lines.six.dice
    said = (
        card_line("take", TAKE, game.need, first=first, second=second),
        card_line("one", "Until you have both, keep just one die a roll."),
        *(line for fit, line in fits.items() if fit.left),
        card_line("highest", "Nothing kept so far: keep your highest die."),
        *(line for fit, line in fits.items() if not fit.left),
        card_line("stop", "Last to roll: keep all once that beats the leader.", (), LAST),
        card_line("six", SIX, (6,), LAST, score=score, dice=dice),
    )
    need = {"need": list(game.need)}
    every, aim, bound = frozenset(line.name for line in said), partial(_aim, game), ROUNDING * BEST
    return LineCard(
        said,
        lambda names: replace(lines, left_out=every - names),
        measures=(
            Measure("mean", "mean score", aim, made.mean, made.best, bound, _points, _mean, lambda _: need),
            Measure(LAST, "share of the round", aim, made.last, made.best_last, bound, _share, _last),
        ),
    )


def _aim(game: Midnight, language: Language) -> str:
    first, second = game.need
    return language.say("{first} and {second} to qualify: best mean score", first=first, second=second)


def _points(language: Language, cost: float) -> tuple[str, str]:
    told = language.number(cost, 2)
    return f"−{told}", language.say("Ignored: {cost} points lost.", cost=told)


def _share(language: Language, cost: float) -> tuple[str, str]:
    told = language.per_cent(cost)
    return f"−{told}", language.say("Ignored: {cost} of the round lost.", cost=told)


def _mean(language: Language, data: Data) -> list[str]:
    told = {name: language.number(value, 4) for name, value in data["mean"].items()}
    text = "Mean {mean}; best play has {best}, {up} more."
    return [language.say(text, mean=told["value"], best=told["best"], up=told["given_up"])]


def _last(language: Language, data: Data) -> list[str]:
    share, best = language.per_cent(data[LAST]["value"]), language.per_cent(data[LAST]["best"])
    return [language.say("Last of two: {share} of the round; best play has {best}.", share=share, best=best)]


def _fit(fit: Fit, language: Language) -> str:
    say = language.say
    if fit.left == ALWAYS:
        return say("Keep every {face}.", face=fit.face)
    if fit.left == 0:
        return (
            say("A {face} that is the only die left: keep it, too.", face=fit.face)
            if fit.single
            else say("Every {face} left, if that ends the turn: keep it, too.", face=fit.face)
        )
    many = language.count("{number} die", "{number} dice", fit.left)
    return say("Keep every {face} if that leaves at most {many} to roll.", face=fit.face, many=many)
