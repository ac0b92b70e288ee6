"""The seats of a table as they are shown: who sits there, their dice, and what those come to, read out."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from pubdice.formats import Drinks, Pot, Rounds
from pubdice.game import Seat, quick
from pubdice.kit import Kit
from pubdice.match import MatchState
from pubdice.party import PartyState
from pubdice.server.moves import gives_up
from pubdice.server.tell import Teller
from pubdice.server.wire import DieView, SeatView
from pubdice.table import Table, TableState
from pubdice.view import Die
from pubdice.words import Language, faces

FACES = ("one", "two", "three", "four", "five", "six")
Votes = tuple[tuple[int, ...], tuple[int, int] | None]
"""The seats that are for a bot at another and wait for others; and how many votes there are, and it takes."""
LIES = {"locked": "locked {dice}", "marked": "kept {dice}", "free": "free {dice}", "reroll": "reroll {dice}"}
"""How dice of a status are read out, where there are others beside them."""
STATUS = {"free": "free", "marked": "kept", "reroll": "reroll", "locked": "locked"}


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
class Seats:
    """Shows the seats of one table in one language.

    seen: each seat as it was seen last with its dice, and what that was made from: at most moves it is as it was.
    """

    language: Language
    kit: Kit
    teller: Teller
    seen: dict[int, tuple[object, SeatView, list[DieView]]] = field(default_factory=dict)

    def seat(self, state: PartyState, seat: Seat, mover: Seat | None, moment: Moment) -> SeatView:
        """A seat's view: the one before, if all that it shows is as it was."""
        chair, votes, side = state.chairs[seat], self._voted(state, seat, moment), self.teller.side(state, seat)
        absent, waited = seat in moment.gone, seat in state.lost(moment.gone, moment.now)
        vote_at = 0
        if absent and not waited and state.stage == "playing" and not state.paused_at:
            vote_at = moment.gone[seat] + 1000 * state.setup.grace_s
        known: tuple[object, ...] = (
            chair,
            state.host in chair.people,
            seat == mover,
            absent,
            waited,
            vote_at,
            state.stage,
            votes,
            side,
        )
        if state.table is not None and state.play is not None:
            known += self._lies(state.table, state.play, seat, turn=seat == mover), seat == state.rolled
        seen = self.seen.get(seat)
        if seen is None or seen[0] != known:
            dice: list[DieView] = []
            if state.table is not None and state.play is not None:
                dice = self._dice(state, state.table, state.play, seat, mover)
            view = self._see(state, seat, mover, dice)
            view.side = side
            if absent and view.kind == "person":
                self._miss(view, votes, votable=waited and state.stage == "playing")
                view.vote_at = vote_at
            seen = self.seen[seat] = (known, view, dice)
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
        rest = "reroll" if choosing and play.marks and gives_up(table, play) else "free"
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


@lru_cache(maxsize=4096)
def _die(language: Language, place: int, face: int, status: str, fresh: bool, marks: str | None) -> DieView:  # noqa: PLR0917 - as it is shown
    """A die by its place and what it shows, its status in a word; none for one that only lies there."""
    label = language.say("Die {place}, {face}", place=place, face=language.say(FACES[face - 1]))
    return DieView(place, face, status, fresh, label, language.say(STATUS[status]) if status in STATUS else "", marks)
