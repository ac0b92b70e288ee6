"""A record checked and told again: in sentences, or as data for programs."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pubdice.game import BadNotation, IllegalAction
from pubdice.kit import Kit
from pubdice.match import Match, MatchState
from pubdice.narrate import Narrator
from pubdice.notation import Header, Record, parse
from pubdice.record import Step, replay
from pubdice.summary import summary
from pubdice.terminal.faults import BAD_NOTATION, ILLEGAL_ACTION, FaultError, explain
from pubdice.terminal.line import Line
from pubdice.words import Language


def kit_of(record: Record, games: Mapping[str, Kit]) -> Kit:
    """The kit of the game a record names. Raises BadNotation."""
    name = record.header.fields["game"]
    if name.lower() not in games:
        raise BadNotation("game", record.header.places["game"], found=name, games=tuple(games))
    return games[name.lower()]


@dataclass(frozen=True, slots=True)
class Checked:
    """A record that is sound, with all that follows from it."""

    kit: Kit
    header: Header
    match: Match[Any, Any]
    steps: tuple[Step[MatchState[Any]], ...]


def read_checked(text: str, games: Mapping[str, Kit], language: Language) -> Checked:
    """A whole record, checked. Raises FaultError."""
    try:
        record = parse(text)
        kit = kit_of(record, games)
        header = kit.settle(record.header)
        match = kit.match(header)
    except BadNotation as error:
        raise FaultError(explain(language, error), BAD_NOTATION) from None
    try:
        return Checked(kit, header, match, tuple(replay(match, record)))
    except BadNotation as error:
        raise FaultError(explain(language, error), BAD_NOTATION) from None
    except IllegalAction as error:
        raise FaultError(explain(language, error, kit, match.game), ILLEGAL_ACTION) from None


def retell(text: str, games: Mapping[str, Kit], line: Line, language: Language, *, as_json: bool) -> None:
    """Check a whole record, then tell it. Raises FaultError, before anything is told."""
    checked = read_checked(text, games, language)
    kit, header, match, steps = checked.kit, checked.header, checked.match, checked.steps
    if as_json:
        line.put(json.dumps(summary(header, match, steps), ensure_ascii=False) + "\n")
        return
    narrator = Narrator(language, kit.words, match, header.names)
    line.say([narrator.opening()])
    state = match.start()
    if not match.to_draw(state):
        line.say([narrator.round_opens(state)])
    for step in steps:
        line.say(narrator.tell(step.before, step.move, step.after))
        state = step.after
    if not state.over:
        line.say(
            [" ".join([language.say("Here the record ends, before the match does."), *narrator.standing(state.tally)])]
        )
