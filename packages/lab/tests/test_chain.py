"""A match between bots as a chain of turns, compared with the exact tables, and with the rules step by step."""

from functools import cache
from itertools import product
from typing import Any

import pytest

import pig
from eights import Eights
from games.midnight.test_follow import FollowPair
from pubdice.advice.bots import BotPolicy, Perfect
from pubdice.core.errors import IllegalAction, Unsolved
from pubdice.core.game import Keep, uniform
from pubdice.games import GAMES
from pubdice.match.formats import RACE, Rounds
from pubdice.match.match import Match
from pubdice.solve.choose import solve_match
from pubdice.solve.turns.contest import best, contest
from pubdice_lab.chain import MatchChain, SharedRows, Successor, TurnEvent, WholeChain
from pubdice_lab.counting import SimulationPlan
from pubdice_lab.strategy_figures import fourtwenty


@cache
def _whole(game: str, form: str, *bots: str) -> tuple[MatchChain, WholeChain]:
    chain = SimulationPlan(game, bots, 1, "", (("format", form),)).chain()
    return chain, WholeChain(chain)


def _share(whole: WholeChain, seat: int) -> float:
    expected = whole.expected()
    assert expected is not None
    return sum(
        (seat in event.champions) / len(event.champions) * met for event, met in expected.items() if event.points
    )


@pytest.mark.parametrize(
    ("game", "one", "other"),
    [
        ("ship", "lucky", "perfect"),
        pytest.param("midnight", "lucky", "perfect", marks=pytest.mark.nightly),
        pytest.param("midnight", "perfect", "tip", marks=pytest.mark.nightly),
        pytest.param("shutbox", "tip", "perfect", marks=pytest.mark.nightly),
    ],
)
def test_a_round_has_the_share_that_is_known_by_another_way(game: str, one: str, other: str) -> None:
    kit = GAMES[game]
    house = contest(kit.usual_game)
    first, second = (
        house.player(best if name == "perfect" else kit.policies[name], watches=name in ("perfect", "tip"))
        for name in (one, other)
    )
    found = _share(_whole(game, "rounds 1", one, other)[1], 0)
    assert found == pytest.approx(house.share(first, second), abs=1e-10)


def test_best_play_with_limited_rolls_has_its_solver_s_value() -> None:
    match = Match(FollowPair(), 2, Rounds(1))
    solver = solve_match(match)
    whole = WholeChain(MatchChain(match, (Perfect(solver), Perfect(solver))))
    assert _share(whole, 0) == pytest.approx(solver.values(match.start())[0], abs=1e-10)


def test_shared_rows_give_each_pair_its_own_share() -> None:
    match = Match(Eights(), 2, RACE.usual)

    def last(game: Any, state: Any) -> Any:
        return ((game.legal(state)[-1], 1),)

    def as_last(game: Any, state: Any) -> Any:
        return last(game, state)

    rows = SharedRows(match)
    bots: list[BotPolicy] = [uniform, last, Perfect(solve_match(match))]
    for pair in product(bots, repeat=2):
        assert rows.share(pair) == pytest.approx(_share(WholeChain(MatchChain(match, pair)), 0), abs=1e-10)
    asked = rows.choices
    assert rows.share((as_last, uniform)) == rows.share((last, uniform))
    assert rows.choices == asked  # no new question: a bot with the same choices reuses the rows


@pytest.mark.nightly
def test_a_race_has_the_shares_of_the_exact_table_and_few_nodes() -> None:
    table = fourtwenty()
    exact = table.share[table.names.index("tip")][table.names.index("steady")]
    whole = WholeChain(SimulationPlan("420", ("tip", "steady"), 1, "", (("first", "Red"),)).chain())
    assert _share(whole, 0) == pytest.approx(exact, abs=1e-10)
    assert whole.nodes < 300


@pytest.mark.nightly
def test_best_play_of_a_match_has_the_values_of_its_solver() -> None:
    chain, whole = _whole("midnight", "rounds 3", "perfect", "perfect")
    bot = chain.bots[0]
    assert isinstance(bot, Perfect)
    assert _share(whole, 0) == pytest.approx(bot.solver.values(chain.match.start())[0], abs=1e-10)


def test_best_play_at_once_is_the_bot_s_play_step_by_step() -> None:
    chain = SimulationPlan("threes", ("perfect", "perfect"), 1, "", (("format", "rounds 1"),)).chain()
    bot = chain.bots[0]

    assert isinstance(bot, Perfect)

    def asked(game: Any, state: Any) -> tuple[tuple[Any, int], ...]:
        return ((bot.action(chain.match.at(chain.start, state)), 1),)

    step_by_step = MatchChain(chain.match, (asked, uniform))
    at_once = {(each.node, each.event): each.chance for each in chain.row(chain.start)}
    for each in step_by_step.row(chain.start):
        assert at_once.pop((each.node, each.event)) == pytest.approx(each.chance, abs=1e-12)
    assert not at_once


