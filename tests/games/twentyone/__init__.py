"""Twenty-One, a game the house has not: nothing is kept, dice add up, and all open. One folder, copied by a test."""

from functools import partial

from pubdice.core.game import uniform
from pubdice.kit import Kit
from pubdice.match.formats import ROUNDS
from pubdice.text.catalogues import page

from .rules import TwentyOne
from .tips import tip
from .words import TwentyOneWords

__all__ = ["KIT"]

KIT = Kit(
    name="twentyone",
    options=(),
    build=lambda options: TwentyOne(),
    formats=(ROUNDS,),
    names=("Ann", "Bob"),
    draws_from=0,
    words=TwentyOneWords(),
    policies={"tip": tip, "lucky": uniform},
    rules=partial(page, __name__),
)
