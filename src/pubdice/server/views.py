"""A table as its page and its players' ears need it: the party's state into a ``wire.View``, in one language.

Says nothing that is not in the state, and knows no rules: what the main button would do is asked of the match.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from pubdice.formats import Drinks, Pot, Rounds
from pubdice.game import IllegalAction, Seat, Verb, quick
from pubdice.kit import Kit
from pubdice.match import MatchState
from pubdice.party import PartyState
from pubdice.party.due import clock
from pubdice.server.tell import Teller, whose
from pubdice.server.wire import Button, DieView, SeatView, Told, View
from pubdice.table import Table, TableState
from pubdice.view import Die
from pubdice.words import Language, faces, sentence

FACES = ("one", "two", "three", "four", "five", "six")
Votes = tuple[tuple[int, ...], tuple[int, int] | None]
"""The seats that are for a bot at another and wait for others; and how many votes there are, and it takes."""
STATUS = {"free": "free", "marked": "kept", "locked": "locked"}


@quick
@dataclass(frozen=True, slots=True)
class Moment:
    """What a view needs besides the state: the time, since when the table is looked after, who is gone since when.

    All in ms since 1970. address: where tables are found, to which a rematch's code is added.
    """

    now: int
    awake: int
    gone: Mapping[int, int]
    address: str


@dataclass(slots=True)
class Viewer:
    """Makes views of one table in one language.

    seats: each seat as it was seen last with its dice, and what that was made from: at most moves it is as it was.
    slate: what the match had come to last, and as it was told.
    """

    language: Language
    kit: Kit
    teller: Teller
    seats: dict[int, tuple[object, SeatView, list[DieView]]] = field(default_factory=dict)
    slate: tuple[object, str] = ((), "")

    def view(self, state: PartyState, moment: Moment, last: list[Told]) -> View:
        """The view of a table. last: what was said last."""
        here = tuple(seat not in moment.gone for seat in range(len(state.chairs)))
        table, play = state.table, state.play
        mover = state.mover
        seats = [self._seat(state, Seat(seat), mover, moment) for seat in range(len(state.chairs))]
        heading = self._heading(state, mover)
        view = View(
            seq=state.seq,
            shape=_shape(state, moment),
            stage=state.stage,
            mover=mover,
            ask="none",
            rolls=state.rolls,
            places=self._places(state),
            dice=[] if mover is None else self.seats[mover][2],
            heading=heading,
            status=Told(""),
            main=None,
            sure=None,
            bank=None,
            back=None,
            rail=None,
            beam=None,
            red=[],
            beat=Told(""),
            scores=Told(""),
            standing=Told(""),
            whose=Told(""),
            counter="",
            last=last,
            seats=seats,
            clock=clock(state, moment.awake),
            now=moment.now,
            result=[],
            won=[],
            won_dice=[],
            rematch=f"{moment.address}{state.rematch}" if state.rematch else None,
        )
        if table is None or play is None:
            view.heading = view.scores = Told(self._waiting(state))
        else:
            self._match(view, state, mover, table, play)
        view.whose = Told(whose(self.language, self._turn(state) or view.heading.text, self._called(state), here))
        return view

    def _turn(self, state: PartyState) -> str:
        """Whose turn it is, and what they are about to do; empty where no match is under way."""
        return self.teller.now(state) if state.stage == "playing" else ""

    def _heading(self, state: PartyState, mover: Seat | None) -> Told:
        """Whose turn it is; to the mover, what is to be done."""
        if state.stage != "playing" or mover is None or state.table is None or state.play is None:
            return Told("")
        say = self.language.say
        text = Told(say("{name}'s turn", name=state.names[mover]))
        if not state.plays(mover):
            asked = bool(state.table.match.legal(state.play.match))
            text.own = {mover: say("Your turn: keep one or more") if asked else say("Your turn")}
        return text

    def _called(self, state: PartyState) -> list[str]:
        """Everybody's name, with the side they play, where there is one."""
        sides = [self.teller.side(state, seat) for seat in range(len(state.chairs))]
        named = zip(state.names, sides, strict=True)
        return [self.language.say("{name} as {side}", name=name, side=side) if side else name for name, side in named]

    def _waiting(self, state: PartyState) -> str:
        free = sum(chair.kind == "empty" for chair in state.chairs)
        count = self.language.count
        return count("Waiting for {number} more to sit down.", "Waiting for {number} more to sit down.", free)

    def _places(self, state: PartyState) -> int:
        game = state.table.match.game if state.table else self.kit.build({"game": self.kit.name, **state.setup.rules})
        return game.to_roll(game.start(max(game.least_seats, min(len(state.chairs), game.most_seats))))

    def _match(self, view: View, state: PartyState, mover: Seat | None, table: Table, play: TableState) -> None:
        """What a match under way adds."""
        say, words, inner, match = self.language.say, self.kit.words, play.match, table.match
        narrator = self.teller.narrator(state)
        assert narrator is not None, "a match is under way"
        slate = inner.tally, inner.over, inner.last, state.names
        if self.slate[0] != slate:
            told = narrator.standing(inner.tally, over=inner.over, last=inner.last)
            self.slate = slate, " ".join(map(sentence, told))
        view.standing = Told(self.slate[1])
        if play.before is not None and table.dice == "real":
            view.back = Button("back", say("Take back what was entered last"))
        if inner.over:
            view.result = list(map(Told, narrator.ending(inner.tally, inner.last)))
            view.heading = Told(say("The match is over."))
            return
        if inner.round is None:
            view.ask = "draw"
            view.heading = Told(say("Player 1 is to be drawn: who is it?"))
            view.main = None if table.dice == "real" else Button("draw", say("Draw Player 1"))
            return
        names = tuple(state.names[seat] for seat in inner.order)
        view.scores = Told(" ".join(map(sentence, words.scores(self.language, match.game, inner.round, names))))
        view.beat = Told(" ".join(map(sentence, words.to_beat(self.language, match.game, inner.round, names))))
        assert mover is not None, "somebody moves"
        if match.to_roll(inner):
            self._rolling(view, table, inner)
        else:
            view.ask = "keep"
            rolls, banks = (self._action(table, play, mover, verb) for verb in ("roll", "bank"))
            view.main = Button("roll", say("Tap the dice you keep"), ready=False)
            if rolls is not None:
                view.main = Button("roll", self._label(table, play, rolls))
            if banks is not None and banks != rolls:
                choice = words.choice(self.language, match.game, inner.round, banks)
                view.bank = Button("bank", say("Bank: {choice}", choice=choice))

    def _rolling(self, view: View, table: Table, inner: MatchState[object]) -> None:
        due = table.match.to_roll(inner)
        if table.dice == "real":
            view.ask = "enter"
            text = "Enter {number} die as it fell", "Enter {number} dice as they fell"
            view.main = Button("enter", self.language.count(*text, due))
            return
        view.ask = "roll"
        view.main = Button("roll", self.language.count("Roll {number} die", "Roll {number} dice", due))

    def _action(self, table: Table, play: TableState, mover: Seat, verb: Verb) -> Any:
        """What a verb would do with the marks on the table; None where it is not allowed."""
        try:
            action = table.match.choose(play.match, verb, play.trays[mover].shows(play.marks))
            table.match.play(play.match, action)
        except IllegalAction:
            return None
        return action

    def _label(self, table: Table, play: TableState, action: Any) -> str:
        """What the main button says of an action."""
        match, say = table.match, self.language.say
        choice = self.kit.words.choice(self.language, match.game, play.match.round, action)
        after = match.play(play.match, action)
        due, ended = match.to_roll(after), match.finished(play.match, after)
        if ended is not None:
            return sentence(say("{choice} and score {score}", choice=choice, score=ended[1]))
        if not due or not match.game.kept(action) or table.dice == "real":
            return sentence(choice)
        text = "{choice}, roll {number} die", "{choice}, roll {number} dice"
        return sentence(self.language.count(*text, due, choice=choice))

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
        return tray, hands, open_choice, marks, score, inner.over, tally.points[seat], seat in tally.out

    def _see(self, state: PartyState, seat: Seat, mover: Seat | None, dice: list[DieView]) -> SeatView:
        """A seat's view, as if its people were here."""
        say, chair = self.language.say, state.chairs[seat]
        out, score, points, hand = False, "", "", ""
        if state.table is not None and state.play is not None:
            inner, game = state.play.match, state.table.match.game
            out = seat in inner.tally.out and isinstance(state.table.match.format, Drinks)
            hand = self._hand(state.table, state.play, seat, mover, dice)
            points = self._points(state.table, inner, seat)
            if inner.round is not None and seat in inner.order:
                got = game.score(inner.round, Seat(inner.order.index(seat)))
                score = "" if got is None else self.kit.words.score(self.language, game, got)
        note = ""
        if chair.kind == "standin":
            note = say("{bot} plays", bot=chair.bot.capitalize())
        elif chair.kind == "bot":
            note = say("bot: {bot}", bot=chair.bot)
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
        if not dice and seat != mover and (seat == state.rolled or self._is_done(table, play, seat)):
            dice = tray.dice((), ())
        fresh = seat == state.rolled
        made = []
        for die in dice:
            at = die.place - 1
            status = die.status if seat == mover and (choosing or die.status == "locked") else "lying"
            marks = play.marks if choosing else ()
            pressed: str | None = None
            if status in ("free", "marked"):
                after = [mark for mark in marks if mark != at] if at in marks else [*marks, at]
                pressed = " ".join(map(str, after))
            made.append(_die(self.language, die.place, die.face, status, fresh and at not in tray.kept, pressed))
        return made

    def _is_done(self, table: Table, play: TableState, seat: Seat) -> bool:
        inner = play.match
        if inner.round is None or seat not in inner.order:
            return False
        return table.match.game.score(inner.round, Seat(inner.order.index(seat))) is not None

    def _hand(self, table: Table, play: TableState, seat: Seat, mover: Seat | None, dice: list[DieView]) -> str:
        """The seat's dice read out, and what they come to."""
        say, inner = self.language.say, play.match
        if not dice:
            return say("No dice on the table.")
        texts = {"locked": "locked {dice}", "marked": "kept {dice}", "free": "free {dice}", "lying": "{dice}"}
        parts = [
            say(text, dice=faces(shown))
            for status, text in texts.items()
            if (shown := [die.face for die in dice if die.status == status])
        ]
        stand = ""
        if inner.round is not None and seat in inner.order:
            local = inner.order.index(seat)
            marked = play.trays[seat].shows(play.marks) if seat == mover else ()
            stand = self.kit.words.stand(self.language, table.match.game, inner.round, local, marked)
        said = sentence("; ".join(parts)) + "."
        return f"{said} {sentence(stand)}." if stand else said


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
