"""Shut the Box: two dice, nine tiles, and the tiles left up count against you."""

from pubdice.games.shutbox.rules import ShutTheBox, tip
from pubdice.games.shutbox.words import ShutTheBoxWords
from pubdice.kit import Kit, Option, lazy
from pubdice.match.formats import LAST_IN, POT, ROUNDS

__all__ = ["KIT", "ShutTheBox"]

KIT = Kit(
    name="shutbox",
    options=(
        Option(
            "die",
            ("no", "may", "must", "six", "maysix"),
            "one die",
            (
                "always two dice (standard)",
                "one or two, as the player likes, once every tile above 6 is shut",
                "one die once every tile above 6 is shut",
                "one die once the tiles left make 6 or less",
                "one or two, as the player likes, once the tiles left make 6 or less",
            ),
            words="no, may, must, six, maysix",
        ),
        Option(
            "left",
            ("sum", "digits"),
            "what the tiles left count",
            ("their sum (standard)", "read as one number: 1 2 9 is 129"),
            words="sum, digits",
        ),
        Option("tiles", ("9", "10", "12"), "number of tiles", ("1 to 9 (standard)", "1 to 10", "1 to 12"), before="9"),
    ),
    build=ShutTheBox.chosen,
    words=ShutTheBoxWords(),
    formats=(ROUNDS, POT, LAST_IN),
    policies={"tip": tip},
    card_lines=lazy("pubdice.games.shutbox.card", "card"),
    joins="2027-01-01",
    tile=(5, 4),
)
