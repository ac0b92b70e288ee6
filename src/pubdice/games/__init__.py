"""The games of the house. A game is a folder here and a line in GAMES; only the edges read it."""

from pubdice.games import fourtwenty, mexico, midnight, ship, threes
from pubdice.kit import Kit

GAMES: dict[str, Kit] = {kit.name: kit for kit in (midnight.KIT, fourtwenty.KIT, mexico.KIT, ship.KIT, threes.KIT)}
