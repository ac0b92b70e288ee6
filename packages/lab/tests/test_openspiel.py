"""Our games pass OpenSpiel's own checks, agree with our rules and values, and run its algorithms."""

import pickle
import subprocess
import sys
from random import Random
from types import ModuleType
from typing import Any
from unittest.mock import MagicMock

import numpy as np
import pyspiel
import pytest

from pubdice.core.errors import BadNotation
from pubdice.core.game import Seat
from pubdice.games import GAMES
from pubdice_lab import openspiel
from pubdice_lab.openspiel import MatchPlayed, load
from pubdice_lab.stepwise import StepwiseMatch

HEADERS: dict[str, dict[str, Any]] = {
    "midnight": {"need": "2 4", "format": "points 30 even rolloff"},
    "420": {"format": "drinks"},
    "mexico": {"format": "lives 2"},
}
QUICK = ("ship", "mexico")
"""Games whose rounds are short."""


@pytest.mark.parametrize("game", GAMES)
def test_openspiel_takes_it(game: str) -> None:
    pyspiel.random_sim_test(load(game), num_sims=3, serialize=True, verbose=False)
    if game in HEADERS:
        pyspiel.random_sim_test(load(game, 3, **HEADERS[game]), num_sims=1, serialize=True, verbose=False)


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("game", "key", "choice"),
    [
        (name, option.key, choice)
        for name, kit in GAMES.items()
        for option in kit.options
        for choice in option.choices[1:]
    ],
)
def test_openspiel_takes_every_house_rule(game: str, key: str, choice: str) -> None:
    rule: Any = {key: choice}
    pyspiel.random_sim_test(load(game, **rule), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("game", QUICK)
def test_a_playthrough_is_made_again_from_its_actions(game: str) -> None:
    from open_spiel.python.algorithms import generate_playthrough  # noqa: PLC0415 - all of scipy comes with it

    name = str(load(game))
    state, random = pyspiel.load_game(name).new_initial_state(), Random(5)
    while not state.is_terminal():
        state.apply_action(random.choice(state.legal_actions()))
    actions = state.history()
    told = generate_playthrough.playthrough(name, actions)
    assert told == generate_playthrough.playthrough(name, actions)
    assert told.count("\n# Apply action ") == len(actions)


def _by_hand(state: MatchPlayed, table: StepwiseMatch, random: Random) -> list[float]:
    """Play the same moves in OpenSpiel and by our rules. Returns the shares by our rules, less the equal part."""
    match, ours = table.match, table.match.start()
    while not ours.over:
        assert not state.is_terminal()
        number = random.choice(state.legal_actions())
        told = state.action_to_string(state.current_player(), number)
        if match.to_draw(ours):
            assert state.is_chance_node()
            ours = match.draw(ours, Seat(number))
        elif match.to_roll(ours):
            assert state.is_chance_node()
            ours = match.roll(ours, tuple(map(int, told.removeprefix("roll ").split())))
        else:
            assert state.current_player() == ours.mover
            legal = {match.game.write_action(action): action for action in match.legal(ours)}
            assert {state.action_to_string(each) for each in state.legal_actions()} == set(legal)
            ours = match.play(ours, legal[told])
        state.apply_action(number)
    champions = match.format.champions(ours.tally)
    return [(seat in champions) / len(champions) - 1 / match.seats for seat in range(match.seats)]


@pytest.mark.parametrize("game", GAMES)
def test_the_same_moves_lead_to_the_same_end(game: str) -> None:
    header = HEADERS.get(game, {})
    opened, table, paid = load(game, 3, **header), StepwiseMatch(game, 3, header), set[float]()
    for seed in range(5):
        state = opened.new_initial_state()
        assert _by_hand(state, table, Random(seed)) == state.returns()
        assert state.is_terminal()
        paid.update(state.returns())
    assert len(paid) > 1


@pytest.mark.parametrize("game", GAMES)
def test_chances_are_those_of_fair_dice(game: str) -> None:
    state = load(game).new_initial_state()
    while state.is_chance_node():
        outcomes = state.chance_outcomes()
        assert sum(chance for _, chance in outcomes) == pytest.approx(1)
        doubles = [chance for at, chance in outcomes if state.action_to_string(at) == "roll 1 1"]
        assert doubles in ([], [pytest.approx(1 / 36)])
        state.apply_action(outcomes[0][0])


@pytest.mark.parametrize("game", ["ship", "shutbox"])
def test_a_search_that_knows_nothing_of_dice_games_plays_a_match(game: str) -> None:
    from open_spiel.python.algorithms import mcts  # noqa: PLC0415 - as above

    opened, random = load(game), np.random.RandomState(1)
    bot = mcts.MCTSBot(opened, 2, 4, mcts.RandomRolloutEvaluator(1, random), random_state=random)
    state, choices = opened.new_initial_state(), 0
    while not state.is_terminal() and choices < 6:
        if state.is_chance_node():
            numbers, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(random.choice(numbers, p=chances)))
        else:
            action = bot.step(state)
            assert action in state.legal_actions()
            state.apply_action(action)
            choices += 1
    assert choices


