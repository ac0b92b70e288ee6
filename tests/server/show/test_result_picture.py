"""The picture of a finished match: sound XML of shapes and text alone, all it tells, and as high as that."""

import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from pubdice.core.dice import DieFaces
from pubdice.server import result_picture
from pubdice.server.finished_match import FinishedMatch
from pubdice.server.result_picture import TALL_WIDE, WIDE_SIZE, broken, tall_picture, wide_picture, width_of
from server.samples.advice import finished

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
EMPTY = FinishedMatch("Midnight", "Nobody scored, so it's a tie")


def drawn(found: FinishedMatch) -> list[ElementTree.Element]:
    """Both shapes of the picture, read as XML."""
    return [ElementTree.fromstring(svg) for svg in (tall_picture(found)[0], wide_picture(found))]


def texts(picture: ElementTree.Element) -> list[str]:
    """Its lines of text."""
    return ["".join(node.itertext()).replace("\N{NO-BREAK SPACE}", " ") for node in picture.iter(f"{SVG}text")]


def hostile() -> FinishedMatch:
    """A match whose texts are all what somebody else wrote."""
    first = HOSTILE[0]
    rows = tuple((name, name[:4]) for name in HOSTILE)
    return replace(finished(), title=first, lead=first, rows=rows, hand_told=first, question=first, change=first)


@pytest.mark.parametrize("found", [finished(), finished(6), finished(1), hostile(), EMPTY])
def test_it_has_shapes_and_text_and_nothing_that_acts_or_is_fetched(found: FinishedMatch) -> None:
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


def test_both_shapes_tell_the_same_and_the_tall_one_the_way_there() -> None:
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


def test_a_line_more_must_be_worth_it_and_no_line_ends_between_dice() -> None:
    assert broken("Ben beats Ann", 900, (112, 96))[0] == ["Ben beats Ann"]
    lines, size = broken("Maximiliane beats Bartholomäus", 900, (112, 96, 80))
    assert " ".join(lines) == "Maximiliane beats Bartholomäus"
    assert len(lines) == 2
    assert all(width_of(line) * size <= 900.1 for line in lines)
    question = broken("Würdest du 4 4 6 6 behalten?", 420, (50, 46))[0]
    assert any(re.search("4\\s4\\s6\\s6", line) for line in question)


def test_twelve_people_with_names_of_many_words_are_laid_out_in_few_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """A house draws it between two moves, and anybody may ask for it."""
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


def test_many_people_stand_in_two_columns_and_a_preview_has_the_first_eight() -> None:
    rows = tuple((f"P{at}", str(30 - at)) for at in range(12))
    tall, wide = drawn(replace(EMPTY, rows=rows))
    assert {name for name, _ in rows} <= set(texts(tall))
    assert {name for name, _ in rows} & set(texts(wide)) == {name for name, _ in rows[:8]}
    assert len({node.attrib["x"] for node in tall.iter(f"{SVG}text") if node.text in dict(rows)}) == 2
