"""Bounds that a player meets: exactly at a bound all is drawn or allowed, one past it is not."""

import ast
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

import pubdice.server
from pubdice.advice.rating import LEAST_MATCHES, Sums
from pubdice.advice.seat_chances import SeatChances
from pubdice.advice.spoken_advice import Amounts
from pubdice.core.errors import BadNotation, Refused
from pubdice.games import GAMES
from pubdice.kit import PERFECT
from pubdice.match.header import RawHeader
from pubdice.room import commands as ask
from pubdice.room.setup import MOST_CHAIRS, MOST_PERFECT
from pubdice.server import charts
from pubdice.server.pages import book, receipt, trial
from pubdice.server.table import in_play, ordered_setup, views
from pubdice.server.table.game_offers import MOST_BOTS
from pubdice.server.table.ordered_setup import OrderError, setup_ordered
from pubdice.server.wire import Order
from pubdice.text.catalogues import language
from room.scripted_room import played
from server.samples.advice import receipt as sample
from server.table.announced import said_to, view_of
from support.house import Pub

ENGLISH = language("en")


def draws_all_rounds(number: int) -> bool:
    found = sample(2, 2)
    turning = replace(found.turning, ended=(1,) * number)
    return len(receipt.chart_of(replace(found, turning=turning), 0).rounds) == number


def draws_all_points(number: int) -> bool:
    return len(receipt.chart_of(sample(1, number), 0).lines[0].points.split()) == number


def panel(number: int) -> charts.ChancePanel:
    found = SeatChances(((500, 500),) * number, (("50%", "50%"),) * number, "share", 1000, chances=True, outlook="")
    return charts.panel(("Ann", "Bob"), None, found, 1)


def draws_all_moves(number: int) -> bool:
    chart = panel(number).chart
    return chart is not None and len(chart.lines[0].points.split()) == number


def lists_all_moves(number: int) -> bool:
    return len(panel(number).rows) == number


def lists_the_whole_match(number: int) -> bool:
    one = sample(2, 2).moves[1]
    return len(receipt.rows([replace(one, ends=at % 2) for at in range(number)])) == number


def opened(number: int) -> tuple[in_play.InPlay, list[str]]:
    """Tables of one address, the latest first, and an older one of another."""
    tables, codes = in_play.InPlay(lambda code: True), [f"ANN{at}" for at in range(number)]
    for code in ("BOB", *codes):
        tables.opened("192.0.2.8" if code == "BOB" else "192.0.2.7", code, 0)
    return tables, codes


def shows_tables_of_one_address_first(number: int) -> bool:
    tables, codes = opened(number)
    return tables.in_turn([*codes, "BOB"], number) == codes


def lets_one_address_fill_the_list(number: int) -> bool:
    tables, codes = opened(number)
    return not tables.is_crowded(codes)


def may_open_one_more(number: int, in_all: int = 0) -> bool:
    with suppress(Refused):
        opened(number - 1)[0].check("192.0.2.7", in_all, 0)
        return True
    return False


def may_be_in_play(number: int) -> bool:
    return may_open_one_more(1, number - 1)


def may_seat_bots(number: int) -> bool:
    with suppress(OrderError):
        return ordered_setup._bots(number, ()) == number
    return False


def may_play(number: int, *bots: str) -> bool:
    with suppress(OrderError):
        order = Order(game="midnight", name="Ann", people=number - len(bots), bots=list(bots))
        return setup_ordered(order, GAMES, "ann", 0).seats == number
    return False


def may_play_beside_perfect(number: int) -> bool:
    return may_play(number, PERFECT)


def is_told_as_you(number: int) -> bool:
    """True if Ann is spoken to in Bob's turn at a table of so many."""
    table = played("ann", "bob", *(f"p{at}" for at in range(2, number)), game="midnight", rules={"format": "rounds 1"})
    table.roll("ann", (1, 4, 5, 5, 5, 2))
    table.ask("ann", ask.RollOrBank("bank", (*range(6),)))
    return said_to(0, view_of(table).status).startswith("You have 17")


def has_a_band(number: int) -> bool:
    kit = GAMES["midnight"]
    assert kit.solver is not None
    match = kit.match(kit.normalize(RawHeader({"game": "midnight", "seats": "Ann, Bob"})))
    sums = Sums(matches=number, decisions=9, lost=1.0, lost2=0.5, lost_decisions=2.0, decisions2=20.0)
    lost = book._lost(ENGLISH, Amounts(ENGLISH, kit.solver(match)), sums)
    return lost is not None and bool(lost.band)


def tells_luck(number: int) -> bool:
    return bool(book._luck(ENGLISH, [Sums(matches=number, luck=1.0, variance=1.0)]))


