"""Simulations with a caller's own policies. They are counted afresh in each call. An invalid policy is refused in a
sentence.
"""

import pickle
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import pubdice as door
from pubdice.core.errors import BadNotation, Refused
from pubdice.core.game import Keep
from pubdice.games import GAMES
from pubdice_lab.simulation import simulate


def _kept(least: int) -> Any:
    def policy(game: Any, state: Any) -> Any:
        return ((Keep(tuple(face for face in state.free if face >= least) or state.free[-1:]), 1),)

    return policy


def test_a_policy_that_has_changed_is_counted_as_it_is_now() -> None:
    class Learner:
        least = 6

        def __call__(self, game: Any, state: Any) -> Any:
            return _kept(self.least)(game, state)

    learner = Learner()
    for least in (6, 1):
        learner.least = least
        seats: list[Any] = [learner, "lucky"]
        found = simulate("threes", seats, 300, seed=1, format="rounds 1").seats[0]
        fresh = simulate("threes", [_kept(least), "lucky"], 300, seed=1, format="rounds 1").seats[0]
        assert replace(found, bot="") == replace(fresh, bot="")


LITTLE = 6
"""A score at Threes that ``tip`` exceeds about half the time."""


def _by_value(game: Any, state: Any) -> Any:
    return ((Keep(state.free[-1:] if state.scores and state.scores[0] > LITTLE else state.free), 1),)


def _by_kind(game: Any, state: Any) -> Any:
    return _by_value(game, state) if isinstance(state.scores, tuple) else ((Keep(state.free), 1),)


def _found(second: Any) -> Any:
    return replace(simulate("threes", ["tip", second], 300, seed=1, format="rounds 1").seats[1], bot="")


def test_a_policy_that_looks_at_the_scores_is_shown_them() -> None:
    assert _found(_by_kind) == _found(_by_value)


def test_a_position_that_a_policy_keeps_can_be_looked_at_later() -> None:
    kept: list[Any] = []

    def policy(game: Any, state: Any) -> Any:
        kept.append(state)
        return ((Keep(state.free), 1),)

    simulate("threes", [policy, "lucky"], 300, seed=1, format="rounds 1")
    assert [repr(state) for state in kept]
    assert pickle.dumps(kept)


def test_a_fault_inside_a_policy_is_told_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    def policy(game: Any, state: Any) -> Any:
        yield Keep(state.free), None + 1  # type: ignore[operator]

    with pytest.raises(TypeError, match="unsupported operand"):
        simulate("threes", [policy, "lucky"], 300)

    def play(game: Any, state: Any, action: Any) -> Any:
        raise TypeError("a fault of the rules")

    monkeypatch.setattr(type(GAMES["threes"].usual_game), "play", play)
    with pytest.raises(TypeError, match="a fault of the rules"):
        simulate("threes", [_kept(1), "lucky"], 300)


class Unhashable(list[int]):
    """A policy without a hash, like any object that is compared by its contents."""

    def __call__(self, game: Any, state: Any) -> Any:
        return ((Keep(state.free), 1),)


def test_a_policy_without_a_hash_plays() -> None:
    seats: list[Any] = [Unhashable([1]), "lucky"]
    assert simulate("threes", seats, 300, seed=1, format="rounds 1").games == 300


ANSWERS: tuple[object, ...] = (
    None,
    (),
    ((Keep((6,)), 0),),
    ((Keep((6,)), -1),),
    ((Keep((6,)), 1.5),),
    ((Keep((6,)), float("nan")),),
    ((Keep((6,)), "1"),),
    (("k6", 1),),
    "k6",
)


@pytest.mark.parametrize("answer", ANSWERS)
def test_a_policy_without_a_choice_is_told_its_form(answer: Any) -> None:
    with pytest.raises(Refused, match=r"^A policy answers with pairs of an action and its weight: "):
        simulate("threes", ["tip", lambda game, state: answer], 300, format="rounds 1")


SEATS: tuple[tuple[object, str], ...] = (
    (2, "Give a list with a bot's name or a policy for each seat."),
    (None, "Give a list with a bot's name or a policy for each seat."),
    (["tip", None], "None is no bot's name, and no policy: "),
    (["tip", 5], "5 is no bot's name, and no policy: "),
    (["tip", door.bot("lucky")], "HouseBot.* is no bot's name, and no policy: "),
)


@pytest.mark.parametrize(("seats", "told"), SEATS)
def test_seats_that_nobody_can_take_are_refused_in_a_sentence(seats: Any, told: str) -> None:
    with pytest.raises(Refused, match=told):
        simulate("threes", seats, 300)


def test_a_policy_that_cannot_be_sent_is_refused_first() -> None:
    with pytest.raises(Refused, match=r"^With several workers, players must go to other processes, and one can't "):
        simulate("threes", ["tip", _kept(5)], 300, workers=2)
    with ThreadPoolExecutor(2) as threads:
        seats: list[Any] = ["tip", _kept(5)]
        assert simulate("threes", seats, 300, format="rounds 1", workers=2, executor=threads).games == 300


def test_numbers_of_numpy_are_numbers_and_truth_values_are_none() -> None:
    games: Any = np.int64(300)
    assert simulate("ship", "tip, lucky", games, seed=1) == simulate("ship", ["tip", "lucky"], 300, seed=1)
    one: Any = np.int64(1)
    assert simulate("ship", "tip, lucky", 300, seed=1, workers=one).games == 300
    for games, workers in ((True, 1), (300, True), (np.array([300, 2]), 1)):
        with pytest.raises(BadNotation, match="is a whole number: 1 to "):
            simulate("ship", ["tip", "lucky"], games, workers=workers)