def test_who_looks_sees_the_round_in_numbers_and_their_own_place() -> None:
    state = load("midnight").new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    mine, other = state.observation_tensor(0), state.observation_tensor(1)
    assert mine[:-1] == other[:-1]
    assert {mine[-1], other[-1]} == {0, 1}
    assert 1 in mine[:-1]
    assert state.information_state_string(0)


def test_a_state_is_copied_and_kept_without_the_rules() -> None:
    state = load("shutbox").new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    copied = state.clone()
    assert copied.held is state.held
    state.apply_action(state.legal_actions()[0])
    assert str(copied) != str(state)
    kept = pickle.dumps(state)
    assert len(kept) < 2000
    assert str(pickle.loads(kept)) == str(state)


def _iterate(game: Any, monkeypatch: pytest.MonkeyPatch) -> float:
    """Return the first seat's value of a game, by OpenSpiel's value iteration."""
    # value iteration imports an LP solver, but needs it only for simultaneous moves
    stub: ModuleType = MagicMock()
    monkeypatch.setitem(sys.modules, "cvxpy", stub)
    from open_spiel.python.algorithms import value_iteration  # noqa: PLC0415

    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(100_000)
    try:
        values = value_iteration.value_iteration(game, -1, 1e-13, cyclic_game=True)
    finally:
        sys.setrecursionlimit(limit)

    def value(state: Any) -> float:
        if not state.is_chance_node():
            return float(values[str(state)])
        outcomes: list[tuple[int, float]] = state.chance_outcomes()
        return sum([chance * value(state.child(outcome)) for outcome, chance in outcomes])

    return value(game.new_initial_state())


