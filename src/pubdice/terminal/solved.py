"""``odds``, ``advise``, ``price`` and ``card``: questions to the solved games, with the flags each game asks for."""

import json
from collections.abc import Callable

from pubdice.core.errors import BadNotation, Unsolved
from pubdice.failures import BAD_NOTATION
from pubdice.kit import Kit, Question
from pubdice.terminal.arguments import Once, Outside, Parser, kit_named
from pubdice.terminal.coaching import too_much
from pubdice.terminal.error_text import FaultError, explain
from pubdice.text.language import Language

DESCRIPTIONS = {
    "odds": "Each player's chances if everybody plays perfectly, exact to the bound that --json prints.",
    "advise": "What every keep of a position is worth, best first, and how much each loses against the best.",
    "price": "What each house rule does for the player who goes first, changed one at a time, under perfect play.",
    "card": "Best play on a card: what each line costs you if you ignore it, and what the whole card gives away.",
}


def question(name: str) -> Callable[[list[str], Outside, Language], None]:
    """The command that asks this question of a game."""

    def command(words: list[str], outside: Outside, language: Language) -> None:
        _ask(name, words, outside, language)

    return command


def _of(kit: Kit, name: str) -> Question | None:
    found: Question | None = getattr(kit, name, None)
    return found


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
    asked = {kit.name: found for kit in games.values() if (found := _of(kit, name)) is not None}
    if not words or words[0].startswith("-"):
        parser = Parser(name, description=DESCRIPTIONS[name], epilog=f"pubdice {name} GAME --help lists the flags.")
        parser.add_argument("game", metavar="GAME", help=" or ".join(asked))
        parser.parse_args(words)
    kit = kit_named(words[0], games)
    if kit.name not in asked:
        raise BadNotation("unsolved", title=kit.words.title)
    found = asked[kit.name]
    parser = Parser(f"{name} {kit.name}", description=DESCRIPTIONS[name])
    for flag in found.flags:
        if flag.value:
            parser.add_argument(f"--{flag.name}", metavar=flag.value, help=flag.meaning, action=Once)
        else:
            parser.add_argument(f"--{flag.name}", action="store_const", const="", help=flag.meaning)
    parser.add_argument("--json", action="store_true", help="print the answer as JSON")
    chosen = vars(parser.parse_args(_joined(words[1:], found)))
    given = {flag.name: text for flag in found.flags if (text := chosen[flag.name.replace("-", "_")]) is not None}
    try:
        data = found.answer(given)
    except (Unsolved, BadNotation) as error:
        raise FaultError(explain(language, error, kit.words), BAD_NOTATION) from None
    except MemoryError:
        raise too_much(language) from None
    if chosen["json"]:
        outside.line.put(json.dumps(data, ensure_ascii=False) + "\n")
    else:
        outside.line.say(found.tell(language, data))
