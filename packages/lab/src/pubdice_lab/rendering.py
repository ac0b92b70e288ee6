"""Pictures of a match for learners: the table that the terminal draws, as text or as pixels."""

from typing import Any

import numpy as np

from pubdice.core.game import Seat
from pubdice.match.narrate import Narrator
from pubdice.match.table import Table, TableState, Tray
from pubdice.terminal.board import BOLD, DIM, GOLD, GREEN, RED, ROOM, Board, DrawnLine, plain
from pubdice.text.language import Language
from pubdice_lab.plots import matplotlib_or_refusal
from pubdice_lab.simulation import explained
from pubdice_lab.stepwise import StepwiseMatch

MODES = ("ansi", "rgb_array")
"""The render modes: text with escape sequences for its styles, and an array [height, width, 3] of bytes."""
FRAMES_A_SECOND = 2
ACROSS, DOWN = 64, 16
"""The columns and rows of a picture."""
CELL = 10, 20
"""The width and height of a column and a row, in pixels."""
FONT, ADVANCE = "DejaVu Sans Mono", 0.602
"""The font of matplotlib's own, and the width of its letters as a share of their size."""
PAPER = "#16301f"
INK = {"": "#d8d8d8", BOLD: "#ffffff", DIM: "#8fa396", GOLD: "#f2c230", RED: "#ff7a6b", GREEN: "#7fd88f"}
"""The colour of each style."""


def render(table: StepwiseMatch, mode: str | None) -> Any:
    """Draw a match in a mode of ``MODES``. None for no mode. Raises Refused("no-matplotlib") for pixels without it."""
    if mode is None:
        return None
    lines = drawn(table)
    return "\n".join(line.write() for line in lines) + "\n" if mode == "ansi" else _pixels(lines)


def drawn(table: StepwiseMatch) -> list[DrawnLine]:
    """Draw the table of a match, or after the match its end in words."""
    match, state = table.match, table.state
    names = table.kit.numbered(match.seats)
    narrator, seats = Narrator(Language(), table.kit.words, match, names), Table(match, names)
    if state.over:
        return [plain(line) for line in narrator.ending(state.tally, state.last)]
    trays = [Tray((*locked, *free)) for locked, free in (seats.hands(state, Seat(at)) for at in range(match.seats))]
    shown = TableState(state, match.mover(state), match.legal(state), tuple(trays))
    return Board(seats, table.kit, narrator).draw(shown, ACROSS, DOWN + ROOM)


def _pixels(lines: list[DrawnLine]) -> Any:
    with explained():
        matplotlib_or_refusal()
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: PLC0415  heavy, and an extra
    from matplotlib.figure import Figure  # noqa: PLC0415

    (wide, high), dots = CELL, 100
    figure = Figure((ACROSS * wide / dots, DOWN * high / dots), dots, facecolor=PAPER)
    canvas: Any = FigureCanvasAgg(figure)
    for row, line in enumerate(lines, 1):
        at = 0
        for text, style in line.pieces:
            for letter in text:
                where = at / ACROSS, 1 - (row + 0.5) / DOWN
                figure.text(*where, letter, color=INK[style], family=FONT, size=wide / ADVANCE * 72 / dots)
                at += 1
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())[..., :3].copy()
