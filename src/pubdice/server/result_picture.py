"""A finished match as an SVG picture in two shapes: tall for a chat or a feed, wide for the preview of a link.

It needs no style sheet, script or font. Its colours are the light theme's slate and paper (docs/design.md,
tokens).
"""

import io
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from html import escape
from itertools import accumulate, pairwise
from unicodedata import combining, east_asian_width

import segno

from pubdice.server.charts import LEFT as CHART_LEFT
from pubdice.server.charts import LOW as CHART_LOW
from pubdice.server.charts import WIDE as CHART_WIDE
from pubdice.server.finished_match import FinishedMatch, one_of_each
from pubdice.text.language import END, START, isolate

NARROW, SLIM, BROAD, WIDEST = "ijl.,:;!'|’ ·/", 'Ifrst()[]-?"', "mwAGOQDHNKU&+−→%", "MW@"
DICE = re.compile(r"(?<=\d) (?=\d)")
"""The spaces between dice. Lines don't break there."""
WORTH = 1.25
"""One more line is used if it makes the font at least this many times as large."""
LETTER, CAPITAL, FOREIGN, IDEOGRAPH, EMOJI = 0.74, 0.88, 1.17, 1.1, 1.45


def width_of(text: str) -> float:
    """Return an upper bound of a text's width, in units of its font size.

    Readers have different fonts, so each letter counts as in the widest common one (DejaVu Serif Bold).
    """
    return sum(map(_letter, text))


def _letter(char: str) -> float:
    if char.isascii() or char in NARROW or char in BROAD:
        for letters, width in ((NARROW, 0.44), (SLIM, 0.6), (WIDEST, 1.15), (BROAD, 1.08)):
            if char in letters:
                return width
        return CAPITAL if char.isupper() else LETTER
    if combining(char) or not char.isprintable():
        return 0.0
    if ord(char) >= 0x2190:
        return EMOJI if east_asian_width(char) != "W" or ord(char) >= 0x1F000 else IDEOGRAPH
    return FOREIGN


def broken(text: str, width: float, sizes: Sequence[float]) -> tuple[list[str], float]:
    """Return a text in lines, and the size of its font. ``sizes`` has the largest size for 1, 2, … lines.

    One more line must make the font ``WORTH`` times as large.

    >>> broken("Ben beats Ann", 900, (112, 100))[0]
    ['Ben beats Ann']
    """
    words = DICE.sub("\N{NO-BREAK SPACE}", text).split(" ")
    lines, size = [text], min(sizes[0], width / max(1.0, width_of(text)))
    for number, most in enumerate(sizes[1:], 2):
        if number > len(words):
            break
        widest, cut = _evenly(words, number)
        if (larger := min(most, width / widest)) > WORTH * size:
            lines, size = cut, larger
    return lines, size


def _evenly(words: Sequence[str], number: int) -> tuple[float, list[str]]:
    """Break words into ``number`` lines, with the widest as narrow as possible. Return its width and the lines.

    This is dynamic programming over lines, because three lines of twelve people's names have some 10,000 breaks.
    """
    ends, space, last = list(accumulate(map(width_of, words), initial=0.0)), width_of(" "), len(words)

    def wide(first: int, end: int) -> float:
        return ends[end] - ends[first] + space * (end - first - 1)

    best: dict[int, tuple[float, tuple[int, ...]]] = {end: (wide(0, end), (0, end)) for end in range(1, last + 1)}
    for line in range(2, number + 1):
        best = {
            end: min((max(best[cut][0], wide(cut, end)), (*best[cut][1], end)) for cut in range(line - 1, end))
            for end in (range(line, last + 1) if line < number else [last])
        }
    _, cuts = best[last]
    lines = [" ".join(words[first:end]) for first, end in pairwise(cuts)]
    return max(map(width_of, lines)), lines


