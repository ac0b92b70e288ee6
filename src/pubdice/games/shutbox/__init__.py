"""Shut the Box: two dice, nine tiles, and the tiles left up count against you."""

from pubdice.games.shutbox.rules import ShutTheBox, tip
from pubdice.games.shutbox.words import ShutTheBoxWords
from pubdice.kit import Kit, Option, lazy
from pubdice.match.formats import POT, ROUNDS

__all__ = ["KIT", "ShutTheBox"]

KIT = Kit(
    name="shutbox",
    options=(
        Option(
            "die",
            ("no", "may", "must"),
            "one die once 7, 8 and 9 are shut",
            ("always two dice (standard)", "one or two, as the player likes", "one die"),
            words="no, may, must",
        ),
        Option(
            "left",
            ("sum", "digits"),
            "what the tiles left count",
            ("their sum (standard)", "read as one number: 1 2 9 is 129"),
            words="sum, digits",
        ),
    ),
    build=lambda options: ShutTheBox(options["die"], options["left"]),
    words=ShutTheBoxWords(),
    formats=(ROUNDS, POT),
    policies={"tip": tip},
    card_lines=lazy("pubdice.games.shutbox.card", "card"),
    joins="2027-01-01",
    tile=(5, 4),
)
