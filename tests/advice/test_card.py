from itertools import pairwise
from xml.etree import ElementTree

import pytest

from pubdice.advice.printed_card import SIZE, Card, Item, svg, text

CARD = Card(
    "Pig & Co",
    "best for a <quiet> evening",
    "if ignored",
    (Item("Hold at 20 or more, and never mind what the others do.", "−1.0%", "Ignored: 1.0% lost.", (5, 6, 1)),) * 3,
    ("Followed alone it gives up 0.1%.",),
)
SPACE = "{http://www.w3.org/2000/svg}"


def test_a_card_is_read_out_in_numbered_lines() -> None:
    assert text(CARD) == [
        "Pig & Co: best for a <quiet> evening.",
        *(f"{number}. {CARD.items[0].text} Ignored: 1.0% lost." for number in (1, 2, 3)),
        "Followed alone it gives up 0.1%.",
    ]


def test_a_picture_says_in_words_what_it_shows() -> None:
    root = ElementTree.fromstring(svg(CARD))
    assert (root.get("width"), root.get("height"), root.get("role")) == ("100mm", "100mm", "img")
    assert root.findtext(f"{SPACE}title") == "Pig & Co: best for a <quiet> evening"
    described = root.findtext(f"{SPACE}desc") or ""
    assert all(item.text in described for item in CARD.items)
    assert set((root.get("aria-labelledby") or "").split()) == {child.get("id") for child in root} - {None}


def test_a_picture_needs_nothing_from_outside() -> None:
    drawn = svg(CARD).replace("http://www.w3.org/2000/svg", "")
    assert not any(word in drawn for word in ("http", "href", "url(", "@import", "<script", "<image"))


def test_every_die_shows_its_pips() -> None:
    root = ElementTree.fromstring(svg(CARD))
    assert len(root.findall(f"{SPACE}circle")) == 3 * (5 + 6 + 1)
    assert len(root.findall(f"{SPACE}rect")) == 1 + 3 * 3


@pytest.mark.parametrize("items", [0, 1, 4, 8])
def test_lines_stay_on_the_mat_and_apart(items: int) -> None:
    root = ElementTree.fromstring(svg(Card("t", "s", "c", CARD.items[:1] * items, ("f", "g"))))
    heights = [float(each.get("y") or 0) for each in root.findall(f"{SPACE}text") if each.get("class") == "l"]
    assert all(below - above > 30 for above, below in pairwise(heights))
    assert all(0 < float(each.get("y") or 0) < SIZE - 30 for each in root.findall(f"{SPACE}text"))


def test_a_long_title_has_smaller_letters_and_a_short_one_the_usual() -> None:
    def style(title: str) -> str | None:
        root = ElementTree.fromstring(svg(Card(title, "s", "c", (), ("f",))))
        return next(each.get("style") for each in root if each.get("class") == "t")

    assert style("Ship, Captain and Crew") is None
    assert style("Schiff, Kapitän und Mannschaft") == "font-size:52px"
