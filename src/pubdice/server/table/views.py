"""The view of a table, for its pages and to be read aloud: the room's state as a ``wire.View``, in one language.

First its seats, then the whole view. Says nothing that is not in the state, and knows no rules.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from msgspec import UNSET, UnsetType

from pubdice.core.dice import SIX, Hand
from pubdice.core.frozen import quick
from pubdice.core.game import KeepGame, RoundSeat, Seat
from pubdice.kit import Kit
from pubdice.match.formats.format import adding
from pubdice.match.match import MatchState
from pubdice.match.narrate import Narrator, turn_to_tell
from pubdice.match.table import Die, Marking, Table, TableState
from pubdice.room import Chair, Live, RoomState
from pubdice.room.chairs import missing
from pubdice.room.line_up import decider
from pubdice.room.state import chosen_by, clock, is_full, is_to_ask
from pubdice.server.finished_match import best_hand, one_of_each
from pubdice.server.table.announce import FACES, FREE, Announcer, here, placed, set_aside
from pubdice.server.table.mover_choices import Moves
from pubdice.server.wire import (
    BeamView,
    Button,
    DieView,
    RailView,
    SeatView,
    Told,
    View,
)
from pubdice.text.game_words import Ladder, Rail, needed_faces, told_dice
from pubdice.text.language import Language, stopped

CHOOSABLE = ("free", "marked", "reroll")
"""Statuses of dice that the number keys choose."""
NO_SEATS: frozenset[int] = frozenset()
Votes = tuple[tuple[int, ...], tuple[int, int] | None]
"""The seats that voted for a bot at another seat, and (votes, votes needed). No seats once the votes are enough."""
LIES = {
    "locked": "locked: {dice}",
    "marked": "kept: {dice}",
    "lying": "rolled: {dice}",
    "free": FREE,
    "reroll": "reroll: {dice}",
    "idle": "other: {dice}",
}
"""The words for dice of a status, if dice of another status lie beside them."""
STATUS = {"free": "free", "marked": "kept", "reroll": "reroll", "locked": "locked"}


@quick
@dataclass(frozen=True, slots=True)
class ViewContext:
    """The facts that a view needs besides the state. Times are in ms since 1970.

    ``gone`` maps each absent seat to the time when its people were last seen. ``void`` is true if the match's seal can
    roll no more dice.
    """

    now: int
    gone: Mapping[int, int]
    link: Callable[[str], str]
    void: bool = False


class Person(NamedTuple):
    """The people of a seat, for a page. ``side`` is the seat's name in the game.

    ``vote_at`` is the end of a running grace time, in ms since 1970 by the house's clock, or 0. After that the others
    may vote (``votable``).
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
    """The seats of one table in one language: people, dice, and the dice read out.

    A move leaves most seats as they were. So ``seen`` caches each seat's view and dice with the facts behind them, and
    ``people`` does so for the people alone. ``rails`` caches rails (the dice that the turn has won) by the mover's name
    and the marked dice. A rail is shown over the dice, and is read out with the mover's hand.
    """

    language: Language
    kit: Kit
    announcer: Announcer
    seen: dict[int, tuple[object, SeatView, list[DieView]]] = field(default_factory=dict)
    people: tuple[object, tuple[Person, ...]] | None = None
    rails: dict[tuple[str, Hand], Rail | None] = field(default_factory=dict)

    def all(self, state: RoomState, mover: Seat | None, context: ViewContext, lost: frozenset[int]) -> list[SeatView]:
        """Return every seat's view, from the cache if its facts are unchanged. ``lost`` has the lost seats."""
        live = state.match
        self.rails.clear()
        company = self._company(state, context, lost)
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

    def _company(self, state: RoomState, context: ViewContext, lost: frozenset[int]) -> tuple[Person, ...]:
        """Return each seat's people, from the cache if their facts are unchanged."""
        live = state.match
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
        dice: list[DieView] = []
        if (live := state.match) is not None:
            dice = self._dice(state, live.table, live.state, seat, mover)
        view = self._see(state, seat, mover, dice)
        view.side, view.host = person.side, person.host
        if person.absent and view.kind == "person":
            self._miss(view, person)
        return view, dice

    def _miss(self, view: SeatView, person: Person) -> None:
        voted, ballot = person.votes
        view.here, view.votable, view.vote_at = False, person.votable, person.vote_at
        view.voted, view.note = list(voted), self.language.say("away")
        if ballot is not None:
            text = "away, {votes} of {needed} for a bot"
            view.note = self.language.say(text, votes=ballot[0], needed=ballot[1])

    def _lies(self, table: Table, play: TableState, seat: Seat, *, turn: bool, choosing: bool) -> tuple[object, ...]:
        """Return the facts behind a seat's dice and scores. ``choosing``: the mover has a choice among the dice."""
        inner, tally, game = play.match, play.match.tally, table.match.game
        score, hands = None, None
        if inner.round is not None and seat in inner.order:
            local = RoundSeat(inner.order.index(seat))
            score, hands = game.score(inner.round, local), game.dice(inner.round, local)
        if inner.roll_off is not None:
            hands = table.hands(inner, seat)
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
            inner.round if open_choice else None,  # the legal keeps can depend on all of it
            tally.points[seat],
            seat in tally.out,
            lying,
            inner.round if turn else None,
        )

    def _see(self, state: RoomState, seat: Seat, mover: Seat | None, dice: list[DieView]) -> SeatView:
        """Return a seat's view, as if its people were here."""
        say, chair = self.language.say, state.chairs[seat]
        out, score, points, hand, own_hand, own_keys = False, "", "", "", "", ""
        if (live := state.match) is not None:
            inner, game = live.state.match, live.table.match.game
            out = seat in inner.tally.out
            read_out = self._hand(live.table, live.state, seat, mover, dice)
            hand, own_hand = read_out(chair.name), read_out("") if chair.people else ""
            if seat == mover and chair.people and (keyed := read_out("", keys=True)) != own_hand:
                own_keys = keyed
            points = live.table.match.format.words.seat_note(inner.tally, seat)
            if inner.round is not None and seat in inner.order:
                got = game.score(inner.round, RoundSeat(inner.order.index(seat)))
                score = "" if got is None else self.kit.words.score(self.language, game, got)
                if got and adding(live.table.match.format):
                    score = f"+{score}"  # shown beside the points that it adds to
        note, kind = "", chair.kind
        if kind == "standin":
            note = say("{bot} plays", bot=chair.bot.capitalize())
        elif kind == "bot":
            said = chair.name.casefold().startswith(chair.bot)  # a name such as "Tip 2" says so
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
            own_keys=own_keys,
        )

    def _voted(self, state: RoomState, seat: int, context: ViewContext) -> Votes:
        if not state.votes or seat not in context.gone or state.stage != "playing":
            return (), None
        voters, ballot = state.voters(seat, context.gone[seat]), state.ballot(seat, context.gone)
        if not voters:
            return (), None
        return tuple(sorted(voters)) if ballot[0] < ballot[1] else (), ballot

    def _dice(self, state: RoomState, table: Table, play: TableState, seat: Seat, mover: Seat | None) -> list[DieView]:
        """Return the seat's dice on the table. After its turn, the dice at the turn's end."""
        tray = play.trays[seat]
        dice: tuple[Die, ...] = table.view(play, seat)
        own = dice if seat == mover else ()
        choosing = seat == mover and bool(play.legal)
        fresh = seat == state.rolled
        if play.lying is not None and play.lying[0] == seat:
            tray, choosing = play.lying[1], False
            dice = tray.dice((), ())
        elif not dice and seat != mover and (fresh or self._is_done(table, play, seat)):
            dice = tray.dice((), ())
        moves = not isinstance(table.match.game, KeepGame)
        lies = seat != mover or (play.lying is not None and play.lying[0] == seat)
        aside = self._aside(table, play, own) if own and (choosing or lies) else NO_SEATS
        rest = "reroll" if choosing and play.marks and table.may_give_up(play) else "free"
        made, marking = [], table.marking(play) if choosing else Marking()
        faces = table.match.game.faces
        names = needed_faces(self.language, table.match.game) if faces.words else faces.names
        for die in dice:
            status: str = "lying" if lies or moves or not (choosing or die.status == "locked") else die.status
            if die.place in aside:
                status = "locked"
            pressed: str | None = None
            if status in ("free", "marked"):
                after = marking.press(die.place, play.marks)
                if status == "marked" or marking.leads_on(after):
                    pressed = " ".join(map(str, after))
                elif rest == "free":
                    status = "idle" if any(marking.hands) else "lying"
            shown = rest if status == "free" else status
            falls = fresh and die.place not in tray.kept
            made.append(_die(self.language, names, die.place, die.face, shown, falls, pressed))
        return made

    def _aside(self, table: Table, play: TableState, lie: tuple[Die, ...]) -> frozenset[int]:
        """Return the places of the mover's dice that the rail already shows."""
        mover = play.mover
        held = play.trays[mover].shows(play.marks) if mover is not None and play.marks and play.legal else ()
        rail = self.rail(table, play.match.round, "", held)
        if rail is None:
            return NO_SEATS
        return set_aside(rail, lie)

    def rail(self, table: Table, turn: Any, name: str, marked: Hand) -> Rail | None:
        """Return the rail of the mover's turn with these dice marked, worked out once for a view."""
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
    ) -> Callable[..., str]:
        """Return a function that reads out the seat's dice and their total.

        The function takes a name, or "" for the seat's own people. Dice to choose from come in the order of their keys.
        With ``keys``, the keys are told beside other dice.
        """
        about, inner, words = self.language.about, play.match, self.kit.words
        turn = inner.round if inner.roll_off is None else None  # a roll-off's die is no hand of the round before it
        things = words.things(self.language, table.match.game, turn) if seat == mover and turn is not None else None
        beside = "" if things is None else things.said
        if not dice:
            return lambda name, keys=False: beside
        shown: dict[str, list[DieView]] = {}
        # One group for a hand that may be given up.
        whole = seat == mover and "idle" in [die.status for die in dice] and table.may_give_up(play)
        for die in dice:
            shown.setdefault("free" if whole and die.status == "idle" else die.status, []).append(die)
        is_one = len(shown) == 1
        text = ""
        if is_one:
            status, all_dice = shown.popitem()
            lie = [die.face for die in all_dice]
            text = told_dice(self.language, table.match.game, lie if status in CHOOSABLE else sorted(lie, reverse=True))
        stand = ""
        marked: Hand = ()
        if turn is not None and seat in inner.order:
            marked = play.trays[seat].shows(play.marks) if seat == mover else ()
            facts = self.language, table.match.game, turn
            stand = words.stand(*facts, inner.order.index(seat), marked)

        there = [one for one in LIES if one in shown]
        groups = [
            "; ".join([self._group(table, one, shown[one], keys=keyed) for one in there]) for keyed in (False, True)
        ]

        def said(name: str, *, keys: bool = False) -> str:
            if not is_one:
                lies = groups[keys]
                told = f"{lies[:1].upper()}{lies[1:]}{stand and f': {stand}'}."
                told = f"{name}. {told}" if name else told
            elif stand:
                told = about("{name}: {dice}, {stand}.", "You have {dice}: {stand}.", name, dice=text, stand=stand)
                return f"{told} {beside}" if beside else told
            else:
                told = about("{name}: {dice}.", "You have {dice}.", name, dice=text)
            told = f"{told} {beside}" if beside else told
            won = self.rail(table, turn, name, marked) if seat == mover and turn is not None else None
            if stand or won is None or not [slot for slot in won.slots if slot.face]:
                return told
            if is_one or [slot for slot in won.slots if slot.want]:
                return f"{told} {won.said}"
            return f"{told} {won.total_label}: {won.total}."  # the kept dice have just been told

        return said

    def _group(self, table: Table, status: str, dice: list[DieView], *, keys: bool) -> str:
        """Return the dice of one status in words. With ``keys``, a choosable die has its key: "free: key 1: two"."""
        game, by_key = table.match.game, keys and status in CHOOSABLE
        lie = [die.face for die in dice]
        told = placed(self.language, game, dice) if by_key else told_dice(self.language, game, lie)
        return self.language.say(LIES[status], dice=told)


