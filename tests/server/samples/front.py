"""The front page to look at."""

from pubdice.games.fourtwenty import KIT as FOURTWENTY
from pubdice.games.midnight import KIT as MIDNIGHT
from pubdice.server.show import page_data
from pubdice.server.show.game_cards import rule
from server.samples.tables import NASTY


def card(name: str) -> page_data.GameCard:
    kit = {"midnight": MIDNIGHT, "420": FOURTWENTY}[name]
    return page_data.GameCard(
        name,
        kit.words.title,
        kit.words.tagline,
        tuple(map(rule, kit.options)),
        kit.formats,
        tuple(
            page_data.FormOption(opener, f"what {opener} means")
            for opener in ("rotate", "fixed")[: 2 - kit.draws_from // 2]
        ),
        tuple(page_data.FormOption(bot, f"what {bot} does") for bot in kit.bots),
        20,
        kit.draws_from,
    )


FRONT = page_data.FrontPage(
    (card("midnight"), card("420")),
    mine=(page_data.TableRow("ABCDEF", f"Midnight with {NASTY}", "Your turn", "Play", turn=True, href="/t/ABCDEF"),),
    lobby=(page_data.TableRow("BCDEFG", "420 with Red", "Waiting for players", "Join", href="/t/BCDEFG"),),
    key="freshkey",
    name=NASTY,
    origin="http://house",
)
