"""A whole number from text somebody wrote: a flag, a form, a record, a log, a header. Knows no error of its own."""

MOST_DIGITS = 9
"""As many as any number has that people or programs hand in. CPython's ``int`` takes time that grows with the square of
the digits, and refuses more than 4,300 with an error of its own."""


def whole_number(text: str, digits: int = MOST_DIGITS) -> int | None:
    """The number that 1 to ``digits`` ASCII digits stand for; None for anything else: a sign, a space, other numerals.

    ``str.isdigit`` alone lets through "²", which ``int`` refuses, and "١", which it reads as 1.

    >>> whole_number("042"), whole_number("-1"), whole_number("²"), whole_number("1234567890")
    (42, None, None, None)
    """
    return int(text) if len(text) <= digits and text.isascii() and text.isdigit() else None
