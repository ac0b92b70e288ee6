"""The seats of a table as they are shown: who sits there, their dice, and what those come to, read out."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, NamedTuple

from pubdice.core.dice import Hand
from pubdice.core.errors import IllegalAction
from pubdice.core.frozen import quick
from pubdice.core.game import RoundSeat, Seat
from pubdice.kit import Kit
from pubdice.match.table import Table, TableState
from pubdice.match.tray import Die, Marking
from pubdice.room import Chair, RoomState
from pubdice.server.show.announce import Announcer
from pubdice.server.wire import DieView, SeatView
from pubdice.text.game_words import Rail
from pubdice.text.language import Language, faces

FACES = ("one", "two", "three", "four", "five", "six")
NOBODY: frozenset[int] = frozenset()
Votes = tuple[tuple[int, ...], tuple[int, int] | None]
"""The seats that are for a bot at another and wait for others; and how many votes there are, and it takes."""
LIES = {
    "locked": "locked {dice}",
    "marked": "kept {dice}",
    "lying": "rolled {dice}",
    "free": "free {dice}",
    "reroll": "reroll {dice}",
    "idle": "other {dice}",
}
"""How dice of a status are read out, where there are others beside them."""
STATUS = {"free": "free", "marked": "kept", "reroll": "reroll", "locked": "locked"}


@quick
@dataclass(frozen=True, slots=True)
class ViewContext:
    """What a view needs besides the state: the time, and who is gone since when.

    All in ms since 1970. link: from a code, where that table is (a rematch's). void: no dice can be rolled under its
    seal.
    """

    now: int
    gone: Mapping[int, int]
    link: Callable[[str], str]
    void: bool = False


class Person(NamedTuple):
    """What a page shows of the people of a seat.

    side: what the game calls it. votable: they were waited for long enough, so the others may vote; vote_at: when that
    will be, in the house's time, 0 if nobody is waited for.
    """

    chair: Chair
    side: str
    host: bool
    absent: bool
    votable: bool
    vote_at: int
    votes: Votes


@dataclass(slots=True)
class Seats:
    """Shows the seats of one table in one language.

    seen: each seat as it was seen last with its dice, and what that was made from: at most moves it is as it was.
    people: the same of the people alone. rails: what the game shows of the turn, by the name and the marked dice: the
    mover's hand is read out with it, and it stands over the dice.
    """

    language: Language
    kit: Kit
    announcer: Announcer
    seen: dict[int, tuple[object, SeatView, list[DieView]]] = field(default_factory=dict)
    people: tuple[object, tuple[Person, ...]] | None = None
    rails: dict[tuple[str, Hand], Rail | None] = field(default_factory=dict)

    def all(self, state: RoomState, mover: Seat | None, context: ViewContext) -> list[SeatView]:
        """Every seat's view: the one before, where all that it shows is as it was."""
        live = state.match
        self.rails.clear()
        company = self._company(state, context)
        choosing = live is not None and bool(live.state.legal)
        for at, person in enumerate(company):
            seat = Seat(at)
            lies: tuple[object, ...] = ()
            if live is not None:
                lies = self._lies(live.table, live.state, seat, turn=seat == mover, choosing=choosing)
            known = person, seat == mover, seat == state.rolled, lies
            seen = self.seen.get(seat)
            if seen is None or seen[0] != known:
                self.seen[seat] = known, *self._seat(state, seat, mover, person)
        return [self.seen[seat][1] for seat in range(len(company))]

    def _company(self, state: RoomState, context: ViewContext) -> tuple[Person, ...]:
        """What a page shows of each seat's people, found out where one of the facts it follows from has changed."""
        live, lost = state.match, state.lost(context.gone, context.now) if context.gone else NOBODY
        known = (
            state.chairs,
            state.host,
            live and (live.state.match.over, live.state.match.order),
            state.votes,
            state.paused_at,
            context.gone,
            lost,
        )
        if self.people is None or self.people[0] != known:
            self.people = (
                known,
                tuple([self._person(state, Seat(at), context, lost) for at in range(len(state.chairs))]),
            )
        return self.people[1]

    def _person(self, state: RoomState, seat: Seat, context: ViewContext, lost: frozenset[int]) -> Person:
        absent, waited, vote_at = seat in context.gone, seat in lost, 0
        if absent and not waited and state.stage == "playing" and not state.paused_at:
            vote_at = context.gone[seat] + 1000 * state.setup.grace_s
        host = any(map(state.is_host, state.chairs[seat].people))
        side, votes = self.announcer.side(state, seat), self._voted(state, seat, context)
        return Person(state.chairs[seat], side, host, absent, waited and state.stage == "playing", vote_at, votes)

    def _seat(self, state: RoomState, seat: Seat, mover: Seat | None, person: Person) -> tuple[SeatView, list[DieView]]:
        """A seat's view and its dice."""
        dice: list[DieView] = []
        if (live := state.match) is not None:
            dice = self._dice(state, live.table, live.state, seat, mover)
        view = self._see(state, seat, mover, dice)
        view.side, view.host = person.side, person.host
        if person.absent and view.kind == "person":
            self._miss(view, person)
        return view, dice

    def _miss(self, view: SeatView, person: Person) -> None:
        """What a page shows of a seat whose person is away."""
        voted, ballot = person.votes
        view.here, view.votable, view.vote_at = False, person.votable, person.vote_at
        view.voted, view.note = list(voted), self.language.say("away")
        if ballot is not None:
            text = "away; {votes} of {needed} for a bot"
            view.note = self.language.say(text, votes=ballot[0], needed=ballot[1])

    def _lies(self, table: Table, play: TableState, seat: Seat, *, turn: bool, choosing: bool) -> tuple[object, ...]:
        """All that a seat's dice and scores are shown from. choosing: the mover is to choose among the dice."""
        inner, tally, game = play.match, play.match.tally, table.match.game
        score, hands = None, None
        if inner.round is not None and seat in inner.order:
            local = RoundSeat(inner.order.index(seat))
            score, hands = game.score(inner.round, local), game.dice(inner.round, local)
        marks = play.marks if turn else None
        lying = play.lying if play.lying is not None and play.lying[0] == seat else None
        open_choice = turn and choosing
        return (
            play.trays[seat],
            hands,
            open_choice,
            marks,
            score,
            inner.over,
            inner.round if open_choice else None,  # what may be kept can depend on all of it
            tally.points[seat],
            seat in tally.out,
            lying,
            inner.round if turn else None,
        )

    def _see(self, state: RoomState, seat: Seat, mover: Seat | None, dice: list[DieView]) -> SeatView:
        """A seat's view, as if its people were here."""
        say, chair = self.language.say, state.chairs[seat]
        out, score, points, hand, own_hand = False, "", "", "", ""
        if (live := state.match) is not None:
            inner, game = live.state.match, live.table.match.game
            out = seat in inner.tally.out
            told = self._hand(live.table, live.state, seat, mover, dice)
            hand, own_hand = told(chair.name), told("") if chair.people else ""
            points = live.table.match.format.words.beside(inner.tally, seat)
            if inner.round is not None and seat in inner.order:
                got = game.score(inner.round, RoundSeat(inner.order.index(seat)))
                score = "" if got is None else self.kit.words.score(self.language, game, got)
        note, kind = "", chair.kind
        if kind == "standin":
            note = say("{bot} plays", bot=chair.bot.capitalize())
        elif kind == "bot":
            said = chair.name.casefold().startswith(chair.bot)  # by its name, such as "Tip 2"
            note = say("bot") if said else say("bot ({bot})", bot=chair.bot.capitalize())
        elif kind == "empty":
            note = say("free")
        return SeatView(
            name=chair.name,
            kind=kind,
            here=True,
            turn=seat == mover,
            out=out,
            host=False,
            note=note,
            score=score,
            points=points,
            dice=[die.face for die in dice],
            hand=hand,
            votable=False,
            own_hand=own_hand,
        )

    def _voted(self, state: RoomState, seat: int, context: ViewContext) -> Votes:
        """The votes for a bot here."""
        if not state.votes or seat not in context.gone or state.stage != "playing":
            return (), None
        voters, ballot = state.voters(seat, context.gone[seat]), state.ballot(seat, context.gone)
        if not voters:
            return (), None
        return tuple(sorted(voters)) if ballot[0] < ballot[1] else (), ballot

    def _dice(self, state: RoomState, table: Table, play: TableState, seat: Seat, mover: Seat | None) -> list[DieView]:
        """The seat's dice on the table; of one whose turn is done, those it ended with."""
        tray = play.trays[seat]
        dice: tuple[Die, ...] = table.view(play, seat)
        choosing = seat == mover and bool(play.legal)
        fresh = seat == state.rolled
        if play.lying is not None and play.lying[0] == seat:
            tray, choosing = play.lying[1], False
            dice = tray.dice((), ())
        elif not dice and seat != mover and (fresh or self._is_done(table, play, seat)):
            dice = tray.dice((), ())
        lies = seat != mover or (play.lying is not None and play.lying[0] == seat)
        rest = "reroll" if choosing and play.marks and table.may_give_up(play) else "free"
        made, marking = [], table.marking(play) if choosing else Marking()
        for die in dice:
            status: str = "lying" if lies or not (choosing or die.status == "locked") else die.status
            pressed: str | None = None
            if status in ("free", "marked"):
                after = marking.press(die.place, play.marks)
                if status == "marked" or marking.leads_on(after) or self._has_answer(table, play, marking, after):
                    pressed = " ".join(map(str, after))
                else:
                    status = "idle" if marking.hands else "lying"
            shown = rest if status == "free" else status
            made.append(_die(self.language, die.place, die.face, shown, fresh and die.place not in tray.kept, pressed))
        return made

    def _has_answer(self, table: Table, play: TableState, marking: Marking, marks: tuple[int, ...]) -> bool:
        """Whether the game answers to marks that no legal keep holds: with an action, or with what they lack."""
        if not marking.hands:
            return False
        try:
            table.meant(replace(play, marks=marks), "roll")
        except IllegalAction as error:
            return bool(self.kit.words.missing(self.language, table.match.game, error.code, error.facts))
        return True

    def rail(self, table: Table, turn: Any, name: str, marked: Hand) -> Rail | None:
        """The rail of the mover's turn, with these dice marked; worked out once a view."""
        if (name, marked) not in self.rails:
            self.rails[name, marked] = self.kit.words.rail(self.language, table.match.game, turn, name, marked)
        return self.rails[name, marked]

    def _is_done(self, table: Table, play: TableState, seat: Seat) -> bool:
        inner = play.match
        if inner.round is None or seat not in inner.order:
            return False
        return table.match.game.score(inner.round, inner.local(seat)) is not None

    def _hand(
        self, table: Table, play: TableState, seat: Seat, mover: Seat | None, dice: list[DieView]
    ) -> Callable[[str], str]:
        """The seat's dice read out, and what they come to: by name, or without one to those who sit there."""
        say, about, inner, words = self.language.say, self.language.about, play.match, self.kit.words
        if not dice:
            return lambda name: ""
        shown: dict[str, list[int]] = {}
        for die in dice:
            shown.setdefault(die.status, []).append(die.face)
        if len(shown) == 1:
            text = faces(sorted(shown.popitem()[1], reverse=True))
        else:
            text = "; ".join([say(LIES[status], dice=faces(shown[status])) for status in LIES if status in shown])
        stand = ""
        if inner.round is not None and seat in inner.order:
            marked = play.trays[seat].shows(play.marks) if seat == mover else ()
            facts = self.language, table.match.game, inner.round
            stand = words.stand(*facts, inner.order.index(seat), marked)

        def said(name: str) -> str:
            if stand:
                return about("{name}: {dice}, {stand}.", "You have {dice}: {stand}.", name, dice=text, stand=stand)
            told = about("{name}: {dice}.", "You have {dice}.", name, dice=text)
            won = self.rail(table, inner.round, name, marked) if seat == mover and inner.round is not None else None
            return f"{told} {won.said}" if won is not None and [slot for slot in won.slots if slot.face] else told

        return said


@lru_cache(maxsize=4096)
def _die(language: Language, place: int, face: int, status: str, fresh: bool, marks: str | None) -> DieView:  # noqa: PLR0917 - as it is shown
    """A die by its place and what it shows, its status in a word; none for one that only lies there."""
    word = language.say(STATUS[status]) if status in STATUS else ""
    return DieView(place, face, status, fresh, _die_label(language, place, face), word, marks)


@lru_cache(maxsize=4096)
def _die_label(language: Language, place: int, face: int) -> str:
    return language.say("Die {place}, {face}", place=place + 1, face=language.say(FACES[face - 1]))
