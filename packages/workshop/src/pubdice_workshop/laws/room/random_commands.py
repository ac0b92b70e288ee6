"""Tables with random commands. A list of numbers decides which person sends which command, sensible or not. After each
command, the invariants of the room and of each step are checked (``always_true``).
"""

from dataclasses import dataclass
from typing import get_args

import msgspec
from hypothesis import strategies as st

from play import CASES, Case, Choices, endless, room_of
from pubdice.core.dice import Roll
from pubdice.core.errors import BadNotation, IllegalAction, Refused
from pubdice.core.game import Seat, pick
from pubdice.core.seal import KeyedSeals, digest_of_seat
from pubdice.kit import PERFECT, Kit
from pubdice.match.table import Dice
from pubdice.room import Caller, Room, RoomState, Setup, Step
from pubdice.room import commands as ask
from pubdice.room.seeds import sealed, unopened
from pubdice.room.setup import checked
from pubdice.room.state import due
from room.always_true import check_dice, check_seen, check_sound, check_step
from room.scripted_room import BEGIN

PEOPLE = 9
MOST_AFTER = 12
WRITTEN = msgspec.msgpack.Encoder(enc_hook=repr)
"""An encoder that writes a whole state as bytes, to compare it before and after a command. ``repr`` takes four times as
long."""
SEEDS = tuple(f"{word}{number}" for word in ("heads", "again", "tails") for number in range(9))
"""The seeds (for sealed dice) that phones keep."""


@dataclass(frozen=True)
class Order:
    """An ordered table, and a seed that decides everything that happens there."""

    case: Case
    seats: int
    bots: int
    dice: Dice
    clock_s: int
    grace_s: int
    seed: int
    grows: bool = False


def walks(kit: Kit, dice: Dice | None = None, most: int = 8) -> st.SearchStrategy[Order]:
    """Return a strategy for tables of a game, with up to ``most`` seats."""
    cases = [case for case in CASES if case.kit is kit]
    seats = st.sampled_from(room_of(cases[0].game, most=most))
    return seats.flatmap(
        lambda number: st.builds(
            Order,
            st.sampled_from(cases),
            st.just(number),
            st.integers(0, number - 1),
            st.sampled_from(get_args(Dice) if dice is None else (dice,)),
            st.sampled_from((0, 10, 60)),
            st.sampled_from((0, 1, 120)),
            st.integers(0, 2**32),
            st.booleans(),
        )
    )


class CountedCup:
    """A cup (source of rolls) that remembers its throws, so a test can see that all dice come from it."""

    def __init__(self, numbers: Choices) -> None:
        self.numbers, self.thrown = numbers, list[Roll | int]()

    def roll(self, number: int, index: int, sides: int = 6) -> Roll:
        self.thrown.append(self.numbers.roll(number, index, sides))
        return self.thrown[-1]  # type: ignore[return-value]

    def draw(self, number: int, index: int) -> int:
        self.thrown.append(self.numbers.draw(number, index))
        return self.thrown[-1]  # type: ignore[return-value]


