"""The notation that all games share. This module reads a text into its header and its words, each with its place.

A record has ``key: value`` lines, then ``draw`` and ``round`` lines, and turn lines of rolls, actions and scores. The
game knows the meaning of an action, and the match knows the mover. ``docs/build/notation.md`` is the specification.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from io import StringIO
from itertools import chain
from typing import Literal

from pubdice.core.dice import MOST_SCORE_DIGITS, SIX, DieFaces, whole_number
from pubdice.core.errors import BadNotation, Place
from pubdice.match.header import VERSION, RawHeader

WORDS_AT_LEAST, WORDS_A_SEAT, MOST_WORDS = 10_000, 10_000, 200_000
WORDS_A_TURN, MOST_ROUNDS = 20, 1_000
"""The numbers that bound the words of a record's body.

A body may have 10,000 words plus 10,000 a seat, up to 200,000 in all. Each round that the format names, up to 1,000,
adds 20 words a seat.
"""

TokenKind = Literal["draw", "round", "back", "seat", "roll", "action", "score"]
NOTES: tuple[TokenKind, ...] = ("draw", "round", "back")


@dataclass(frozen=True, slots=True)
class Token:
    """One word of a record's body, with its kind and place."""

    kind: TokenKind
    text: str
    place: Place = field(compare=False)


@dataclass(frozen=True, slots=True)
class Record:
    """A parsed record: its header and the words of its body."""

    header: RawHeader
    tokens: tuple[Token, ...]

    @property
    def takes_back(self) -> bool:
        """True if a choice was taken back."""
        return any(token.kind == "back" for token in self.tokens)


_BEGIN = re.compile(r"^(?:\A\ufeff)?[ \t]*pubdice[ \t]+1[ \t]*(?:#.*)?\r?$", re.MULTILINE | re.IGNORECASE | re.ASCII)
_NUMBERS = re.compile(r"[0-9]{1,9}")
_KEY = re.compile(r"[A-Za-z]+")
_NOTE = re.compile(rf"({'|'.join(NOTES)})\s+", re.IGNORECASE)
_WORDS = re.compile(r"=\s*\S+|[0-9]+|[A-Za-z][^\s=]*|\S+")
_PARTED = re.compile(r"=\s*\S+|[^\s=]+")
"""The pattern of a word if faces of dice can be letters. Only spaces and ``=`` separate words then."""


@dataclass(frozen=True, slots=True)
class _Span:
    """Part of a line, without the space around it. ``column`` is the column of its first character, from 1."""

    line: int
    column: int
    text: str

    @classmethod
    def of(cls, line: int, column: int, text: str) -> "_Span":
        bare = text.strip()
        return cls(line, column + (len(text) - len(text.lstrip()) if bare else 0), bare)

    @property
    def place(self) -> Place:
        return Place(self.line, self.column, self.text)

    def split(self) -> "tuple[_Span, _Span] | None":
        """Return the text before and after the first colon. None if there is no colon."""
        before, colon, after = self.text.partition(":")
        if not colon:
            return None
        return _Span.of(self.line, self.column, before), _Span.of(self.line, self.column + len(before) + 1, after)


def _lines(text: str, above: int) -> Iterator[_Span]:
    for number, line in enumerate(StringIO(text.removeprefix("\ufeff"), newline="\n"), above + 1):
        text = line.split("#", 1)[0]
        if text and not text.isspace():
            yield _Span.of(number, 1, text)


