"""The card as the answer to a question: plain data, and the lines that are printed."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pubdice.advice.card import svg, text
from pubdice.advice.questions.asked_match import asked_options
from pubdice.games.midnight import KIT
from pubdice.games.midnight.card.costs import played
from pubdice.games.midnight.card.layout import laid_out, sentence
from pubdice.games.midnight.rules import BEST
from pubdice.solve.tolerance import ROUNDING
from pubdice.text.language import Language


def answer(given: Mapping[str, str], folder: Path | None = None) -> dict[str, Any]:
    """The card as plain data."""
    first, second = map(int, asked_options(KIT, given)["need"].split())
    card = played((first, second))
    data: dict[str, Any] = {
        "need": [first, second],
        "lines": [
            {
                "line": name,
                "text": sentence(Language(), name, card.lines, (first, second)),
                "cost": cost,
                "utility": "share of the round" if name in ("stop", "six") else "mean score",
            }
            for name, cost in card.costs
        ],
        "mean": {"value": card.mean, "best": card.best, "given_up": card.best - card.mean},
        "last": {"value": card.last, "best": card.best_last, "given_up": card.best_last - card.last},
        "bound": ROUNDING * BEST,
    }
    if "svg" in given:
        data["svg"] = svg(laid_out(Language(), data, card.lines))
    return data


def tell(language: Language, data: dict[str, Any]) -> list[str]:
    """The card in lines, or the lines of its picture."""
    first, second = data["need"]
    card = laid_out(language, data, played((first, second)).lines)
    return svg(card).splitlines() if "svg" in data else text(card)
