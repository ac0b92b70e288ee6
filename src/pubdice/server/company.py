"""The company at a table, told and shown: who comes, goes and is waited for, pauses, calls, and the evening's tally.

What a match is like is not told here, and nothing is decided.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from pubdice.kit import Kit
from pubdice.party import PartyState
from pubdice.party import events as happened
from pubdice.party.chain import evening, owners
from pubdice.party.gathering import missing, most_chairs
from pubdice.party.setup import Row
from pubdice.server.wire import Evening, React, Say, SeatView, Standing, Told, View
from pubdice.words import Language, sentence

PHRASES = ("Cheers!", "Ouch", "Lucky!", "Come on", "Nice!", "Oh no")
"""What may be called across the table."""


def told(language: Language, before: PartyState, event: happened.Event, after: PartyState) -> list[Say] | None:
    """What an event about the company is worth saying; None for one that is told elsewhere."""
    said = _gathered(language, before, event, after)
    if said is None:
        said = _changed(language, before, event, after)
    return None if said is None else [Say(sentence(said))] if said else []


def _gathered(language: Language, before: PartyState, event: happened.Event, after: PartyState) -> str | None:
    """Of the time before a match: who comes and goes; empty for what nobody needs to hear."""
    say = language.say
    if after.play is not None or not after.setup.grows:
        return say("{name} sat down.", name=event.name) if isinstance(event, happened.Shared) else None
    if isinstance(event, happened.Sat | happened.Shared | happened.Botted):
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


def _changed(language: Language, before: PartyState, event: happened.Event, after: PartyState) -> str | None:
    """Of what somebody has changed."""
    say = language.say
    if isinstance(event, happened.Ruled):
        return say("The rules have changed.")
    if isinstance(event, happened.Admitted):
        return say("New people can sit down again.")
    if isinstance(event, happened.Queued):
        return say("{name} wants to play in the next match.", name=event.name)
    if isinstance(event, happened.Reopened):
        return say("{name} wants a rematch.", name=dict(before.queue)[event.person])
    if isinstance(event, happened.Unqueued):
        return say("{name} was removed.", name=dict(before.queue)[event.person])
    if isinstance(event, happened.Shifted):
        return (
            say("{name} has a new place in the order.", name=after.chairs[event.to].name)
            if event.to
            else say("{name} goes first from now on.", name=after.chairs[0].name)
        )
    if isinstance(event, happened.Renamed):
        return say("{other} is now called {name}.", other=before.chairs[event.seat].name, name=event.name)
    texts = {
        happened.Readied: "{name} is ready.",
        happened.Unreadied: "{name} is not ready yet.",
        happened.HandedOver: "{name} is the host now.",
        happened.Paused: "{name} calls a pause.",
        happened.Unpaused: "{name} goes on: the pause is over.",
        happened.Followed: "{name} is in for the rematch.",
    }
    text = texts.get(type(event))
    if text is None:
        return None
    seat = getattr(event, "seat")  # noqa: B009 - each of these has one
    return say(text, name=after.chairs[seat].name)


def called(language: Language, state: PartyState, seat: int, phrase: int) -> tuple[Say, React]:
    """A call across the table, to be said and to be shown."""
    name, text = state.chairs[seat].name, language.say(PHRASES[phrase])
    return Say(language.say("{name}: {text}", name=name, text=text), level=-1), React(seat, phrase, text)


def show(view: View, language: Language, kit: Kit, state: PartyState, evening: Evening | None) -> View:
    """A view with all that is about the company. evening: the tally, which is another only where ``shape`` is."""
    if state.play is None or state.rematch:
        view.seats = [_seat(language, state, seat, shown) for seat, shown in enumerate(view.seats)]
    view.evening = evening
    if state.queue:
        view.queue = [name for _, name in state.queue]
    if state.play is None:
        view.grows = state.setup.grows
        view.missing = missing(kit, state)
        empty = any(chair.kind == "empty" and not chair.awaited for chair in state.chairs)
        view.room = empty or len(state.chairs) < most_chairs(kit, state)
    if state.paused_at:
        view.paused = Told(language.say("The table is paused."))
    return view


def _seat(language: Language, state: PartyState, seat: int, shown: SeatView) -> SeatView:
    """A seat with who is ready, who is waited for, and who has gone to the next table."""
    chair, note = state.chairs[seat], shown.note
    if chair.awaited:
        note = language.say("still to come")
    elif state.rematch and chair.people:
        note = language.say("is in") if seat in state.inside else language.say("still looking")
    elif not chair.ready:
        return shown
    return replace(shown, note=note, awaited=bool(chair.awaited), ready=chair.ready)


def tally(language: Language, state: PartyState) -> Evening | None:
    """What the matches so far have come to; None before the first is over."""
    games, rows = evening(state)
    if not games:
        return None
    seats = {place: seat for seat, place in owners(rows, state.chairs).items()}
    standings = [
        Standing(row.name, seats.get(place), row.wins, row.rounds, row.chips, row.drinks)
        for place, row in enumerate(rows)
    ]
    return Evening(games, standings, _lead(language, rows))


def _lead(language: Language, rows: Sequence[Row]) -> str:
    """Who has won most matches."""
    most = max((row.wins for row in rows), default=0)
    names = [row.name for row in rows if row.wins == most]
    if not most or len(names) == len(rows) > 1:
        return language.say("Nobody leads yet.")
    if len(names) == 1:
        return language.say("{name} leads", name=names[0])
    return language.say("{names} lead", names=language.join(names))
