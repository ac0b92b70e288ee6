"""420's card: best play in a few lines. A line looks at the mover's own hand only, and is priced in a race of two.

We chose the form of the lines. Only one number in them is computed: the highest total of three dice to keep. It gives
the best share of the race against best play.
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
"""14, one less than the least legal total of three kept dice. With this limit, three dice are never kept."""


def play(most: int, names: LineNames, game: FourTwenty, state: RoundState) -> tuple[tuple[Keep, int], ...]:
    """Return the keep of the named lines. The first line that finds dice to keep decides.

    The line ``three`` keeps three dice with a total of ``most`` or less, and prefers the lowest total. The lines
    ``two`` and ``one`` keep the dice with the highest total. If no line applies, all four dice are rerolled, as the
    rules always allow.
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
    """Return the card, computed once."""
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
