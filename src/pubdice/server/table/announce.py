"""The announcements of a table: every event once, in short sentences, in one language. Decides nothing.

First the people: arrivals, absences, pauses, calls, and the evening's tally. Then the match, told by ``match.narrate``.
An event that is no move has its own sentence (``room.event``).
"""

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from msgspec.structs import replace

from pubdice.core.dice import SIX, DieFaces
from pubdice.core.game import Game, Seat
from pubdice.core.seal import read_seal
from pubdice.kit import Kit
from pubdice.match.formats.format import Unit
from pubdice.match.narrate import Narrator
from pubdice.match.record import ChoiceTakenBack, Drawn, Move
from pubdice.match.sealed_record import AWAY, BOT, TYPED, with_seeds
from pubdice.match.table import VERBS, Die, Marked, Table, TakenBack, passed_on
from pubdice.room import Live, Room, RoomState, Step
from pubdice.room import events as happened
from pubdice.room.beginning import waiting
from pubdice.room.chairs import missing, most_chairs
from pubdice.room.line_up import decider, owners
from pubdice.room.next_table import evening
from pubdice.room.seeds import players, unopened, unseeded
from pubdice.room.setup import Row
from pubdice.room.state import unanswered
from pubdice.room.takebacks import question
from pubdice.server.table.line_up_words import planned
from pubdice.server.wire import PHRASES, DieView, Evening, React, Say, SealView, SeatView, Standing, Told, View
from pubdice.text.game_words import Rail, kept_names, told_dice
from pubdice.text.language import Language, sentence
from pubdice.text.word_lists import seal_words

Night = tuple[Evening | None, str]
"""The tally of an evening, and the line-up's next games in one line."""


def by_seats_of(own: dict[int, str], then: RoomState, now: RoomState, *, before: bool = False) -> dict[int, str]:
    """Readdress lines from the seats of ``then`` to the seats of the same people in ``now``.

    If a person has no seat in ``now``, their line is dropped. But if ``before`` is true, ``now`` is an earlier state
    that pages still show, and the line keeps its seat number.
    """
    if not own or then.chairs is now.chairs:
        return own
    found: dict[int, str] = {}
    for seat, text in own.items():
        people = then.chairs[seat].people if seat < len(then.chairs) else ()
        same = seat < len(now.chairs) and bool(people) and people[0] in now.chairs[seat].people
        at = seat if same else now.seat_of(people[0]) if people else None
        if at is not None or before:
            found[seat if at is None else at] = text
    return found


def called(language: Language, state: RoomState, seat: int, phrase: int) -> tuple[Say, React]:
    """Return a call across the table, as a line and as a bubble on the page."""
    name, text = state.chairs[seat].name, language.say(PHRASES[phrase])
    own = {seat: language.say("You: {text}", text=text)}
    return Say(language.say("{name}: {text}", name=name, text=text), level=-1, own=own), React(seat, phrase, text)


def show(view: View, language: Language, kit: Kit, state: RoomState, night: Night, *, void: bool = False) -> View:
    """Add the facts about the people and the evening to a view. ``night`` changes only with ``View.shape``.

    If ``void``, the match cannot go on, because its sealed dice cannot be rolled.
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
        view.status = Told(language.say("The seal of this match can't be used any more. Start a new table."))
        view.ask, view.main, view.sure, view.bank, view.example = "none", None, None, None, ""
    if state.setup.dice == "sealed":
        view.seal = _seal(language, state)
    if state.question is not None:
        view.asked = Told(question(language, state, None))
        view.asked.own = {seat: question(language, state, seat) for seat in range(len(state.chairs))}
        view.answers = list(unanswered(state))
    if state.paused_at:
        view.paused, view.example = Told(language.say("The table is paused.")), ""
    return view


def _seal(language: Language, state: RoomState) -> SealView:
    """Return the seal of the table's dice, with the progress of each phone's seed before the match."""
    seal, gathering = read_seal(state.setup.seal), state.match is None
    view = SealView(
        words=list(seal_words(seal.public_digest, language.code)),
        digest=seal.public_digest,
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


def _seal_line(language: Language, state: RoomState) -> str:
    """Return a line on seats still waited for, or else on seats without a secret seed of their own. It may be empty."""
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
    """Return a seat's view with its note: ready, awaited, or gone to the next table."""
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


