"""Midnight's card in words, and laid out for a mat; the numbers are those of ``costs.py``."""

from typing import Any

from pubdice.advice.card import Card, Item
from pubdice.games.midnight.card.lines import ALWAYS, CardLines, Fit, Six
from pubdice.games.midnight.rules import BEST, DICE
from pubdice.text.language import Language, per_cent


def laid_out(language: Language, data: dict[str, Any], lines: CardLines) -> Card:
    """The card, ready to be read out or drawn."""
    say, need = language.say, (data["need"][0], data["need"][1])
    dice = {"take": need, "highest": (), "one": (), "stop": (), "six": (6,)}
    items = []
    for row in data["lines"]:
        name, shared = row["line"], row["utility"] != "mean score"
        cost = per_cent(row["cost"]) if shared else f"{row['cost']:.2f}"
        costs = (
            say("Ignored: {cost} of the round lost.", cost=cost)
            if shared
            else say("Ignored: {cost} points lost.", cost=cost)
        )
        shown = dice[name] if name in dice else (int(name[-1]),)
        items.append(Item(sentence(language, name, lines, need), f"−{cost}", costs, shown))
    mean, last = data["mean"], data["last"]
    return Card(
        say("Midnight"),
        say("{first} and {second} to qualify: best mean score", first=need[0], second=need[1]),
        say("if ignored"),
        tuple(items),
        (
            say(
                "Mean {mean}; best play has {best}, {up} more.",
                mean=f"{mean['value']:.4f}",
                best=f"{mean['best']:.4f}",
                up=f"{mean['given_up']:.4f}",
            ),
            say(
                "Last of two: {share} of the round; best play has {best}.",
                share=per_cent(last["value"]),
                best=per_cent(last["best"]),
            ),
        ),
    )


def sentence(language: Language, name: str, lines: CardLines, need: tuple[int, int]) -> str:
    """A line of the card, by its name. ``tests/cards.py`` reads these words back as a policy."""
    say, six = language.say, lines.six or Six(BEST, DICE)
    if name.startswith("fit"):
        return _fit(language, next(fit for fit in lines.fits if fit.face == int(name[-1])))
    return {
        "take": say("A {first} or {second} you lack: keep it when it falls.", first=need[0], second=need[1]),
        "one": say("Until you have both, keep just one die a roll."),
        "highest": say("Nothing kept so far: keep your highest die."),
        "stop": say("Last to roll: keep all once that beats the leader."),
        "six": say("Last, {score}+ still to beat, {dice}+ dice: one 6, no more.", score=six.score, dice=six.dice),
    }[name]


def _fit(language: Language, fit: Fit) -> str:
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
