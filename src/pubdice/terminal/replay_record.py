"""A record checked and told again: in sentences, or as data for programs."""

import json
from collections.abc import Mapping

from pubdice.core.errors import BadNotation, IllegalAction
from pubdice.failures import exit_status
from pubdice.kit import Kit
from pubdice.match.narrate import Narrator
from pubdice.match.summary import summary
from pubdice.records import Checked, read_checked
from pubdice.terminal.console import Console
from pubdice.terminal.error_text import FaultError
from pubdice.text.language import Language


def sound(text: str, games: Mapping[str, Kit], language: Language) -> Checked:
    """A whole record, checked. Raises FaultError."""
    try:
        return read_checked(text, games, language)
    except (BadNotation, IllegalAction) as error:
        raise FaultError(error.told, exit_status(error)) from None


def retell(text: str, games: Mapping[str, Kit], line: Console, language: Language, *, as_json: bool) -> None:
    """Check a whole record, then tell it. Raises FaultError, before anything is told."""
    checked = sound(text, games, language)
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
