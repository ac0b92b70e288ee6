"""Best play of a game as figures for a page: its card, what a turn comes to, chases, first rolls, house rules, claims.

Nothing is written down here: each number is the answer to a command, which the figure names. A game has those figures
that it has answers for.
"""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from pubdice.advice.coach import Coach
from pubdice.advice.daily import header_of
from pubdice.advice.losses import UTILITIES, SpokenAdvice
from pubdice.advice.questions import question, shortest
from pubdice.core.dice import Hand, rolls
from pubdice.core.turn_game import TurnGame
from pubdice.kit import Kit, lazy
from pubdice.match.match import Match, MatchState
from pubdice.match.record import Move, Rolled, advance, write
from pubdice.solve.choose import one_turn_each
from pubdice.solve.pure_python.two_turns import sealed, unsealed
from pubdice.solve.solver import Solver
from pubdice.text.answers import CHANCES, VALUES, seat_values
from pubdice.text.language import OPENERS, Language, faces, sentence
from pubdice.text.turn_words import winning_scores

SolverOfKit = Callable[[Kit, Match[Any, Any]], Solver]
"""Makes the solver of a match of a game."""
FlagValues = tuple[tuple[str, str], ...]
"""Flags with their values."""
DataOf = Callable[[Kit, str, FlagValues], Any]
"""Answers a command about a game, as data."""
LEAST_CHOICES = 2
"""A record that ends with fewer goes on by itself, and ``advise`` has nothing to say."""
laid_out = lazy("pubdice.advice.card_prices", "laid_out")
"""A card's lines with their costs. Loaded when asked for: it takes numpy, and the house's own process does without."""
MOST_OTHERS = 8
"""Rolls of others that are passed over after a first roll, until somebody has a choice."""


@dataclass(frozen=True, slots=True)
class BestPlayRow:
    """label: what the numbers belong to; short: the same under a picture. cells: the numbers as they are said.

    value: how high the picture draws it; None where it does not. mark: a second number beside it. given: what stands
    for N in the figure's command, or the record it reads; "" where one command has all rows.
    """

    label: str
    short: str
    cells: tuple[str, ...]
    value: float | None
    mark: float | None = None
    given: str = ""


@dataclass(frozen=True, slots=True)
class BestPlayFigure:
    """name: for links. lead: what is shown, in sentences. head: what stands over the columns.

    command: prints the same numbers. peak: the greatest of them, as it is said. notes: what follows.
    """

    name: str
    title: str
    lead: str
    head: tuple[str, ...]
    rows: tuple[BestPlayRow, ...]
    command: str
    peak: str = ""
    notes: tuple[str, ...] = ()


def figure_names(kit: Kit) -> tuple[str, ...]:
    """The figures that a game has, in the order of its page: quick ones first, as each is a job of its own."""
    if kit.solver is None:
        return ()
    turns = one_turn_each(kit.usual_game)
    found = {
        "spread": turns,
        "reach": turns,
        "last": turns,
        "first-rolls": True,
        "card": kit.card_lines is not None,
        "prices": True,
        "claims": kit.claims is not None,
    }
    return tuple(name for name, there in found.items() if there)


def data_of(kit: Kit, name: str, given: FlagValues) -> Any:
    """What a game answers to the command of that name, as data, or "claims": the claims about it. Raises Unsolved."""
    if name == "claims":
        assert kit.claims is not None
        return kit.claims()
    asked = question(kit, name)
    assert asked is not None, "a figure is made of what the game can be asked"
    return asked.answer(dict(given))


def figure(kit: Kit, name: str, language: Language, solve: SolverOfKit, data_of: DataOf = data_of) -> BestPlayFigure:
    """A figure of a game. data_of: answers a command, perhaps from a cache. Raises KeyError and Unsolved."""
    if name not in figure_names(kit):
        raise KeyError(name)
    if name == "first-rolls":
        return _first_rolls(kit, language, solve)
    made = {"spread": _spread, "reach": _reach, "last": _last, "card": _card, "prices": _prices, "claims": _claims}
    return made[name](kit, language, data_of)


def _turn_game(kit: Kit) -> TurnGame:
    game = kit.usual_game
    assert isinstance(game, TurnGame)
    return game


