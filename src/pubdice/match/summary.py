"""A replayed record as plain data for programs: header, turns with their scores, rounds, winners and slate."""

from collections.abc import Iterable
from typing import Any

from pubdice.match.match import Match, MatchState
from pubdice.match.notation import Header
from pubdice.match.record import Drawn, ReplayStep, Rolled


def summary(header: Header, match: Match[Any, Any], steps: Iterable[ReplayStep[MatchState[Any]]]) -> dict[str, Any]:
    """The record: ``header``, ``turns``, ``rounds``, ``finished``, ``winners`` (None until finished) and ``slate``.

    A turn's ``moves`` are rolls as lists of faces and actions as notation, in order; its ``score`` is None while the
    turn is unfinished.
    """
    names = header.names
    turns: list[dict[str, Any]] = []
    rounds: list[dict[str, Any]] = []
    drawn: str | None = None
    state = match.start()
    open_turn = False
    for step in steps:
        before, move, state = step.before, step.move, step.after
        if isinstance(move, Drawn):
            drawn = names[move.seat]
            continue
        mover = match.mover(before)
        if not open_turn and mover is not None:
            turns.append({"round": before.number, "seat": names[mover], "moves": [], "score": None})
        turns[-1]["moves"].append(list(move.dice) if isinstance(move, Rolled) else match.game.write_action(move.action))
        ended, result = match.turn_ended(before, state), match.round_ended(before, state)
        open_turn = not match.passed_on(before, state)
        if ended is not None:
            turns[-1]["score"] = ended[1]
        if result is not None:
            winners = [names[seat] for seat in result.winners]
            scores = {names[seat]: result.scores[seat] for seat in sorted(before.order)}
            rounds.append({"round": before.number, "winners": winners, "scores": scores})
    champions = [names[seat] for seat in match.format.champions(state.tally)] if state.over else None
    return {
        "pubdice": 1,
        "header": dict(header.fields),
        "player_1": drawn,
        "turns": turns,
        "rounds": rounds,
        "finished": state.over,
        "winners": champions,
        "slate": match.format.slate(state.tally, names),
    }
