"""Environments pass their frameworks' own checks for every game, and their regrets are exact."""

import importlib
import re
import tomllib
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import gymnasium
import numpy as np
import pytest
from gymnasium.error import InvalidAction, ResetNeeded
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from pettingzoo.test import api_test, seed_test

import pubdice
from pubdice.core.errors import BadNotation, Refused, Unsolved
from pubdice.core.game import MoveGame
from pubdice.games import GAMES
from pubdice_lab.environments import RawRound, SeatEnv, aec, module_name
from pubdice_lab.features import Feature, features
from pubdice_lab.ids import game_id
from pubdice_lab.stepwise import StepwiseMatch, observed

CHOICES = [
    (name, option.key, choice) for name, kit in GAMES.items() for option in kit.options for choice in option.choices[1:]
]


@pytest.mark.parametrize("game", GAMES)
def test_gymnasium_takes_it(game: str) -> None:
    gymnasium.make(game_id(game))  # check_env makes the environment again by its id
    check_env(gymnasium.make(game_id(game), you=1, render_mode="ansi").unwrapped)
    if GAMES[game].usual_game.least_seats == 1:
        check_env(SeatEnv(game), skip_render_check=True)


# the check warns of any observation that is a dict, also of one with a mask
@pytest.mark.filterwarnings("ignore:Observation:UserWarning")
@pytest.mark.parametrize("game", GAMES)
def test_pettingzoo_takes_a_game_by_its_name(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    name = module_name(GAMES[game])
    made = getattr(importlib.import_module("pubdice_lab.pettingzoo"), name).env(render_mode="ansi")
    assert made.metadata["name"] == name
    api_test(made, num_cycles=40)
    assert "Passed API test" in capsys.readouterr().out
    seed_test(partial(aec, game), num_cycles=20)
    made.reset(seed=1)
    assert GAMES[game].words.title in made.render()


def test_names_are_those_to_import() -> None:
    from pubdice_lab.pettingzoo import fourtwenty_v0, midnight_v0  # noqa: PLC0415  the import is the test

    assert midnight_v0.env(need="2 4").unwrapped.table.match.game.need == (2, 4)
    assert fourtwenty_v0.raw_env(3).metadata["name"] == "fourtwenty_v0"
    with pytest.raises(ImportError, match="chess_v0"):
        from pubdice_lab.pettingzoo import chess_v0  # noqa: F401, PLC0415


def test_gymnasium_finds_the_package_and_registers_it_once() -> None:
    about = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text("utf-8"))["project"]["entry-points"]
    module, _, function = about["gymnasium.envs"]["pubdice"].partition(":")
    getattr(importlib.import_module(module), function)()  # a second time: Gymnasium would warn
    made = gymnasium.make("pubdice_lab.environments:pubdice/Midnight-v0", seats=3, need="2 4", opponents="lucky", you=1)
    assert made.spec is not None
    assert (made.spec.id, made.spec.version, made.spec.name) == ("pubdice/Midnight-v0", 0, "Midnight")
    again = gymnasium.make(gymnasium.envs.registration.EnvSpec.from_json(made.spec.to_json()))
    assert again.reset(seed=4)[0]["observation"].tolist() == made.reset(seed=4)[0]["observation"].tolist()
    assert {made.reset(seed=seed)[0]["observation"][0] for seed in range(5)} == {3}


