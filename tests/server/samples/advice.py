"""Pages of advice to look at: a position asked, a receipt, sealed dice, a day, best play, prices."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pubdice.advice.daily import DayQuestion
from pubdice.advice.drill import DrillScore
from pubdice.advice.explained_day import DayChoice, ExplainedDay
from pubdice.advice.figures import BestPlayFigure, BestPlayRow
from pubdice.advice.ranking import RankedKeep, Ranking
from pubdice.advice.receipt_parts import (
    Highlight,
    Receipt,
    ReceiptDecision,
    ReceiptMove,
    ReceiptOption,
    ReceiptPart,
    ReceiptQuestion,
    ReceiptSeat,
)
from pubdice.advice.rule_prices import PricedChoice, PricedPart
from pubdice.advice.streak import Streak
from pubdice.advice.turning import TurningPoint, turning_of
from pubdice.core.seal import Seal
from pubdice.games.midnight import KIT as MIDNIGHT
from pubdice.match.sealed_record import Proof, check_dice, with_proof
from pubdice.server.finished_match import FinishedMatch, with_turning_point
from pubdice.server.pages import verify as verify_page
from pubdice.server.pages.ask import AskPage, flags_of
from pubdice.server.pages.best_play import BestPlayPage
from pubdice.server.pages.daily import DailyPage, day_page, graded_page, told_page
from pubdice.server.pages.drill import DrillPage
from pubdice.server.pages.prices import PricePage
from pubdice.server.pages.receipt import ReceiptPage
from pubdice.server.pages.verify import VerifyPage
from pubdice.server.web import render
from pubdice.server.web.render import Preview
from pubdice.text.language import Language
from server.samples.tables import FACES, NASTY

ORIGIN = "http://house"
TITLES = (("midnight", "Midnight"), ("420", "420"))


def asked() -> Iterator[tuple[str, AskPage]]:
    """Pages that ask the house, with the games it can be asked of."""
    return ((name, replace(page, titles=TITLES, origin=ORIGIN)) for name, page in _asked())


def _asked() -> Iterator[tuple[str, AskPage]]:
    """Pages that ask the house: empty, answered by flags, refused, waiting, and a decision of a match."""
    fields = flags_of(MIDNIGHT)
    given = {"roll": "65321", "locked": "4", "to-beat": "18"}
    keeps = [
        RankedKeep(tuple(FACES[: 1 + at]), f"{60 - at}%", f"{at}%" if at else "", 0.9, f"Keep {at}.") for at in range(9)
    ]
    answer = Ranking(tuple(keeps), "The share of the round, with best play after it.", {})
    played = replace(answer, rows=(keeps[0], replace(keeps[1], chosen=True)), before=("Ann rolled 1.",), number=2, of=3)
    yield "empty", AskPage("midnight", fields)
    yield "answered", AskPage("midnight", fields, given, answer)
    match = {"roll": "65321", "locked": "4", "format": "rounds", "rounds": "3", "round": "2", "wins": "1,0"}
    yield "match", AskPage("midnight", fields, match, replace(answer, before=("Round 2 of 3",)))
    yield "refused", AskPage("midnight", fields, given, refusal="These dice can't come up in a turn.")
    yield "waiting", AskPage("midnight", fields, given, again_s=2)
    yield "decision", AskPage("midnight", answer=played, table="/t/ABCDEF")


def turning_point(names: Sequence[str], rows: Sequence[tuple[int, ...]]) -> TurningPoint:
    """The turn of a match of one round, by everybody's chances in thousandths at the start and after each move."""
    said = tuple(tuple(f"{each / 10}%" for each in row) for row in (rows[0], rows[-1]))
    (step, seat), called = turning_of(rows), tuple(names)
    before, after = [f"{rows[at][seat] / 10:.0f}%" for at in (max(0, step - 1), step)]
    return TurningPoint(
        called, "you", "The chance to win", 1000, chances=True, rows=tuple(rows), said=(said[0], said[1]), ended=(),
        move=step, seat=seat, dice=(1, 4), round=1, where="Round 1", change=(before, after), choices=2,
        told=tuple(f"{name or called[seat]} rolled 1 4." for name in ("", *called)), challenge="Would you keep 1?",
        asked=(1, 4, 6),
    )  # fmt: skip


def decision(number: int) -> ReceiptDecision:
    """A decision, the second of which cost most."""
    where, verdict = f"Choice {number} of 2: {NASTY}.", f"Keep {number} is best."
    return ReceiptDecision(number, where, f"{NASTY} leads.", "Dice: 1 4.", f"{NASTY} kept 2.", verdict, number == 2)


