"""Figures of best play that a pocket house is given ready-made, as some take numpy, or longer than anybody waits there.

One file a language, ``figures-CODE.json``: by game and by name. See ``solve.pure_python.kept`` for damaged files.
"""

from collections.abc import Mapping
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path
from typing import Any

from pubdice.advice.figures import BestPlayFigure, BestPlayRow
from pubdice.solve.pure_python.kept import sealed, unsealed

_MOST_LANGUAGES = 4
DRAWN_DIGITS = 6


def file_name(code: str) -> str:
    """The file of a language."""
    return f"figures-{code}.json"


def figures_told(figures: Mapping[str, Mapping[str, BestPlayFigure]]) -> bytes:
    """A file's bytes; figures: by game, by name."""
    return sealed({game: {name: _told(each) for name, each in some.items()} for game, some in figures.items()})


def _told(figure: BestPlayFigure) -> dict[str, Any]:
    """A figure as plain data. What pictures draw is rounded, as the last digits of arrays depend on the machine."""
    told = asdict(figure)
    for row in told["rows"]:
        for number in ("value", "mark"):
            row[number] = None if row[number] is None else round(row[number], DRAWN_DIGITS)
    return told


def kept_figure(game: str, name: str, code: str, folder: Path | None) -> BestPlayFigure | None:
    """A figure that is kept; None where it is not."""
    found = _read(code, folder)
    told: dict[str, Any] | None = found.get(game, {}).get(name) if found else None
    if told is None:
        return None
    rows = tuple([BestPlayRow(**{**row, "cells": tuple(row["cells"])}) for row in told["rows"]])
    lists = {"rows": rows, "head": tuple(told["head"]), "notes": tuple(told["notes"])}
    return BestPlayFigure(**{**told, **lists})


@lru_cache(maxsize=_MOST_LANGUAGES)
def _read(code: str, folder: Path | None) -> dict[str, Any] | None:
    return unsealed(folder / file_name(code)) if folder is not None else None
