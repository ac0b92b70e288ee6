"""The house's pages: one function a page, which gives the HTML of what ``page_data`` says of it. Knows no request.

Templates hold the English sentences; ``t`` and ``n`` say them in the reader's language. What comes from a kit (its
tagline, what a house rule does) is English too and said the same way; views and rows of tables are in the reader's
language already. Everything is escaped on its way in, and no page has a script, a style or a picture but our own files.
"""

from dataclasses import replace
from itertools import count

from pubdice.server.show.book_page import BookPage
from pubdice.server.show.chance_panel import ChancePanel
from pubdice.server.show.company import PHRASES
from pubdice.server.show.line_chart import HIGH, WIDE
from pubdice.server.show.page_data import MOST_BOTS, OTHERS, FrontPage, TablePage
from pubdice.server.show.script_words import spoken
from pubdice.server.web.render import Frame, Preview, Trouble, _house, render, told
from pubdice.server.wire import DieView, View
from pubdice.text.language import Language
from pubdice.text.markdown import read_blocks

REFRESH_S = 10
"""A page without scripts reloads so often while one waits; ``presence.SEEN_MS`` is longer."""
MODULES = ("line", "view", "keys", "forms", "page", "speech", "sound", "motion", "pad", "awake", "share")
"""Scripts that table.js loads."""


def front(frame: Frame, page: FrontPage) -> str:
    """The front page: one's tables, a new game, a code to join with, public games."""
    chosen = page.values.get("game", page.games[0].name)
    say, given = frame.language.say, page.values.get
    text = say("Start a game, let your friends scan the code, and roll. No sign-up.")
    if frame.pocket:
        text = say("One phone for all of you. Pass it round, or play the bots. It needs no network.")
    preview = Preview(say("Pub dice for your table"), text, page.origin)
    return render(
        "front.html",
        frame,
        page=page,
        cards=page.games,
        most_priced=max(card.most_seats for card in page.games),
        changing=False,
        chosen=chosen,
        given=given,
        preview=preview,
        text=text,
        others=OTHERS,
        most_bots=MOST_BOTS,
        known=dict(zip(("name", *OTHERS), (page.name, *page.others), strict=False)),
        unfolded=len(page.others) > 3 or any(name == page.field or given(name, "").strip() for name in OTHERS[3:]),
    )


def table(frame: Frame, page: TablePage) -> str:
    """A table's page: gathering, playing and over, watching and sitting."""
    return _table("table.html", frame, page)


def big(frame: Frame, page: TablePage) -> str:
    """A table for a big screen: everybody's dice and the way in, and nothing to press."""
    return _table("big.html", frame, replace(page, seat=None, seats=(), host=False, words=""))


def _table(template: str, frame: Frame, page: TablePage) -> str:
    view, numbers, say = page.view, count(1), frame.language.say
    seats = page.seats or (() if page.seat is None else (page.seat,))
    page = replace(page, seats=seats)
    dice: dict[int, DieView] = {die.place: die for die in view.dice}
    own = seats[0] if len(seats) == 1 else None
    acts = page.seat is not None and (view.ask == "draw" or view.mover in seats)
    holder = page.held if page.held in seats else next(iter(seats), None)
    passing = len(seats) > 1 and view.mover in seats and view.mover != holder
    sitting = sum(seat.kind != "empty" for seat in view.seats)
    played = view.mover is not None and view.seats[view.mover].kind != "person"
    enters = view.ask == "enter" and (acts or (page.seat is not None and played))
    waits = not acts and not enters and view.stage != "over" and page.seat is not None
    return render(
        template,
        frame,
        page=page,
        view=view,
        panel=page.chances,
        wide=WIDE,
        high=HIGH,
        dice=dice,
        loose=sum(not view.rail or die.status != "locked" for die in view.dice),
        chosen=any(die.status == "marked" for die in view.dice),
        big=template == "big.html",
        mine=view.seats[page.seat] if page.seat is not None else None,
        acts=acts,
        enters=enters,
        passing=passing,
        holder=holder,
        turn=_turn(frame.language, view, own, acts=acts),
        sitting=sitting,
        waits=waits and not page.refusal,
        others=[at for at, seat in enumerate(view.seats) if seat.kind in ("person", "standin") and _goes(page, at)],
        empty=[at for at, seat in enumerate(view.seats) if seat.kind == "empty"],
        bots=[at for at, seat in enumerate(view.seats) if seat.kind == "bot"],
        fresh=lambda: f"{page.key}-{next(numbers)}",
        told=lambda line: told(line, own),
        called=lambda seat: view.seats[seat].name or say("Seat {number}", number=seat + 1),
        own=own,
        modules=MODULES,
        refresh_s=REFRESH_S,
        phrases=[say(phrase) for phrase in PHRASES],
        spoken=spoken(frame.language, page.title, pocket=frame.pocket),
        preview=_invitation(frame.language, page),
        cards=[page.card] if page.card else [],
        changing=True,
        most_priced=page.card.most_seats if page.card and page.prices else 0,
        given={**page.values, "pace": str(page.pace_ms), "players": str(max(2, len(view.seats)))}.get,
    )


def chances(language: Language, panel: ChancePanel) -> str:
    """The panel of a table that shows chances, as a part of its page."""
    return _house().get_template("chances.html").render(panel=panel, big=False, t=language.say, wide=WIDE, high=HIGH)


def _invitation(language: Language, page: TablePage) -> Preview:
    """What a link to a table looks like: the game and its rules, and nobody's name."""
    text = language.say("Enter your name and roll. No sign-up. {rules}", rules=page.rules)
    return Preview(language.say("Join us for {game}", game=page.title), text, page.origin)


def _turn(language: Language, view: View, own: int | None, *, acts: bool) -> str:
    """What the title says: whose turn it is, or how it ended."""
    if view.stage == "gathering":
        return language.say("Join this table")
    if view.stage == "over" and view.result:
        return told(view.result[0], own).rstrip(".!")
    return language.say("Your turn") if acts else told(view.heading, own)


def _goes(page: TablePage, seat: int) -> bool:
    """Whether one may ask this seat's people to leave."""
    return seat not in page.seats and (page.removable is None or seat in page.removable)


def rules(frame: Frame, game: str, text: str, best_play: str = "") -> str:
    """A game's page of rules, from its Markdown. best_play: the game's name, if it has a page of best play."""
    return render("rules.html", frame, game=game, blocks=read_blocks(text), best_play=best_play)


def book(frame: Frame, page: BookPage) -> str:
    """The players' book: a player's own page, or the forms by which one comes in."""
    return render("book.html", frame, page=page)


def help_page(frame: Frame) -> str:
    """How to play here: by touch, by keys, by ear."""
    return render("help.html", frame)


def privacy(frame: Frame) -> str:
    """What the house keeps of people, and what it does not."""
    return render("privacy.html", frame)


def trouble(frame: Frame, page: Trouble) -> str:
    """What went wrong, in a sentence, and a way on."""
    return render("trouble.html", frame, page=page)
