"""A table as its page and its players' ears need it: the room's state into a ``wire.View``, in one language.

Says nothing that is not in the state, and knows no rules: what the main button would do is asked of the match.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from pubdice.core.game import Seat
from pubdice.kit import Kit
from pubdice.match.match import MatchState
from pubdice.match.narrate import Narrator
from pubdice.match.table import Table, TableState
from pubdice.room import Live, RoomState
from pubdice.room.bounds import is_full
from pubdice.room.lobby import missing
from pubdice.room.state import clock
from pubdice.server.show.actions import Moves
from pubdice.server.show.announce import Announcer, here
from pubdice.server.show.seats import Seats, ViewContext
from pubdice.server.wire import BeamView, Button, DieView, RailView, SlotView, Told, View
from pubdice.text.language import Language, one_line, stopped

NOTHING = Told("")
SaysOfRound = Callable[[Language, Any, Any, tuple[str, ...]], list[str]]
"""Says something of a round, with the names of its seats in turn order."""
MOST_SPOKEN_TO = 8
"""Seats at a table where everybody is told of where all stand in the second person; with more, only the mover is."""


@dataclass(slots=True)
class Viewer:
    """Makes views of one table in one language.

    kept: lines that change seldom, with what they were made from.
    """

    language: Language
    kit: Kit
    announcer: Announcer
    kept: dict[str, tuple[object, Any]] = field(default_factory=dict)
    seats: Seats = field(init=False)
    moves: Moves = field(init=False)

    def __post_init__(self) -> None:
        self.seats, self.moves = Seats(self.language, self.kit, self.announcer), Moves(self.language, self.kit)

    def view(self, state: RoomState, context: ViewContext, last: list[Told]) -> View:
        """The view of a table. last: what was said last."""
        present = tuple([seat not in context.gone for seat in range(len(state.chairs))])
        live = state.match
        mover = None if live is None else live.state.mover
        seats = self.seats.all(state, mover, context)
        view = View(
            seq=state.seq,
            shape=_shape(state, context),
            stage=state.stage,
            mover=mover,
            ask="none",
            rolls=state.rolls,
            places=self._places(state),
            dice=self._shown(live, mover),
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
        )
        if live is None:
            view.heading = Told(self._waiting(state))
        else:
            self._match(view, state, mover, live.table, live.state)
        known = view.heading, self._called(state), present
        view.whose = self._keep("whose", known, lambda: _whose(self.language, *known))
        return view

    def _keep(self, name: str, known: object, make: Callable[[], Any]) -> Any:
        """What was made last under this name, if it was made from the same."""
        before = self.kept.get(name)
        if before is None or before[0] != known:
            before = self.kept[name] = (known, make())
        return before[1]

    def _told(self, state: RoomState, table: Table, mover: Seat | None, make: Callable[[Narrator], str]) -> Told:
        """A line for all, and in the second person for the people it names."""
        return self._to_each(state, table, mover, make, make(self.announcer.narrator(table)))

    def _to_each(
        self, state: RoomState, table: Table, mover: Seat | None, make: Callable[[Narrator], str], text: str
    ) -> Told:
        told = Told(text)
        if text:
            few = len(state.chairs) <= MOST_SPOKEN_TO
            for seat, chair in enumerate(state.chairs):
                if not chair.people or chair.name not in text or not (few or seat == mover):
                    continue
                if (own := make(self.announcer.narrator(table, seat))) != text:
                    told.own[seat] = own
        return told

    def _shown(self, live: Live | None, mover: Seat | None) -> list[DieView]:
        """The mover's dice; before they roll, those on which nobody had a choice."""
        dice = [] if mover is None else self.seats.seen[mover][2]
        if not dice and live is not None and live.state.lying is not None:
            return self.seats.seen[live.state.lying[0]][2]
        return dice

    def _called(self, state: RoomState) -> tuple[str, ...]:
        """Everybody's name, with the side they play, where there is one."""
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

    def _match(self, view: View, state: RoomState, mover: Seat | None, table: Table, play: TableState) -> None:
        """What a match under way adds."""
        say, inner, match, names = self.language.say, play.match, table.match, table.names
        slate = inner.tally, inner.over, inner.last, names
        view.standing = self._keep("standing", slate, lambda: self._standing(state, table, inner))
        view.red = list(self.kit.words.red(match.game))
        if play.before is not None and table.dice == "real":
            view.back = Button("back", say("Undo"))
        if inner.over:
            self._over(view, state, table, play)
            return
        if inner.round is None or mover is None:  # nobody is Player 1 yet
            view.ask = "draw"
            view.heading = Told(say("Who is Player 1?"))
            view.main = None if table.dice == "real" else Button("draw", say("Draw Player 1"))
            return
        plays = state.plays(mover)
        view.heading, view.status, view.beat, view.scores, view.counter = self._keep(
            "turn", (inner, names, plays), lambda: self._turn(state, table, play, mover, plays)
        )
        held = play.trays[mover].shows(play.marks) if play.marks and play.legal else ()
        rows = inner.round, held, names, plays, inner.order
        view.rail, view.beam = self._keep("rows", rows, lambda: self._rows(state, table, inner, mover, held))
        if match.to_roll(inner):
            self.moves.rolling(view, table, inner)
        else:
            self.moves.choosing(view, table, play)

    def _standing(self, state: RoomState, table: Table, inner: MatchState[Any]) -> Told:
        return self._told(
            state, table, state.mover, lambda to: one_line(to.standing(inner.tally, over=inner.over, last=inner.last))
        )

    def _over(self, view: View, state: RoomState, table: Table, play: TableState) -> None:
        """How the match ended: the result, the heading, who won with which dice."""
        inner = play.match

        def ended() -> list[Told]:
            def line(at: int) -> Told:
                return self._told(state, table, None, lambda to: to.ending(inner.tally, inner.last)[at])

            return list(map(line, range(len(self.announcer.narrator(table).ending(inner.tally, inner.last)))))

        view.result = self._keep("result", (inner.tally, inner.last, state.names), ended)
        lead = view.result[0]
        view.heading = Told(_unstopped(lead.text), {seat: _unstopped(own) for seat, own in lead.own.items()})
        view.won = list(table.match.format.champions(inner.tally)) if any(inner.tally.points) else []
        if view.won:
            view.won_dice = sorted((face for face in play.trays[view.won[0]].faces if face), reverse=True)

    def _turn(
        self, state: RoomState, table: Table, play: TableState, mover: Seat, plays: bool
    ) -> tuple[Told, Told, Told, Told, str]:
        """What stands over the dice, and what the keys answer. plays: a bot does, for the mover."""
        language, words, match, inner = self.language, self.kit.words, table.match, play.match
        todo, due = "", 0
        if not plays and play.legal:
            todo = words.todo(language, match.game, inner.round)
        elif table.dice == "real":
            due = match.to_roll(inner)
        known = table.names[mover], mover, plays, todo, due
        heading = self._keep("heading", known, lambda: self._heading(*known))

        names = self.announcer.narrator(table).around(inner.order)

        def line(name: str, said: SaysOfRound) -> Told:
            def to_seat(to: Narrator) -> str:
                return one_line(said(language, match.game, inner.round, to.around(inner.order)))

            text = one_line(said(language, match.game, inner.round, names))
            # it says all that it knows: while it reads the same to all, it reads the same to each of them
            from_what = text, state.chairs, mover, state.timed_out_seat
            told: Told = self._keep(name, from_what, lambda: self._to_each(state, table, mover, to_seat, text))
            if plays:
                told.own.pop(mover, None)
            return told

        counter = self._keep(
            "counter", (inner.number, inner.over), lambda: self.announcer.narrator(table).counter(inner)
        )
        lines = line("status", words.status), line("beat", words.to_beat), line("scores", words.scores)
        return heading, *lines, counter

    def _heading(self, name: str, mover: Seat, plays: bool, todo: str, due: int) -> Told:
        """Whose turn it is; to the mover, what there is to do. due: real dice to be rolled, by anybody for a bot."""
        language, heading = self.language, Told(self.language.say("{name}'s turn", name=name))
        if plays and due:
            texts = "Roll {number} die for {name}.", "Roll {number} dice for {name}."
            return Told(_unstopped(language.count(*texts, due, name=name)))
        if plays:
            return heading
        own = language.say("Your turn: {todo}", todo=todo) if todo else language.say("Your turn")
        if due:
            own = language.count("Your turn: roll {number} die", "Your turn: roll {number} dice", due)
        heading.own = {mover: own}
        return heading

    def _rows(
        self, state: RoomState, table: Table, inner: MatchState[Any], mover: Seat, held: tuple[int, ...]
    ) -> tuple[RailView | None, BeamView | None]:
        """What a game shows of a turn: the dice won, or a sum."""
        words, game, own = self.kit.words, table.match.game, not state.plays(mover)
        name = table.names[mover]
        facts = self.language, game, inner.round
        rail, mine = [self.seats.rail(table, inner.round, to, held) for to in (name, "")]
        beam, yours = [words.beam(*facts, to, held) for to in (name, "")]

        def told(text: str, to_mover: str) -> Told:
            return Told(text, {mover: to_mover} if own else {})

        shown = None
        if rail is not None and mine is not None:
            slots = [SlotView(slot.face, slot.want, slot.preview) for slot in rail.slots]
            labels = told(rail.label, mine.label), told(rail.total_label, mine.total_label)
            shown = RailView(slots, *labels, rail.total, told(rail.said, mine.said))
        if beam is None or yours is None:
            return shown, None
        return shown, BeamView(beam.value, beam.target, beam.most, beam.label, told(beam.said, yours.said))


def _unstopped(text: str) -> str:
    """A sentence as a heading."""
    return text.removesuffix(".")


def _whose(language: Language, heading: Told, names: Sequence[str], present: Sequence[bool]) -> Told:
    """Whose turn it is and who is here, as W answers."""
    who = here(language, names, present)

    def said(text: str) -> str:
        return " ".join([stopped(text), *who])

    return Told(said(heading.text), {seat: said(own) for seat, own in heading.own.items()})


def _shape(state: RoomState, context: ViewContext) -> str:
    """What a page is laid out by: the player who may run the table in place of a lost host may give up those who are
    lost.
    """
    if is_full(state):
        return f"{state.layout_version} full"
    if not context.gone or not state.host_is_lost(lost := state.lost(context.gone, context.now)):
        return str(state.layout_version)
    return " ".join(map(str, [state.layout_version, *sorted(lost)]))
