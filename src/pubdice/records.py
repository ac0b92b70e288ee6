"""A record read whole: checked against the rules, with all that follows from it. Handed the games, knows none.

Every reader of records begins here: the terminal, the library, tools.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from pubdice.core.errors import BadNotation, IllegalAction
from pubdice.failures import explain
from pubdice.kit import Kit
from pubdice.match.match import Match, MatchState
from pubdice.match.notation import Header, Record, parse
from pubdice.match.record import ReplayStep, replay
from pubdice.text.language import Language


@dataclass(frozen=True, slots=True)
class Checked:
    """A record that is sound: the kit of its game, its header in full, the match, and every step of it."""

    kit: Kit
    header: Header
    match: Match[Any, Any]
    steps: tuple[ReplayStep[MatchState[Any]], ...]


def kit_of(record: Record, games: Mapping[str, Kit]) -> Kit:
    """The kit of the game a record names. Raises BadNotation("game")."""
    name = record.header.fields["game"]
    if name.lower() not in games:
        raise BadNotation("game", record.header.places["game"], found=name, games=tuple(games))
    return games[name.lower()]


def read_checked(text: str, games: Mapping[str, Kit], language: Language) -> Checked:
    """A whole record, checked. Raises BadNotation or IllegalAction, with the place, and told in the language."""
    kit = match = None
    try:
        record = parse(text)
        kit = kit_of(record, games)
        header = kit.normalize(record.header)
        match = kit.match(header)
        try:
            return Checked(kit, header, match, tuple(replay(match, record)))
        except IllegalAction as error:
            if error.code != "turn" or match.opener != "loser":
                raise
            before = replace(match, loser_lost=False)  # a record of before ``Match.loser_lost`` was so
            with suppress(BadNotation, IllegalAction):
                return Checked(kit, header, before, tuple(replay(before, record)))
            raise
    except (BadNotation, IllegalAction) as error:
        error.told = explain(language, error, kit.words if kit else None, match.game if match else None)
        raise
