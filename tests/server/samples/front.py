"""The front page to look at."""

from pubdice.games.fourtwenty import KIT as FOURTWENTY
from pubdice.games.midnight import KIT as MIDNIGHT
from pubdice.server.pages import front as front_page
from pubdice.server.table import new_tables
from pubdice.server.table.new_tables import rule
from server.samples.tables import NASTY


def card(name: str) -> new_tables.GameCard:
    kit = {"midnight": MIDNIGHT, "420": FOURTWENTY}[name]
    return new_tables.GameCard(
        name,
        kit.words.title,
        kit.words.tagline,
        tuple(map(rule, kit.options)),
        kit.formats,
        tuple(
            new_tables.FormOption(opener, f"what {opener} means")
            for opener in ("rotate", "fixed")[: 2 - kit.draws_from // 2]
        ),
        tuple(new_tables.FormOption(bot, f"what {bot} does") for bot in kit.bots),
        20,
        kit.draws_from,
    )


FRONT = front_page.FrontPage(
    (card("midnight"), card("420")),
    mine=(front_page.TableRow("ABCDEF", f"Midnight with {NASTY}", "Your turn", "Play", turn=True, href="/t/ABCDEF"),),
    lobby=(front_page.TableRow("BCDEFG", "420 with Red", "Waiting for players", "Join", href="/t/BCDEFG"),),
    key="freshkey",
    name=NASTY,
    origin="http://house",
)
