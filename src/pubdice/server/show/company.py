"""The company at a table, told and shown: who comes, goes and is waited for, pauses, calls, and the evening's tally.

What a match is like is not told here, and nothing is decided.
"""

from collections.abc import Sequence
from typing import assert_never

from msgspec.structs import replace

from pubdice.core.seal import NO_SEED, read_seal
from pubdice.kit import Kit
from pubdice.match.sealed_record import AWAY, BOT, TYPED, with_seeds
from pubdice.room import Room, RoomState
from pubdice.room import events as happened
from pubdice.room.line_up import evening, owners, plans_alone
from pubdice.room.lobby import missing, most_chairs
from pubdice.room.sealing import players, unopened, unseeded
from pubdice.room.setup import Row
from pubdice.server.show.line_up_told import planned
from pubdice.server.wire import Evening, React, Say, SealView, SeatView, Standing, Told, View
from pubdice.text.language import Language, sentence
from pubdice.text.word_lists import seal_words

PHRASES = ("Cheers!", "Ouch", "Lucky!", "Come on", "Nice!", "Oh no")
"""What may be called across the table."""


Night = tuple[Evening | None, str]
"""The tally of an evening, and what its line-up has next, in a line."""
LobbySeatEvent = (
    happened.Readied
    | happened.Unreadied
    | happened.Committed
    | happened.Seeded
    | happened.HandedOver
    | happened.Paused
    | happened.Unpaused
    | happened.Followed
)
"""Changes told in one sentence that names who sits there."""
Changed = (
    LobbySeatEvent | happened.Ruled | happened.Admitted | happened.Queued | happened.Reopened | happened.Unqueued
    | happened.Shifted | happened.Renamed | happened.SealOpened
)  # fmt: skip
"""What somebody has changed at the table; ``changed`` tells of it."""


def gathered(language: Language, before: RoomState, event: happened.Event, after: RoomState) -> list[Say] | None:
    """Of the time before a match, who comes and goes: what is worth saying of it; None for what is told elsewhere.

    A phone that opens its seed has told of it before, and people wait for nobody then but a phone.
    """
    if isinstance(event, happened.Seeded) and before.fixed:
        return []
    if isinstance(event, happened.Fixed) and (line := waiting(language, after)):
        return [Say(line)]
    said = _gathered(language, before, event, after)
    return None if said is None else [Say(sentence(said))] if said else []


def _gathered(language: Language, before: RoomState, event: happened.Event, after: RoomState) -> str | None:
    """As ``gathered``, in words; empty for what nobody needs to hear."""
    say = language.say
    if after.match is not None or not after.setup.grows:
        return None
    if isinstance(event, happened.Sat | happened.Shared | happened.BotSeated):
        there = sum(chair.kind != "empty" for chair in after.chairs)
        one, many = "{name} sat down. {number} at the table.", "{name} sat down. {number} at the table."
        return language.count(one, many, there, name=event.name)
    if isinstance(event, happened.Joined) and any(event.person in kept.people for kept in after.setup.expected):
        return ""
    if isinstance(event, happened.Closed):
        gone = before.chairs[event.seat]
        if gone.kind == "bot":
            return say("{name} leaves.", name=gone.name)
        return say("{name} sits this one out.", name=gone.name) if gone.awaited else ""
    if isinstance(event, happened.Removed) and not before.chairs[event.seat].people:
        return say("{name} was removed.", name=before.chairs[event.seat].name)
    return None


def changed(language: Language, before: RoomState, event: Changed, after: RoomState) -> str:
    """Tells what somebody has changed. With ``assert_never`` mypy finds an event that is missing."""
    say = language.say
    match event:
        case happened.Ruled():
            if plans_alone(before.setup, after.setup):
                return say("The list of games has changed.")
            return say("The rules have changed.")
        case happened.Admitted():
            return say("New people can sit down again.")
        case happened.Queued():
            return say("{name} wants to play in the next match.", name=event.name)
        case happened.SealOpened():
            return say("The seal is open: everybody can check the dice.")
        case happened.Reopened():
            return say("{name} wants a rematch.", name=dict(before.queue)[event.person])
        case happened.Unqueued():
            return say("{name} was removed.", name=dict(before.queue)[event.person])
        case happened.Shifted():
            return (
                say("{name} has a new place in the order.", name=after.chairs[event.to].name)
                if event.to
                else say("{name} goes first from now on.", name=after.chairs[0].name)
            )
        case happened.Renamed():
            return say("{other} is now called {name}.", other=before.chairs[event.seat].name, name=event.name)
        case _:
            return _seated(language, event, after.chairs[event.seat].name)


def _seated(language: Language, event: LobbySeatEvent, name: str) -> str:
    say = language.say
    match event:
        case happened.Readied():
            return say("{name} is ready.", name=name)
        case happened.Committed() if event.digest == NO_SEED:
            return say("{name} adds no seed to the dice.", name=name)
        case happened.Committed() | happened.Seeded():
            return say("{name} has added a seed to the dice.", name=name)
        case happened.Unreadied():
            return say("{name} is not ready yet.", name=name)
        case happened.HandedOver():
            return say("{name} is the host now.", name=name)
        case happened.Paused():
            return say("{name} calls a pause.", name=name)
        case happened.Unpaused():
            return say("{name} goes on: the pause is over.", name=name)
        case happened.Followed():
            return say("{name} is in for the rematch.", name=name)
        case _:
            assert_never(event)


