"""A record checked and told again: in sentences, or as data for programs."""

import json
from collections.abc import Mapping

from pubdice.game import BadNotation, IllegalAction
from pubdice.kit import Kit
from pubdice.narrate import Narrator
from pubdice.notation import Record, parse
from pubdice.record import replay
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


def retell(text: str, games: Mapping[str, Kit], line: Line, language: Language, *, as_json: bool) -> None:
    """Check a whole record, then tell it. Raises FaultError, before anything is told."""
    try:
        record = parse(text)
        kit = kit_of(record, games)
        header = kit.settle(record.header)
        match = kit.match(header)
    except BadNotation as error:
        raise FaultError(explain(language, error), BAD_NOTATION) from None
    try:
        steps = list(replay(match, record))
    except BadNotation as error:
        raise FaultError(explain(language, error), BAD_NOTATION) from None
    except IllegalAction as error:
        raise FaultError(explain(language, error, kit, match.game), ILLEGAL_ACTION) from None
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
