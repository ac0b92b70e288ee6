"""The card as the answer to a question: plain data, and the lines that are printed."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pubdice.advice.card import svg, text
from pubdice.games.fourtwenty.card.costs import played
from pubdice.games.fourtwenty.card.layout import laid_out, sentence
from pubdice.solve.tolerance import TIE
from pubdice.text.language import Language


def answer(given: Mapping[str, str], folder: Path | None = None) -> dict[str, Any]:
    """The card as plain data."""
    card = played()
    data: dict[str, Any] = {
        "lines": [
            {
                "line": name,
                "text": sentence(Language(), name, card.lines),
                "cost": cost,
                "utility": "share of the race",
            }
            for name, cost in card.costs
        ],
        "share": {"value": card.share, "best": 0.5, "given_up": max(0.0, 0.5 - card.share)},
        "positions_missed": card.missed,
        "bound": TIE,  # a race between two policies is worked out to 4e-14 (``head_to_head``)
    }
    if "svg" in given:
        data["svg"] = svg(laid_out(Language(), data, card.lines))
    return data


def tell(language: Language, data: dict[str, Any]) -> list[str]:
    """The card in lines, or the lines of its picture."""
    card = laid_out(language, data, played().lines)
    return svg(card).splitlines() if "svg" in data else text(card)
