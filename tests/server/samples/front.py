"""The front page to look at, and a turn that is tried on it."""

from collections.abc import Iterator

from pubdice.games import GAMES
from pubdice.games.fourtwenty import KIT as FOURTWENTY
from pubdice.games.midnight import KIT as MIDNIGHT
from pubdice.server.pages import front as front_page
from pubdice.server.pages.trial import TrialPage, begun, chosen, thrown, told
from pubdice.text.language import Language
from server.samples.tables import NASTY

FRONT = front_page.FrontPage(
    (MIDNIGHT, FOURTWENTY),
    mine=(front_page.TableRow("ABCDEF", f"Midnight with {NASTY}", "Your turn", "Play", turn=True, href="/t/ABCDEF"),),
    lobby=(front_page.TableRow("BCDEFG", "420 with Red", "Waiting for players", "Join", href="/t/BCDEFG"),),
    key="freshkey",
    name=NASTY,
    origin="http://house",
)


HOUSE = front_page.FrontPage(tuple(GAMES.values()), key="k" * 22, origin="http://house")
"""The front page of a first visitor: all games of the house."""


def trials(language: Language) -> Iterator[tuple[str, TrialPage]]:
    """A turn at Midnight: dice to mark, a choice of a few, its end, and refused marks."""
    game = MIDNIGHT.usual_game
    tried = thrown(game, begun(game), (6, 1, 4, 2, 2, 5))
    yield "to mark", told(MIDNIGHT, language, tried)
    yield "refused", told(MIDNIGHT, language, tried, "No <dice>.")
    tried = thrown(game, chosen(game, tried, game.read_action("k1456")), (3, 6))
    yield "to choose", told(MIDNIGHT, language, tried)
    yield "over", told(MIDNIGHT, language, chosen(game, tried, game.read_action("k36")))
