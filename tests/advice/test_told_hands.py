"""Positions told by hands. Answers follow the rules for any race of hands, and impossible positions are refused."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from eights import KIT, Eights
from pubdice.advice.hand_advice import advise_hands, check
from pubdice.core.dice import Hand, hands, rolls, together
from pubdice.core.errors import BadNotation
from pubdice.core.game import Game, HandState, Keep
from pubdice.games import GAMES
from pubdice.games.fourtwenty.rules import FourTwenty
from support.console import one_sentence, pubdice

HERE = Path("nowhere")  # nothing asked here keeps a game
FRESH: Hand = ()
EVERY: tuple[Game[Any, Any], ...] = (FourTwenty(), Eights())


@cache
def best_of_two() -> dict[tuple[Hand, Hand], float]:
    """The mover's chance to win at Eights by the two hands: value iteration on every pair, nothing merged."""
    every = [FRESH, *(hand for hand in hands(2) if sum(hand) != 8)]
    value = {(own, other): 0.5 for own in every for other in every}
    for _ in range(200):
        value = {pair: max(worth(pair, kept, value) for kept in _kept(pair[0])) for pair in value}
    return value


def _kept(hand: Hand) -> list[Hand]:
    return [FRESH, *((face,) for face in dict.fromkeys(hand) if face > 1)]


def worth(pair: tuple[Hand, Hand], kept: Hand, value: dict[tuple[Hand, Hand], float]) -> float:
    """What keeping these dice is worth to the mover."""
    total = 0.0
    for dice, ways in rolls(2 - len(kept)):
        after = together(kept, dice)
        total += ways / 6 ** (2 - len(kept)) * (1.0 if sum(after) == 8 else 1 - value[pair[1], after])
    return total


def _json(words: str) -> Any:
    told = pubdice(*words.split(), "--json", data=HERE, games={"eights": KIT})
    assert (told.status, told.err) == (0, "")
    return json.loads(told.out)


@pytest.mark.parametrize("pair", [((1, 1), (6, 6)), ((1, 5), (1, 1)), (FRESH, (3, 3)), (FRESH, FRESH)])
def test_what_the_keeps_of_any_race_of_hands_are_worth_follows_from_its_rules(pair: tuple[Hand, Hand]) -> None:
    told = ",".join("".join(map(str, hand)) or "-" for hand in pair)
    data, value = _json(f"advise eights --hands {told}"), best_of_two()
    assert data["value"] == pytest.approx(value[pair], abs=1e-12)
    found = {tuple(sorted(row["keep"])): row["value"] for row in data["actions"]}
    assert found == pytest.approx({kept: worth(pair, kept, value) for kept in _kept(pair[0])} if pair[0] else {})
    assert all(row["win_now"] == pytest.approx(1 / 6 if row["keep"] else 5 / 36) for row in data["actions"])


def test_a_race_of_hands_has_odds_by_format_from_its_rules() -> None:
    data = _json("odds eights")
    assert data["win"][0] == pytest.approx(best_of_two()[FRESH, FRESH], abs=1e-12)
    assert _json("odds eights --format drinks")["buy"] == pytest.approx(data["win"][::-1], abs=1e-12)
    assert _json("odds eights --drinks --seats 3") == _json("odds eights --format drinks --seats 3")
    told = pubdice("odds", "eights", "--seats", "3", data=HERE, games={"eights": KIT}).out
    assert told.startswith("Chances to win, from Player 1 on: ")
    assert "the same best strategy" in told


def test_the_flags_of_a_race_of_hands_show_its_hands_formats_and_limits() -> None:
    told = [
        " ".join(pubdice(name, "eights", "--help", data=HERE, games={"eights": KIT}).out.split())
        for name in ("odds", "advise")
    ]
    assert "2 to 4 for race, 2 to 3 for drinks" in told[0]
    assert "in turn order: 65,65 (- has not rolled yet)" in told[1]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("odds eights --seats 5", ": 2 to 4"),
        ("odds eights --seats 4 --drinks", ": 2 to 3"),
        ("odds eights --seats 4 --format drinks", ": 2 to 3"),
        ("odds eights --drinks --format race", "--drinks does not go with --format."),
        ("advise eights --hands 65", "such as --hands 65,65"),
        ("advise eights --hands 655,65", "A hand has 2 dice"),
        ("advise eights --hands 66,53", "it totals 8"),
        ("advise eights --hands 66,66,66,66,66", "2 to 4 seats"),
        ("advise eights --hands 66,66,66,66 --drinks", "2 to 3 seats"),
        ("advise eights --hands 66,66 --player-one 1", "--player-one goes with --drinks only."),
        ("advise eights --hands -,66 --drinks --player-one 1", '"1": Player 1 must be the first'),
        ("advise eights --hands 66,-", '"66,-": No seat can have missed a turn'),
    ],
)
def test_what_cannot_be_asked_is_refused_in_the_games_own_numbers(words: str, says: str) -> None:
    told = pubdice(*words.split(), data=HERE, games={"eights": KIT})
    assert told.status == 2
    assert says in one_sentence(told, words.split(maxsplit=1)[0])


@pytest.mark.parametrize(
    ("told", "opened", "fault"),
    [
        ([(6, 5, 5, 1)], None, "hands"),
        ([(6, 5, 5, 1), (6, 5, 4)], None, "hand-dice"),
        ([(6, 5, 5, 1), (6, 5, 4, 1, 1)], None, "hand-dice"),
        ([(6, 5, 5, 1), (6, 5, 5, 4)], None, "hand-won"),
        ([(5, 5, 5, 5), (6, 5, 4, 1)], None, "hand-won"),
        ([(6, 5, 5, 1), ()], None, "hand-order"),
        ([(), (6, 5, 5, 1), ()], None, "hand-order"),
        ([(), (), (6, 5, 4, 1)], 0, "player-one-order"),
    ],
)
def test_what_cannot_occur_is_refused(told: list[Hand], opened: int | None, fault: str) -> None:
    with pytest.raises(BadNotation) as error:
        check(FourTwenty(), told, opened)
    assert error.value.code == fault


@pytest.mark.parametrize("game", EVERY, ids=lambda game: type(game).__name__)
def test_every_pattern_of_fresh_seats_that_a_round_can_show_is_taken_and_no_other(game: Game[Any, Any]) -> None:
    rolled: Hand = (1,) * game.to_roll(game.start(2))
    seen = set()
    for seats in (2, 3, 4):
        state: HandState = game.start(seats)
        for _ in range(2 * seats):
            turned = (*state.hands[state.mover :], *state.hands[: state.mover])
            assert check(game, turned, -state.mover % seats)[0] == state.mover
            seen.add(tuple(map(bool, turned)))
            if game.to_roll(state) == 0:
                state = game.play(state, Keep(()))
            state = game.roll(state, rolled)
        for pattern in range(2**seats):
            told = tuple(bool(pattern >> seat & 1) for seat in range(seats))
            if told not in seen:
                with pytest.raises(BadNotation):
                    check(game, [rolled if each else () for each in told])


def test_in_drinks_it_counts_who_opened_and_the_mover_is_taken_for_it() -> None:
    kit, told = GAMES["420"], {"hands": "6551,6541,4332"}
    values = [advise_hands(kit, {**told, "drinks": "", "player-one": place}).data()["value"] for place in "123"]
    assert len({round(value, 9) for value in values}) > 1
    assert advise_hands(kit, {**told, "drinks": ""}).data()["value"] == values[0]
