"""What any game of one turn a seat says, tried with a game of three dice in which the lowest sum wins."""

from dataclasses import dataclass
from typing import ClassVar

import pytest

from pubdice.advice.turn_odds import TurnAdvice, advise_turn
from pubdice.core.dice import Hand
from pubdice.core.game import Keep, RoundState, TurnGame
from pubdice.games.threes import KIT as THREES
from pubdice.games.threes.rules import MOON, Threes
from pubdice.text.catalogues import language
from pubdice.text.language import Language
from pubdice.text.turn_words import TurnWords

ENGLISH, GERMAN = Language(), language("de", strict=True)
TWO = ("Ann", "")
THREE = ("Ann", "Bob", "")


@dataclass(frozen=True, slots=True)
class Low(TurnGame):
    """Three dice, the lowest sum wins; every score can win."""

    number_of_dice: ClassVar[int] = 3
    one_turn_each: ClassVar[bool] = True
    lowest_wins: ClassVar[bool] = True
    scoreless: ClassVar[int | None] = None

    def worth(self, hand: Hand) -> int:
        return sum(hand)


@dataclass(frozen=True, slots=True)
class Crew(TurnGame):
    """Three dice: with a 6 among them the others count, and the highest sum wins."""

    number_of_dice: ClassVar[int] = 3
    one_turn_each: ClassVar[bool] = True

    def worth(self, hand: Hand) -> int:
        return sum(hand) - 6 if 6 in hand else 0


class LowWords(TurnWords[Low]):
    title = "Low"
    tagline = "three dice"


class CrewWords(TurnWords[Crew]):
    title = "Crew"
    tagline = "a 6, then score"

    def red(self, game: Crew) -> tuple[int, ...]:
        return (6,)

    def score(self, language: Language, game: Crew, score: int) -> str:
        return "full" if score == 12 else super().score(language, game, score)


LOW, CREW = LowWords(), CrewWords()


def test_where_the_lowest_wins_less_is_needed() -> None:
    def said(*scores: int) -> list[str]:
        return LOW.to_beat(ENGLISH, Low(), RoundState(3, scores), THREE)

    assert said(6, 9) == ["Ann has 6, you need 5 or less."]
    assert said(4, 9) == ["Ann has 4, you need 3."], "nothing is less than 3"
    assert said(3, 9) == ["Ann has 3: you can only tie."]
    assert LOW.to_beat(GERMAN, Low(), RoundState(2, (6,)), TWO) == ["Ann hat 6, du brauchst 5 oder weniger."]
    assert LOW.to_beat(ENGLISH, Low(), RoundState(2, (6,)), ("", "Ann")) == ["You have 6, Ann needs 5 or less."]


def test_a_score_of_nothing_can_win_where_the_game_says_so() -> None:
    assert LOW.score(ENGLISH, Low(), 0) == "0"
    assert CREW.score(ENGLISH, Crew(), 0) == "nothing"


def test_what_leads_is_the_next_score_there_is_in_its_own_word() -> None:
    def said(*scores: int) -> list[str]:
        return CREW.to_beat(ENGLISH, Crew(), RoundState(3, scores), THREE)

    assert said(0, 0) == ["No score yet. Anything beats it."]
    assert said(11, 0) == ["Ann has 11, you need full."]
    assert said(12, 12) == ["Ann and Bob have full: you can only tie."]
    assert CREW.scores(ENGLISH, Crew(), RoundState(3, (12, 0)), THREE) == ["This round: Ann has full, Bob has nothing."]


def test_the_end_of_a_turn_is_told_by_what_it_came_to() -> None:
    last = RoundState(2, (), (2, 5), (6,))
    assert CREW.action_sentences(ENGLISH, Crew(), "Ann", last, Keep((6,))) == [
        "The last die is a 6.",
        "Ann scored 7: 5 2.",
    ]
    full = RoundState(2, (), (6, 6), (6,))
    assert CREW.action_sentences(ENGLISH, Crew(), "", full, Keep((6,))) == [
        "The last die is a 6.",
        "You got full: 6 6.",
    ]
    assert CREW.action_sentences(GERMAN, Crew(), "Ann", last, Keep((6,))) == [
        "Der letzte Würfel ist eine 6.",
        "Ann hat 7 Punkte: 5 2.",
    ]
    missed = RoundState(2, (), (2,), (3, 5))
    assert CREW.action_sentences(ENGLISH, Crew(), "", missed, Keep((3, 5))) == [
        "You kept 3 5.",
        "no 6: you score nothing.",
    ]
    assert LOW.action_sentences(ENGLISH, Low(), "", missed, Keep((3,))) == ["You kept 3."]
    assert LOW.action_sentences(ENGLISH, Low(), "", missed, Keep((3, 5))) == ["You kept 3 5.", "You scored 10: 5 3 2."]


