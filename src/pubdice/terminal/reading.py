"""``games``, ``record``, ``replay``, ``rules``, ``perft``: everything that is read and not played."""

import json
import sys
from dataclasses import asdict
from pathlib import Path

from pubdice.core.errors import BadNotation
from pubdice.kit import read_number
from pubdice.match.notation import RawHeader, parts
from pubdice.solve.perft import perft as count_plies
from pubdice.terminal.arguments import Outside, Parser, add_option_flags, chosen_options, kit_named, number_of
from pubdice.terminal.replay_record import retell
from pubdice.terminal.saved_games import listed, load
from pubdice.terminal.seating import read_seats
from pubdice.text.language import Language
from pubdice.text.markdown import plain_lines

DEEPEST = 100
MOST_READ = 4_000_000
"""Bytes of a record: an evening of a thousand rounds has about 300,000."""


def games(words: list[str], outside: Outside, language: Language) -> None:
    """A line for each table kept."""
    Parser("games", description="List your saved games, oldest first.").parse_args(words)
    rows = list(listed(outside.store, outside.games, language))
    for row in rows or [language.say("No game is kept here yet.")]:
        outside.line.say([row])


def rules(words: list[str], outside: Outside, language: Language) -> None:
    """A game's page of rules."""
    parser = Parser("rules", description="Print the rules of a game: a minute's reading.")
    parser.add_argument("game", metavar="GAME", help=" or ".join(outside.games))
    outside.line.say(plain_lines(kit_named(parser.parse_args(words).game, outside.games).rules(language.code)))


def replay(words: list[str], outside: Outside, language: Language) -> None:
    """A record or a kept table, checked and told again."""
    parser = Parser(
        "replay",
        description="Check a record, or several in one file, and tell it again; if any of it is wrong, tell nothing.\n"
        "Exit status 2: pubdice can't read it. 3: a move in it breaks the rules.",
    )
    add_file(parser)
    parser.add_argument(
        "--json", action="store_true", help="print header, turns with their scores, winners and standings as JSON"
    )
    chosen = parser.parse_args(words)
    records = [text for _, text in records_in(text_of(chosen.file, outside))]
    retell(records, outside.games, outside.line, language, as_json=chosen.json)


def add_file(parser: Parser) -> None:
    """The argument that names a record; ``text_of`` reads it."""
    parser.add_argument(
        "file", metavar="FILE", help="a record's file, the number of a saved game, or - for standard input"
    )


def records_in(text: str) -> list[tuple[str, str]]:
    """The records in a text, such as an evening's: each as it was written, and with what stands before it as empty
    lines, so that a fault in it has its line in the whole text.
    """
    found, before = [], 0
    for part in parts(text):
        found.append((part, "\n" * before + part))
        before += part.count("\n")
    return found


def text_of(name: str, outside: Outside) -> str:
    """The text of a record: a file, the number of a kept table, or - for standard input. Raises BadNotation."""
    path = Path(name)
    try:
        if name == "-":
            data = sys.stdin.buffer.read(MOST_READ + 1)
        elif not path.exists() and name.isascii() and name.isdigit():
            return load(outside.store, number_of(name), outside.games).record()
        else:
            with path.open("rb") as file:
                data = file.read(MOST_READ + 1)
    except (OSError, ValueError) as error:
        raise BadNotation("file", found=name, reason=getattr(error, "strerror", None) or "no such file") from None
    if len(data) > MOST_READ:
        raise BadNotation("file-large", found=name, most=MOST_READ // 1_000_000)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadNotation("file-text", found=name, at=error.start + 1) from None


def record(words: list[str], outside: Outside, language: Language) -> None:
    """A kept table's match as a record."""
    parser = Parser("record", description="Print a saved game as a record, to share it or keep it on paper.")
    parser.add_argument("number", metavar="N", help="the number of the game; pubdice games lists them")
    number = number_of(parser.parse_args(words).number)
    outside.line.put(load(outside.store, number, outside.games).record())


def perft(words: list[str], outside: Outside, language: Language) -> None:
    """Count positions, rolls and actions, ply by ply."""
    parser = Parser(
        "perft",
        description="Count the positions of one round, ply by ply, with the rolls and actions possible in them.\n"
        "A ply is a roll or an action. Counts grow fast: each ply takes longer than all before it.",
    )
    parser.add_argument("game", metavar="GAME", help=" or ".join(outside.games))
    parser.add_argument("--seats", metavar="N", help="how many play (the fewest the game allows)")
    parser.add_argument("--depth", metavar="N", default="4", help="how many plies (4)")
    add_option_flags(parser, outside.games)
    parser.add_argument("--json", action="store_true", help="print the plies as JSON")
    chosen = parser.parse_args(words)
    kit = kit_named(chosen.game, outside.games)
    game = kit.build({o.key: o.choices[0] for o in kit.options})
    least = game.least_seats
    seats = read_number("seats", str(least) if chosen.seats is None else chosen.seats, least, game.most_seats)
    fields = {"game": kit.name, "seats": ", ".join(read_seats(str(seats), kit)[0])}
    match = kit.match(kit.normalize(RawHeader(fields | chosen_options(chosen, kit, outside.games))))
    depth = read_number("depth", chosen.depth, 0, DEEPEST)
    plies = count_plies(match.game, match.seats, depth)
    if chosen.json:
        outside.line.put(json.dumps([asdict(ply) for ply in plies]) + "\n")
        return
    text = "ply {ply}: {positions} positions, {chance} chance, {decision} decision, {terminal} over; "
    text += "{rolls} rolls, {actions} actions"
    outside.line.say(language.say(text, ply=at, **asdict(ply)) for at, ply in enumerate(plies))
