"""The contract of ``odds``, ``advise`` and ``price`` for 420: names, numbers, refusals; and the bots of one hand."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from pubdice.core.dice import rolls
from pubdice.core.game import RoundSeat
from pubdice.games.fourtwenty.rules import FourTwenty, RoundState
from pubdice.games.fourtwenty.solving import over, policy
from pubdice.solve.race.seat import one_seat, turns
from support.console import one_sentence, pubdice

HERE = Path("nowhere")  # nothing asked here keeps a game


def _json(*words: str) -> Any:
    told = pubdice(*words, "--json", data=HERE)
    assert (told.status, told.err) == (0, "")
    return json.loads(told.out)


@pytest.mark.parametrize(("seats", "fair"), [("2", 1 / 2), ("3", 1 / 3)])
def test_player_1_has_more_than_a_fair_chance_to_win(seats: str, fair: float) -> None:
    data = _json("odds", "420", "--seats", seats)
    assert data["win"] == sorted(data["win"], reverse=True)
    assert data["win"][0] > fair
    assert sum(data["win"]) == pytest.approx(1, abs=1e-12)
    assert data["bound"] <= 1e-11
    assert data["nash_conv"] <= 1e-11


def test_of_two_the_loser_of_the_race_buys() -> None:
    win, buy = _json("odds", "420")["win"], _json("odds", "420", "--drinks")["buy"]
    assert buy == pytest.approx([1 - chance for chance in win], abs=1e-12)


def test_advice_lists_every_legal_keep_best_first() -> None:
    data = _json("advise", "420", "--hands", "6551,6541")
    assert [row["keep"] for row in data["actions"]] == [[6, 5, 5], [6, 5], [5, 5], [6], [5], []]
    assert data["actions"][0]["lost"] == pytest.approx(0, abs=1e-12)
    assert data["value"] == pytest.approx(data["actions"][0]["value"], abs=1e-12)


def test_a_seat_that_has_not_rolled_is_a_dash() -> None:
    first = _json("advise", "420", "--hands", "-,-")
    assert first["actions"] == []
    assert first["value"] == pytest.approx(_json("odds", "420")["win"][0], abs=1e-12)
    assert _json("advise", "420", "--hands", "-,6541")["value"] < first["value"]


def test_who_opened_matters_when_drinks_are_at_stake() -> None:
    hands = ("advise", "420", "--drinks", "--hands", "6551,6541,4332", "--player-one")
    values = [_json(*hands, place)["value"] for place in "123"]
    assert len({round(value, 9) for value in values}) == 3


@pytest.mark.parametrize(
    "words",
    [
        "advise 420",
        "advise 420 --hands 6551",
        "advise 420 --hands 655,6541",
        "advise 420 --hands 6554,6541",
        "advise 420 --hands 6551,-",
        "advise 420 --hands 6551,7541",
        "advise 420 --hands 6551,6541 --player-one 1",
        "advise 420 --hands 6551,6541 --drinks --player-one 3",
        "advise 420 --hands -,6541,4332 --drinks --player-one 1",
        "odds 420 --seats 1",
        "odds 420 --seats 7",
        "odds 420 --seats 6 --drinks",
        "odds 420 --goal score",
    ],
)
def test_what_cannot_be_asked_is_one_sentence_and_nothing_on_standard_output(words: str) -> None:
    told = pubdice(*words.split(), data=HERE)
    assert told.status == 2
    one_sentence(told, words.split(maxsplit=1)[0])


@pytest.mark.parametrize("kept", [(), (5,), (5, 5), (5, 5, 5), (5, 5, 6)])
def test_the_chances_of_a_reroll_are_counted_right(kept: tuple[int, ...]) -> None:
    rest, one = 4 - len(kept), one_seat(FourTwenty())
    won = sum(ways for hand, ways in rolls(rest) if sum(hand) + sum(kept) == 20)
    below = sum(ways for hand, ways in rolls(rest) if sum(hand) + sum(kept) < 20)
    action = next(action for keeps in one.keeps.values() for dice, action in keeps if dice == kept)
    assert one.automaton.wins[action] / one.automaton.total == won / 6**rest
    assert over(kept) == pytest.approx(1 - (won + below) / 6**rest, abs=1e-15)


def test_the_steady_bot_needs_the_fewest_turns() -> None:
    """The expected turns satisfy their equation with the best keep of every hand, in exact fractions."""
    game = FourTwenty()
    one, needed = one_seat(game), turns(game)
    for hand, keeps in one.keeps.items():
        ways = [one.automaton.ways[action] for _, action in keeps]
        best = min(sum(Fraction(w, one.automaton.total) * t for w, t in zip(row, needed, strict=True)) for row in ways)
        assert needed[one.kind[hand]] == 1 + best


@pytest.mark.parametrize(("name", "kept"), [("steady", (5, 5, 6)), ("bold", (5, 5, 6)), ("cautious", (5, 5))])
def test_bots_of_one_hand_keep_what_they_say(name: str, kept: tuple[int, ...]) -> None:
    state = RoundState(((1, 5, 5, 6), (2, 3, 3, 4)), RoundSeat(0), None)
    ((keep, _),) = policy(name, FourTwenty(), state)
    assert keep.dice == kept
