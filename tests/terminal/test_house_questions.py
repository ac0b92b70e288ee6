"""The house's questions, put to games that it knows by their rules alone."""

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import pig
from oracles.expectimax import expectimax
from pubdice.core.game import TurnGame
from pubdice.games import GAMES
from pubdice.kit import Kit
from pubdice.text.turn_words import TurnWords
from small_games import LowPair, Pair
from support.console import Room, dice, one_sentence, pubdice

HERE = Path("nowhere")  # nothing asked here keeps a game


class PairWords(TurnWords[TurnGame]):
    title = "Pair"
    tagline = "two dice"


def _kit(name: str, game: TurnGame) -> Kit:
    return replace(
        GAMES["midnight"],
        name=name,
        options=(),
        build=lambda options: game,
        words=PairWords(),
        thresholds={},
        card_lines=None,
    )


PAIR, LOW = _kit("pair", Pair()), _kit("low", LowPair())
UNSOLVED = replace(pig.KIT, solver=None)
KITS = {kit.name: kit for kit in (GAMES["midnight"], GAMES["420"], GAMES["mexico"], PAIR, LOW, UNSOLVED)}


def _json(words: str, **facts: Any) -> Any:
    told = pubdice(*words.split(), "--json", data=HERE, games=KITS, **facts)
    assert (told.status, told.err) == (0, "")
    return json.loads(told.out)


def _out(words: str, **facts: Any) -> str:
    told = pubdice(*words.split(), data=HERE, games=KITS, **facts)
    assert (told.status, told.err) == (0, "")
    return told.out


@pytest.mark.parametrize("kit", [PAIR, LOW], ids=lambda kit: kit.name)
def test_a_turn_has_odds_for_every_goal_without_a_line_of_the_game(kit: Kit) -> None:
    game: Any = kit.build({})
    sign = -1 if game.lowest_wins else 1
    mean = sign * expectimax(game, game.start(1), lambda result: Fraction(sign * result.scores[0]))
    data = _json(f"odds {kit.name} --goal score")
    assert data["value"] == pytest.approx(float(mean), abs=1e-12)
    assert sum(score * chance for score, chance in enumerate(data["distribution"])) == pytest.approx(data["value"])
    reach = expectimax(
        game, game.start(1), lambda result: Fraction(result.scores[0] <= 4 if sign < 0 else result.scores[0] >= 4)
    )
    assert _json(f"odds {kit.name} --goal reach:4")["value"] == pytest.approx(float(reach), abs=1e-12)
    assert "Value" in _out(f"odds {kit.name}")


def test_where_every_score_can_win_nothing_is_said_of_qualifying() -> None:
    assert "ualif" not in _out("odds low") + _out("advise low --roll 4,5")
    assert "Qualifies" in _out("odds pair")


def test_a_match_has_a_value_for_every_seat() -> None:
    data = _json("odds low --seats 3 --format rounds:2 --opener winner")
    assert sum(data["share"]) == pytest.approx(1, abs=1e-9)
    assert (data["utility"], len(data["share"])) == ("share of the match", 3)


def test_the_best_keep_is_that_of_the_lowest_score_where_the_lowest_wins() -> None:
    data = _json("advise low --roll 5,3")
    assert data["actions"][0]["keep"] == [3]
    assert data["actions"][0]["lost"] == 0.0
    assert all(row["lost"] > 0 and row["value"] > data["value"] for row in data["actions"][1:])


def test_prices_have_a_row_for_each_choice_that_there_is() -> None:
    """Midnight's has one for each need too (``test_solved.py``)."""
    rules = {row["rule"] for row in _json("price pair")["rows"]}
    assert rules == {"opener", "format", "seats"}


def test_a_price_that_is_no_share_says_what_it_counts_and_seats_say_in_which_match() -> None:
    lines = _out("price mexico").splitlines()
    assert "format pot: 0.167 chips, -0.167 chips." in lines
    assert "format lives:1: 59.4%, 40.6%." in lines
    assert lines[-1] == "Shares in turn order, the opener first. Seats are compared with the format lives:1."


