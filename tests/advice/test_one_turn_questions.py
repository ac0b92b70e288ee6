"""A turn's questions are asked of games in which a round is one turn each, and of no other that has turns."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from oracles.max_n import MaxN
from pubdice.advice.questions import question
from pubdice.core.errors import BadNotation, Unsolved
from pubdice.core.game import Game
from pubdice.games import GAMES
from pubdice.kit import Kit, Option, Question
from pubdice.match.formats import Rounds
from pubdice.match.match import Match
from small_games import EndsEarly, Pair

EARLY = Option("early", ("no", "yes"), "whether two sixes end the round")


def _built(chosen: Mapping[str, str]) -> Game[Any, Any]:
    return EndsEarly() if chosen.get("early") == "yes" else Pair()


ALWAYS = replace(GAMES["threes"], name="always", options=(), build=lambda _: EndsEarly(), card_lines=None)
AT_CHOICE = replace(GAMES["threes"], name="at choice", options=(EARLY,), build=_built, card_lines=None)


def _asked(kit: Kit, name: str) -> Question:
    found = question(kit, name)
    assert found is not None
    return found


def _flags(kit: Kit, name: str) -> set[str]:
    return {flag.name for flag in _asked(kit, name).flags}


def test_a_game_whose_turns_end_rounds_early_has_odds_of_matches_alone() -> None:
    assert not {"goal", "to-beat"} & _flags(ALWAYS, "odds")
    assert {"goal", "to-beat"} <= _flags(AT_CHOICE, "odds")
    assert not any("one pot" in flag.meaning for flag in _asked(ALWAYS, "odds").flags)
    assert any("one pot" in flag.meaning for flag in _asked(AT_CHOICE, "odds").flags)
    match = Match(EndsEarly(), 2, Rounds(1))
    right = [float(value) for value in MaxN(match).values(match.start())]
    for kit, flags in ((ALWAYS, {}), (AT_CHOICE, {"early": "yes"})):
        found = _asked(kit, "odds").answer({"seats": "2", "format": "rounds:1", **flags}).data()
        assert found["share"] == pytest.approx(right, abs=1e-12)


def test_a_position_of_such_a_game_is_a_record() -> None:
    assert _asked(ALWAYS, "advise").flags == ()
    with pytest.raises(BadNotation) as refused:
        _asked(ALWAYS, "advise").answer({})
    assert refused.value.code == "advise-record"


@pytest.mark.parametrize(("name", "given"), [("odds", {}), ("advise", {"roll": "25"})])
def test_a_house_rule_that_makes_it_such_a_game_leaves_a_turn_unsolved(name: str, given: dict[str, str]) -> None:
    assert _asked(AT_CHOICE, name).answer({**given, "early": "no"}).data()["value"] > 0
    with pytest.raises(Unsolved) as refused:
        _asked(AT_CHOICE, name).answer({**given, "early": "yes"})
    assert refused.value.code == "no-solver"


def test_the_meaning_of_a_flag_says_what_each_of_its_numbers_does() -> None:
    flags = {flag.name: flag for flag in _asked(GAMES["midnight"], "advise").flags}
    assert flags["rounds"].meaning == "with --format rounds: Rounds"
    assert flags["even"].meaning == (
        "with --format points: Once a player reaches it: 0 if the match is over at once, 1 if the round is played "
        "out, and the most points win (fair)"
    )
