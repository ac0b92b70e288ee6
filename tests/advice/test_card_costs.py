"""A card that the house prices: its numbers straight from the rules in fractions, its words, its picture."""

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from typing import Any, ClassVar

import pytest

from eights import Eights
from pubdice.advice.card_costs import answer, priced, tell
from pubdice.advice.card_lines import CardLine, LineCard, card_line
from pubdice.advice.card_shares import best_play, share_measure
from pubdice.core.dice import Hand, rolls
from pubdice.core.game import Keep
from pubdice.core.policy import Policy
from pubdice.core.turn_game import TurnGame
from pubdice.games import GAMES
from pubdice.games.mexico.card import card as mexico_card
from pubdice.games.mexico.rules import Mexico
from pubdice.solve.hand_race.contest import contest
from pubdice.solve.hand_race.seat import one_seat
from pubdice.text.language import Language
from pubdice.text.turn_words import TurnWords


@dataclass(frozen=True, slots=True)
class HighThree(TurnGame):
    """Three dice, keep at least one of each roll, the highest sum wins; a 1 among them is worth nothing."""

    number_of_dice: ClassVar[int] = 3

    def worth(self, hand: Hand) -> int:
        return 0 if 1 in hand else sum(hand)


def _play(names: frozenset[str]) -> Policy[Any, Any]:
    def policy(game: Any, state: Any) -> tuple[tuple[Keep, int], ...]:
        high = tuple(face for face in state.free if face >= 5)
        if "high" in names and high:
            return ((Keep(high), 1),)
        if "highest" in names:
            return ((Keep((max(state.free),)), 1),)
        return tuple((keep, 1) for keep in game.legal(state))

    return policy


def _card(game: HighThree) -> LineCard:
    lines = (
        card_line("high", "Keep every {face}.", (6, 5), face=6),
        CardLine("highest", lambda language: language.say("Nothing kept so far: keep your highest die.")),
    )
    return LineCard(lines, _play)


class HighWords(TurnWords[HighThree]):
    title = "High Three"
    tagline = "three dice"


KIT = replace(
    GAMES["midnight"],
    name="high",
    options=(),
    build=lambda options: HighThree(),
    words=HighWords(),
    thresholds={},
    card_lines=_card,
)


def _share(game: Any, mine: Any, seat: int) -> Fraction:
    """The share of a policy in this seat against best play that replies to it by minimax, straight from the rules."""
    perfect = best_play(game)

    @cache
    def value(state: Any) -> Fraction:
        result = game.result(state)
        if result is not None:
            return Fraction(1, 2) if len(result.winners) != 1 else Fraction(int(result.winners == (0,)))
        due = game.to_roll(state)
        if due:
            parts = [ways * value(game.roll(state, hand)) for hand, ways in rolls(due)]
            return sum(parts, Fraction(0)) / Fraction(6**due)
        weighted = (mine if game.mover(state) == seat else perfect)(game, state)
        total = sum(weight for _, weight in weighted)
        return sum((Fraction(w, total) * value(game.play(state, action)) for action, w in weighted), Fraction(0))

    first = value(game.start(2))
    return first if seat == 0 else 1 - first


def _costs(found: dict[str, Any]) -> dict[str, float]:
    return {row["line"]: row["cost"] for row in found["lines"]}


CARDS = {HighThree(): _card(HighThree()), Mexico(): mexico_card(Mexico())}
"""A game of one turn a seat, and one whose rounds are solved from the rules alone."""


@pytest.mark.parametrize(
    ("game", "left_out"), [(HighThree(), "high"), (HighThree(), "highest"), (Mexico(), "stop")], ids=str
)
def test_the_costs_are_those_that_the_rules_give_in_fractions(game: Any, left_out: str) -> None:
    card = CARDS[game]
    found, names = priced(card, (share_measure(game),)), frozenset(line.name for line in card.lines)
    whole, without = (
        sum(_share(game, card.play(kept), seat) for seat in (0, 1)) / 2 for kept in (names, names - {left_out})
    )
    assert found["share"]["value"] == pytest.approx(float(whole), abs=1e-11)
    assert _costs(found)[left_out] == pytest.approx(float(whole - without), abs=1e-11)
    assert 0 < found["share"]["value"] < 0.5


def test_the_card_is_told_drawn_and_given_as_data() -> None:
    data = answer(KIT, {})
    assert [row["line"] for row in data["lines"]] == ["high", "highest"]
    assert data["share"]["best"] == 0.5
    assert data["share"]["given_up"] == pytest.approx(0.5 - data["share"]["value"])
    said = tell(KIT, Language(), data)
    assert said[0] == "High Three: best chance to win a round of two."
    assert said[1].startswith("1. Keep every 6. Ignored: ")
    assert said[-1].startswith("Against best play they lose ")
    assert tell(KIT, Language(), answer(KIT, {"svg": ""}))[0].startswith("<svg")


def test_in_a_race_of_hands_the_lines_are_raced_against_best_play_and_looked_at_hand_by_hand() -> None:
    """At Eights a die of 2 or more wins once in 6, both dice five times in 36, so the highest die is always best."""

    def play(names: frozenset[str]) -> Policy[Any, Any]:
        return lambda game, state: ((max(game.legal(state), key=lambda keep: keep.dice) if names else Keep(()), 1),)

    found = priced(LineCard((card_line("high", "Keep your highest die."),), play), (share_measure(Eights()),))
    assert found["share"]["value"] == pytest.approx(0.5, abs=1e-12)
    assert found["positions_missed"] == 0
    kinds = one_seat(Eights())
    free = [hand for hand in kinds.keeps if hand and len(kinds.keeps[hand]) > 1]
    house = contest(Eights())
    assert house.missed(play(frozenset())) == len(free) * len({kinds.kind[hand] for hand in kinds.kind if hand})
    assert _costs(found)["high"] == pytest.approx(0.5 - _blind(), abs=1e-12)


def _blind() -> float:
    """The share of a seat that always rolls both dice at Eights, from the chances of a turn.

    The other seat keeps a die in every turn but its first, and but those after 1 1.
    """
    both, one, ones = Fraction(5, 36), Fraction(1, 6), Fraction(1, 36)
    later = one / (1 - (1 - one) * (1 - both))
    first = (both + (1 - both) * (1 - both - ones) * later) / (1 - (1 - both) * ones)
    return float(((1 - first) + both + (1 - both) * (1 - first)) / 2)