@pytest.mark.parametrize(
    "game", ["mexico", *(pytest.param(game, marks=pytest.mark.nightly) for game in ("ship", "420"))]
)
def test_value_iteration_on_the_merged_round_finds_our_values(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    merged, table = load(game, merged=True), StepwiseMatch(game, 2, {})
    pyspiel.random_sim_test(merged, num_sims=3, serialize=True, verbose=False)
    solver, match = table.solver, table.match
    assert solver is not None
    start = match.start()
    opened = match.draw(start, Seat(0)) if match.to_draw(start) else start
    assert _iterate(merged, monkeypatch) + 1 / 2 == pytest.approx(solver.values(opened)[0], abs=1e-9)


def _random_states(game: Any, matches: int) -> Any:
    random = Random(3)
    for _ in range(matches):
        state = game.new_initial_state()
        while not state.is_terminal():
            yield state
            state.apply_action(random.choice(state.legal_actions()))
        yield state


@pytest.mark.parametrize("game", GAMES)
def test_a_name_with_parameters_is_the_match(game: str) -> None:
    name, seats = f"pubdice_{game}", 3
    opened = pyspiel.load_game(f"{name}(seats={seats})")
    assert (opened.get_type().short_name, opened.num_players()) == (name, seats)
    usual = opened.get_type().parameter_specification
    for option in GAMES[game].options:
        assert str(usual[option.key]) == option.choices[0]
        for choice in option.choices:
            found = pyspiel.load_game(f"{name}({option.key}={choice})")
            assert f"{option.key}={choice}" in str(found)
            ours = StepwiseMatch(game, 2, {option.key: choice}).match
            assert MatchPlayed(found).table.match == ours
    assert str(pyspiel.load_game(str(opened))) == str(opened)


def test_the_longest_match_is_as_long_as_the_game_says() -> None:
    """The seats keep as few dice as they may, or shut the fewest tiles."""
    for name, longest in (
        ("pubdice_midnight(need=2 4,seats=2)", 12),
        ("pubdice_midnight(follow=yes,seats=3)", 18),
        ("pubdice_ship", 6),
        ("pubdice_threes(format=rounds 3)", 30),
        ("pubdice_mexico(seats=3)", 9),
    ):
        game = pyspiel.load_game(name)
        assert game.max_game_length() == longest
        state, choices = game.new_initial_state(), 0
        while not state.is_terminal():
            choices += not state.is_chance_node()
            state.apply_action(min(state.legal_actions()))
        assert choices == longest, name


def test_a_match_without_limit_ends_with_equal_shares(monkeypatch: pytest.MonkeyPatch) -> None:
    assert load("420").max_game_length() == openspiel.LONGEST
    monkeypatch.setattr(openspiel, "_longest", lambda key: 3)
    for game in (load("ship", merged=True), load("420")):
        assert game.max_game_length() == 3
        ends = [state for state in _random_states(game, 30) if state.is_terminal()]
        long = [state for state in ends if state.returns() == [0, 0]]
        assert 0 < len(long) < 30
        assert sum(each.player >= 0 for each in long[0].full_history()) == 3
    assert str(long[0]) == "The match ended after 3 choices."


@pytest.mark.parametrize("merged", [False, True])
def test_what_is_no_action_is_refused_as_openspiel_refuses_it(*, merged: bool) -> None:
    for state in _random_states(load("ship", merged=merged), 3):
        if state.is_terminal():
            continue
        before, legal = str(state), state.legal_actions()
        wrong = {-1, -2, 10**6, len(legal) if merged else min(set(range(500)) - set(legal))} - set(legal)
        for action in sorted(wrong):
            with pytest.raises(pyspiel.SpielError):
                state.apply_action(action)
            with pytest.raises(pyspiel.SpielError):
                state.child(action)
        with pytest.raises(pyspiel.SpielError, match="The numbers here are 0 to"):
            state.action_to_string(10**6)
        assert (str(state), state.legal_actions()) == (before, legal), "nothing is changed"


FORMS_OF = [
    *((game, "") for game in GAMES),
    ("midnight", "points 30"),
    ("mexico", "lives 2"),
    ("420", "drinks"),
    ("ship", "pot"),
    ("threes", "rounds 2 rolloff"),
]
"""Each game, and each format once."""


@pytest.mark.parametrize(("game", "form"), FORMS_OF)
def test_a_state_is_told_in_sentences_that_no_other_state_shares(game: str, form: str) -> None:
    told, header = dict[str, Any](), {"format": form} if form else {}
    for state in _random_states(load(game, 3, merged=False, **header), 4):
        text = str(state)
        assert text[0].isupper()
        assert text[-1] in ".!"
        if not state.is_terminal():  # its words are those of the winner and the scores alone
            off = state.at.roll_off and (state.at.roll_off.seats, state.at.roll_off.faces)
            position = (state.at.round, state.at.order, state.at.mover, state.at.tally, off)
            assert told.setdefault(text, position) == position, text


def test_a_program_that_loaded_the_games_ends_well() -> None:
    program = "import pyspiel, pubdice_lab.openspiel\nprint(pyspiel.load_game('pubdice_ship').num_players())"
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "2\n", "")


def test_wrong_parameters_are_refused_as_by_openspiel() -> None:
    for wrong, said in (
        ("pubdice_midnight(need=7 8)", "7 8"),
        ("pubdice_midnight(seats=1)", "2 to 20"),
        ("pubdice_midnight(seats=21)", "2 to 20"),
        ("pubdice_midnight(tea=yes)", "tea"),
        ("pubdice_420(format=rounds 2)", "race or drinks"),
    ):
        with pytest.raises(pyspiel.SpielError, match=said):
            pyspiel.load_game(wrong)


def test_what_cannot_be_is_refused_in_a_sentence() -> None:
    wrong: dict[str, Any]
    for wrong, said in (
        ({"game": "chess"}, "no game of that name"),
        ({"game": "midnight", "seats": 1}, "2 to 20"),
        ({"game": "midnight", "seats": 21}, "20"),
        ({"game": "midnight", "need": "7 8"}, "7 8"),
    ):
        with pytest.raises(BadNotation) as refused:
            load(**wrong)
        assert said in str(refused.value), refused.value
    with pytest.raises(ValueError, match="A merged game is one round"):
        load("ship", merged=True, format="rounds 2")
