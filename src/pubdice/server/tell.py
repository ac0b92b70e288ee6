"""What is said aloud at a table: every event once, in short sentences, in one language. Decides nothing."""

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pubdice.game import Seat
from pubdice.kit import Kit
from pubdice.narrate import Narrator
from pubdice.party import PartyState, Step
from pubdice.party import events as happened
from pubdice.record import Drawn, Move
from pubdice.server import company
from pubdice.server.wire import Say
from pubdice.table import Marked, TakenBack
from pubdice.words import Language, sentence

LATELY = 4
"""Steps of a table whose sentences are kept."""


@dataclass(frozen=True, slots=True)
class Teller:
    """Tells of one table in one language.

    lately: the latest steps and what was said of them, as every view says it again. narrators: of the match with the
    names of now, to all (None) and to each seat: of one table and names at a time.
    """

    language: Language
    kit: Kit
    lately: deque[tuple[Step, list[Say]]] = field(default_factory=lambda: deque(maxlen=LATELY))
    narrators: dict[int | None, Narrator] = field(default_factory=dict)

    def narrator(self, state: PartyState, seat: int | None = None) -> Narrator:
        """Who tells of a match that has begun, with the names of now: to all, or to a seat."""
        assert state.table is not None, "a match is under way"
        every = self.narrators.get(None)
        if every is None or every.match is not state.table.match or every.names is not state.table.names:
            self.narrators.clear()
            every = Narrator(self.language, self.kit.words, state.table.match, state.table.names, turns=True)
            self.narrators[None] = every
        if seat is None:
            return every
        found = self.narrators.get(seat)
        if found is None:
            found = self.narrators[seat] = every.to(seat)
        return found

    def tell(self, steps: Sequence[Step], gone: Mapping[int, int]) -> list[Say]:
        """What one command's steps are worth saying, and what is to be done next. gone: who is away since when."""
        said = [say for step in steps for say in self._vote(step, gone) or self.told(step)]
        return [*said, *self.next(steps[0].before, steps[-1].after)] if steps else said

    def _vote(self, step: Step, gone: Mapping[int, int]) -> list[Say]:
        """A vote, and how far it goes with those present; nothing of anything else, or of one that is past."""
        event, chairs = step.line.event, step.after.chairs
        if not isinstance(event, happened.Voted) or event.absent not in gone:
            return []
        votes, needed = step.after.ballot(event.absent, gone)
        text = "{name} votes for a bot to play for {other}: {votes} of {needed}."
        names = {"name": chairs[event.seat].name, "other": chairs[event.absent].name}
        return [Say(self.language.say(text, **names, votes=votes, needed=needed))]

    def told(self, step: Step) -> list[Say]:
        """What one event is worth saying."""
        for known, said in self.lately:
            if known is step:
                return said
        said = self._told(step)
        self.lately.append((step, said))
        return said

    def _told(self, step: Step) -> list[Say]:
        before, event, after = step.before, step.line.event, step.after
        if not isinstance(event, happened.Moved):
            return self._people(before, event, after)
        if isinstance(event.event, Marked):
            return []
        if isinstance(event.event, TakenBack):
            return [Say(self.language.say("Undone."))]
        assert before.play is not None, "a match is under way"
        assert after.play is not None, "a match is under way"
        told = self._narrated(before, event.event, after)
        return [*told, *self._sides(after)] if isinstance(event.event, Drawn) else told

    def _narrated(self, before: PartyState, move: Move, after: PartyState) -> list[Say]:
        """A move, to all, and to the people it is about: the mover, and everybody where a round ends."""
        assert before.play is not None, "a match is under way"
        assert after.play is not None, "a match is under way"
        inner, then = before.play.match, after.play.match
        told = [Say(text) for text in self.narrator(before).tell(inner, move, then)]
        about = range(len(before.chairs)) if then.over or then.number != inner.number else [before.mover]
        if isinstance(move, Drawn):
            about = [move.seat]
        for seat in about:
            if seat is None or not before.chairs[seat].people or before.plays(Seat(seat)):
                continue
            for say, text in zip(told, self.narrator(before, seat).tell(inner, move, then), strict=True):
                if text != say.text:
                    say.own[seat] = text
        if then.over:
            players = [seat for seat, chair in enumerate(after.chairs) if chair.people]
            told.append(Say("", 1, own=dict.fromkeys(players, self.language.say("Space: rematch."))))
        return told

    def next(self, before: PartyState, after: PartyState) -> list[Say]:
        """What is to be done now, if that is news: whose turn it is, or what the mover still needs."""
        if after.stage != "playing" or after.play is None or after.table is None:
            return []
        mover, match = after.mover, after.table.match
        resumed = mover is not None and before.plays(mover) and not after.plays(mover)
        if before.play is None or before.mover != mover or before.turn_at != after.turn_at or resumed:
            return [self.turn(after), *self._hint(after)]
        if mover is None or before.play.match is after.play.match:
            return []
        if after.table.dice == "real" and match.to_roll(after.play.match):
            return [self._rolls(after, mover)]
        if after.plays(mover):
            return []
        if match.legal(after.play.match):
            needs = self.kit.words.needs(self.language, match.game, after.play.match.round, "")
            return [*([Say(needs, level=2)] if needs else []), *self._hint(after)]
        return []

    def _hint(self, state: PartyState) -> list[Say]:
        """What else the mover may want to know at a decision."""
        assert state.play is not None, "a match is under way"
        assert state.table is not None, "a match is under way"
        mover, inner, match = state.mover, state.play.match, state.table.match
        if mover is None or state.plays(mover) or not match.legal(inner):
            return []
        said = self.kit.words.hint(self.language, match.game, inner.round)
        return [Say(said, level=2)] if said else []

    def _rolls(self, state: PartyState, mover: Seat) -> Say:
        """With real dice: what is to be rolled, for a bot too."""
        assert state.play is not None, "a match is under way"
        assert state.table is not None, "a match is under way"
        inner, match, name = state.play.match, state.table.match, state.names[mover]
        texts = "Roll {number} die for {name}.", "Roll {number} dice for {name}."
        if not state.plays(mover):
            texts = "{name} rolls {number} die.", "{name} rolls {number} dice."
        said = Say(self.language.count(*texts, match.to_roll(inner), name=name), level=-1)
        if not state.plays(mover):
            said.own = {mover: self.kit.words.to_roll(self.language, match.game, inner.round)}
        return said

    def turn(self, state: PartyState) -> Say:
        """Whose turn it is, as it begins; to the mover, what is to be done."""
        assert state.play is not None, "a match is under way"
        assert state.table is not None, "a match is under way"
        mover, inner, match = state.mover, state.play.match, state.table.match
        if mover is None:
            return Say(self.language.say("Draw Player 1."), level=-1)
        turn = Say(self.language.say("{name}'s turn.", name=state.names[mover]), level=-1)
        if not state.plays(mover):
            words = self.kit.words
            said = (words.to_roll if match.to_roll(inner) else words.ask)(self.language, match.game, inner.round)
            turn.own = {mover: self.language.say("Your turn. {said}", said=said)}
        elif state.table.dice == "real" and match.to_roll(inner):
            turn.text += " " + self._rolls(state, mover).text
        return turn

    def _people(self, before: PartyState, event: happened.Event, after: PartyState) -> list[Say]:
        known = company.told(self.language, before, event, after)
        if known is not None:
            return known
        say = self.language.say
        if isinstance(event, happened.Started):
            narrator = self.narrator(after)
            assert after.play is not None, "it has just begun"
            opens = "" if after.play.match.round is None else narrator.round_opens(after.play.match)
            begins = [Say(say("The match begins.")), Say(narrator.opening(), level=1), *self._sides(after)]
            return [*begins, Say(opens)] if opens else begins
        if isinstance(event, happened.Paced):
            seconds = event.ms / 1000
            pace = self.language.number(seconds, len(f"{seconds:g}".partition(".")[2]))
            texts = "Bots wait {pace} second.", "Bots wait {pace} seconds."
            waits = self.language.count(*texts, 1 if event.ms == 1000 else 2, pace=pace)
            return [Say(waits if event.ms else say("Bots do not wait."), level=1)]
        if isinstance(event, happened.Joined):
            return [Say(say("{name} has this seat on another phone too.", name=after.chairs[event.seat].name))]
        if isinstance(event, happened.Closed):
            one, many = "There is {number} seat now.", "There are {number} seats now."
            return [Say(self.language.count(one, many, len(after.chairs)))]
        if isinstance(event, happened.Nudged):
            mover = after.mover
            other = "" if mover is None else after.chairs[mover].name
            return [
                Say(
                    say("{name} nudges {other}: your turn!", name=after.chairs[event.seat].name, other=other),
                    urgent=True,
                )
            ]
        if isinstance(event, happened.Rematched):
            laid = Say(say("{name} wants a rematch.", name=after.chairs[event.seat].name))
            return [laid, Say(say("Press Space to join."), level=1)]
        return [Say(sentence(self._seated(before, event, after)))]

    def side(self, state: PartyState, seat: int) -> str:
        """What the game calls a seat's side, where just so many play as it has sides; empty otherwise."""
        sides = self.kit.words.sides
        if len(state.chairs) != len(sides) or state.play is None or seat not in state.play.match.order:
            return ""
        return self.language.say(sides[state.play.match.order.index(Seat(seat))])

    def _sides(self, state: PartyState) -> list[Say]:
        """Who plays which side, in turn order."""
        say, order = self.language.say, state.play.match.order if state.play else ()
        sides = [say("{name} plays {side}", name=state.names[seat], side=self.side(state, seat)) for seat in order]
        return [Say(", ".join(sides) + ".")] if order and self.side(state, order[0]) else []

    def _seated(self, before: PartyState, event: happened.Event, after: PartyState) -> str:
        say = self.language.say
        if isinstance(event, happened.Sat | happened.Botted):
            bot, old = isinstance(event, happened.Botted), before.chairs[event.seat].name
            if old:
                text = "A bot, {name}, takes over from {other}." if bot else "{name} takes over from {other}."
                return say(text, name=event.name, other=old)
            return say("A bot, {name}, sat down." if bot else "{name} sat down.", name=event.name)
        if isinstance(event, happened.Left | happened.Removed):
            text = "{name} leaves." if isinstance(event, happened.Left) else "{name} was removed."
            return say(text, name=before.chairs[event.seat].name)
        if isinstance(event, happened.StoodIn):
            facts = {"bot": event.bot.capitalize(), "name": after.chairs[event.seat].name}
            return say("A bot ({bot}) plays for {name}.", **facts)
        if isinstance(event, happened.Resumed):
            return say("{name} plays again.", name=after.chairs[event.seat].name)
        if isinstance(event, happened.Voted):
            names = {"name": after.chairs[event.seat].name, "other": after.chairs[event.absent].name}
            return say("{name} votes for a bot to play for {other}.", **names)
        if isinstance(event, happened.TimedOut):
            return say("Time is up: a bot plays this turn for {name}.", name=after.chairs[event.seat].name)
        raise AssertionError(event)


def here(language: Language, names: Sequence[str], present: Sequence[bool]) -> list[str]:
    """Who is here and who is away, as W answers."""
    seats = list(zip(names, present, strict=True))
    said, away = (
        [name for name, there in seats if name and there],
        [name for name, there in seats if name and not there],
    )
    told = [language.say("Here: {names}.", names=language.join(said))] if said else []
    return [*told, language.say("Away: {names}.", names=language.join(away))] if away else told
