"""A record checked and told again: in sentences, or as data for programs."""

import json
from collections.abc import Mapping, Sequence

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


def retell(texts: Sequence[str], games: Mapping[str, Kit], line: Console, language: Language, *, as_json: bool) -> None:
    """Check whole records, then tell each. Raises FaultError, before anything is told."""
    records = [sound(text, games, language) for text in texts]
    if as_json:
        found = [summary(checked.header, checked.match, checked.steps) for checked in records]
        line.put(json.dumps(found if len(found) > 1 else found[0], ensure_ascii=False) + "\n")
        return
    for number, checked in enumerate(records, 1):
        line.say(heading(language, number, len(records)))
        _retell(checked, line, language)


def heading(language: Language, number: int, of: int) -> list[str]:
    """What stands before a record of several."""
    return [language.say("Record {number} of {of}.", number=number, of=of)] if of > 1 else []


def _retell(checked: Checked, line: Console, language: Language) -> None:
    kit, header, match, steps = checked.kit, checked.header, checked.match, checked.steps
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
