"""Tables and pages to look at: gathering, playing, over; watched and played; few seats and many."""

from collections.abc import Iterator
from dataclasses import replace

from pubdice.advice.chances_told import SeatChances
from pubdice.advice.daily import DayQuestion
from pubdice.advice.daily_streak import Streak
from pubdice.advice.daily_told import DayChoice, ToldDay
from pubdice.advice.figures import BestPlayFigure, BestPlayRow
from pubdice.advice.ledger import SeatLedger
from pubdice.advice.losses import LossUnit, MatchLosses, SeatLosses
from pubdice.advice.night_ranking import ranked
from pubdice.advice.questions.ranking import RankedKeep, Ranking
from pubdice.advice.rating import Sums, sums_of
from pubdice.advice.receipt_parts import (
    MoveTold,
    OptionTold,
    PartTold,
    QuestionTold,
    Receipt,
    SeatTold,
    Turning,
)
from pubdice.advice.rule_prices_told import PricedChoice, PricedPart
from pubdice.core.seal import Seal
from pubdice.games.fourtwenty import KIT as FOURTWENTY
from pubdice.games.midnight import KIT as MIDNIGHT
from pubdice.match.sealed_record import Proof, check_dice, with_proof
from pubdice.server.http.ask_routes import flags_of
from pubdice.server.show import chance_panel, game_cards, night_pages, page_data, pages, receipt_page, verify_page
from pubdice.server.show.ask_page import AskPage, answered, refused, waiting
from pubdice.server.show.best_play_page import BestPlayPage, shown
from pubdice.server.show.book_page import BookPage, HeldBook, told_book
from pubdice.server.show.daily_page import DailyPage, day_page, told_page
from pubdice.server.show.evening_page import EveningPage, HighlightShown, MatchRow, TallyRow
from pubdice.server.show.game_cards import rule
from pubdice.server.show.night_page import NightForm, NightPage
from pubdice.server.show.price_page import PricePage
from pubdice.server.show.price_page import shown as shown_part
from pubdice.server.show.receipt_page import ReceiptPage
from pubdice.server.show.verify_page import VerifyPage
from pubdice.server.wire import Button, DieView, Evening, SealView, SeatView, Standing, Told, View
from pubdice.store.players import BookEntry, BookSums, Opponent
from pubdice.text.language import Language

ENGLISH = page_data.Frame(Language())
NASTY = "O'Hara & Zoë"


def die(place: int, face: int, status: str = "free", marks: str | None = "0") -> DieView:
    return DieView(place, face, status, status != "locked", f"Die {place + 1}, {face}", status, marks)


def seat(name: str = "Ann", kind: str = "person", **facts: object) -> SeatView:
    plain: dict[str, object] = dict.fromkeys(("note", "score", "points", "hand"), "")
    flags: dict[str, object] = {"here": True, "turn": False, "out": False, "host": False, "votable": False, "dice": []}
    return SeatView(name=name, kind=kind, **{**plain, **flags, **facts})  # type: ignore[arg-type]


PLAIN = View(
    seq=41, shape="12", stage="playing", mover=0, ask="keep", rolls=7, places=6, dice=[], heading=Told(""),
    status=Told(""), main=None, sure=None, bank=None, back=None, rail=None, beam=None, red=[], beat=Told(""),
    scores=Told(""), standing=Told(""), whose=Told(""), counter="", last=[], seats=[], clock=None, now=1000, result=[],
    won=[], won_dice=[], rematch=None,
)  # fmt: skip


def view(**facts: object) -> View:
    return View(**{**{name: getattr(PLAIN, name) for name in View.__struct_fields__}, **facts})


