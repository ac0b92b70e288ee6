"""Commands of every kind, sensible and not, by all players, at a house without HTTP: no illegal table comes to be.

A grammar of requests: legal, nearly legal, nonsense, stale, repeated, for others' seats, long after. A refusal
changes nothing and is a sentence in every language. What was done is in the log, which replays to the same state.
Dice come from the cup alone. The laws of table and rules hold.
"""

import asyncio
import json
import re
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from play import read
from pubdice.core.cup import Cup, SeededCup
from pubdice.core.dice import Roll
from pubdice.core.errors import BadNotation, IllegalAction, Refused
from pubdice.core.game import MoveGame, Seat
from pubdice.core.seal import digest_of_seat, read_seal
from pubdice.games import GAMES
from pubdice.match.record import Drawn, Rolled
from pubdice.room import RoomState, Step
from pubdice.room.log_lines import Moved
from pubdice.room.state import chosen_by, unanswered
from pubdice.server.table.actor import TableActor
from pubdice.server.table.commands import TableRequest, ask, request_of
from pubdice.server.table.commit import key_of
from pubdice.server.table.ordered_setup import OrderError
from pubdice.server.web.refusals import refusal
from pubdice.server.wire import REQUESTS, Asked, Order
from pubdice.text.catalogues import CODES, language
from support.house import Pub


def lawful(step: Step) -> None:
    """Laws of seats, table and rules that no event may break."""
    before, after = step.before, step.after
    people = after.people
    assert all(len(set(chair.people)) == len(chair.people) for chair in after.chairs)
    assert not set(people) & set(after.banned)
    named = [name.casefold() for name in after.names if name]
    assert len(set(named)) == len(named)
    assert not people or after.host in people or after.kept_for(after.host)
    growth = len(after.chairs) - len(before.chairs)
    assert growth <= (before.setup.grows and before.match is None), "a chair at a time, while people gather"
    assert before.match is None or not growth
    assert after.seq == before.seq + 1
    assert after.layout_version <= after.seq
    live = after.match
    if live is None:
        assert after.stage == "gathering"
        return
    match, state = live.table.match, live.state.match
    choices = match.legal(state)
    asks = (state.over, bool(match.to_draw(state)), match.to_roll(state) > 0, bool(choices))
    assert sum(asks) == 1, asks
    assert (after.mover is None) == (asks[0] or asks[1])
    assert len(state.tally.points) == len(after.chairs)
    for seat in map(Seat, range(len(after.chairs))):
        locked, free = live.table.hands(live.state.match, seat)
        assert all(1 <= face <= 6 for face in (*locked, *free))
        if state.round is not None and seat in state.order:
            assert len(locked) + len(free) <= _dice(after)
    mover = after.mover
    if mover is not None:
        assert mover in state.order
        assert len(set(live.state.marks)) == len(live.state.marks)
        assert set(live.state.marks) <= set(live.state.trays[mover].free(live.table.hands(live.state.match, mover)[0]))
        _locked_stays(before, after, mover)


def _dice(state: RoomState) -> int:
    """The number of dice a seat has at most."""
    assert state.table is not None
    game = state.table.match.game
    return int(game.to_roll(game.start(max(game.least_seats, min(len(state.chairs), game.most_seats)))))


def _locked_stays(before: RoomState, after: RoomState, mover: Seat) -> None:
    """A locked die never changes while the turn goes on and nothing is taken back."""
    was, now = before.match, after.match
    if was is None or now is None:
        return
    event = before.mover == mover and after.turn_at == before.turn_at and now.state.moved == was.state.moved + 1
    if event and was.table.match.turn_ended(was.state.match, now.state.match) is None:
        locked, then = was.table.hands(was.state.match, mover)[0], now.table.hands(now.state.match, mover)[0]
        assert not Counter(locked) - Counter(then) or not then


