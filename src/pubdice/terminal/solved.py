"""``odds``, ``advise``, ``price`` and ``card``: questions to the solved games, with the flags each game asks for."""

import argparse
import json
from collections.abc import Callable
from typing import Any

from pubdice.advice.questions import question as question_of
from pubdice.advice.ranking import as_data
from pubdice.core.errors import BadNotation, Unsolved
from pubdice.failures import exit_status
from pubdice.kit import Kit, Question
from pubdice.match.match import MatchState
from pubdice.terminal.arguments import Once, Outside, Parser, kit_named
from pubdice.terminal.coaching import Counsel, too_much, working
from pubdice.terminal.reading import sound, text_of
from pubdice.terminal.sentences import FaultError, explain
from pubdice.text.language import Language

DESCRIPTIONS = {
    "odds": "Each player's chances if everybody plays perfectly, exact to the bound that --json prints.",
    "advise": "What every choice of a position is worth, best first, and how much each loses against the best.",
    "price": "What each house rule does for the player who goes first, changed one at a time, under perfect play.",
    "card": "Best play on a card: what each line costs you if you ignore it, and what the whole card gives away.",
}
RECORD = "a record that ends where somebody has to choose: a file, the number of a saved game, or - for standard input"


def question(name: str) -> Callable[[list[str], Outside, Language], None]:
    """The command that asks this question of a game."""

    def command(words: list[str], outside: Outside, language: Language) -> None:
        _ask(name, words, outside, language)

    return command


def _joined(words: list[str], asked: Question) -> list[str]:
    """Flags joined to their values, so that a value may begin with a dash, as in ``--hands -,6551``."""
    valued = {f"--{flag.name}" for flag in asked.flags if flag.value}
    joined: list[str] = []
    for word in words:
        if joined and joined[-1] in valued and not word.startswith("--"):
            joined[-1] += f"={word}"
        else:
            joined.append(word)
    return joined


def _ask(name: str, words: list[str], outside: Outside, language: Language) -> None:
    games = outside.games
    if not words or words[0].startswith("-"):
        asked = [kit.name for kit in games.values() if question_of(kit, name) is not None]
        parser = Parser(name, description=DESCRIPTIONS[name], epilog=f"pubdice {name} GAME --help lists the flags.")
        parser.add_argument("game", metavar="GAME", help=" or ".join(asked))
        parser.parse_args(words)
    kit = kit_named(words[0], games)
    found = question_of(kit, name)
    if found is None:
        raise BadNotation("unsolved" if kit.solver is None else "no-card", title=kit.words.title)
    parser = Parser(f"{name} {kit.name}", description=DESCRIPTIONS[name])
    if name == "advise":
        parser.add_argument("file", nargs="?", metavar="RECORD", help=RECORD)
    for flag in found.flags:
        if flag.value:
            parser.add_argument(f"--{flag.name}", metavar=flag.value, help=flag.meaning, action=Once)
        else:
            parser.add_argument(f"--{flag.name}", action="store_const", const="", help=flag.meaning)
    parser.add_argument("--json", action="store_true", help="print the answer as JSON")
    chosen = parser.parse_args(_joined(words[1:], found))
    flags = vars(chosen)
    given = {flag.name: text for flag in found.flags if (text := flags[flag.name.replace("-", "_")]) is not None}
    if name == "advise" and chosen.file is not None:
        _advise_record(kit, chosen, given, outside, language)
        return
    try:
        position = found.position(given) if found.position is not None else None
        if position is not None:
            counsel = Counsel(kit, position.match, language, None if chosen.json else outside.line)
            _speak(counsel, position.state, outside, as_json=chosen.json)
            return
        with working(language, None if chosen.json else outside.line):
            data = found.answer(given)
    except (Unsolved, BadNotation) as error:
        raise FaultError(explain(language, error, kit.words), exit_status(error)) from None
    except MemoryError:
        raise too_much(language) from None
    if chosen.json:
        outside.line.put(json.dumps(data, ensure_ascii=False) + "\n")
    else:
        outside.line.say(found.tell(language, data))


def _advise_record(
    kit: Kit, chosen: argparse.Namespace, given: dict[str, str], outside: Outside, language: Language
) -> None:
    """Advice at the end of a record. Raises BadNotation or FaultError."""
    if given:
        raise BadNotation("advise-flag", flag=next(iter(given)))
    checked = sound(text_of(chosen.file, outside), outside.games, language)
    if checked.kit.name != kit.name:
        raise BadNotation("record-game", other=checked.kit.words.title, title=kit.words.title)
    match = checked.match
    state = checked.steps[-1].after if checked.steps else match.start()
    if not match.legal(state):
        raise BadNotation("no-decision")
    _speak(Counsel(kit, match, language, None if chosen.json else outside.line), state, outside, as_json=chosen.json)


def _speak(counsel: Counsel, state: MatchState[Any], outside: Outside, *, as_json: bool) -> None:
    """Advice at a decision of a match. Raises FaultError."""
    advice = counsel.advise(state)
    if as_json:
        data = as_data(counsel.match.game, counsel.coach, advice)
        outside.line.put(json.dumps(data, ensure_ascii=False) + "\n")
    else:
        outside.line.say(counsel.advice(state, others=len(advice.choices)))
