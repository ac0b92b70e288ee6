"""Makes text of strangers safe to show: one line, not too long, nothing that moves a cursor. Knows no screen."""

ISOLATES = dict.fromkeys(map(ord, "\N{FIRST STRONG ISOLATE}\N{POP DIRECTIONAL ISOLATE}"))
"""Unicode isolates, which pages put round a name: many terminals show them as boxes, so they are left out."""


def printable(text: str) -> str:
    """The text without anything that moves a cursor, changes a colour or turns a line round."""
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text.translate(ISOLATES))


def shown(text: str, longest: int = 40) -> str:
    """The beginning of a text, with "…" where more was left out, fit to be shown."""
    return printable(text if len(text) <= longest else text[: longest - 1] + "…")