DICE = [die(0, 6, "locked", None), die(1, 4, "marked", ""), die(2, 1, "free", "1 2"), die(4, 3, "free", "1 4")]
FACES = [each.face for each in DICE]
THREE = [
    seat("Ann", host=True, score="23", points="1", dice=[6], hand="6."),
    seat(NASTY, turn=True, dice=FACES),
    seat("Bob", here=False, note="away", votable=True),
    seat("Tip", "bot", note="bot"),
]
MINE = view(
    mover=1, seats=THREE, dice=DICE, main=Button("roll", "Roll 2 dice"), clock=43_000,
    whose=Told(f"{NASTY} is on turn."), counter="Round 2 of 5", last=[Told("It rolled.", {1: "You rolled."})],
    heading=Told(f"{NASTY}'s turn", {1: "Your turn: keep one or more"}), status=Told("", {1: "You still need a 1."}),
    beat=Told(f"Ann has 23. {NASTY} needs 24.", {1: "Ann has 23. You need 24."}),
)  # fmt: skip
GATHERING = view(stage="gathering", mover=None, ask="none", rolls=0, seats=[seat("Ann", host=True), seat("", "empty")])
OVER = view(
    stage="over", mover=None, ask="none", seats=THREE, result=[Told(f"{NASTY} wins."), Told("Slate: even.")], won=[1]
)
TABLE = page_data.TablePage(
    "ABCDEF", "http://house/t/ABCDEF", "midnight", "Midnight", "5 rounds.", MINE, "freshkey",
    story=("Ann sat down.", f"{NASTY} rolled 1 2 3 4 5 6."), name=NASTY, bots=("tip", "lucky"), here="/t/ABCDEF",
)  # fmt: skip


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


def _but(shown: View, **facts: object) -> View:
    return view(**{**{name: getattr(shown, name) for name in View.__struct_fields__}, **facts})


def tables() -> Iterator[tuple[str, page_data.TablePage]]:
    many = [seat(f"Player {number}", turn=number == 3, dice=FACES) for number in range(1, 21)]
    red = view(places=4, dice=DICE[:3], seats=[seat("Red", turn=True), seat("Blue")], main=Button("roll", "Roll 1 die"))
    entering = view(ask="enter", seats=THREE, main=Button("enter", "Enter 6 dice"), back=Button("back", "Take back"))
    yield "watching", TABLE
    yield "my turn", replace(TABLE, seat=1, words="amber otter plain river")
    yield "another's turn", replace(TABLE, seat=0, host=True)
    yield "a bot stands in", replace(TABLE, seat=0, view=view(seats=[seat(kind="standin"), *THREE[1:]]))
    yield "gathering", replace(TABLE, seat=0, host=True, view=GATHERING, card=game_cards.card(MIDNIGHT))
    yield "gathering, watched", replace(TABLE, view=GATHERING)
    yield "over", replace(TABLE, seat=0, host=True, view=OVER)
    rows, said = ((612, 388, 0), (500, 400, 100)), (("61.2 %",) * 3, ("50.0 %",) * 3)
    found = SeatChances(rows, said, "The chance to win.", scale=1000, chances=True, outlook="Chance to beat 18: 4 %.")
    yield "chances", replace(TABLE, seat=0, lessons=2, chances=chance_panel.panel(["Ann", NASTY, "Cy"], 1, found, 0))
    yield "chances, none", replace(TABLE, chances=chance_panel.ChancePanel(why="It has 600,015 positions."))
    yield "chances, not yet", replace(TABLE, chances=chance_panel.ChancePanel())
    seal = SealView(["lantern"] * 8, "ab" * 32, "0" * 16 + "/1", [0], opened=False)
    gathering = view(**{**{name: getattr(GATHERING, name) for name in View.__struct_fields__}, "seal": seal})
    yield "gathering, sealed", replace(TABLE, seat=0, host=True, view=gathering)
    over = view(**{**{name: getattr(OVER, name) for name in View.__struct_fields__}, "seal": seal})
    yield "over, sealed", replace(TABLE, seat=0, view=over)
    yield "over, watched", replace(TABLE, view=OVER)
    plan = page_data.PlanForm(
        (("midnight rounds 5", "Midnight as it is now"), ("mexico lives 6", "Mexico: 6 lives")),
        (("1", "1 match"), ("best of 3", "best of 3")), "best of 3",
        (("mexico", "2 matches of Mexico"), ("420", "420")),
    )  # fmt: skip
    tally = Evening(2, [Standing(NASTY, 1, 2, {}, []), Standing("Ann", 0, 0, {}, [])], f"{NASTY} leads")
    planned = {"planned": "Next: Mexico, match 2 of 3.", "evening": tally}
    yield "gathering, planned", replace(TABLE, seat=0, host=True, plan=plan, view=_but(GATHERING, **planned))
    yield "over, planned", replace(TABLE, seat=0, host=True, plan=plan, more=True, view=_but(OVER, **planned))
    yield "gathering, of a night", replace(TABLE, seat=0, host=True, view=GATHERING, night="KORBUMTAL")
    yield "over, of a night", replace(TABLE, seat=0, view=OVER, night="KORBUMTAL")
    yield "next table laid", replace(TABLE, seat=0, view=view(stage="over", seats=THREE, rematch="/t/BCDEFG"))
    yield "alone", replace(TABLE, seat=0, host=True, view=view(seats=[seat(turn=True)], main=Button("roll", "Roll")))
    yield "six", replace(TABLE, seat=2, view=view(seats=many[:6]))
    yield "twenty", replace(TABLE, seat=2, host=True, view=view(seats=many))
    yield "420", replace(TABLE, game="420", title="420", seat=0, view=red, refusal="Keep three.", refused="roll")
    yield "name refused", replace(TABLE, refusal="Take another name.", refused="sit")
    yield "words refused", replace(TABLE, refusal="Those are not the words.", refused="join")
    yield "real dice", replace(TABLE, real=True, seat=0, view=entering)
    yield "real draw", replace(TABLE, real=True, seat=0, view=view(ask="draw", mover=None, seats=THREE))
    yield (
        "drawn by the house",
        replace(TABLE, seat=0, view=view(ask="draw", mover=None, seats=THREE, main=Button("draw", "Draw Player 1"))),
    )


