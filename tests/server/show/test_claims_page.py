"""Printed advice on the page of a game's best play: told in the page's language, worked out once for all."""

import pickle
import re
from dataclasses import replace

from pubdice.advice.figures import BestPlayFigure
from pubdice.server.pages.best_play import BestPlayPage, html, shown
from pubdice.server.workers.jobs import _asked, best_play_figure
from pubdice.text.catalogues import language
from sentences import english_only, letters
from server.samples.tables import ENGLISH
from support.html_tree import Node, read

GAME = "420"
"""Whose claims take the least time."""


def _claims(code: str) -> Node:
    """The section of the page, with a figure that came from another process."""
    found = pickle.loads(pickle.dumps(best_play_figure(GAME, "claims", code, None)))
    assert isinstance(found, BestPlayFigure)
    page = BestPlayPage(GAME, GAME, (shown(found),), 1)
    return read(html(replace(ENGLISH, language=language(code)), page)).one("section", id="claims")


def test_a_german_page_has_no_english_claim() -> None:
    section = _claims("de")
    for item in section.all("li"):
        said = item.words()
        source = re.search(r"\(Steere, „.+?“\)", said)
        assert source, said
        assert not letters(said.replace(source[0], "")) & english_only("de"), said
        assert not re.search(r"\d\.\d", said), said
    assert "Drei Würfel mit zusammen 15 sind ideal: Behalte sie und wirf den vierten neu." in section.words()
    assert "der Rat kostet 2,46 %." in section.words()
    assert not [node for node in section.all() if "lang" in node.attrs]


def test_an_english_page_has_the_claims_in_english() -> None:
    section = _claims("en")
    assert 'Three dice of 15 are ideal: hold them and reroll the fourth. (Steere, "Strategy")' in section.words()
    assert "it costs 2.46 %." in section.words()


def test_another_language_works_nothing_out_again() -> None:
    _claims("en")
    worked_out = _asked.cache_info().misses
    _claims("de")
    assert _asked.cache_info().misses == worked_out
