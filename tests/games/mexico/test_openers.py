"""Loser or winner as the opener of the next round: who opens a play-off, and why both come to the same for two."""

from collections.abc import Mapping
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from pubdice.advice import price_list
from pubdice.advice.asked_match import asked_match
from pubdice.advice.figures import answer_of, figure
from pubdice.advice.odds import match_odds
from pubdice.advice.rule_prices import price_part
from pubdice.advice.rule_variants import PricedRules, compared, match_rules, worth
from pubdice.core.dice import Hand
from pubdice.core.game import Keep, Seat
from pubdice.games.mexico import KIT, Mexico
from pubdice.games.mexico.lives import Lives
from pubdice.match.match import Match, MatchState
from pubdice.solve.choose import solve_match
from pubdice.text.catalogues import language
from sentences import WHOLE

LOW, MIDDLE, HIGH = (1, 3), (4, 5), (5, 6)
RULES = (Path(__file__).parents[3] / "docs/games/mexico.md").read_text(encoding="utf-8")


def played(match: Match[Any, Any], state: MatchState[Any], hands: Mapping[int, Hand]) -> MatchState[Any]:
    """The match after a round in which every seat stops with the dice given."""
    for seat in state.order:
        state = match.roll(state, hands[seat])
        state = match.play(state, Keep(hands[seat]))
    return state


@pytest.mark.parametrize("opener", ["loser", "winner"])
def test_a_play_off_is_opened_by_the_first_in_turn_order_of_those_who_tied(opener: str) -> None:
    """Ann opens, Bob has the highest, Cid and Dot tie for the lowest: Cid opens, though Bob has won."""
    match = Match(Mexico(), 4, Lives(3), opener)
    tied = played(match, match.start(), {0: MIDDLE, 1: HIGH, 2: LOW, 3: LOW})
    assert tied.order == (2, 3)
    assert played(match, tied, {2: LOW, 3: LOW}).order == (2, 3), "and again, if they tie again"
    said = "the first of the tied begins it, in turn order"
    assert said in " ".join(RULES.split())


@pytest.mark.parametrize(("opener", "opens"), [("loser", 2), ("winner", 3)])
def test_after_a_play_off_its_winner_or_its_loser_opens(opener: str, opens: int) -> None:
    match = Match(Mexico(), 4, Lives(3), opener)
    tied = played(match, match.start(), {0: MIDDLE, 1: HIGH, 2: LOW, 3: LOW})
    after = played(match, tied, {2: LOW, 3: HIGH})
    assert after.tally.points == (3, 3, 2, 3)
    assert after.order[0] == opens
    assert "Its winner or lowest begins the next round." in " ".join(RULES.split())


@pytest.mark.parametrize("lives", [1, 2, 3])
def test_with_two_players_the_same_rounds_decide_whether_the_loser_or_the_winner_opens(lives: int) -> None:
    """Each seat's rounds as opener end as drawn beforehand: the same seat is left under both rules, and it is the one
    with more wins of all of them. Nobody opens more than the page of prices says.
    """
    matches = [Match(Mexico(), 2, Lives(lives), opener) for opener in ("loser", "winner")]
    for drawn in product((True, False), repeat=2 * lives - 1):
        wins = {0: list(drawn[:lives]), 1: list(drawn[lives:])}
        more = sum(wins[0]) + wins[1].count(False) >= lives
        for match in matches:
            state, left = match.start(), {seat: list(rounds) for seat, rounds in wins.items()}
            while not state.over:
                first = state.order[0]
                won = left[first].pop(0)  # an IndexError: it opened too often
                other = Seat(1 - first)
                state = played(match, state, {first: HIGH if won else LOW, other: LOW if won else HIGH})
            assert match.format.champions(state.tally) == ((Seat(0),) if more else (Seat(1),))


def test_best_play_of_a_round_is_the_same_at_every_standing_of_two() -> None:
    """The second half of the reason: what an opener keeps, and so its chance, does not depend on the lives."""
    match = Match(Mexico(), 2, Lives(3), "loser")
    solver, state = solve_match(match), match.start()
    chosen = set()
    for hands in ({0: LOW, 1: LOW}, {0: LOW, 1: HIGH}, {0: LOW, 1: HIGH}, {0: HIGH, 1: LOW}, {0: HIGH, 1: LOW}):
        keeps = []
        for fallen in product(range(1, 7), repeat=2):
            values = solver.action_values(match.roll(state, tuple(sorted(fallen))))
            keeps.append(max(values, key=lambda valued: valued[1])[0].dice)
        chosen.add(tuple(keeps))
        state = played(match, state, hands)
    assert len(chosen) == 1


@pytest.mark.parametrize(
    ("seats", "form"),
    [*[(2, f"lives:{lives}:{lost}") for lives in (1, 2, 3, 5) for lost in (1, 2)], (2, "rounds:3"), (3, "lives:1")],
)
def test_the_reason_is_told_where_both_come_to_the_same_and_nowhere_else(seats: int, form: str) -> None:
    rules = {"hold": "none", "seats": str(seats), "format": form}
    shares = [match_odds(KIT, asked_match(KIT, {**rules, "opener": by})).data()["share"] for by in ("loser", "winner")]
    same = shares[0] == pytest.approx(shares[1], abs=1e-12)
    assert bool(KIT.price_note("opener", rules, language("en"))) == same
    assert KIT.price_note("hold", rules, language("en")) == ""


@pytest.mark.parametrize("code", ["en", *WHOLE])
def test_the_reason_stands_wherever_both_prices_are_printed(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(price_list, "choices", lambda kit: [("opener", opener) for opener in ("loser", "winner")])
    told, rules = language(code, strict=True), match_rules(KIT, {})
    note = KIT.price_note("opener", rules, told)
    assert all(number in note for number in ("5", "3", "2"))
    assert note in answer_of(KIT, "price", ()).sentences(told)
    priced = PricedRules([rules, *compared(KIT, rules, "opener")], lambda each: worth(KIT, each), [])
    while not priced.go_on():
        pass
    assert price_part(KIT, "opener", rules, priced, told).lead == note
    assert note in figure(KIT, "prices", told, lambda kit, match: solve_match(match)).notes
