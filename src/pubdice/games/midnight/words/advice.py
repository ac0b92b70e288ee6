"""Midnight's advice in words, from a solver's facts: why one keep is better than another, and the mover's chances."""

from collections.abc import Mapping

from pubdice.games.midnight.rules import BEST
from pubdice.text.language import Language, weighed

LEAST_CHANCE = 0.005
WHY = {
    "mean": ("{amount} to the mean score", "{amount} of the mean score", 0.05),
    "qualify": ("{amount} to qualifying", "{amount} of qualifying", LEAST_CHANCE),
    "beat": ("{amount} to beating {score}", "{amount} of beating {score}", LEAST_CHANCE),
    "tie": ("{amount} to a tie at {score}", "{amount} of a tie at {score}", LEAST_CHANCE),
}
"""Facts to reason from: what is said of more and of less, and the least difference worth a word."""


def reach(score: int) -> str:
    """The fact that is the chance of a score or more."""
    return f"reach {score}"


def why(language: Language, best: Mapping[str, float], other: Mapping[str, float]) -> str:
    """By the mean score, by qualifying, and by beating or tying the best score so far."""
    gains: list[str] = []
    costs: list[str] = []
    for fact, (gain, cost, least) in WHY.items():
        more = other[fact] - best[fact] if fact in best and fact in other else 0.0
        if abs(more) < least or (fact == "beat" and not best.get("to_beat")):
            continue
        amount = language.number(abs(more), 1) if fact == "mean" else language.per_cent(abs(more))
        said = language.say(gain if more > 0 else cost, amount=amount, score=round(best.get("to_beat", 0)))
        (gains if more > 0 else costs).append(said)
    return weighed(language, gains, costs or _rarer(language, best, other))


def _rarer(language: Language, best: Mapping[str, float], other: Mapping[str, float]) -> list[str]:
    """The score reached less often by most: what loses value reaches some score less often."""
    facts = [reach(score) for score in range(BEST + 1)]
    lost = {fact: best[fact] - other[fact] for fact in facts if fact in best and fact in other}
    most = max(lost, key=lambda fact: lost[fact], default="")
    if not most or lost[most] < LEAST_CHANCE / 10:
        return []
    text = "{amount} of {score} or more"
    return [language.say(text, amount=language.per_cent(lost[most]), score=facts.index(most))]


def chance(language: Language, facts: Mapping[str, float]) -> list[str]:
    """To beat the best score so far; where there is none, to qualify."""
    if "beat" not in facts:
        return []
    score = round(facts["to_beat"])
    if not score:
        text = "Chance to score: {chance}. On average: {mean}."
        return [language.say(text, chance=language.per_cent(facts["qualify"]), mean=language.number(facts["mean"], 1))]
    tie = language.per_cent(facts["tie"])
    if score == BEST:
        return [language.say("Chance to tie {score}: {tie}.", score=score, tie=tie)]
    text = "Chance to beat {score}: {chance}, to tie: {tie}."
    return [language.say(text, score=score, chance=language.per_cent(facts["beat"]), tie=tie)]
