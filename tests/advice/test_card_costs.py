"""A card that the house prices: its numbers straight from the rules in fractions, its words, its picture."""

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from typing import Any, ClassVar

import pytest

import pig
from eights import Eights
from pubdice.advice.card import CardLine, LineCard, card_line
from pubdice.advice.card_prices import answer, priced
from pubdice.advice.policy_share import best_play, share_measure
from pubdice.core.dice import Hand, rolls
from pubdice.core.errors import Unsolved
from pubdice.core.game import Keep, Policy, TurnGame
from pubdice.games import GAMES
from pubdice.games.mexico.card import card as mexico_card
from pubdice.games.mexico.rules import Mexico
from pubdice.solve.plain.followed_round import FollowedRound
from pubdice.solve.race.contest import contest
from pubdice.solve.race.seat import one_seat
from pubdice.text.language import Language
from pubdice.text.turn_words import TurnWords
from small_games import Piglet


@dataclass(frozen=True, slots=True)
class HighThree(TurnGame):
    """Three dice, keep at least one of each roll, the highest sum wins; a 1 among them is worth nothing."""

    number_of_dice: ClassVar[int] = 3
    one_turn_each: ClassVar[bool] = True

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
    card = answer(KIT, {})
    data = card.data()
    assert [row["line"] for row in data["lines"]] == ["high", "highest"]
    assert data["share"]["best"] == 0.5
    assert data["share"]["given_up"] == pytest.approx(0.5 - data["share"]["value"])
    said = card.sentences(Language())
    assert said[0] == "High Three: best chance to win a round of two."
    assert said[1].startswith("1. Keep every 6. Ignored: ")
    assert said[-1].startswith("Against best play they lose ")
    assert answer(KIT, {"svg": ""}).sentences(Language())[0].startswith("<svg")


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


def _hold(names: frozenset[str]) -> Policy[Any, Any]:
    """Hold with 5 or what is still needed; what a line left out leaves open is either of the two, by chance."""

    def policy(game: Any, state: Any) -> tuple[tuple[Any, int], ...]:
        if "win" in names and state.turn + state.banked[state.mover] >= game.target:
            return (("hold", 1),)
        if "on" in names:
            return (("hold" if state.turn >= 5 else "roll", 1),)
        return (("roll", 1), ("hold", 1))

    return policy


PIG = replace(
    pig.KIT,
    options=(),
    build=lambda options: Piglet(6),
    card_lines=lambda game: LineCard((card_line("win", "win"), card_line("on", "roll")), _hold),
)


def _swept(game: Any, played: tuple[Any, Any]) -> float:
    """The first seat's chance to win, from the rules: what nobody knows yet is nothing, again and again."""
    known: dict[Any, float] = {}

    def after(state: Any) -> float:
        result = game.result(state)
        return float(result.winners == (0,)) if result is not None else known.setdefault(state, 0.0)

    after(game.start(2))
    for _ in range(150):
        for state in list(known):
            if due := game.to_roll(state):
                known[state] = sum(ways * after(game.roll(state, hand)) for hand, ways in rolls(due)) / 6**due
            else:
                weighted = played[game.mover(state)](game, state)
                total = sum(weight for _, weight in weighted)
                known[state] = sum(weight * after(game.play(state, action)) for action, weight in weighted) / total
    return known[game.start(2)]


@pytest.mark.nightly
def test_a_game_whose_rounds_can_come_back_has_its_card_priced() -> None:
    """Pig: a turn that comes to nothing leaves all as it was, so positions follow themselves."""
    game, perfect = Piglet(6), best_play(Piglet(6))

    def share(names: frozenset[str]) -> float:
        mine = _hold(names)
        return (_swept(game, (mine, perfect)) + 1 - _swept(game, (perfect, mine))) / 2

    card = answer(PIG, {})
    data = card.data()
    whole = share(frozenset({"win", "on"}))
    assert data["share"]["value"] == pytest.approx(whole, abs=1e-12)
    assert _costs(data) == pytest.approx(
        {"win": whole - share(frozenset({"on"})), "on": whole - share(frozenset({"win"}))}, abs=1e-12
    )
    assert all(0.001 < row["cost"] < 0.5 for row in data["lines"])
    assert card.sentences(Language())[-2] == "Against best play they lose 9.5% of the round."


def test_policies_that_never_end_a_round_are_refused_and_not_a_crash() -> None:
    followed = FollowedRound(Piglet(2), 2)
    on = followed.shares(lambda game, state: (("roll", 1),))
    with pytest.raises(Unsolved, match="unsettled"):
        followed.value((on, on), [1.0] * len(followed.results))


def test_a_card_that_plays_what_the_rules_forbid_is_told_so_and_where() -> None:
    """Its author reads it: at Pig there is no action of that name."""
    followed = FollowedRound(Piglet(2), 2)
    with pytest.raises(ValueError, match=r"^The card's policy plays stay, which is not legal in \w+\(.+\)\.$"):
        followed.shares(lambda game, state: (("stay", 1),))
