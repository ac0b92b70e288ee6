"""An evening in the house, played the same every time: tables that between them hold every kind of event there is."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from queue import SimpleQueue
from random import Random
from stat import S_IMODE
from tempfile import TemporaryDirectory

from pubdice.core.cup import SeededCup
from pubdice.core.game import KeepGame, MoveGame, kept_by
from pubdice.core.seal import KeyedSeals, digest_of_seat
from pubdice.games import GAMES
from pubdice.match.table import Draw, EnterDice, Mark, PlayAction, TakeBack
from pubdice.room import Caller, Room, RoomState, Setup, write_setup
from pubdice.room import commands as ask
from pubdice.room.seeds import sealed
from pubdice.room.setup import checked
from pubdice.store import Entry, SqliteStore, TableSummary

HOUR_MS = 3_600_000
OPENED = 1_763_640_000_000
"""In November 2025, in ms since 1970."""
SEALS = KeyedSeals(bytes(32), bytes)
PEOPLE = {name: f"{name}-person-0000000000"[:22] for name in ("Ann", "Bob", "Cid", "Zoë", "Dee")}


@dataclass
class Evening:
    """One table of the evening: plays by its own seed, and writes down as the house does."""

    store: SqliteStore
    code: str
    setup: Setup
    lines: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.room = Room(GAMES[self.setup.rules["game"]], self.setup, GAMES)
        self.state: RoomState = self.room.start()
        self.cup, self.lots, self.now = SeededCup(self.code), Random(self.code), OPENED
        told: SimpleQueue[str] = SimpleQueue()
        key = f"{self.setup.host} order-{self.code}"
        self.store.submit_table(self.code, [write_setup(self.setup)], self.summary(), told.put, key=key)
        code = told.get()
        self.number = self.store.codes()[code]

    def summary(self) -> TableSummary:
        """The house's words for the table in a list."""
        state, rules = self.state, self.setup.rules
        people = state.people or (self.setup.host,)
        return TableSummary(state.stage, self.setup.listed, self.now, people, rules["game"], state.names)

    def do(self, name: str | None, command: ask.Command, gone: Mapping[int, int] | None = None) -> None:
        """A command of a player, or of the table itself."""
        self.now += 1_000
        asker = Caller(PEOPLE[name] if name else None, self.now, gone or {})
        steps = self.room.decide(self.state, command, asker, self.cup, SEALS)
        before, self.state = self.state, steps[-1].after
        seq = self.state.seq
        key = f"{name} key-{seq:08d}" if name else None
        lines = tuple(step.write() for step in steps)
        self.store.write(Entry(self.number, before.seq + 1, lines, key, b'{"seq":%d}' % seq, self.summary()))

    def turn(self) -> None:
        """The mover does something, bots and real dice included."""
        state = self.state
        assert state.table is not None
        assert state.match is not None
        match, inner, mover = state.table.match, state.match.state.match, state.mover
        name = next((name for name, person in PEOPLE.items() if person in state.people), None)
        if mover is None:
            self.do(name, Draw(match.start().order[0] if match.start().order else 0))  # type: ignore[arg-type]
            return
        due, legal = match.to_roll(inner), match.legal(inner)
        if due and state.setup.dice == "real":
            self.do(name, EnterDice(tuple(self.lots.randint(1, 6) for _ in range(due))))
        elif state.plays(mover):
            self.do(None, ask.Bot(self.lots.choice(legal) if legal else None))
        else:
            mine = next(name for name, person in PEOPLE.items() if person in state.chairs[mover].people)
            if not legal:
                self.do(mine, ask.RollOrBank("roll"))
                return
            action = self.lots.choice(legal)
            if isinstance(match.game, MoveGame):
                self.do(mine, PlayAction(action))
                return
            tray, locked = state.match.state.trays[mover], state.table.hands(state.match.state.match, mover)[0]
            places = tray.find(kept_by(match.game, action), tray.kept if locked else frozenset())
            if places and self.lots.random() < 0.3:
                self.do(mine, Mark(places[:1]))
            gives_up = isinstance(match.game, KeepGame) and match.game.gives_up(inner.round, action)
            self.do(mine, ask.RollOrBank("roll", sure=True) if gives_up else ask.RollOrBank("roll", places))

    def play(self, until: Callable[[RoomState], bool] = lambda state: False) -> None:
        """Turns until the match is over, or until something is so."""
        while self.state.stage == "playing" and not until(self.state):
            self.turn()


