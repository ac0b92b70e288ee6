"""The command ``pubdice move-house``: parse the two places of a house and move it."""

from collections.abc import Sequence

from pubdice.annexes import CommandContext
from pubdice.command_line import FaultError, Parser, complain
from pubdice.core.errors import NotStored
from pubdice.failures import exit_status
from pubdice.games import INSTALLED
from pubdice.server.stores import read_place
from pubdice.server.teller import Teller, trouble
from pubdice.text.language import Language
from pubdice_cluster.move_house import move_house

REFUSED = {
    "place-taken": "There's a house in {file} already. Name an empty place.",
    "house-open": "A house serves {file}. Stop it first. While people play, pubdice backup copies a house.",
    "unsound": "Nothing was moved. Add --damaged to move these logs as they are.",
}
"""The sentences for refusals of a move, by the code of NotStored. ``trouble`` (in ``teller``) has the sentences for all
other codes."""


def run(words: Sequence[str], context: CommandContext) -> int:
    """Move a house and return the exit status."""
    tongue = context.language.own["pubdice_cluster"]
    for game in INSTALLED.left_out:
        complain(context.err, f"pubdice: {game.sentence}\n")
    try:
        options = _parser(tongue).parse_args(list(words[1:]))
        source, target = read_place(options.source), read_place(options.target)
        return move_house(source, target, context.games, Teller(tongue, context.out), damaged=options.damaged)
    except FaultError as fault:
        complain(context.err, f"pubdice {words[0]}: {fault}\n")
        return fault.status
    except NotStored as error:
        said = tongue.say(REFUSED[error.code], **error.facts) if error.code in REFUSED else trouble(tongue, error)
        complain(context.err, f"pubdice {words[0]}: {said}\n")
        return exit_status(error)


def parsers(context: CommandContext) -> dict[str, Parser]:
    """Return the parser of ``move-house``, by the command's name."""
    return {"move-house": _parser(context.language.own["pubdice_cluster"])}


def _parser(tongue: Language) -> Parser:
    moves = Parser("move-house", tongue)
    moves.describe(
        "Copies a house, compares every row of the copy and replays every log, before anything counts. FROM and TO are"
        " a file, or a database of PostgreSQL: postgresql://USER:PASSWORD@HOST/NAME. TO must be empty."
    )
    moves.take("source", "FROM", "the house to copy (stop it first)")
    moves.take("target", "TO", "the place of the copy")
    moves.switch("--damaged", "also copy logs that can't be replayed, as they are")
    return moves
