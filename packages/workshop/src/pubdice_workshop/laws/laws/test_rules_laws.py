"""Laws of every game's rules, tried at positions that random legal play reaches."""

from itertools import combinations_with_replacement
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from play import BY_RULES, CASES, KITS, Choices, choices, seatings, walk
from pubdice.core.dice import FACES, rolls
from pubdice.core.errors import BadNotation, IllegalAction
from pubdice.core.game import CanonicalStates, Keep, KeepGame, MoveGame, Seat, TurnedSeats, kept_by, write_keep
from pubdice.kit import Kit
from pubdice.solve.plain.positions import canonical
from small_games import TurnedPig

EVERY_KIT = pytest.mark.parametrize("kit", KITS.values(), ids=KITS)

NOTATIONS = [write_keep(Keep(hand)) for size in range(7) for hand in combinations_with_replacement(FACES, size)]
NOTATIONS += ["k66666666"]
"""The notation of every action in games where players keep dice, and one notation that no game can write."""


def _actions(game: Any) -> list[Any]:
    if isinstance(game, MoveGame):
        return [*game.moves]
    found = []
    for text in NOTATIONS:
        try:
            found.append(game.read_action(text))
        except BadNotation:
            continue
    return found


ACTIONS = {name: _actions(next(case.game for case in CASES if case.kit is kit)) for name, kit in KITS.items()}


@EVERY_KIT
@given(data=st.data())
def test_every_position_is_exactly_one_of_chance_decision_and_over(kit: Kit, data: st.DataObject) -> None:
    case, seats = data.draw(seatings(kit))
    game = case.game
    for state, _ in walk(game, seats, data.draw(choices())):
        chance, decision, over = game.to_roll(state) > 0, bool(game.legal(state)), game.result(state) is not None
        assert [chance, decision, over].count(True) == 1
        assert (game.mover(state) is None) == over
        assert over or 0 <= game.mover(state) < seats


@EVERY_KIT
@given(data=st.data())
def test_the_chances_of_every_roll_sum_to_one_and_every_roll_can_fall(kit: Kit, data: st.DataObject) -> None:
    case, seats = data.draw(seatings(kit))
    game = case.game
    for state, _ in walk(game, seats, data.draw(choices(30))):
        due = game.to_roll(state)
        if due:
            fall = rolls(due, game.faces.sides)
            assert sum(ways for _, ways in fall) == game.faces.sides**due
            for hand, _ in fall:
                game.roll(state, hand)


@EVERY_KIT
@given(data=st.data())
def test_legal_actions_are_distinct_and_each_can_be_played(kit: Kit, data: st.DataObject) -> None:
    case, seats = data.draw(seatings(kit))
    game = case.game
    for state, _ in walk(game, seats, data.draw(choices(30))):
        legal = game.legal(state)
        assert len(set(legal)) == len(legal)
        assert legal == game.legal(state)
        for action in legal:
            assert game.play(state, action) != state


@EVERY_KIT
@given(data=st.data())
def test_an_action_that_is_not_legal_is_refused_and_nothing_changes(kit: Kit, data: st.DataObject) -> None:
    case, seats = data.draw(seatings(kit))
    game = case.game
    numbers: Choices = data.draw(choices(40))
    start = data.draw(st.integers(0, 10))
    for state, _ in walk(game, seats, numbers):
        legal, before = set(game.legal(state)), repr(state)
        for action in ACTIONS[kit.name][start::11]:
            if action not in legal:
                with pytest.raises(IllegalAction) as refused:
                    game.play(state, action)
                assert refused.value.state == state
                assert refused.value.action == action
        assert repr(state) == before


@EVERY_KIT
@given(data=st.data())
def test_a_roll_that_is_not_due_is_refused_and_nothing_changes(kit: Kit, data: st.DataObject) -> None:
    case, seats = data.draw(seatings(kit))
    game = case.game
    for state, _ in walk(game, seats, data.draw(choices(40))):
        due, before = game.to_roll(state), repr(state)
        wrong = [(1,) * number for number in range(8) if number != due or not due]
        wrong += [(0,) * due, (1,) * (due - 1) + (7,)] if due else []
        for hand in wrong:
            with pytest.raises(IllegalAction):
                game.roll(state, hand)
        assert repr(state) == before


@EVERY_KIT
@given(data=st.data())
def test_an_action_written_and_read_is_the_same_and_no_two_are_written_alike(kit: Kit, data: st.DataObject) -> None:
    case, seats = data.draw(seatings(kit))
    game = case.game
    for state, _ in walk(game, seats, data.draw(choices(40))):
        texts = [game.write_action(action) for action in game.legal(state)]
        assert len(set(texts)) == len(texts)
        assert tuple(map(game.read_action, texts)) == game.legal(state)
        assert all(text[0].islower() and not any(char.isspace() for char in text) for text in texts)


