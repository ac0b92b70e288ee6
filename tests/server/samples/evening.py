"""Pages of an evening to look at, of a duplicate night, and of the players' book."""

from collections.abc import Iterator
from dataclasses import replace

from pubdice.advice.ledger import SeatLedger
from pubdice.advice.losses import LossUnit, MatchLosses, SeatLosses
from pubdice.advice.night_ranking import ranked
from pubdice.advice.rating import Sums, sums_of
from pubdice.advice.receipt_parts import Highlight
from pubdice.server.pages.book import BookPage, filled_book
from pubdice.server.pages.evening import EveningPage, HighlightShown, MatchRow, TallyRow
from pubdice.server.pages.night import NightPage
from pubdice.store.players_book import BookEntry, BookSums
from pubdice.text.language import Language
from server.samples.tables import NASTY


def evenings() -> Iterator[tuple[str, EveningPage]]:
    """Evenings: nothing over, highlights being found, everything there is to tell, a long one with refusals."""
    highlight = Highlight((1, 4, 6), (f"{NASTY} rolled 1 4 6.", "That gave 5.0% more."), f"{NASTY}, round 1", 3, 0.05)
    matches = tuple(
        MatchRow(number, title, "5 rounds", won, f"/t/ABCDE{number}", number < 3)
        for number, title, won in ((1, "Mexico", NASTY), (2, "Mexico", "Bob"), (3, "Midnight", "under way"))
    )
    rows = (TallyRow(NASTY, 1, (-12, 3)), TallyRow("Bob", 1, (12, 0)))
    empty = EveningPage("/t/ABCDEF", "http://house/t/ABCDEF/evening", "", (), (), (), matches[2:], 0, (), (), 0, 0, (),
                        "", "")  # fmt: skip
    night = replace(
        empty, lead=f"{NASTY} leads", columns=("Chips", "Rounds won"), rows=rows, buys=(f"{NASTY} buys.",), of=2,
        matches=matches, share=f"3 matches: {NASTY} 1, Bob 1.", planned="Next: Midnight.",
    )  # fmt: skip
    found = tuple(HighlightShown(highlight, matches[at], of, (1, 4)) for at, of in ((0, "The chance"), (1, "Chips")))
    yield "nothing over", empty
    yield "waiting", replace(night, again_s=3, weighed=1, dearest=found[:1], luckiest=found[:1])
    yield "whole", replace(night, weighed=2, dearest=found, luckiest=found[:1])
    yield "long", replace(night, older=30, weighed=2, untold=("Match 31: too large.", "Match 32: too large."))


def nights() -> Iterator[tuple[str, NightPage]]:
    """A duplicate night: before one plays, while one does, ranked, waiting, and with a name refused."""
    page = NightPage(
        "KOR BUM TAL", "http://house/night/KORBUMTAL", "/night/KORBUMTAL", "midnight", "Midnight", "5 rounds.", 2,
        "freshkey", name=NASTY, ranking=ranked(()),
    )  # fmt: skip
    unit = LossUnit("chance of winning")
    tables = [
        MatchLosses((SeatLosses(NASTY, (0.0, 0.03), 0.1), SeatLosses("Bob", (0.2, 0.01, 0.0), 0.3)), unit),
        MatchLosses((SeatLosses("<Cid>", (0.03,), 0.1), SeatLosses("Dot", (), 0.0)), unit),
    ]
    full = replace(page, over=2, ranking=ranked(tables), tables=("/t/ABCDEF", "/t/BCDEFG"))
    yield "fresh", page
    yield "held", replace(page, own="/t/ABCDEF", held=True, going=1, over=2)
    yield "not played", full
    yield "played", replace(full, played=True, failed=1)
    yield "waiting", replace(full, again_s=2)
    yield "refused", replace(full, refusal="Enter your name.")


def books() -> Iterator[tuple[str, BookPage]]:
    """The players' book: on a phone without one, refused, carried on, empty, worked out in part and whole, erased."""
    yield "none", BookPage()
    yield "before it begins", BookPage(can_begin=True, earlier=True)
    yield "not begun", BookPage(refusal="Play on this phone first.", refused="begin")
    yield "words refused", BookPage(given=NASTY, refusal="Those words open no book.", refused="enter")
    yield (
        "old words refused",
        BookPage(earlier=True, given=NASTY, refusal="Those words open no book.", refused="earlier"),
    )
    yield "carried", BookPage(1, table="KOR BUM", words="amber otter plain river")
    yield "empty", BookPage(1)
    seat = SeatLedger(0.5, 0.3, -0.1, 0.3, 1.0, 0.25, 7, 0.1, 0.5)
    worth = {name: getattr(sums_of(seat), name) for name in Sums.__dataclass_fields__}
    entry = BookEntry(1, "KORBUM", 1_763_640_000_000, 0, "midnight", "rounds 5", 3, 1.0, "worked", "share", worth)
    chips = replace(entry, code="KORBUN", won=0.5, utility="chips", form="pot 1 rounds 5")
    bare = replace(entry, code="KORBUK", game="420", state="bare", won=0.0, utility="", worth={})
    held = (
        (entry, chips, bare, replace(bare, code="KORBUS", state="new")),
        (BookSums("midnight", "share", 40, 21.5, {name: 40 * amount for name, amount in worth.items()}),),
    )
    titles = {"midnight": "Midnight", "420": "420"}
    whole = filled_book(BookPage(2), Language(), titles, held, lambda code: f"/t/{code}/receipt")
    yield "whole", whole
    yield "in part", replace(whole, left=3, again_s=3, rating=None, luck=())
    yield "erasing", BookPage(1, erasing=True)