def test_opponents_sit_round_the_learner() -> None:
    env = SeatEnv("threes", 3, opponents=["bot:lucky", "perfect"], you=1)
    assert (env.bots[0], env.bots[1] is None) == (SeatEnv("threes", ["lucky", "you"]).bots[0], True)
    for wrong, told in (
        ({"you": 3}, '"3": you is a whole number: 0 to 2.'),
        ({"you": -1}, '"-1": you is a whole number: 0 to 2.'),
        ({"opponents": ["tip"]}, '"1": opponents is a whole number: 2.'),
        ({"seats": 0}, '"0": seats is a whole number: 1 to 20.'),
    ):
        with pytest.raises(BadNotation) as refused:
            SeatEnv("threes", **{"seats": 3, **wrong})  # type: ignore[arg-type]
        assert refused.value.sentence == told


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_vectors_that_reset_themselves_have_no_empty_mask(mode: AutoresetMode) -> None:
    envs: Any = gymnasium.make_vec(
        "pubdice/Ship-v0", 3, "sync", opponents="lucky", vector_kwargs={"autoreset_mode": mode}
    )
    random, ended, drawn = np.random.default_rng(1), 0, np.array([])
    seen, _ = envs.reset(seed=1)
    for _ in range(60):
        drawn = np.array([random.choice(np.flatnonzero(mask)) for mask in seen["action_mask"]])
        seen, rewards, over, *_ = envs.step(drawn)
        ended += over.sum()
        assert (rewards >= 0).all(), "no action was illegal"
    assert ended > 10
    assert [mask.dtype for mask in envs.call("action_masks")] == [bool] * 3


def test_a_picture_is_what_the_terminal_draws() -> None:
    shown = gymnasium.make("pubdice/Shutbox-v0", render_mode="ansi")
    shown.reset(seed=2)
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(shown.render()))
    assert re.search(r"── Shut the Box ─+\n ▸ Ann  ·", text)
    assert "│1│ │2│ │3│ │4│ │5│ │6│ │7│ │8│ │9│" in text
    assert text.count("●") == sum(face for face in shown.unwrapped.table.observation()[25:27])  # type: ignore[attr-defined]
    pixels = gymnasium.make("pubdice/Shutbox-v0", render_mode="rgb_array")
    sizes = set()
    for seed in range(3):
        pixels.reset(seed=seed)
        picture: Any = pixels.render()
        sizes.add((picture.shape, picture.dtype.name))
        assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 10, "it is not all paper"
    assert sizes == {((320, 640, 3), "uint8")}
    over, env = False, SeatEnv("ship", 2, render_mode="ansi")
    assert SeatEnv("ship").render() is None
    _, info = env.reset(seed=2)
    while not over:
        _, _, over, _, info = env.step(int(np.argmin(info["regret"])))
    assert "wins" in env.render() or "share" in env.render()
    with pytest.raises(ValueError, match="render_mode is one of ansi, rgb_array, not human"):
        aec("ship", render_mode="human")


@pytest.mark.parametrize(
    ("game", "key", "choice"),
    [*((name, "", "") for name in GAMES), *(pytest.param(*each, marks=pytest.mark.nightly) for each in CHOICES)],
)
def test_every_observed_number_lies_in_its_named_range(game: str, key: str, choice: str) -> None:
    table, random = StepwiseMatch(game, 3, {key: choice} if key else {}), np.random.default_rng(5)
    low, high = np.array([(each.low, each.high) for each in table.features]).T
    assert len({each.name for each in table.features}) == table.size
    assert all(each.unit for each in table.features)
    assert high.max() < 10**15, "no range is that of the type of numbers"
    reached = high < low
    for _ in range(30):
        table.begin(random)
        while not table.state.over:
            seen = table.observation()
            assert (low <= seen).all()
            assert (seen <= high).all()
            reached |= seen == high
            table.play(int(random.choice(np.flatnonzero(table.mask()))), random)
    faces = [table.features[at].unit == "face" for at in np.flatnonzero(reached)]
    assert any(faces) or choice == "stays", "no range is wider than the dice"


@dataclass(frozen=True)
class Hop:
    """A round of a stranger's game: hop over the stones of one die, or rest."""

    seats: int
    scores: tuple[int, ...] = ()
    stones: int = 0
    die: tuple[int, ...] = ()


