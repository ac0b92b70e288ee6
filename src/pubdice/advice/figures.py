"""Figures of best play for a game's page: its card, the scores of a turn, the last seat's share, first rolls, house
rules.

Each number is the answer to a command, and the figure names that command. A game has only the figures whose commands it
can answer.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pubdice.advice.asked_match import shortest
from pubdice.advice.coach import Coach
from pubdice.advice.daily import header_of, solved_match
from pubdice.advice.questions import question
from pubdice.advice.spoken_advice import UTILITIES, SpokenAdvice
from pubdice.core.dice import Hand, rolls
from pubdice.core.game import TurnGame, is_limited
from pubdice.kit import Kit
from pubdice.match.match import Match, MatchState
from pubdice.match.record import Move, Rolled, advance, write
from pubdice.solve.choose import one_turn_each
from pubdice.solve.solver import Solver
from pubdice.text.game_words import CHANCES, seat_values, values_of
from pubdice.text.language import OPENERS, Language, sentence, stopped
from pubdice.text.turn_words import winning_scores

SolverOfKit = Callable[[Kit, Match[Any, Any]], Solver]
FlagValues = tuple[tuple[str, str], ...]  # (flag, value)
AnswerOf = Callable[[Kit, str, FlagValues], Any]
LEAST_CHOICES = 2
"""The least choices of a position for a figure. If a record ends with fewer, the match goes on without the player, so
``advise`` has no decision there."""
MOST_OTHERS = 8  # the most rolls of other seats that follow a first roll, in search of a choice


@dataclass(frozen=True, slots=True)
class BestPlayRow:
    """A row of a figure, which is also a column of its picture."""

    label: str
    short: str  # the label under a picture
    cells: tuple[str, ...]  # the numbers in words
    value: float | None  # the height of the row's column in the picture, if it has one
    mark: float | None = None  # the height of a second value, drawn as a mark at the column
    given: str = ""
    """The value of N in the figure's command, or the record that the command reads. "" if one call of the command
    prints all rows."""


@dataclass(frozen=True, slots=True)
class BestPlayFigure:
    """A figure of best play: a table, and a picture of its values."""

    name: str  # the name used in links
    title: str
    lead: str  # sentences above the table, on its subject
    head: tuple[str, ...]  # the column headings
    rows: tuple[BestPlayRow, ...]
    command: str  # the command that prints the same numbers
    peak: str = ""  # the greatest number, in words
    notes: tuple[str, ...] = ()  # sentences below the table


def figure_names(kit: Kit) -> tuple[str, ...]:
    """Return the names of a game's figures, in the order of its page.

    Quick figures come first, because each figure is computed by a job of its own.
    """
    if kit.solver is None:
        return ()
    turns = one_turn_each(kit.usual_game)
    found = {
        "spread": turns,
        "reach": turns,
        "last": turns,
        "first-rolls": True,
        "card": kit.card_lines is not None and not is_limited(kit.usual_game),
        "prices": True,
    }
    return tuple(name for name, there in found.items() if there)


def answer_of(kit: Kit, name: str, given: FlagValues) -> Any:
    """Return the answer of a game to the command of that name. Raises Unsolved."""
    asked = question(kit, name)
    assert asked is not None, "a figure is made of what the game can be asked"
    return asked.answer(dict(given))


def figure(
    kit: Kit, name: str, language: Language, solve: SolverOfKit, answer_of: AnswerOf = answer_of
) -> BestPlayFigure:
    """Make a figure of a game. Raises KeyError if the game has no such figure, or Unsolved.

    ``answer_of`` answers a command, perhaps from a cache.
    """
    if name not in figure_names(kit):
        raise KeyError(name)
    if name == "first-rolls":
        return _first_rolls(kit, language, solve)
    made = {"spread": _spread, "reach": _reach, "last": _last, "card": _card, "prices": _prices}
    return made[name](kit, language, answer_of)


def _turn_game(kit: Kit) -> TurnGame:
    game = kit.usual_game
    assert isinstance(game, TurnGame)
    return game


def _better_first(game: TurnGame) -> tuple[int, ...]:
    """Return every score that can win, in numeric order."""
    return tuple(sorted(winning_scores(game)))


def _spread(kit: Kit, language: Language, answer_of: AnswerOf) -> BestPlayFigure:
    """Make the figure of the chance of each score, in a turn played for the best mean score."""
    game, data = _turn_game(kit), answer_of(kit, "odds", (("goal", "score"),)).data()
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
        language.say("What to expect from a turn"),
        language.say("You play for the best mean score: {mean}.", mean=language.number(data["value"], 4)),
        (language.say("Score"), language.say("Chance")),
        rows,
        f"pubdice odds {kit.name} --goal score",
        language.per_cent(max(chances)),
    )


def _reach(kit: Kit, language: Language, answer_of: AnswerOf) -> BestPlayFigure:
    """Make the figure of the best chance of each score or better, beside its chance in play for the mean."""
    game, mean = _turn_game(kit), answer_of(kit, "odds", (("goal", "score"),)).data()["distribution"]
    rows = []
    for score in _better_first(game):
        best = float(answer_of(kit, "odds", (("goal", f"reach:{score}"),)).data()["value"])
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


def _last(kit: Kit, language: Language, answer_of: AnswerOf) -> BestPlayFigure:
    """Make the figure of the last seat's share of a round, by the score to beat."""
    game, rows = _turn_game(kit), []
    for score in _better_first(game):
        share = float(answer_of(kit, "odds", (("goal", "win"), ("to-beat", str(score)))).data()["value"])
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
    """Make the figure of first rolls in a round of two, each with its value and best choice, the worst first."""
    header, match, solver = solved_match(kit, solve)
    coach, start = Coach(solver, match), match.start()
    spoken = SpokenAdvice(kit.words, match, language, coach.solver)
    found: list[tuple[float, BestPlayRow]] = []
    others: Hand = ()
    for hand, _ in rolls(match.to_roll(start), match.game.faces.sides):
        moves, state, between = _to_choice(match, hand)
        if len(match.legal(state)) < LEAST_CHOICES:
            continue
        others = between or others
        best = coach.advise(state).best
        cells = sentence(spoken.act(state, best)), spoken.amounts.worth(best.value)
        record = write(header, match, moves)
        found.append((best.value, BestPlayRow(match.game.faces.shown(hand[::-1]), "", cells, best.value, given=record)))
    found.sort(key=lambda pair: pair[0])
    lead = [
        language.say("Every first roll that leaves you a choice, from the worst to the best."),
        language.say(UTILITIES[coach.solver.utility]),
    ]
    if header != header_of(kit):  # the default options are not solved
        lead.insert(1, stopped(sentence(kit.words.options(language, match.game))))
    if others:
        lead.insert(
            1, language.say("The other player has {dice} each time.", dice=match.game.faces.shown(others[::-1]))
        )
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
    """Follow a first roll with the likeliest rolls of the other seats, until a seat has a choice.

    Returns (the moves, the state, the last roll of the other seats).
    """
    moves: list[Move] = [Rolled(hand)]
    state, between = advance(match, match.start(), moves[0]), Hand()
    for _ in range(MOST_OTHERS):
        due = match.to_roll(state)
        if not due:
            break
        between = max(rolls(due, match.game.faces.sides), key=lambda roll: roll[1])[0]
        moves.append(Rolled(between))
        state = advance(match, state, moves[-1])
    return moves, state, between


