"""The tables in a store: set one up, sit down again, list them, write one as a record."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pubdice.game import BadNotation, IllegalAction
from pubdice.kit import Kit
from pubdice.narrate import Narrator
from pubdice.record import write
from pubdice.store import NotStored, Store
from pubdice.table import Event, Refused, Table, TableState, moves, read_event
from pubdice.terminal import words as own
from pubdice.terminal.seating import Setup, read_setup
from pubdice.words import Language


@dataclass(frozen=True, slots=True)
class Loaded:
    """A table as its log has it: ``states`` are those before the first event, between, and after the last."""

    number: int
    setup: Setup
    kit: Kit
    table: Table
    events: tuple[Event, ...]
    states: tuple[TableState, ...]

    @property
    def state(self) -> TableState:
        """Where it stands."""
        return self.states[-1]

    @property
    def over(self) -> bool:
        """True if nothing more is to be played."""
        return self.state.match.over

    def narrator(self, language: Language) -> Narrator:
        """Who tells of it."""
        return Narrator(language, self.kit.words, self.table.match, self.table.names)

    def record(self) -> str:
        """The table's match as a record."""
        return write(self.setup.header, self.table.match, moves(self.events))


def load(store: Store, number: int, games: Mapping[str, Kit]) -> Loaded:
    """A table out of the store. Raises NotStored if there is none or its log cannot have come about."""
    lines = store.read(number)
    events: list[Event] = []
    states: list[TableState] = []
    try:
        setup = read_setup(lines[0])
        kit = games[setup.header.fields["game"]]
        table = Table(kit.match(kit.settle(setup.header)), setup.header.names, setup.dice)
        if not set(setup.bots) <= set(table.names) or not set(setup.bots.values()) <= set(kit.bots):
            raise BadNotation("bot", bots=kit.bots)
    except (BadNotation, KeyError):
        raise NotStored("log-damaged", table=number, line=1) from None
    states.append(table.start())
    for text in lines[1:]:
        try:
            event = read_event(table, text)
            states.append(table.apply(states[-1], event))
        except (BadNotation, IllegalAction):
            raise NotStored("log-impossible", table=number, event=len(states)) from None
        events.append(event)
    return Loaded(number, setup, kit, table, tuple(events), tuple(states))


def latest(store: Store, games: Mapping[str, Kit]) -> Loaded:
    """The newest table that waits to go on. Raises NotStored if none does, or if a newer one is damaged."""
    for number in reversed(store.tables()):
        loaded = load(store, number, games)
        if not loaded.over:
            return loaded
    raise NotStored("no-games")


def listed(store: Store, games: Mapping[str, Kit], language: Language) -> Iterator[str]:
    """A line for each table, oldest first."""
    say = language.say
    for number in store.tables():
        try:
            loaded = load(store, number, games)
        except Refused as error:
            yield say("{number}. {why}", number=number, why=own.refused(language, error))
            continue
        title, names = loaded.kit.words.title, language.join(loaded.table.names)
        stand = _stand(loaded, language)
        yield say("{number}. {title}, {names}: {stand}", number=number, title=title, names=names, stand=stand)


def _stand(loaded: Loaded, language: Language) -> str:
    inner, narrator = loaded.state.match, loaded.narrator(language)
    if inner.over:
        return " ".join([language.say("over."), *narrator.ending(inner.tally, inner.last)])
    mover = loaded.table.mover(loaded.state)
    if mover is None:
        return language.say("waiting; Player 1 is to be drawn.")
    facts = {"number": inner.number, "name": loaded.table.names[mover]}
    return " ".join([language.say("waiting; round {number}, next: {name}.", **facts), *narrator.standing(inner.tally)])