def test_a_turn_that_needs_a_face_says_so_and_one_that_needs_none_shows_what_it_kept() -> None:
    state = RoundState(2, (), (5,), (2, 6))
    rail = CREW.rail(ENGLISH, Crew(), state, "Ann", (6,))
    assert rail is not None
    assert (rail.said, rail.label, rail.total) == ("Ann has 6. Score 5.", "Ann needs", "5")
    assert [(slot.face, slot.want, slot.preview) for slot in rail.slots] == [(6, 6, True), (5, 0, False), (0, 0, False)]
    rail = LOW.rail(GERMAN, Low(), state, "", ())
    assert rail is not None
    assert (rail.said, rail.label, rail.total_label) == (
        "Du hast 5 behalten. Punkte: 5.",
        "Du behältst",
        "Du hast",
    )
    fresh = LOW.rail(ENGLISH, Low(), RoundState(2), "Ann", ())
    assert fresh is not None
    assert fresh.said == "Ann has kept nothing yet."
    assert CREW.ask(ENGLISH, Crew(), state) == "Locked: 5. You still need a 6. Which dice do you keep?"
    assert LOW.ask(ENGLISH, Low(), state) == "Locked: 5. Which dice do you keep?"


def test_a_lower_mean_is_a_gain_where_the_lowest_wins() -> None:
    state = RoundState(2, (6,), (), (1, 2, 6))
    best = {"mean": 7.0, "beat": 0.4, "tie": 0.1, "reach 5": 0.4}
    other = {"mean": 6.4, "beat": 0.3, "tie": 0.1, "reach 5": 0.3}
    said = LOW.why(ENGLISH, Low(), state, best, other)
    assert said == "0.6 points fewer on average, but 10.0% less chance to stay under 6"
    said = LOW.why(GERMAN, Low(), state, other, best)
    assert said == "10,0 % mehr Chance, unter 6 zu bleiben, aber im Schnitt 0,6 Punkte mehr"
    worse = {"mean": 9.1, "beat": 0.3, "tie": 0.1}
    said = LOW.why(ENGLISH, Low(), state, best, worse)
    assert said == "2.1 points more on average and 10.0% less chance to stay under 6"
    tied = {"mean": 6.6, "beat": 0.33, "tie": 0.2}
    said = LOW.why(ENGLISH, Low(), state, best, tied)
    more = "0.4 points fewer on average and 10.0% more chance to tie at 6"
    assert said == f"{more}, but 7.0% less chance to stay under 6"
    said = LOW.why(GERMAN, Low(), state, best, tied)
    assert said == (
        "im Schnitt 0,4 Punkte weniger und 10,0 % mehr Chance auf Gleichstand bei 6, "
        "aber 7,0 % weniger Chance, unter 6 zu bleiben"
    )
    assert LOW.why(ENGLISH, Low(), state, {"mean": 7.0}, {"mean": 9.1}) == "2.1 points more on average"
    assert LOW.why(ENGLISH, Low(), state, {"mean": 7.0}, {"mean": 6.4}) == "", "no cost is no reason"
    first = RoundState(2, (), (), (1, 2, 6))
    rarer = LOW.why(ENGLISH, Low(), first, {"reach 5": 0.4, "reach 6": 0.5}, {"reach 5": 0.3, "reach 6": 0.45})
    assert rarer == "10.0% less chance of 5 or less"
    least = {"reach 3": 0.4, "reach 4": 0.45}, {"reach 3": 0.3, "reach 4": 0.4}
    assert LOW.why(ENGLISH, Low(), first, *least) == "10.0% less chance of 3", "nothing is less than 3"
    assert LOW.why(GERMAN, Low(), first, *least) == "10,0 % weniger Chance auf 3"


def test_chances_are_told_against_what_lies_there() -> None:
    facts = {"mean": 7.04, "beat": 0.4, "tie": 0.1}
    assert LOW.chance(ENGLISH, Low(), RoundState(2, (6,)), facts) == ["Chance of less than 6: 40.0%, to tie: 10.0%."]
    assert LOW.chance(ENGLISH, Low(), RoundState(2, (3,)), facts) == ["Chance to tie 3: 10.0%."]
    assert LOW.chance(ENGLISH, Low(), RoundState(2), facts) == ["On average: 7.0."]
    scored = {**facts, "qualify": 0.5}
    assert CREW.chance(ENGLISH, Crew(), RoundState(2), scored) == ["Chance to score: 50.0%. On average: 7.0."]
    assert CREW.chance(ENGLISH, Crew(), RoundState(2, (0,)), scored) == ["Chance to score: 50.0%. On average: 7.0."]


