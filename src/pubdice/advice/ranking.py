"""Every keep of a position, ranked and told: of one that flags describe, or of a decision in a record.

The numbers are those of ``pubdice advise``: by flags the same question is answered, in a record the same coach advises.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, cast

from pubdice.advice.coach import Advice, Coach
from pubdice.advice.questions import (
    LEAST,
    TO_WIN,
    Given,
    asked_format,
    asked_match,
    asked_options,
    least_seats,
    most_solved,
    position_flags,
    question,
    several_rounds,
    shape,
    standing_fields,
)
from pubdice.advice.spoken_advice import UTILITIES, SpokenAdvice
from pubdice.core.dice import SIX, DieFaces, Hand, whole_number
from pubdice.core.errors import BadNotation, Unsolved
from pubdice.core.game import Game, HandState, RoundSeat, Seat, TurnGame, kept_by
from pubdice.kit import Answer, Checked, Kit, NumberedAnswer, RoundPosition, lazy, read_dice, read_number, read_numbers
from pubdice.match.formats import Format, FormatKind, Tally, adding
from pubdice.match.match import Match, MatchState
from pubdice.match.narrate import Narrator
from pubdice.match.record import Played
from pubdice.solve.choose import one_turn_each
from pubdice.solve.numerics import best_first
from pubdice.solve.solver import Solver, as_counted
from pubdice.text.game_words import GameWords
from pubdice.text.language import Language, sentence
from pubdice.text.turn_words import winning_scores

# ``advise`` for any position of any solved game: a record that ends where somebody has to choose.


@dataclass(frozen=True, slots=True)
class PositionAdvice:
    """Every legal action at a decision of a match with its value and value lost, best first."""

    words: GameWords
    coach: Coach
    state: MatchState[Any]
    advice: Advice

    def spoken(self, language: Language) -> SpokenAdvice:
        """Sentences of the coach."""
        return SpokenAdvice(self.words, self.coach.match, language, self.coach.solver)

    def sentences(self, language: Language) -> list[str]:
        """The best action, and the loss of every other with its reason."""
        return self.spoken(language).advise(self.state, self.advice, others=len(self.advice.choices))

    def data(self) -> dict[str, Any]:
        """The actions as records write them, with the dice that each leaves lying (keep), the greatest first.

        What else a solver knows of an action stands beside its value, by name.
        """
        game, solver = self.coach.match.game, self.coach.solver
        actions = [
            {
                "action": game.write_action(choice.action),
                "keep": sorted(kept_by(game, choice.action), reverse=True),
                "value": as_counted(solver.utility, choice.value),
                "lost": choice.lost,
                "verdict": choice.verdict,
                **choice.facts,
            }
            for choice in self.advice.choices
        ]
        value = as_counted(solver.utility, self.advice.best.value)
        return {"value": value, "utility": solver.utility, "actions": actions, "bound": solver.bound}


def advise_state(kit: Kit, match: Match[Any, Any], state: MatchState[Any]) -> PositionAdvice:
    """The advice at a decision. Raises BadNotation("no-decision") where there is none, and Unsolved."""
    if not match.legal(state):
        raise BadNotation("no-decision")
    if kit.solver is None:
        raise Unsolved("no-solver", title=kit.words.title)
    coach = Coach(kit.solver(match), match)
    return PositionAdvice(kit.words, coach, state, coach.advise(state))


# A position of a match under way, told by flags: the format, how the match stands, and the round so far.
#
# Seats are in turn order, the one that opened this round first; so the same position of a record has its seats
# turned. What a standing is, each format says (``match.formats.format.StandingForm``); the round is told as a turn for
# a goal is, with the scores of the seats before, or as the game's own flags say (``Kit.position``). The answer is the
# match's solver's, so it is what ``advise`` answers at a record that ends there.


_advise_turn = lazy("pubdice.advice.odds", "advise_turn")
_round_from_flags = lazy("pubdice.advice.odds", "round_from_flags")
GOAL_FLAGS = (*TO_WIN, "goal")
"""Flags that a match has no use for: its result is the goal."""
NO_NUMBER = -1
"""Less than any number that a format asks for."""


@dataclass(frozen=True, slots=True)
class MatchPosition:
    """A match and where it stands; seat 0 opened the round."""

    match: Match[Any, Any]
    state: MatchState[Any]


def round_flags(kit: Kit) -> RoundPosition | None:
    """The flags that describe a round of this game; None if only a record can."""
    if kit.position is not None:
        return kit.position
    return RoundPosition((), partial(_round_from_flags, kit)) if one_turn_each(kit.usual_game) else None


def match_position(kit: Kit, given: Given) -> MatchPosition | None:
    """The position told; None where the flags are about no match but about one turn, or no flags tell one.

    Raises BadNotation, and Unsolved where the rules make a round another.
    """
    told = round_flags(kit)
    if told is None:
        return None
    if kit.position is None and "format" not in given:
        _refuse(kit, given)
        return None
    for key in GOAL_FLAGS:
        if key in given:
            raise BadNotation("flag-one-round", flag=key)
    form = _format(kit, given)
    game = kit.build(asked_options(kit, given))
    standing = _numbers(form.kind, given)
    seats = _seats(kit, form.kind, standing, given)
    tally = _tally(form, seats, standing)
    if adding(form) is not None and isinstance(game, TurnGame) and not _adds_up(game, form, tally):
        raise BadNotation("standing-total", flag="totals", found=given.get("totals", ""))
    if Seat(0) not in tally.playing:
        raise BadNotation("standing-opener")
    opener = given.get("opener", form.openers[0])
    if opener not in form.openers:
        raise BadNotation("opener", found=opener, openers=form.openers)
    match = Match(game, seats, form, opener, Seat(0))
    state = told.state(game, len(tally.playing), given)
    if ends := getattr(form, "ends_by_turn", None):  # ``formats.EndsByTurn``
        for local, seat in enumerate(tally.playing):
            score = game.score(state, RoundSeat(local))
            if score is not None and ends(tally, seat, score):
                raise BadNotation("standing-over")
    return MatchPosition(match, match.at(MatchState(tally.playing, None, tally, None, tally.rounds + 1), state))


def _adds_up(game: TurnGame, form: Format, tally: Tally) -> bool:
    """True if so many rounds, or any number where none is planned, can bring every seat its points."""
    top = max(tally.points)
    scores = {score for score in winning_scores(game) if score <= top} | {0}
    sums, before = {0}, set[int]()
    for _ in range(tally.rounds if form.rounds_planned else top):
        if sums == before:
            break
        sums, before = {had + score for had in sums for score in scores if had + score <= top}, sums
    return sums.issuperset(tally.points)


def _refuse(kit: Kit, given: Given) -> None:
    """Refuse flags of a match where none is asked about. Raises BadNotation."""
    for flag in position_flags(kit):
        if flag.name in given:
            raise BadNotation("flag-only", flag=flag.name, other="format")


def _format(kit: Kit, given: Given) -> Format:
    """The format with its numbers, which stand behind its name or in flags of their own. Raises BadNotation."""
    form = asked_format(kit, given)
    mine = {*[field.key for field in form.kind.fields], *[field.key for field in standing_fields(form.kind)]}
    for kind in kit.formats:
        for key in (*[field.key for field in kind.fields], *[field.key for field in standing_fields(kind)]):
            if key in given and key not in mine:
                raise BadNotation("flag-beside", flag=key, other=f"format {form.kind.name}")
    numbers = list(form.numbers)
    for at, field in enumerate(form.kind.fields):
        if field.key in given:
            if len(given.get("format", "").replace(":", " ").split()) > 1:
                raise BadNotation("flag-beside", flag=field.key, other="format")
            numbers[at] = read_number(field.key, given[field.key], field.least, field.most)
    return form.kind.build(*numbers)


def _numbers(kind: FormatKind, given: Given) -> dict[str, tuple[int, ...]]:
    """The numbers given, by the key of their field. Raises BadNotation for text that is no list.

    In place of text that is no number the format gets ``NO_NUMBER``: it refuses that, and says its range.
    """
    found: dict[str, tuple[int, ...]] = {}
    for field in standing_fields(kind):
        if field.key in given and field.takes == "number":
            number = whole_number(given[field.key])
            found[field.key] = (NO_NUMBER if number is None else number,)
        elif field.key in given:
            found[field.key] = read_numbers(field.key, given[field.key])
    return found


def _seats(kit: Kit, kind: FormatKind, standing: dict[str, tuple[int, ...]], given: Given) -> int:
    """The number of seats of the match: the number given, or the number of seats that are. Raises BadNotation."""
    game = kit.usual_game
    least, most = least_seats(game.least_seats), game.most_seats
    each = {
        field.key: len(standing[field.key])
        for field in standing_fields(kind)
        if field.takes == "each" and field.key in standing
    }
    seats = read_number("seats", given["seats"], least, most) if "seats" in given else next(iter(each.values()), least)
    for key, count in each.items():
        if count != seats or not least <= count <= most:
            raise BadNotation("standing-each", flag=key, found=given[key], least=least, most=most)
    for field in standing_fields(kind):
        if field.takes == "seats" and not all(1 <= seat <= seats for seat in standing.get(field.key, ())):
            raise BadNotation("standing-number", flag=field.key, found=given[field.key], least=1, most=seats)
    return seats


def _tally(form: Format, seats: int, standing: dict[str, tuple[int, ...]]) -> Tally:
    """The tally of the round under way: as the format makes it of what is given, or as the match begins."""
    if not standing or form.kind.standing is None:
        return form.open(form.start(seats))
    return form.kind.standing.tally(form, seats, standing)


def advise_flags(kit: Kit, given: Given, folder: Path | None = None) -> Answer:
    """The keeps of a position of a match, or of a turn for a goal. Raises BadNotation, and Unsolved."""
    position = match_position(kit, given)
    if position is not None:
        return advise_state(kit, position.match, position.state)
    advised: Answer = _advise_turn(kit, given)
    return advised


# ``advise`` where every seat has a hand on the table: a position is told by the hands, the mover's first.
#
# Who may not have rolled yet: turns go round from Player 1, so in the first lap the mover and all who come after it
# up to the last seat are fresh, and those from Player 1 on up to the mover have rolled. Told from the mover on, fresh
# hands are a run at the beginning, then rolled ones from Player 1's; once the mover has rolled before, everybody has.


FRESH = "-"


@dataclass(frozen=True, slots=True)
class HandAdvice(NumberedAnswer):
    """Every legal keep of a position with its value and value lost, best first, and what else the solver knows of it.

    A seat that has not rolled has nothing to choose, and no keeps.
    """

    kit: Kit

    def sentences(self, language: Language) -> list[str]:
        """The keeps in the game's own words."""
        assert self.kit.tell_hands is not None, "asked of games that have them"
        return self.kit.tell_hands(self.kit.tongue(language), self.numbers)