def decoded(data: bytes, name: str) -> str:
    """Return the text in the bytes of a file. ``name`` is the file's name, for the error.

    Raise BadNotation("file-text") if the bytes are not UTF-8.
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadNotation("file-text", found=name, at=error.start + 1) from None


def parts(text: str) -> tuple[str, ...]:
    r"""Return the records in a text. Each record begins with its own version line.

    >>> parts("pubdice 1\ngame: pig\n\npubdice 1\ngame: 420\n")
    ('pubdice 1\ngame: pig\n\n', 'pubdice 1\ngame: 420\n')
    """
    begins = [found.start() for found in _BEGIN.finditer(text)]
    ends = [*begins[1:], len(text)]
    begins[:1] = [0]
    return tuple(text[begin:end] for begin, end in zip(begins, ends, strict=False)) or (text,)


def parse(text: str, above: int = 0) -> Record:
    """Return the record in a text. Raise BadNotation with the place of the fault.

    ``above`` is the number of lines before the text in its file.
    """
    header, body = parse_header(text, above)
    return parse_body(header, body)


def parse_header(text: str, above: int = 0) -> tuple[RawHeader, Iterator[_Span]]:
    """Return the header of the record in a text, and the lines after the header for ``parse_body``.

    Raise BadNotation as ``parse`` does. The header ends before the first ``draw`` or ``round`` line.
    """
    lines = _lines(text, above)
    last = next(lines, None)
    if last is None:
        raise BadNotation("empty", Place(above + 1, 1, ""))
    if last.text.lower().split() != VERSION.split():
        raise BadNotation("version", last.place, version=VERSION)
    body: list[_Span] = []

    def head() -> Iterator[_Span]:
        nonlocal last
        for last in lines:
            note = _note(last)
            if note and note[1].lower() != "back":
                body.append(last)
                return
            yield last

    header = _header(head())
    end = body[0].place if body else Place(last.line + 1, 1, "")
    for word in ("game", "seats"):
        if word not in header.fields:
            raise BadNotation("header-missing", end, key=word)
    return header, chain(body, lines)


def parse_body(header: RawHeader, lines: Iterable[_Span]) -> Record:
    """Return the record that a header and its body make. Raise BadNotation for a faulty line.

    It is also raised for more words than any match of this many seats has.
    """
    seats = 1 + header.fields["seats"].count(",")
    rounds = max((int(found) for found in _NUMBERS.findall(header.fields.get("format", ""))), default=0)
    most = min(MOST_WORDS, WORDS_AT_LEAST + WORDS_A_SEAT * seats) + WORDS_A_TURN * seats * min(rounds, MOST_ROUNDS)
    words: list[Token] = []
    die = header.die
    for token in chain.from_iterable(_tokens(line, die) for line in lines):
        if len(words) >= most:
            raise BadNotation("record-long", token.place, most=most)
        words.append(token)
    return Record(header, tuple(words))


def _note(line: _Span) -> re.Match[str] | None:
    """Return the beginning of a ``draw``, ``round`` or ``back`` line. None for any other line.

    A line with a colon is a turn, of a seat named Draw, Round or Back.
    """
    return None if ":" in line.text else _NOTE.match(line.text)


def _header(lines: Iterable[_Span]) -> RawHeader:
    fields: dict[str, str] = {}
    places: dict[str, Place] = {}
    keys: dict[str, Place] = {}
    for line in lines:
        halves = line.split()
        if halves is None or not _KEY.fullmatch(halves[0].text):
            raise BadNotation("header-line", line.place)
        key, value = halves
        word = key.text.lower()
        if word in fields:
            raise BadNotation("header-twice", line.place, key=word)
        if not value.text:
            raise BadNotation("header-empty", line.place, key=word)
        fields[word], places[word], keys[word] = value.text, value.place, key.place
    return RawHeader(fields, places, keys)


def _tokens(line: _Span, die: DieFaces) -> Iterator[Token]:
    note = _note(line)
    if note:
        named = _Span.of(line.line, line.column + note.end(), line.text[note.end() :])
        kind = next(kind for kind in NOTES if kind == note[1].lower())
        if kind == "round" and whole_number(named.text) is None:
            raise BadNotation("round-number", named.place)
        yield Token(kind, named.text, named.place)
        return
    halves = line.split()
    if halves is None:
        raise BadNotation("line", line.place)
    seat, words = halves
    yield Token("seat", seat.text, seat.place)
    scored = False
    for word in (_WORDS if die is SIX else _PARTED).finditer(words.text):
        place = Place(line.line, words.column + word.start(), word[0])
        if scored:
            raise BadNotation("after-score", place)
        yield _token(word[0], place, die)
        scored = word[0].startswith("=")


def no_face(die: DieFaces, place: Place | None = None, **facts: str) -> BadNotation:
    """Return the error for a text that names no face of these dice."""
    return (
        BadNotation("face", place, **facts)
        if die.is_usual
        else BadNotation("other-face", place, shown=die.names, **facts)
    )


def _token(word: str, place: Place, die: DieFaces) -> Token:
    if word[0] in "0123456789" or (word.isupper() and die.read(word)):
        if die.read(word) is None:
            raise no_face(die, place=place)
        return Token("roll", word, place)
    if word[0] == "=":
        score = word[1:].strip()
        if whole_number(score, MOST_SCORE_DIGITS) is None:
            raise BadNotation("score-number", place)
        return Token("score", score, place)
    if word[0].isascii() and word[0].isalpha():
        return Token("action", word.lower(), place)
    raise BadNotation("word", place)
