"""Tables to look at: gathering, playing, over. Watched and played. Few seats and many."""

from collections.abc import Iterator
from dataclasses import replace

from pubdice.advice.seat_chances import SeatChances
from pubdice.games.fourtwenty import KIT as FOURTWENTY
from pubdice.games.mexico import KIT as MEXICO
from pubdice.games.midnight import KIT as MIDNIGHT
from pubdice.games.shutbox import KIT as SHUTBOX
from pubdice.server import charts
from pubdice.server.pages import table as table_page
from pubdice.server.table import line_up_words
from pubdice.server.web import render
from pubdice.server.wire import (
    Button,
    DieView,
    Evening,
    SealView,
    SeatView,
    Standing,
    Told,
    View,
)
from pubdice.text.catalogues import language
from pubdice.text.game_words import Ladder, Offer, Rung, Things, Tile

ENGLISH = render.Frame(language("en"))
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
TWO = [seat("Ann", host=True), seat(NASTY)]
COMPANY = view(stage="gathering", mover=None, ask="none", rolls=0, seats=TWO, room=True, grows=True)
OVER = view(
    stage="over", mover=None, ask="none", seats=THREE, result=[Told(f"{NASTY} wins."), Told("Slate: even.")], won=[1]
)
TABLE = table_page.TablePage(
    "ABCDEF", "http://house/t/ABCDEF", MIDNIGHT, "5 rounds.", MINE, "freshkey",
    story=("Ann sat down.", f"{NASTY} rolled 1 2 3 4 5 6."), name=NASTY, bots=("tip", "lucky"), here="/t/ABCDEF",
)  # fmt: skip


def _but(shown: View, **facts: object) -> View:
    return view(**{**{name: getattr(shown, name) for name in View.__struct_fields__}, **facts})


def tables() -> Iterator[tuple[str, table_page.TablePage]]:
    many = [seat(f"Player {number}", turn=number == 3, dice=FACES) for number in range(1, 21)]
    red = view(places=4, dice=DICE[:3], seats=[seat("Red", turn=True), seat("Blue")], main=Button("roll", "Roll 1 die"))
    entering = view(ask="enter", seats=THREE, main=Button("enter", "Enter 6 dice"), back=Button("back", "Take back"))
    yield "watching", TABLE
    yield "my turn", replace(TABLE, seat=1, words="amber otter plain river")
    yield "another's turn", replace(TABLE, seat=0, host=True)
    yield "a bot stands in", replace(TABLE, seat=0, view=view(seats=[seat(kind="standin"), *THREE[1:]]))
    changed = replace(TABLE, changeable=True, prices="/prices/midnight?seats=2")
    yield "gathering", replace(changed, seat=0, host=True, view=GATHERING)
    yield "gathering, watched", replace(TABLE, view=GATHERING)
    yield "gathering, a guest", replace(TABLE, seat=1, view=COMPANY)
    yield "over", replace(TABLE, seat=0, host=True, view=OVER)
    rows, said = ((612, 388, 0), (500, 400, 100)), (("61.2%",) * 3, ("50.0%",) * 3)
    found = SeatChances(rows, said, "The chance to win.", scale=1000, chances=True, outlook="Chance to beat 18: 4%.")
    yield "chances", replace(TABLE, seat=0, lessons=2, chances=charts.panel(["Ann", NASTY, "Cy"], 1, found, 0))
    yield "chances, none", replace(TABLE, chances=charts.ChancePanel(why="It has 600,015 positions."))
    yield "chances, not yet", replace(TABLE, chances=charts.ChancePanel())
    seal = SealView(
        ["lantern"] * 8,
        "ab" * 32,
        f"2 {'0' * 16}/1 {'cd' * 32}",
        [0],
        False,
        ["", "ef" * 32, "-"],
        [],
        "",
        "Tip adds no seed.",
    )
    gathering = view(**{**{name: getattr(GATHERING, name) for name in View.__struct_fields__}, "seal": seal})
    yield "gathering, sealed", replace(TABLE, seat=0, host=True, view=gathering)
    over = view(**{**{name: getattr(OVER, name) for name in View.__struct_fields__}, "seal": seal})
    yield "over, sealed", replace(TABLE, seat=0, view=over)
    yield "over, watched", replace(TABLE, view=OVER)
    plan = line_up_words.PlanForm(
        (("midnight rounds 5", "Midnight as it is now"), ("mexico lives 6", "Mexico: 6 lives")),
        (("1", "1 match"), ("best of 3", "best of 3")), "best of 3",
        (("mexico", "2 matches of Mexico"), ("420", "420")),
    )  # fmt: skip
    tally = Evening(2, [Standing(NASTY, 1, 2, {}, []), Standing("Ann", 0, 0, {}, [])], f"{NASTY} leads")
    planned = {"planned": "Next: Mexico, match 2 of 3.", "evening": tally}
    yield "gathering, planned", replace(TABLE, seat=0, host=True, plan=plan, view=_but(GATHERING, **planned))
    yield "over, planned", replace(TABLE, seat=0, host=True, plan=plan, more=True, view=_but(OVER, **planned))
    yield "gathering, of a night", replace(TABLE, seat=0, host=True, view=GATHERING, night="/night/KORBUMTAL")
    yield "over, of a night", replace(TABLE, seat=0, view=OVER, night="/night/KORBUMTAL")
    yield "next table laid", replace(TABLE, seat=0, view=view(stage="over", seats=THREE, rematch="/t/BCDEFG"))
    yield "alone", replace(TABLE, seat=0, host=True, view=view(seats=[seat(turn=True)], main=Button("roll", "Roll")))
    yield "six", replace(TABLE, seat=2, view=view(seats=many[:6]))
    yield "twenty", replace(TABLE, seat=2, host=True, view=view(seats=many))
    yield "420", replace(TABLE, kit=FOURTWENTY, seat=0, view=red, refusal="Keep three.", refused="roll")
    rungs = Rung("31", under=True), *[Rung(label, label == "54") for label in ("54", "66", "21")]
    ladder = Ladder(rungs, "lowest loses", "21 is Mexico")
    yield "ladder", replace(TABLE, kit=MEXICO, seat=1, view=_but(MINE, ladder=ladder))
    up = tuple([Tile(number, str(number), number not in (3, 9)) for number in range(1, 10)])
    moves = tuple([Offer(f"s{one}", f"Shut {one}", takes=(one,)) for one in (8, 71, 62)])
    box = {"things": Things("Up: 1 2 4 5 6 7 8.", label="The box", tiles=up), "moves": moves, "rail": None}
    tiles = view(mover=1, seats=THREE, ask="move", places=2, dice=[die(0, 6, "lying"), die(1, 2, "lying")], **box)
    yield "tiles", replace(TABLE, kit=SHUTBOX, seat=1, view=tiles)
    adding = [seat("Ann", score="+15", points="100", dice=FACES), *THREE[1:]]
    yield "points", replace(TABLE, seat=1, view=_but(MINE, seats=adding))
    yield "name refused", replace(TABLE, refusal="Take another name.", refused="sit")
    yield "words refused", replace(TABLE, refusal="Those are not the words.", refused="join")
    yield "real dice", replace(TABLE, real=True, seat=0, view=entering)
    yield "real draw", replace(TABLE, real=True, seat=0, view=view(ask="draw", mover=None, seats=THREE))
    yield (
        "drawn by the house",
        replace(TABLE, seat=0, view=view(ask="draw", mover=None, seats=THREE, main=Button("draw", "Draw Player 1"))),
    )
