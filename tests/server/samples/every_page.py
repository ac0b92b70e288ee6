"""Every page of the house, in every state."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from pubdice.advice.drill import DrillScore
from pubdice.games.fourtwenty import KIT as FOURTWENTY
from pubdice.games.midnight import KIT as MIDNIGHT
from pubdice.server.pages import about, ask, best_play, book, daily, drill, evening, night, prices, receipt, verify
from pubdice.server.pages import front as front_page
from pubdice.server.pages import record as records
from pubdice.server.pages import table as table_page
from pubdice.server.pages import trial as trial_page
from pubdice.server.pages.night import NightForm
from pubdice.server.pages.record import OpenedRow, RecordPage
from pubdice.server.web import render
from server.samples.advice import TITLES, asked, checks, days, drills, figures, priced, receipts
from server.samples.evening import books, evenings, nights
from server.samples.front import FRONT, trials
from server.samples.tables import ENGLISH, tables


@cache
def every_page(frame: render.Frame = ENGLISH) -> dict[str, str]:
    """The pages by their names, drawn once for all tests of a process, when the first of them asks."""
    return dict(_drawn(frame))


def _drawn(frame: render.Frame) -> Iterator[tuple[str, str]]:
    for name, page in tables():
        yield f"table, {name}", table_page.html(frame, page)
    yield "front", front_page.html(frame, FRONT)
    yield "front, empty", front_page.html(frame, front_page.FrontPage(FRONT.games))
    given = {"game": "420", "name": "!!", "420.format": "drinks", "door": "open", "grace": "60"}
    yield "front, refused", front_page.html(frame, replace(FRONT, values=given, refusal="No name.", field="name"))
    yield "front, no code", front_page.html(frame, replace(FRONT, values={"code": "<x>"}, refusal="No.", field="code"))
    many = {"game": "420", "players": "9", "420.format": "drinks"}
    yield "front, players", front_page.html(frame, replace(FRONT, values=many, refusal="Too many.", field="players"))
    yield "rules", about.rules_html(frame, MIDNIGHT)
    yield "rules of 420", about.rules_html(frame, FOURTWENTY)
    yield from ((f"trial, {name}", trial_page.html(frame, page)) for name, page in trials(frame.language))
    yield from ((f"ask, {name}", ask.html(frame, page)) for name, page in asked())
    yield from ((f"receipt, {name}", receipt.html(frame, page)) for name, page in receipts())
    yield from (
        (f"evening, {name}", evening.html(frame, replace(page, origin="http://house"))) for name, page in evenings()
    )
    yield from ((f"verify, {name}", verify.html(frame, page)) for name, page in checks(frame))
    yield from ((f"drill, {name}", drill.html(frame, page)) for name, page in drills())
    yield (
        "drill",
        drill.list_html(
            frame, (("threes", "<i>", DrillScore(12, 12, 9, ((3, 14), (5, 15)))), ("420", "420", DrillScore()))
        ),
    )
    yield "drill, no games", drill.list_html(frame, ())
    yield from ((f"daily, {name}", daily.html(frame, replace(page, origin="http://house"))) for name, page in days())
    yield from ((f"best play, {name}", best_play.html(frame, replace(page, titles=TITLES))) for name, page in figures())
    yield from ((f"prices, {name}", prices.html(frame, replace(page, titles=TITLES))) for name, page in priced())
    form = NightForm(FRONT.games)
    wrong = replace(form, values={"game": "420", "players": "9"}, refusal="Too <large>.")
    for name, each in (("form", form), ("large", wrong), ("players", replace(wrong, field="players"))):
        yield f"night, {name}", night.form_html(frame, replace(each, origin="http://house"))
    yield from ((f"night, {name}", night.html(frame, replace(page, origin="http://house"))) for name, page in nights())
    yield from ((f"book, {name}", book.html(frame, page)) for name, page in books())
    alone = replace(frame, pocket=True)
    yield "pocket, front", front_page.html(alone, FRONT)
    yield "pocket, front, empty", front_page.html(alone, front_page.FrontPage(FRONT.games))
    named = {"name": "Ann", "player2": "Bob", "player6": "!!", "bots": "2"}
    yield "pocket, front, refused", front_page.html(alone, replace(FRONT, values=named, refusal="No.", field="player6"))
    for name, page in tables():
        seats = tuple(at for at, seat in enumerate(page.view.seats) if seat.kind == "person")
        phone = replace(page, seat=seats[0] if seats else None, seats=seats, words="amber otter plain river")
        yield f"table, {name}, in a pocket", table_page.html(alone, phone)
    dice = "These dice were not sealed, so there is nothing to check."
    opened = (OpenedRow("/record/0123456789abcdef", "Midnight with Ann and Bob", dice),) * 2
    for name, record in (("empty", RecordPage()), ("no", RecordPage("x", "No.")), ("evening", RecordPage(rows=opened))):
        yield f"pocket, record, {name}", records.html(alone, record)
    for name, decided in receipts():
        if "/" in decided.table:
            from_file = replace(decided, table="/record/0123456789abcdef", opened=True, dice=dice)
            yield f"pocket, receipt of a record, {name}", receipt.html(alone, from_file)
    yield "pocket, help", about.help_html(alone, None)
    yield "pocket, privacy", about.privacy_html(alone, None)
    yield from ((f"pocket, book, {name}", book.html(alone, page)) for name, page in books())
    yield "pocket, not there", render.trouble(alone, render.Trouble(404, "Page not found.", "no-page"))
    yield "help", about.help_html(frame, None)
    yield "privacy", about.privacy_html(frame, None)
    yield "not there", render.trouble(frame, render.Trouble(404, "There is no such table."))
    yield "refused", render.trouble(frame, render.Trouble(429, "Too fast."))