@dataclass(frozen=True)
class Hopping(MoveGame[Hop]):
    """The rules of that game."""

    one_turn_each: ClassVar[bool] = True
    moves: ClassVar[tuple[str, ...]] = ("hop", "rest")
    goal: int = 30

    def begin(self, seats: int) -> Hop:
        """A fresh round."""
        return Hop(seats)

    def legal(self, state: Hop) -> tuple[str, ...]:
        """Both moves once a die lies there."""
        return self.moves if state.die else ()

    def after_roll(self, state: Hop, dice: tuple[int, ...]) -> Hop:
        """The die lies there."""
        return Hop(state.seats, state.scores, state.stones, dice)

    def after_move(self, state: Hop, move: str) -> Hop:
        """Go on, or score the stones."""
        stones = state.stones + state.die[0] * (move == "hop")
        if move == "rest" or stones >= self.goal:
            return Hop(state.seats, (*state.scores, stones))
        return Hop(state.seats, state.scores, stones)


def test_an_unknown_field_has_a_range() -> None:
    found = {each.name: (each.low, each.high) for each in features(Hopping(), 2)}
    assert found["stones"] == (0, 29)
    assert found["die[0]"] == (-1, 6)
    assert found["scores[0]"] == (-1, 35)
    huge = {each.name: each.high for each in features(Hopping(10**6), 2)}
    assert huge["stones"] == 2**31 - 1, "too many positions"


def test_numbers_that_32_bits_cannot_hold_get_64() -> None:
    table = StepwiseMatch("shutbox", 2, {"left": "digits"})
    assert table.numbers is np.int32
    table.features = (Feature("scores[0]", -1, 123_456_789_101_112, "points"),)
    del table.__dict__["numbers"]
    assert table.numbers is np.int64


@pytest.mark.nightly
@pytest.mark.filterwarnings("ignore:Observation:UserWarning")
@pytest.mark.parametrize(("game", "key", "choice"), CHOICES)
def test_both_take_every_house_rule(game: str, key: str, choice: str) -> None:
    if (key, choice) == ("cargo", "stays"):  # with this rule no seat has a choice
        with pytest.raises(Refused, match="no choice"):
            aec(game, cargo="stays").reset(seed=1)
        return
    rule: Any = {key: choice}
    api_test(aec(game, **rule), num_cycles=40)
    check_env(SeatEnv(game, ["tip", "you"], **rule), skip_render_check=True)


def _played(env: RawRound, seed: int, choose: Any) -> list[float]:
    env.reset(seed=seed)
    while not any(env.terminations.values()):
        agent = env.agent_selection
        env.step(choose(env.observe(agent)["action_mask"], env.infos[agent]))
    return [env.rewards[agent] for agent in env.agents]


@pytest.mark.nightly
def test_regrets_add_up_to_the_loss_of_a_match() -> None:
    env = RawRound("threes", 2)
    solver = env.table.solver
    assert solver is not None
    exact = solver.values(env.table.match.start())[0]
    best = [_played(env, seed, lambda mask, info: int(np.argmin(info["regret"])))[0] for seed in range(2000)]
    assert np.mean(best) == pytest.approx(exact, abs=4 * 0.5 / 2000**0.5)
    lost: list[float] = []
    worse = []
    for seed in range(2000):
        regrets: list[float] = []

        def careless(mask: Any, info: Any, regrets: list[float] = regrets) -> int:
            action = int(np.flatnonzero(mask)[0])
            if env.agent_selection == "seat_0":
                regrets.append(info["regret"][action])
                return action
            return int(np.argmin(info["regret"]))

        worse.append(_played(env, seed, careless)[0])
        lost.append(sum(regrets))
    assert np.mean(worse) + np.mean(lost) == pytest.approx(exact, abs=0.06)
    assert np.mean(lost) > 0.05


def test_legal_actions_alone_have_a_finite_regret() -> None:
    env = SeatEnv("420", ["you", "perfect"])
    for seed in range(5):
        seen, info = env.reset(seed=seed)
        assert (np.isfinite(info["regret"]) == (seen["action_mask"] == 1)).all()
        assert info["regret"].min() == 0


def test_an_illegal_action_ends_the_match_and_costs_one() -> None:
    env = SeatEnv("midnight", ["tip", "you"])
    _, info = env.reset(seed=1)
    assert env.step(0)[1:4] == (-1.0, True, False), "nothing is kept"
    env.reset(seed=1)
    assert env.step(0)[4]["value"] == info["value"], "the position is as before"
    table = aec("midnight")
    table.reset(seed=1)
    first = table.agent_selection
    table.step(0)
    assert table.terminations[first]
    assert table.rewards[first] == -1


