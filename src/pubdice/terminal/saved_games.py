"""The games in a store: set one up, sit down again, list them, write one as a record."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, get_args

from pubdice.checked_record import installed
from pubdice.core.cup import Cup
from pubdice.core.errors import BadNotation, IllegalAction, NotStored
from pubdice.core.json_depth import shallow
from pubdice.core.seal import Seals
from pubdice.kit import Kit
from pubdice.match.header import Header, RawHeader
from pubdice.match.narrate import Narrator
from pubdice.match.record import write
from pubdice.match.sealed_record import with_proof
from pubdice.match.table import Dice, moves
from pubdice.room import Caller, Live, LogLine, Room, RoomState, Setup, Step, read_setup, write_line, write_setup
from pubdice.room.beginning import rules_of
from pubdice.room.commands import AddSeed, Begin, Sit
from pubdice.room.decide import NO_SEALS
from pubdice.room.events import Committed, Fixed, Moved, Sat, SealOpened, Seeded, Shared, Started
from pubdice.room.seeds import proof_of
from pubdice.room.setup import Expected
from pubdice.store import Store
from pubdice.terminal import sentences as own
from pubdice.text.language import Language
from pubdice.typed import Keys, Names

# A game of the terminal as text: a room's log, whose first line also holds what only the terminal knows.
#
# Version 1 knew no people, and its lines no time. It is read as the log of a room in which these people sat down, and
# goes on as it began. Decides nothing, stores nothing.


LOCAL = "local"
"""The person of the log: everybody at this terminal, who share it as people share a phone."""
OWN = "terminal"
"""The key of the first line under which stands what the room does not know."""
UNTIMED = 1
"""The version whose lines have no time."""


@dataclass(frozen=True, slots=True)
class GameLog:
    """A game as text: its setup, the facts that only the terminal knows, and the lines that a room's log has after the
    first.

    seed: of dice and bots. choose: the habit of naming the dice to keep or to reroll. added: the number of the first
    texts that the file does not have, as it is of version 1.
    """

    setup: Setup
    seed: str | None = None
    keys: Keys = "face"
    choose: Names = "keep"
    texts: tuple[str, ...] = ()
    added: int = 0

    @property
    def person(self) -> str | None:
        """The person who types: the people here; None, the table itself, if bots play alone."""
        return LOCAL if any(chair.people for chair in self.setup.expected) else None

    def write(self) -> list[str]:
        """All lines of a file of this version."""
        own = {"seed": self.seed, "keys": self.keys, **({"choose": self.choose} if self.choose != "keep" else {})}
        return [write_setup(self.setup, **{OWN: own}), *self.texts]

    def seen(self, seq: int) -> int:
        """The number of lines of the file after this many events."""
        return 1 + seq - self.added

    def lines(self, steps: Sequence[Step]) -> list[str]:
        """Steps as lines of this file."""
        texts = [step.write() for step in steps]
        return [text.partition(" ")[2] for text in texts] if self.added else texts


def local_setup(header: Header, bots: Mapping[str, str], dice: Dice, opened: int) -> Setup:
    """The room of a terminal: people and bots (policies by name) as the header seats them. opened: in ms since 1970.

    Bots wait as long as each sitting says (``--pause``), so their pace is 0. Nobody is lost here: any grace time does.
    """
    names, first = header.names, header.fields["first"]
    drawn = first == "draw"
    rules = {key: value for key, value in header.fields.items() if key != "seats" and (key != "first" or drawn)}
    return Setup(
        rules,
        len(names),
        LOCAL,
        opened,
        dice=dice,
        opens=0 if drawn else names.index(first),
        pace_ms=0,
        expected=tuple(Expected(name, () if name in bots else (LOCAL,), bots.get(name, "")) for name in names),
        moves_left=not drawn,
        loser_lost=True,
    )


def seated(setup: Setup) -> list[str]:
    """The lines by which the people here sit down and the match begins, before there were times."""
    seats = [seat for seat, chair in enumerate(setup.expected) if chair.people]
    events = [(Shared if at else Sat)(seat, LOCAL, setup.expected[seat].name) for at, seat in enumerate(seats)]
    return [write_line(None, LogLine(0, event)) for event in (*events, Started())]


def read_log(lines: Sequence[str]) -> GameLog:
    """A game out of its lines. Raises BadNotation("event") if the first one is of no game."""
    try:
        facts = json.loads(shallow(lines[0]))
        untimed = facts["pubdice"] == UNTIMED
        own = facts if untimed else facts.pop(OWN)
        seed, keys, choose = own["seed"], own["keys"], own.get("choose", "keep")
        setup = read_setup(write_setup(_of_version_1(facts)) if untimed else json.dumps(facts))
        sound = seed is None or (isinstance(seed, str) and seed.isprintable())
        sound = sound and keys in get_args(Keys) and choose in get_args(Names) and setup.host == LOCAL
    except (ValueError, KeyError, TypeError, AttributeError):
        sound = False
    if not sound:
        raise BadNotation("event", found=lines[0])
    added = seated(setup) if untimed else []
    texts = [f"0 {text}" for text in lines[1:]] if untimed else lines[1:]
    return GameLog(setup, seed, keys, choose, (*added, *texts), len(added))


def _of_version_1(facts: Mapping[str, Any]) -> Setup:
    """The setup of such a game, which had a record's header, and the bots by name. Raises ValueError and others."""
    header, bots = Header(facts["header"]), facts["bots"]
    if not bots.keys() <= set(header.names):
        raise ValueError("a bot without a seat")
    return replace(local_setup(header, bots, facts["dice"], 0), loser_lost=False)


