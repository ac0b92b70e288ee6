"""Forged records of sealed dice: every line of the header and every word of the body altered, added, dropped, doubled.

The forger may be the house: it knows its own seed, so it can also write the dice that follow from what it forged.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Literal

from play import KITS
from pubdice.core.dice import digits
from pubdice.core.seal import KeyedSeals, Seal, SealedCup, bound_by_header, bound_by_seeds
from pubdice.match.sealed_record import text_digest
from pubdice.room import Setup
from pubdice.room.setup import checked
from support.sealed_match import played, record_of

SEALS = KeyedSeals(b"k" * 32, lambda size: b"\3" * size)
Effort = Literal["text", "check", "dice"]
"""How far a forger goes: alters the text; writes a new check; writes the dice that follow, too."""
EFFORTS: tuple[Effort, ...] = ("text", "check", "dice")
OTHER_SEED = "ab" * 32


def honest(version: int, game: str = "midnight") -> str:
    """The record of a match that an honest house wrote: Ann's phone held its seed back, Bob typed his."""
    kit = KITS[game]
    seal = Seal("03" * 8, 1, SEALS.first().digest, version)
    setup = Setup({"game": game, "format": "rounds 1"}, 1, "ann", 0, dice="sealed", grows=True, seal=seal.write())
    return record_of(*played(kit, SEALS, checked(kit, setup), seeds=("ann",) if version > 1 else ()))


@dataclass(frozen=True)
class Forgery:
    """A forged record. what: the line or the kind of word, and the change; neutral: nothing is forged, as with other
    line ends.
    """

    what: str
    effort: Effort
    text: str
    neutral: bool = False


def forgeries(version: int) -> Iterator[Forgery]:
    """Every forgery of an honest record's header."""
    text = honest(version)
    lines, body = _halves(text)
    for what, changed in [*_each_line(lines), *_seeds(lines, version), *_whole(lines, version)]:
        if changed == lines:
            continue
        for effort in EFFORTS:
            yield Forgery(what, effort, written(changed, body, effort, text))
    for what, names in (NAMES | {f"the names {' and '.join(names)}": names for names in SOUND_NAMES}).items():
        lines, body = _halves(re.sub("Ann|Bob", lambda found: names[found[0] == "Bob"], text))  # noqa: B023 - called at once
        for effort in EFFORTS:
            yield Forgery(f"seats: {what}", effort, written(lines, body, effort, text))
    for what, change in ENDS.items():
        yield Forgery(what, "text", change(text), neutral=True)


def forged_bodies(version: int) -> Iterator[Forgery]:
    """Every forgery of an honest record's body: rolls, keeps, scores, turns, rounds, draws, other lines."""
    text = honest(version)
    lines, body = _halves(text)
    for what, forged in _bodies(body):
        for effort in EFFORTS:
            whole = written(lines, forged, effort, text)
            if whole.replace("\r\n", "\n") != text:
                yield Forgery(what, effort, whole)


def _halves(text: str) -> tuple[list[str], str]:
    """The lines of a record's header but for the check, and its body."""
    header, _, body = text.partition("\n\n")
    return [line for line in header.split("\n") if not line.startswith("check: ")], body