def order(rules: Mapping[str, str], seats: int, **more: object) -> Setup:
    """The orders of a file."""
    return checked(GAMES[rules["game"]], Setup(rules, seats, PEOPLE["Ann"], OPENED, **more))  # type: ignore[arg-type]


def spend(file: Path) -> None:
    """The whole evening, into a new file."""
    database, mode = _evening(*PEOPLE.values())
    file.write_bytes(database)
    file.chmod(mode)


@cache
def _evening(*_people: str) -> tuple[bytes, int]:
    """The file after these players' evening, played once a process, and its mode."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "house.db"
        _play(file)
        assert not [path.name for path in file.parent.iterdir() if path.suffix not in (".db", ".lock")], "all is in it"
        return file.read_bytes(), S_IMODE(file.stat().st_mode)


def _play(file: Path) -> None:
    store = SqliteStore(file)
    try:
        store.settle("secret", bytes(range(32)))
        _rounds(store)
        _drinks(store)
        _real(store)
        _taken_back(store)
        _growing(store)
        _sealed(store)
        _planned(store)
        _taught(store)
        _elsewhere(store)
        Evening(store, "WAYTNG", order({"game": "midnight"}, 3, listed=True)).do("Ann", ask.Sit(0, "Ann"))
    finally:
        store.close()


def _rounds(store: SqliteStore) -> None:
    setup = order({"game": "midnight", "need": "2 4", "format": "rounds 2"}, 5, bots=("tip",), clock_s=30)
    table = Evening(store, "MDNGHT", setup)
    for seat, name in enumerate(("Ann", "Bob", "Cid")):
        table.do(name, ask.Sit(seat, name))
    table.do("Bob", ask.Leave())
    table.do("Bob", ask.Sit(None, "Bob"))
    table.do("Ann", ask.Remove(2))
    table.do("Ann", ask.Admit())
    table.do("Ann", ask.Close(2))
    table.do("Dee", ask.Join(1))
    table.do("Zoë", ask.Sit(None, "Zoë"))
    table.play(lambda state: state.rolls > 2)
    table.do("Ann", ask.Pace(400))
    table.do("Bob", ask.Give("lucky"))
    table.play(lambda state: state.rolls > 8)
    table.do("Bob", ask.Resume())
    table.play(lambda state: state.mover is not None and not state.plays(state.mover))
    table.do(None, ask.Retime())
    table.now += 31_000
    table.do(None, ask.TimeUp())
    table.now += HOUR_MS
    table.play()
    table.do("Ann", ask.Rematch("AGAYNN"))
    table.do("Bob", ask.Follow())
    again = Evening(store, "AGAYNN", table.room.again(table.state, table.now, "MDNGHT"))
    for name in ("Zoë", "Bob", "Ann"):
        again.do(name, ask.Sit(None, ""))
        again.do(name, ask.Ready())
    again.play(lambda state: state.rolls > 4)
    again.do("Bob", ask.Pause())
    again.now += HOUR_MS
    again.do("Ann", ask.Unpause())
    again.play(lambda state: state.rolls > 6)


def _drinks(store: SqliteStore) -> None:
    table = Evening(store, "DRYNKS", order({"game": "420", "format": "drinks"}, 4, listed=True, grace_s=30))
    table.do("Ann", ask.Sit(0, "Ann"))
    table.do("Bob", ask.Sit(1, "Bob"))
    table.do("Ann", ask.Start())
    table.do("Cid", ask.Sit(3, "Cid"))
    table.play(lambda state: state.rolls > 6)
    table.do("Dee", ask.Queue("Dee Light"))
    gone = {1: table.now - 60_000}
    table.do("Ann", ask.Vote(1), gone)
    table.do("Cid", ask.Vote(1), gone)
    table.play(lambda state: state.rolls > 14)
    table.do(None, ask.Resume(1))
    table.play(lambda state: state.mover is not None and state.names[state.mover] == "Ann")
    table.now += 60_000
    table.do("Cid", ask.Nudge())
    table.play()


def _growing(store: SqliteStore) -> None:
    table = Evening(store, "GRWYNG", order({"game": "midnight", "format": "rounds 1"}, 1, grows=True))
    table.do("Ann", ask.Sit(None, "Ann"))
    table.do("Ann", ask.Share("Kim"))
    table.do("Bob", ask.Sit(None, "Bob"))
    table.do("Bob", ask.Rename("Bobby"))
    table.do("Ann", ask.AddBot("lucky"))
    table.do("Ann", ask.Shift(3, 0))
    table.do("Ann", ask.Rules({"need": "2 4", "format": "pot 1 rounds 2"}, clock_s=30))
    table.do("Bob", ask.Ready())
    table.do("Bob", ask.Unready())
    table.do("Ann", ask.HandOver(3))
    table.do("Bob", ask.Start())
    table.do("Cid", ask.Queue("Cid"))
    table.do("Bob", ask.Unqueue("Cid"))
    table.do("Dee", ask.Queue("Dee"))
    table.do("Ann", ask.Leave())
    table.do("Bob", ask.Leave())
    table.play()
    table.do("Dee", ask.Rematch("DEEZON"))


def _sealed(store: SqliteStore) -> None:
    setup = sealed(order({"game": "midnight", "format": "rounds 2"}, 2, dice="sealed"), SEALS)
    table = Evening(store, "SEALED", setup)
    table.do("Ann", ask.Sit(0, "Ann"))
    table.do("Bob", ask.Sit(1, "Bob"))
    table.do("Ann", ask.Commit(digest_of_seat("heads1")))
    table.do("Bob", ask.AddSeed("tails2"))
    table.do("Ann", ask.AddSeed("heads 1"))
    table.play()
    table.do("Bob", ask.Rematch("RESEAL"))
    again = Evening(store, "RESEAL", table.room.again(table.state, table.now, "SEALED", SEALS))
    again.do("Ann", ask.Sit(None, ""))
    again.do("Ann", ask.Rules(dice="house"))
    again.do("Ann", ask.Rules(dice="sealed"))
    again.do("Bob", ask.Sit(None, ""))
    again.do("Bob", ask.Commit(digest_of_seat("tails2")))


def _planned(store: SqliteStore) -> None:
    table = Evening(store, "PLANED", order({"game": "mexico", "format": "lives 1"}, 1, grows=True))
    table.do("Ann", ask.Sit(None, "Ann"))
    table.do("Bob", ask.Sit(None, "Bob"))
    table.do("Ann", ask.Plan("", "best of 3"))
    table.do("Ann", ask.Plan("midnight rounds 1", "2"))
    table.do("Ann", ask.Plan("420", "1"))
    table.do("Ann", ask.Start())
    table.play()
    table.do("Ann", ask.Unplan(1, "420"))
    table.do("Ann", ask.Rematch("PLANEX"))
    again = Evening(store, "PLANEX", table.room.again(table.state, table.now, "PLANED"))
    for name in ("Ann", "Bob"):
        again.do(name, ask.Sit(None, ""))
        again.do(name, ask.Ready())


def _taught(store: SqliteStore) -> None:
    rules, night = {"game": "midnight", "format": "rounds 1"}, SEALS.night("KORBUMTAL").write()
    table = Evening(store, "TAUGHT", order(rules, 2, lessons=2, chances=True, night=night))
    table.do("Ann", ask.Sit(0, "Ann"))
    table.do("Bob", ask.Sit(1, "Bob"))
    table.play()


def _elsewhere(store: SqliteStore) -> None:
    table = Evening(store, "WENTON", order({"game": "midnight", "format": "rounds 1"}, 2))
    table.do("Ann", ask.Sit(0, "Ann"))
    table.do("Bob", ask.Sit(1, "Bob"))
    table.play(lambda state: state.rolls > 1)
    table.do(None, ask.GoOn("0123456789abcdef", PEOPLE["Bob"], PEOPLE["Cid"]))
    table.do(None, ask.Recognise(PEOPLE["Ann"], PEOPLE["Dee"]))
    table.play()


def _real(store: SqliteStore) -> None:
    rules = {"game": "midnight", "format": "pot 2 rounds 2", "opener": "loser", "first": "draw"}
    table = Evening(store, "REALDC", order(rules, 2, dice="real"))
    table.do("Ann", ask.Sit(0, "Ann"))
    table.do("Bob", ask.Sit(1, "Bob"))
    table.play(lambda state: state.rolls > 1)
    table.do("Ann", TakeBack())
    table.play()


def _taken_back(store: SqliteStore) -> None:
    table = Evening(store, "TAKNBK", order({"game": "midnight", "format": "rounds 2"}, 2))
    table.do("Ann", ask.Sit(0, "Ann"))
    table.do("Bob", ask.Sit(1, "Bob"))
    for answer in (ask.Decline(), ask.Agree()):
        asked = table.state.asked_for
        table.play(lambda state, asked=asked: state.chose == 0 and _last_choice(state) > asked)  # type: ignore[misc]
        table.do("Ann", TakeBack())
        table.do("Bob", answer)
    table.play()


def _last_choice(state: RoomState) -> int:
    assert state.match is not None
    choice = state.match.state.choice
    return 0 if choice is None else choice.seq