MANY = 4
"""With this many players, the result of one match does not name a buyer."""


def read_by(person: str | None, rows: Sequence[Row]) -> tuple[Row, ...]:
    """Return the tally as a person reads it. Their own row gets no name, unless they share a phone with another row."""
    own = [row for row in rows if person in row.people]
    return tuple(Row("", row.people, row.wins, row.takings) if own == [row] else row for row in rows)


def tally(language: Language, room: Room, state: RoomState, reader: str | None = None) -> Evening | None:
    """Return the tally of the matches so far, None before the first match is over. It addresses ``reader`` as "you"."""
    if not state.setup.games and state.stage != "over":
        return None
    games, rows = evening(state)
    seats = {place: seat for seat, place in owners(rows, state.chairs).items()}
    units = {
        kind.unit.key: kind.unit.format_amount
        for kind in room.kit.formats
        if kind.unit is not None and kind.unit.format_amount
    }
    read, every = read_by(reader, rows), units_of(room.games.values() or [room.kit])
    owed = debts(language, read, every)
    decided = says_who_buys(games, rows, every)
    pay = payers(rows, every) if decided else []
    standings = []
    for place, row in enumerate(rows):
        shown = [units[unit](language, amount) for unit, amount in row.takings if unit in units]
        standings.append(Standing(row.name, seats.get(place), row.wins, dict(row.takings), shown, buys=row in pay))
    told = games == 1 and owed  # the match's own result has just said so
    buys = who_buys(language, read, every) if decided and not told else []
    return Evening(games, standings, lead(language, read), buys)


def night(language: Language, room: Room, state: RoomState) -> Night:
    """Return the tally and the line-up of a table's evening."""
    return tally(language, room, state), planned(language, room, state)


def lead(language: Language, rows: Sequence[Row]) -> str:
    """Return a heading with the players who have won the most matches. A row without a name is the reader's own."""
    most = max((row.wins for row in rows), default=0)
    names = [row.name for row in rows if row.wins == most]
    if not most:
        return language.say("No leader yet.")
    if len(names) == len(rows) > 1:
        return language.say("It's a tie so far.")
    if len(names) == 1:
        return language.about("{name} leads", "You lead", names[0])
    return language.about_all("{names} lead", "You and {names} lead", names)


def units_of(games: Iterable[Kit]) -> dict[str, Unit]:
    """Return all units that the formats of these games have, by key."""
    return {kind.unit.key: kind.unit for kit in games for kind in kit.formats if kind.unit is not None}


def debts(language: Language, rows: Sequence[Row], units: Mapping[str, Unit]) -> list[str]:
    """Return sentences about debts in things that matches are played for, such as drinks."""
    return [owed(language, row.name, amount) for row in _buyers(rows) for owed, amount in _owes(row, units)]


def _buyers(rows: Sequence[Row]) -> list[Row]:
    """Return the rows (players of the evening) that may pay. Bots pay only if there are no people."""
    return [row for row in rows if row.people] or list(rows)


def _owes(row: Row, units: Mapping[str, Unit]) -> list[tuple[Callable[[Language, str, int], str], int]]:
    """Return a player's debts: for each unit that can be owed, the function that makes the sentence, and the amount."""
    return [
        (owed, amount)
        for key, amount in row.takings
        if amount > 0 and key in units and (owed := units[key].owed) is not None
    ]


def says_who_buys(games: int, rows: Sequence[Row], units: Mapping[str, Unit]) -> bool:
    """Return True if the evening can name a buyer. After one match of many players, all but the winner would pay."""
    if not games:
        return False
    people = _buyers(rows)
    by_amounts = any(_owes(row, units) for row in people) or _lost_most(people, units) is not None
    return games > 1 or len(rows) < MANY or by_amounts


