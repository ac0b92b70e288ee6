"""420 on a card: lines that look at one's own hand only; the house finds what each is worth in a race of two.

The form of the lines is ours; up to which total three dice are worth keeping is found by computation, as what gives the
best share of the race against best play.
"""

from functools import cache, partial

from pubdice.advice.card import CardLine, LineCard, LineNames, card_line
from pubdice.core.game import Keep
from pubdice.games.fourtwenty.rules import FOUNDATION, TARGET, FourTwenty, RoundState
from pubdice.solve.numerics import first_best
from pubdice.solve.race.contest import contest
from pubdice.text.language import Language

ALL: LineNames = frozenset(("three", "two", "one"))
NEVER = FOUNDATION[3] - 1
"""Three dice that total at most this are never kept, as there are none."""


def play(most: int, names: LineNames, game: FourTwenty, state: RoundState) -> tuple[tuple[Keep, int], ...]:
    """The lines of these names as a policy: the first that has dice to keep decides.

    most: three dice are kept up to this total, the least first; of two dice, and one, the highest. If no line applies,
    all four dice are rerolled, which the rules always allow.
    """
    legal = game.legal(state)
    low = [keep for keep in legal if len(keep.dice) == 3 and _total(keep) <= most]
    if low and "three" in names:
        return ((min(low, key=_total), 1),)
    for size, name in ((2, "two"), (1, "one")):
        kept = [keep for keep in legal if len(keep.dice) == size]
        if kept and name in names:
            return ((max(kept, key=_total), 1),)
    return ((legal[0], 1),)


def _total(keep: Keep) -> int:
    return sum(keep.dice)


@cache
def card(game: FourTwenty) -> LineCard:
    """The card, worked out once."""
    share = contest(game).share_against_best
    most = first_best(range(NEVER, TARGET - 1), lambda most: share(partial(play, most, ALL)))
    lines = (
        CardLine("three", partial(_three, most), (5, 5, 5)),
        card_line("two", "Otherwise two make 10 or more: keep your highest two.", (6, 4)),
        card_line("one", "Otherwise keep one 6, or else one 5.", (6,)),
    )
    rest = card_line("rest", "Otherwise, or over 20: reroll all four.")
    return LineCard(lines, lambda names: partial(play, most, names), rest)


def _three(most: int, language: Language) -> str:
    totals = language.join(map(str, range(FOUNDATION[3], most + 1)), "{some} or else {last}")
    return language.say("Three dice make {totals}: keep those three.", totals=totals)
