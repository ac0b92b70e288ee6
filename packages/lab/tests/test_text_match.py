"""A match in sentences: each fact is said once, every needed fact is said, and the offered moves are legal."""

import importlib
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from pubdice.core.errors import BadNotation
from pubdice.games import GAMES
from pubdice_lab.ids import game_id
from pubdice_lab.text_match import TextMatch


def _moves_in(text: str) -> list[str]:
    return text.rpartition("Answer with one of: ")[2].removesuffix(".").split(", ")


@pytest.mark.parametrize(("game", "seats"), [(game, 2 + at % 2) for at, game in enumerate(GAMES)])
def test_an_agent_that_only_reads_plays_a_match_to_its_end(game: str, seats: int) -> None:
    match, random, over, told = TextMatch(game, seats), Random(1), False, dict.fromkeys(range(seats), "")
    match.reset(seed=4)
    while not over:
        seat, text = match.get_observation()
        told[seat] += text + "\n"
        moves = _moves_in(text)
        assert moves == match.moves()
        over, info = match.step(random.choice(moves))
        assert set(info.get("regret", dict.fromkeys(moves))) == set(moves)
    rewards, said = match.close()
    assert rewards is not None
    assert sum(rewards.values()) == pytest.approx(1)
    assert [(facts["role"], facts["invalid_move"], "reason" in facts) for facts in said.values()] == [
        (name, False, False) for name in match.names
    ]
    title = f"# {GAMES[game].page('en').partition(chr(10))[0].removeprefix('# ')}"
    for seat, text in told.items():
        if text:  # the text is empty for a seat that had no choice
            assert text.count(title) == 1, "the rules are told once"
            assert text.count(f"You are {match.names[seat]}.") == 1
            assert f"{match.names[seat]} rolled" not in text, "nobody hears their own name"


def test_a_seed_is_one_match_and_nothing_is_told_twice() -> None:
    lines = []
    for _ in range(2):
        match, over = TextMatch("midnight"), False
        match.reset(seed=9)
        heard = []
        while not over:
            seat, text = match.get_observation()
            heard.append((seat, text))
            over, _ = match.step(match.moves()[0])
        lines.append(heard)
    assert lines[0] == lines[1]
    first = [text for seat, text in lines[0] if seat == lines[0][0][0]]
    assert first[1].startswith("You kept ")
    assert first[1].count("rolled") == 1


def test_best_answers_by_regret_lose_nothing() -> None:
    match = TextMatch("threes")
    match.reset(seed=2)
    over = False
    while not over:
        regret = match.worth()["regret"]
        best = min(regret, key=regret.__getitem__)
        over, info = match.step(best)
        assert info["regret"][best] == 0


def test_what_is_no_move_is_told_and_the_second_loses() -> None:
    match = TextMatch("420", 3)
    match.reset(seed=1)
    seat, _ = match.get_observation()
    over, _ = match.step("keep everything, please")
    assert not over
    again, text = match.get_observation()
    assert again == seat
    assert '"keep everything, please" is none of your moves. Try once more.' in text
    over, _ = match.step(_moves_in(text)[0])
    assert not over
    loser, _ = match.get_observation()
    assert match.step("x") == (False, match.worth())
    over, _ = match.step("y")
    assert over
    rewards, said = match.close()
    assert rewards == {each: 0.0 if each == loser else 0.5 for each in range(3)}
    assert [seat for seat, facts in said.items() if facts["invalid_move"]] == [loser]
    assert said[loser]["reason"] == f"{match.names[loser]} answered 2 times with something that is no move."
    assert sum(facts["turn_count"] for facts in said.values()) == 4


def test_a_match_that_goes_on_or_is_over_says_so() -> None:
    match = TextMatch("threes", 1)
    match.reset(seed=1)
    assert match.close()[0] is None
    match.step("x")
    assert match.step("y")[0]
    rewards = match.close()[0]
    assert rewards is not None
    assert rewards[0] < -1_000, "no answer is worth more than the worst score"
    for ask in (match.get_observation, lambda: match.step("x")):
        with pytest.raises(AssertionError, match="lost"):
            ask()


def test_a_game_that_nobody_knows_is_refused_in_a_sentence() -> None:
    with pytest.raises(BadNotation) as refused:
        TextMatch("chess")
    assert "no game of that name" in str(refused.value)


@pytest.mark.parametrize("game", ["midnight", "shutbox"])
def test_the_loop_of_textarena_plays_a_match(game: str) -> None:
    """The loop of TextArena's page, call by call. Its package is 100 MB, so ``make test`` has no copy of it."""
    env: Any = TextMatch(game)
    agents = {seat: lambda observation: f"[{_moves_in(observation)[-1]}]" for seat in range(3)}
    env.reset(num_players=len(agents), seed=42)
    done = False
    while not done:
        player_id, observation = env.get_observation()
        action = agents[player_id](observation)
        done, _ = env.step(action=action)
    rewards, game_info = env.close()
    assert set(rewards) == set(game_info) == set(agents)
    assert sum(rewards.values()) == pytest.approx(1)
    with pytest.raises(BadNotation):
        env.reset(num_players=21, seed=1)


@pytest.mark.nightly
@pytest.mark.parametrize("game", GAMES)
def test_textarena_itself_plays_a_match(game: str) -> None:
    ta = pytest.importorskip("textarena", reason="needs the extra textarena")
    importlib.import_module("pubdice_lab.textarena")
    heard: dict[int, list[str]] = {0: [], 1: []}
    for ending in ("", "-raw"):
        env = ta.wrappers.ActionFormattingWrapper(ta.make(env_id=game_id(game) + ending))
        env.reset(num_players=2, seed=3)
        done = False
        while not done:
            player_id, observation = env.get_observation()
            text = observation if isinstance(observation, str) else observation[-1][1]
            if not ending:
                heard[player_id].append(text)
            done, _ = env.step(action=_moves_in(text)[0])
        rewards, game_info = env.close()
        assert sum(rewards.values()) == pytest.approx(1)
        assert not any(facts["invalid_move"] for facts in game_info.values())
    for texts in heard.values():
        assert all(after.startswith(before) for before, after in pairwise(texts)), "nothing is forgotten"


def test_a_match_that_begins_has_a_choice_for_somebody() -> None:
    match = TextMatch("ship")
    for seed in range(12):  # matches 2 and 6 have no choice at all
        match.reset(seed=seed)
        assert match.moves()


def test_an_answer_that_is_no_text_is_no_move() -> None:
    match = TextMatch("midnight")
    match.reset(seed=1)
    match.get_observation()
    assert match.step(None)[0] is False
    assert '"None" is none of your moves.' in match.get_observation()[1]
