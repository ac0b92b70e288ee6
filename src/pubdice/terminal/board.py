"""The table drawn in a terminal: seats, the progress of the turn, and dice with pips.

The drawing says nothing that the sentences do not say. So a screen reader or a log file gets no drawing.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from pubdice.core.dice import SIX, DieFaces
from pubdice.core.game import RoundSeat
from pubdice.kit import Kit
from pubdice.match.match import MatchState
from pubdice.match.narrate import Narrator
from pubdice.match.table import Die, Table, TableState
from pubdice.text.emoji import cells, pieces
from pubdice.text.game_words import Beam, Ladder, Rail, Slot, Things, told_dice
from pubdice.text.language import printable

RESET = "\x1b[0m"
BOLD, DIM, GOLD, RED, GREEN = "\x1b[1m", "\x1b[2m", "\x1b[1;33m", "\x1b[1;31m", "\x1b[1;32m"
PIPS = ("    o    ", "o       o", "o   o   o", "o o   o o", "o o o o o", "o oo oo o")
"""The nine places for pips on a die, row by row, for each face from 1. An "o" is a pip. The six has two columns of
pips."""
PIP = "\N{BLACK CIRCLE}"
LIGHT, HEAVY = "╭─╮│╰╯", "┏━┓┃┗┛"
LARGE, SMALL, TINY = 7, 5, 3
"""The width inside a die's frame: with space around the pips, without that space, and for a digit alone."""
LEAST = (40, 16)
"""The fewest columns and rows that a drawing needs. A smaller terminal gets none."""
ROOM = 6
"""The rows below the drawing for the question, the typed line and the latest sentences."""
MOST_ROWS = 4
"""The most seats with a row each. The seats of a larger table are written one after another in lines."""


def cut(text: str, width: int) -> str:
    """Cut a text to at most ``width`` columns. A cut text ends with "…"."""
    if cells(text) <= width:
        return text
    whole = pieces(text)
    while whole and sum(map(cells, whole)) > width - 1:
        whole.pop()
    return "".join(whole) + "…"


def padded(text: str, width: int) -> str:
    """Return a text cut, or filled with spaces, to exactly ``width`` columns."""
    text = cut(text, width)
    return text + " " * (width - cells(text))


@dataclass(frozen=True, slots=True)
class DrawnLine:
    """A line of the drawing: pieces of text, each with an escape sequence for its style ("" for plain text)."""

    pieces: tuple[tuple[str, str], ...]

    def width(self) -> int:
        """Return the width of the line in columns."""
        return sum(cells(text) for text, _ in self.pieces)

    def write(self) -> str:
        """Return the line with its styles as escape sequences."""
        return "".join(f"{style}{text}{RESET}" if style else text for text, style in self.pieces)


def plain(text: str, style: str = "") -> DrawnLine:
    """Return a line of one piece."""
    return DrawnLine(((text, style),))


def drawn_die(die: Die, inner: int, red: Sequence[int], faces: DieFaces = SIX) -> list[DrawnLine]:
    """Draw a die: with a heavy gold frame if it is marked, faint if it is locked, with red pips if the turn needs its
    face.

    If the faces are not 1 to 6, the die shows the name of the face.
    """
    marked, locked = die.status == "marked", die.status == "locked"
    left, bar, right, side, low_left, low_right = tuple(HEAVY if marked else LIGHT)
    frame = GOLD if marked else DIM if locked else ""
    ink = DIM if locked else RED if die.face in red else GOLD if marked else BOLD
    if inner == TINY:
        rows = [faces.names[die.face - 1][:TINY].center(TINY)]
    elif not faces.is_usual:
        rows = [text.center(inner) for text in ("", faces.names[die.face - 1][:inner], "")]
    else:
        places = PIPS[die.face - 1].replace("o", PIP)
        rows = [" ".join(places[at : at + 3]).center(inner) for at in (0, 3, 6)]
    middle = [DrawnLine(((side, frame), (row, ink), (side, frame))) for row in rows]
    return [plain(left + bar * inner + right, frame), *middle, plain(low_left + bar * inner + low_right, frame)]


def due_die(inner: int) -> list[DrawnLine]:
    """Draw a die that is still in the cup."""
    edge = "╭" + "╌" * inner + "╮", "╰" + "╌" * inner + "╯"
    rows = 1 if inner == TINY else 3
    return [plain(edge[0], DIM), *[plain(f"╎{' ' * inner}╎", DIM)] * rows, plain(edge[1], DIM)]


def side_by_side(pictures: Sequence[list[DrawnLine]], indent: int = 2, gap: int = 1) -> list[DrawnLine]:
    """Put pictures of the same height in a row."""
    lines = []
    for row in zip(*pictures, strict=True):
        pieces: list[tuple[str, str]] = [(" " * indent, "")]
        for at, line in enumerate(row):
            pieces += [*([(" " * gap, "")] if at else []), *line.pieces]
        lines.append(DrawnLine(tuple(pieces)))
    return lines