def _better_first(game: TurnGame) -> tuple[int, ...]:
    """Every score that can win, in the order of numbers."""
    return tuple(sorted(winning_scores(game)))


def _spread(kit: Kit, language: Language, data_of: DataOf) -> BestPlayFigure:
    """How often a turn comes to each score, played for the best mean."""
    game, data = _turn_game(kit), data_of(kit, "odds", (("goal", "score"),))
    scores = [score for score in (0, *_better_first(game)) if score or game.scoreless == 0 or 0 in winning_scores(game)]
    chances = data["distribution"]
    rows = tuple(
        BestPlayRow(
            kit.words.score(language, game, score), str(score), (language.per_cent(chances[score]),), chances[score]
        )
        for score in dict.fromkeys(scores)
    )
    return BestPlayFigure(
        "spread",
        language.say("What a turn comes to"),
        language.say("You play for the best mean score, which is {mean}.", mean=language.number(data["value"], 4)),
        (language.say("Score"), language.say("Chance")),
        rows,
        f"pubdice odds {kit.name} --goal score",
        language.per_cent(max(chances)),
    )


def _reach(kit: Kit, language: Language, data_of: DataOf) -> BestPlayFigure:
    """The best chance of each score or a better one, beside the chance of play for the mean."""
    game, mean = _turn_game(kit), data_of(kit, "odds", (("goal", "score"),))["distribution"]
    rows = []
    for score in _better_first(game):
        best = float(data_of(kit, "odds", (("goal", f"reach:{score}"),))["value"])
        usual = sum(mean[: score + 1] if game.lowest_wins else mean[score:])
        cells = language.per_cent(best), language.per_cent(usual)
        rows.append(BestPlayRow(kit.words.score(language, game, score), str(score), cells, best, usual, str(score)))
    text = "The best chance of a score or a better one. The line: the chance if you play for the mean score."
    return BestPlayFigure(
        "reach",
        language.say("Chasing a score"),
        language.say(text),
        (language.say("Score or better"), language.say("Played for it"), language.say("Played for the mean")),
        tuple(rows),
        f"pubdice odds {kit.name} --goal reach:N",
        _highest(language, rows),
    )


def _last(kit: Kit, language: Language, data_of: DataOf) -> BestPlayFigure:
    """The last seat's share of a round, by the score to beat."""
    game, rows = _turn_game(kit), []
    for score in _better_first(game):
        share = float(data_of(kit, "odds", (("goal", "win"), ("to-beat", str(score))))["value"])
        label = kit.words.score(language, game, score)
        rows.append(BestPlayRow(label, str(score), (language.per_cent(share),), share, given=str(score)))
    text = "You roll last, and one player has this score. A tie is half a round."
    return BestPlayFigure(
        "last",
        language.say("Rolling last"),
        language.say(text),
        (language.say("Score to beat"), language.say("Your share of the round")),
        tuple(rows),
        f"pubdice odds {kit.name} --goal win --to-beat N",
        _highest(language, rows),
    )


def _first_rolls(kit: Kit, language: Language, solve: SolverOfKit) -> BestPlayFigure:
    """What each first roll of a round of two is worth, and what is best to do with it, from the worst to the best."""
    header = header_of(kit)
    match = kit.match(header)
    coach, start = Coach(solve(kit, match), match), match.start()
    spoken = SpokenAdvice(kit.words, match, language, coach.solver)
    found: list[tuple[float, BestPlayRow]] = []
    others: Hand = ()
    for hand, _ in rolls(match.to_roll(start)):
        moves, state, between = _to_choice(match, hand)
        if len(match.legal(state)) < LEAST_CHOICES:
            continue
        others = between or others
        best = coach.advise(state).best
        cells = sentence(spoken.act(state, best)), spoken.amounts.worth(best.value)
        record = write(header, match, moves)
        found.append((best.value, BestPlayRow(faces(hand[::-1]), "", cells, best.value, given=record)))
    found.sort(key=lambda pair: pair[0])
    lead = [
        language.say("Every first roll that leaves you a choice, from the worst to the best."),
        language.say(UTILITIES[coach.solver.utility]),
    ]
    if others:
        lead.insert(1, language.say("The other player has {dice} each time.", dice=faces(others[::-1])))
    rows = tuple(row for _, row in found)
    return BestPlayFigure(
        "first-rolls",
        language.say("What your first roll is worth"),
        " ".join(lead),
        (language.say("First roll"), language.say("Best"), language.say("Worth")),
        rows,
        f"pubdice advise {kit.name} -",
        rows[-1].cells[-1] if rows else "",
    )