def advise_hands(kit: Kit, given: Given, folder: Path | None = None) -> HandAdvice:
    """The keeps of a position that all hands on the table describe. Raises BadNotation, and Unsolved."""
    if "hands" not in given:
        raise BadNotation("flag-missing", flag="hands")
    form, game = asked_format(kit, given), kit.build(asked_options(kit, given))
    hands = _read(given["hands"], game.faces)
    if "player-one" in given and form.is_one_round:
        raise BadNotation("flag-only", flag="player-one", other=several_rounds(kit))
    opened = read_number("player-one", given["player-one"], 1, len(hands)) - 1 if "player-one" in given else None
    try:
        place, told = check(game, hands, opened)
    except BadNotation as error:
        asked = given["player-one" if error.code == "player-one-order" else "hands"]
        raise BadNotation(error.code, None, found=asked, **error.facts) from None
    if len(told) > (most := most_solved(kit, form)):
        raise BadNotation("seats-solved", found=given["hands"], least=LEAST, most=most)
    match = asked_match(kit, {**given, "seats": str(len(told))})
    assert kit.solver is not None, "asked of solved games alone"
    solver, start = kit.solver(match), match.start()
    turned = told[len(told) - place :] + told[: len(told) - place]
    state = match.at(start, replace(cast(Any, start.round), hands=turned, mover=place, kept=None if told[0] else ()))
    value, facts = float(solver.values(state)[place]), {keep: dict(known) for keep, known in solver.facts(state)}
    keeps = best_first(solver.action_values(state), lambda valued: valued[1])
    actions = [
        {"keep": list(keep.dice[::-1]), "value": worth, "lost": max(0.0, value - worth), **facts[keep]}
        for keep, worth in keeps
    ]
    utility = solver.utility.removeprefix("chance of ")
    return HandAdvice({"value": value, "utility": utility, "actions": actions, "bound": solver.bound}, kit)


