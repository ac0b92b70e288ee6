"""Commands that only read: games, rules, replay, record, perft and review."""

import json
import os
import sys
from argparse import Namespace
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from errno import ENOENT
from functools import partial
from pathlib import Path

from pubdice.advice.analysis import Analysis, analyse
from pubdice.advice.receipt import tell_decisions
from pubdice.checked_record import Checked, read_checked
from pubdice.command_line import FaultError, chosen_options, kit_named, mistyped
from pubdice.core.errors import BadNotation, IllegalAction
from pubdice.failures import exit_status
from pubdice.kit import Answer, Kit, read_number
from pubdice.match.header import RawHeader
from pubdice.match.narrate import Narrator, summary
from pubdice.match.notation import decoded, parts
from pubdice.solve.finite.enumerated import perft as count_plies
from pubdice.terminal.arguments import Environment, number_of
from pubdice.terminal.console import Console
from pubdice.terminal.saved_games import listed, load
from pubdice.terminal.stepping import step_through
from pubdice.terminal.table_coach import TableCoach, worked_out, working
from pubdice.terminal.typed_seats import read_seats
from pubdice.text.language import Language
from pubdice.text.markdown import plain_lines


def sound(text: str, games: Mapping[str, Kit], language: Language, above: int = 0) -> Checked:
    """Read a whole record and check it against the rules. Raises FaultError.

    ``above`` is the number of lines before the record in its file.
    """
    try:
        return read_checked(text, games, language, above)
    except (BadNotation, IllegalAction) as error:
        raise FaultError(error.sentence, exit_status(error)) from None


def retell(
    texts: Sequence[tuple[str, int]], games: Mapping[str, Kit], line: Console, language: Language, *, as_json: bool
) -> None:
    """Check all records, and then tell each match again in sentences. Raises FaultError before it tells any.

    ``texts`` has each record with the number of lines before it.
    """
    records = [sound(text, games, language, above) for text, above in texts]
    if as_json:
        found = [summary(checked.header, checked.match, checked.steps) for checked in records]
        line.put(json.dumps(found if len(found) > 1 else found[0]) + "\n")
        return
    for number, checked in enumerate(records, 1):
        line.say(heading(language, number, len(records)))
        _retell(checked, line, language)


def heading(language: Language, number: int, of: int) -> list[str]:
    """Return the heading of a record if there are several records, otherwise nothing."""
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


def tell(answer: Answer, outside: Environment, language: Language, *, as_json: bool) -> None:
    """Write an answer as sentences or as JSON."""
    if as_json:
        outside.line.put(json.dumps(answer.data()) + "\n")
    else:
        outside.line.say(answer.sentences(language))


DEEPEST = 100
MOST_READ = 4_000_000
"""The most bytes that are read as records. An evening of a thousand rounds has about 300,000."""


def games(chosen: Namespace, outside: Environment, language: Language) -> None:
    """Print a line for each saved game."""
    rows = list(listed(outside.store, outside.games, language))
    for row in rows or [language.say("No game is saved here yet.")]:
        outside.line.say([row])


def rules(chosen: Namespace, outside: Environment, language: Language) -> None:
    """Print a game's page of rules. Without a game, list the games."""
    name = chosen.game
    if name is not None:
        outside.line.say(plain_lines(kit_named(name, outside.games, language).page(language.code)))
        return
    width = max(map(len, outside.games))
    for name, kit in outside.games.items():
        title, tagline = (kit.tongue(language).say(text) for text in (kit.words.title, kit.words.tagline))
        outside.line.say([f"{name:<{width}}  {title}: {tagline}."])
    outside.line.say([language.say("pubdice rules GAME explains one in a minute.")])


def replay(chosen: Namespace, outside: Environment, language: Language) -> None:
    """Check a record or a saved game, and tell the match again."""
    records = records_in(text_of(chosen.file, outside))
    retell(records, outside.games, outside.line, language, as_json=chosen.json)


def records_in(text: str) -> list[tuple[str, int]]:
    """Split a text into records, each with the number of lines before it. So an error can name the line in the file."""
    found, before = [], 0
    for part in parts(text):
        found.append((part, before))
        before += part.count("\n")
    return found


def text_of(name: str, outside: Environment) -> str:
    """Return the text of a record, from a file, a saved game by its number, or standard input (-). Raises
    BadNotation.
    """
    path = Path(name)
    try:
        if name == "-":
            data = sys.stdin.buffer.read(MOST_READ + 1)
        elif not path.exists() and name.isascii() and name.isdigit():
            return load(outside.store, number_of(name), outside.games).record()
        else:
            with path.open("rb") as file:
                data = file.read(MOST_READ + 1)
    except (OSError, ValueError) as error:
        raise BadNotation("file", found=name, reason=getattr(error, "strerror", None) or os.strerror(ENOENT)) from None
    if len(data) > MOST_READ:
        raise BadNotation("file-large", found=name, most=MOST_READ // 1_000_000)
    return decoded(data, name)


def record(chosen: Namespace, outside: Environment, language: Language) -> None:
    """Print a saved game as a record."""
    number = number_of(chosen.number)
    outside.line.put(load(outside.store, number, outside.games).record())


def perft(chosen: Namespace, outside: Environment, language: Language) -> None:
    """Print the number of positions, rolls and actions, ply by ply. A ply is a roll or an action."""
    kit = kit_named(chosen.game, outside.games, language)
    game = kit.build({o.key: o.choices[0] for o in kit.options})
    least = game.least_seats
    seats = read_number("seats", str(least) if chosen.seats is None else chosen.seats, least, game.most_seats)
    fields = {"game": kit.name, "seats": ", ".join(read_seats(str(seats), kit)[0])}
    match = kit.match(kit.normalize(RawHeader(fields | chosen_options(chosen, kit, outside.games, language))))
    depth = read_number("depth", chosen.depth, 0, DEEPEST)
    with working(language, outside.line):
        plies = count_plies(match.game, match.seats, depth)
    if chosen.json:
        outside.line.put(json.dumps([asdict(ply) for ply in plies]) + "\n")
        return
    text = (
        "ply {ply}: {positions} positions, {chance} chance, {decision} decision, {terminal} over, {rolls} rolls, "
        "{actions} actions"
    )
    outside.line.say(language.say(text, ply=at, **asdict(ply)) for at, ply in enumerate(plies))


def review(chosen: Namespace, outside: Environment, language: Language) -> None:
    """Print the review of a record or a saved game, or tell its choices one by one."""
    if chosen.json and chosen.steps:
        raise mistyped("pubdice review", language.say("Name --json or --steps, not both"), language)
    texts = records_in(text_of(chosen.file, outside))
    records = [sound(text, outside.games, language, above) for text, above in texts]
    told = []
    for number, checked in enumerate(records, 1):
        counsel = TableCoach(checked.kit, checked.match, language, outside.line)
        found = analysed(checked, counsel)
        if chosen.json:
            told.append(found.data())
        elif chosen.steps:
            outside.line.say(heading(language, number, len(records)))
            step_through(tell_decisions(found, language), outside.line, language)
        else:
            outside.line.say([*heading(language, number, len(records)), *found.sentences(language)])
    if chosen.json:
        outside.line.put(json.dumps(told if len(told) > 1 else told[0]) + "\n")


def analysed(checked: Checked, counsel: TableCoach) -> Analysis:
    """Return the analysis of a record's match. Raises FaultError."""
    coach = counsel.coach
    return worked_out(checked.kit, counsel.language, counsel.line, partial(analyse, checked, coach))
