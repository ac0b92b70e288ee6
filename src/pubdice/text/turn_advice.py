"""Advice on a turn in words, from a solver's facts: why one keep is better than another, and the mover's chances.

The facts of an action, by name, under best play afterwards: ``mean`` of the turn's score; the chance to
``qualify``, in games with a score that never wins; the best score so far, ``to_beat``, with the chances to ``beat``
and to ``tie`` it; and of every score N the chance of N or a better one, ``reach N``. A fact that is missing is not
reasoned from.
"""

from collections.abc import Callable, Mapping

from pubdice.text.language import Language, difference, weighed

LEAST_CHANCE = 0.005
WHY = {
    "mean": ("{amount} points more on average", "{amount} points fewer on average", 0.05),
    "qualify": ("{amount} more chance of a score", "{amount} less chance of a score", LEAST_CHANCE),
    "beat": ("{amount} more chance to beat {score}", "{amount} less chance to beat {score}", LEAST_CHANCE),
    "tie": ("{amount} more chance to tie at {score}", "{amount} less chance to tie at {score}", LEAST_CHANCE),
}
"""Facts to reason from: the words for more and for less of it, and the least difference worth a word."""
LOWEST = {
    **WHY,
    "beat": ("{amount} more chance to stay under {score}", "{amount} less chance to stay under {score}", LEAST_CHANCE),
}
"""The same where the lowest score wins; more of the mean score is a cost there."""
LESS_OR = (
    "{amount} more chance to stay under {score}, or of {also}",
    "{amount} less chance to stay under {score}, or of {also}",
    LEAST_CHANCE,
)
"""Of beating it, where a score that is no sum of dice does, too."""
ONLY = "{amount} more chance of {also}", "{amount} less chance of {also}", LEAST_CHANCE
"""The same where nothing else does."""
REACH = "reach "
SAME = 1e-9
"""Chances that differ by less are the same."""


def reach(score: int) -> str:
    """The fact that is the chance of a score or a better one.

    >>> reach(20)
    'reach 20'
    """
    return f"{REACH}{score}"


def why(
    language: Language,
    best: Mapping[str, float],
    other: Mapping[str, float],
    to_beat: str = "",
    *,
    lowest: bool = False,
    called: Callable[[int], str] = str,
    can_beat: bool = True,
    also: str = "",
    top: int | None = None,
    goal: int | None = None,
) -> str:
    """By the mean score, by qualifying, by beating or tying the best score so far; else by a score reached less often.

    to_beat: that score in a word, "" if there is none yet. lowest: true if the lowest score wins. called: a score in a
    word. can_beat, also: as in ``chance``. top: the best sum of dice there is. goal: the score that is played for.
    """
    gains: list[str] = []
    costs: list[str] = []
    reasons = LOWEST if lowest else WHY
    if lowest and also:
        reasons = {**LOWEST, "beat": LESS_OR if can_beat else ONLY}
    for fact, (gain, cost, least) in reasons.items():
        more = difference(best, other, fact, least)
        if not more or (fact in ("beat", "tie") and not to_beat):
            continue
        amount = language.number(abs(more), 1) if fact == "mean" else language.per_cent(abs(more))
        said = language.say(gain if more > 0 else cost, amount=amount, score=to_beat, also=also)
        (gains if (more > 0) != (lowest and fact == "mean") else costs).append(said)
    costs = costs or _rarer(language, best, other, lowest=lowest, called=called, also=also, top=top, goal=goal)
    return weighed(language, gains, costs)


def _rarer(
    language: Language,
    best: Mapping[str, float],
    other: Mapping[str, float],
    *,
    lowest: bool,
    called: Callable[[int], str],
    also: str,
    top: int | None,
    goal: int | None,
) -> list[str]:
    """The score that is reached less often by most: a choice that loses value reaches some score less often.

    Of several it is the one that is played for, else the one that has a name of its own, else the first.
    """
    lost = {
        int(fact.removeprefix(REACH)): best[fact] - other[fact]
        for fact in best
        if fact.startswith(REACH) and fact in other
    }
    most = max(lost.values(), default=0.0)
    if most < LEAST_CHANCE / 10:
        return []
    alike = [score for score, less in lost.items() if less > most - SAME]
    named = [score for score in alike if called(score) == also]
    score = goal if goal in alike else [*named, *alike][0]
    text = "{amount} less chance of {score} or less" if lowest else "{amount} less chance of {score} or more"
    if score == top or score in named:
        text = "{amount} less chance of {score}"
    if lowest and also and score not in named:
        text = "{amount} less chance of {score} or less, or {also}"
        if score == top:
            text = "{amount} less chance of {score}, or {also}"
    return [language.say(text, amount=language.per_cent(most), score=called(score), also=also)]


def chance(
    language: Language,
    facts: Mapping[str, float],
    to_beat: str = "",
    *,
    can_miss: bool,
    can_beat: bool = True,
    lowest: bool = False,
    also: str = "",
) -> list[str]:
    """To beat the best score so far; without one, to qualify.

    can_miss: true if there is a score that never wins. can_beat: true if any sum of dice beats the one to beat. lowest:
    true if the lowest score wins. also: a score that is no sum of dice and beats them all, in a word, if the mover can
    still get it; "" for none.
    """
    if "beat" not in facts:
        return []
    if not to_beat:
        mean = language.number(facts["mean"], 1)
        if not can_miss:
            return [language.say("On average: {mean}.", mean=mean)]
        text = "Chance to score: {chance}. On average: {mean}."
        return [language.say(text, chance=language.per_cent(facts["qualify"]), mean=mean)]
    tie = language.per_cent(facts["tie"])
    if not can_beat and not also:
        return [language.say("Chance to tie {score}: {tie}.", score=to_beat, tie=tie)]
    text = "Chance to beat {score}: {chance}, to tie: {tie}."
    if lowest:
        text = "Chance of less than {score}: {chance}, to tie: {tie}."
        if also:
            text = "Chance of less than {score}, or {also}: {chance}, to tie: {tie}."
    if not can_beat:
        text = "Chance of {also}: {chance}, to tie {score}: {tie}."
    return [language.say(text, score=to_beat, also=also, chance=language.per_cent(facts["beat"]), tie=tie)]