ENDS: dict[str, Callable[[str], str]] = {
    "a line end of Windows": lambda text: text.replace("\n", "\r\n", 4),
    "line ends of Windows": lambda text: text.replace("\n", "\r\n"),
    "a byte order mark": lambda text: f"\ufeff{text}",
    "line feeds at the end": lambda text: f"{text}\n\n",
}
NAMES: dict[str, tuple[str, str]] = {
    "a name from right to left": ("Ann", "Bob\u202e"),
    "a name with a sign nobody sees": ("Ann", "B\u200bob"),
    "a name with a letter nobody sees": ("Ann", "Bob\u3164"),
    "a name in another look": ("Ann", "Bob\ufe0e"),
    "two names that look alike": ("Ann", "Ann\u180b"),
    "a name that erases a line": ("Ann", "B\x1b[2Kob"),
    "a name with a zero": ("Ann", "B\0ob"),
    "a name in a tag": ("Ann", "<b>Bob"),
    "a name that begins with a dash": ("Ann", "-Bob"),
    "a name with two spaces": ("Ann", "Bob  Cid"),
    "a name with a sign of the house": ("Ann", "Bob\u2605"),
    "a name with a picture in text style": ("Ann", "Bob\u2665"),
    "a name with half a flag": ("Ann", "Bob\U0001f1e9\U0001f1ea\U0001f1eb"),
    "a name with a joiner alone": ("Ann", "\U0001f469\u200d"),
    "a name with hidden tags": ("Ann", "\U0001f3f4\U000e0067\U000e0062\U000e007f"),
    "a name with a bent apostrophe": ("Ann", "O\u2019Brien"),
    "a name with a long dash": ("Ann", "R2\u2013D2"),
    "a name with a dot at its end": ("Ann", "Bob\u00b7"),
    "a name of 25 letters": ("Ann", "B" * 25),
    "a name in another spelling": ("Ann", "Zoe\u0308"),
    "the name of a draw": ("Ann", "Draw"),
    "two names alike": ("Ann", "Ann"),
    "two names in capitals": ("Ann", "ANN"),
    "two names with a sharp s": ("WEISS", "Wei\u00df"),
    "two names that end in sigma": ("\u03bf\u03b4\u03bf\u03c2", "\u039f\u0394\u039f\u03a3"),
}
"""Names of two seats that no house writes."""
SOUND_NAMES = (
    ("Ann", "Zo\u00eb O'Hara"), ("\u674e\u5c0f\u9f99", "\u0414\u0438\u043d\u0430"), ("round 1", "draw Ann"),
    ("i", "\u0131"), ("M.&_-x", "7 of 9"), ("B" * 24, "\U0001d49cnn"),
    ("constructor", "\u09a8\u09ae\u09bf\u09a4\u09be"), ("O'Brien", "'t Hooft"), ("Ann/Bob", "Cid + Dot"),
    ("\U0001f3b2", "Zo\u00eb \u2764\ufe0f\u200d\U0001f525"), ("\U0001f469\u200d\U0001f467", "\U0001f44d\U0001f3fd"),
    ("\U0001f1e9\U0001f1ea Ann", "Marcel\u00b7la"), ("\u30b8\u30e7\u30f3\u30fb\u30b9\u30df\u30b9", "draw \U0001f3b2"),
)  # fmt: skip
EVENINGS: dict[str, tuple[Callable[[str, str], str], list[str | None]]] = {
    "one after the other": (lambda one, two: one + two, [None, None]),
    "an empty line between": (lambda one, two: f"{one}\n{two}", [None, None]),
    "line ends of Windows": (lambda one, two: (one + two).replace("\n", "\r\n"), [None, None]),
    "those, and an empty line": (lambda one, two: f"{one}\n{two}\n".replace("\n", "\r\n"), [None, None]),
    "those in the first": (lambda one, two: one.replace("\n", "\r\n") + two, [None, None]),
    "a byte order mark": (lambda one, two: f"\ufeff{one}{two}", [None, None]),
    "an empty line above": (lambda one, two: f"\n{one}{two}", ["changed", None]),
    "an empty line of Windows above": (lambda one, two: f"\r\n{one}{two}", ["changed", None]),
    "a comment above": (lambda one, two: f"# Friday\n{one}{two}", ["changed", None]),
    "a space above": (lambda one, two: f" {one}{two}", ["changed", None]),
    "a comment behind the version": (lambda one, two: one + two.replace("\n", " # Friday\n", 1), [None, "changed"]),
    "a carriage return behind the version": (lambda one, two: one + two.replace("\n", "\r\r\n", 1), ["none"]),
    "another letter in the version": (lambda one, two: one + two.replace("i", "\u0131", 1), ["none"]),
    "a version line at the end": (lambda one, two: f"{one}{two}pubdice 1\r", [None, None, "none"]),
}
"""Two records in one text, and the fault of each record that a checker reads there."""
VALUES: dict[str, Callable[[str], str]] = {
    "longer": lambda value: f"{value}x",
    "shorter": lambda value: value[:-1],
    "empty": lambda value: "",
    "a zero-width space": lambda value: f"{value[:2]}\u200b{value[2:]}",
    "a no-break space": lambda value: f"{value}\u00a0",
    "a thin space": lambda value: f"{value[:1]}\u2009{value[1:]}",
    "a line separator": lambda value: f"{value[:1]}\u2028{value[1:]}",
    "a next-line character": lambda value: f"{value}\x85",
    "a tab": lambda value: f"{value[:1]}\t{value[1:]}",
    "a sign from right to left": lambda value: f"{value}\u202e",
    "a control sign": lambda value: f"{value}\x1b",
    "a letter nobody sees": lambda value: f"{value}\u3164",
    "a mark nobody sees": lambda value: f"{value}\u180f",
    "a sign of nobody's": lambda value: f"{value}\ue000",
    "a picture": lambda value: f"{value}\U0001f3b2",
    "a star": lambda value: f"{value}\u2605",
    "a letter of another script": lambda value: value.replace("a", "\u0430").replace("e", "\u0435"),
    "wide digits": lambda value: value.translate({ord(str(n)): 0xFF10 + n for n in range(10)}),
    "Arabic digits": lambda value: value.translate({ord(str(n)): 0x660 + n for n in range(10)}),
    "capitals": lambda value: value.upper(),
    "a bar": lambda value: f"{value}|5",
    "a comment": lambda value: f"{value} # {value}",
    "a comma": lambda value: f"{value}, ",
    "another first sign": lambda value: ("0" if value[:1] != "0" else "1") + value[1:],
}