def _read(text: str, die: DieFaces) -> list[Hand]:
    return [() if part.strip() == FRESH else read_dice("hands", part, die) for part in text.split(",")]


def check(game: Game[Any, Any], hands: Sequence[Hand], opened: int | None = None) -> tuple[int, tuple[Hand, ...]]:
    """The mover's place counted from Player 1, and the hands sorted, ``()`` for a seat that has not rolled.

    opened: whose hand of these opened the round, by its place among them from 0; where some seat has not rolled it
    follows from that, else it is the mover if not given. Raises BadNotation: ``hands`` (too few), ``hand-dice``,
    ``hand-won``, ``hand-order`` (a seat has not rolled, but one that comes after it has), ``player-one-order`` (another
    hand must have opened).
    """
    seats, found = len(hands), tuple(tuple(sorted(hand)) for hand in hands)
    if seats < LEAST:
        raise BadNotation("hands", shape=shape(game))
    for hand in filter(None, found):
        _check_hand(game, hand)
    fresh = next((place for place, hand in enumerate(found) if hand), seats)
    if not all(found[fresh:]):
        raise BadNotation("hand-order")
    first = fresh % seats if fresh or opened is None else opened
    if opened not in (None, first):
        raise BadNotation("player-one-order")
    return -first % seats, found