@dataclass(frozen=True, slots=True)
class SeatRow:
    """The row of a seat: the name, the score in this round ("" before it has one), and a note."""

    name: str
    score: str
    note: str
    moves: bool


@dataclass(frozen=True, slots=True)
class TableLayout:
    """All parts of a drawn table. ``due`` is the number of dice in the cup. ``red`` has the faces that the turn needs.

    ``places`` is True if players name dice by place. Each die then has the number of its place under it.
    """

    head: str
    seats: Sequence[SeatRow]
    dice: Sequence[Die]
    due: int = 0
    red: Sequence[int] = ()
    faces: DieFaces = SIX
    places: bool = False
    rail: Rail | None = None
    beam: Beam | None = None
    ladder: Ladder | None = None
    things: Things | None = None

    def draw(self, width: int, height: int) -> list[DrawnLine]:
        """Draw the table in at most ``width`` columns and ``height`` rows.

        If the space is short, the dice get smaller. If that is not enough, dice and seats are left out.
        """
        if width < LEAST[0] or height < LEAST[1]:
            return []
        head, seats, won = self._head(width), self._seats(width), self._won(width)
        room = height - ROOM
        for size in (LARGE, SMALL, TINY):
            dice = self._dice(size)
            fits = max([line.width() for line in dice], default=0) <= width
            parts = [head, *seats, *won, *dice]
            if fits and len(parts) <= room:
                return parts
        return [line for line in (head, *won) if line.width() <= width][:room]

    def _head(self, width: int) -> DrawnLine:
        said = cut(f" {self.head} ", width - 4)
        return DrawnLine((("──", DIM), (said, BOLD), ("─" * (width - 2 - cells(said)), DIM)))

    def _seats(self, width: int) -> list[DrawnLine]:
        rows = self.seats
        if len(rows) > MOST_ROWS:
            return self._seats_in_lines(width)
        most = min(24, max([cells(row.name) for row in rows], default=0))
        scores = min(width // 3, max([cells(row.score) for row in rows], default=0))
        return [
            DrawnLine((
                (" ▸ " if row.moves else "   ", GOLD),
                (padded(row.name, most), BOLD if row.moves else ""),
                ("  " + padded(row.score or "·", max(scores, 1)), GREEN if row.score else DIM),
                (cut(f"  {row.note}", max(0, width - most - scores - 6)), DIM),
            ))
            for row in rows
        ]  # fmt: skip

    def _seats_in_lines(self, width: int) -> list[DrawnLine]:
        """Return the seats of a large table one after another, in at most three lines."""
        lines, drawn, used = list[DrawnLine](), list[tuple[str, str]](), 0
        for row in self.seats:
            said = " ".join(filter(None, [cut(row.name, 16), cut(row.score, 12), row.note and f"({row.note})"]))
            piece = (cut(f" ▸ {said}" if row.moves else f"   {said}", width), BOLD if row.moves else "")
            if used + cells(piece[0]) > width and drawn:
                lines.append(DrawnLine(tuple(drawn)))
                drawn, used = [], 0
            drawn.append(piece)
            used += cells(piece[0])
        return [*lines, DrawnLine(tuple(drawn))][:3]

    def _won(self, width: int) -> list[DrawnLine]:
        """Return the drawings that the game has (rail, beam, ladder, things besides dice), after an empty line."""
        lines = [
            *([_rail(self.rail, width)] if self.rail is not None else []),
            *([_beam(self.beam, width)] if self.beam is not None else []),
            *([_ladder(self.ladder)] if self.ladder is not None else []),
            *(_things(self.things) if self.things is not None else []),
        ]
        fitting = [line for line in lines if line.width() <= width]
        return [plain(""), *fitting] if fitting else []

    def _dice(self, size: int) -> list[DrawnLine]:
        """Return the dice on the table and in the cup. If any dice are in the cup, only the locked dice on the table
        are drawn.
        """
        lying = [die for die in self.dice if not self.due or die.status == "locked"]
        pictures = [drawn_die(die, size, self.red, self.faces) for die in lying] + [due_die(size)] * self.due
        if not pictures:
            return []
        lines = side_by_side(pictures)
        if self.places and lying and not self.due:
            lines.append(plain("  " + " ".join(str(die.place + 1).center(size + 2) for die in lying), DIM))
        return [plain(""), *lines]


@dataclass(frozen=True, slots=True)
class Board:
    """The drawing of a table that is played in this process. ``places`` is True if players name dice by place."""

    table: Table
    kit: Kit
    narrator: Narrator
    places: bool = False

    def draw(self, state: TableState, width: int, height: int) -> list[DrawnLine]:
        """Draw the table. While the match has no Player 1 yet, and after the match, return no lines."""
        inner, mover = state.match, state.mover
        if width < LEAST[0] or height < LEAST[1] or self.table.match.to_draw(inner) or inner.over:
            return []
        head, seats = self._head(inner), self._seats(inner)
        if mover is None:
            return TableLayout(head, seats, ()).draw(width, height)
        words, game = self.kit.words, self.table.match.game
        lying, due = self.table.view(state, mover), self.table.match.to_roll(inner)
        if inner.roll_off is not None:
            return TableLayout(head, seats, lying, due, words.red(game), game.faces, self.places).draw(width, height)
        held = state.trays[mover].shows(state.marks) if state.marks and state.legal else ()
        facts = self.narrator.language, game, inner.round
        name = self.narrator.name(mover)
        rail = words.rail(*facts, name, held)
        if rail is not None and self.kit.keeps_dice:
            lying = tuple(die for die in lying if die.status != "locked")
        unheld = words.rail(*facts, "", ())
        return TableLayout(
            head,
            seats,
            lying,
            due=due,
            red=words.red(game) if unheld is None else [slot.want for slot in unheld.slots if not slot.face],
            faces=game.faces,
            places=self.places,
            rail=rail,
            beam=words.beam(*facts, name, held),
            ladder=words.ladder(*facts),
            things=words.things(*facts),
        ).draw(width, height)

    def _head(self, inner: MatchState[Any]) -> str:
        title, counter = self.narrator.language.say(self.kit.words.title), self.narrator.counter(inner)
        return f"{title} · {counter}" if counter else title

    def _seats(self, inner: MatchState[Any]) -> list[SeatRow]:
        game, words, mover = self.table.match.game, self.kit.words, self.table.match.mover(inner)
        rows, off = [], inner.roll_off
        for at, seat in enumerate(inner.order if off is None else off.seats):
            if off is None:
                score = game.score(inner.round, RoundSeat(at))
                told = "" if score is None else words.score(self.narrator.language, game, score)
            else:
                told = told_dice(self.narrator.language, game, [face]) if (face := off.face(seat)) else ""
            note = self.table.match.format.words.seat_note(inner.tally, seat)
            rows.append(SeatRow(printable(self.table.names[seat]), told, note, seat == mover))
        return rows


def _rail(rail: Rail, width: int) -> DrawnLine:
    """Return the rail in a line: [dice won], (dice only marked) and faces still wanted. A narrow terminal gets no
    labels.
    """
    pieces: list[tuple[str, str]] = []
    for slot in rail.slots:
        pieces += [_slot(slot), (" ", "")]
    whole = DrawnLine(((f"   {rail.label}  ", DIM), *pieces, (f" {rail.total_label} ", DIM), (rail.total, BOLD)))
    return whole if whole.width() <= width else DrawnLine((("   ", ""), *pieces, (f" {rail.total}", BOLD)))


def _slot(slot: Slot) -> tuple[str, str]:
    if slot.face:
        return (f"({slot.face})", GOLD) if slot.preview else (f"[{slot.face}]", GREEN)
    return (f" {slot.want} ", RED) if slot.want else (" · ", DIM)


def _beam(beam: Beam, width: int) -> DrawnLine:
    long = min(40, width - 20)
    at = [max(0, min(long, round(long * number / max(1, beam.most)))) for number in (beam.value, beam.target)]
    bar = "".join("━" if place < at[0] else "─" for place in range(long))
    style = GREEN if beam.value == beam.target else RED if beam.value > beam.target else GOLD
    before, after = bar[: at[1]], bar[at[1] :]
    return DrawnLine(((f"   {beam.value:>2} ", BOLD), (before, style), (f"┃{beam.label}", BOLD), (after, DIM)))


def _ladder(ladder: Ladder) -> DrawnLine:
    """Return the scores from the worst to the best. The score of the mover's dice is in brackets."""
    rungs = [
        (f"[{rung.label}]", GREEN) if rung.here else (rung.label, DIM if rung.under else "") for rung in ladder.rungs
    ]
    return DrawnLine((("   ", ""), *_spaced(rungs)))


def _things(things: Things) -> list[DrawnLine]:
    """Draw the things besides dice: open tiles in frames, closed tiles without frames, and amounts after their
    labels.
    """
    lines = []
    if things.tiles:
        tiles = [(f"│{tile.label}│", BOLD) if tile.up else (f" {tile.label} ", DIM) for tile in things.tiles]
        lines.append(DrawnLine((("   ", ""), *_spaced(tiles))))
    if things.counts:
        said = "   ".join(f"{count.label} {count.amount}" for count in things.counts)
        lines.append(plain(f"   {said}", DIM))
    return lines


def _spaced(pieces: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    return [part for piece in pieces for part in ((" ", ""), piece)][1:]