def receipt(seats: int = 3, moves: int = 12) -> Receipt:
    """A receipt of so many seats and moves, with all there can be on it."""
    names = tuple((NASTY, "Bob", "Cid", "Dot", "Eve", "Fay")[:seats])
    parts = [("seat", 333, 0.0, 0.3), ("luck", 700, 0.3, 1.0), ("skill", -100, 0.9, 1.0), ("others", 67, 0.9, 1.0)]
    told = [
        ReceiptPart(name, name, f"{NASTY}: {units}.", f"{units / 10}%", units, 0, begin, end, f"{units // 10}")
        for name, units, begin, end in parts
    ]
    whole = (*told, ReceiptPart("result", "Result", "", "100.0%", 1000, 1000, 0.0, 1.0, "100"))
    units = [(1000 // seats + at, *(1000 // seats - at for _ in names[1:])) for at in range(moves)]
    line = tuple(
        ReceiptMove(
            (f"{NASTY} rolled {at}.",) if at else (), (1, 4), "Round 1", tuple(f"{each / 10}%" for each in row),
            at, at % 3,
        )
        for at, row in enumerate(units)
    )  # fmt: skip
    options = tuple(
        ReceiptOption(f"k{at}", f"Keep {at}", "50%", f"It loses {at}.", at, not at, at == 2) for at in range(3)
    )
    asked, kept = f"{NASTY} rolled this.", f"{NASTY} kept 2."
    question = ReceiptQuestion(2, asked, ("Round 1",), (1, 4), options, "Keep 0 is best.", kept)
    highlight = Highlight((1, 4, 6), (f"{NASTY} rolled 1 4 6.",), "Round 1", 1, 0.05)
    return Receipt(
        result=(f"{NASTY} wins.",), rules="5 rounds", decided="The dice decided it.",
        turning=turning_point(names, units), you=None, names=names, rests="1,000 replays.",
        luckiest=highlight, dearest=highlight, moves=line,
        seats=tuple(ReceiptSeat(name, whole, f"{name} was lucky.") for name in names), questions=(question, question),
        decisions=(decision(1), decision(2)), red=(1, 4), data={},
    )  # fmt: skip


def finished(seats: int = 3, moves: int = 12) -> FinishedMatch:
    """A finished match of so many seats, with all that its picture can tell."""
    turn = receipt(seats, moves).turning
    names = turn.names
    told = FinishedMatch(
        "Midnight · 28 Nov", f"{names[0]} wins!", hand=(6, 6, 5, 4, 4, 1), red=(1, 4), first=0,
        hand_told="Best hand: 21, round 5", rows=tuple((name, str(seats - at)) for at, name in enumerate(names)),
        question="Would you have won?",
        address="http://house/t/ABCDEF/receipt", shown="house/t/ABCDEF",
    )  # fmt: skip
    return with_turning_point(told, turn, Language())


PREVIEW = Preview("Ann wins!", "Midnight, 28 Nov.", ORIGIN, f"{ORIGIN}/t/ABCDEF/preview.png", "Ann wins.")


def receipts() -> Iterator[tuple[str, ReceiptPage]]:
    """Pages of receipts, with the house's address."""
    return ((name, replace(page, origin=ORIGIN)) for name, page in _receipts())


def _receipts() -> Iterator[tuple[str, ReceiptPage]]:
    """Receipts: whole, at a move, with nothing to tell, asked, answered well and badly, waiting and refused."""
    address = "http://house/t/ABCDEF/receipt"
    page = ReceiptPage("/t/ABCDEF", address, finished(), PREVIEW, receipt(), step=11)
    bare = replace(receipt(2, 2), decided="", luckiest=None, dearest=None, decisions=(), questions=())
    yield "whole", page
    yield "at a move", replace(page, step=5)
    yield "six", replace(page, receipt=receipt(6), step=0)
    yield "bare", replace(page, receipt=bare, step=1)
    yield "asked", replace(page, question=1)
    yield "answered", replace(page, question=2, chosen="k0")
    yield "answered badly", replace(page, question=1, chosen="k2")
    yield "waiting", ReceiptPage("/t/ABCDEF", again_s=2)
    yield "refused", ReceiptPage("/t/ABCDEF", refusal="Midnight is solved for 6 seats at most.")


SEALED = with_proof(
    "pubdice 1\ngame: midnight\nseats: Ann, Bob\n\nround 1\nAnn: 344512\n",
    Proof(Seal("0" * 16, 1, "ab" * 32, version=1), ("Ann", "Bob"), ("heads", "-")),
)


def checks(frame: render.Frame) -> Iterator[tuple[str, VerifyPage]]:
    """The page that checks sealed dice: empty, and with a record whose seal is not open."""
    yield "empty", verify_page.blank(frame.language)
    yield "a record", verify_page.checked(frame.language, SEALED, check_dice(SEALED), "/t/ABCDEF")


def _told() -> ExplainedDay:
    """A position with many choices, of a game with a nasty name."""
    choices = tuple(
        DayChoice(f"k{at}", f"Keep {at}", "best" if at == 1 else "off", f"{at}% off", at - 1, at - 1)
        for at in range(1, 10)
    )
    keeps = tuple(
        RankedKeep((at,), f"{60 - at}%", f"{at}%" if at > 1 else "", 0.9, f"Keep {at}.") for at in range(1, 10)
    )
    return ExplainedDay(
        DayQuestion(9, "2025-04-29", "midnight", "pubdice 1"),
        NASTY, "Ann has 19, you need 20.", "Locked: 1 4. Which dice do you keep?",
        (1, 4), (3, 5, 6, 6), (1, 4), choices,
        Ranking(keeps, "The share of the round, with best play after it.", {}),
    )  # fmt: skip


def days() -> Iterator[tuple[str, DailyPage]]:
    """Days of Last orders: worked out, asked, refused, answered, over without an answer."""
    told = _told()
    streak = Streak().answered(6, "best", 0).answered(7, "close", 1)
    today = day_page(9, 9, streak)
    yield "waiting", replace(today, again_s=2)
    yield "asked", told_page(today, told, Language())
    yield "refused", replace(told_page(today, told, Language()), refusal="Choose one of the answers first.")
    answered_it = streak.answered(9, "off", 8)
    yield "answered", told_page(day_page(9, 9, answered_it), told, Language())
    yield "over", told_page(day_page(9, 11, streak), told, Language())


def drills() -> Iterator[tuple[str, DrillPage]]:
    """Positions of the drill: worked out, asked, refused, answered."""
    page = DrillPage(game="midnight", title=NASTY, number=17, score=DrillScore(16, 12, 9, ((3, 14), (5, 15))))
    yield "waiting", replace(page, again_s=2)
    yield "asked", graded_page(page, _told())
    yield "refused", replace(graded_page(page, _told()), refusal="Choose one of the answers first.")
    yield "answered", graded_page(page, _told(), "k9")


def figures() -> Iterator[tuple[str, BestPlayPage]]:
    """Best play of a game: nothing ready, some of it, all of it."""
    rows = tuple(BestPlayRow(NASTY, str(at), (f"{at}%",), at / 20, at / 30) for at in range(20))
    drawn = BestPlayFigure(
        "reach", NASTY, "Lead.", ("Score", "Chance"), rows, "pubdice odds midnight", "95%", ("Note.",)
    )
    card = replace(drawn, name="card", rows=(*rows[:3], BestPlayRow("4. Else", "4", ("–",), None)))
    first = replace(drawn, name="first-rolls", rows=tuple(replace(row, short="", given="pubdice 1\n") for row in rows))
    every = (drawn, card, first)
    yield "none yet", BestPlayPage("midnight", "Midnight", (), 4, 3)
    yield "some", BestPlayPage("midnight", "Midnight", every[:1], 4, 3)
    yield "all", BestPlayPage("midnight", "Midnight", every, 4, refusal="One is too large.")


def priced() -> Iterator[tuple[str, PricePage]]:
    """Prices of rules: nothing ready, some of it, all of it with refusals."""
    rules = {"need": "1 4", "seats": "2"}
    now = PricedChoice(rules, NASTY, True, "Share", ("48%", "52%"), (0.9, 1.0), 0.95, "", "4%")
    other = replace(now, rules={**rules, "need": "2 4"}, label="<Other>", now=False, difference="+1%")
    refused = PricedChoice({**rules, "seats": "3"}, "3 players", False, why="Too large.")
    parts = tuple(
        PricedPart(name, name.title(), lead, choices, best)
        for name, lead, choices, best in (
            ("now", "", (now,), None),
            ("fair", "Most even.", (now, other, refused), 1),
            ("need", "", (now, replace(other, worth="Chips")), None),
            ("seats", "Lead.", (now, refused), None),
            ("format", "", (refused, refused), None),
        )
    )
    page = PricePage("midnight", "Midnight", "/prices/midnight?seats=2", "/prices/midnight", 2, "5 rounds", (), 5, 3)
    yield "none yet", page
    yield "some", replace(page, parts=parts[:1])
    yield "all", replace(page, parts=parts, again_s=0)
    unsolved = PricedPart("now", "Now", "", (replace(refused, now=True),))
    yield "unsolved", replace(page, parts=(unsolved,), again_s=0)