def _each_line(lines: list[str]) -> Iterator[tuple[str, list[str]]]:
    for at, line in enumerate(lines):
        before, after, key, value = lines[:at], lines[at + 1 :], *line.partition(": ")[::2]
        yield f"{key}: dropped", [*before, *after]
        yield f"{key}: doubled", [*before, line, line, *after]
        yield f"{key}: doubled with another value", [*before, line, f"{line}x", *after]
        yield f"{key}: at the end", [*before, *after, line]
        yield f"{key}: first", [line, *before, *after]
        for what, put in (
            ("in capitals", f"{key.upper()}: {value}"),
            ("no space", f"{key}:{value}"),
            ("two spaces", f"{key}:  {value}"),
            ("a tab", f"{key}:\t{value}"),
            ("a space before", f" {line}"),
            ("a space behind", f"{line} "),
        ):
            yield f"{key}: {what}", [*before, put, *after]
        for what, change in VALUES.items():
            if value and change(value) != value:
                yield f"{key}: {what}", [*before, f"{key}: {change(value)}", *after]


def _seeds(lines: list[str], version: int) -> Iterator[tuple[str, list[str]]]:
    """Other lists of seeds, players and digests, well written each."""
    for key in ("seeds", "players", "digests"):
        at = next((at for at, line in enumerate(lines) if line.startswith(f"{key}: ")), None)
        if at is None:
            continue
        first, second = lines[at].partition(": ")[2].split(", ")
        for what, list_ in {
            "swapped": [second, first],
            "one more": [first, second, "2"],
            "one less": [first],
            "one for two": [first, first],
            "empty ones behind": [first, second, "", "", ""],
            "none": ["-", "-"],
            "the last none": [first, "-"],
            "the first another": ["other", second],
            "the last a bot": [first, "bot:tip"],
            "the last typed": [first, "typed"],
            "both phones": ["phone", "phone"],
            "too long": ["x" * 33, second],
            "another digest": [OTHER_SEED, second],
        }.items():
            changed = f"{key}: {', '.join(list_)}"
            if changed != lines[at]:
                yield f"{key}: {what}", [*lines[:at], changed, *lines[at + 1 :]]
    if version > 1:
        seal = next(line for line in lines if line.startswith("seal: "))
        put = partial(_with, lines, "seal: ")
        yield "seal: of version 1", put(seal.replace("2 ", "", 1))
        yield "seal: of version 3", put(seal.replace("2 ", "3 ", 1))
        yield "attempt: none", _with(lines, "attempt: ", "attempt: 0")
        yield "attempt: another", _with(lines, "attempt: ", "attempt: 2")
    for number in ("2", "64", "65", "01"):
        seal = next(line for line in lines if line.startswith("seal: "))
        yield f"seal: number {number}", _with(lines, "seal: ", seal.replace("/1 ", f"/{number} "))
    yield "seal: another chain", [line.replace("03" * 8, "04" * 8) for line in lines]
    yield "seed: another", _with(lines, "seed: ", f"seed: {OTHER_SEED}")