def test_a_policy_that_takes_what_the_rules_forbid_is_refused() -> None:
    match = Match(GAMES["threes"].usual_game, 2, Rounds(1))
    for illegal in (
        lambda game, state: ((Keep(()), 1),),
        lambda game, state: ((Keep((9,)), 1),),
    ):
        with pytest.raises(IllegalAction):
            MatchChain(match, (illegal, illegal)).row(MatchChain(match, (illegal, illegal)).start)


def test_a_roll_off_is_part_of_the_chain() -> None:
    """If a round of Threes is tied, a roll-off decides it, so one seat wins it alone. The shares stay those of a shared
    tie.
    """
    whole = _whole("threes", "rounds 1 rolloff", "steady", "steady")[1]
    expected = whole.expected()
    assert expected is not None
    assert {len(event.champions) for event in expected if event.points} == {1}
    assert _share(whole, 0) == pytest.approx(_share(_whole("threes", "rounds 1", "steady", "steady")[1], 0), abs=1e-10)


def test_merged_nodes_have_the_expectations_of_all_nodes() -> None:
    chain, whole = _whole("mexico", "lives 2", "tip", "lucky")
    rows: dict[Any, list[Successor]] = {}
    waiting = [chain.start]
    while waiting:
        node = waiting.pop()
        if node not in rows:
            rows[node] = chain.row(node)
            waiting += [each.node for each in rows[node] if each.node is not None]
    assert whole.nodes <= len(rows)
    mass, met = {chain.start: 1.0}, dict[TurnEvent, float]()
    while sum(mass.values()) > 1e-14:
        following: dict[Any, float] = {}
        for node, share in mass.items():
            for each in rows[node]:
                met[each.event] = met.get(each.event, 0.0) + share * each.chance
                if each.node is not None:
                    following[each.node] = following.get(each.node, 0.0) + share * each.chance
        mass = following
    assert whole.expected() == pytest.approx(met, abs=1e-10)


def test_a_chain_that_is_too_large_is_refused_with_the_count() -> None:
    with pytest.raises(Unsolved) as refused:
        WholeChain(SimulationPlan("420", ("tip", "tip"), 1, "").chain(), 500)
    assert refused.value.facts["most"] == 500


def test_turns_that_roll_on_and_on_have_rows_too() -> None:
    """The game is Pig, from the tests, and the bot holds at 8. The two seats' chances must sum to 1."""

    def holds(game: Any, state: Any) -> tuple[tuple[str, int], ...]:
        return (("hold" if state.turn >= 8 or state.turn + state.banked[state.mover] >= 12 else "roll", 1),)

    whole = WholeChain(MatchChain(Match(pig.Pig(12), 2, Rounds(1)), (holds, holds)))
    assert _share(whole, 0) + _share(whole, 1) == pytest.approx(1, abs=1e-9)
    assert 0.5 < _share(whole, 0) < 0.7


def test_a_turn_that_hardly_ends_is_cut() -> None:
    """The game is Pig with random choices. A turn may then have any number of rolls."""
    chain = MatchChain(Match(pig.Pig(20), 2, Rounds(1)), (uniform, uniform))
    row = chain.row(chain.start)
    assert len(row) < 400
    assert sum(each.chance for each in row) == pytest.approx(1, abs=1e-14)


def test_chains_of_long_rows_are_refused_by_their_moves() -> None:
    with pytest.raises(Unsolved) as refused:
        WholeChain(SimulationPlan("midnight", ("tip", "tip"), 1, "").chain(), 100)
    assert refused.value.code == "too-many-moves"


@pytest.mark.nightly
def test_a_bot_that_reads_no_score_is_asked_once_a_turn() -> None:
    """A bot that reads the scores is asked about each turn apart."""
    kit, asked = GAMES["threes"], dict[str, int]()

    def blind(game: Any, state: Any) -> Any:
        asked["blind"] = asked.get("blind", 0) + 1
        return kit.policies["steady"](game, state)

    def looks(game: Any, state: Any) -> Any:
        asked["looks"] = asked.get("looks", 0) + 1
        return kit.policies["bold" if any(score < 3 for score in state.scores) else "steady"](game, state)

    match = Match(kit.usual_game, 2, Rounds(1))
    chain = MatchChain(match, (blind, looks))
    second = [each.node for each in chain.row(chain.start) if each.node is not None]
    for node in second:
        chain.row(node)
    assert asked["looks"] > 5 * asked["blind"]
    means = {sum(each.chance * each.event.score for each in chain.row(node)) for node in second}
    assert len({round(mean, 9) for mean in means}) == 2