TABLES = 6
PEOPLE = tuple(f"person{at}" for at in range(9))
NAMES = ("Ann", "bob", "Zoë", "Tip", "ann", "", "A" * 40, "draw", "<b>", "\u202e", "Seat 1", "Cid 2")
DEEDS = tuple(do for do in REQUESTS if do != "hint")
"""Every one but hints, for which a solver is asked (``tests/server/table/test_lessons.py``)."""
SEATED: tuple[str, ...] = (
    "sit",
    "join",
    "give",
    "resume",
    "leave",
    "remove",
    "close",
    "start",
    "vote",
    "pace",
    "nudge",
)
FORMS = {
    "midnight": ("rounds 1", "rounds 3", "pot 2 rounds 2", "pot 1"),
    "420": ("race", "drinks", "rounds 2"),
    "shutbox": ("rounds 1", "rounds 2"),
}
_SENTENCE = re.compile(r"\S.*[.?]", re.DOTALL)


@dataclass
class Watched:
    """A cup that remembers what it gave."""

    cup: Cup
    given: list[Any] = field(default_factory=list)

    def roll(self, number: int, index: int, sides: int = 6) -> Roll:
        self.given.append(self.cup.roll(number, index, sides))
        return self.given[-1]  # type: ignore[no-any-return]

    def draw(self, number: int, index: int) -> int:
        self.given.append(self.cup.draw(number, index))
        return self.given[-1]  # type: ignore[no-any-return]


@dataclass
class Live:
    """A table under test, and the state its log alone leads to."""

    code: str
    actor: TableActor
    shadow: RoomState
    asked: list[tuple[str, Asked, bytes | None]] = field(default_factory=list)
    commands: int = 0


ABOUT = ("remove", "drop", "close", "move", "handover", "vote")
"""strs about a seat that may say whose they mean."""