def called(language: Language, state: RoomState, seat: int, phrase: int) -> tuple[Say, React]:
    """A call across the table, to be said and to be shown."""
    name, text = state.chairs[seat].name, language.say(PHRASES[phrase])
    return Say(language.say("{name}: {text}", name=name, text=text), level=-1), React(seat, phrase, text)


def show(view: View, language: Language, kit: Kit, state: RoomState, night: Night, *, void: bool = False) -> View:
    """A view with all that is about the company. night: the tally and the line-up, others only where ``shape`` is.

    void: the match cannot go on, as its sealed dice cannot be rolled.
    """
    if state.match is None or state.rematch:
        view.seats = [_seat(language, state, seat, shown) for seat, shown in enumerate(view.seats)]
    view.evening, view.planned = night
    if state.queue:
        view.queue = [name for _, name in state.queue]
    if state.match is None:
        view.grows = state.setup.grows
        view.missing = missing(kit, state)
        empty = any(chair.kind == "empty" and not chair.awaited for chair in state.chairs)
        view.room = empty or len(state.chairs) < most_chairs(kit, state)
    if void:
        view.heading = Told(language.say("This match is void"))
        view.status = Told(language.say("Its seal can't be used any more. Start a new table."))
        view.ask, view.main, view.sure, view.bank = "none", None, None, None
    if state.setup.dice == "sealed":
        view.seal = _seal(language, state)
    if state.paused_at:
        view.paused = Told(language.say("The table is paused."))
    return view


def _seal(language: Language, state: RoomState) -> SealView:
    """The seal of the table's dice, and what each seat's phone does with it before the match."""
    seal, gathering = read_seal(state.setup.seal), state.match is None
    view = SealView(
        words=list(seal_words(seal.shown, language.code)),
        digest=seal.shown,
        seal=seal.write(),
        unseeded=unseeded(state, range(len(state.chairs))) if gathering else [],
        opened=bool(state.house_seed),
        digests=[chair.digest for chair in state.chairs] if gathering and not state.fixed else [],
        unopened=unopened(state) if gathering and state.fixed else [],
        header=state.fixed if gathering else "",
        line=_seal_line(language, state) if gathering else "",
    )
    if state.fixed and not gathering and not state.rolls:
        view.header = with_seeds(state.fixed, state.seeds)
    return view


def waiting(language: Language, state: RoomState) -> str:
    """The phones that have not opened their seeds, in a line; empty if nobody waits for one."""
    waits = unopened(state) if state.fixed else []
    one, many = (
        "Waiting for {names}, whose phone opens its seed.",
        "Waiting for {names}, whose phones open their seeds.",
    )
    names = [state.chairs[seat].name for seat in waits]
    return language.count(one, many, len(waits), names=language.join(names)) if waits else ""


def _seal_line(language: Language, state: RoomState) -> str:
    """Who adds no seed of their own to the dice, or is waited for, in a line; empty if nothing is worth saying."""
    if waits := waiting(language, state):
        return waits
    chairs = state.chairs
    said, how = list[str](), players(state)
    without = [
        chair.name for chair, player in zip(chairs, how, strict=True) if player == AWAY or player.startswith(BOT)
    ]
    if without:
        one, many = "{names} adds no seed to the dice.", "{names} add no seed to the dice."
        said.append(language.count(one, many, len(without), names=language.join(without)))
    typed = [chair.name for chair, player in zip(chairs, how, strict=True) if player == TYPED]
    if typed:
        one, many = "The house knows the seed that {names} typed.", "The house knows the seeds that {names} typed."
        said.append(language.count(one, many, len(typed), names=language.join(typed)))
    return " ".join(said)


def _seat(language: Language, state: RoomState, seat: int, shown: SeatView) -> SeatView:
    """A seat with who is ready, who is waited for, and who has gone to the next table."""
    chair, note = state.chairs[seat], shown.note
    if chair.awaited:
        note = language.say("still to come")
    elif state.rematch and chair.people:
        note = language.say("is in") if seat in state.inside else language.say("still looking")
    elif state.match is None and unseeded(state, [seat]):
        note = language.say("no seed yet")
    elif not chair.ready:
        return shown
    return replace(shown, note=note, awaited=bool(chair.awaited), ready=chair.ready)


def tally(language: Language, kit: Kit, state: RoomState) -> Evening | None:
    """What the matches so far have come to; None before the first is over."""
    games, rows = evening(state)
    if not games:
        return None
    seats = {place: seat for seat, place in owners(rows, state.chairs).items()}
    units = {kind.unit.key: kind.unit.told for kind in kit.formats if kind.unit is not None and kind.unit.told}
    standings = []
    for place, row in enumerate(rows):
        shown = [units[unit](language, amount) for unit, amount in row.takings if unit in units]
        standings.append(Standing(row.name, seats.get(place), row.wins, dict(row.takings), shown))
    return Evening(games, standings, lead(language, rows))


def night(language: Language, room: Room, state: RoomState) -> Night:
    """The tally and the line-up of a table's evening."""
    return tally(language, room.kit, state), planned(language, room, state)


def lead(language: Language, rows: Sequence[Row]) -> str:
    """Who has won most matches, as a heading."""
    most = max((row.wins for row in rows), default=0)
    names = [row.name for row in rows if row.wins == most]
    if not most or len(names) == len(rows) > 1:
        return language.say("Nobody leads yet.")
    if len(names) == 1:
        return language.say("{name} leads", name=names[0])
    return language.say("{names} lead", names=language.join(names))