def test_the_scores_of_a_turn_are_called_what_the_game_calls_them() -> None:
    assert "Scores: nothing: " in _out("odds midnight")


def test_a_solved_game_without_a_card_is_not_called_unsolved() -> None:
    told = pubdice("card", "pair", data=HERE, games=KITS)
    assert told.status == 2
    assert "There is no card for Pair yet." in one_sentence(told, "card")


def _played(game: str, *lines: str) -> str:
    room = Room(rolls=dice("652214"), games=KITS)
    room.run(f"play {game} --seats Ann,Bob --format rounds:1", "r", *lines)
    return room.run("record 1").out


def test_any_position_is_a_record_that_ends_at_the_decision() -> None:
    record = _played("midnight")
    data = _json("advise midnight -", typed=record)
    flags = _json("advise midnight --roll 6,5,2,2,1,4 --goal win --to-come 1")
    assert data["actions"][0]["keep"] == flags["actions"][0]["keep"]
    assert data["value"] == pytest.approx(flags["value"], abs=0.01), "but for rounds that nobody wins, here shared"
    assert data["utility"] == "share of the match"
    assert all(row["lost"] == pytest.approx(data["value"] - row["value"], abs=1e-9) for row in data["actions"])
    assert {"action", "keep", "value", "lost", "mean", "qualify"} <= set(data["actions"][0])
    told = _out("advise midnight -", typed=record)
    assert "is best" in told
    assert len(told.splitlines()) > 4, "every other keep, not three of them"


def test_a_game_that_is_no_turn_each_has_odds_and_advice_from_its_rules() -> None:
    data = _json("odds mexico --seats 2 --format lives:1 --opener winner")
    assert sum(data["share"]) == pytest.approx(1, abs=1e-9)
    room = Room(rolls=dice("53"), games=KITS)
    room.run("play mexico --seats Ann,Bob --format lives:1", "r")
    record = room.run("record 1").out
    data = _json("advise mexico -", typed=record)
    assert len(data["actions"]) > 1
    assert data["actions"][0]["lost"] == 0.0
    assert "is best" in _out("advise mexico -", typed=record)
    flags = "advise mexico --roll 53 --format lives:1 --opener loser"
    assert _json(flags) == data, "the same position told by flags"
    assert _out(flags) == _out("advise mexico -", typed=record)
    assert "The review" in _out("review -", typed=record)


@pytest.mark.parametrize(
    ("words", "typed", "says"),
    [
        ("advise 420 -", "MIDNIGHT", "record of Midnight, not of 420"),
        ("advise midnight - --roll 6", "MIDNIGHT", "does not go with a record"),
        (
            "advise midnight -",
            "pubdice 1\ngame: midnight\nseats: Ann, Bob\n",
            "doesn't end at a player's choice",
        ),
        ("advise midnight nowhere.record", "", "nowhere.record"),
        ("advise pig", "", "is not solved"),
        ("advise mexico", "", "--roll is missing."),
        ("advise midnight --locked 1 --roll 2,3,4,5,6 --rolls 1", "", "--rolls"),
        ("odds pair --goal reach:9", "", "N is"),
        ("odds pair --need 1,4", "", "--need"),
        ("odds pair --format lives:3", "", "lives:3"),
    ],
)
def test_what_cannot_be_answered_is_one_sentence(words: str, typed: str, says: str) -> None:
    told = pubdice(*words.split(), data=HERE, games=KITS, typed=_played("midnight") if typed == "MIDNIGHT" else typed)
    assert told.status == 2
    assert says in one_sentence(told, words.split(maxsplit=1)[0])


def test_a_match_that_was_read_and_is_not_solved_is_no_fault_of_notation() -> None:
    told = pubdice("odds", "mexico", "--seats", "9", data=HERE, games=KITS)
    assert told.status == 1
    said = one_sentence(told, "odds")
    assert "This match is not solved: its positions have some 14,000,000,000,000 moves, and the limit is " in said
    assert said.endswith(" With 3 players it is.")
