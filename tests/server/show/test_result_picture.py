"""The end of a match, drawn and told: the winner and the turn, sound pictures, and a receipt's chart."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from sys import setprofile
from xml.etree import ElementTree

import pytest

import play
from play import KITS
from pubdice.advice.receipt_parts import ReceiptMove
from pubdice.advice.turning import TurningPoint
from pubdice.core.dice import DieFaces
from pubdice.server import result_picture
from pubdice.server.charts import DASHES, FOOT, HIGH, LEFT, MOST_POINTS, TOP, WIDE
from pubdice.server.finished_match import FinishedMatch, day, finished_match, with_turning_point
from pubdice.server.pages.receipt import MOST_ROWS, chart_of, rows
from pubdice.server.result_picture import TALL_WIDE, WIDE_SIZE, broken, tall_picture, wide_picture, width_of
from pubdice.text.catalogues import CODES, language
from pubdice.text.game_words import YOU
from pubdice.text.language import Language
from server.samples.advice import finished, receipt, turning_point
from support.by_day import each_once

SVG = "{http://www.w3.org/2000/svg}"
SHAPES = {"svg", "title", "desc", "linearGradient", "stop", "rect", "path", "circle", "g", "polyline", "text", "tspan"}
HOSTILE = (
    "<script>alert(1)</script>",
    "&amp;\"'><b>",
    "]]>",
    "\u2068نور الهدى\u2069",
    "M" * 24,
    "👩\u200d👧🎲",
    "ßen",
    "Zoë",
)
EMPTY = FinishedMatch("Midnight", "No points, so it's a tie")


def drawn(found: FinishedMatch) -> list[ElementTree.Element]:
    """Both shapes of the picture, read as XML."""
    return [ElementTree.fromstring(svg) for svg in (tall_picture(found)[0], wide_picture(found))]


def texts(picture: ElementTree.Element) -> list[str]:
    """Its lines of text."""
    return ["".join(node.itertext()).replace("\N{NO-BREAK SPACE}", " ") for node in picture.iter(f"{SVG}text")]


def hostile() -> FinishedMatch:
    """A match whose texts are all written by a stranger."""
    first = HOSTILE[0]
    rows = tuple((name, name[:4]) for name in HOSTILE)
    return replace(finished(), title=first, lead=first, rows=rows, hand_told=first, question=first, change=first)


@pytest.mark.parametrize("found", [finished(), finished(6), finished(1), hostile(), EMPTY])
def test_a_picture_has_shapes_and_text_and_nothing_that_acts(found: FinishedMatch) -> None:
    for picture in drawn(found):
        nodes = list(picture.iter())
        assert {node.tag.removeprefix(SVG) for node in nodes} <= SHAPES
        names = {name for node in nodes for name in node.attrib}
        assert not [name for name in names if name.startswith("on") or "href" in name or name == "style"]
        values = [value for node in nodes for value in node.attrib.values()]
        assert {value for value in values if "url(" in value} <= {"url(#slate)"}


def test_a_name_is_text_whatever_it_looks_like() -> None:
    for picture in drawn(hostile()):
        assert set(HOSTILE) <= set(texts(picture))


def test_both_pictures_tell_the_same_and_the_tall_one_the_way() -> None:
    found = finished()
    told = [found.title, found.lead, found.question, found.change, " ".join(found.turned), *dict(found.rows)]
    tall, wide = drawn(found)
    for picture in (tall, wide):
        assert [text for text in told if text not in " ".join(texts(picture))] == []
    assert found.hand_told in texts(tall)
    assert found.shown in texts(tall)
    assert found.shown not in texts(wide), "the preview is the way"
    assert (wide.attrib["width"], wide.attrib["height"]) == tuple(map(str, WIDE_SIZE))
    for picture in (tall, wide):
        assert [node.text for node in picture.iter() if node.tag in (f"{SVG}title", f"{SVG}desc")] == [
            found.told,
            found.address,
        ]
        assert len(list(picture.iter(f"{SVG}polyline"))) == len(found.rows)


def test_it_is_as_high_as_what_there_is_to_tell() -> None:
    whole, bare = finished(), replace(finished(), chart=None, turned=("", ""), change="")
    heights = [tall_picture(found)[1] for found in (whole, bare, EMPTY)]
    assert heights == sorted(heights, reverse=True)
    assert heights[0] < 2 * TALL_WIDE
    assert len(set(heights)) == 3
    for found, high in zip((whole, bare, EMPTY), heights, strict=True):
        assert drawn(found)[0].attrib["height"] == str(high)
        assert tall_picture(found, coded=False)[1] == high


def test_the_turning_point_lies_on_the_chart_in_gold() -> None:
    found = finished()
    assert found.chart is not None
    for picture in drawn(found):
        (dot,) = [node for node in picture.iter(f"{SVG}circle") if node.attrib["fill"] == "#edb64d"]
        assert (float(dot.attrib["cx"]), float(dot.attrib["cy"])) == found.chart.turn


@pytest.mark.parametrize(
    ("hand", "red", "reds"),
    [
        ((6, 6, 6, 4, 3, 1), (1, 4), 2),
        ((6, 6, 5, 4, 3), (6, 5, 4), 3),
        ((4, 4, 1), (1, 4), 2),
        ((6, 5), (), 0),
        ((6, 6, 6, 6, 5, 5, 4, 4, 1), (1, 4), 2),  # in two rows
        ((4, 4, 4, 1), (4, 4), 2),  # needed twice
    ],
)
def test_each_face_that_was_needed_is_red_once(hand: tuple[int, ...], red: tuple[int, ...], reds: int) -> None:
    found = replace(EMPTY, hand=hand, red=red)
    for picture in drawn(found):
        pips = [node.attrib["fill"] for node in picture.iter(f"{SVG}circle")]
        assert len(pips) == sum(hand)
        needed = [face for face in red if face in hand]
        assert pips.count("#a5231a") == sum(needed)
        assert len(needed) == reds


def test_dice_with_other_faces_have_their_names() -> None:
    found = replace(EMPTY, hand=(1, 6), die=DieFaces(("9", "10", "J", "Q", "K", "A")))
    assert {"9", "A"} <= set(texts(drawn(found)[0]))


def test_a_winner_of_a_game_without_dice_to_keep_has_a_crown() -> None:
    crowned = [len(list(drawn(replace(EMPTY, first=first))[0].iter(f"{SVG}path"))) for first in (-1, 0)]
    assert crowned[1] == crowned[0] + 1


def test_no_line_ends_between_dice() -> None:
    assert broken("Ben beats Ann", 900, (112, 96))[0] == ["Ben beats Ann"]
    lines, size = broken("Maximiliane beats Bartholomäus", 900, (112, 96, 80))
    assert " ".join(lines) == "Maximiliane beats Bartholomäus"
    assert len(lines) == 2
    assert all(width_of(line) * size <= 900.1 for line in lines)
    question = broken("Würdest du 4 4 6 6 behalten?", 420, (50, 46))[0]
    assert any(re.search("4\\s4\\s6\\s6", line) for line in question)


def test_twelve_names_of_many_words_are_laid_out_in_few_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """A house draws it between two moves, and any visitor may ask for it."""
    lead = f"It's a tie between {', '.join(['a b c d e f g h i j k l'] * 12)}"
    measured = list[str]()

    def noted(text: str) -> float:
        measured.append(text)
        return width_of(text)

    monkeypatch.setattr(result_picture, "width_of", noted)
    lines, size = broken(lead, 900, (112, 96, 80))
    assert (" ".join(lines), len(lines)) == (lead, 3)
    assert all(width_of(line) * size <= 900.1 for line in lines)
    assert len(measured) < 5 * len(lead.split())


def test_many_players_stand_in_two_columns() -> None:
    rows = tuple((f"P{at}", str(30 - at)) for at in range(12))
    tall, wide = drawn(replace(EMPTY, rows=rows))
    assert {name for name, _ in rows} <= set(texts(tall))
    assert {name for name, _ in rows} & set(texts(wide)) == {name for name, _ in rows[:8]}
    assert len({node.attrib["x"] for node in tall.iter(f"{SVG}text") if node.text in dict(rows)}) == 2


NAMES = ("Ann", "Bob", "Cid", "Dot")
BY_FORMAT = {(case.kit.name, case.header(2).fields["format"]): case for case in play.CASES}
WHEN = 1_764_330_000_000
"""28 November 2025, noon (UTC)."""


def ended(game: str, form: str, seats: int, code: str = "en", seed: str = "7") -> FinishedMatch:
    """A match of bots that is over."""
    case = BY_FORMAT.get((game, form)) or play.Case(KITS[game], (("format", form),))
    live = play.bot_match(case, seats, seed)
    return finished_match(language(code), case.kit, live.table, live.end, WHEN)


@pytest.mark.parametrize(("rules", "code"), each_once(tuple(BY_FORMAT), CODES))
def test_every_match_is_told_with_its_game_and_by_names(rules: tuple[str, str], code: str) -> None:
    case, (game, form) = BY_FORMAT[rules], rules
    for seats in range(1 if case.kit.usual_game.most_seats < 2 else 2, min(4, case.kit.usual_game.most_seats) + 1):
        found = ended(game, form, seats, code)
        words = re.findall(r"\w+", found.told)
        assert found.told.startswith(language(code).say(case.kit.words.title))
        assert not set(words) & set(YOU)
        assert set(words) & set(NAMES), found.told
        assert found.told[-1] in ".!"
        assert found.question
        assert bool(found.score) + bool(found.rows) <= 1
        names = [name for name, _ in found.rows]
        assert sorted(names) == sorted(NAMES[:seats]) or not names


def test_of_two_the_winner_comes_first_with_the_score() -> None:
    for seed in map(str, range(20)):
        found = ended("midnight", "rounds 2", 2, seed=seed)
        if found.first < 0:
            assert "tie" in found.lead
            continue
        winner, loser = NAMES[found.first], NAMES[1 - found.first]
        assert found.lead == f"{winner} beats {loser}"
        first, second = map(int, found.score.split(" : "))
        assert first > second
        assert found.told == f"Midnight: {winner} beats {loser} {first} : {second}."


def test_of_a_pot_of_two_one_wins_the_others_chips() -> None:
    told = set[str]()
    for seed in map(str, range(20)):
        found = ended("midnight", "pot 1 5", 2, seed=seed)
        if found.first < 0:
            continue
        winner, loser = NAMES[found.first], NAMES[1 - found.first]
        number = int("".join(filter(str.isdigit, found.lead)) or 1)
        chips = f"{number} chips" if number > 1 else "one chip"
        assert found.told == f"Midnight: {winner} wins {chips} from {loser}."
        assert (found.score, found.rows) == ("", ()), "it is said already"
        german, spanish = (ended("midnight", "pot 1 5", 2, code, seed).lead for code in ("de", "es"))
        assert german == f"{winner} nimmt {loser} {f'{number} Chips' if number > 1 else 'einen Chip'} ab"
        assert spanish == f"{winner} le gana {f'{number} fichas' if number > 1 else 'una ficha'} a {loser}"
        told.add(chips)
    assert "one chip" in told
    assert len(told) > 1


def test_who_buys_is_the_headline_and_has_no_hand() -> None:
    for seats in (2, 4):
        found = ended("420", "drinks", seats)
        assert found.lead.endswith(" is buying!")
        assert found.hand == ()
        assert found.first == -1
        assert "owes" in found.hand_told


def test_of_more_all_have_their_score_the_winners_first() -> None:
    found = ended("midnight", "total 2", 4)
    amounts = [int(score) for _, score in found.rows]
    assert amounts == sorted(amounts, reverse=True)
    assert found.rows[0][0] in found.lead
    assert found.title == "Midnight · 28 Nov"


def test_the_day_is_said_in_the_readers_language() -> None:
    assert [day(language(code), WHEN) for code in ("en", "de", "es")] == ["28 Nov", "28. Nov", "28 nov"]


def moved(*heights: int, names: Sequence[str] = NAMES[:2], **given: object) -> TurningPoint:
    """The turn of a match of two, by the chances of the first in thousandths."""
    found = turning_point(names, [(each, 1000 - each) for each in heights])
    return replace(found, dice=(6, 6, 6), **given)  # type: ignore[arg-type]


def test_the_turn_is_told_with_its_player_dice_and_round() -> None:
    bare = FinishedMatch("Midnight", "Bob beats Ann", first=1, question="Would you have won?")
    given = moved(500, 520, 480, 690, 260, 0, round=3, where="Round 3 of 5")
    found = with_turning_point(bare, given, Language())
    assert found.turned == ("It turned here:", "6 6 6 in round 3")
    assert found.change == "Ann: 69% → 26%", "her roll, though Bob has won"
    assert (found.question, found.asked) == (given.challenge, given.asked)
    assert found.chart is not None
    assert found.chart.turned == 4
    assert [line.name for line in found.chart.lines] == ["Ann", "Bob"]
    assert "It turned here: 6 6 6 in round 3." in found.described


def test_the_mark_is_on_the_line_of_whose_chances_are_told() -> None:
    heights = []
    for seat, name in enumerate(NAMES[:2]):
        found = with_turning_point(FinishedMatch("Midnight", "Ann wins"), moved(500, 900, seat=seat), Language())
        assert found.change.startswith(f"{name}: ")
        assert found.chart is not None
        heights.append(found.chart.turn[1])
    assert heights[0] < heights[1], "Ann's line rises"


def test_nobody_erred_and_the_question_is_the_matchs_own() -> None:
    bare = FinishedMatch("Midnight", "Ann wins", question="Would you have won?")
    found = with_turning_point(bare, moved(500, 900, challenge="", asked=()), Language())
    assert (found.question, found.asked) == (bare.question, ())


def test_a_match_of_one_round_or_a_roll_off_names_no_round() -> None:
    bare = FinishedMatch("Midnight", "Bob beats Ann", first=1)
    for where, told in (("", "6 6 6"), ("Roll-off", "6 6 6, Roll-off")):
        assert with_turning_point(bare, moved(500, 0, round=0, where=where), Language()).turned[1] == told


def test_nothing_turned_where_nothing_changed() -> None:
    found = with_turning_point(FinishedMatch("Midnight", "Ann wins"), moved(500, 500), Language())
    assert found.turned == ("", "")
    assert found.change == ""


def test_a_name_from_right_to_left_leaves_numbers_in_place() -> None:
    name, set_apart = "דן 7", "\N{FIRST STRONG ISOLATE}דן 7\N{POP DIRECTIONAL ISOLATE}"
    bare = FinishedMatch("Midnight", "Bob wins!", first=0, rows=(("Bob", "3"), (name, "1")))
    assert bare.told == f"Midnight: Bob wins! Bob 3, {set_apart} 1."
    given = moved(500, 900, names=(name, "Bob"))
    assert with_turning_point(bare, given, Language()).change.startswith(f"{set_apart}: 50% ")


def long_match(moves: int, ends: int) -> tuple[ReceiptMove, ...]:
    """So many moves, of which every third ends a turn, or a round."""
    one = receipt(2, 2).moves[1]
    return tuple(replace(one, ends=ends if at % 3 == 2 else 0) for at in range(moves))


@pytest.mark.parametrize("seats", [1, 2, 3, 6])
@pytest.mark.parametrize("moves", [2, 12, 900])
def test_every_line_and_name_stands_in_the_picture(seats: int, moves: int) -> None:
    found = chart_of(receipt(seats, moves), moves - 1)
    assert len(found.lines) == seats
    for line in found.lines:
        points = [tuple(map(float, point.split(","))) for point in line.points.split()]
        assert len(points) == min(moves, len(points)) <= MOST_POINTS + 1
        assert points[0][0] == LEFT
        assert all(LEFT <= x <= WIDE and TOP <= y <= HIGH - FOOT for x, y in points)
        assert 0 < line.x < WIDE
        assert 0 < line.y < HIGH
    assert len({line.dashes for line in found.lines}) == min(seats, len(DASHES))


def test_names_keep_apart_where_there_is_room() -> None:
    low = receipt(3, 12)
    found = chart_of(replace(low, turning=turning_point(low.names, [(900, 500, 100)] * 12)), 0)
    for one, other in combinations(found.lines, 2):
        assert abs(one.y - other.y) >= 12 or abs(one.x - other.x) >= 40


def test_the_receipts_table_has_moves_or_turns_or_rounds() -> None:
    assert len(rows(long_match(MOST_ROWS, 1))) == MOST_ROWS
    turns = rows(long_match(2 * MOST_ROWS, 1))
    assert all(move.ends for _, move in turns[1:])
    assert len(rows(long_match(9 * MOST_ROWS, 2))) <= MOST_ROWS + 1
    numbers = [number for number, _ in turns]
    assert numbers == sorted(numbers)
    assert numbers[0] == 0


def test_amounts_have_a_scale_of_their_own() -> None:
    chips = receipt(2, 12)
    turn = turning_point(chips.names, [(at * 50, -at * 50) for at in range(12)])
    found = chart_of(replace(chips, turning=replace(turn, chances=False, scale=100)), 3)
    assert [label for _, label in found.grid] == ["−6", "0", "6"]


def test_the_mark_of_where_it_turned_lies_on_a_line() -> None:
    low = receipt(2, 6)
    heights = (500, 520, 480, 900, 880, 1000)
    found = chart_of(replace(low, turning=turning_point(low.names, [(each, 1000 - each) for each in heights])), 0)
    assert found.turned == 3
    points = [tuple(map(float, point.split(","))) for point in found.lines[0].points.split()]
    (left, above), (right, below) = points[2:4]
    assert found.turn == pytest.approx(((left + right) / 2, (above + below) / 2), abs=0.1)


def test_a_long_match_of_six_is_drawn_in_few_calls() -> None:
    """Everybody at every table waits for a page that is drawn."""
    long = receipt(6, 900)
    calls = 0

    def count(*event: object) -> None:
        nonlocal calls
        calls += str(event[1]).endswith("call")

    setprofile(count)
    try:
        chart_of(long, 0)
    finally:
        setprofile(None)
    assert calls < 50_000, "it was a million"
