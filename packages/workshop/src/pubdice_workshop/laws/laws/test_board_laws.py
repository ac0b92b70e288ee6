"""Laws of the board, for every game and state: the highlights, the place of each die, and the aim of the game."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laws.looked import Looked
from play import KITS
from pubdice.core.errors import IllegalAction
from pubdice.core.game import Keep, RoundSeat
from pubdice.kit import Kit
from pubdice.match.formats.totals import Points
from pubdice.match.narrate import Narrator, turn_to_tell
from pubdice.room import Live
from pubdice.server.wire import View
from pubdice.text.language import Language
from room.random_commands import walks

ENGLISH = Language()


def _gold_never_decides(view: View, live: Live) -> None:
    """Check that a gold button is the only possible action, or the player's own choice."""
    match, play = live.table.match, live.state
    assert not any(button.gold for button in (view.bank, view.back) if button)
    if view.main is None:
        return
    legal = match.legal(play.match)
    if not legal:
        assert view.main.gold, "only one thing can be done"
        return
    assert len(legal) > 1, "what is forced is played by the table"
    try:
        live.table.meant(play, "roll")
        chosen = bool(play.marks)
    except IllegalAction:
        chosen = False
    assert not view.main.gold or (chosen and view.main.ready)
    if view.main.ready and view.bank and not play.marks:
        assert not view.main.gold, "to roll on and to stop are both open"


def _a_die_lies_in_one_place(view: View, live: Live) -> None:
    """Check that a die on the rail (the dice won so far) lies nowhere else, and that a face is red exactly if it is
    still needed.
    """
    if view.rail is None:
        return
    wanted = {slot.want for slot in view.rail.slots if slot.want}
    won = Counter(slot.face for slot in view.rail.slots if slot.face and not slot.preview)
    assert set(view.red) == {face for face in wanted if not won[face]}
    if view.left is None and view.dice:
        lying = [die.face for die in view.dice if die.status != "locked"]
        assert len(lying) + won.total() <= len(view.rail.slots), (view.dice, view.rail)
    own = live.state.lying is None or live.state.lying[0] != view.mover
    assert view.left is None or view.left.text, "it says whose dice lie there"
    assert not (view.left is None and own and view.ask == "roll" and any(die.fresh for die in view.dice))


def _what_may_not_stay_is_dim(view: View, live: Live) -> None:
    """Check that a die can be pressed exactly if some legal keep has it together with the marked dice. Any other die
    looks dim.
    """
    legal = live.table.match.legal(live.state.match)
    keeps = [Counter(action.dice) for action in legal if isinstance(action, Keep)]
    if view.ask != "keep" or not any(keeps):
        return
    marked = Counter(die.face for die in view.dice if die.status == "marked")
    for die in view.dice:
        if die.status in ("free", "reroll", "idle"):
            may_stay = any(marked + Counter([die.face]) <= kept for kept in keeps)
            assert (die.marks is not None) == may_stay, (view.dice, legal)
            assert may_stay == (die.status != "idle") or (die.status == "reroll" and marked), (view.dice, legal)


def _the_aim_is_told(view: View, live: Live, kit: Kit) -> None:
    """Check that the aim is announced until a seat has scored. If the format adds up scores, it is announced until a
    round is over. In each turn of such a match, the mover also hears the number that the match needs, if there is one.
    """
    match, inner = live.table.match, live.state.match
    if inner.round is None or view.mover is None:
        return
    aim = kit.words.aim(ENGLISH, match.game)
    assert aim.endswith((".", "!"))
    turn = turn_to_tell(match, inner)
    if turn is not inner:
        needs = Narrator(ENGLISH, kit.words, match, live.table.names).needs(inner)
        assert all(line in view.status.text for line in needs)
        assert needs or not isinstance(match.format, Points)
        assert not needs or isinstance(match.format, Points) or inner.number == match.format.rounds_planned
        assert inner.tally.rounds or aim in view.status.text
        return
    scored = any(match.game.score(inner.round, RoundSeat(at)) is not None for at in range(len(inner.order)))
    assert scored or aim in view.status.text


@pytest.mark.parametrize("kit", KITS.values(), ids=KITS)
@given(data=st.data())
def test_gold_is_forced_or_chosen_and_a_die_lies_in_one_place(kit: Kit, data: st.DataObject) -> None:
    def look(view: View, live: Live) -> None:
        _gold_never_decides(view, live)
        _a_die_lies_in_one_place(view, live)
        _the_aim_is_told(view, live, kit)
        _what_may_not_stay_is_dim(view, live)

    Looked(data.draw(walks(kit)), look).run(60)