@pytest.mark.parametrize("game", ["threes", "shutbox"])
def test_no_illegal_action_is_worth_more_than_the_worst_score(game: str) -> None:
    env = SeatEnv(game)
    seen, _ = env.reset(seed=3)
    illegal = env.step(int(np.flatnonzero(seen["action_mask"] == 0)[0]))[1]
    assert illegal < -1_000
    table = aec(game, 1)
    table.reset(seed=3)
    table.step(int(np.flatnonzero(table.last()[0]["action_mask"] == 0)[0]))
    assert table.rewards["seat_0"] == illegal


def test_an_environment_refuses_after_the_end() -> None:
    env = SeatEnv("ship", ["you", "tip"])
    with pytest.raises(ResetNeeded):
        env.step(0)
    _, info = env.reset(seed=1)
    for action in (-1, 10**6):
        with pytest.raises(InvalidAction, match="whole numbers from 0 to"):
            env.step(action)
    ended = False
    while not ended:
        *_, ended, _, info = env.step(int(np.argmin(info["regret"])))
    with pytest.raises(ResetNeeded, match="Call reset"):
        env.step(0)


def test_a_seat_without_a_choice_is_refused() -> None:
    with pytest.raises(Refused) as nothing:
        SeatEnv("ship", cargo="stays").reset(seed=1)
    assert nothing.value.sentence == "This seat had no choice in 1000 matches, so there is nothing to learn."
    for moon in ("yes", "first"):
        with pytest.raises(Refused, match="alone") as refused:
            SeatEnv("threes", moon=moon)
        assert "a better score is not always a larger number" in str(refused.value.sentence)
        SeatEnv("threes", ["you", "tip"], moon=moon).reset(seed=1)


def test_a_turn_alone_is_played_for_its_score() -> None:
    env = SeatEnv("threes")
    seen, info = env.reset(seed=2)
    ended, reward = False, 0.0
    while not ended:
        action = int(np.argmin(info["regret"]))
        seen, reward, ended, _, info = env.step(action)
    assert -30 <= reward <= 0
    assert seen["action_mask"].all(), "one more action, which an environment that resets itself does not play"


def test_observations_tell_all_positions_apart() -> None:
    for game in ("420", "mexico", "shutbox"):
        table, seen = StepwiseMatch(game, 2, {}), dict[bytes, Any]()
        random = np.random.default_rng(4)
        for _ in range(60):
            table.begin(random)
            while not table.state.over:
                position = table.state.round
                assert seen.setdefault(table.observation().tobytes(), position) == position
                table.play(int(random.choice(np.flatnonzero(table.mask()))), random)


@dataclass(frozen=True)
class Odd:
    """A state with a field that an installed game might have."""

    field: Any


def test_states_that_are_no_numbers_are_refused() -> None:
    with pytest.raises(TypeError, match="neither a number"):
        observed(Odd("six"), 2)
    with pytest.raises(TypeError, match="13 numbers"):
        observed(Odd((1,) * 13), 2)


@pytest.mark.parametrize(
    ("seats", "code"), [(["tip"], "people-none"), (["you", "you"], "people-none"), (["you", "genius"], "bot")]
)
def test_seats_without_a_learner_are_refused(seats: list[str], code: str) -> None:
    with pytest.raises(BadNotation) as refused:
        SeatEnv("midnight", seats)
    assert refused.value.code == code
    assert refused.value.sentence


def test_perfect_sits_only_where_the_match_is_solved() -> None:
    with pytest.raises(Unsolved, match="solved for two players"):
        SeatEnv("midnight", ["perfect", "you", "tip"], format="total 2")


def test_a_solved_round_answers_for_a_match_in_play_alone() -> None:
    solved = pubdice.solve_round(pubdice.new_match("ship", format="rounds 2"))
    with pytest.raises(pubdice.Failure, match="Give a match in play"):
        solved.number(StepwiseMatch("ship", 2, {}))  # type: ignore[arg-type]
