"""A match's result as a picture to share: an SVG with everybody's result in coloured steps, on slate in a wooden frame.

It stands alone, so its colours are its own (design.md, tokens, light), and it has no style sheet and no script.
"""

from html import escape

from pubdice.advice.receipt import Receipt, ReceiptPart
from pubdice.text.language import Language

WIDE, HIGH = 1080, 700
MOST_SEATS = 8
COLOURS = {"seat": "#857760", "luck": "#b07408", "skill": "#b3261e", "others": "#2c6b33"}
INK = "#2a241b"
SERIF, SANS = "Palatino, Georgia, serif", "system-ui, sans-serif"


def receipt_card(receipt: Receipt, title: str, language: Language) -> str:
    """The picture. title: the game's."""
    seats = receipt.seats[:MOST_SEATS]
    lead = receipt.result[0] if receipt.result else title
    drawn = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {HIGH}" width="{WIDE}" height="{HIGH}">',
        f"<title>{escape(receipt.share)}</title>",
        f'<rect width="{WIDE}" height="{HIGH}" fill="#654127"/>',
        f'<rect x="28" y="28" width="{WIDE - 56}" height="{HIGH - 56}" rx="14" fill="#2a3835"/>',
        _text(WIDE / 2, 122, lead, WIDE - 140, size=62, colour="#f6f1e4", family=SERIF, anchor="middle"),
        f'<rect x="70" y="160" width="{WIDE - 140}" height="430" rx="6" fill="#fcf8ee"/>',
    ]
    step = 350 / max(3, len(seats))
    size = min(34, step * 0.45)
    for number, seat in enumerate(seats):
        middle = 175 + (number + (0.5 if len(seats) >= 3 else 1)) * step
        drawn.append(_text(100, middle + size / 3, seat.name, 250, size=size, colour=INK))
        drawn += [_bar(part, middle, step) for part in seat.parts if part.name in COLOURS and part.units]
        amount = seat.parts[-1].amount
        drawn.append(_text(980, middle + size / 3, amount, 150, size=size, colour=INK, anchor="end"))
    for number, part in enumerate(part for part in receipt.seats[0].parts if part.name in COLOURS):
        x = 100 + 225 * number
        drawn.append(f'<rect x="{x}" y="545" width="22" height="22" fill="{COLOURS[part.name]}"/>')
        drawn.append(_text(x + 34, 565, part.label, 180, size=26, colour=INK))
    foot = f"{language.say(title)} · pubdice"
    drawn.append(_text(WIDE / 2, 640, foot, WIDE - 140, size=30, colour="#edb64d", anchor="middle"))
    return "\n".join([*drawn, "</svg>\n"])


def _bar(part: ReceiptPart, middle: float, step: float) -> str:
    x, width = 360 + 440 * part.begin, max(2.0, 440 * (part.end - part.begin))
    high = step * 0.16
    y = middle + (list(COLOURS).index(part.name) - 2) * high
    colour = COLOURS[part.name]
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{high:.1f}" fill="{colour}"/>'


def _text(
    x: float, y: float, text: str, most: float, *, size: float, colour: str, family: str = SANS, anchor: str = "start"
) -> str:
    """A line of text, no wider than ``most``: a letter takes some 0.58 of its size, so a long line is made smaller."""
    size = min(size, most / (0.58 * max(1, len(text))))
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-family="{family}" font-size="{size:.1f}" font-weight="600" fill="{colour}"'
        f' text-anchor="{anchor}">{escape(text)}</text>'
    )