class Walk:
    def __init__(self, order: Order, people: str = "m") -> None:
        kit, self.order = order.case.kit, order
        self.numbers, self.cup = endless(order.seed), CountedCup(endless(order.seed + 1))
        self.people = tuple(f"{people}{number}" for number in range(PEOPLE))
        policies = [bot for bot in kit.bots if bot != PERFECT]
        bots = tuple(policies[self.numbers.below(len(policies))] for _ in range(order.bots))
        rules = {"game": kit.name, **dict(order.case.fields)}
        if self.numbers.below(6) == 0:
            rules["first"] = "draw"
        setup = Setup(
            rules,
            1 + order.bots if order.grows else order.seats,
            self.people[0],
            BEGIN,
            bots,
            order.dice,
            clock_s=order.clock_s,
            grace_s=order.grace_s,
            grows=order.grows,
        )
        self.seals = KeyedSeals(order.seed.to_bytes(32, "big"), lambda size: order.seed.to_bytes(size, "big"))
        self.room, self.kit = Room(kit, sealed(checked(kit, setup), self.seals)), kit
        self.state, self.now, self.log = self.room.start(), BEGIN, list[str]()
        self.gone: dict[int, int] = {}
        self._shown: tuple[RoomState | None, bytes] = None, b""
        """the last state that was compared, and its bytes from when it was new"""
        check_sound(self.state)

    def run(self, commands: int) -> None:
        """Send this many commands, one after another, but at most MOST_AFTER after the end of the match."""
        after = 0
        for _ in range(commands):
            self.gone = {seat: since for seat, since in self.gone.items() if seat < len(self.state.chairs)}
            after += self.state.stage == "over"
            if after > MOST_AFTER:
                break
            self.now += (0, 1, 1, 900, 900, 900, 5_000, 5_000, 31_000, 130_000)[self.numbers.below(10)]
            self._come_and_go()
            deed = due(self.state)
            if deed is not None and deed[0] <= self.now and self.numbers.below(3):
                self.own_deed()
            else:
                self.attempt(*self._wish())

    def attempt(self, person: str | None, command: ask.Command) -> tuple[Step, ...]:
        """Send a command, usually with the last event that its sender has seen. If the command is refused, assert that
        the state has not changed.
        """
        before = self.state
        if self._shown[0] is not before:
            self._shown = before, WRITTEN.encode(before)
        shown = self._shown[1]
        caller = Caller(person, self.now, self.gone, self._seen() if person else None)
        self.cup.thrown.clear()
        try:
            steps = self.room.decide(before, command, caller, self.cup, self.seals)
        except (Refused, IllegalAction, BadNotation):
            assert self.state is before
            assert WRITTEN.encode(before) == shown
            return ()
        assert WRITTEN.encode(before) == shown
        check_seen(caller.seen, steps)
        lines = [step.write() for step in steps]
        assert tuple(self.room.replay(before, lines)) == steps, "the log tells it all"
        assert steps, "what is done is written down"
        for step in steps:
            check_step(step)
        check_dice(person, command, steps, self.cup.thrown)
        self.state = steps[-1].after
        self.log += lines
        check_sound(self.state)
        self.gone = {seat: since for seat, since in self.gone.items() if seat < len(self.state.chairs)}
        return steps

    def _seen(self) -> int | None:
        """Return the last event that the sender has seen: usually the latest, sometimes an older one, or None if it is
        unknown.
        """
        return (None, max(0, self.state.seq - self.numbers.below(6)), *[self.state.seq] * 4)[self.numbers.below(6)]

    def own_deed(self) -> tuple[Step, ...]:
        deed = due(self.state)
        assert deed is not None
        self.now = max(self.now, deed[0])
        steps = self.attempt(None, ask.TimeUp() if deed[1] == "clock" else self._bot())
        assert steps, "what is due can be done"
        assert deed[1] == "bot" or due(self.state) != deed
        return steps

    def _bot(self) -> ask.Bot:
        live, mover = self.state.match, self.state.mover
        assert live is not None
        assert mover is not None
        table, play = live.table, live.state
        if table.match.to_roll(play.match):
            return ask.Bot()
        policy = self.room.kit.policies[self.state.chairs[mover].bot or self.room.kit.bots[0]]
        return ask.Bot(pick(policy(table.match.game, play.match.round), self.numbers.below))

    def _come_and_go(self) -> None:
        if self.numbers.below(6) == 0:
            seat = self.numbers.below(len(self.state.chairs))
            if self.gone.pop(seat, None) is None and self.state.chairs[seat].people:
                self.gone[seat] = self.now

    def _wish(self) -> tuple[str | None, ask.Command]:
        """Return a person and a command for this person, usually a sensible one."""
        below, state = self.numbers.below, self.state
        person = self.people[below(PEOPLE)]
        if state.stage == "gathering" and below(2):
            if self.state.setup.dice == "sealed" and below(3) == 0:
                return self._seeding(person)
            if self.state.setup.grows and below(3) == 0:
                return person, (ask.Ready(), ask.Ready(), ask.Unready(), ask.Start(), ask.AddBot())[below(5)]
            return person, ask.Sit(None, f"P{self.people.index(person)}")
        if state.question is not None and below(2):
            return person, (ask.Agree(), ask.Agree(), ask.Decline())[below(3)]
        if state.chose is not None and state.question is None and below(8) == 0:
            return (*state.chairs[state.chose].people, person)[0], ask.TakeBack()
        if state.stage == "playing" and below(4):
            return self._sense()
        if below(3):
            person = (state.host, *state.people)[below(1 + len(state.people))]
        return (person, self._anything()) if below(12) else (None, ask.Resume(below(9)))

    def _seeding(self, person: str) -> tuple[str, ask.Command]:
        """Return a person with a digest or a seed. Once the header is fixed, it is usually the right seed of a seat
        that has not yet opened its seed.
        """
        below, state = self.numbers.below, self.state
        if (waits := unopened(state)) and state.fixed and below(4):
            chair = state.chairs[waits[below(len(waits))]]
            return chair.people[0], ask.AddSeed(next(seed for seed in SEEDS if digest_of_seat(seed) == chair.digest))
        if below(3):
            return person, ask.Commit(digest_of_seat(SEEDS[below(len(SEEDS))]), None if below(3) else below(9))
        return person, ask.AddSeed(("heads", "tails 2", "no-seed", "")[below(4)])

    def _sense(self) -> tuple[str | None, ask.Command]:
        below, state = self.numbers.below, self.state
        live, mover = state.match, state.mover
        assert live is not None
        table, play = live.table, live.state
        asker = self.people[below(PEOPLE)]
        if state.people:
            asker = state.people[below(len(state.people))]
        if mover is None:
            return asker, ask.Draw(Seat(below(len(state.chairs))))
        number = table.match.to_roll(play.match)
        if table.dice == "real" and number:
            return asker, ask.EnterDice(self.numbers.roll(number, 0))
        if state.plays(mover):
            return None, self._bot()
        if state.paused_at:
            return state.chairs[mover].people[0], ask.Unpause()
        person = state.chairs[mover].people[0]
        places = [die.place for die in table.view(play, mover)]
        marks = tuple(place for place in places if below(2))
        return person, (
            ask.Mark(marks),
            ask.RollOrBank("roll", marks),
            ask.RollOrBank("roll", tuple(places)),
            ask.RollOrBank("bank"),
        )[below(4)]

    def _anything(self) -> ask.Command:
        below = self.numbers.below
        seat = below(len(self.state.chairs) + 2) - 1
        bot = ("", "tip", "lucky", "hal")[below(4)]
        names = ("Ann", "ann", " P1", "p2 ", "Tip", "lucky", "", "draw", "A" * 30, "<b>", "Zo\xeb")
        dice = tuple(below(8) for _ in range(below(8)))
        wishes: tuple[ask.Command, ...] = (
            ask.Sit(seat, names[below(len(names))]),
            ask.Sit(None, names[below(len(names))]),
            ask.Join(seat),
            ask.Join(seat),
            ask.Give(bot),
            ask.Resume(seat if below(2) else None),
            ask.Resume(),
            ask.Leave(),
            ask.Remove(seat),
            ask.Remove(seat),
            ask.Close(seat),
            ask.Close(seat),
            ask.Start(bot),
            ask.Vote(seat, bot),
            ask.Vote(seat),
            ask.Pace((0, 1200, 10_000, 10_001, -1)[below(5)]),
            ask.Nudge(),
            ask.Share(names[below(len(names))]),
            ask.Ready(),
            ask.Unready(),
            ask.AddSeed("again", seat),
            ask.Commit(("-", "", digest_of_seat(SEEDS[0]))[below(3)], seat),
            ask.AddBot(bot),
            ask.Shift(seat, below(3)),
            ask.Rules({"format": ("rounds 1", "rounds 2", "pot 1 rounds 2", "race", "drinks", "")[below(6)]}),
            ask.Rules(clock_s=(0, 5, 60)[below(3)], dice=("real", "sealed", None)[below(3)], pace_ms=below(20_000)),
            ask.Plan(("", self.kit.name)[below(2)], ("2", "best of 3", "3", "0")[below(4)]),
            ask.Unplan(below(2), self.kit.name),
            ask.Rename(names[below(len(names))], seat if below(2) else None),
            ask.HandOver(seat),
            ask.Pause(),
            ask.Unpause(),
            ask.Admit(),
            ask.Queue(names[below(len(names))]),
            ask.Unqueue(names[below(len(names))]),
            ask.Leave(seat),
            ask.Follow(),
            ask.Rematch("ABCDEF"),
            ask.RollOrBank("bank" if below(2) else "roll", dice if below(2) else None),
            ask.Mark(dice),
            ask.EnterDice(dice),
            ask.Draw(Seat(seat) if below(2) else None),
            ask.TakeBack(),
            ask.TakeBack(),
        )
        return wishes[below(len(wishes))]


def replayed(room: Room, log: list[str]) -> RoomState:
    state = room.start()
    for step in room.replay(state, log):
        state = step.after
    return state
