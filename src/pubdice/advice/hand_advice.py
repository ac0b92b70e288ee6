"""Advice for games in which every seat has a hand on the table. Flags describe the hands, the mover's first.

Some seats may not have rolled yet. A hand of such a seat is *fresh*. Turns go round from Player 1. So in the first lap
the seats from the mover to the last seat are fresh, and the seats from Player 1 to the mover have rolled. The hands are
listed from the mover on, so the fresh hands come first, then the rolled hands from Player 1's. If the mover has rolled
before, every seat has rolled.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

from pubdice.advice.asked_match import (
    LEAST,
    Given,
    asked_format,
    asked_match,
    asked_options,
    most_solved,
    several_rounds,
    shape,
)
from pubdice.core.dice import DieFaces, Hand
from pubdice.core.errors import BadNotation
from pubdice.core.game import Game, HandState
from pubdice.kit import Kit, NumberedAnswer, read_dice, read_number
from pubdice.solve.numerics import best_first
from pubdice.text.language import Language

FRESH = "-"


@dataclass(frozen=True, slots=True)
class HandAdvice(NumberedAnswer):
    """Every legal keep of a position with its value, its value lost and the solver's facts, best first.

    If the mover has not rolled yet, there are no keeps.
    """

    kit: Kit

    def sentences(self, language: Language) -> list[str]:
        """Return the keeps in sentences, in the game's own words."""
        assert self.kit.tell_hands is not None, "asked of games that have them"
        return self.kit.tell_hands(self.kit.tongue(language), self.numbers)


def advise_hands(kit: Kit, given: Given, folder: Path | None = None) -> HandAdvice:
    """Return the mover's keeps in the position that the hands describe. Raises BadNotation and Unsolved."""
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
    state = match.at(start, replace(cast("Any", start.round), hands=turned, mover=place, kept=None if told[0] else ()))
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
    """Check the hands. Return (the mover's place counted from Player 1, the hands, sorted).

    A seat that has not rolled has the hand ``()``.

    ``opened`` is the index of the hand that opened the round. If a seat has not rolled, the opener follows from the
    hands. If every seat has rolled and ``opened`` is None, the mover is the opener.

    Raises BadNotation with one of these codes: "hands" (too few hands), "hand-dice" (a wrong number of dice),
    "hand-won" (a hand that wins at once), "hand-order" (a fresh hand behind a rolled hand), or "player-one-order"
    (another hand must have opened).
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
    if game.result(replace(cast("Any", start), hands=(hand, ()), kept=None)) is not None:
        raise BadNotation("hand-won", total=sum(hand))
