"""The games: pubdice's own, each in its folder here, and the games of other installed packages.

Only entry points import this module: the command line, the library, and code that runs in a process of its own.
"""

from pubdice.games import fourtwenty, mexico, midnight, ship, shutbox, threes
from pubdice.games.installed import add_installed
from pubdice.kit import Kit

GAMES: dict[str, Kit] = {
    kit.name: kit for kit in (midnight.KIT, fourtwenty.KIT, mexico.KIT, ship.KIT, threes.KIT, shutbox.KIT)
}
"""The kit of each game, by the game's name. pubdice's own games come first."""
INSTALLED = add_installed(GAMES)
"""The games of other packages. For each game that is left out, it has the reason."""
