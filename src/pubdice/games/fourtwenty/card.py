"""420's card. Its lines look at the mover's own hand only, and are priced in a race of two.

We chose the form of the lines. The highest total at which to keep three dice is computed: it gives the best share of
the race against best play.
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
"""14, one less than three kept dice must total. With it as the limit, three dice are never kept."""


def play(most: int, names: LineNames, game: FourTwenty, state: RoundState) -> tuple[tuple[Keep, int], ...]:
    """The named lines as a policy. The first line that finds dice to keep decides.

    Three dice are kept up to a total of ``most``, the lowest total first. Of two dice, or of one, the highest total is
    kept. If no line applies, all four dice are rerolled. The rules always allow that.
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
    """The card, computed once."""
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
