"""Figures of best play in files, one file for each language. They are kept because some need numpy, or take too long to
draw on a phone.

``figures-CODE.json`` has the figures by game and by name.
"""

from collections.abc import Mapping
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

from pubdice.advice.figures import BestPlayFigure, BestPlayRow
from pubdice_pocket.pure_python.checked_json import read_checked, with_checksum

DRAWN_DIGITS = 6


def figures_file(code: str) -> str:
    """Return the name of the file for a language."""
    return f"figures-{code}.json"


def figures_json(figures: Mapping[str, Mapping[str, BestPlayFigure]]) -> bytes:
    """Return the bytes of a file. ``figures`` has the figures by game, then by name."""
    told = {game: {name: _figure_data(each) for name, each in some.items()} for game, some in figures.items()}
    return with_checksum(told)


def _figure_data(figure: BestPlayFigure) -> dict[str, Any]:
    """Return a figure as plain data. Its numbers are rounded, because the last digits of array sums depend on the
    machine.
    """
    told = asdict(figure)
    for row in told["rows"]:
        for number in ("value", "mark"):
            row[number] = None if row[number] is None else round(row[number], DRAWN_DIGITS)
    return told


def kept_figure(game: str, name: str, code: str, folder: Path | None) -> BestPlayFigure | None:
    """Return a figure from the files, or None if they do not have it."""
    found = _read(code, folder)
    told: dict[str, Any] | None = found.get(game, {}).get(name) if found else None
    if told is None:
        return None
    rows = tuple([BestPlayRow(**{**row, "cells": tuple(row["cells"])}) for row in told["rows"]])
    lists = {"rows": rows, "head": tuple(told["head"]), "notes": tuple(told["notes"])}
    return BestPlayFigure(**{**told, **lists})


@cache
def _read(code: str, folder: Path | None) -> dict[str, Any] | None:
    return read_checked(folder / figures_file(code)) if folder is not None else None
