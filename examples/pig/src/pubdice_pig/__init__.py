"""Pig, a dice game for pubdice: roll on as you like, a 1 loses the turn, and the first to the goal wins."""

from pubdice.kit import Kit, Option
from pubdice.match.formats import RACE

from .rules import Pig, tip
from .words import PigWords

KIT = Kit(
    name="pig",
    build=lambda options: Pig(int(options["goal"])),
    words=PigWords(),
    options=(
        Option("goal", ("100", "50", "20"), "the points that win", ("the usual game", "half of it", "a quick one")),
    ),
    formats=(RACE,),
    policies={"tip": tip},
)
