"""Sentences for an operator: about findings, and about a house that can't be read or written."""

from dataclasses import dataclass
from typing import TextIO

from pubdice.core.errors import NotStored
from pubdice.server.backups import REFUSED_FILES
from pubdice.server.web.refusals import REFUSED
from pubdice.text.language import Language, Sentence, localized_facts

TROUBLE: dict[str, Sentence] = {
    "store-in-use": "Another pubdice has {file} open already.",
    "store-newer": "{file} was written by a newer pubdice. This one leaves it alone.",
    "store-unwritable": "Couldn't write {file} ({reason}).",
    "store-unreadable": "Couldn't read tables from {file} ({reason}).",
    "backup-exists": "{file} already exists. A backup never overwrites a file.",
    "secret-file": "{file} is needed to seal dice, and can't be used ({reason}). Put it back, or move it away.",
    "game-gone": "its game, {game}, is not installed here, so it was not replayed. It is kept as it is.",
    "log-impossible": "event {event} of its log cannot have happened.",
    **REFUSED_FILES,
    "no-driver": "To use PostgreSQL install pubdice[cluster].",
    "bad-address": "That's no address of a database. Write postgresql://USER:PASSWORD@HOST/NAME, and in a password %40 "
    "for @, %2F for / and %25 for %.",
    "no-such-host": "There's no such host: {file}.",
    "store-unreachable": "{file} doesn't answer ({reason}).",
    "wrong-password": "{file} refuses that user or that password.",
    "no-database": "There's no such database: {file}. Make it first, with createdb.",
    "no-rights": "That user may not do that in {file}. Make the user the owner of the database.",
    "store-foreign": "{file} holds tables of another program. Make a database for Pubdice alone.",
    "database-full": "There's no room left for {file}.",
    "no-house": "There's no house in {file}.",
    "copy-differs": 'The copy in {file} differs from the house in "{name}", so it doesn\'t count.',
    "copy-odd": 'A row of "{name}" holds what no house writes. Nothing was copied.',
    "other-house": "{file} and {other} are not copies of one house.",
    "store-broken": "{command} is broken ({why}).",
    "no-home": "There's no home folder to keep the tables in. Name a file with --data.",
    "restore-file": "restore writes to a file, not to {file}: name one with --data, and pubdice move-house copies it "
    "there.",
}
"""The reason why a place is not read or written, by code of NotStored. A place may raise any of them."""
UNKNOWN = "store-unreadable"
"""The code whose sentence is used for an unknown code. A package may raise codes of its own."""


def trouble(tongue: Language, error: NotStored) -> str:
    """Return the reason of a store's error, for the operator."""
    sentence = TROUBLE.get(error.code) or REFUSED.get(error.code)
    facts = {"file": "", "reason": "" if sentence else error.code, **error.facts}
    return tongue.tell(sentence or TROUBLE[UNKNOWN], localized_facts(facts, tongue))


@dataclass(frozen=True, slots=True)
class Teller:
    """The output of a command, in its language."""

    tongue: Language
    out: TextIO

    def say(self, line: str) -> None:
        """Write a line."""
        self.out.write(line + "\n")

    def unsound(self, table: int, error: NotStored) -> str:
        """Return the sentence with the reason why a table's log can't be replayed."""
        return self.tongue.say("Table {table}: {why}", table=table, why=trouble(self.tongue, error))

    def more(self, number: int) -> str:
        """Return a sentence with the number of tables that got no line of their own."""
        return self.tongue.count("And one more table.", "And {number} more tables.", number)
