"""A match that reviews, receipts and losses are held to: Ann keeps what is best and wins, Bob makes one mistake."""

from play import KITS
from pubdice.advice.coach import Coach
from pubdice.checked_record import Checked, read_checked
from pubdice.text.language import Language

WON = """pubdice 1
game: midnight
seats: Ann, Bob
format: rounds 1

round 1
Ann: 466616 k146666
Bob: 344512 k5 14666 k1 4666 k4 111 k111
"""


def coached(text: str, language: Language | None = None) -> tuple[Checked, Coach]:
    """The match of a record, and its coach."""
    checked = read_checked(text, KITS, language or Language())
    assert checked.kit.solver is not None
    return checked, Coach(checked.kit.solver(checked.match), checked.match)