def _card(kit: Kit, language: Language, answer_of: AnswerOf) -> BestPlayFigure:
    """Make the figure of the card's lines, with the cost of ignoring each line."""
    card = answer_of(kit, "card", ())
    data, layout = card.data(), card.layout(language)
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
        lead.append(language.say("Each column: your loss if you ignore the line."))
    elif most:
        text = "Each column: your loss if you ignore the line, beside the dearest line of its kind."
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


def _prices(kit: Kit, language: Language, answer_of: AnswerOf) -> BestPlayFigure:
    """Make the figure of the effect that each house rule, format and number of players has on the first player."""
    prices = answer_of(kit, "price", ())
    data = prices.data()
    if "usual" in data:
        labels, lead = (
            [_rule(kit, language, row["rule"], row["choice"]) for row in data["rows"]],
            _compared(kit, language, data),
        )
        cells = [", ".join(seat_values(language, row)) for row in data["rows"]]
    else:  # the game's own prices, in which each line is a rule, a colon and its value
        lines = [line.rstrip(".").partition(": ") for line in prices.sentences(kit.tongue(language))]
        labels, cells = [line[0] for line in lines if line[1]], [line[2] for line in lines if line[1]]
        lead = ". ".join(line[0] for line in lines if not line[1]) + "."
    rows = []
    for number, (label, cell, row) in enumerate(zip(labels, cells, data["rows"], strict=True), 1):
        name, values = values_of(row)
        rows.append(BestPlayRow(f"{number}. {label}", str(number), (cell,), values[0] if name in CHANCES else None))
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
    """Return a sentence on the match with which each rule is compared."""
    usual = data["usual"]
    players = language.count("{number} player", "{number} players", int(usual["seats"]))
    form = kit.format_rules(kit.format(usual["format"]), language)
    said = language.say(
        "One rule changed at a time. The usual rules: {players}, {format}.", players=players, format=form
    )
    if not any(row["rule"] == "seats" for row in data["rows"]):
        return said
    shorter = kit.format_rules(kit.format(shortest(kit.formats[0])), language)
    return f"{said} {language.say('Numbers of players are compared with {format}.', format=shorter)}"


def _rule(kit: Kit, language: Language, rule: str, choice: str) -> str:
    if rule == "seats":
        return language.count("{number} player", "{number} players", int(choice))
    if rule == "format":
        return sentence(kit.format_rules(kit.format(choice), language))
    if rule == "opener":
        return language.say("Next to open: {who}", who=language.say(OPENERS[choice]))
    option = next(option for option in kit.options if option.key == rule)
    return sentence(f"{language.say(option.meaning)} – {language.say(option.told(choice))}")


def _highest(language: Language, rows: list[BestPlayRow]) -> str:
    return language.per_cent(max((row.value for row in rows if row.value is not None), default=0.0))