@EVERY_KIT
@given(data=st.data())
def test_the_dice_a_seat_has_are_those_that_fell_and_were_kept(kit: Kit, data: st.DataObject) -> None:
    case, seats = data.draw(seatings(kit))
    game = case.game
    for state, step in walk(game, seats, data.draw(choices())):
        for seat in range(seats):
            for hand in game.dice(state, Seat(seat)):
                assert hand == tuple(sorted(hand))
        if step is not None and game.legal(state):
            _, free = game.dice(state, game.mover(state))
            assert isinstance(game, KeepGame) or not free, "in a game of moves nothing is chosen of the dice"
            for action in game.legal(state):
                assert not set(kept_by(game, action)) - set(free)
            after = game.play(state, step)
            lying = sorted(sum(game.dice(after, game.mover(state)), ()))
            assert not lying or not set(kept_by(game, step)) - set(lying)


@pytest.mark.parametrize(
    "kit", [kit for kit in KITS.values() if isinstance(kit.usual_game, CanonicalStates)], ids=lambda kit: kit.name
)
@given(data=st.data())
def test_a_canonical_state_goes_on_as_the_states_it_stands_for(kit: Kit, data: st.DataObject) -> None:
    case, seats = data.draw(seatings(kit))
    game = case.game
    for state, step in walk(game, seats, data.draw(choices())):
        same = game.canonical(state)
        assert game.canonical(same) == same
        for ask in (game.mover, game.to_roll, game.legal, game.result):
            assert ask(same) == ask(state)
        if step is not None:
            go_on = game.roll if game.to_roll(state) else game.play
            assert game.canonical(go_on(same, step)) == game.canonical(go_on(state, step))


TURNED = [TurnedPig(9), *(kit.usual_game for kit in KITS.values() if isinstance(kit.usual_game, TurnedSeats))]


@pytest.mark.parametrize("game", TURNED, ids=lambda game: type(game).__name__)
@given(data=st.data())
def test_a_turned_state_goes_on_as_the_state_does_from_the_movers_chair(game: Any, data: st.DataObject) -> None:
    seats = data.draw(st.integers(max(2, game.least_seats), min(4, game.most_seats)))
    for state, step in walk(game, seats, data.draw(choices())):
        mover = game.mover(state)
        if mover is None or step is None:
            continue
        same = game.turned(state)
        assert game.mover(same) == 0
        assert game.turned(same) == same
        assert (game.to_roll(same), game.legal(same)) == (game.to_roll(state), game.legal(state))
        here, there = ((game.roll if game.to_roll(state) else game.play)(each, step) for each in (state, same))
        right, found = game.result(here), game.result(there)
        if right is None:
            assert game.mover(here) == (game.mover(there) + mover) % seats
            assert canonical(game, game.turned(here)) == canonical(game, game.turned(there))
        else:
            assert sorted((seat + mover) % seats for seat in found.winners) == sorted(right.winners)
            assert [found.scores[seat - mover] for seat in range(seats)] == list(right.scores)


@EVERY_KIT
@given(data=st.data())
def test_a_locked_die_never_changes_while_the_turn_lasts(kit: Kit, data: st.DataObject) -> None:
    """In a game of keeps, a locked die stays locked. In a game of moves, a choice may remove dice but changes none, and
    a roll may replace all of them.
    """
    case, seats = data.draw(seatings(kit))
    game = case.game
    held: tuple[int, ...] = ()
    whose, moves, fell = None, isinstance(game, MoveGame), False
    for state, step in walk(game, seats, data.draw(choices())):
        mover = game.mover(state)
        locked = game.dice(state, mover)[0] if mover is not None else ()
        if mover == whose and moves:
            assert fell or all(held.count(face) >= locked.count(face) for face in locked)
        elif mover == whose:
            assert all(locked.count(face) >= held.count(face) for face in held)
        held, whose, fell = locked, mover, step is not None and game.to_roll(state) > 0


@EVERY_KIT
@given(data=st.data())
def test_a_result_names_seats_and_scores_every_one(kit: Kit, data: st.DataObject) -> None:
    case, seats = data.draw(seatings(kit, 3))
    game = case.game
    *_, (state, step) = walk(game, seats, data.draw(choices(400)))
    result = game.result(state)
    if result is not None:
        assert step is None
        assert len(result.scores) == seats
        assert set(result.winners) <= set(range(seats))
        assert all(game.score(state, Seat(seat)) in (result.scores[seat], None) for seat in range(seats))


@EVERY_KIT
def test_a_game_refuses_too_few_and_too_many_seats(kit: Kit) -> None:
    for game in [case.game for case in BY_RULES if case.kit is kit]:
        for seats in (0, game.least_seats - 1, game.most_seats + 1):
            with pytest.raises(ValueError, match="seats"):
                game.start(seats)
        game.start(game.least_seats)
        game.start(game.most_seats)


@EVERY_KIT
@given(data=st.data())
def test_dice_in_any_order_lead_to_the_same_position_as_the_hand(kit: Kit, data: st.DataObject) -> None:
    case, seats = data.draw(seatings(kit))
    game = case.game
    for state, move in walk(game, seats, data.draw(choices(30))):
        if move is not None and game.to_roll(state):
            mixed = tuple(data.draw(st.permutations(move)))
            assert game.roll(state, mixed) == game.roll(state, tuple(sorted(move)))


def test_a_keep_is_the_same_in_whatever_order_its_dice_are_given() -> None:
    assert Keep((4, 1)) == Keep.of(4, 1) == Keep.of(1, 4)
    assert hash(Keep((4, 1))) == hash(Keep((1, 4)))
    assert write_keep(Keep((4, 1))) == "k14"
