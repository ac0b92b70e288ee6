import pytest

import cards
from pubdice.advice.card_prices import answer
from pubdice.core.game import RoundSeat
from pubdice.games import GAMES
from pubdice.games.fourtwenty.card import ALL, NEVER, card, play
from pubdice.games.fourtwenty.rules import FourTwenty, RoundState
from pubdice.solve.race.contest import contest
from pubdice.text.catalogues import language
from pubdice.text.language import Language

GAME, KIT = FourTwenty(), GAMES["420"]


def test_the_card_alone_is_best_play_of_a_race_of_two() -> None:
    card = answer(KIT, {})
    data = card.data()
    assert data["share"]["value"] == pytest.approx(0.5, abs=1e-12)
    assert data["positions_missed"] == 0


def test_every_other_total_for_three_dice_is_worse_and_so_the_card_says_16() -> None:
    share = contest(GAME).share_against_best
    for most in (NEVER, 15, 17, 18):
        assert share(lambda game, state, most=most: play(most, ALL, game, state)) < 0.5 - 1e-6
    assert card(GAME).lines[0].say(Language()) == "Three dice make 15 or else 16: keep those three."


def test_what_a_line_that_is_left_out_costs_is_missed_somewhere() -> None:
    house, lines = contest(GAME), card(GAME)
    for name in ALL:
        assert house.missed(lines.play(ALL - {name})) > 100, name


@pytest.mark.parametrize(
    ("hand", "kept"),
    [
        ((1, 5, 5, 6), (5, 5, 6)),
        ((1, 4, 5, 6), (4, 5, 6)),
        ((3, 4, 6, 6), (3, 6, 6)),
        ((1, 5, 6, 6), (6, 6)),
        ((1, 6, 6, 6), (6, 6)),
        ((1, 1, 4, 6), (4, 6)),
        ((1, 2, 3, 6), (6,)),
        ((1, 2, 3, 5), (5,)),
        ((1, 2, 3, 4), ()),
        ((4, 5, 6, 6), ()),
    ],
)
def test_what_a_person_keeps_by_the_card(hand: tuple[int, ...], kept: tuple[int, ...]) -> None:
    state = RoundState((hand, (1, 2, 3, 4)), RoundSeat(0), None)
    assert [keep.dice for keep, _ in card(GAME).play(ALL)(GAME, state)] == [kept]


def test_the_line_without_a_cost_is_the_only_other_thing_the_rules_allow() -> None:
    told = answer(KIT, {}).sentences(Language())
    assert told[4] == "4. Otherwise, or over 20: reroll all four. The rules leave you no choice."
    words = cards.FourTwenty([line.text for line in cards.printed(told)])
    assert words.keeps((1, 2, 3, 4)) == words.keeps((5, 5, 5, 6)) == ()


@pytest.mark.nightly
def test_the_card_speaks_of_a_race_and_a_picture_can_be_had() -> None:
    card = answer(KIT, {"svg": ""})
    data = card.data()
    assert all(len(row["text"]) <= 60 for row in data["lines"])
    assert data["svg"].startswith("<svg")
    assert "\n".join(card.sentences(Language())) == data["svg"].rstrip("\n")
    said = answer(KIT, {}).sentences(Language())
    assert said[0] == "420: best chance to win a race of two."
    assert said[1].endswith("Ignored: 5.0% of the race lost.")
    assert said[-1].endswith("need not look at the other hand.")
    german = answer(KIT, {}).sentences(language("de", strict=True))
    assert german[1].endswith("Sonst verlierst du 5,0 % des Rennens.")
