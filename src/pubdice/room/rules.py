"""The host's changes to the rules of the next match, and to the pace of the bots."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, get_args

from pubdice.core.errors import BadNotation, IllegalAction, Refused
from pubdice.kit import Kit
from pubdice.match.table import Dice
from pubdice.room.decision import Decision, RoomCommand
from pubdice.room.event import Event, changed, logged
from pubdice.room.line_up import plans_alone
from pubdice.room.seeds import sealed
from pubdice.room.setup import MOST_PACE_MS, checked, within
from pubdice.room.setup_text import with_rules, write_rules
from pubdice.room.state import RoomState
from pubdice.text.language import Language


@dataclass(frozen=True, slots=True)
class Ruled(Event):
    """The event that the host changed the rules before the match. ``rules`` is JSON."""

    log = logged("ruled", rules=str)
    stages = ("gathering", "over")
    changes_header = True
    rules: str

    def fits(self, state: RoomState) -> bool:
        return not state.rematch

    def after(self, kit: Kit, state: RoomState, at: int) -> RoomState:
        """Return the state with the new rules. If more than the line-up changed, no seat is ready any more."""
        try:
            setup = with_rules(kit, state.setup, self.rules)
        except BadNotation:
            raise IllegalAction("cannot-happen", state=state, action=self) from None
        if plans_alone(state.setup, setup):
            return changed(state, at, setup=setup)
        if state.match is not None:
            raise IllegalAction("cannot-happen", state=state, action=self)
        chairs = [replace(chair, ready=False) for chair in state.chairs]
        # seeds belong to one seal: a house that knows them could choose a new seal to suit them
        if setup.seal != state.setup.seal:
            chairs = [replace(chair, seed="", digest="") for chair in chairs]
        return changed(state, at, setup=setup, chairs=tuple(chairs))

    def said(self, language: Language, before: RoomState, after: RoomState, you: int | None) -> str:
        if plans_alone(before.setup, after.setup):
            return language.say("The list of games has changed.")
        return language.say("The rules have changed.")


@dataclass(frozen=True, slots=True)
class Rules(RoomCommand):
    """Change the rules before the match, as the host.

    A missing field stays as it is, and "" restores a rule's usual value.
    """

    do = "rules"
    may_begin = True  # a full table that waited for seeds can begin if the dice change
    rules: Mapping[str, str] = field(default_factory=dict)
    dice: str | None = None
    clock_s: int | None = None
    grace_s: int | None = None
    pace_ms: int | None = None
    lessons: int | None = None
    chances: bool | None = None

    def decide(self, decision: Decision) -> None:
        if self.dice is not None and self.dice not in get_args(Dice):
            raise BadNotation("dice", found=self.dice)
        decision.check_host()
        decision.check_gathering()
        setup, pace = decision.state.setup, self.pace_ms
        rules = {**setup.rules, **self.rules, "game": decision.kit.name}
        if "format" in self.rules and "opener" not in self.rules:
            rules.pop("opener", None)
        told: dict[str, Any] = {
            name: getattr(self, name) for name in ("dice", "clock_s", "grace_s", "lessons", "chances")
        }
        changes = {name: value for name, value in told.items() if value is not None}
        new = replace(setup, rules={key: value for key, value in rules.items() if value}, **changes)
        new = checked(decision.kit, new)
        if setup.night and replace(new, clock_s=setup.clock_s, grace_s=setup.grace_s) != setup:
            raise Refused("night-rules")
        most = decision.kit.build(new.rules).most_seats
        if len(decision.state.chairs) > most:
            raise Refused("too-many-seats", most=most)
        new = sealed(new, decision.seals)
        if new != setup:
            decision.add(Ruled(write_rules(new)))
        if pace is not None and pace != decision.state.pace_ms:
            decision.add(BotPaceSet(within("pace", pace, 0, MOST_PACE_MS)))
        if not decision.steps:
            raise Refused("nothing-new")


@dataclass(frozen=True, slots=True)
class BotPaceSet(Event):
    """The event that bots now wait this many ms before each action."""

    log = logged("paced", ms=int)
    stages = ("gathering", "playing", "over")
    level = 1
    ms: int

    def after(self, kit: Kit, state: RoomState, at: int) -> RoomState:
        return changed(state, at, pace_ms=self.ms, layout_version=state.layout_version)

    def said(self, language: Language, before: RoomState, after: RoomState, you: int | None) -> str:
        if not self.ms:
            return language.say("Bots do not wait.")
        seconds = self.ms / 1000
        pace = language.number(seconds, len(f"{seconds:g}".partition(".")[2]))
        return language.say("Seconds that bots wait: {pace}.", pace=pace)  # no plural: catalogues count whole numbers


@dataclass(frozen=True, slots=True)
class Pace(RoomCommand):
    """Set the time that bots wait before each action, in ms, as the host. None repeats the present time."""

    do = "pace"
    ms: int | None = None

    def decide(self, decision: Decision) -> None:
        decision.check_host()
        ms = decision.state.pace_ms if self.ms is None else self.ms
        decision.add(BotPaceSet(within("pace", ms, 0, MOST_PACE_MS)))