def payers(rows: Sequence[Row], units: Mapping[str, Unit]) -> list[Row]:
    """Return the rows that pay by the rules of ``who_buys``, or no row if all would pay alike."""
    people = _buyers(rows)
    if (owing := [row for row in people if _owes(row, units)]) or len(people) < 2:
        return owing
    if (lost := _lost_most(people, units)) is not None:
        return lost[1]
    fewest = min(row.wins for row in people)
    pay = [row for row in people if row.wins == fewest]
    return [] if len(pay) == len(people) else pay


def _lost_most(people: Sequence[Row], units: Mapping[str, Unit]) -> tuple[Unit, list[Row], int] | None:
    """Return the first unit in which a player has lost, the rows that lost most of it, and the amount."""
    for key, unit in units.items():
        least = min((dict(row.takings).get(key, 0) for row in people), default=0)
        if unit.lost is not None and least < 0:
            return unit, [row for row in people if dict(row.takings).get(key, 0) == least], -least
    return None


def who_buys(language: Language, rows: Sequence[Row], units: Mapping[str, Unit]) -> list[str]:
    """Return the buyer and the reason, in sentences. Empty before a decision, or for a player alone.

    - If matches are played for something owed, such as drinks, each player pays their own.
    - Otherwise the players who lost most of something, such as chips, pay.
    - Otherwise the players with the fewest wins pay.

    Bots pay only if no people are there. A row without a name is the reader's own.
    """
    people, owed = _buyers(rows), debts(language, rows, units)
    if owed or len(people) < 2:
        return owed
    names = [row.name for row in payers(rows, units)]
    if (lost := _lost_most(people, units)) is not None:
        unit, _, amount = lost
        assert unit.lost is not None, "it was found by that"
        return [unit.lost(language, names, amount)]
    if not names:
        return [language.say("All square: split the bill.")]
    fewest = min(row.wins for row in people)
    if len(names) > 1:
        return [_share(language, names, fewest)]
    if not fewest:
        return [language.about("{name} buys: no win yet.", "You buy: no win yet.", names[0])]
    text = "{name} buys: one win.", "{name} buys: {number} wins."
    if not names[0]:
        text = "You buy: one win.", "You buy: {number} wins."
    return [language.count(*text, fewest, name=names[0])]


def _share(language: Language, names: Sequence[str], wins: int) -> str:
    """Return a sentence on several players who share the bill, with ``wins`` each."""
    others = [name for name in names if name]
    if not wins:
        shared = "{names} share the bill: no win yet.", "You and {names} share the bill: no win yet."
        return language.about_all(*shared, names)
    text = "{names} share the bill: one win each.", "{names} share the bill: {number} wins each."
    if len(others) < len(names):
        text = (
            "You and {names} share the bill: one win each.",
            "You and {names} share the bill: {number} wins each.",
        )
    return language.one_list(language.count(*text, wins, names=language.join(others)), others)


FACES = ("one", "two", "three", "four", "five", "six")
FREE = "free: {dice}"


def placed(language: Language, game: Game[Any, Any], dice: Iterable[Die | DieView]) -> str:
    """Return dice with the keys that choose them, which are their places: "key 1: two, key 3: five"."""
    if not game.faces.is_usual:
        return ", ".join([_keyed(language, die.place + 1, told_dice(language, game, (die.face,))) for die in dice])
    return ", ".join([_placed(language, die.place, die.face) for die in dice])


@lru_cache(maxsize=256)
def _placed(language: Language, place: int, face: int) -> str:
    return _keyed(language, place + 1, language.say(FACES[face - 1]))


def _keyed(language: Language, key: int, face: str) -> str:
    return language.say("key {key}: {face}", key=key, face=face)


def set_aside(rail: Rail, dice: Sequence[Die]) -> frozenset[int]:
    """Return the places of dice that a rail already shows, one die for each of its faces.

    Locked dice are taken first, then the others.
    """
    won = [slot.face for slot in rail.slots if slot.face and not slot.preview]
    places = set[int]()
    for locked in (True, False) if won else ():
        for die in dice:
            if (die.status == "locked") is locked and die.face in won:
                won.remove(die.face)
                places.add(die.place)
    return frozenset(places)