def _check_hand(game: Game[Any, Any], hand: Hand) -> None:
    start: HandState = game.start(2)
    due = game.to_roll(start)
    if len(hand) != due:
        raise BadNotation("hand-dice", due=due)
    if game.result(replace(cast(Any, start), hands=(hand, ()), kept=None)) is not None:
        raise BadNotation("hand-won", total=sum(hand))


GOALS = {
    "score": "The mean score, with best play after it.",
    "qualify": "The chance to qualify, with best play after it.",
    "reach": "The chance to reach it, with best play after it.",
    "exactly": "The chance of exactly that, with best play after it.",
    "win": "The share of the round, with best play after it.",
}
"""The meaning of a turn goal's values."""


@dataclass(frozen=True, slots=True)
class RankedKeep:
    """One keep in a ranking. keep: the dice kept, the greatest first; die: their faces. value, lost: in words.

    share: the length of its bar, from 0 to 1. line: a sentence. chosen: true if it was played. act: the choice in
    words, where it keeps no dice.
    """

    keep: tuple[int, ...]
    value: str
    lost: str
    share: float
    line: str
    chosen: bool = False
    die: DieFaces = SIX
    act: str = ""


@dataclass(frozen=True, slots=True)
class Ranking:
    """All keeps of a position, best first. utility: the name of the values. data: the numbers, as ``advise --json`` has
    them. before: the events before, in sentences. number, of: which decision of a record's.
    """

    rows: tuple[RankedKeep, ...]
    utility: str
    data: Mapping[str, Any]
    before: tuple[str, ...] = ()
    number: int = 0
    of: int = 0


def by_flags(kit: Kit, language: Language, given: Mapping[str, str]) -> Ranking:
    """The keeps of a position that the flags of ``advise`` describe. Raises BadNotation or Unsolved."""
    asked = question(kit, "advise")
    if asked is None:
        raise BadNotation("unsolved", title=kit.words.title)
    answer: Answer = asked.answer(given)
    if isinstance(answer, PositionAdvice):
        return _ranked(answer, language, before=_standing(kit, answer.coach.match, answer.state, language))
    data = answer.data()
    goal = str(data.get("goal", ""))

    def said(value: float) -> str:
        return language.number(value, 2) if goal == "score" else language.per_cent(value)

    utility = language.say(GOALS[goal]) if goal else language.say(UTILITIES[str(data["utility"])])
    rows = _rows(data["actions"], said, answer.sentences(language), kit.usual_game.faces, chances=goal != "score")
    return Ranking(rows, utility, data)