WORDS: dict[str, Callable[[str], str]] = {
    "another first sign": lambda word: ("2" if word[:1] == "1" else "1") + word[1:],
    "one more": lambda word: f"{word}6",
    "one less": lambda word: word[:-1],
    "dropped": lambda word: "",
    "doubled": lambda word: f"{word} {word}",
    "glued to a keep": lambda word: f"{word}k6",
    "a seventh face": lambda word: f"{word[:-1]}7",
    "no face": lambda word: f"{word}0",
    "too long": lambda word: word * 65,
    "capitals": str.upper,
    "a comment behind": lambda word: f"{word} # {word}",
    "a comment glued on": lambda word: f"{word}# 666666",
    "a keep with a comment": lambda word: f"{word} k#6 666666",
    "a sign nobody sees": lambda word: f"{word}\u200b",
    "a no-break space": lambda word: f"{word}\u00a0",
    "two spaces": lambda word: f" {word}",
    "a tab": lambda word: f"\t{word}",
    "a carriage return": lambda word: f"{word}\r",
    "wide digits": VALUES["wide digits"],
    "Arabic digits": VALUES["Arabic digits"],
    "a sign before": lambda word: f"-{word}",
    "an equals sign": lambda word: f"= {word}",
    "the time it took": lambda word: f"{word} (0:12)",
    "luck": lambda word: f"{word} +12.5%",
}
"""Changes of a roll, a keep or a score."""
LINES = (
    "round 1", "round 2", "round 0", "round 01", "round 10000", "ROUND 1", "round 1 # liked", "round one", "round:",
    "draw Ann", "draw Bob", "draw Eve", "draw ann", "DRAW Ann", "draw", "Ann:", "Ann: ", "Ann", "Ann: 666666 = 24",
    "Bob: k6", "Ann: = 24", "Eve: 123456", "ann: 123456", "Ann : 123456", "Ann:123456", " Ann: 1", "Ann, Bob: 6",
    "back Ann", "back Bob", "clock: 30", "time: 0:12", "luck: 12", "note: liked", "# liked", "#", "stake: high",
    "attempt: 9", "seed: aa", "seeds: other, other", "check: " + "a" * 64, "check: 6",
    "night: KORBUMTAL 0123456789abcdef", "pubdice 1", "", "\x00",
)  # fmt: skip
"""Lines put into a body."""


def _bodies(body: str) -> Iterator[tuple[str, str]]:
    """The body with a line or a word of it changed: of the first turns, since what holds for two holds for all."""
    lines = body.rstrip("\n").split("\n")

    def put(at: int, *changed: str) -> str:
        return "\n".join([*lines[:at], *changed, *lines[at + 1 :]]) + "\n"

    for at, line in enumerate(lines[:3]):
        kind = "turn" if ":" in line else "round"
        yield f"{kind} {at}: dropped", put(at)
        yield f"{kind} {at}: doubled", put(at, line, line)
        yield f"{kind} {at}: first", "\n".join([line, *lines[:at], *lines[at + 1 :]]) + "\n"
        yield f"{kind} {at}: last", "\n".join([*lines[:at], *lines[at + 1 :], line]) + "\n"
        yield f"{kind} {at}: a space before", put(at, f" {line}")
        yield f"{kind} {at}: a space behind", put(at, f"{line} ")
        yield f"{kind} {at}: a line separator", put(at, f"{line}\u2028{line}")
        for there in LINES:
            yield f"line {at}: {there}", put(at, there, line)
        name, colon, told = line.partition(": ")
        if not colon:
            continue
        yield f"turn {at}: of the other", put(at, f"{'Bob' if name == 'Ann' else 'Ann'}: {told}")
        yield f"turn {at}: of a stranger", put(at, f"Eve: {told}")
        yield f"turn {at}: in capitals", put(at, f"{name.upper()}: {told}")
        yield f"turn {at}: another score", put(at, line.partition(" = ")[0] + " = 24")
        yield f"turn {at}: a score below zero", put(at, line.partition(" = ")[0] + " = -5")
        yield f"turn {at}: a long score", put(at, line.partition(" = ")[0] + " = 1234567890123456")
        yield f"turn {at}: the longest score", put(at, line.partition(" = ")[0] + " = 123456789101112")
        yield f"turn {at}: no score", put(at, line.partition(" = ")[0])
        words = told.split(" ")
        for place, word in enumerate(words):
            kind = "roll" if word.isdigit() and words[place - 1] != "=" else "keep" if word[0] == "k" else "score"
            for what, change in WORDS.items():
                changed = " ".join([*words[:place], change(word), *words[place + 1 :]])
                yield f"{kind} {at}.{place}: {what}", put(at, f"{name}: {changed}")
    yield "body: none", ""
    yield "body: turns in another order", "\n".join([lines[0], *reversed(lines[1:])]) + "\n"
    yield "body: names swapped", re.sub("Ann|Bob", lambda found: {"Ann": "Bob", "Bob": "Ann"}[found[0]], body)
    yield "body: more words than a record may have", body + "round 2\n" * 31_000
    yield "body: cut short", "\n".join(lines[:2]) + "\n"
    yield "body: twice", body + body
    yield "body: empty lines in it", body.replace("\n", "\n\n")
    yield "body: above the empty line", f"{body}\n{body}"