class Fuzz:
    """So many commands at tables that come and go."""

    def __init__(self, pub: Pub, seed: str) -> None:
        self.pub, self.source = pub, Random(seed)
        self.cup = pub.cup = Watched(SeededCup(seed))
        self.tables: list[Live] = []
        self.keys = count()
        self.done: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()

    # requests

    def order(self) -> Order:
        """A table nearly of any kind."""
        source = self.source
        game = source.choice(("midnight", "midnight", "420", "shutbox"))
        rules = {"format": source.choice(FORMS[game])}
        kit = GAMES[game]
        if source.random() < 0.3:
            option = source.choice(kit.options) if kit.options else None
            rules |= {option.key: source.choice(option.choices)} if option else {}
        if source.random() < 0.3:
            rules["first"] = "draw"
        people, bots = source.choice((None, None, 1, 2, 3, 4)), source.choice(((), (), ("tip",), ("lucky", "tip")))
        return Order(
            game=game,
            name=source.choice(("Ann", "Bob", "Zoë")),
            people=people,
            bots=list(bots),
            rules=rules,
            listed=source.random() < 0.5,
            dice=source.choice(("house", "house", "house", "real", "sealed")),
            grace_s=source.choice((0, 5, 120)),
            clock_s=source.choice((0, 0, 10, 60)),
            pace_ms=source.choice((0, 0, 1000)),
        )

    def request(self, live: Live) -> tuple[str, Asked]:
        """A player asks something."""
        source, state, number = self.source, live.actor.state, self.source.random()
        if live.asked and number < 0.04:  # again, or another player's very words
            person, request, _ = source.choice(live.asked)
            return (person if source.random() < 0.7 else self.anybody(), request)
        if number < 0.06 and state.chairs:
            return state.host, self.made("remove", seat=source.randrange(len(state.chairs)))
        if number < 0.1:  # the rarest deed so far, by a player who is likely to be allowed
            return source.choice((state.host, *state.people)), self.deed(live, self.rare(state))
        if state.stage == "gathering" and number < 0.6:
            if state.people and number < 0.2:
                return source.choice(state.people), self.deed(
                    live, source.choice(("ready", "ready", "unready", "share", "seed"))
                )
            if state.people and number < 0.26:
                hosts: tuple[str, ...] = (
                    "drop", "close", "handover", "rules", "rules", "move", "add-bot", "plan", "unplan",
                )  # fmt: skip
                if state.setup.line_up:  # seldom otherwise: most tables have none
                    hosts = (*hosts, "unplan", "unplan", "unplan")
                return state.host, self.deed(live, source.choice(hosts))
            if state.people and number < 0.34:
                return source.choice((state.host, *state.people)), self.deed(live, "start")
            return self.anybody(), self.made("sit", name=f"Name {source.randrange(99)}")
        if state.stage == "playing" and number < 0.8:
            return self.plays(state)
        person = self.anybody() if source.random() < 0.6 or not state.people else source.choice(state.people)
        if state.stage == "over" and number < 0.2:
            return person, self.made("rematch")
        deed = source.choice(DEEDS if source.random() < 0.3 else SEATED)
        if deed in ("leave", "remove", "give") and source.random() < 0.7:
            deed = source.choice(("resume", "vote"))
        return person, self.deed(live, deed)

    def plays(self, state: RoomState) -> tuple[str, Asked]:
        """A move, or an answer to the question of another player."""
        source = self.source
        if (left := unanswered(state)) and source.random() < 0.6:
            return source.choice(state.chairs[left[0]].people), self.made(source.choice(("agree", "decline")))
        if (seat := chosen_by(state)) is not None and state.chairs[seat].people and source.random() < 0.2:
            return state.chairs[seat].people[0], self.made("back")
        person = self.mover(state) if source.random() < 0.95 else self.anybody()
        return person, self.move(state)

    def rare(self, state: RoomState) -> str:
        """The deed that was done least so far. Nothing is taken off a line-up that is empty."""
        rare = min(DEEDS, key=lambda do: self.done[do])
        return "plan" if rare == "unplan" and not state.setup.line_up else rare

    def anybody(self) -> str:
        return self.source.choice(PEOPLE)

    def mover(self, state: RoomState) -> str:
        """A player who may act for the mover's seat, or else any at the table."""
        mover = state.mover
        people = state.people if mover is None else state.chairs[mover].people
        return self.source.choice(people or state.people or PEOPLE)

    def made(self, do: str, **fields: Any) -> Asked:
        return request_of({"key": f"key-{next(self.keys):08}", "do": do, **fields})

    def move(self, state: RoomState) -> Asked:
        """A move, mostly one that may be allowed."""
        source = self.source
        if state.table is None or state.match is None or source.random() < 0.06:
            return self.nearly()
        if state.mover is None:
            return self.made("draw", seat=source.randrange(len(state.chairs)))
        due = state.table.match.to_roll(state.match.state.match)
        if due and state.setup.dice == "real":
            number = due if source.random() < 0.9 else source.randint(0, 9)
            return self.made("enter", dice="".join(str(source.randint(1, 6)) for _ in range(number)))
        if due:
            return self.made("roll")
        match = state.table.match
        if isinstance(match.game, MoveGame):
            open_now = [match.game.write_action(action) for action in match.legal(state.match.state.match)]
            return self.made("choose", action=source.choice([*open_now * 3, *match.game.moves[:3], "k45"]))
        locked, _ = state.table.hands(state.match.state.match, state.mover)
        free = list(state.match.state.trays[state.mover].free(locked))
        number = source.choice((len(free), len(free) - 1, source.randint(0, len(free))))
        marks = source.sample(free, max(0, number))
        if source.random() < 0.1:
            marks.append(source.randrange(10))
        return self.made(source.choice(("roll", "roll", "roll", "bank", "mark")), marks=marks)

    def nearly(self) -> Asked:
        """A move of nonsense."""
        source = self.source
        marks = [source.randrange(32) for _ in range(source.randint(0, 12))]
        dice = "".join(source.choice("1234567890 xé") for _ in range(source.randint(0, 10)))
        deeds: tuple[str, ...] = ("mark", "roll", "bank", "enter", "draw", "back", "rematch")
        deed = source.choice(deeds)
        if deed == "enter":
            return self.made(deed, dice=dice)
        return self.made(deed, marks=marks) if deed in ("mark", "roll", "bank") else self.made(deed)

    def deed(self, live: Live, do: str) -> Asked:
        """Something about seats, with whatever fields."""
        source, fields = self.source, dict[str, Any]()
        if source.random() < 0.85:
            fields["seat"] = source.choice((0, 1, 2, 3, source.randrange(64)))
        if source.random() < (0.9 if do not in ABOUT else 0.05):
            fields["name"] = source.choice(NAMES) if source.random() < 0.4 else f"Name {source.randrange(99)}"
        if do in ("move", "react", "rules"):
            fields |= {"to": source.randrange(5), "phrase": source.randrange(6)}
        if do == "rules":
            fields |= {"rules": {"format": source.choice(("rounds 1", "rounds 2", "race", "pot 1"))}}
            fields |= {"dice": source.choice(("house", "house", "real", "mine")), "clock_s": source.choice((0, 9, 60))}
        if do in ("plan", "unplan"):
            line_up = live.actor.state.setup.line_up
            games = [planned.rules["game"] for planned in line_up[:1]] if do == "unplan" else ["", *FORMS, "chess"]
            fields |= {"play": source.choice(games or ["midnight"]), "to": 0 if source.random() < 0.9 else 1}
            fields |= {"times": source.choice(("1", "2", "best of 3", "0"))}
        if do == "seed":
            fields = {} if source.random() < 0.5 else fields
            fields["seed"] = source.choice(("heads", "tails 2", "no-seed", ""))
            if source.random() < 0.3:
                fields["digest"] = source.choice((digest_of_seat("heads"), "ab" * 31))
        if source.random() < 0.3:
            fields["bot"] = source.choice(("tip", "lucky", "TIP ", "cheat", ""))
        if do == "pace" and source.random() < 0.9:
            fields["ms"] = source.choice((0, 0, 500, 10_000, 10_001, 60_000))
        if do == "join":
            taken = [seat for seat, chair in enumerate(live.actor.state.chairs) if chair.people]
            right = self.pub.house.words(live.actor, source.choice(taken)) if taken else ""
            fields["words"] = right if source.random() < 0.5 else source.choice(("", "fakal " * 4, right[:-1]))
        return self.made(do, **fields)

    # answers

    async def lay(self) -> None:
        """One more table."""
        try:
            code = await self.pub.house.open(self.order(), self.anybody())
        except (OrderError, BadNotation) as error:
            self.sentence(error, None)
            return
        actor = self.pub.actor(code)
        self.tables.append(Live(code, actor, actor.room.start()))
        self.follow(self.tables[-1])

    async def once(self) -> None:
        """One command, and all that must be true afterwards."""
        while len(self.tables) < TABLES:
            await self.lay()
        live = self.source.choice(self.tables)
        actor = live.actor = await self.pub.table(live.code)
        mover = actor.state.mover
        if mover is not None and actor.state.plays(mover) and self.source.random() < 0.5:
            await self.pub.advance(2_000)
            for each in self.tables:
                self.follow(each)
        person, request = self.request(live)
        if self.source.random() < 0.1:
            actor.seen(person)
            await self.pub.settle()
            self.follow(live)
        before, length = actor.state, len(actor.loaded.tail.lines)
        stores = request.do != "forget" or self.pub.store.sat(person, live.code)  # a stranger has nothing to forget
        known = next((answer for who, asked, answer in live.asked if (who, asked.key) == (person, request.key)), None)
        try:
            answer = await ask(
                self.pub.house, actor, TableRequest(request=request, person=person, key=key_of(person, request))
            )
        except (Refused, IllegalAction, BadNotation) as error:
            assert actor.state is before
            assert len(actor.loaded.tail.lines) == length
            assert known is None, "what was done once is not refused"
            self.sentence(error, actor)
        else:
            self.done[request.do] += 1
            assert answer == known or known is None
            if request.do == "react":
                assert actor.state is before, "kept nowhere"
            elif known is None:
                assert json.loads(answer)["seq"] == actor.state.seq
                live.asked = [*live.asked[-40:], *([(person, request, answer)] if stores else [])]
            else:
                assert actor.state is before
            self.follow(live)
        live.commands += 1
        if self.source.random() < 0.05:
            await self.pub.advance(self.source.choice((0, 10, 1_000, 6_000, 60_000, 3_600_000)))
            for each in self.tables:
                self.follow(each)
        if (actor.state.stage == "over" or live.commands > 400) and self.source.random() < 0.1:
            await self.leave(live)

    def follow(self, live: Live) -> None:
        """The log's new lines, on the state the log led to: it is the actor's, and nothing in it breaks a law."""
        actor = live.actor
        for step in actor.room.replay(live.shadow, actor.loaded.tail.since(live.shadow.seq)):
            self.fair(step)
            lawful(step)
            live.shadow = step.after
        assert live.shadow == actor.state
        assert all(live.shadow.names) or live.shadow.table is None
        assert actor.state.seq == actor.loaded.tail.first + len(actor.loaded.tail.lines)

    def fair(self, step: Step) -> None:
        """Dice and lots are what the cup gave, each for one event."""
        event = step.line.event
        if step.before.setup.dice == "real" or not isinstance(event, Moved):
            return
        if step.before.setup.dice == "sealed":
            seal = read_seal(step.before.setup.seal)
            cup = self.pub.house.seals.cup(seal, step.before.bound, step.before.rolls + 1)
            if isinstance(event.event, Rolled):
                assert event.event.dice == cup.roll(len(event.event.dice), 0)
            elif isinstance(event.event, Drawn):
                assert event.event.seat == cup.draw(len(step.before.chairs), 0)
            return
        if isinstance(event.event, Rolled):
            play = None if step.before.match is None else step.before.match.state
            seen = () if play is None else play.seen
            if fresh := event.event.dice[len(seen) :]:  # dice that were seen fall again without the cup
                self.cup.given.remove(fresh)
        if isinstance(event.event, Drawn):
            self.cup.given.remove(event.event.seat)

    def sentence(self, error: Any, actor: TableActor | None) -> None:
        """Every refusal has its sentence in every language, and a status."""
        kit = actor.room.kit if actor else None
        game = actor.state.table.match.game if actor and actor.state.table else None
        for code in CODES:
            status, why = refusal(language(code), error, kit, game)
            assert 400 <= status < 500, (status, why)
            assert why.code
            assert _SENTENCE.fullmatch(why.why), why
            assert "{" not in why.why
        self.refused[why.code] += 1

    async def leave(self, live: Live) -> None:
        """A table is done with: its log replays to the same state, and its record reads."""
        actor = await self.pub.table(live.code)
        stored = self.pub.store.read(actor.number)
        assert len(stored) == 1 + actor.state.seq
        state = actor.room.start()
        for step in actor.room.replay(state, stored[1:]):
            state = step.after
        assert state == actor.state
        for code in CODES:
            msgspec.json.encode(actor.spectators.whole(code, None))
            actor.spectators.story(code, 30)
        with suppress(Refused):
            _, steps = read(await self.pub.house.record(actor))
            if steps and state.match is not None:
                assert steps[-1].after == state.match.state.match
        self.tables.remove(live)