def at_decision(checked: Checked, solve: Callable[[], Solver], number: int | None, language: Language) -> Ranking:
    """The keeps at a record's decision: the ``number``-th, from 1, or where the record ends.

    Only decisions count at which there is more than one legal action. solve: makes the match's solver. Raises
    BadNotation("no-decision") where there is none, or Unsolved.
    """
    match, steps = checked.match, checked.steps
    turns = [step for step in steps if isinstance(step.move, Played) and len(match.legal(step.before)) > 1]
    played: Any = None
    if number is None:
        state = steps[-1].after if steps else match.start()
        until = len(steps)
    elif 1 <= number <= len(turns):
        found = turns[number - 1]
        assert isinstance(found.move, Played)
        state, played, until = found.before, found.move.action, steps.index(found)
    else:
        raise BadNotation("decision-number", found=number, most=len(turns))
    if not match.legal(state):
        raise BadNotation("no-decision")
    coach = Coach(solve(), match)
    before = _steps_before(checked, until, state, language)
    advised = PositionAdvice(checked.kit.words, coach, state, coach.advise(state))
    ranking = _ranked(advised, language, played=played, before=before)
    return replace(ranking, number=number or 0, of=len(turns))


def _ranked(advised: PositionAdvice, language: Language, *, played: Any = None, before: tuple[str, ...]) -> Ranking:
    """The keeps of a match's decision, as its coach advises. played: the action that was chosen, if one was."""
    advice, state, spoken, data = advised.advice, advised.state, advised.spoken(language), advised.data()
    lines = [
        spoken.compared(state, choice, advice.best)
        if choice.lost > 0
        else sentence(language.say("{act} is best.", act=spoken.act(state, choice)))
        for choice in advice.choices
    ]
    rows = _rows(
        data["actions"], spoken.amounts.value, lines, advised.coach.match.game.faces, chances=spoken.amounts.are_chances
    )
    rows = tuple(
        row if row.keep else replace(row, act=sentence(spoken.act(state, choice)))
        for row, choice in zip(rows, advice.choices, strict=True)
    )
    if played is not None:
        rows = tuple(
            replace(row, chosen=choice.action == played) for row, choice in zip(rows, advice.choices, strict=True)
        )
    utility = language.say(UTILITIES[advised.coach.solver.utility])
    return Ranking(rows, utility, data, before)


def _standing(kit: Kit, match: Match[Any, Any], state: MatchState[Any], language: Language) -> tuple[str, ...]:
    """The standing of a position's match, its seats by number; which round it is, where that was told."""
    names = tuple(language.say("Seat {number}", number=seat + 1) for seat in range(match.seats))
    narrator = Narrator(language, kit.words, match, names)
    counter = narrator.counter(state) if match.format.rounds_planned else ""
    told = [narrator.rules(), counter, *narrator.standing(state.tally)]
    return tuple([line for line in told if line])


def _steps_before(checked: Checked, until: int, state: MatchState[Any], language: Language) -> tuple[str, ...]:
    """The way to a decision: the standing of the match, and the last step before it."""
    narrator = Narrator(language, checked.kit.words, checked.match, checked.header.names)
    told = [narrator.rules(), narrator.counter(state), *narrator.standing(state.tally)]
    for step in checked.steps[max(0, until - 1) : until]:
        told += narrator.tell(step.before, step.move, step.after)
    return tuple([line for line in told if line])


def _rows(
    actions: Sequence[Mapping[str, Any]],
    said: Callable[[float], str],
    lines: Sequence[str],
    die: DieFaces,
    *,
    chances: bool,
) -> tuple[RankedKeep, ...]:
    """The rows; chances: true if the values are, so that a whole bar is 100 percent, and else the greatest value."""
    values = [float(action["value"]) for action in actions]
    low, high = min(0.0, *values), max(1.0 if chances else 0.0, *values)
    return tuple(
        RankedKeep(
            keep=tuple(action["keep"]),
            value=said(value),
            lost=said(float(action["lost"])) if action["lost"] > 0 else "",
            share=(value - low) / (high - low) if high > low else 1.0,
            line=line,
            die=die,
        )
        for action, value, line in zip(actions, values, lines, strict=True)
    )
