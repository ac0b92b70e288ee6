"""A card of best play as plain text, or as an SVG picture of 10 by 10 cm. Works for any game.

The picture is self-contained, describes itself in <title> and <desc>, and uses one ink, so any printer can print it.
Its unit is a tenth of a millimetre. The foot (sentences below the lines) has at most three lines of 60 letters.
"""

from dataclasses import dataclass
from html import escape
from textwrap import wrap

from pubdice.core.dice import SIX, DieFaces, Hand

SIZE = 1000

LEFT, RIGHT = 66, 934

TOP, BOTTOM = 212, 872

FOOT = 60  # the most letters in a line of the foot

ROW, LETTER, COST = 38, 17.6, 110

TITLE, WIDE = 66, 0.55
"""The height of the title's letters, and the mean width of a letter as a part of the height, in the wider of the two
typefaces."""

DIE, GAP = 42, 6

PIPS = {1: (4,), 2: (0, 8), 3: (0, 4, 8), 4: (0, 2, 6, 8), 5: (0, 2, 4, 6, 8), 6: (0, 2, 3, 5, 6, 8)}
"""The places of the pips on each face, as numbers 0 to 8 in a grid of nine, row by row."""

STYLE = (
    "text{font-family:Georgia,'DejaVu Serif',serif;fill:#222}"
    ".t{font-size:66px}.s{font-size:29px;fill:#555}.l{font-size:32px}.c{font-size:29px;text-anchor:end;fill:#555}"
    ".f{font-size:26px;fill:#555}.d{fill:#fff;stroke:#222;stroke-width:3}.p{fill:#222}"
    ".m{fill:#fffdf8;stroke:#222;stroke-width:4}.r{stroke:#222;stroke-width:2}"
)


@dataclass(frozen=True, slots=True)
class Item:
    """One line: its advice, the cost of ignoring it (short, and in a sentence), and its dice."""

    text: str
    cost: str
    costs: str
    dice: Hand = ()


@dataclass(frozen=True, slots=True)
class Card:
    """The content of a card."""

    title: str
    subtitle: str
    column: str  # the heading above the costs
    items: tuple[Item, ...]
    foot: tuple[str, ...]
    die: DieFaces = SIX  # the faces of the dice on the card


def text(card: Card) -> list[str]:
    """Return the card as lines to read aloud."""
    numbered = [f"{number}. {item.text} {item.costs}" for number, item in enumerate(card.items, 1)]
    return [f"{card.title}: {card.subtitle}.", *numbered, *card.foot]


def svg(card: Card) -> str:
    """Return the card as a complete SVG document."""
    desc = " ".join([*(item.text for item in card.items), *card.foot])
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="100mm" height="100mm" viewBox="0 0 {SIZE} {SIZE}"',
        '     role="img" aria-labelledby="title desc">',
        f'<title id="title">{escape(f"{card.title}: {card.subtitle}")}</title>',
        f'<desc id="desc">{escape(desc)}</desc>',
        f"<style>{STYLE}</style>",
        f'<rect class="m" x="12" y="12" width="{SIZE - 24}" height="{SIZE - 24}" rx="70"/>',
        _title(card.title),
        _said("s", LEFT, 162, card.subtitle),
        _said("c", RIGHT, 162, card.column),
        _rule(182),
    ]
    indent = LEFT + max([2, *(len(item.dice) for item in card.items)]) * (DIE + GAP) + 10
    rows = [wrap(item.text, int((RIGHT - COST - indent) / LETTER)) for item in card.items]
    gap = (BOTTOM - TOP - ROW * sum(map(len, rows))) / max(1, len(rows))
    y = TOP + gap / 2
    for item, said in zip(card.items, rows, strict=True):
        middle = y + ROW * len(said) / 2
        parts += [_die(card.die, face, LEFT + at * (DIE + GAP), middle - DIE / 2) for at, face in enumerate(item.dice)]
        parts += [_said("l", indent, y + ROW * (row + 0.76), words) for row, words in enumerate(said)]
        parts.append(_said("c", RIGHT, middle + 10, item.cost))
        y += ROW * len(said) + gap
    parts.append(_rule(BOTTOM + 8))
    foot = [words for line in card.foot for words in wrap(line, FOOT)]
    first, row = (44, 32) if len(foot) <= 2 else (38, 27)
    parts += [_said("f", LEFT, BOTTOM + first + row * at, words) for at, words in enumerate(foot)]
    return "\n".join([*parts, "</svg>", ""])


def _title(title: str) -> str:
    """Draw the title, in smaller letters if it would not fit."""
    size = int((RIGHT - LEFT) / (WIDE * max(1, len(title))))
    return _said("t", LEFT, 112, title, f' style="font-size:{size}px"' if size < TITLE else "")


def _said(kind: str, x: float, y: float, words: str, style: str = "") -> str:
    return f'<text class="{kind}" x="{x:g}" y="{y:.0f}"{style}>{escape(words)}</text>'


def _rule(y: float) -> str:
    return f'<line class="r" x1="{LEFT}" y1="{y:g}" x2="{RIGHT}" y2="{y:g}"/>'


def _die(die: DieFaces, face: int, x: float, y: float) -> str:
    """Draw a die with its pips or, if the game names the face, with the name."""
    pips = _name_on(die.drawn(face), x, y) or "".join(
        f'<circle class="p" cx="{x + DIE * (2 + place % 3 * 3) / 10:.1f}" '
        f'cy="{y + DIE * (2 + place // 3 * 3) / 10:.1f}" r="4.2"/>'
        for place in PIPS[face]
    )
    return f'<rect class="d" x="{x:g}" y="{y:.1f}" width="{DIE}" height="{DIE}" rx="8"/>{pips}'


def _name_on(name: str, x: float, y: float) -> str:
    size = (0, 30, 26, 20)[len(name)]
    middle = f'text-anchor="middle" style="font-size:{size}px;fill:#222"'
    return name and f'<text class="f" x="{x + DIE / 2:g}" y="{y + DIE / 2 + size * 0.36:.1f}" {middle}>{name}</text>'
