"""What ``kept`` reads, worked out: a game's turn, all best replies, and what the standings of two seats are worth.

Without numpy, so that the bytes are the same on every machine: each sum is rounded once (``turn_nodes.dot``).
"""

from collections.abc import Iterable, Sequence
from typing import Any

from pubdice.core.turn_game import TurnGame
from pubdice.match.formats import Format
from pubdice.match.match import Match
from pubdice.solve.bare.kept import sealed, standings_name, turn_told
from pubdice.solve.bare.replies import BareReplies, lines_told
from pubdice.solve.bare.turn_match import EQUAL, HANGING
from pubdice.solve.bare.turn_standings import TwoSeatStandings
from pubdice.solve.bare.two_turns import Pair
from pubdice.solve.kept_files import file_name
from pubdice.solve.turns.bare_turn import BareTurn, enumerated_turn

SHARES: tuple[Pair, ...] = (EQUAL, (1.0, 0.0), (0.0, 1.0))
"""Who gets a pot that hangs too long: both, and for the bound either."""


def ready_made(game: TurnGame, formats: Iterable[Format]) -> tuple[str, bytes]:
    """The file of a game: its name and its bytes. formats: those whose standings are kept, of an ante of one."""
    found = enumerated_turn(game)
    replies = BareReplies(BareTurn(game, found))
    replies.complete()
    standings = {}
    for form in formats:
        for opener in form.openers:
            match = Match(game, 2, form, opener)
            for shares in SHARES if form.stake else (EQUAL,):
                standings[standings_name(match, shares)] = _values(match, replies, shares)
    data = {"game": repr(game), "turn": turn_told(found), "lines": lines_told(replies.known), "standings": standings}
    return file_name(game), sealed(data)


def _values(match: Match[Any, Any], replies: BareReplies, shares: Pair) -> Sequence[Sequence[float]]:
    worth = TwoSeatStandings(match, replies, HANGING, shares)
    worth.start(match.start())
    return [
        [*standing, *value]
        for standing, value in sorted(worth.known.items())
        if shares == EQUAL or not standing[1]  # the bound asks for those at the start alone
    ]
