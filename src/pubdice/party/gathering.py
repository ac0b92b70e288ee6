"""Before the match: who sits down and where, who is ready, what the host changes, and how it begins."""

from collections.abc import Mapping
from dataclasses import replace

from pubdice.kit import PERFECT, Kit
from pubdice.notation import Header
from pubdice.party import commands as ask
from pubdice.party.asking import Asking
from pubdice.party.events import Botted, Closed, Joined, Paced, Readied, Ruled, Sat, Shared, Shifted, Started, Unreadied
from pubdice.party.nickname import read_nickname
from pubdice.party.setup import MOST_PACE_MS, MOST_PERFECT, checked, placeholders, unused, within, write_rules
from pubdice.party.state import PartyState
from pubdice.table import Draw, Refused

MOST_CHAIRS = 64
"""Seats of a table that grows, if its game takes so many."""
SOON_MS = 1000
"""Who is still to come and has not gone may go by then."""


def most_chairs(kit: Kit, state: PartyState) -> int:
    """How many seats a table may come to have."""
    if not state.setup.grows:
        return len(state.chairs)
    most = min(MOST_CHAIRS, kit.build(state.setup.rules).most_seats)
    return min(most, MOST_PERFECT) if any(chair.bot == PERFECT for chair in state.chairs) else most


def missing(kit: Kit, state: PartyState) -> int:
    """How many players the match still needs to begin."""
    if not state.setup.grows:
        return sum(chair.kind == "empty" for chair in state.chairs)
    expected = len(state.setup.expected)
    least = min(2, expected) if expected else 2  # every format needs two, but who has played alone plays on alone
    least = max(least, kit.build(state.setup.rules).least_seats)
    return max(0, least - sum(chair.kind != "empty" for chair in state.chairs))


def begins(kit: Kit, state: PartyState, gone: Mapping[int, int], now: int) -> int | None:
    """When a match begins by itself (ms since 1970): once all are ready, and the others were waited for long enough.

    None while somebody here has not said ready, or nobody has. gone: the seats that have lost their people, or are kept
    for people who are at no table, since when; a seat lost for the grace time holds nobody up. Those who are still to
    come and not gone are gone from now on at the earliest.
    """
    if state.play is not None or not state.people or missing(kit, state):
        return None
    at = now
    if state.setup.grows:
        if not any(chair.ready for chair in state.chairs):
            return None
        for seat, chair in enumerate(state.chairs):
            if chair.people and not chair.ready:
                if seat not in gone:
                    return None
                at = max(at, gone[seat] + 1000 * state.setup.grace_s)
            if chair.awaited:
                at = max(at, gone.get(seat, now + SOON_MS) + 1000 * state.setup.grace_s)
    return at