def _whole(lines: list[str], version: int) -> Iterator[tuple[str, list[str]]]:
    seats = [line.replace("seats: Ann, Bob", "seats: Bob, Ann") for line in lines]
    yield "seats: swapped", seats
    yield "a line of one's own", [*lines[:-1], "stake: high", lines[-1]]
    yield "an empty line", [*lines[:3], "", *lines[3:]]
    yield "a comment of one's own", [*lines[:3], "# seeds: other, other", *lines[3:]]
    yield "a night", [*lines, "night: KORBUMTAL 0123456789abcdef"]
    yield "a seat without a name", [_with_nobody(*line.partition(": ")) for line in lines]
    if version > 1:
        for at, what in enumerate(("first", "last")):
            yield f"seats: the {what} away", [_with_away(at, *line.partition(": ")) for line in lines]
    if version == 1:
        yield "a line of version 2", [*lines, "attempt: 1"]


NOBODY = {"seats": "", "players": "away", "digests": "-", "seeds": "-"}
"""Facts of a seat between the two that has no name, no seed and no turn."""


def _with_nobody(key: str, colon: str, value: str) -> str:
    return f"{key}{colon}{f', {NOBODY[key]}, '.join(value.split(', ')) if key in NOBODY else value}"


def _with_away(seat: int, key: str, colon: str, value: str) -> str:
    """A line of the header, of a match at whose beginning nobody was at a seat."""
    each = value.split(", ")
    if key in NOBODY and key != "seats":
        each[seat] = NOBODY[key]
    return f"{key}{colon}{', '.join(each)}"


def _with(lines: list[str], start: str, line: str) -> list[str]:
    return [line if each.startswith(start) else each for each in lines]


def written(lines: list[str], body: str, effort: Effort, text: str) -> str:
    """The record that this effort makes of a forged header."""
    old = re.search("^check: .*$", text, re.MULTILINE)
    assert old
    if effort == "dice":
        body = _following(lines, body)
    bare = "\n".join(lines) + "\n\n" + body
    check = old[0] if effort == "text" else f"check: {text_digest(bare)}"
    return "\n".join([*lines, check]) + "\n\n" + body


def _following(lines: list[str], body: str) -> str:
    """The body with the dice that follow from a forged header, read as generously as can be."""
    fields = {key.strip().lower(): value.strip() for key, _, value in (line.partition(":") for line in lines)}
    seal, seed = fields.get("seal", ""), re.fullmatch("[0-9a-f]{64}", fields.get("seed", ""))
    if seal.startswith("2 "):
        end = max((at for at, line in enumerate(lines) if line.startswith("seeds:")), default=len(lines) - 1)
        bound = bound_by_header("\n".join(lines[: end + 1]))
    else:
        seeds = [part.strip() for part in fields.get("seeds", "").split(",")]
        bound = bound_by_seeds(seal.partition(" ")[0], seeds)
    number = 0

    def rolled(found: re.Match[str]) -> str:
        nonlocal number
        number += 1
        return digits(SealedCup(seed[0] if seed else OTHER_SEED, bound, number).roll(len(found[0]), 0))

    turns = (re.sub(r"(?<=[^=] )[1-6]+(?= |$)", rolled, line) if ": " in line else line for line in body.split("\n"))
    return "\n".join(turns)
