"""Sections of the page of strategy whose every figure is the answer to a command: Ship, Threes and Mexico.

Each section ends with its commands; the ones that differ in a house rule alone stand there once.
"""

from functools import cache
from typing import Any

from pubdice.advice.card_shares import share_against_best_play
from pubdice.advice.claim import per_cent
from pubdice.advice.questions.asked_match import asked_options
from pubdice.advice.questions.house_questions import question
from pubdice.games import GAMES
from pubdice.solve.numerics import NOTHING
from pubdice.text.language import Language


def _given(words: list[str]) -> dict[str, str]:
    """Flags with their values, by name."""
    return {flag.removeprefix("--"): value for flag, value in zip(words[::2], words[1::2], strict=True)}


@cache
def asked(command: str) -> dict[str, Any]:
    """What ``pubdice`` answers to a command such as ``odds ship --goal score``, as data. Raises BadNotation."""
    name, game, *words = command.split()
    found = question(GAMES[game], name)
    assert found is not None, command
    return found.answer(_given(words))


def told_card(command: str) -> list[str]:
    """The lines that ``pubdice card GAME`` prints."""
    found = question(GAMES[command.split()[1]], "card")
    assert found is not None, command
    return found.tell(Language(), asked(command))


@cache
def given_up(command: str) -> str:
    """What the card of ``card ship --cargo single`` loses of a round of two against best play, all lines followed.

    Without what each line costs, which takes as many times longer as there are lines.
    """
    _, name, *words = command.split()
    kit = GAMES[name]
    game: Any = kit.build(asked_options(kit, _given(words)))
    assert kit.card_lines is not None, command
    card = kit.card_lines(game)
    lost = 0.5 - share_against_best_play(game)(card.play(frozenset(line.name for line in card.lines)))
    return "nothing" if lost < NOTHING else per_cent(lost)


def shares(command: str) -> tuple[str, ...]:
    """Each seat's share, the opener's first, to a hundredth of a per cent."""
    return tuple(map(per_cent, asked(command)["share"]))


FigureRow = tuple[str, ...]
CARGOES = {"together": "both together", "single": "one by one", "stays": "not rolled again"}
MOONS = {"no": "score 30", "yes": "win at once", "first": "win at once on the first roll"}
HOLDS = {"none": "both dice rolled", "1,2": "a 1 or a 2 may stay"}


def ship() -> list[FigureRow]:
    """By what happens to cargo: the best mean, each share of a round of two, what the card loses."""
    rows: list[FigureRow] = [("cargo dice", "best mean cargo", "first to roll", "second", "the card loses")]
    for cargo, name in CARGOES.items():
        mean = asked(f"odds ship --goal score --cargo {cargo}")["value"]
        two = shares(f"odds ship --seats 2 --format rounds:1 --cargo {cargo}")
        rows.append((name, f"{mean:.4f}", *two, given_up(f"card ship --cargo {cargo}")))
    return rows


def threes() -> list[FigureRow]:
    """By what five sixes do: each share of a round of two, what the card loses."""
    rows: list[FigureRow] = [("five sixes", "first to roll", "second", "the card loses")]
    for moon, name in MOONS.items():
        two = shares(f"odds threes --seats 2 --format rounds:1 --moon {moon}")
        rows.append((name, *two, given_up(f"card threes --moon {moon}")))
    return rows


def threes_reached() -> list[FigureRow]:
    """The best chance of a score or less, and that of play for the mean."""
    mean = asked("odds threes --goal score")["distribution"]
    return [
        ("score", "played for it", "played for the mean"),
        *(
            (
                f"{score} or less" if score else "0",
                per_cent(asked(f"odds threes --goal reach:{score}")["value"]),
                per_cent(sum(mean[: score + 1])),
            )
            for score in (0, 1, 2, 3, 4, 6)
        ),
    ]


def mexico() -> list[FigureRow]:
    """By the house rule: the first seat's share of four matches of two, what the card loses."""
    rows: list[FigureRow] = [("", "one round", "1 life", "2 lives", "3 lives", "the card loses")]
    for hold, name in HOLDS.items():
        forms = ("rounds:1", "lives:1", "lives:2", "lives:3")
        first = (shares(f"odds mexico --seats 2 --format {form} --hold {hold}")[0] for form in forms)
        rows.append((name, *first, given_up(f"card mexico --hold {hold}")))
    return rows
