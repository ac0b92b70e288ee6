"""A table as its page and its players' ears need it: the party's state into a ``wire.View``, in one language.

Says nothing that is not in the state, and knows no rules: what the main button would do is asked of the match.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from pubdice.formats import Drinks, Pot, Rounds
from pubdice.game import IllegalAction, Seat, Verb, quick
from pubdice.kit import Kit
from pubdice.match import MatchState
from pubdice.narrate import Narrator
from pubdice.party import PartyState
from pubdice.party.due import clock
from pubdice.server.tell import Teller, here
from pubdice.server.wire import Beam, Button, DieView, Rail, SeatView, Slot, Sure, Told, View
from pubdice.table import Table, TableState
from pubdice.view import Die
from pubdice.words import Language, faces, sentence, stopped

FACES = ("one", "two", "three", "four", "five", "six")
Votes = tuple[tuple[int, ...], tuple[int, int] | None]
"""The seats that are for a bot at another and wait for others; and how many votes there are, and it takes."""
LIES = {"locked": "locked {dice}", "marked": "kept {dice}", "free": "free {dice}", "reroll": "reroll {dice}"}
"""How dice of a status are read out, where there are others beside them."""
STATUS = {"free": "free", "marked": "kept", "reroll": "reroll", "locked": "locked"}
NOTHING = Told("")
MOST_SPOKEN_TO = 8
"""Seats at a table where everybody is told of where all stand in the second person; with more, only the mover is."""


@quick
@dataclass(frozen=True, slots=True)
class Moment:
    """What a view needs besides the state: the time, since when the table is looked after, who is gone since when.

    All in ms since 1970. link: from a code, where that table is (a rematch's).
    """

    now: int
    awake: int
    gone: Mapping[int, int]
    link: Callable[[str], str]


@dataclass(slots=True)
class Viewer:
    """Makes views of one table in one language.

    seats: each seat as it was seen last with its dice, and what that was made from: at most moves it is as it was.
    kept: lines that change seldom, with what they were made from.
    """

    language: Language
    kit: Kit
    teller: Teller
    seats: dict[int, tuple[object, SeatView, list[DieView]]] = field(default_factory=dict)
    kept: dict[str, tuple[object, Any]] = field(default_factory=dict)

    def view(self, state: PartyState, moment: Moment, last: list[Told]) -> View:
        """The view of a table. last: what was said last."""
        present = tuple(seat not in moment.gone for seat in range(len(state.chairs)))
        table, play = state.table, state.play
        mover = state.mover
        seats = [self._seat(state, Seat(seat), mover, moment) for seat in range(len(state.chairs))]
        view = View(
            seq=state.seq,
            shape=_shape(state, moment),
            stage=state.stage,
            mover=mover,
            ask="none",
            rolls=state.rolls,
            places=self._places(state),
            dice=self._shown(play, mover),
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
            clock=clock(state, moment.awake),
            now=moment.now,
            result=[],
            won=[],
            won_dice=[],
            rematch=moment.link(state.rematch) if state.rematch else None,
        )
        if table is None or play is None:
            view.heading = Told(self._waiting(state))
        else:
            self._match(view, state, mover, table, play)
        known = state.names, view.heading, present, self._called(state)
        view.whose = self._keep("whose", known, lambda: _whose(self.language, view.heading, known[3], present))
        return view

    def _keep(self, name: str, known: object, make: Callable[[], Any]) -> Any:
        """What was made last under this name, if it was made from the same."""
        before = self.kept.get(name)
        if before is None or before[0] != known:
            before = self.kept[name] = (known, make())
        return before[1]

    def _narrator(self, state: PartyState, seat: int | None = None) -> Narrator:
        """Who tells of the match, to all or to a seat; made once while nobody's name changes."""
        told: dict[int | None, Narrator] = self._keep("narrators", (state.table, state.names), dict)
        found = told.get(seat)
        if found is None:
            made = self.teller.narrator(state)
            assert made is not None, "a match is under way"
            found = told[seat] = made if seat is None else made.to(seat)
        return found

    def _told(self, state: PartyState, make: Callable[[Narrator], str]) -> Told:
        """A line for all, and in the second person for the people it names."""
        text = make(self._narrator(state))
        told = Told(text)
        if text:
            few, mover = len(state.chairs) <= MOST_SPOKEN_TO, state.mover
            for seat, chair in enumerate(state.chairs):
                if not chair.people or chair.name not in text or not (few or seat == mover):
                    continue
                if (own := make(self._narrator(state, seat))) != text:
                    told.own[seat] = own
        return told

    def _shown(self, play: TableState | None, mover: Seat | None) -> list[DieView]:
        """The mover's dice; before they roll, those on which nobody had a choice."""
        dice = [] if mover is None else self.seats[mover][2]
        if not dice and play is not None and play.lying is not None:
            return self.seats[play.lying[0]][2]
        return dice

    def _called(self, state: PartyState) -> tuple[str, ...]:
        """Everybody's name, with the side they play, where there is one."""
        sides = [self.teller.side(state, seat) for seat in range(len(state.chairs))]
        named = zip(state.names, sides, strict=True)
        say = self.language.say
        return tuple([say("{name} as {side}", name=name, side=side) if side else name for name, side in named])

    def _waiting(self, state: PartyState) -> str:
        free = sum(chair.kind == "empty" for chair in state.chairs)
        count = self.language.count
        return count("Waiting for {number} more player", "Waiting for {number} more players", free)

    def _places(self, state: PartyState) -> int:
        game = state.table.match.game if state.table else self.kit.build({"game": self.kit.name, **state.setup.rules})
        return game.to_roll(game.start(max(game.least_seats, min(len(state.chairs), game.most_seats))))

    def _match(self, view: View, state: PartyState, mover: Seat | None, table: Table, play: TableState) -> None:
        """What a match under way adds."""
        say, inner, match = self.language.say, play.match, table.match
        slate = inner.tally, inner.over, inner.last, state.names
        view.standing = self._keep("standing", slate, lambda: self._standing(state, inner))
        view.red = list(self.kit.words.red(match.game))
        if play.before is not None and table.dice == "real":
            view.back = Button("back", say("Undo"))
        if inner.over:
            self._over(view, state, table, play)
            return
        if inner.round is None:
            view.ask = "draw"
            view.heading = Told(say("Who is Player 1?"))
            view.main = None if table.dice == "real" else Button("draw", say("Draw Player 1"))
            return
        assert mover is not None, "somebody moves"
        turn = inner, state.names, state.plays(mover)
        view.heading, view.status, view.beat, view.scores, view.counter = self._keep(
            "turn", turn, lambda: self._turn(state, table, inner, mover)
        )
        held = self._held(table, play, mover)
        rows = inner.round, held, state.names, state.plays(mover), inner.order
        view.rail, view.beam = self._keep("rows", rows, lambda: self._rows(state, table, inner, mover, held))
        if match.to_roll(inner):
            self._rolling(view, table, inner)
        else:
            self._choosing(view, table, play, mover)

    def _standing(self, state: PartyState, inner: MatchState[Any]) -> Told:
        return self._told(state, lambda to: _line(to.standing(inner.tally, over=inner.over, last=inner.last)))

    def _over(self, view: View, state: PartyState, table: Table, play: TableState) -> None:
        """How it ended."""
        inner = play.match

        def ended() -> list[Told]:
            lines = range(len(self._narrator(state).ending(inner.tally, inner.last)))
            return [self._told(state, lambda to, at=at: to.ending(inner.tally, inner.last)[at]) for at in lines]  # type: ignore[misc]

        view.result = self._keep("result", (inner.tally, inner.last, state.names), ended)
        lead = view.result[0]
        view.heading = Told(_unstopped(lead.text), {seat: _unstopped(own) for seat, own in lead.own.items()})
        view.won = list(table.match.format.champions(inner.tally)) if any(inner.tally.points) else []
        if view.won:
            view.won_dice = sorted((face for face in play.trays[view.won[0]].faces if face), reverse=True)

    def _turn(
        self, state: PartyState, table: Table, inner: MatchState[Any], mover: Seat
    ) -> tuple[Told, Told, Told, Told, str]:
        """What stands over the dice, and what the keys answer."""
        language, words, match = self.language, self.kit.words, table.match
        heading = Told(language.say("{name}'s turn", name=state.names[mover]))
        if not state.plays(mover):
            heading.own = {mover: language.say("Your turn")}
            if match.legal(inner):
                todo = words.todo(language, match.game, inner.round)
                heading.own = {mover: language.say("Your turn: {todo}", todo=todo)}
            elif table.dice == "real":
                text = "Your turn: roll {number} die", "Your turn: roll {number} dice"
                heading.own = {mover: language.count(*text, match.to_roll(inner))}

        def line(said: Callable[..., list[str]]) -> Told:
            told = self._told(state, lambda to: _line(said(language, match.game, inner.round, to.around(inner.order))))
            if state.plays(mover):
                told.own.pop(mover, None)
            return told

        counter = self._narrator(state).counter(inner)
        return heading, line(words.status), line(words.to_beat), line(words.scores), counter

    def _held(self, table: Table, play: TableState, mover: Seat) -> tuple[int, ...]:
        """The mover's marked dice, as the rules see them."""
        return play.trays[mover].shows(play.marks) if play.marks and table.match.legal(play.match) else ()

    def _rows(
        self, state: PartyState, table: Table, inner: MatchState[Any], mover: Seat, held: tuple[int, ...]
    ) -> tuple[Rail | None, Beam | None]:
        """What a game shows of a turn: the dice won, or a sum."""
        words, game, own = self.kit.words, table.match.game, not state.plays(mover)
        name = state.names[mover]
        facts = self.language, game, inner.round
        rail, beam = words.rail(*facts, name, held), words.beam(*facts, name, held)
        mine, yours = words.rail(*facts, "", held), words.beam(*facts, "", held)

        def told(text: str, to_mover: str) -> Told:
            return Told(text, {mover: to_mover} if own else {})

        shown = None
        if rail is not None and mine is not None:
            slots = [Slot(slot.face, slot.want, slot.preview) for slot in rail.slots]
            labels = told(rail.label, mine.label), told(rail.total_label, mine.total_label)
            shown = Rail(slots, *labels, rail.total, told(rail.said, mine.said))
        if beam is None or yours is None:
            return shown, None
        return shown, Beam(beam.value, beam.target, beam.most, beam.label, told(beam.said, yours.said))

    def _rolling(self, view: View, table: Table, inner: MatchState[object]) -> None:
        view.due = due = table.match.to_roll(inner)
        if table.dice == "real":
            view.ask = "enter"
            view.main = Button("enter", self.language.count("Enter {number} die", "Enter {number} dice", due))
            return
        view.ask = "roll"
        view.main = Button("roll", self.language.count("Roll {number} die", "Roll {number} dice", due))

    def _choosing(self, view: View, table: Table, play: TableState, mover: Seat) -> None:
        """What the marks on the table would do."""
        match, words, say = table.match, self.kit.words, self.language.say
        game, inner = match.game, play.match
        view.ask = "keep"
        try:
            rolls = self._action(table, play, mover, "roll")
            label, ready = self._label(table, play, rolls), not game.gives_up(inner.round, rolls)
        except IllegalAction as error:
            rolls, ready = None, False
            label = words.missing(self.language, game, error.rule, error.facts)
        if not ready and not (rolls is None and label):
            label = say("Tap the dice you keep")
        view.main = Button("roll", label, ready)
        if self._gives_up(table, play):
            asked = words.question(self.language, game, inner.round)
            view.sure = None if asked is None else Sure("reroll", asked.label, asked.question, asked.yes, asked.no)
        try:
            banks = self._action(table, play, mover, "bank")
        except IllegalAction:
            return
        if banks != rolls:
            view.bank = Button("bank", sentence(words.choice(self.language, game, inner.round, banks)))

    def _gives_up(self, table: Table, play: TableState) -> bool:
        """Whether the mover may give up all dice, and is asked first."""
        if not table.match.legal(play.match):
            return False
        try:
            return table.match.game.gives_up(play.match.round, table.match.choose(play.match, "roll", ()))
        except IllegalAction:
            return False

    def _action(self, table: Table, play: TableState, mover: Seat, verb: Verb) -> Any:
        """What a verb would do with the marks on the table. Raises IllegalAction where it is not allowed."""
        action = table.match.choose(play.match, verb, play.trays[mover].shows(play.marks))
        table.match.play(play.match, action)
        return action

    def _label(self, table: Table, play: TableState, action: Any) -> str:
        """What the main button says of an action."""
        match, say = table.match, self.language.say
        choice = self.kit.words.choice(self.language, match.game, play.match.round, action)
        after = match.play(play.match, action)
        due, ended = match.to_roll(after), match.finished(play.match, after)
        if ended is not None:
            return sentence(say("{choice}, score {score}", choice=choice, score=ended[1]))
        if not due or not match.game.kept(action) or table.dice == "real":
            return sentence(choice)
        return sentence(say("{choice}, roll {number}", choice=choice, number=due))

    def _seat(self, state: PartyState, seat: Seat, mover: Seat | None, moment: Moment) -> SeatView:
        """A seat's view: the one before, if all that it shows is as it was."""
        chair, votes, side = state.chairs[seat], self._voted(state, seat, moment), self.teller.side(state, seat)
        absent, waited = seat in moment.gone, seat in state.lost(moment.gone, moment.now)
        known: tuple[object, ...] = (
            chair,
            state.host in chair.people,
            seat == mover,
            absent,
            waited,
            state.stage,
            votes,
            side,
        )
        if state.table is not None and state.play is not None:
            known += self._lies(state.table, state.play, seat, turn=seat == mover), seat == state.rolled
        seen = self.seats.get(seat)
        if seen is None or seen[0] != known:
            dice: list[DieView] = []
            if state.table is not None and state.play is not None:
                dice = self._dice(state, state.table, state.play, seat, mover)
            view = self._see(state, seat, mover, dice)
            view.side = side
            if absent and view.kind == "person":
                self._miss(view, votes, votable=waited and state.stage == "playing")
            seen = self.seats[seat] = (known, view, dice)
        return seen[1]

    def _miss(self, view: SeatView, votes: Votes, *, votable: bool) -> None:
        """What is to be seen of a seat whose person is away."""
        voted, ballot = votes
        view.here, view.votable, view.voted, view.note = False, votable, list(voted), self.language.say("away")
        if ballot is not None:
            text = "away; {votes} of {needed} for a bot"
            view.note = self.language.say(text, votes=ballot[0], needed=ballot[1])

    def _lies(self, table: Table, play: TableState, seat: Seat, *, turn: bool) -> tuple[object, ...]:
        """All that a seat's dice and scores are shown from."""
        inner = play.match
        score: int | None = None
        open_choice, marks = False, tuple[int, ...]()
        if inner.round is not None and seat in inner.order:
            score = table.match.game.score(inner.round, Seat(inner.order.index(seat)))
        if turn:
            open_choice, marks = bool(table.match.legal(inner)), play.marks
        tray, hands, tally = play.trays[seat], table.hands(play, seat), inner.tally
        lying = play.lying if play.lying is not None and play.lying[0] == seat else None
        return tray, hands, open_choice, marks, score, inner.over, tally.points[seat], seat in tally.out, lying

    def _see(self, state: PartyState, seat: Seat, mover: Seat | None, dice: list[DieView]) -> SeatView:
        """A seat's view, as if its people were here."""
        say, chair = self.language.say, state.chairs[seat]
        out, score, points, hand, own_hand = False, "", "", "", ""
        if state.table is not None and state.play is not None:
            inner, game = state.play.match, state.table.match.game
            out = seat in inner.tally.out and isinstance(state.table.match.format, Drinks)
            told = self._hand(state.table, state.play, seat, mover, dice)
            hand, own_hand = told(chair.name), told("") if chair.people else ""
            points = self._points(state.table, inner, seat)
            if inner.round is not None and seat in inner.order:
                got = game.score(inner.round, Seat(inner.order.index(seat)))
                score = "" if got is None else self.kit.words.score(self.language, game, got)
        note = ""
        if chair.kind == "standin":
            note = say("{bot} plays", bot=chair.bot.capitalize())
        elif chair.kind == "bot":
            note = say("bot") if chair.name.casefold() == chair.bot else say("bot: {bot}", bot=chair.bot)
        elif chair.kind == "empty":
            note = say("free")
        return SeatView(
            name=chair.name,
            kind=chair.kind,
            here=True,
            turn=seat == mover,
            out=out,
            host=any(map(state.is_host, chair.people)),
            note=note,
            score=score,
            points=points,
            dice=[die.face for die in dice],
            hand=hand,
            votable=False,
            own_hand=own_hand,
        )

    def _voted(self, state: PartyState, seat: int, moment: Moment) -> Votes:
        """The votes for a bot here."""
        if not state.votes or seat not in moment.gone or state.stage != "playing":
            return (), None
        voters, ballot = state.voters(seat, moment.gone[seat]), state.ballot(seat, moment.gone)
        if not voters:
            return (), None
        return tuple(sorted(voters)) if ballot[0] < ballot[1] else (), ballot

    def _points(self, table: Table, inner: MatchState[object], seat: int) -> str:
        points, form = inner.tally.points[seat], table.match.format
        if isinstance(form, Pot):
            return f"{points:+d}".replace("-", "\N{MINUS SIGN}") if points else "0"
        if isinstance(form, Rounds) and form.number > 1:
            return str(points)
        return ""

    def _dice(self, state: PartyState, table: Table, play: TableState, seat: Seat, mover: Seat | None) -> list[DieView]:
        """The seat's dice on the table; of one whose turn is done, those it ended with."""
        tray = play.trays[seat]
        dice: tuple[Die, ...] = table.view(play, seat)
        choosing = seat == mover and bool(table.match.legal(play.match))
        fresh = seat == state.rolled
        if play.lying is not None and play.lying[0] == seat:
            tray, choosing = play.lying[1], False
            dice = tray.dice((), ())
        elif not dice and seat != mover and (fresh or self._is_done(table, play, seat)):
            dice = tray.dice((), ())
        lies = seat != mover or (play.lying is not None and play.lying[0] == seat)
        rest = "reroll" if choosing and play.marks and self._gives_up(table, play) else "free"
        made = []
        for die in dice:
            at = die.place - 1
            status = "lying" if lies or not (choosing or die.status == "locked") else die.status
            marks = play.marks if choosing else ()
            pressed: str | None = None
            if status in ("free", "marked"):
                after = [mark for mark in marks if mark != at] if at in marks else [*marks, at]
                pressed = " ".join(map(str, after))
            shown = rest if status == "free" else status
            made.append(_die(self.language, die.place, die.face, shown, fresh and at not in tray.kept, pressed))
        return made

    def _is_done(self, table: Table, play: TableState, seat: Seat) -> bool:
        inner = play.match
        if inner.round is None or seat not in inner.order:
            return False
        return table.match.game.score(inner.round, Seat(inner.order.index(seat))) is not None

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
            won = words.rail(*facts, name, marked) if seat == mover and inner.round is not None else None
            return f"{told} {won.said}" if won is not None and any(slot.face for slot in won.slots) else told

        return said


def _line(sentences: Iterable[str]) -> str:
    return " ".join(map(sentence, sentences))


def _unstopped(text: str) -> str:
    """A sentence as a heading."""
    return text.removesuffix(".")


def _whose(language: Language, heading: Told, names: Sequence[str], present: Sequence[bool]) -> Told:
    """Whose turn it is and who is here, as W answers."""
    who = here(language, names, present)

    def said(text: str) -> str:
        return " ".join([stopped(text), *who])

    return Told(said(heading.text), {seat: said(own) for seat, own in heading.own.items()})


def _shape(state: PartyState, moment: Moment) -> str:
    """What a page is laid out by: whoever may run the table in place of a lost host may give up those who are lost."""
    if not moment.gone or not state.is_forlorn(lost := state.lost(moment.gone, moment.now)):
        return str(state.shape)
    return " ".join(map(str, [state.shape, *sorted(lost)]))


@lru_cache(maxsize=4096)
def _die(language: Language, place: int, face: int, status: str, fresh: bool, marks: str | None) -> DieView:  # noqa: PLR0917 - as it is shown
    """A die by its place and what it shows, its status in a word; none for one that only lies there."""
    label = language.say("Die {place}, {face}", place=place, face=language.say(FACES[face - 1]))
    return DieView(place, face, status, fresh, label, language.say(STATUS[status]) if status in STATUS else "", marks)
