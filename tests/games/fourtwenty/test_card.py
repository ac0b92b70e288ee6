import pytest

from pubdice.core.game import RoundSeat
from pubdice.games.fourtwenty.card.answer import answer, tell
from pubdice.games.fourtwenty.card.costs import played
from pubdice.games.fourtwenty.card.lines import CardLines
from pubdice.games.fourtwenty.rules import FourTwenty, RoundState
from pubdice.solve.hand_race.contest import best, contest
from pubdice.text.language import Language


def test_the_card_alone_is_best_play_of_a_race_of_two() -> None:
    card = played()
    assert card.lines == CardLines(three=16)
    assert card.share == pytest.approx(0.5, abs=1e-12)
    assert card.missed == 0


def test_every_other_total_for_three_dice_is_worse() -> None:
    house = contest(FourTwenty())
    perfect = house.player(best)
    value = house.share(perfect, perfect)
    for three in (None, 15, 17, 18):
        assert house.share(house.player(CardLines(three)), perfect) < value - 1e-6


def test_every_line_earns_its_place() -> None:
    assert [name for name, _ in played().costs] == ["three", "two", "one"]
    assert min(cost for _, cost in played().costs) > 0.01


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
    assert [keep.dice for keep, _ in played().lines(FourTwenty(), state)] == [kept]


def test_lines_are_short_and_a_picture_can_be_had() -> None:
    data = answer({"svg": ""})
    assert all(len(row["text"]) <= 60 for row in data["lines"])
    assert data["svg"].startswith("<svg")
    assert "\n".join(tell(Language(), data)) == data["svg"].rstrip("\n")
    said = tell(Language(), answer({}))
    assert said[0] == "420: best chance to win a race of two."
    assert said[-1].endswith("need not look at the other hand.")
