"""Every roll that is told is seen: a law over every game, with people, bots, and players who come and go."""

from collections import Counter
from contextlib import suppress
from dataclasses import replace
from itertools import chain, combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from play import KITS
from pubdice.core.errors import IllegalAction
from pubdice.core.game import Keep, KeepGame
from pubdice.kit import Kit
from pubdice.match.record import Played, Rolled
from pubdice.match.table import VERBS, Marked, Table, TableState
from pubdice.room import Step
from pubdice.room.commands import Command
from pubdice.room.log_lines import Moved
from pubdice.server.table.announce import Announcer
from pubdice.server.table.views import ViewContext, Viewer
from pubdice.server.wire import View
from pubdice.text.language import Language
from room.random_commands import Order, Walk, walks


class Watched(Walk):
    """An evening whose table somebody looks at after every command."""

    def __init__(self, order: Order) -> None:
        super().__init__(order)
        kit, language = self.room.kit, Language()
        self.viewer = Viewer(language, kit, Announcer(language, kit))
        self.rolls = self.forced = 0
        self.last: tuple[int, tuple[int, ...]] | None = None

    def attempt(self, person: str | None, command: Command) -> tuple[Step, ...]:
        """Ask for something, and look for what was rolled by it."""
        steps = super().attempt(person, command)
        view = self.viewer.view(self.state, ViewContext(self.now, self.gone, "/t/".__add__), [])
        for step in steps:
            self._follow(step)
            event = step.line.event.event if isinstance(step.line.event, Moved) else None
            mover = step.before.mover
            if mover is None:
                continue
            if isinstance(event, Rolled):
                self.rolls += 1
                assert _lies(view, mover, event.dice), (event, view.dice, view.seats[mover])
            elif isinstance(event, Played) and _was_forced(step):
                self.forced += 1
                assert step.before.match is not None
                tray = step.before.match.state.trays[mover]
                assert _lies(view, mover, tuple(face for face in tray.faces if face)), (event, view.dice)
        if self.last is not None and self.state.stage == "playing":
            assert _lies(view, *self.last), (self.last, view.dice, view.seats)
        self._look_at_choices(view)
        return steps

    def _follow(self, step: Step) -> None:
        """The last roll, by whom and what: it lies there until the next, unless its player had a choice among it."""
        event, mover = step.line.event, step.before.mover
        if isinstance(event, Moved) and isinstance(event.event, Rolled) and mover is not None:
            self.last = mover, event.event.dice
        elif not isinstance(event, Moved) or isinstance(event.event, Marked) or _was_forced(step):
            return
        else:
            self.last = None

    def _look_at_choices(self, view: View) -> None:
        """No die can be pressed but among the mover's, where they have a choice; then the main button does something,
        or says what the dice marked lack.
        """
        if view.ask != "keep":
            assert all(die.marks is None for die in view.dice)
            return
        live = self.state.match
        assert live is not None
        assert len(live.table.match.legal(live.state.match)) > 1
        assert not any(die.marks is not None for die in view.dice if die.status in ("locked", "idle", "lying"))
        assert view.main is not None
        assert view.main.ready or view.bank is not None or any(die.marks is not None for die in view.dice)
        self._look_for_every_keep(view, live.table, live.state)

    def _look_for_every_keep(self, view: View, table: Table, play: TableState) -> None:
        """Each legal keep is meant by some of the dice that can be pressed, and one of the two verbs."""
        match, mover = table.match, play.mover
        assert mover is not None
        if play.marks or not isinstance(match.game, KeepGame):
            return
        places = [die.place for die in view.dice if die.marks is not None]
        meant = set[Keep]()
        for marks in chain.from_iterable(combinations(places, number) for number in range(len(places) + 1)):
            for verb in VERBS:
                with suppress(IllegalAction):
                    meant.add(table.meant(replace(play, marks=marks), verb))
        assert meant >= set(match.legal(play.match)), (view.dice, set(match.legal(play.match)) - meant)


def _was_forced(step: Step) -> bool:
    live = step.before.match
    return live is not None and len(live.table.match.legal(live.state.match)) == 1


def _lies(view: View, mover: int, dice: tuple[int, ...]) -> bool:
    """Whether these dice lie on the table, or at the seat that rolled them."""
    places = ([die.face for die in view.dice], view.seats[mover].dice)
    return any(not Counter(dice) - Counter(shown) for shown in places)


@pytest.mark.parametrize("kit", KITS.values(), ids=KITS)
@given(data=st.data())
def test_every_roll_and_all_dice_without_a_choice_are_seen(kit: Kit, data: st.DataObject) -> None:
    watched = Watched(data.draw(walks(kit)))
    watched.run(60)