def _to_choice(match: Match[Any, Any], hand: Hand) -> tuple[list[Move], MatchState[Any], Hand]:
    """After a first roll, the likeliest of others until somebody has to choose: the moves, the state, the last roll."""
    moves: list[Move] = [Rolled(hand)]
    state, between = advance(match, match.start(), moves[0]), Hand()
    for _ in range(MOST_OTHERS):
        due = match.to_roll(state)
        if not due:
            break
        between = max(rolls(due), key=lambda roll: roll[1])[0]
        moves.append(Rolled(between))
        state = advance(match, state, moves[-1])
    return moves, state, between


def _card(kit: Kit, language: Language, data_of: DataOf) -> BestPlayFigure:
    """The card's lines with what each costs if it is ignored."""
    data = data_of(kit, "card", ())
    layout = laid_out(kit, language, data)
    most: dict[str, float] = {}
    for line in data["lines"]:
        most[line["utility"]] = max(most.get(line["utility"], 0.0), line["cost"])
    rows = []
    for number, item in enumerate(layout.items, 1):
        priced = data["lines"][number - 1] if number <= len(data["lines"]) else None
        value = None if priced is None else priced["cost"] / (most[priced["utility"]] or 1.0)
        rows.append(BestPlayRow(f"{number}. {item.text}", str(number), (item.cost or "–",), value))
    lead = [sentence(layout.subtitle) + "."]
    if len(most) == 1:
        lead.append(language.say("Each column: what you lose if you ignore the line."))
    elif most:
        text = "Each column: what you lose if you ignore the line, beside the dearest line of its kind."
        lead.append(language.say(text))
    dearest = max(range(len(data["lines"])), key=lambda at: float(data["lines"][at]["cost"]), default=None)
    peak = layout.items[dearest].cost.lstrip("−") if dearest is not None and len(most) == 1 else ""
    return BestPlayFigure(
        "card",
        language.say("The card"),
        " ".join(lead),
        (language.say("Line"), sentence(layout.column) if layout.column else language.say("if ignored")),
        tuple(rows),
        f"pubdice card {kit.name}",
        peak,
        layout.foot,
    )


def _prices(kit: Kit, language: Language, data_of: DataOf) -> BestPlayFigure:
    """What each house rule, format and number of players does for the player who goes first."""
    asked = question(kit, "price")
    assert asked is not None
    data = data_of(kit, "price", ())
    if "usual" in data:
        labels, lead = (
            [_rule(kit, language, row["rule"], row["choice"]) for row in data["rows"]],
            _compared(kit, language, data),
        )
        cells = [", ".join(seat_values(language, row)) for row in data["rows"]]
    else:  # prices of the game's own, which says a row in a line: what is played, and what it is worth
        lines = [line.rstrip(".").partition(": ") for line in asked.tell(language, data)]
        labels, cells = [line[0] for line in lines if line[1]], [line[2] for line in lines if line[1]]
        lead = ". ".join(line[0] for line in lines if not line[1]) + "."
    rows = []
    for number, (label, cell, row) in enumerate(zip(labels, cells, data["rows"], strict=True), 1):
        name = next(name for name in VALUES if name in row)
        rows.append(BestPlayRow(f"{number}. {label}", str(number), (cell,), row[name][0] if name in CHANCES else None))
    ruled = dict.fromkeys(row["rule"] for row in data["rows"]) if "usual" in data else ()
    notes = tuple(filter(None, [kit.price_note(rule, data["usual"], language) for rule in ruled]))
    columns = language.say("Each column: the share of the player who goes first.")
    return BestPlayFigure(
        "prices",
        language.say("What house rules do"),
        f"{lead} {columns}",
        (language.say("Rule"), language.say("In turn order, first to roll first")),
        tuple(rows),
        f"pubdice price {kit.name}",
        _highest(language, rows),
        notes=notes,
    )