TITLES = (("midnight", "Midnight"), ("420", "420"))


def asked() -> Iterator[tuple[str, AskPage]]:
    """Pages that ask the house: empty, answered by flags, refused, waiting, and a decision of a match."""
    fields = flags_of(MIDNIGHT)
    given = {"roll": "65321", "locked": "4", "to-beat": "18"}
    keeps = [
        RankedKeep(tuple(FACES[: 1 + at]), f"{60 - at} %", f"{at} %" if at else "", 0.9, f"Keep {at}.")
        for at in range(9)
    ]
    answer = Ranking(tuple(keeps), "The share of the round, with best play after it.", {})
    played = replace(answer, rows=(keeps[0], replace(keeps[1], chosen=True)), before=("Ann rolled 1.",), number=2, of=3)
    yield "empty", AskPage("midnight", fields)
    yield "answered", answered(AskPage("midnight", fields, given), answer)
    yield "refused", refused(AskPage("midnight", fields, given), "No turn comes to these dice.")
    yield "waiting", waiting(AskPage("midnight", fields, given), 2)
    yield "decision", answered(AskPage("midnight", table="/t/ABCDEF"), played)


def receipt(seats: int = 3, moves: int = 12) -> Receipt:
    """A receipt of so many seats and moves, with all there can be on it."""
    names = tuple((NASTY, "Bob", "Cid", "Dot", "Eve", "Fay")[:seats])
    parts = [("seat", 333, 0.0, 0.3), ("luck", 700, 0.3, 1.0), ("skill", -100, 0.9, 1.0), ("others", 67, 0.9, 1.0)]
    told = [
        PartTold(name, name, f"{NASTY}: {units}.", f"{units / 10} %", units, 0, *ends) for name, units, *ends in parts
    ]
    whole = (*told, PartTold("result", "Result", "", "100.0 %", 1000, 1000, 0.0, 1.0))
    units = [(1000 // seats + at, *(1000 // seats - at for _ in names[1:])) for at in range(moves)]
    line = tuple(
        MoveTold(
            (f"{NASTY} rolled {at}.",) if at else (), (1, 4), "Round 1", tuple(f"{each / 10} %" for each in row), row,
            at, at % 3,
        )
        for at, row in enumerate(units)
    )  # fmt: skip
    options = tuple(
        OptionTold(f"k{at}", f"Keep {at}", "50 %", f"It loses {at}.", at, not at, at == 2) for at in range(3)
    )
    question = QuestionTold(2, NASTY, ("Round 1",), (1, 4), options, "Keep 0 is best.", f"{NASTY} kept 2.")
    turning = Turning((1, 4, 6), (f"{NASTY} rolled 1 4 6.",), "Round 1", 1)
    return Receipt(
        result=(f"{NASTY} wins.",), rules="5 rounds", decided="The dice decided it.", utility="The chance to win",
        scale=1000, chances=True, names=names, rests="1,000 replays.", luckiest=turning, dearest=turning, moves=line,
        seats=tuple(SeatTold(name, whole, f"{name} was lucky.") for name in names), questions=(question, question),
        decisions=((1, "Kept 1."), (2, "Kept 2.")), share=f"{NASTY} wins. 100 %.", red=(1, 4), data={},
    )  # fmt: skip


def receipts() -> Iterator[tuple[str, ReceiptPage]]:
    """What decided it: whole, at a move, with nothing to tell, asked, answered well and badly, waiting and refused."""
    page = ReceiptPage("/t/ABCDEF", "http://house/t/ABCDEF/receipt", receipt(), step=11)
    bare = replace(receipt(2, 2), decided="", luckiest=None, dearest=None, decisions=(), questions=())
    yield "whole", page
    yield "at a move", replace(page, step=5)
    yield "six", replace(page, receipt=receipt(6), step=0)
    yield "bare", replace(page, receipt=bare, step=1)
    yield "asked", replace(page, question=1)
    yield "answered", replace(page, question=2, chosen="k0")
    yield "answered badly", replace(page, question=1, chosen="k2")
    yield "waiting", receipt_page.waiting(ReceiptPage("/t/ABCDEF"), 2)
    yield "refused", receipt_page.refused(ReceiptPage("/t/ABCDEF"), "Midnight is solved for 6 seats at most.")


SEALED = with_proof(
    "pubdice 1\ngame: midnight\nseats: Ann, Bob\n\nround 1\nAnn: 344512\n",
    Proof(Seal("0" * 16, 1, "ab" * 32), ("heads", "-")),
)


def checks(frame: page_data.Frame) -> Iterator[tuple[str, VerifyPage]]:
    """The page that checks sealed dice: empty, and with a record whose seal is not open."""
    yield "empty", verify_page.blank(frame.language)
    yield "a record", verify_page.checked(frame.language, SEALED, check_dice(SEALED), "/t/ABCDEF")


def days() -> Iterator[tuple[str, DailyPage]]:
    """Days of Last orders: worked out, asked, refused, answered, over without an answer."""
    choices = tuple(
        DayChoice(f"k{at}", f"Keep {at}", (at,), "best" if at == 1 else "off", at - 1) for at in range(1, 10)
    )
    keeps = tuple(
        RankedKeep((at,), f"{60 - at} %", f"{at} %" if at > 1 else "", 0.9, f"Keep {at}.") for at in range(1, 10)
    )
    told = ToldDay(
        DayQuestion(9, "2025-04-29", "midnight", "pubdice 1"),
        NASTY, "Ann has 19, you need 20.", "Locked: 1 4. Which dice do you keep?",
        (1, 4), (3, 5, 6, 6), (1, 4), choices,
        Ranking(keeps, "The share of the round, with best play after it.", {}),
    )  # fmt: skip
    streak = Streak().answered(6, "best", 0).answered(7, "close", 1)
    today = day_page(9, 9, streak)
    yield "waiting", replace(today, again_s=2)
    yield "asked", told_page(today, told, streak, Language())
    yield "refused", replace(told_page(today, told, streak, Language()), refusal="Choose one of the answers first.")
    answered_it = streak.answered(9, "off", 8)
    yield "answered", told_page(day_page(9, 9, answered_it), told, answered_it, Language())
    yield "over", told_page(day_page(9, 11, streak), told, streak, Language())


def figures() -> Iterator[tuple[str, BestPlayPage]]:
    """Best play of a game: nothing ready, some of it, all of it."""
    rows = tuple(BestPlayRow(NASTY, str(at), (f"{at} %",), at / 20, at / 30) for at in range(20))
    drawn = BestPlayFigure(
        "reach", NASTY, "Lead.", ("Score", "Chance"), rows, "pubdice odds midnight", "95 %", ("Note.",)
    )
    card = replace(drawn, name="card", rows=(*rows[:3], BestPlayRow("4. Else", "4", ("–",), None)))
    claims = BestPlayFigure(
        "claims",
        "Advice",
        "Lead.",
        ("", "", ""),
        (BestPlayRow(NASTY, "1", ("true", "as", "12"), None),),
        "x",
        tongue="en",
    )
    first = replace(drawn, name="first-rolls", rows=tuple(replace(row, short="", given="pubdice 1\n") for row in rows))
    every = tuple(map(shown, (drawn, card, first, claims)))
    yield "none yet", BestPlayPage("midnight", "Midnight", (), 4, 3)
    yield "some", BestPlayPage("midnight", "Midnight", every[:1], 4, 3)
    yield "all", BestPlayPage("midnight", "Midnight", every, 4, refusal="One is too large.")


def priced() -> Iterator[tuple[str, PricePage]]:
    """Prices of rules: nothing ready, some of it, all of it with refusals."""
    rules = {"need": "1 4", "seats": "2"}
    now = PricedChoice(rules, NASTY, True, "Share", ("48 %", "52 %"), (0.9, 1.0), 0.95, "", "4 %")
    other = replace(now, rules={**rules, "need": "2 4"}, label="<Other>", now=False, difference="+1 %")
    refused = PricedChoice({**rules, "seats": "3"}, "3 players", False, why="Too large.")
    parts = tuple(
        shown_part("midnight", PricedPart(name, name.title(), lead, choices, best))
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
    unsolved = shown_part("midnight", PricedPart("now", "Now", "", (replace(refused, now=True),)))
    yield "unsolved", replace(page, parts=(unsolved,), again_s=0)


def evenings() -> Iterator[tuple[str, EveningPage]]:
    """Evenings: nothing over, highlights being found, everything there is to tell, a long one with refusals."""
    turning = Turning((1, 4, 6), (f"{NASTY} rolled 1 4 6.", "That gave 5 %."), f"{NASTY}, round 1", 3)
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
    found = tuple(HighlightShown(turning, matches[at], of, (1, 4)) for at, of in ((0, "The chance"), (1, "Chips")))
    yield "nothing over", empty
    yield "waiting", replace(night, again_s=3, weighed=1, dearest=found[:1], luckiest=found[:1])
    yield "whole", replace(night, weighed=2, dearest=found, luckiest=found[:1])
    yield "long", replace(night, older=30, weighed=2, untold=("Match 31: too large.", "Match 32: too large."))


def nights() -> Iterator[tuple[str, NightPage]]:
    """A duplicate night: before one plays, while one does, ranked, waiting, and with a name refused."""
    page = NightPage(
        "KOR BUM TAL", "http://house/night/KORBUMTAL", "/night/KORBUMTAL", "midnight", "Midnight", "5 rounds.", 2,
        "freshkey", name=NASTY, ranking=ranked((), Language()),
    )  # fmt: skip
    unit = LossUnit("chance of winning")
    tables = [
        MatchLosses((SeatLosses(NASTY, (0.0, 0.03)), SeatLosses("Bob", (0.2, 0.01, 0.0))), unit),
        MatchLosses((SeatLosses("<Cid>", (0.03,)), SeatLosses("Dot", ())), unit),
    ]
    full = replace(page, over=2, ranking=ranked(tables, Language()), tables=("/t/ABCDEF", "/t/BCDEFG"))
    yield "fresh", page
    yield "held", replace(page, own="/t/ABCDEF", held=True, going=1, over=2)
    yield "not played", full
    yield "played", replace(full, played=True, failed=1)
    yield "waiting", replace(full, again_s=2)
    yield "refused", replace(full, refusal="Enter your name.")


def books() -> Iterator[tuple[str, BookPage]]:
    """The players' book: for strangers, refused, with new words, empty, worked out in part and whole, being erased."""
    yield "stranger", BookPage(given=NASTY)
    yield "name refused", BookPage(given="You", refusal="That word means something else here.", refused="join")
    yield "words refused", BookPage(given=NASTY, refusal="No player has those words.", refused="enter")
    yield "written in", BookPage(name=NASTY, words="amber otter plain river")
    yield "empty", BookPage(name=NASTY)
    seat = SeatLedger(0.5, 0.3, -0.1, 0.3, 1.0, 0.25, 7, 0.1, 0.5)
    worth = {name: getattr(sums_of(seat), name) for name in Sums.__dataclass_fields__}
    entry = BookEntry(1, "KORBUM", 1_763_640_000_000, 0, "midnight", "rounds 5", 3, 1.0, "worked", "share", worth)
    chips = replace(entry, code="KORBUN", won=0.5, utility="chips", form="pot 1 rounds 5")
    bare = replace(entry, code="KORBUK", game="420", state="bare", won=0.0, utility="", worth={})
    held = HeldBook(
        (entry, chips, bare, replace(bare, code="KORBUS", state="new")),
        (BookSums("midnight", "share", 40, 21.5, {name: 40 * amount for name, amount in worth.items()}),),
        (Opponent(NASTY, 12, 5.5, 6.5), Opponent("Bob", 1, 0, 1)),
    )
    titles = {"midnight": "Midnight", "420": "420"}
    whole = told_book(BookPage(name=NASTY), Language(), titles, held, lambda code: f"/t/{code}/receipt")
    yield "whole", whole
    yield "in part", replace(whole, left=3, again_s=3, rating=None, luck=(), opponents=())
    yield "erasing", BookPage(name=NASTY, erasing=True)


def every_page(frame: page_data.Frame = ENGLISH) -> Iterator[tuple[str, str]]:
    for name, page in tables():
        yield f"table, {name}", pages.table(frame, page)
    yield "front", pages.front(frame, FRONT)
    yield "front, empty", pages.front(frame, page_data.FrontPage(FRONT.games))
    given = {"game": "420", "name": "!!", "420.format": "drinks", "door": "open", "grace": "60"}
    yield "front, refused", pages.front(frame, replace(FRONT, values=given, refusal="No name.", field="name"))
    yield "front, no code", pages.front(frame, replace(FRONT, values={"code": "<x>"}, refusal="No.", field="code"))
    yield "rules", pages.rules(frame, "Midnight", MIDNIGHT.rules(frame.code), "midnight")
    yield "rules of 420", pages.rules(frame, "420", FOURTWENTY.rules(frame.code))
    yield from ((f"ask, {name}", pages.ask(frame, page, TITLES, "http://house")) for name, page in asked())
    yield from ((f"receipt, {name}", pages.receipt(frame, page, "http://house")) for name, page in receipts())
    yield from ((f"evening, {name}", pages.evening(frame, page, "http://house")) for name, page in evenings())
    yield from ((f"verify, {name}", pages.verify(frame, page)) for name, page in checks(frame))
    yield from ((f"daily, {name}", pages.daily(frame, page, "http://house")) for name, page in days())
    yield from ((f"best play, {name}", pages.best_play(frame, page, TITLES)) for name, page in figures())
    yield from ((f"prices, {name}", pages.prices(frame, page, TITLES)) for name, page in priced())
    form = NightForm(FRONT.games)
    wrong = replace(form, values={"game": "420", "players": "9"}, refusal="Too <large>.")
    for name, each in (("form", form), ("large", wrong), ("players", replace(wrong, field="players"))):
        yield f"night, {name}", night_pages.night_form(frame, each, "http://house")
    yield from ((f"night, {name}", night_pages.night(frame, page, "http://house")) for name, page in nights())
    yield from ((f"book, {name}", pages.book(frame, page)) for name, page in books())
    yield "help", pages.help_page(frame)
    yield "privacy", pages.privacy(frame)
    yield "not there", pages.trouble(frame, page_data.Trouble(404, "There is no such table."))
    yield "refused", pages.trouble(frame, page_data.Trouble(429, "Too fast."))
