"""Saved games in a store: create one, load one, list them, write one as a record."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pubdice.checked_record import installed
from pubdice.core.cup import Cup
from pubdice.core.errors import BadNotation, IllegalAction, NotStored
from pubdice.core.seal import Seals
from pubdice.kit import Kit
from pubdice.match.header import RawHeader
from pubdice.match.narrate import Narrator
from pubdice.match.record import write
from pubdice.match.sealed_record import with_proof
from pubdice.match.table import moves
from pubdice.room import Caller, Live, Room, RoomState, Step
from pubdice.room.beginning import rules_of
from pubdice.room.commands import AddSeed, Begin, Sit
from pubdice.room.decide import NO_SEALS
from pubdice.room.events import BackAsked, Committed, Fixed, Moved, Sat, SealOpened, Seeded, Shared, Started
from pubdice.room.seeds import proof_of
from pubdice.store import Store
from pubdice.terminal import sentences as own
from pubdice.terminal.game_log import LOCAL, GameLog, read_log
from pubdice.text.language import Language

HAPPENS = (Sat, Shared, Seeded, Committed, Fixed, Started, Moved, BackAsked, SealOpened)
"""All kinds of events that a saved game can have. At a terminal no person comes or goes, so other events are
impossible."""


@dataclass(frozen=True, slots=True)
class SavedGame:
    """A game loaded from its log: every step, and the state and the match after the last step."""

    number: int
    room: Room
    log: GameLog
    steps: tuple[Step, ...]
    state: RoomState
    live: Live

    @property
    def kit(self) -> Kit:
        """The kit of the game that is played."""
        return self.room.kit

    @property
    def over(self) -> bool:
        """True if the match is over."""
        return self.live.state.match.over

    def record(self) -> str:
        """Return the match as a record."""
        header = self.kit.normalize(RawHeader(rules_of(self.state)))
        happened = [step.line.event.event for step in self.steps if isinstance(step.line.event, Moved)]
        return with_proof(write(header, self.live.table.match, moves(happened)), proof_of(self.state))


def create(  # noqa: PLR0917 - what a game begins with
    store: Store, room: Room, log: GameLog, cup: Cup, now: int, seals: Seals = NO_SEALS, seed: str = ""
) -> int:
    """Create a saved game and return its number. One append seats the people, begins the match and draws Player 1.

    ``now`` is in ms since 1970. ``seed`` is the people's own seed, for sealed dice. Raises NotStored.
    """
    caller = Caller(log.person, now)
    command = Begin() if log.person is None else Sit(None, "")
    steps = room.decide(room.start(), command, caller, cup, seals)
    if log.person is not None and room.setup.dice == "sealed":
        steps += room.decide(steps[-1].after, AddSeed(seed), caller, cup, seals)
    return store.create(*log.write(), *log.lines(steps))


def load(store: Store, number: int, games: Mapping[str, Kit]) -> SavedGame:
    """Load a saved game. Raises NotStored if it does not exist, or if its log breaks the rules."""
    lines = store.read(number)
    try:
        log = read_log(lines)
        return replayed(number, Room(installed(games, log.setup.rules["game"], number), log.setup), log)
    except (BadNotation, KeyError):
        raise NotStored("log-damaged", table=number, line=1) from None


def replayed(number: int, room: Room, log: GameLog) -> SavedGame:
    """Replay the log of a saved game. Raises BadNotation if the setup is invalid, and NotStored if an event is
    impossible.
    """
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
        if len(steps) < log.added:  # a file of version 1 says all this in its first line, so that line is invalid
            raise BadNotation("event") from None
    if len(steps) < len(log.texts) or state.match is None or set(state.people) - {LOCAL}:
        raise NotStored("log-impossible", table=number, event=log.seen(len(steps)))
    return SavedGame(number, room, log, tuple(steps), state, state.match)


def latest(store: Store, games: Mapping[str, Kit]) -> SavedGame:
    """Return the newest unfinished game. Raises NotStored if there is none, or if a newer game is damaged."""
    for number in reversed(store.tables()):
        loaded = load(store, number, games)
        if not loaded.over:
            return loaded
    raise NotStored("no-games")


def listed(store: Store, games: Mapping[str, Kit], language: Language) -> Iterator[str]:
    """Yield a line for each saved game, the oldest first."""
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
        return language.say("waiting for the draw of Player 1.")
    facts = {"number": inner.called, "name": loaded.state.names[mover]}
    if inner.roll_off is not None:
        return " ".join([language.say("waiting in the roll-off, next: {name}.", **facts), *narrator.roll_off(inner)])
    return " ".join(
        [language.say("waiting in round {number}, next: {name}.", **facts), *narrator.standing(inner.tally)]
    )
