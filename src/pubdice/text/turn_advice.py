"""Advice on a turn in words: the reasons why one keep is better than another, and the mover's chances.

Both come from a solver's facts about an action. A fact counts the rest of the turn under best play. Advice skips a fact
that is missing.

- ``mean``: the mean score of the turn.
- ``qualify``: the chance of a score that can win, in games with a score that never wins.
- ``to_beat``: the best score so far.
- ``beat`` and ``tie``: the chances to beat and to tie that score.
- ``reach N``: the chance of N or a better score, for every score N.
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
"""The facts that can be a reason. For each: the words for more, the words for less, and the least difference that
counts."""
LOWEST = {
    **WHY,
    "beat": ("{amount} more chance to stay under {score}", "{amount} less chance to stay under {score}", LEAST_CHANCE),
}
"""The same as ``WHY`` for games in which the lowest score wins. There a higher mean score is a cost."""
LESS_OR = (
    "{amount} more chance to stay under {score}, or of {also}",
    "{amount} less chance to stay under {score}, or of {also}",
    LEAST_CHANCE,
)
"""The words for ``beat`` if the lowest score wins and a special score, such as the moon at Threes, beats all others
too."""
ONLY = "{amount} more chance of {also}", "{amount} less chance of {also}", LEAST_CHANCE
"""The words for ``beat`` if nothing except the special score beats the score so far."""
REACH = "reach "
SAME = 1e-9
"""Chances that differ by less than this count as equal."""


def reach(score: int) -> str:
    """Return the name of the fact that holds the chance of this score or a better one.

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
    """Return a clause with the gains and costs of the action ``other`` against the best action. "" if it costs nothing.

    The reasons are the mean score, the chance to qualify, and the chances to beat and to tie the best score so far. If
    none of them is a cost, the reason is a score that the action reaches less often.

    - ``to_beat``: the best score so far in a word, or "".
    - ``lowest``: True if the lowest score wins.
    - ``called``: turns a score into a word.
    - ``can_beat`` and ``also``: as in ``chance``.
    - ``top``: the best possible sum of dice.
    - ``goal``: the score that the mover plays for.
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
    """Return a clause on the score whose chance drops most. There is such a score, because an action that loses value
    must reach some score less often.

    If several chances drop alike, it takes the goal, else the special score ``also``, else the first score.
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
    """Return the mover's chances to beat and to tie the best score so far.

    Before the first score, return the chance to qualify and the mean score.

    - ``can_miss``: True if the game has a score that never wins.
    - ``can_beat``: True if some sum of dice beats the score to beat.
    - ``lowest``: True if the lowest score wins.
    - ``also``: a special score that beats every sum of dice, in a word, if the mover can still get it, otherwise "".
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
