"""The host's plan of games for the evening. The host makes it while people gather, and between matches."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from pubdice.core.errors import BadNotation, Refused
from pubdice.room.decision import Decision, RoomCommand
from pubdice.room.line_up import fits, read_times, rules_for
from pubdice.room.rules import Ruled
from pubdice.room.setup import MOST_PLANNED, Planned, Setup
from pubdice.room.setup_text import write_rules

ALONE, ALL = "alone", "all"
"""The words that the ``play`` of a plan command can have instead of a game. ``Plan`` explains them."""


@dataclass(frozen=True, slots=True)
class Plan(RoomCommand):
    """Add a game to the plan, as the host.

    ``play`` is the game's name and format, ``times`` its matches ("3", "best of 3"), ``rules`` its house rules. Without
    a game, ``times`` is the number of matches of the present game. ``ALONE`` also empties the rest of the plan. ``ALL``
    plans one match of every other game of the house after them. If the planned game is the present one and no rules are
    given, it keeps the present rules.
    """

    do = "plan"
    play: str = ""
    times: str = ""
    rules: Mapping[str, str] = field(default_factory=dict)

    def decide(self, decision: Decision) -> None:
        play = self.play.strip()
        setup = _open(decision)
        matches, best = read_times(self.times)
        if play in ("", ALONE, ALL):
            played = setup.played + (decision.state.stage == "over")
            if matches < played:
                raise Refused("matches-played", played=played)
            line_up = setup.line_up if not play else _all_others(decision, setup) if play == ALL else ()
            _change(decision, replace(setup, matches=0 if matches == 1 else matches, best=best, line_up=line_up))
            return
        if len(setup.line_up) >= MOST_PLANNED:
            raise Refused("line-up-full", most=MOST_PLANNED)
        name, _, form = play.partition(" ")
        kit = decision.games.get(name.lower())
        if kit is None:
            raise BadNotation("game", found=name, games=tuple(decision.games))
        rules = {**self.rules, "game": kit.name, **({"format": form.strip()} if form.strip() else {})}
        if kit.name == decision.kit.name and not self.rules:
            rules = {**setup.rules, **rules}
            # Another format may not allow this opener rule, so the usual rule of that format applies.
            if rules["format"] != setup.rules["format"]:
                rules.pop("opener", None)
        entry = Planned(rules_for(kit, setup, rules, len(decision.state.chairs)), matches, best)
        _change(decision, replace(setup, line_up=(*setup.line_up, entry)))


def _all_others(decision: Decision, setup: Setup) -> tuple[Planned, ...]:
    """Return a plan with one match of every other game of the house that fits the seats, with its usual rules."""
    seats, found = len(decision.state.chairs), list[Planned]()
    for kit in decision.games.values():
        if kit.name != decision.kit.name and fits(kit, setup, {"game": kit.name}, seats):
            found.append(Planned(rules_for(kit, setup, {"game": kit.name}, seats), 1, False))
    return tuple(found[:MOST_PLANNED])


@dataclass(frozen=True, slots=True)
class Unplan(RoomCommand):
    """Take a game off the plan, as the host. ``to`` is its place in the plan, from 0, and ``play`` its name.

    Both are required, because the plan can have changed since the host's page was shown.
    """

    do = "unplan"
    to: int | None = None
    play: str = ""

    def decide(self, decision: Decision) -> None:
        if self.to is None or not self.play:
            raise Refused("not-planned")
        setup = _open(decision)
        if not 0 <= self.to < len(setup.line_up) or setup.line_up[self.to].rules["game"] != self.play:
            raise Refused("not-planned")
        _change(decision, replace(setup, line_up=(*setup.line_up[: self.to], *setup.line_up[self.to + 1 :])))


def _open(decision: Decision) -> Setup:
    """Return the setup, if the host can change it now. Raise Refused otherwise."""
    decision.check_host()
    if decision.state.stage == "playing":
        raise Refused("started")
    decision.check_no_rematch()
    return decision.state.setup


def _change(decision: Decision, changed: Setup) -> None:
    if changed == decision.state.setup:
        raise Refused("nothing-new")
    decision.add(Ruled(write_rules(changed)))