def test_a_chance_to_beat_a_score_says_that_the_moon_counts() -> None:
    facts = {"mean": 7.04, "beat": 0.4, "tie": 0.1}

    def said(state: RoundState, language: Language = ENGLISH, moon: str = "yes") -> str:
        (line,) = THREES.words.chance(language, THREES.with_usual({"moon": moon}).usual_game, state, facts)
        return line

    assert said(RoundState(2, (6,))) == "Chance of less than 6, or the moon: 40.0%, to tie: 10.0%."
    assert said(RoundState(2, (0,))) == "Chance of the moon: 40.0%, to tie 0: 10.0%.", "nothing is less than 0"
    assert said(RoundState(2, (6,), (3,))) == said(RoundState(2, (6,)), moon="no"), "no moon with a 3 kept"
    assert said(RoundState(2, (6,), (3,))) == "Chance of less than 6: 40.0%, to tie: 10.0%."
    assert said(RoundState(2, (0,)), moon="no") == "Chance to tie 0: 10.0%."
    german = "Chance auf weniger als 6 oder auf fünf Sechsen: 40,0 %, auf Gleichstand: 10,0 %."
    assert said(RoundState(2, (6,)), GERMAN) == german
    assert said(RoundState(2, (0,)), GERMAN) == "Chance auf fünf Sechsen: 40,0 %, auf Gleichstand mit 0: 10,0 %."


def test_a_reason_says_that_the_moon_counts() -> None:
    game, words, kept = Threes("yes"), THREES.words, (1, 2, 6, 6, 6)

    def said(scores: tuple[int, ...], best: dict[str, float], other: dict[str, float]) -> tuple[str, str]:
        state = RoundState(2, scores, (), kept)
        return words.why(ENGLISH, game, state, best, other), words.why(GERMAN, game, state, best, other)

    assert said((6,), {"beat": 0.4}, {"beat": 0.3}) == (
        "10.0% less chance to stay under 6, or of the moon",
        "10,0 % weniger Chance, unter 6 zu bleiben, oder auf fünf Sechsen",
    )
    assert said((0,), {"beat": 0.4}, {"beat": 0.3}) == (
        "10.0% less chance of the moon",
        "10,0 % weniger Chance auf fünf Sechsen",
    )
    assert said((), {"reach 5": 0.4}, {"reach 5": 0.3})[0] == "10.0% less chance of 5 or less, or the moon"
    assert said((), {f"reach {MOON}": 0.4}, {f"reach {MOON}": 0.3})[0] == "10.0% less chance of the moon"


def test_advice_says_that_the_moon_counts() -> None:
    """Two keeps with the same mean: of the second, 5 and the moon are rarer by 10 % together, or the moon alone."""

    def told(best: dict[int, float], other: dict[int, float]) -> str:
        rows = [
            {"keep": [6], "value": value, "lost": 1 - value, "mean": 7.0, "qualify": 1.0, "distribution": chances}
            for value, found in ((1.0, best), (0.9, other))
            for chances in [[found.get(score, 0.0) for score in range(MOON + 1)]]
        ]
        return TurnAdvice({"goal": "share", "actions": rows}, THREES.words, Threes("yes")).sentences(ENGLISH)[1]

    either = told({5: 0.5, MOON: 0.1, 20: 0.4}, {5: 0.4, MOON: 0.1, 20: 0.5})
    assert either.endswith("10.0% less chance of 5 or less, or the moon.")
    assert told({0: 0.5, MOON: 0.2, 20: 0.3}, {0: 0.6, MOON: 0.1, 20: 0.3}).endswith("10.0% less chance of the moon.")
    assert told({5: 0.6, 20: 0.4}, {5: 0.5, 20: 0.5}).endswith("10.0% less chance of 5 or less.")
    assert told({0: 0.5, MOON: 0.1, 20: 0.4}, {0: 0.4, MOON: 0.1, 20: 0.5}).endswith(
        "10.0% less chance of 0, or the moon."
    )


@pytest.mark.parametrize(
    ("goal", "english", "german"),
    [
        (5, "5 or less, or the moon", "5 oder weniger oder auf fünf Sechsen"),
        (0, "0, or the moon", "0 oder auf fünf Sechsen"),
        (MOON, "the moon", "fünf Sechsen"),
    ],
)
def test_of_scores_that_are_lost_alike_the_one_played_for_is_named(goal: int, english: str, german: str) -> None:
    """Five sixes: a keep that gives the moon up loses as much of every score."""
    found = advise_turn(THREES, {"moon": "yes", "goal": f"reach:{goal}", "roll": "66666"})
    assert found.numbers["number"] == goal
    told = [found.sentences(said)[1] for said in (ENGLISH, GERMAN)]
    assert told[0].endswith(f"but 83.3% less chance of {english}.")
    assert told[1].endswith(f"aber 83,3 % weniger Chance auf {german}.")


def test_a_round_won_by_the_moon_is_told_in_proper_german() -> None:
    score = THREES.words.score(GERMAN, Threes("yes"), MOON)
    assert GERMAN.say("You win with {score}.", score=score) == "Du gewinnst mit fünf Sechsen."
    assert GERMAN.say("{name} has {score}", name="Tip", score=score) == "Tip hat fünf Sechsen"