COMMANDS, NIGHTLY_COMMANDS, PROGRAMS = 500, 20_000, 6


async def run(path: Path, seed: str, commands: int) -> Fuzz:
    pub = Pub(path)
    await pub.open()
    fuzz = Fuzz(pub, seed)
    try:
        for _ in range(commands):
            await fuzz.once()
        for live in list(fuzz.tables):
            await fuzz.leave(live)
    finally:
        await pub.close()
    pub.sound()
    return fuzz


def test_hundreds_of_commands_leave_no_illegal_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With heartbeats that look after all tables, as hours go by: with 16 parts each, they cost as much again."""
    for module in ("app", "table.house"):
        monkeypatch.setattr(f"pubdice.server.{module}.PARTS", 1)
    fuzz = asyncio.run(run(tmp_path / "house.db", "an evening", COMMANDS))
    assert len(fuzz.done) >= len(DEEDS) / 2
    assert len(fuzz.refused) > 35, fuzz.refused


@pytest.mark.nightly
@pytest.mark.parametrize("program", range(PROGRAMS))
def test_a_hundred_thousand_commands_leave_no_illegal_state(program: int, tmp_path: Path) -> None:
    fuzz = asyncio.run(run(tmp_path / "house.db", f"program {program}", NIGHTLY_COMMANDS))
    assert set(fuzz.done) == set(DEEDS), set(DEEDS) - set(fuzz.done)
    assert len(fuzz.refused) > 35, fuzz.refused
    assert sum(fuzz.done.values()) > sum(fuzz.refused.values()) / 4