TALL_WIDE, WIDE_SIZE, FRAME = 1080, (1200, 630), 36
"""The width of the tall picture, the size of the wide one, and the width of the wooden frame, in pixels."""
MOST_ROWS, MOST_DICE = 24, 12
WOOD, SLATE_LIT, SLATE, SLATE_FLAT = "#654127", "#36473f", "#1f2b28", "#2a3835"
BONE, BONE_EDGE = "#fbf4e3", "#b3a584"
CREAM, BRASS, SOFT, PAPER, INK, PIP, NEEDED = (
    "#f6f1e4",
    "#edb64d",
    "#c3ccc4",
    "#fcf8ee",
    "#2a241b",
    "#221c15",
    "#a5231a",
)
SEATS = ("#b3261e", "#1f5fa8", "#2c6b33", "#855c00", "#6f3fa0", "#006b75", "#a02c68", "#55524a")
SERIF = "Iowan Old Style, Palatino Linotype, Palatino, P052, Georgia, serif"
SANS = "system-ui, Roboto, Helvetica, Arial, sans-serif"
PIPS = ("", "4", "08", "048", "0268", "02468", "035268")
CROWN = "M6 36L2 8l16 12L30 3l12 17L58 8l-4 28z"
UNDERLINE = "M3 9Q60 1 105 6T207 5"
QR_SIZE, QR_QUIET = 250, 4


def _text(
    x: float,
    y: float,
    text: str,
    size: float,
    colour: str,
    *,
    bold: bool = True,
    serif: bool = True,
    anchor: str = "middle",
) -> str:
    if not (text.startswith(START) and text.endswith(END)):
        text = isolate(text)
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-family="{SERIF if serif else SANS}" font-size="{size:.1f}"'
        f' font-weight="{700 if bold else 400}" fill="{colour}" text-anchor="{anchor}">{escape(text)}</text>'
    )


def _fitted(size: float, width: float, text: str) -> float:
    return min(size, width / max(1.0, width_of(text)))


