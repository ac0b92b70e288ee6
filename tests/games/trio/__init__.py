"""Trio, a game the house has not: three dice, a six to qualify, the other two score. One folder, copied by a test."""

from functools import partial

from pubdice.core.game import uniform
from pubdice.kit import Kit
from pubdice.match.formats import POT, ROUNDS
from pubdice.text.catalogues import page

from .rules import Trio, tip
from .words import TrioWords

__all__ = ["KIT"]

KIT = Kit(
    name="trio",
    options=(),
    build=lambda options: Trio(),
    formats=(ROUNDS, POT),
    names=("Ann", "Bob"),
    draws_from=0,
    words=TrioWords(),
    policies={"tip": tip, "lucky": uniform},
    rules=partial(page, __name__),
)
