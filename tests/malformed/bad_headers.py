"""Records whose header is wrong. »…« frames what the sentence points at."""

from malformed.cases import BadRecord

_TURNS = "\n\nround 1\nAnn: 344512\n"


def _with(*lines: str) -> str:
    return "\n".join(["pubdice 1", *lines]) + _TURNS


def _midnight(why: str, says: str, *lines: str) -> BadRecord:
    return BadRecord(f"midnight, {why}", 2, says, _with("game: midnight", "seats: Ann, Bob", *lines))


def _fourtwenty(why: str, says: str, *lines: str) -> BadRecord:
    return BadRecord(f"420, {why}", 2, says, _with("game: 420", "seats: Ann, Bob", *lines))


STARTS = [
    BadRecord(why, 2, "pubdice 1", text)
    for why, text in (
        ("nothing at all", "»«"),
        ("blank lines only", "»«\n\n   \n"),
        ("comments only", "»«# a game\n# of dice\n"),
        ("a byte order mark only", b"\xef\xbb\xbf"),
        ("no version", "»game: midnight«\nseats: Ann\n"),
        ("another version", "»pubdice 2«\ngame: midnight\nseats: Ann\n"),
        ("a version with a point", "»pubdice 1.0«\ngame: midnight\nseats: Ann\n"),
        ("no number in the version", "»pubdice«\ngame: midnight\nseats: Ann\n"),
        ("a version run together", "»pubdice1«\ngame: midnight\nseats: Ann\n"),
        ("some other text", "# a comment\n\n   »Dear Ann,«\nI won.\n"),
        ("JSON", '»{"game": "midnight"}«\n'),
        ("HTML", "»<html><b>midnight</b></html>«\n"),
        ("a turn before anything", "»Ann: 344512 k45«\n"),
        ("an escape sequence for a version", "»\x1b[2Jpubdice 1«\ngame: midnight\nseats: Ann\n"),
        ("a NUL before the version", "»\0pubdice 1«\ngame: midnight\nseats: Ann\n"),
        ("very many letters", "»" + "pub" * 1000 + "«\n"),
    )
]

LINES = [
    BadRecord("no colon in a header line", 2, "colon", _with("»game midnight«", "seats: Ann, Bob")),
    BadRecord("a sentence in the header", 2, "colon", _with("game: midnight", "»Ann rolled first«", "seats: Ann, Bob")),
    BadRecord("a header line without a key", 2, "colon", _with("game: midnight", "»: Ann, Bob«")),
    BadRecord("a key with a digit", 2, "colon", _with("game: midnight", "»seats2: Ann, Bob«")),
    BadRecord("a key of two words", 2, "colon", _with("game: midnight", "»the seats: Ann, Bob«")),
    BadRecord("an equals sign for a colon", 2, "colon", _with("game: midnight", "  »seats = Ann, Bob«")),
    BadRecord("an escape sequence in the header", 2, "colon", _with("game: midnight", "»\x1b[31mseats: Ann«")),
    BadRecord("no game", 2, '"game', "pubdice 1\nseats: Ann, Bob\n\n»round 1«\nAnn: 344512\n"),
    BadRecord("no seats", 2, '"seats', "pubdice 1\ngame: midnight\n\n»round 1«\nAnn: 344512\n"),
    BadRecord("a version and no more", 2, '"game', "pubdice 1\n»«"),
    BadRecord("no seats and no turns", 2, '"seats', "pubdice 1\ngame: midnight\n»«"),
    BadRecord("the game twice", 2, "twice", _with("game: midnight", "»game: midnight«", "seats: Ann, Bob")),
    BadRecord("seats twice, once in capitals", 2, "twice", _with("game: 420", "seats: Ann, Bob", "»SEATS: Cid, Dot«")),
    BadRecord("a game without a name", 2, "no value", _with("»game:«", "seats: Ann, Bob")),
    BadRecord("seats without a name", 2, "no value", _with("game: midnight", "»seats:   «")),
    BadRecord("a value that is a comment", 2, "no value", _with("game: midnight", "»seats: «# Ann, Bob")),
    BadRecord("a game nobody knows", 2, "midnight", _with("game: »chess«", "seats: Ann, Bob")),
    BadRecord("a game with an escape sequence", 2, "midnight", _with("game: »\x1b[31mmidnight«", "seats: Ann")),
    BadRecord("a game in full-width digits", 2, "midnight", _with("game: »４２０«", "seats: Ann, Bob")),
    BadRecord("the game of a path", 2, "midnight", _with("game: »../midnight«", "seats: Ann, Bob")),
]