@lru_cache(maxsize=4096)
def _die(  # noqa: PLR0917 - as it is shown
    language: Language, names: tuple[str, ...], place: int, face: int, status: str, fresh: bool, marks: str | None
) -> DieView:
    """Return the view of a die. Its status is a word, or empty for a die that only lies there."""
    word = language.say(STATUS[status]) if status in STATUS else ""
    return DieView(place, face, status, fresh, _die_label(language, names, place, face), word, marks)


@lru_cache(maxsize=4096)
def _die_label(language: Language, names: tuple[str, ...], place: int, face: int) -> str:
    shown = language.say(FACES[face - 1]) if names == SIX.names else names[face - 1]
    return language.say("Die {place}, {face}", place=place + 1, face=shown)


NOTHING = Told("")
SaysOfRound = Callable[[Language, Any, Any, tuple[str, ...]], list[str]]
"""A function that says something about a round. It gets the names of the round's seats in turn order."""
SaysOfMatch = Callable[[Narrator], list[str]]
"""A function that says something about the match, through a narrator."""
ROUNDS_WON = "rounds"
"""The unit of formats that count rounds won."""
MOST_SPOKEN_TO = 8
"""The most seats at which every player reads the lines about standings in the second person. With more, only the mover
does.
"""


@dataclass(slots=True)
class Viewer:
    """Makes views of one table in one language. ``kept`` caches lines that seldom change, with the facts behind."""

    language: Language
    kit: Kit
    announcer: Announcer
    kept: dict[str, tuple[object, Any]] = field(default_factory=dict)
    seats: Seats = field(init=False)
    moves: Moves = field(init=False)
    verbs: list[tuple[str, str]] | UnsetType = field(init=False)

    def __post_init__(self) -> None:
        self.seats, self.moves = Seats(self.language, self.kit, self.announcer), Moves(self.language, self.kit)
        self.verbs = UNSET if self.kit.keeps_dice else self.kit.words.verbs(self.language)

    def view(self, state: RoomState, context: ViewContext, last: list[Told]) -> View:
        """Return the view of a table. ``last`` has the lines of the last announcement."""
        present = tuple([seat not in context.gone for seat in range(len(state.chairs))])
        live = state.match
        mover = None if live is None else live.state.mover
        lost = state.lost(context.gone, context.now) if context.gone else NO_SEATS
        seats = self.seats.all(state, mover, context, lost)
        view = View(
            seq=state.seq,
            shape=_shape(state, lost),
            stage=state.stage,
            mover=mover,
            ask="none",
            rolls=state.rolls,
            places=self._places(state),
            dice=[],
            heading=NOTHING,
            status=NOTHING,
            main=None,
            sure=None,
            bank=None,
            back=None,
            rail=None,
            beam=None,
            red=[],
            beat=NOTHING,
            scores=NOTHING,
            standing=NOTHING,
            whose=NOTHING,
            counter="",
            last=last,
            seats=seats,
            clock=clock(state),
            now=context.now,
            result=[],
            won=[],
            won_dice=[],
            rematch=context.link(state.rematch) if state.rematch else None,
            verbs=self.verbs,
            dice_version=state.dice_version,
        )
        if live is None:
            view.heading = Told(self._waiting(state))
        else:
            die = live.table.match.game.faces
            if not die.is_usual:
                view.faces = list(die.names)
            view.dice, view.left = self._die_views(state, live, mover)
            self._match(view, state, mover, live.table, live.state, lost)
        known = view.heading, self._called(state), present
        view.whose = self._keep("whose", known, lambda: _whose(self.language, *known))
        return view

    def _keep(self, name: str, known: object, make: Callable[[], Any]) -> Any:
        """Return the last value under this name, if the same facts made it. Otherwise make a new one."""
        before = self.kept.get(name)
        # ``!=``, not ``is``: each event makes a new state, with parts that are mostly equal to the old ones.
        if before is None or before[0] != known:
            before = self.kept[name] = (known, make())
        return before[1]

    def _line(self, state: RoomState, table: Table, mover: Seat | None, make: Callable[[Narrator], str]) -> Told:
        """Return a line for all, and in the second person for the people it names."""
        return self._to_each(state, table, mover, make, make(self.announcer.narrator(table)))

    def _to_each(
        self, state: RoomState, table: Table, mover: Seat | None, make: Callable[[Narrator], str], text: str
    ) -> Told:
        told = Told(text)
        if text:
            # One narrator a seat. At a large table only the mover is addressed: otherwise each event would cost as many
            # texts as there are seats.
            few = len(state.chairs) <= MOST_SPOKEN_TO
            for seat, chair in enumerate(state.chairs):
                if not chair.people or chair.name not in text or not (few or seat == mover):
                    continue
                if (own := make(self.announcer.narrator(table, seat))) != text:
                    told.own[seat] = own
        return told

    def _die_views(self, state: RoomState, live: Live, mover: Seat | None) -> tuple[list[DieView], Told | None]:
        """Return the mover's dice. Before the mover rolls, the dice of a turn that a roll has ended, with a label."""
        play, table = live.state, live.table
        dice = [] if mover is None else self.seats.seen[mover][2]
        if play.lying is None or play.match.over:
            return dice, None
        seat = play.lying[0]
        if seat == mover and not _is_new(table, play):
            return dice, None

        def made() -> Told:
            text = "{name}'s last roll", "Your last roll"
            return self._line(state, table, mover, lambda to: to.language.about(*text, to.name(seat)))

        return self.seats.seen[seat][2], self._keep("left", (seat, state.names, state.chairs), made)

    def _called(self, state: RoomState) -> tuple[str, ...]:
        """Return each player's name, with the side they play if the game has sides."""
        if len(state.chairs) != len(self.kit.words.sides):
            return state.names
        sides = [self.announcer.side(state, seat) for seat in range(len(state.chairs))]
        named = zip(state.names, sides, strict=True)
        say = self.language.say
        return tuple([say("{name} as {side}", name=name, side=side) if side else name for name, side in named])

    def _waiting(self, state: RoomState) -> str:
        free = sum(chair.kind == "empty" for chair in state.chairs)
        still = max(free, missing(self.kit, state))
        if not still:
            return self.language.say("The game can start")
        count = self.language.count
        return count("Waiting for {number} more player", "Waiting for {number} more players", still)

    def _places(self, state: RoomState) -> int:
        live = state.match
        game = live.table.match.game if live else self.kit.build({"game": self.kit.name, **state.setup.rules})
        seats = max(game.least_seats, min(len(state.chairs), game.most_seats))
        due: int = self._keep("places", (game, seats), lambda: game.to_roll(game.start(seats)))
        return due if live is None else max(due, *[len(tray.faces) for tray in live.state.trays])

    def _match(  # noqa: PLR0917 - made in one place
        self,
        view: View,
        state: RoomState,
        mover: Seat | None,
        table: Table,
        play: TableState,
        lost: frozenset[int],
    ) -> None:
        say, inner, match, names = self.language.say, play.match, table.match, table.names
        slate = inner.tally, inner.over, inner.last, names
        view.standing = self._keep("standing", slate, lambda: self._standing(state, table, inner))
        if not is_to_ask(state):
            view.back = None if play.before is None else Button("back", say("Undo"))
        elif not play.marks and (by := chosen_by(state, lost)) is not None:
            view.back, view.back_by = Button("back", say("Take back")), by
        if inner.over:
            self._over(view, state, table, play)
            return
        if match.to_draw(inner) or mover is None:
            view.ask = "draw"
            view.heading = Told(say("Who is Player 1?"))
            view.main = None if table.dice == "real" else Button("draw", say("Draw Player 1"), gold=True)
            view.example = self.moves.example(view, table, play)
            return
        plays = view.by_bot = state.plays(mover)
        view.heading, view.status, view.beat, view.scores, view.counter = self._keep(
            "turn", (inner, names, plays, state.chairs), lambda: self._turn(state, table, play, mover, plays)
        )
        if inner.roll_off is not None:
            self.moves.rolling(view, table, inner)
            if not plays or view.ask == "enter":
                view.example = self.moves.example(view, table, play)
            return
        held = play.trays[mover].shows(play.marks) if play.marks and play.legal else ()
        words = self.kit.words
        view.things = self._keep("things", inner.round, lambda: words.things(self.language, match.game, inner.round))
        rows = inner.round, held, names, plays, inner.order
        view.rail, view.beam, view.ladder = self._keep(
            "rows", rows, lambda: self._rows(state, table, inner, mover, held)
        )
        if view.rail is None:
            view.red = list(words.red(match.game))
        else:
            view.red = [slot.want for slot in view.rail.slots if slot.want and (slot.preview or not slot.face)]
        if play.legal:
            self.moves.choosing(view, table, play)
        else:
            self.moves.rolling(view, table, inner)
        if not plays or view.ask == "enter":  # any player enters real dice for a bot
            known = inner, play.marks, names
            view.example = self._keep("example", known, lambda: self.moves.example(view, table, play))

    def _standing(self, state: RoomState, table: Table, inner: MatchState[Any]) -> Told:
        """Return the slate (who has won how much) in words. A match without a slate gives its ending."""

        def stands(to: Narrator) -> str:
            told = to.standing(inner.tally, over=inner.over, last=inner.last)
            return to.line(told or (to.ending(inner.tally, inner.last) if inner.over else []))

        return self._line(state, table, state.mover, stands)

    def _over(self, view: View, state: RoomState, table: Table, play: TableState) -> None:
        """Add the end of the match: the result, the heading, the winner and the winning dice."""
        inner = play.match

        def ended() -> list[Told]:
            def line(at: int) -> Told:
                return self._line(state, table, None, lambda to: to.ending(inner.tally, inner.last)[at])

            return list(map(line, range(len(self.announcer.narrator(table).ending(inner.tally, inner.last)))))

        view.result = self._keep("result", (inner.tally, inner.last, state.names), ended)
        lead = view.result[0]
        view.heading = Told(_unstopped(lead.text), {seat: _unstopped(own) for seat, own in lead.own.items()})
        decided = any(inner.tally.points) or inner.tally.won is not None
        form = table.match.format
        view.won = list(form.champions(inner.tally)) if decided else []
        view.tied = decider(self.kit, state) is not None
        unit = form.kind.unit
        taken = () if unit is None else form.takings(inner.tally)
        if unit is not None and unit.owed is not None:
            view.pays = [seat for seat, amount in enumerate(taken) if amount > 0]
        if unit is not None and unit.key == ROUNDS_WON and not form.is_one_round:
            view.rounds = list(taken)
        if view.pays:
            self._lost(view, table, play)
        else:
            self._won(view, table, play)
        view.won_red = one_of_each(view.won_dice, self.kit.words.red(table.match.game))

    def _lost(self, view: View, table: Table, play: TableState) -> None:
        """Add the last hand of the only seat that pays. The winners have left, each with a hand of their own."""
        last = play.match.last
        if len(view.pays) != 1 or last is None or not self.kit.keeps_dice:
            return
        seat = view.pays[0]
        if not last.scores[seat]:
            return  # the last round ended before it had a hand
        view.won_dice = sorted([face for face in play.trays[seat].faces if face], reverse=True)
        if view.won_dice:
            score = self.kit.words.score(self.language, table.match.game, last.scores[seat])
            view.won_with = self.language.say("Last hand: {score}", score=score)

    def _won(self, view: View, table: Table, play: TableState) -> None:
        """Add the best hand with which a winner of the match won a round."""
        hands = [hand for seat in view.won if (hand := play.best[seat]) is not None]
        if hands:
            dice, view.won_with = best_hand(self.language, self.kit, table, hands)
            view.won_dice = list(dice)

    def _turn(
        self, state: RoomState, table: Table, play: TableState, mover: Seat, plays: bool
    ) -> tuple[Told, Told, Told, Told, str]:
        """Return the texts over the dice and the answers to keys: heading, status, beat, scores and counter.

        ``plays``: a bot plays for the mover.
        """
        language, words, match, inner = self.language, self.kit.words, table.match, play.match
        todo, due = "", 0
        if not plays and play.legal:
            todo = words.todo(language, match.game, inner.round)
        elif table.dice == "real":
            due = match.to_roll(inner)
        known = table.names[mover], mover, plays, bool(state.chairs[mover].people), todo, due
        heading = self._keep("heading", known, lambda: self._heading(*known))
        if inner.roll_off is not None:
            stands = self._line(state, table, mover, lambda to: to.line(to.roll_off(inner)))
            return heading, stands, stands, stands, self.announcer.narrator(table).counter(inner)

        narrator, alone = self.announcer.narrator(table), turn_to_tell(match, inner)
        names = narrator.around(inner.order)

        def line(name: str, said: SaysOfRound, of: MatchState[Any], matters: SaysOfMatch | None = None) -> Told:
            def to_seat(to: Narrator) -> str:
                first = [] if matters is None else matters(to)
                return to.line([*first, *said(language, match.game, of.round, to.around(of.order))])

            text = narrator.line(said(language, match.game, of.round, names)) if of is inner else to_seat(narrator)
            # if the text to all is unchanged, so is each seat's
            from_what = text, state.chairs, mover, state.timed_out_seat
            told: Told = self._keep(name, from_what, lambda: self._to_each(state, table, mover, to_seat, text))
            if plays:
                told.own.pop(mover, None)
            return told

        counter = self._keep(
            "counter", (inner.number, inner.over), lambda: self.announcer.narrator(table).counter(inner)
        )
        scores = line("scores", words.scores, inner)
        if not scores.text and not inner.tally.rounds:
            scores = Told(language.say("No points yet."))
        if alone is not inner:
            begun = bool(inner.tally.rounds)
            status = line("status", words.status if begun else self._status, alone, lambda to: to.needs(inner))
            beat = line("beat", lambda *_: [], alone, lambda to: [*to.needs(inner), *to.standing_now(inner)])
            return heading, status, beat if beat.text else scores, scores, counter
        return heading, line("status", self._status, inner), line("beat", words.to_beat, inner), scores, counter

    def _status(self, language: Language, game: Any, turn: Any, names: tuple[str, ...]) -> list[str]:
        """Return the standing of the round. Until a player has scored, the aim comes first."""
        said = self.kit.words.status(language, game, turn, names)
        if [seat for seat in range(len(names)) if game.score(turn, RoundSeat(seat)) is not None]:
            return said
        aim = self.kit.words.aim(language, game)
        return [*filter(None, [aim]), *[line for line in said if line != aim]]

    def _heading(self, name: str, mover: Seat, plays: bool, sits: bool, todo: str, due: int) -> Told:  # noqa: PLR0917
        """Return the heading of a turn. The mover's version has the task.

        ``sits``: a person has the seat that a bot plays. ``due`` is the number of real dice to roll. Any player rolls
        them for a bot.
        """
        language, heading = self.language, Told(self.language.say("{name}'s turn", name=name))
        if plays and due:
            texts = "Roll {number} die for {name}.", "Roll {number} dice for {name}."
            return Told(_unstopped(language.count(*texts, due, name=name)))
        if plays:
            if sits:
                heading.own = {mover: _unstopped(language.say("A bot plays your turn."))}
            return heading
        own = language.say("Your turn: {todo}", todo=todo) if todo else language.say("Your turn")
        if due:
            own = language.count("Your turn: roll {number} die", "Your turn: roll {number} dice", due)
        heading.own = {mover: own}
        return heading

    def _rows(
        self, state: RoomState, table: Table, inner: MatchState[Any], mover: Seat, held: tuple[int, ...]
    ) -> tuple[RailView | None, BeamView | None, Ladder | None]:
        """Return the game's rows of a turn: the dice won, a sum, and a ladder of all scores."""
        words, game, own = self.kit.words, table.match.game, not state.plays(mover)
        name = table.names[mover]
        facts = self.language, game, inner.round
        rail, mine = [self.seats.rail(table, inner.round, to, held) for to in (name, "")]
        beam, yours = [words.beam(*facts, to, held) for to in (name, "")]

        def line(text: str, to_mover: str) -> Told:
            return Told(text, {mover: to_mover} if own else {})

        shown = None
        if rail is not None and mine is not None:
            labels = line(rail.label, mine.label), line(rail.total_label, mine.total_label)
            shown = RailView(rail.slots, *labels, rail.total, line(rail.said, mine.said))
        sum_view = None
        if beam is not None and yours is not None:
            sum_view = BeamView(beam.value, beam.target, beam.most, beam.label, line(beam.said, yours.said))
        return shown, sum_view, words.ladder(*facts)


def _is_new(table: Table, play: TableState) -> bool:
    """Return True if nothing has happened in this round yet.

    Its opener may be the seat whose roll ended the round before.
    """
    inner = play.match
    return inner.round is not None and inner.round == table.match.game.start(len(inner.order))


def _unstopped(text: str) -> str:
    return text.removesuffix(".")


def _whose(language: Language, heading: Told, names: Sequence[str], present: Sequence[bool]) -> Told:
    """Return the mover and the people here, as the key W tells."""
    who = here(language, names, present)

    def said(text: str) -> str:
        return " ".join([stopped(text), *who])

    return Told(said(heading.text), {seat: said(own) for seat, own in heading.own.items()})


def _shape(state: RoomState, lost: frozenset[int]) -> str:
    """Return the key of a page's layout. It changes with the seats, and with a full log.

    If the host is lost, it also changes with the lost seats, because any player may then run the table and free them.
    """
    if is_full(state):
        return f"{state.layout_version} full"
    if not state.host_is_lost(lost):
        return str(state.layout_version)
    return " ".join(map(str, [state.layout_version, *sorted(lost)]))
