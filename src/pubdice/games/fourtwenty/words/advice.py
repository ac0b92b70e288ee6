"""420's advice in words, from a solver's facts: why one keep is better than another, and the mover's chances."""

from collections.abc import Mapping

from pubdice.text.language import Language, weighed

LEAST_CHANCE = 0.0005
WHY = {
    "win_now": ("{amount} to winning with this roll", "{amount} of winning with this roll"),
    "over": ("{amount} of not going over", "{amount} to not going over"),
}
"""Facts to reason from: what is said of more and of less."""


def why(language: Language, best: Mapping[str, float], other: Mapping[str, float]) -> str:
    """By this roll's chance to win and to go over; where both are better, the hand that is left must be worse."""
    gains: list[str] = []
    costs: list[str] = []
    for fact, (more, less) in WHY.items():
        change = other[fact] - best[fact] if fact in best and fact in other else 0.0
        if abs(change) < LEAST_CHANCE:
            continue
        said = language.say(more if change > 0 else less, amount=language.per_cent(abs(change)))
        (gains if (change > 0) == (fact == "win_now") else costs).append(said)
    if gains and not costs:
        costs.append(language.say("a better hand to go on with"))
    return weighed(language, gains, costs)


def chance(language: Language, facts: Mapping[str, float]) -> list[str]:
    """To win with the next roll."""
    if "win_now" not in facts:
        return []
    win = language.say("This roll wins with {chance}.", chance=language.per_cent(facts["win_now"]))
    if "over" not in facts:
        return [win]
    return [win, language.say("It goes over with {chance}.", chance=language.per_cent(facts["over"]))]