def _die(x: float, y: float, size: float, face: int, found: FinishedMatch, *, red: bool) -> Iterator[str]:
    round_by, name = size * 0.2, found.die.names[face - 1]
    for down, colour in ((size * 0.08, BONE_EDGE), (0, BONE)):
        yield (
            f'<rect x="{x:.1f}" y="{y + down:.1f}" width="{size:.1f}" height="{size:.1f}" rx="{round_by:.1f}"'
            f' fill="{colour}"/>'
        )
    ink = NEEDED if red else PIP
    if not found.die.is_usual:
        letters = _fitted(size * 0.55, size * 0.8, name)
        yield _text(x + size / 2, y + size / 2 + letters * 0.36, name, letters, ink, serif=False)
        return
    for spot in map(int, PIPS[face]):
        across, down = (size * (0.5 + 0.25 * (step - 1)) for step in (spot % 3, spot // 3))
        yield f'<circle cx="{x + across:.1f}" cy="{y + down:.1f}" r="{size * 0.095:.1f}" fill="{ink}"/>'


def _dice(
    x: float,
    y: float,
    size: float,
    faces: Sequence[int],
    found: FinishedMatch,
    *,
    middle: bool = True,
    red: Collection[int] = (),
) -> str:
    """Return a row of dice. ``x`` is the row's middle, or its left edge if not ``middle``. ``red`` has the places with
    red pips.
    """
    step = size * 1.2
    left = x - (step * len(faces) - size * 0.2) / 2 if middle else x
    dice = [_die(left + at * step, y, size, face, found, red=at in red) for at, face in enumerate(faces)]
    return "".join(part for die in dice for part in die)


def _hand(x: float, y: float, size: float, width: float, found: FinishedMatch) -> tuple[list[str], float]:
    """Draw the winning hand in one or two rows, or a crown if there are no dice. Return the parts and their height."""
    faces = found.hand[:MOST_DICE]
    if not faces:
        if found.first < 0:
            return [], 0
        scale = size / 40
        place = f"translate({x - 30 * scale:.1f} {y:.1f}) scale({scale:.2f})"
        return [f'<path transform="{place}" d="{CROWN}" fill="{BRASS}" stroke="#8a5a0c" stroke-width="2"/>'], size * 1.1
    lines = [faces] if len(faces) <= 6 else [faces[: (len(faces) + 1) // 2], faces[(len(faces) + 1) // 2 :]]
    size = min(size, width / (1.2 * len(lines[0])))
    needed, drawn, first = one_of_each(faces, found.red), [], 0
    for row, line in enumerate(lines):
        drawn.append(_dice(x, y + row * size * 1.25, size, line, found, red=[place - first for place in needed]))
        first += len(line)
    return drawn, size * 1.25 * len(lines)


def _rows(x: float, y: float, width: float, step: float, found: FinishedMatch) -> tuple[list[str], float]:
    """Draw names and scores, in two columns if there are more than four. Return the parts and their height."""
    rows, columns = found.rows[:MOST_ROWS], 1 if len(found.rows) <= 4 else 2
    if not rows:
        return [], 0
    wide = width * 0.72 if columns == 1 else (width - 60) / 2
    lines, drawn = -(-len(rows) // columns), []
    for at, (name, score) in enumerate(rows):
        left = x + (width - wide) / 2 if columns == 1 else x + (at // lines) * (wide + 60)
        foot, size = y + (at % lines + 1) * step - step * 0.3, step * 0.66
        amount = _fitted(size, wide * 0.35, score)
        taken = width_of(score) * amount
        drawn.append(_text(left, foot, name, _fitted(size, wide - taken - 24, name), CREAM, anchor="start"))
        drawn.append(_text(left + wide, foot, score, amount, BRASS, serif=False, anchor="end"))
        if at % lines:
            over = y + (at % lines) * step
            drawn.append(f'<path d="M{left:.0f} {over:.0f}H{left + wide:.0f}" stroke="{SOFT}" stroke-opacity=".25"/>')
    return drawn, lines * step


def _turning(x: float, y: float, width: float, found: FinishedMatch) -> tuple[list[str], float]:
    """Draw the chart on a slip of paper, with its turning point. Return the parts and the slip's height."""
    lines = found.chart
    if lines is None:
        return [], 0
    edge = width * 0.035
    scale = (width - 2 * edge) / (CHART_WIDE - CHART_LEFT + 8)
    origin = x + edge - (CHART_LEFT - 8) * scale
    font = 11.5 * scale
    head = 2.2 * font if found.turned[1] else edge
    foot = 1.5 * font if found.change else edge
    high, top = head + CHART_LOW * scale + foot, y + head
    place = f'x="{x:.1f}" width="{width:.1f}" height="{high:.1f}" rx="20"'
    drawn = [
        f'<rect {place} y="{y + 7:.1f}" fill="#000" fill-opacity=".3"/>',
        f'<rect {place} y="{y:.1f}" fill="{PAPER}"/>',
    ]
    if found.turned[1]:
        size = _fitted(font * 1.15, width - 2 * edge, " ".join(found.turned))
        drawn.append(
            f'<text x="{x + edge:.1f}" y="{y + head * 0.72:.1f}" font-family="{SERIF}" font-size="{size:.1f}"'
            f' fill="{INK}"><tspan font-weight="700">{escape(found.turned[0])}</tspan> {escape(found.turned[1])}</text>'
        )
    drawn.append(
        f'<g transform="translate({origin:.1f} {top:.1f}) scale({scale:.3f})" fill="none" stroke-linecap="round"'
        ' stroke-linejoin="round">'
    )
    drawn += [
        f'<path d="M{CHART_LEFT} {height}H{CHART_WIDE}" stroke="#857760" stroke-opacity=".4" stroke-dasharray="2 3"/>'
        for height, _ in lines.grid
    ]
    drawn += [
        f'<polyline points="{line.points}" stroke="{SEATS[line.seat % len(SEATS)]}" stroke-width="1.8"'
        f' stroke-dasharray="{line.dashes or "none"}"/>'
        for line in reversed(lines.lines)
    ]
    if lines.turned:
        cx, cy = lines.turn
        drawn.append(f'<circle cx="{cx}" cy="{cy}" r="5" fill="{BRASS}" stroke="#8a5a0c" stroke-width="1.3"/>')
    drawn.append("</g>")
    for line in lines.lines:
        size = _fitted(font * 0.9, 7.5 * min(len(line.name), 16) * scale, line.name)
        ink = SEATS[line.seat % len(SEATS)]
        name = _text(origin + line.x * scale, top + line.y * scale, line.name, size, ink)
        drawn.append(name.replace("<text ", f'<text stroke="{PAPER}" stroke-width="8" paint-order="stroke" ', 1))
    if found.change:
        size = _fitted(font * 0.85, width - 2 * edge, found.change)
        drawn.append(
            _text(
                x + edge, y + high - foot * 0.42, found.change, size, "#5f5647", bold=False, serif=False, anchor="start"
            )
        )
    return drawn, high


def _headline(
    x: float, y: float, width: float, found: FinishedMatch, sizes: Sequence[float], *, apart: bool
) -> tuple[list[str], float]:
    """Draw the sentence about the winner, underlined. Return the parts and their height.

    ``apart``: the score has a line of its own.
    """
    lines, size = broken(f"{found.lead} {found.score}".strip(), width, sizes[:1])
    if (found.score and apart) or size < 0.72 * sizes[0]:
        lines, size = broken(found.lead, width, sizes)
        lines = [*lines, *filter(None, [found.score])]
    drawn, at = [], y
    for line in lines:
        at += size * 1.08
        drawn.append(_text(x, at, line, size, CREAM))
    scale = sizes[0] / 46
    place = f"translate({x - 105 * scale:.1f} {at + size * 0.19:.1f}) scale({scale:.2f})"
    drawn.append(
        f'<path transform="{place}" d="{UNDERLINE}" fill="none" stroke="{BRASS}" stroke-width="4"'
        ' stroke-linecap="round"/>'
    )
    return drawn, at + size * 0.19 + 14 * scale - y


@lru_cache(maxsize=256)
def qr_code(address: str) -> str:
    """Return an address as a QR code: an SVG without its first characters ``<svg``, so the caller can place it inside
    another SVG.

    On a screen the least error correction is enough. segno takes a higher one if the code gets no larger. A code costs
    5,000 function calls, so it is cached.
    """
    drawn, code = io.BytesIO(), segno.make(address, error="l", micro=False)
    code.save(drawn, kind="svg", xmldecl=False, svgns=False, nl=False, omitsize=True, border=QR_QUIET, light="#fff")
    return drawn.getvalue().decode().removeprefix("<svg ")


def _way(x: float, y: float, width: float, found: FinishedMatch, *, coded: bool) -> tuple[list[str], float]:
    """Draw the question, the QR code and the address. Return the parts and their height."""
    drawn, left, high = list[str](), x, 0
    if found.address:
        high = QR_SIZE
        code = qr_code(found.address) if coded else "/>"
        drawn.append(f'<svg x="{x:.0f}" y="{y:.0f}" width="{high}" height="{high}" {code}')
        left, width = x + high + 36, width - high - 36
    lines, size = broken(found.question, width, (50, 46))
    asked = found.asked[:MOST_DICE]
    die = min(62, width / (1.2 * len(asked))) if asked else 0
    text = size * 1.2 * len(lines) + die * 1.5 + (60 if found.shown else 0)
    at = y + max(0, (high - text) / 2)
    if asked:
        drawn.append(_dice(left, at, die, asked, found, middle=False))
        at += die * 1.5
    for line in lines:
        at += size * 1.2
        drawn.append(_text(left, at - size * 0.25, line, size, CREAM, bold=False, serif=False, anchor="start"))
    if found.shown:
        shown = _fitted(44, width, found.shown)
        drawn.append(_text(left, at + 48, found.shown, shown, BRASS, serif=False, anchor="start"))
    return drawn, max(high, text)


def _whole(found: FinishedMatch, wide: float, high: float, drawn: Sequence[str], *, lit: bool) -> str:
    """Return the framed picture. ``lit``: the slate is lighter at its top, which takes resvg 0.05 s."""
    stops = "".join(f'<stop offset="{at}" stop-color="{colour}"/>' for at, colour in enumerate((SLATE_LIT, SLATE)))
    size = f'width="{wide:.0f}" height="{high:.0f}"'
    inner = f'x="{FRAME}" y="{FRAME}" width="{wide - 2 * FRAME:.0f}" height="{high - 2 * FRAME:.0f}"'
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:.0f} {high:.0f}" {size}>',
        f"<title>{escape(found.told)}</title>",
        f"<desc>{escape(found.address)}</desc>",
        *([f'<linearGradient id="slate" x2="0" y2="1">{stops}</linearGradient>'] if lit else []),
        f'<rect {size} fill="{WOOD}"/>',
        f'<rect {inner} fill="{"url(#slate)" if lit else SLATE_FLAT}"/>',
        *drawn,
        "</svg>\n",
    ])  # fmt: skip


def tall_picture(found: FinishedMatch, *, coded: bool = True) -> tuple[str, int]:
    """Return the picture for a chat, and its height in pixels, which depends on its content.

    ``coded``: with its address as a QR code, which takes 0.01 s. Without it, the height is the same.
    """
    middle, left, width = TALL_WIDE / 2, 90.0, TALL_WIDE - 180.0
    drawn = [_text(middle, 122, found.title, _fitted(46, width, found.title), BRASS, bold=False, serif=False)]
    at = 140.0
    parts, high = _headline(middle, at, width, found, (112, 96, 80), apart=True)
    drawn += parts
    at += high + 34
    parts, high = _hand(middle, at, 124, width, found)
    drawn += parts
    at += high + (20 if high else 0)
    if found.hand_told:
        lines, size = broken(found.hand_told, width, (44, 40))
        for line in lines:
            drawn.append(_text(middle, at + size, line, size, SOFT, bold=False, serif=False))
            at += size * 1.3
        at += 18
    parts, high = _rows(left, at, width, 66 if len(found.rows) <= 8 else 52, found)
    drawn += parts
    at += high + 20
    parts, high = _turning(left, at, width, found)
    drawn += parts
    at += high + (44 if high else 12)
    parts, high = _way(left, at, width, found, coded=coded)
    drawn += parts
    whole = round(at + high + 86)
    return _whole(found, TALL_WIDE, whole, drawn, lit=True), whole


def wide_picture(found: FinishedMatch) -> str:
    """Return the picture for a link's preview. It has no address, because the preview itself is the link."""
    wide, high = WIDE_SIZE
    left, width, foot = 76.0, wide - 152.0, high - 86.0
    found = replace(found, rows=found.rows[:8])
    drawn = [_text(wide / 2, 104, found.title, _fitted(34, width, found.title), BRASS, bold=False, serif=False)]
    parts, taken = _headline(wide / 2, 112, width, found, (88, 64, 48), apart=False)
    drawn += parts
    at = 112 + taken + 22
    column, middle = width, wide / 2
    if found.chart:
        column, middle = width * 0.44, left + width * 0.22
        wide_slip = width - column - 30
        parts, taken = _turning(left + column + 30, at, wide_slip, found)
        if at + taken > foot + 30:  # smaller, in the middle of its room
            smaller = wide_slip * (foot + 30 - at) / taken
            parts, taken = _turning(left + column + 30 + (wide_slip - smaller) / 2, at, smaller, found)
        drawn += parts
    lines, size = broken(found.question, column, (38, 34))
    asked = found.asked[:MOST_DICE]
    die = min(50, column / (1.2 * len(asked))) if asked else 0
    asks_high, columns = size * 1.25 * len(lines), 1 if len(found.rows) <= 4 else 2
    step = min(52.0, (foot - at - asks_high) * 0.5 / max(1, -(-len(found.rows) // columns)))
    room = foot - at - asks_high - step * -(-len(found.rows) // columns)
    told = broken(found.hand_told, column, (32, 28)) if found.hand_told and room > 130 else ([], 0.0)
    parts, taken = _hand(middle, at, min(112, max(40, (room - 46 * len(told[0])) * 0.62)), column, found)
    drawn += parts
    at += taken + 12
    for line in told[0]:
        drawn.append(_text(middle, at + told[1], line, told[1], SOFT, bold=False, serif=False))
        at += told[1] * 1.3
    parts, taken = _rows(left, at, column, step, found)
    drawn += parts
    at += taken
    room = foot - at - asks_high
    if asked and room > die * 1.6:
        top = at + (room - die * 1.4) * 0.6
        drawn.append(_dice(middle, top, die, asked, found))
        foot = min(foot, top + die * 1.5 + asks_high)
    for nth, line in enumerate(reversed(lines)):
        drawn.append(_text(middle, foot + 12 - nth * size * 1.25, line, size, CREAM, bold=False, serif=False))
    return _whole(found, wide, high, drawn, lit=False)
