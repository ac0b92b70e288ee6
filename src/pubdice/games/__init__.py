"""The games that are played: the house's, which are folders here, and those of packages installed beside it.

Only the edges read them.
"""

from pubdice.games import fourtwenty, mexico, midnight, ship, shutbox, threes
from pubdice.games.installed import add_installed
from pubdice.kit import Kit

GAMES: dict[str, Kit] = {
    kit.name: kit for kit in (midnight.KIT, fourtwenty.KIT, mexico.KIT, ship.KIT, threes.KIT, shutbox.KIT)
}
"""Every game by its name, the house's first."""
INSTALLED = add_installed(GAMES)
"""The games that were found beside the house, and those of them that are left out."""