class Gathering(Asking):
    """A table whose people are gathering, and somebody who asks something of it."""

    def _sit(self, command: ask.Sit) -> None:
        if self.state.stage == "over":
            raise Refused("match-over")
        if self.state.seat_of(self.asker.person) is not None:
            raise Refused("seated-already")
        self.admitted()
        kept = self.state.kept_for(self.asker.person)
        if kept and (command.seat is None or command.seat in kept):
            self._sit_again(kept, command.name)
        else:
            seat = command.seat if command.seat is not None else self._free()
            if seat != len(self.state.chairs) or command.seat is not None:
                if self.chair(seat).people:
                    raise Refused("seat-taken", name=self.chair(seat).name)
                if self.chair(seat).awaited:
                    raise Refused("seat-kept", name=self.chair(seat).name)
            assert self.asker.person is not None, "only people sit down"
            self.add(Sat(seat, self.asker.person, self.fresh_name(command.name, seat)))
        self.start_if_complete()

    def admitted(self, *, new: bool = True) -> None:
        """Only who was not asked to leave goes on from here.

        new: nor anybody new since somebody was, as a browser without its cookie is somebody else.
        """
        if self.asker.person in self.state.barred:
            raise Refused("removed-before")
        if new and self.state.is_shut_to(self.asker.person):
            raise Refused("table-shut")

    def fresh_name(self, text: str, seat: int) -> str:
        """A name for a seat that nobody else here has."""
        return read_nickname(text, [chair.name for at, chair in enumerate(self.state.chairs) if at != seat])

    def _sit_again(self, kept: tuple[int, ...], name: str) -> None:
        """At the seats kept for a person, with all phones that had them; also at one that another phone has taken."""
        assert self.asker.person is not None, "only people sit down"
        shared = self._shared_with()
        if shared is not None:
            self.add(Joined(shared, self.asker.person))
        for number, seat in enumerate(kept):
            chair = self.state.chairs[seat]
            called = self.fresh_name(name, seat) if name.strip() and not number else chair.name
            sits_already = number or shared is not None
            self.add((Shared if sits_already else Sat)(seat, self.asker.person, called))
            for person in chair.awaited:
                others = set(self.state.kept_for(person)) - set(kept)  # who had those too comes for themselves
                if person != self.asker.person and person not in self.state.people and not others:
                    self.add(Joined(seat, person))

    def _shared_with(self) -> int | None:
        """The seat of the table before that another phone of the asker's has taken here already."""
        asker = self.asker.person
        for expected in self.state.setup.expected:
            for seat, chair in enumerate(self.state.chairs):
                if asker in expected.people and asker not in chair.people and set(chair.people) & set(expected.people):
                    return seat
        return None

    def _free(self) -> int:
        """The first empty seat that is kept for nobody, or a new one, or else the first bot's."""
        for seat, chair in enumerate(self.state.chairs):
            if chair.kind == "empty" and not chair.awaited:
                return seat
        if self.state.play is None and len(self.state.chairs) < most_chairs(self.kit, self.state):
            return len(self.state.chairs)
        for seat, chair in enumerate(self.state.chairs):
            if chair.kind == "bot":
                return seat
        raise Refused("table-full")

    def _empty(self) -> int:
        """An empty seat or a new one; nobody's is taken away."""
        seat = self._free()
        if seat < len(self.state.chairs) and self.state.chairs[seat].kind == "bot":
            raise Refused("table-full")
        return seat

    def _gathering(self) -> None:
        """Only before the match one goes on from here."""
        if self.state.play is not None:
            raise Refused("started")

    def _share(self, command: ask.Share) -> None:
        self._gathering()
        self.own()
        if not self.state.is_host(self.asker.person):  # whose phone a removed person shares, they would be back on
            self.admitted()
            if self.asker.person in self.state.unshared:
                raise Refused("share-removed")
        seat = self._empty()
        assert self.asker.person is not None, "only people sit down"
        self.add(Shared(seat, self.asker.person, self.fresh_name(command.name, seat)))
        self.start_if_complete()

    def _ready(self, command: ask.Ready) -> None:
        self._gathering()
        self.own()
        seats = [seat for seat in self.state.seats_of(self.asker.person) if not self.state.chairs[seat].ready]
        if not seats:
            raise Refused("ready-already")
        for seat in seats:
            self.add(Readied(seat))
        self.start_if_complete()

    def _unready(self, command: ask.Unready) -> None:
        self._gathering()
        self.own()
        seats = [seat for seat in self.state.seats_of(self.asker.person) if self.state.chairs[seat].ready]
        if not seats:
            raise Refused("not-ready")
        for seat in seats:
            self.add(Unreadied(seat))

    # what the host does

    def _close(self, command: ask.Close) -> None:
        self.host()
        self._gathering()
        if self.chair(command.seat).kind not in ("empty", "bot"):
            raise Refused("seat-taken", name=self.chair(command.seat).name)
        if self.state.setup.grows:
            if len(self.state.chairs) == 1:
                raise Refused("too-few-seats", least=1)
        else:
            seats = ", ".join(placeholders(len(self.state.chairs)))
            game = self.kit.build(self.kit.settle(Header({**self.state.setup.rules, "seats": seats})).fields)
            if len(self.state.chairs) <= game.least_seats:
                raise Refused("too-few-seats", least=game.least_seats)
        self.add(Closed(command.seat))
        self.start_if_complete()

    def _addbot(self, command: ask.AddBot) -> None:
        self.host()
        self._gathering()
        bot, seat = self.bot(command.bot), self._empty()
        if bot == PERFECT and max(seat + 1, len(self.state.chairs)) > MOST_PERFECT:
            raise Refused("perfect-seats", most=MOST_PERFECT)
        self.seat_bot(seat, bot)
        self.start_if_complete()

    def seat_bot(self, seat: int, bot: str) -> None:
        """A bot takes a seat, under a name of its own."""
        names = [chair.name for chair in self.state.chairs]
        self.add(Botted(seat, bot, unused(bot.capitalize(), names)))

    def _shift(self, command: ask.Shift) -> None:
        self.host()
        self._gathering()
        self.chair(command.seat)
        self.chair(command.to)
        if command.seat == command.to:
            raise Refused("nothing-new")
        self.add(Shifted(command.seat, command.to))

    def _rules(self, command: ask.Rules) -> None:
        self.host()
        self._gathering()
        setup, pace = self.state.setup, command.pace_ms
        rules = {**setup.rules, **command.rules, "game": self.kit.name}
        if "format" in command.rules and "opener" not in command.rules:
            rules.pop("opener", None)
        changed = replace(
            setup,
            rules={key: value for key, value in rules.items() if value},
            dice=setup.dice if command.dice is None else command.dice,
            clock_s=setup.clock_s if command.clock_s is None else command.clock_s,
            grace_s=setup.grace_s if command.grace_s is None else command.grace_s,
        )
        changed = checked(self.kit, changed)
        most = self.kit.build(changed.rules).most_seats
        if len(self.state.chairs) > most:
            raise Refused("too-many-seats", most=most)
        if changed != setup:
            self.add(Ruled(write_rules(changed)))
        if pace is not None and pace != self.state.pace_ms:
            self.add(Paced(within("pace", pace, 0, MOST_PACE_MS)))
        if not self.steps:
            raise Refused("nothing-new")

    def _start(self, command: ask.Start) -> None:
        self.host()
        self._gathering()
        self.own()
        if self.state.setup.grows:
            if short := missing(self.kit, self.state):
                raise Refused("too-few-players", missing=short)
        else:
            bot = self.bot(command.bot)
            for seat, chair in enumerate(self.state.chairs):
                if chair.kind == "empty":
                    self.seat_bot(seat, bot)
        self.begin()

    # how it begins

    def start_if_complete(self) -> None:
        """Begin, if all seats are taken; where the table grows, if all are ready and nobody is waited for any more."""
        now = self.asker.now
        at = begins(self.kit, self.state, self.asker.gone, now)
        if at is not None and at <= now:
            self.begin()

    def _begin(self, command: ask.Begin) -> None:
        assert self.asker.person is None, "the table's own"
        self._gathering()
        self.start_if_complete()

    def begin(self) -> None:
        """The match begins, without the empty seats; and the house draws Player 1 where that is done."""
        for seat in reversed(range(len(self.state.chairs))):
            if self.state.chairs[seat].kind == "empty":
                self.add(Closed(seat))
        self.add(Started())
        table, play = self.match()
        if table.dice == "house" and table.match.to_draw(play.match):
            self.moves(Draw())
