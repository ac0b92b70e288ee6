"""The games: pubdice's own, each a folder here, and the games of other installed packages.

Only the edges import this module: the command line, the library, and code that runs in a process of its own.
"""

from pubdice.games import fourtwenty, mexico, midnight, ship, shutbox, threes
from pubdice.games.installed import add_installed
from pubdice.kit import Kit

GAMES: dict[str, Kit] = {
    kit.name: kit for kit in (midnight.KIT, fourtwenty.KIT, mexico.KIT, ship.KIT, threes.KIT, shutbox.KIT)
}
"""Every game by its name, pubdice's own first."""
INSTALLED = add_installed(GAMES)
"""The games of other packages, and the reason for each game that is left out."""
