"""Reading of a record (a match as text) with every move checked against the rules.

The terminal, the library and the tools read records here. The games are an argument of each function.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from pubdice.core.errors import BadNotation, IllegalAction, NotStored
from pubdice.failures import explain
from pubdice.kit import Kit
from pubdice.match.header import Header, RawHeader
from pubdice.match.match import Match, MatchState
from pubdice.match.notation import parse_body, parse_header
from pubdice.match.record import ReplayStep, Written, replay_written
from pubdice.text.language import Language, shorten


@dataclass(frozen=True, slots=True)
class Checked:
    """A record without errors: the kit of its game, its header with all defaults, the match, and every step (a move
    with the states before and after it).
    """

    kit: Kit
    header: Header
    match: Match[Any, Any]
    steps: tuple[ReplayStep[MatchState[Any]], ...]
    written: tuple[Written, ...] = ()
    """If choices were taken back, all that the record has: the moves taken back too, and each taking back."""

    @property
    def is_over(self) -> bool:
        """True if the record's last move ends the match."""
        return bool(self.steps) and self.steps[-1].after.over


def installed(games: Mapping[str, Kit], name: str, table: int = 0) -> Kit:
    """Return the kit of the game that a stored log names.

    Raises NotStored("game-gone") if the game is not installed. The log stays as it is, because the game's package may
    be installed again.
    """
    if name not in games:
        raise NotStored("game-gone", game=shorten(name), table=table)
    return games[name]


def kit_of(header: RawHeader, games: Mapping[str, Kit]) -> Kit:
    """Return the kit of the game that a record's header names. Raises BadNotation("record-game-gone") if it is not
    installed.
    """
    name = header.fields["game"]
    if name.lower() not in games:
        raise BadNotation("record-game-gone", header.places["game"], found=name, games=tuple(games))
    return games[name.lower()]


def read_checked(text: str, games: Mapping[str, Kit], language: Language, above: int = 0) -> Checked:
    """Parse a whole record, and check every move against the rules.

    ``above`` is the number of lines before the record in its file. Raises BadNotation or IllegalAction, with the place
    of the fault and with a sentence in ``language``.
    """
    kit = match = None
    try:
        given, body = parse_header(text, above)
        kit = kit_of(given, games)
        header = kit.normalize(given)  # before the body is parsed, because the header names the faces of the dice
        if "faces" in header.fields and "faces" not in given.fields:
            raise BadNotation("faces-line", given.places["game"], faces=header.fields["faces"])
        match, record = kit.match(header), parse_body(given, body)
        try:
            return Checked(kit, header, match, *replay_written(match, record))
        except IllegalAction as error:
            if error.code != "turn" or match.opener != "loser":
                raise
            # Records older than ``Match.loser_lost`` were played by this rule.
            before = replace(match, loser_lost=False)
            with suppress(BadNotation, IllegalAction):
                return Checked(kit, header, before, *replay_written(before, record))
            raise
    except (BadNotation, IllegalAction) as error:
        error.sentence = explain(language, error, kit.words if kit else None, match.game if match else None)
        raise