HAPPENS = (Sat, Shared, Seeded, Committed, Fixed, Started, Moved, SealOpened)
"""All that a terminal's log can hold: nobody comes or goes, and nothing else is asked of its room."""


@dataclass(frozen=True, slots=True)
class SavedGame:
    """A game as its log has it: every step so far, and the state and the match after the last."""

    number: int
    room: Room
    log: GameLog
    steps: tuple[Step, ...]
    state: RoomState
    live: Live

    @property
    def kit(self) -> Kit:
        """The kit of its game."""
        return self.room.kit

    @property
    def over(self) -> bool:
        """True if the match is over."""
        return self.live.state.match.over

    def record(self) -> str:
        """Its match as a record."""
        header = self.kit.normalize(RawHeader(rules_of(self.state)))
        happened = [step.line.event.event for step in self.steps if isinstance(step.line.event, Moved)]
        return with_proof(write(header, self.live.table.match, moves(happened)), proof_of(self.state))


def create(  # noqa: PLR0917 - what a game begins with
    store: Store, room: Room, log: GameLog, cup: Cup, now: int, seals: Seals = NO_SEALS, seed: str = ""
) -> int:
    """A new game: the people sit down, the match begins and Player 1 is drawn, all in one append; its number.

    now: in ms since 1970. seals, seed: of sealed dice, and the people's own. Raises NotStored.
    """
    caller = Caller(log.person, now)
    command = Begin() if log.person is None else Sit(None, "")
    steps = room.decide(room.start(), command, caller, cup, seals)
    if log.person is not None and room.setup.dice == "sealed":
        steps += room.decide(steps[-1].after, AddSeed(seed), caller, cup, seals)
    return store.create(*log.write(), *log.lines(steps))


def load(store: Store, number: int, games: Mapping[str, Kit]) -> SavedGame:
    """A game out of the store. Raises NotStored if there is none or its log cannot have come about."""
    lines = store.read(number)
    try:
        log = read_log(lines)
        return replayed(number, Room(installed(games, log.setup.rules["game"], number), log.setup), log)
    except (BadNotation, KeyError):
        raise NotStored("log-damaged", table=number, line=1) from None


def replayed(number: int, room: Room, log: GameLog) -> SavedGame:
    """The game of a log. Raises BadNotation for one that cannot be set up, NotStored for one that cannot be played."""
    if not {chair.bot for chair in log.setup.expected if chair.bot} <= set(room.kit.bots):
        raise BadNotation("bot", bots=room.kit.bots)
    steps: list[Step] = []
    state = room.start()
    try:
        for step in room.replay(state, log.texts):
            if not isinstance(step.line.event, HAPPENS):
                break
            steps.append(step)
            state = step.after
    except (BadNotation, IllegalAction):
        if len(steps) < log.added:  # of version 1, which had these lines in its first
            raise BadNotation("event") from None
    if len(steps) < len(log.texts) or state.match is None or set(state.people) - {LOCAL}:
        raise NotStored("log-impossible", table=number, event=log.seen(len(steps)))
    return SavedGame(number, room, log, tuple(steps), state, state.match)


def latest(store: Store, games: Mapping[str, Kit]) -> SavedGame:
    """The newest game that waits to go on. Raises NotStored if none does, or if a newer one is damaged."""
    for number in reversed(store.tables()):
        loaded = load(store, number, games)
        if not loaded.over:
            return loaded
    raise NotStored("no-games")


def listed(store: Store, games: Mapping[str, Kit], language: Language) -> Iterator[str]:
    """A line for each game, oldest first."""
    say = language.say
    for number in store.tables():
        try:
            loaded = load(store, number, games)
        except NotStored as error:
            yield say("{number}. {why}", number=number, why=own.refused(language, error))
            continue
        title, names = say(loaded.kit.words.title), language.join(loaded.state.names)
        stand = _stand(loaded, language)
        yield say("{number}. {title}, {names}: {stand}", number=number, title=title, names=names, stand=stand)


def _stand(loaded: SavedGame, language: Language) -> str:
    table, inner = loaded.live.table, loaded.live.state.match
    narrator = Narrator(language, loaded.kit.words, table.match, table.names)
    if inner.over:
        return " ".join([language.say("over."), *narrator.ending(inner.tally, inner.last)])
    mover = loaded.state.mover
    if mover is None:
        return language.say("waiting; Player 1 has not been drawn yet.")
    facts = {"number": inner.number, "name": loaded.state.names[mover]}
    if inner.roll_off is not None:
        return " ".join([language.say("waiting; roll-off, next: {name}.", **facts), *narrator.roll_off(inner)])
    return " ".join([language.say("waiting; round {number}, next: {name}.", **facts), *narrator.standing(inner.tally)])
