"""A replayed record as plain data for programs: header, turns with their scores, rounds, winners and slate."""

from collections.abc import Iterable
from typing import Any

from pubdice.formats import Pot, Tally, buyer
from pubdice.match import Match, MatchState
from pubdice.notation import Header
from pubdice.record import Drawn, Rolled, Step


def summary(header: Header, match: Match[Any, Any], steps: Iterable[Step[MatchState[Any]]]) -> dict[str, Any]:
    """The whole record: ``header``, ``turns``, ``rounds``, ``finished``, ``winners`` (None until then) and ``slate``.

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
        finished = match.finished(before, state)
        open_turn = finished is None
        if finished is not None:
            turns[-1]["score"] = finished[1]
        if state.last is not None and (state.over or state.number != before.number):
            winners = [names[seat] for seat in state.last.winners]
            scores = {names[seat]: state.last.scores[seat] for seat in sorted(before.order)}
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
        "slate": slate(match, state.tally, names),
    }


def slate(match: Match[Any, Any], tally: Tally, names: tuple[str, ...]) -> dict[str, Any]:
    """Who owes what: round wins by name, or chips by name and the pot, or who is out (in order) and who buys."""
    points = dict(zip(names, tally.points, strict=True))
    if isinstance(match.format, Pot):
        return {"chips": points, "pot": tally.pot}
    if match.format.drops_out:
        last = buyer(tally)
        return {"out": [names[seat] for seat in tally.out], "buyer": None if last is None else names[last]}
    return {"round_wins": points}
