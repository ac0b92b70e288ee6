"""What the host plans for the evening, while a table is set up and between matches."""

from dataclasses import replace

from pubdice.core.errors import BadNotation, Refused
from pubdice.room.commands import Plan, Unplan
from pubdice.room.decision import Decision
from pubdice.room.events import Ruled
from pubdice.room.line_up import read_times, rules_for
from pubdice.room.setup import MOST_PLANNED, Planned, Setup
from pubdice.room.setup_line import write_rules


def plan(decision: Decision, command: Plan) -> None:
    """The host plans another game after the others; or, where none is named, how many matches of this one there are.

    The game that is played keeps its rules if others of it follow. Raises Refused or BadNotation.
    """
    setup = _open(decision)
    matches, best = read_times(command.times)
    if not command.play.strip():
        played = setup.played + (decision.state.stage == "over")
        if matches < played:
            raise Refused("matches-played", played=played)
        _change(decision, replace(setup, matches=0 if matches == 1 else matches, best=best))
        return
    if len(setup.line_up) >= MOST_PLANNED:
        raise Refused("line-up-full", most=MOST_PLANNED)
    name, _, form = command.play.strip().partition(" ")
    kit = decision.games.get(name.lower())
    if kit is None:
        raise BadNotation("game", found=name, games=tuple(decision.games))
    rules = {**command.rules, "game": kit.name, **({"format": form.strip()} if form.strip() else {})}
    if kit.name == decision.kit.name and not command.rules:
        rules = {**setup.rules, **rules}
        if rules["format"] != setup.rules["format"]:
            rules.pop("opener", None)
    entry = Planned(rules_for(kit, setup, rules, len(decision.state.chairs)), matches, best)
    _change(decision, replace(setup, line_up=(*setup.line_up, entry)))


def unplan(decision: Decision, command: Unplan) -> None:
    """The host takes a game off the line-up."""
    setup = _open(decision)
    at = command.at
    if not 0 <= at < len(setup.line_up) or setup.line_up[at].rules["game"] != command.game:
        raise Refused("not-planned")
    _change(decision, replace(setup, line_up=(*setup.line_up[:at], *setup.line_up[at + 1 :])))


def _open(decision: Decision) -> Setup:
    """The setup, which the host may change now. Raises Refused."""
    decision.check_host()
    if decision.state.stage == "playing":
        raise Refused("started")
    decision.check_no_rematch()
    return decision.state.setup


def _change(decision: Decision, changed: Setup) -> None:
    if changed == decision.state.setup:
        raise Refused("nothing-new")
    decision.add(Ruled(write_rules(changed)))