def in_places(said: str, dice: Sequence[Die], die: DieFaces = SIX) -> str:
    """Put the dice in a sentence that reads out a whole hand into the order of their places, instead of the game's."""
    lie = [each.face for each in dice]
    for order in (sorted(lie), sorted(lie, reverse=True)):
        said = said.replace(die.shown(order), die.shown(lie))
    return said


LATELY = 4
"""The number of latest steps whose sentences an announcer keeps."""


class Announcer:
    """Announces one table in one language. Caches the sentences of the latest steps, which each view needs again.

    ``_lately`` finds a step by identity: the views of one broadcast share it. Under None, ``_narrators`` has the
    narrator who speaks to all. It has one more for each seat. It is cleared when the match or a name changes.
    """

    __slots__ = ("_lately", "_narrators", "kit", "language")

    def __init__(self, language: Language, kit: Kit) -> None:
        self.language, self.kit = language, kit
        self._lately: deque[tuple[Step, list[Say]]] = deque(maxlen=LATELY)
        self._narrators: dict[int | None, Narrator] = {}

    def narrator(self, table: Table, seat: int | None = None) -> Narrator:
        """Return the narrator of a match with the current names: to all, or to a seat."""
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
        """Announce one command's steps, and the next thing to do.

        ``gone`` maps each absent seat to the time when its people were last seen, in ms since 1970.
        """
        said: list[Say] = []
        for step in steps:
            event = step.line.event
            told = self._vote(step, event, gone) if isinstance(event, happened.Voted) else self.sentences(step)
            said += as_known(told, step.after, steps[0].before)
        if not steps:
            return said
        return [*said, *as_known(self.next(steps[0].before, steps[-1].after), steps[-1].after, steps[0].before)]

    def _vote(self, step: Step, event: happened.Voted, gone: Mapping[int, int]) -> list[Say]:
        """Announce a vote, with the count among the players present. If the absent player is back, leave it out."""
        if event.absent not in gone:
            return self.sentences(step)

        def told(you: int | None) -> str:
            return event.counted(self.language, step.after, gone, you)

        return [Say(told(None), own={seat: told(seat) for seat in event.concerns(step.after)})]

    def sentences(self, step: Step) -> list[Say]:
        """Return the announcement of one event."""
        for known, said in self._lately:
            if known is step:
                return said
        said = self._sentences(step)
        self._lately.append((step, said))
        return said

    def _sentences(self, step: Step) -> list[Say]:
        """Make the announcement of one event. Each line is for all, and in the second person for those it is about."""
        before, event, after = step.before, step.line.event, step.after
        if isinstance(event, happened.Moved):  # first, as nearly all events are moves
            return self._moved(before, event, after)
        said = self._told(before, event, after, None)
        for seat in event.concerns(after):
            for say, own in zip(said, self._told(before, event, after, seat), strict=True):
                if own.text != say.text:
                    say.own[seat] = own.text
        return said

    def _told(self, before: RoomState, event: happened.Event, after: RoomState, you: int | None) -> list[Say]:
        """Announce an event that is no move, as the seat ``you`` hears it. None: as all others hear it."""
        if isinstance(event, happened.Started):
            return self._begins(after)
        if isinstance(event, happened.Rematched) and decider(self.kit, before) is not None:
            said = event.plays_on(self.language, after, you)
        else:
            said = event.said(self.language, before, after, you)
        told = [Say(said, event.level, event.urgent)] if said else []
        if before.question and not after.question and not isinstance(event, happened.BackDeclined):
            told.append(Say(self.language.say("The choice stands.")))
        return told

    def _moved(self, before: RoomState, event: happened.Moved, after: RoomState) -> list[Say]:
        if isinstance(event.event, Marked):
            return []
        if isinstance(event.event, TakenBack):
            return [Say(self.language.say("Undone."))]
        if isinstance(event.event, ChoiceTakenBack):
            return [Say(self.language.say("The choice is taken back. The dice stay as they fell."))]
        told = self._narrated(before, event.event, after)
        return [*told, *self._sides(after)] if isinstance(event.event, Drawn) else told

    def _narrated(self, before: RoomState, move: Move, after: RoomState) -> list[Say]:
        """Tell a move to all, and in the second person to the mover. The end of a round addresses every seat so."""
        if before.match is None or after.match is None:
            raise ValueError(f"a move outside a match: {move}")
        table, inner, then = before.match.table, before.match.state.match, after.match.state.match
        told = [Say(text) for text in self.narrator(table).tell(inner, move, then)]
        all_seats, mover = range(len(before.chairs)), before.match.state.mover
        about = all_seats if then.over or then.number != inner.number else [mover]
        if isinstance(move, Drawn):
            about = [move.seat]
        for seat in about:
            if seat is None or not before.chairs[seat].people or before.chairs[seat].bot:
                continue  # ``plays`` would be wrong here: after a time-out the player is still told of the last moves
            for say, text in zip(told, self.narrator(table, seat).tell(inner, move, then), strict=True):
                if text != say.text:
                    say.own[seat] = text
        return told

    def next(self, before: RoomState, after: RoomState) -> list[Say]:
        """Announce the next thing to do, if it is news: the mover's turn or choice."""
        live, past = after.match, before.match
        if live is None or live.state.match.over:
            return []
        if past is None:  # ``before`` may have fewer seats
            return [self._turn(after, live), *self._hint(after, live)]
        mover, match, inner = live.state.mover, live.table.match, live.state.match
        plays = mover is not None and after.plays(mover)
        resumed = mover is not None and not plays and before.plays(mover)
        left = mover is not None and bool(before.chairs[mover].people) and not after.chairs[mover].people
        if passed_on(past.state, live.state) or before.turn_at != after.turn_at or resumed or left:
            return [self._turn(after, live), *self._hint(after, live)]
        if mover is None or past.state.match is inner:
            return []
        if live.table.enters_dice(live.state):
            return self._rolls_on(live, self._rolls(after, live, mover), mover, plays=plays)
        if plays:
            return []
        if live.state.legal:
            *known, question = self.kit.words.to_choose(self.language, match.game, inner.round)
            # At level -1 also heard in brief: a mover who misses the question misses the choice.
            asked = Say("", level=-1, own={mover: question})
            keys = [Say(places, level=3)] if (places := self._places(live, mover)) else []
            return [*keys, *[Say(said, level=2) for said in known], asked, *self._hint(after, live)]
        return self._rolls_on(live, Say("", level=-1), mover, plays=plays) if match.to_roll(inner) else []

    def _rolls_on(self, live: Live, said: Say, mover: Seat, *, plays: bool) -> list[Say]:
        """Announce the dice due in the middle of a turn. The mover also hears facts about them."""
        if plays:
            return [said]
        said.own[mover], *known = self.narrator(live.table).rolls_on(live.state.match)
        return [said, *[Say(fact, level=2) for fact in known]]

    def _places(self, live: Live, mover: Seat) -> str:
        """Return the keys of the free dice, the first time that other dice are locked.

        Empty after round 1, because the key H tells them.
        """
        table, play = live.table, live.state
        if play.match.number > 1 or play.trays[mover].final:
            return ""
        dice = table.view(play, mover)
        rail = self.kit.words.rail(self.language, table.match.game, play.match.round, "", ())
        aside = () if rail is None else set_aside(rail, dice)
        free = [die for die in dice if die.status == "free" and die.place not in aside]
        if len(free) in (0, len(dice)) or (len(play.legal) <= len(VERBS) and not table.marking(play).hands):
            return ""
        return sentence(self.language.say(FREE, dice=placed(self.language, table.match.game, free))) + "."

    def _hint(self, state: RoomState, live: Live) -> list[Say]:
        mover = live.state.mover
        if mover is None or state.plays(mover) or not live.state.legal:
            return []
        said = self.kit.words.hint(self.language, live.table.match.game, live.state.match.round)
        return [Say(said, level=2)] if said else []

    def _rolls(self, state: RoomState, live: Live, mover: Seat) -> Say:
        """Announce the number of dice to roll, with real dice. It does so for a bot too."""
        inner, match, name = live.state.match, live.table.match, state.names[mover]
        texts = "Roll {number} die for {name}.", "Roll {number} dice for {name}."
        if not state.plays(mover):
            texts = "{name} rolls {number} die.", "{name} rolls {number} dice."
        said = Say(self.language.count(*texts, match.to_roll(inner), name=name), level=-1)
        if state.plays(mover) and state.chairs[mover].people:
            said.own = {mover: f"{self._not_yours()} {sentence(self.narrator(live.table).to_roll(inner))}"}
        return said

    def _not_yours(self) -> str:
        return self.language.say("A bot plays your turn.")

    def _turn(self, state: RoomState, live: Live) -> Say:
        """Announce a new turn. The mover hears the task."""
        mover, inner, match = state.mover, live.state.match, live.table.match
        if mover is None:
            return Say(self.language.say("Draw Player 1."), level=-1)
        turn = Say(self.language.say("{name}'s turn.", name=state.names[mover]), level=-1)
        if not state.plays(mover):
            if match.to_roll(inner):
                said = self.narrator(live.table).to_roll(inner)
            else:
                asked = self.kit.words.ask(self.language, match.game, inner.round)
                said = in_places(asked, live.table.view(live.state, mover), match.game.faces)
            turn.own = {mover: self.language.say("Your turn. {said}", said=said)}
            return turn
        if state.chairs[mover].people:
            turn.own = {mover: self._not_yours()}
        if live.table.enters_dice(live.state):
            rolls = self._rolls(state, live, mover)
            turn.text, turn.own = f"{turn.text} {rolls.text}", rolls.own
        return turn

    def _begins(self, after: RoomState) -> list[Say]:
        """Announce a new match: the game, the players' sides, and the first round."""
        live = after.match
        if live is None:
            raise ValueError("a match that began is not there")
        narrator, inner = self.narrator(live.table), live.state.match
        opens = "" if inner.round is None else narrator.round_opens(inner)
        begins = Say(self.language.say("The match begins."))
        return [begins, Say(narrator.opening(), level=1), *self._sides(after), *([Say(opens)] if opens else [])]

    def side(self, state: RoomState, seat: int) -> str:
        """Return the name of a seat's side, if the game has sides for this number of seats. Empty otherwise."""
        sides, order = self.kit.words.sides, state.turn_order
        if len(state.chairs) != len(sides) or seat not in order:
            return ""
        return self.language.say(sides[order.index(Seat(seat))])

    def _sides(self, state: RoomState) -> list[Say]:
        order = state.turn_order
        if not order or not self.side(state, order[0]):
            return []

        def told(you: int | None) -> str:
            about, texts = self.language.about, ("{name} plays {side}", "you play {side}")
            sides = [about(*texts, state.called(seat, you), side=self.side(state, seat)) for seat in order]
            return sentence(", ".join(sides) + ".", kept_names(state.names))

        return [Say(told(None), own={seat: told(seat) for seat in order if state.chairs[seat].people})]


def as_known(said: list[Say], then: RoomState, now: RoomState) -> list[Say]:
    """Readdress lines for the seats of ``then`` to pages that still show the earlier state ``now``."""
    if then.chairs is now.chairs or not any(line.own for line in said):
        return said
    return [replace(line, own=by_seats_of(line.own, then, now, before=True)) for line in said]


def here(language: Language, names: Sequence[str], present: Sequence[bool]) -> list[str]:
    """Return sentences about the people here and away, for the key W."""
    seats = list(zip(names, present, strict=True))
    said, away = (
        [name for name, there in seats if name and there],
        [name for name, there in seats if name and not there],
    )
    told = [language.say("Here: {names}.", names=language.join(said))] if said else []
    return [*told, language.say("Away: {names}.", names=language.join(away))] if away else told