OPTIONS = [
    _midnight("a line nobody knows", "colour", "colour: red"),
    _midnight("stake as a line", "stake", "stake: 5"),
    _fourtwenty("a house rule of Midnight", "need", "need: 1 4"),
    _midnight("need twice the same", "1 4", "need: »4 4«"),
    _midnight("need of other faces", "1 4", "need: »1 7«"),
    _midnight("need of one face", "1 4", "need: »1«"),
    _midnight("need of three faces", "1 4", "need: »1 4 5«"),
    _midnight("need run together", "1 4", "need: »14«"),
    _midnight("need in words", "1 4", "need: »one four«"),
    _midnight("need in superscript", "1 4", "need: »¹ ⁴«"),
    _midnight("need in Arabic digits", "1 4", "need: »١ ٤«"),
    _midnight("a format nobody knows", "rounds", "format: »best of three«"),
    _midnight("no rounds", "1 to 20", "format: »rounds 0«"),
    _midnight("too many rounds", "1 to 20", "format: »rounds 21«"),
    _midnight("rounds below zero", "1 to 20", "format: »rounds -1«"),
    _midnight("half a round", "1 to 20", "format: »rounds 1.5«"),
    _midnight("rounds in words", "1 to 20", "format: »rounds five«"),
    _midnight("rounds in Arabic digits", "1 to 20", "format: »rounds ٥«"),
    _midnight("rounds in superscript", "1 to 20", "format: »rounds ²«"),
    _midnight("a huge number of rounds", "1 to 20", "format: »rounds " + "9" * 30 + "«"),
    _midnight("rounds twice", "format", "format: »rounds 5 5«"),
    _midnight("no stake", "1 to", "format: »pot 0«"),
    _midnight("a stake below zero", "1 to", "format: »pot -5 3«"),
    _midnight("too big a stake", "1 to", "format: »pot 1000001«"),
    _midnight("a stake in words", "1 to", "format: »pot luck«"),
    _midnight("a pot of no games", "1 to", "format: »pot 1 0«"),
    _midnight("a pot of too many games", "1 to", "format: »pot 1 1001«"),
    _midnight("a pot with a word too many", "format", "format: »pot 1 2 3«"),
    _midnight("a race", "pot", "format: »race«"),
    _midnight("drinks", "pot", "format: »drinks«"),
    _fourtwenty("rounds", "race or drinks", "format: »rounds 5«"),
    _fourtwenty("a pot", "race or drinks", "format: »pot 1«"),
    _fourtwenty("a race of two", "format", "format: »race 2«"),
    _fourtwenty("drinks by number", "format", "format: »drinks 3«"),
    _midnight("an opener nobody knows", "rotate", "opener: »me«"),
    _midnight("an opener by name", "rotate", "opener: »Ann«"),
    _fourtwenty("the winner opens a race", "rotate", "opener: »winner«"),
    _midnight("a stranger opens", "Ann", "first: »Zoe«"),
    _midnight("a number opens", "Ann", "first: »1«"),
    _fourtwenty("a stranger opens", "Ann", "first: »Zoe«"),
]


def _seats(why: str, says: str, seats: str, game: str = "midnight") -> BadRecord:
    return BadRecord(f"{game}, seats: {why}", 2, says, f"pubdice 1\ngame: {game}\nseats: »{seats}«\n\nround 1\n")


