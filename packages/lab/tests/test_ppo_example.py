"""The example of Maskable PPO: its regret is exact, its numbers are scaled, and with its library it learns."""

import importlib.util
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pubdice_lab.environments import SeatEnv
from pubdice_lab.stepwise import StepwiseMatch

FILE = Path(__file__).parents[3] / "examples/ppo.py"
MATCHES = 4_000


@pytest.fixture(name="ppo", scope="module")
def _ppo() -> Any:
    found = importlib.util.spec_from_file_location("ppo", FILE)
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def _first(_: Any, mask: Any) -> int:
    return int(np.flatnonzero(mask)[0])


def _last(_: Any, mask: Any) -> int:
    return int(np.flatnonzero(mask)[-1])


@pytest.mark.parametrize("choose", [_first, _last])
def test_the_exact_regret_is_the_loss_of_many_matches(ppo: Any, choose: Any) -> None:
    exact = ppo.exact_regret("ship", choose)
    table, random, lost = StepwiseMatch("ship", 2, {}), np.random.default_rng(6), list[float]()
    for at in range(MATCHES):
        table.begin(random)
        total = 0.0
        while not table.state.over:
            regret = table.worth()["regret"]
            learns = table.state.mover == at % 2
            action = choose(None, table.mask()) if learns else int(np.argmin(regret))
            total += regret[action] if learns else 0
            table.play(action, random)
        lost.append(total)
    assert np.mean(lost) == pytest.approx(exact, abs=4 * float(np.std(lost)) / MATCHES**0.5)
    assert exact > 0.01


def test_the_numbers_of_the_example_are_scaled_by_their_ranges(ppo: Any) -> None:
    env = ppo.Scaled(SeatEnv("ship", 2, opponents="perfect"))
    seen = [env.reset(seed=seed)[0] for seed in range(30)]
    assert all(env.observation_space.contains(numbers) for numbers in seen)
    assert np.min(seen) == 0
    assert np.max(seen) == 1
    assert env.get_wrapper_attr("action_masks")().any()


def test_a_match_of_too_many_positions_is_refused(ppo: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pubdice_lab.counting.LEAST_NODES", 3)
    with pytest.raises(SystemExit, match="too many positions"):
        ppo.exact_regret("ship", lambda _, mask: int(np.flatnonzero(mask)[0]))


@pytest.mark.nightly
def test_maskable_ppo_learns_ship(ppo: Any) -> None:
    pytest.importorskip("sb3_contrib", reason="needs sb3-contrib, with PyTorch")
    curve = ppo.learn("ship", 12_000, seed=1)
    assert curve[-1][1] < curve[0][1] / 2
    assert min(regret for _, regret in curve) > 0