def reads_a_turn(number: int) -> bool:
    try:
        trial.read_turn(GAMES["midnight"].usual_game, "654321 " * number)
    except (BadNotation, Refused) as error:  # a second roll is no action, and too many words are not read at all
        return isinstance(error, BadNotation)
    return True


MOST: dict[tuple[str, str], list[tuple[int, Callable[[int], bool]]]] = {
    ("charts", "MOST_POINTS"): [
        (charts.MOST_POINTS // 10, draws_all_rounds),
        (charts.MOST_POINTS, draws_all_points),
        (charts.PANEL_POINTS, draws_all_moves),
        (charts.MOST_ROWS, lists_all_moves),
    ],
    ("receipt", "MOST_ROWS"): [(receipt.MOST_ROWS, lists_the_whole_match)],
    ("in_play", "MOST_SHOWN"): [
        (in_play.MOST_SHOWN, shows_tables_of_one_address_first),
        (in_play.MOST_SHOWN, lets_one_address_fill_the_list),
    ],
    ("in_play", "MOST_HERE"): [(in_play.MOST_HERE, may_open_one_more)],
    ("in_play", "MOST_IN_ALL"): [(in_play.MOST_IN_ALL, may_be_in_play)],
    ("ordered_setup", "MOST_BOTS"): [(MOST_BOTS, may_seat_bots)],
    ("ordered_setup", "MOST_CHAIRS"): [(MOST_CHAIRS, may_play)],
    ("ordered_setup", "MOST_PERFECT"): [(MOST_PERFECT, may_play_beside_perfect)],
    ("views", "MOST_SPOKEN_TO"): [(views.MOST_SPOKEN_TO, is_told_as_you)],
    ("book", "LEAST_MATCHES"): [(1 - LEAST_MATCHES, lambda number: has_a_band(1 - number))],
    ("trial", "MOST_WORDS"): [(trial.MOST_WORDS, reads_a_turn)],
}
"""By the module that compares with a bound: the bound, and what holds up to it and no further."""
ELSEWHERE = {
    ("table", "MOST_PERFECT"): "below",
    ("drill", "MOST_NUMBER"): "http/test_quiz",
    ("evenings", "MOST_BYTES"): "http/test_evening",
    ("evenings", "MOST_SHOWN"): "http/test_evening",
    ("stream", "MOST_MISSED"): "test_sse",
    ("stream", "MOST_TOLD"): "test_sse",
}
"""Other bounds that a player meets, and the test that goes to each and past it."""
CACHED = {
    ("evenings", "MOST_KEPT"), ("preview", "MOST_DRAWN"), ("preview", "MOST_KEPT"), ("record", "MOST_OPEN"),
    ("turned", "MOST_DRAWN"), ("turned", "MOST_REFUSED"),
}  # fmt: skip
"""The most of a cache. No page changes by them."""
SEEN = ("charts.py", "evenings.py", "pages/*.py", "table/in_play.py", "table/ordered_setup.py", "table/stream.py")
"""The modules that draw pages or answer players by a bound, and ``table/views.py``."""


def compared() -> set[tuple[str, str]]:
    """Each bound that a module a player sees compares with."""
    root, found = Path(pubdice.server.__file__).parent, set[tuple[str, str]]()
    for file in (*(file for pattern in SEEN for file in root.glob(pattern)), root / "table" / "views.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Compare):
                names = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
                found |= {(file.stem, name) for name in names if name.startswith(("MOST_", "LEAST_"))}
    return found


def test_each_bound_that_a_player_meets_is_held_by_a_test() -> None:
    assert compared() - CACHED == {*MOST, *ELSEWHERE}, "give a new bound a probe in MOST, or name its test in ELSEWHERE"


@pytest.mark.parametrize("bound", MOST, ids=".".join)
def test_at_a_bound_all_is_there_and_one_past_it_is_not(bound: tuple[str, str]) -> None:
    for most, holds in MOST[bound]:
        assert (holds(most), holds(most + 1)) == (True, False), (holds.__name__, most)


def test_luck_is_told_from_five_matches_on() -> None:
    assert [tells_luck(number) for number in (LEAST_MATCHES - 1, LEAST_MATCHES)] == [False, True]


async def test_the_perfect_bot_is_offered_at_tables_that_it_solves(pub: Pub) -> None:
    ann, offered = pub.client("Ann"), list[bool]()
    for people in (MOST_PERFECT, MOST_PERFECT + 1):
        code = await ann.order(people=people, key=f"of-{people}-players")
        offered.append(f'value="{PERFECT}"' in (await ann.page(code)).text)
    assert offered == [True, False]
