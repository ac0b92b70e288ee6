"""What is said aloud at a table: every event once, in short sentences, in one language. Decides nothing."""

from collections import deque
from collections.abc import Mapping, Sequence
from typing import assert_never

from pubdice.core.game import Seat
from pubdice.kit import Kit
from pubdice.match.narrate import Narrator
from pubdice.match.record import Drawn, Move
from pubdice.match.table import Marked, Table, TakenBack
from pubdice.room import Live, RoomState, Step
from pubdice.room import events as happened
from pubdice.server.show import company
from pubdice.server.wire import Say
from pubdice.text.language import Language, sentence

LATELY = 4
"""Steps of a table whose sentences are kept."""
SeatChange = (
    happened.Sat | happened.Shared | happened.BotSeated | happened.Left | happened.Removed
    | happened.BotSubstituted | happened.Resumed | happened.Voted | happened.TimedOut
)  # fmt: skip
"""Events that change who plays at one seat, or are about to."""


class Announcer:
    """Tells of one table in one language, and remembers what it said of the latest steps: every view says it again.

    _lately: by step, found by identity, as the views of one broadcast share the step. _narrators: of the match with the
    names of now, to all (None) and to each seat; they begin again with another match or other names.
    """

    __slots__ = ("_lately", "_narrators", "kit", "language")

    def __init__(self, language: Language, kit: Kit) -> None:
        self.language, self.kit = language, kit
        self._lately: deque[tuple[Step, list[Say]]] = deque(maxlen=LATELY)
        self._narrators: dict[int | None, Narrator] = {}

    def narrator(self, table: Table, seat: int | None = None) -> Narrator:
        """Who tells of a match, with the names of now: to all, or to a seat."""
        every = self._narrators.get(None)
        if every is None or every.match is not table.match or every.names is not table.names:
            self._narrators.clear()
            every = Narrator(self.language, self.kit.words, table.match, table.names, turns=True)
            self._narrators[None] = every
        if seat is None:
            return every
        found = self._narrators.get(seat)
        if found is None:
            found = self._narrators[seat] = every.to(seat)
        return found

    def tell(self, steps: Sequence[Step], gone: Mapping[int, int]) -> list[Say]:
        """What one command's steps are worth saying, and what to do next. gone: who is away since when."""
        said: list[Say] = []
        for step in steps:
            event = step.line.event
            said += (self._vote(step, event, gone) if isinstance(event, happened.Voted) else []) or self.told(step)
        return [*said, *self.next(steps[0].before, steps[-1].after)] if steps else said

    def _vote(self, step: Step, event: happened.Voted, gone: Mapping[int, int]) -> list[Say]:
        """A vote, and how far it goes with those present; nothing of one that is past."""
        chairs = step.after.chairs
        if event.absent not in gone:
            return []
        votes, needed = step.after.ballot(event.absent, gone)
        text = "{name} votes for a bot to play for {other}: {votes} of {needed}."
        names = {"name": chairs[event.seat].name, "other": chairs[event.absent].name}
        return [Say(self.language.say(text, **names, votes=votes, needed=needed))]

    def told(self, step: Step) -> list[Say]:
        """What one event is worth saying."""
        for known, said in self._lately:
            if known is step:
                return said
        said = self._told(step)
        self._lately.append((step, said))
        return said

    def _told(self, step: Step) -> list[Say]:
        """As ``told``. With ``assert_never`` mypy finds an event that is missing."""
        before, event, after = step.before, step.line.event, step.after
        if isinstance(event, happened.Moved):  # first, as nearly all events are moves
            return self._moved(before, event, after)
        gathered = company.gathered(self.language, before, event, after)
        if gathered is not None:
            return gathered
        match event:
            case happened.Started():
                return self._begins(after)
            case happened.Retimed() | happened.Fixed():
                return []  # whose turn it is, which is said next, is all there is to say
            case happened.BotPaceSet():
                return [self._pace(event)]
            case happened.Nudged():
                return [self._nudge(event, after)]
            case happened.Joined():
                text = "{name} has this seat on another phone too."
                return [Say(self.language.say(text, name=after.chairs[event.seat].name))]
            case happened.Closed():
                one, many = "There is {number} seat now.", "There are {number} seats now."
                return [Say(self.language.count(one, many, len(after.chairs)))]
            case happened.Rematched():
                wants = self.language.say("{name} wants a rematch.", name=after.chairs[event.seat].name)
                return [Say(wants), Say(self.language.say("Press Space to join."), level=1)]
            case (
                happened.Sat() | happened.Shared() | happened.BotSeated() | happened.Left() | happened.Removed()
                | happened.BotSubstituted() | happened.Resumed() | happened.Voted() | happened.TimedOut()
            ):  # fmt: skip
                return [Say(sentence(self._seated(before, event, after)))]
            case (
                happened.Ruled() | happened.Admitted() | happened.Queued() | happened.Reopened() | happened.Unqueued()
                | happened.Shifted() | happened.Renamed() | happened.Readied() | happened.Unreadied()
                | happened.HandedOver() | happened.Paused() | happened.Unpaused() | happened.Followed()
                | happened.Committed() | happened.Seeded() | happened.SealOpened()
            ):  # fmt: skip
                return [Say(sentence(company.changed(self.language, before, event, after)))]
            case _:
                assert_never(event)

    def _moved(self, before: RoomState, event: happened.Moved, after: RoomState) -> list[Say]:
        if isinstance(event.event, Marked):
            return []
        if isinstance(event.event, TakenBack):
            return [Say(self.language.say("Undone."))]
        told = self._narrated(before, event.event, after)
        return [*told, *self._sides(after)] if isinstance(event.event, Drawn) else told

    def _narrated(self, before: RoomState, move: Move, after: RoomState) -> list[Say]:
        """A move, to all, and to the people it is about: the mover, and everybody where a round ends."""
        if before.match is None or after.match is None:
            raise ValueError(f"a move outside a match: {move}")
        table, inner, then = before.match.table, before.match.state.match, after.match.state.match
        told = [Say(text) for text in self.narrator(table).tell(inner, move, then)]
        all_seats, mover = range(len(before.chairs)), before.match.state.mover
        about = all_seats if then.over or then.number != inner.number else [mover]
        if isinstance(move, Drawn):
            about = [move.seat]
        for seat in about:
            if seat is None or not before.chairs[seat].people or before.plays(Seat(seat)):
                continue
            for say, text in zip(told, self.narrator(table, seat).tell(inner, move, then), strict=True):
                if text != say.text:
                    say.own[seat] = text
        if then.over:
            players = [seat for seat, chair in enumerate(after.chairs) if chair.people]
            told.append(Say("", 1, own=dict.fromkeys(players, self.language.say("Space: rematch."))))
        return told

    def next(self, before: RoomState, after: RoomState) -> list[Say]:
        """What to do now, if that is news: whose turn it is, or the mover's choice."""
        live = after.match
        if live is None or live.state.match.over:
            return []
        mover, match, inner = live.state.mover, live.table.match, live.state.match
        plays = mover is not None and after.plays(mover)
        resumed = mover is not None and not plays and before.plays(mover)
        past = before.match
        if past is None or past.state.mover != mover or before.turn_at != after.turn_at or resumed:
            return [self._turn(after, live), *self._hint(after, live)]
        if mover is None or past.state.match is inner:
            return []
        if live.table.dice == "real" and match.to_roll(inner):
            return [self._rolls(after, live, mover)]
        if plays:
            return []
        if live.state.legal:
            *known, question = self.kit.words.to_choose(self.language, match.game, inner.round)
            asked = Say("", level=-1, own={mover: question})  # in brief too: a choice one does not know of is lost
            return [*[Say(said, level=2) for said in known], asked, *self._hint(after, live)]
        return []

    def _hint(self, state: RoomState, live: Live) -> list[Say]:
        """What else the mover may want to know at a decision."""
        mover = live.state.mover
        if mover is None or state.plays(mover) or not live.state.legal:
            return []
        said = self.kit.words.hint(self.language, live.table.match.game, live.state.match.round)
        return [Say(said, level=2)] if said else []

    def _rolls(self, state: RoomState, live: Live, mover: Seat) -> Say:
        """With real dice: what to roll, for a bot too."""
        inner, match, name = live.state.match, live.table.match, state.names[mover]
        texts = "Roll {number} die for {name}.", "Roll {number} dice for {name}."
        if not state.plays(mover):
            texts = "{name} rolls {number} die.", "{name} rolls {number} dice."
        said = Say(self.language.count(*texts, match.to_roll(inner), name=name), level=-1)
        if not state.plays(mover):
            said.own = {mover: self.kit.words.to_roll(self.language, match.game, inner.round)}
        return said

    def _turn(self, state: RoomState, live: Live) -> Say:
        """Whose turn it is, as it begins; to the mover, what to do."""
        mover, inner, match = state.mover, live.state.match, live.table.match
        if mover is None:
            return Say(self.language.say("Draw Player 1."), level=-1)
        turn = Say(self.language.say("{name}'s turn.", name=state.names[mover]), level=-1)
        if not state.plays(mover):
            words = self.kit.words
            said = (words.to_roll if match.to_roll(inner) else words.ask)(self.language, match.game, inner.round)
            turn.own = {mover: self.language.say("Your turn. {said}", said=said)}
        elif live.table.dice == "real" and match.to_roll(inner):
            turn.text += " " + self._rolls(state, live, mover).text
        return turn

    def _begins(self, after: RoomState) -> list[Say]:
        """A match begins: what is played, who plays which side, and its first round."""
        live = after.match
        if live is None:
            raise ValueError("a match that began is not there")
        narrator, inner = self.narrator(live.table), live.state.match
        opens = "" if inner.round is None else narrator.round_opens(inner)
        begins = Say(self.language.say("The match begins."))
        return [begins, Say(narrator.opening(), level=1), *self._sides(after), *([Say(opens)] if opens else [])]

    def _pace(self, event: happened.BotPaceSet) -> Say:
        """How long bots wait from now on."""
        seconds = event.ms / 1000
        pace = self.language.number(seconds, len(f"{seconds:g}".partition(".")[2]))
        texts = "Bots wait {pace} second.", "Bots wait {pace} seconds."
        waits = self.language.count(*texts, 1 if event.ms == 1000 else 2, pace=pace)
        return Say(waits if event.ms else self.language.say("Bots do not wait."), level=1)

    def _nudge(self, event: happened.Nudged, after: RoomState) -> Say:
        """A player reminds the mover, before all."""
        other = "" if after.mover is None else after.chairs[after.mover].name
        text = "{name} nudges {other}: your turn!"
        return Say(self.language.say(text, name=after.chairs[event.seat].name, other=other), urgent=True)

    def side(self, state: RoomState, seat: int) -> str:
        """What the game calls a seat's side, where just so many play as it has sides; empty otherwise."""
        sides, order = self.kit.words.sides, state.turn_order
        if len(state.chairs) != len(sides) or seat not in order:
            return ""
        return self.language.say(sides[order.index(Seat(seat))])

    def _sides(self, state: RoomState) -> list[Say]:
        """Who plays which side, in turn order."""
        say, order = self.language.say, state.turn_order
        sides = [say("{name} plays {side}", name=state.names[seat], side=self.side(state, seat)) for seat in order]
        return [Say(", ".join(sides) + ".")] if order and self.side(state, order[0]) else []

    def _seated(self, before: RoomState, event: SeatChange, after: RoomState) -> str:
        """Who has a seat now, who had it, or who plays for them."""
        say, chair = self.language.say, after.chairs[event.seat]
        match event:
            case happened.Sat() | happened.BotSeated():
                bot, old = isinstance(event, happened.BotSeated), before.chairs[event.seat].name
                if old:
                    text = "A bot, {name}, takes over from {other}." if bot else "{name} takes over from {other}."
                    return say(text, name=event.name, other=old)
                return say("A bot, {name}, sat down." if bot else "{name} sat down.", name=event.name)
            case happened.Shared():
                return say("{name} sat down.", name=event.name)
            case happened.Left():
                return say("{name} leaves.", name=before.chairs[event.seat].name)
            case happened.Removed():
                return say("{name} was removed.", name=before.chairs[event.seat].name)
            case happened.BotSubstituted():
                return say("A bot ({bot}) plays for {name}.", bot=event.bot.capitalize(), name=chair.name)
            case happened.Resumed():
                return say("{name} plays again.", name=chair.name)
            case happened.Voted():
                names = {"name": chair.name, "other": after.chairs[event.absent].name}
                return say("{name} votes for a bot to play for {other}.", **names)
            case happened.TimedOut():
                return say("Time is up: a bot plays this turn for {name}.", name=chair.name)
            case _:
                assert_never(event)


def here(language: Language, names: Sequence[str], present: Sequence[bool]) -> list[str]:
    """Who is here and who is away, as W answers."""
    seats = list(zip(names, present, strict=True))
    said, away = (
        [name for name, there in seats if name and there],
        [name for name, there in seats if name and not there],
    )
    told = [language.say("Here: {names}.", names=language.join(said))] if said else []
    return [*told, language.say("Away: {names}.", names=language.join(away))] if away else told