def _compared(kit: Kit, language: Language, data: Mapping[str, Any]) -> str:
    """With what each rule is compared."""
    usual = data["usual"]
    players = language.count("{number} player", "{number} players", int(usual["seats"]))
    form = kit.format(usual["format"]).words.rules(language)
    said = language.say(
        "One rule changed at a time; the usual ones: {players}, {format}.", players=players, format=form
    )
    if not any(row["rule"] == "seats" for row in data["rows"]):
        return said
    shorter = kit.format(shortest(kit.formats[0])).words.rules(language)
    return f"{said} {language.say('Numbers of players are compared with {format}.', format=shorter)}"


def _rule(kit: Kit, language: Language, rule: str, choice: str) -> str:
    """A rule with its choice in words."""
    if rule == "seats":
        return language.count("{number} player", "{number} players", int(choice))
    if rule == "format":
        return sentence(kit.format(choice).words.rules(language))
    if rule == "opener":
        return language.say("Next to open: {who}", who=language.say(OPENERS[choice]))
    option = next(option for option in kit.options if option.key == rule)
    meanings = dict(zip(option.choices, option.meanings or option.choices, strict=True))
    return sentence(f"{language.say(option.meaning)} – {language.say(meanings[choice])}")


def _claims(kit: Kit, language: Language, data_of: DataOf) -> BestPlayFigure:
    """Printed advice, judged by exact numbers."""
    said = {"true": language.say("true"), "false": language.say("false"), "depends": language.say("it depends")}
    rows = []
    for number, claim in enumerate(data_of(kit, "claims", ()), 1):
        label = f"{claim.advice(language)} ({claim.source(language)})"
        cells = said[claim.verdict], claim.precise(language), claim.shown(language)
        rows.append(BestPlayRow(label, str(number), cells, None))
    return BestPlayFigure(
        "claims",
        language.say("What printed advice is worth"),
        language.say("Advice that was printed, made precise and judged. The sources are in English."),
        (language.say("Advice"), language.say("Verdict"), language.say("Taken as"), language.say("The numbers")),
        tuple(rows),
        "python -m pubdice.lab.strategy",
    )


def _highest(language: Language, rows: list[BestPlayRow]) -> str:
    return language.per_cent(max((row.value for row in rows if row.value is not None), default=0.0))


# Figures of best play that a pocket house is given ready-made, as some take numpy, or longer than anybody waits
# there.
#
# One file a language, ``figures-CODE.json``: by game and by name. See ``pure_python.two_turns`` for damaged files.


_MOST_LANGUAGES = 4
DRAWN_DIGITS = 6


def file_name(code: str) -> str:
    """The file of a language."""
    return f"figures-{code}.json"


def figures_told(figures: Mapping[str, Mapping[str, BestPlayFigure]]) -> bytes:
    """A file's bytes; figures: by game, by name."""
    return sealed({game: {name: _told(each) for name, each in some.items()} for game, some in figures.items()})


def _told(figure: BestPlayFigure) -> dict[str, Any]:
    """A figure as plain data. What pictures draw is rounded, as the last digits of arrays depend on the machine."""
    told = asdict(figure)
    for row in told["rows"]:
        for number in ("value", "mark"):
            row[number] = None if row[number] is None else round(row[number], DRAWN_DIGITS)
    return told


def kept_figure(game: str, name: str, code: str, folder: Path | None) -> BestPlayFigure | None:
    """A figure that is kept; None where it is not."""
    found = _read(code, folder)
    told: dict[str, Any] | None = found.get(game, {}).get(name) if found else None
    if told is None:
        return None
    rows = tuple([BestPlayRow(**{**row, "cells": tuple(row["cells"])}) for row in told["rows"]])
    lists = {"rows": rows, "head": tuple(told["head"]), "notes": tuple(told["notes"])}
    return BestPlayFigure(**{**told, **lists})


@lru_cache(maxsize=_MOST_LANGUAGES)
def _read(code: str, folder: Path | None) -> dict[str, Any] | None:
    return unsealed(folder / file_name(code)) if folder is not None else None