SEATS = [
    _seats("one at 420", "2 to 20", "Ann", "420"),
    _seats("21 at 420", "2 to 20", ", ".join(f"P{at}" for at in range(21)), "420"),
    _seats("21 at Midnight", "1 to 20", ", ".join(f"P{at}" for at in range(21))),
    _seats("a comma at the end", "name is missing", "Ann,"),
    _seats("a comma at the start", "name is missing", ", Ann"),
    _seats("two commas", "name is missing", "Ann,, Bob"),
    _seats("the same name twice", "same name", "Ann, Ann"),
    _seats("the same name in capitals", "same name", "Ann, ANN", "420"),
    _seats("the same name with a sharp s", "same name", "Strauß, STRAUSS"),
    _seats("the same name, composed otherwise", "same name", "Zoë, Zoe\u0308"),
    _seats("a name of 25 letters", "24", "A" * 25),
    _seats("a name of 10,000 letters", "24", "A" * 10_000),
    _seats("the word draw", "means something else here", "draw, Ann"),
    _seats("the word Draw", "means something else here", "Ann, Draw", "420"),
]
NAMES = {
    "an exclamation mark": "Ann!",
    "a slash first": "/Bob",
    "a backslash": "A\\nn",
    "an equals sign": "Ann=tip",
    "an angle bracket": "<b>Ann</b>",
    "a quote": 'An"n',
    "a semicolon": "Ann; Bob",
    "a brace": "{name}",
    "a per cent sign": "%s",
    "a hyphen first": "-Ann",
    "a full stop first": ".Ann",
    "two apostrophes first": "''Ann",
    "a combining mark first": "\u0308Ann",
    "a tick": "Ann✓",
    "half a flag": "🇩",
    "a colour": "\x1b[31mAnn",
    "a window title": "\x1b]0;pwned\x07Ann",
    "a NUL": "An\0n",
    "a bell": "Ann\a",
    "a backspace": "Ann\b\b\b",
    "a delete": "An\x7fn",
    "a C1 control": "An\x9bn",
    "right-to-left override": "\u202eAnn",
    "a right-to-left isolate": "An\u2067n",
    "a left-to-right mark": "An\u200en",
    "a zero-width space": "An\u200bn",
    "a zero-width joiner": "An\u200dn",
    "a byte order mark inside": "An\ufeffn",
    "a soft hyphen": "An\u00adn",
    "a private letter": "An\ue000n",
    "a noncharacter": "An\uffffn",
}
NAMED = [_seats(f"{why} in a name", "letters, digits or emoji", f"{name}, Bob") for why, name in NAMES.items()]

BYTES = [
    BadRecord(why, 2, says, b"pubdice 1\ngame: midnight\nseats: " + seats + b"\n\nround 1\n")
    for why, says, seats in (
        ("Latin-1", "UTF-8: byte 35 ", b"Zo\xeb, Bob"),
        ("a lone continuation byte", "UTF-8: byte 33 ", b"\x80"),
        ("an overlong slash", "UTF-8: byte 33 ", b"\xc0\xaf"),
        ("half of a pair of surrogates", "UTF-8: byte 33 ", b"\xed\xa0\x80"),
        ("a letter cut off", "UTF-8: byte 36 ", b"Ann\xf0\x9f\n"),
    )
] + [
    BadRecord("UTF-16", 2, "UTF-8: byte 1 ", "pubdice 1\ngame: midnight\n".encode("utf-16")),
    BadRecord("a picture", 2, "UTF-8: byte 1 ", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"),
    BadRecord("an old Mac's line ends", 2, "pubdice 1", b"pubdice 1\rgame: chess\rseats: Ann\r"),
]

HEADERS = [*STARTS, *LINES, *OPTIONS, *SEATS, *NAMED, *BYTES]
