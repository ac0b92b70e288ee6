"""The events of a match under way: a move of it, and the seed of the house that is opened at its end."""

from dataclasses import dataclass
from typing import Any

from pubdice.core.frozen import maker, quick
from pubdice.core.seal import digest_of, is_digest, read_seal
from pubdice.kit import Kit
from pubdice.match import table as tables
from pubdice.match.record import Drawn, Played, Rolled
from pubdice.match.table import Marked, TableEvent, TableState, TakenBack, passed_on
from pubdice.room.event import Event, changed, logged
from pubdice.room.state import Live, RoomState
from pubdice.text.language import Language


@quick
@dataclass(frozen=True, slots=True)
class Moved(Event):
    """Something happened in the match. Its line of the log is the match table's own (``match.table.write_event``)."""

    stages = ("playing", "over")
    event: tables.TableEvent

    def fits(self, state: RoomState) -> bool:
        gone_on = bool(state.rematch) and (state.stage == "playing" or isinstance(self.event, TakenBack))
        return not state.paused_at and not gone_on and all(chair.kind != "empty" for chair in state.chairs)

    def after(self, kit: Kit, state: RoomState, at: int) -> RoomState:
        live = state.match
        assert live is not None, "a move is possible only in a match"
        return moved(state, live, self.event, live.table.apply(live.state, self.event), at)


_live = maker(Live)


def moved(state: RoomState, live: Live, event: TableEvent, play: TableState, at: int) -> RoomState:
    """The state after an event of the match. live: the match before the event. play: the match table's state after."""
    table, before = live.table, live.state
    seq, rolls, rolled = state.seq + 1, state.rolls, state.rolled
    if isinstance(event, Rolled):
        rolls, rolled = rolls + 1, before.mover
    drawn = event.seat if isinstance(event, Drawn) else state.drawn
    live = _live(table, play)
    dice_version = state.dice_version if isinstance(event, Marked) else seq
    after: dict[str, Any] = {
        "match": live,
        "seq": seq,
        "at": at,
        "moved_at": at,
        "dice_version": dice_version,
        "rolls": rolls,
        "rolled": rolled,
        "drawn": drawn,
    }
    if state.turns is not None and isinstance(event, Drawn | Rolled | Played):
        after["turns"] = state.turns.after(table.match, before.match, event, play.match)
    if not passed_on(before, play):
        return state.but(**after)
    layout_changed = play.match.over != before.match.over or state.timed_out_seat is not None
    layout_version = seq if layout_changed else state.layout_version
    return state.but(**after, turn_at=at, timed_out_seat=None, stood_up=(), layout_version=layout_version)


@dataclass(frozen=True, slots=True)
class SealOpened(Event):
    """The match is over, and the house opened its seed, in hex."""

    log = logged("opened", seed=str)
    stages = ("over",)
    seed: str

    def fits(self, state: RoomState) -> bool:
        return opens(state, self.seed)

    def after(self, kit: Kit, state: RoomState, at: int) -> RoomState:
        return changed(state, at, house_seed=self.seed)

    def said(self, language: Language, before: RoomState, after: RoomState, you: int | None) -> str:
        return language.say("The seal is open: everybody can check the dice.")


def opens(state: RoomState, seed: str) -> bool:
    """True for the seed under the seal, which has not been opened."""
    sealed = state.setup.dice == "sealed" and not state.house_seed
    return sealed and is_digest(seed) and digest_of(seed) == read_seal(state.setup.seal).digest
