from dataclasses import replace

import pytest

from pubdice.advice.card_prices import answer
from pubdice.games.midnight import KIT
from pubdice.games.midnight.card import ALWAYS, CardLines, CardPricing, HandPattern, Six
from pubdice.games.midnight.card import maker as maker_of
from pubdice.games.midnight.rules import Midnight, RoundState
from pubdice.solve.turns.contest import contest
from pubdice.text.language import Language

NEEDS = ((1, 4), pytest.param((2, 4), marks=pytest.mark.nightly))


@pytest.fixture(scope="module", params=NEEDS, ids=str)
def maker(request: pytest.FixtureRequest) -> CardPricing:
    return maker_of(request.param)


def test_the_numbers_found_are_those_of_every_6_a_5_before_the_last_die_and_a_last_4() -> None:
    fits = (HandPattern(6, ALWAYS), HandPattern(5, 1), HandPattern(4, 0, single=True))
    assert maker_of((1, 4)).lines == CardLines(fits, Six(19, 5))


def test_with_both_needed_dice_in_hand_the_lines_are_best_play_for_the_mean(maker: CardPricing) -> None:
    both = maker.game.need
    solved = maker.turn.solve(maker.turn.mean)
    lines = maker.lines
    for more in ((), (6,), (2,), (5, 6), (1, 1, 4)):
        locked = tuple(sorted((*both, *more)))
        best = float(solved.value[maker.turn.node(RoundState(1, (), locked))])
        assert maker.mean(lines, RoundState(1, (), locked)) == pytest.approx(best, abs=1e-11)


def test_no_number_of_a_fit_could_be_one_more_or_less(maker: CardPricing) -> None:
    """On the whole turn, too, though they were found from both needed dice on."""
    lines = maker.lines
    mean = maker.mean(lines)
    for at, fit in enumerate(lines.fits):
        for other in (
            replace(fit, left=fit.left - 1),
            replace(fit, left=fit.left + 1),
            replace(fit, single=not fit.single),
        ):
            tried = replace(lines, fits=(*lines.fits[:at], other, *lines.fits[at + 1 :]))
            assert maker.mean(tried) <= mean + 1e-12


def test_the_card_gives_up_what_its_own_chances_say(maker: CardPricing) -> None:
    """Another way to the same number: the distribution of the policy, its mean taken at the end."""
    opens, mean = contest(maker.game).chances(maker.lines), maker.mean(maker.lines)
    assert float(opens @ maker.turn.mean) == pytest.approx(mean, abs=1e-11)
    assert 0 < maker.best - mean < 0.005
    assert float(1 - opens[0]) == pytest.approx(0.956727, abs=1e-6)


@pytest.mark.nightly
def test_the_last_seat_of_the_card_gets_what_two_distributions_say() -> None:
    house, made = contest(Midnight()), maker_of((1, 4))
    steady = house.turn.solve(house.turn.mean).chance[house.turn.start]
    replies = house.player(made.lines, watches=True)
    share = 1 - house.share(replace(replies, opens=steady), replies)
    last = made.last(made.lines)
    assert share == pytest.approx(last, abs=1e-11)
    assert last < made.best_last


@pytest.mark.nightly
def test_lines_are_short_say_what_they_cost_and_earn_their_place() -> None:
    card = answer(KIT, {})
    data = card.data()
    told = card.sentences(Language())
    assert [row["line"] for row in data["lines"]] == [
        "take",
        "one",
        "fit 6",
        "fit 5",
        "highest",
        "fit 4",
        "stop",
        "six",
    ]
    assert all(len(row["text"]) <= 60 and row["cost"] > 0.01 for row in data["lines"])
    assert all(f"{row['cost']:.2f} points" in said for row, said in zip(data["lines"][:6], told[1:], strict=False))
    assert data["mean"]["given_up"] == pytest.approx(data["mean"]["best"] - data["mean"]["value"])
    assert len(told) == 1 + 8 + 2
    assert all(len(line) <= 60 for line in told[-2:])


@pytest.mark.nightly
def test_the_variant_names_its_own_pair_and_a_picture_can_be_had() -> None:
    card = answer(KIT, {"need": "2-4", "svg": ""})
    data = card.data()
    assert data["options"] == {"need": "2 4", "follow": "no"}
    assert data["need"] == [2, 4]
    assert data["svg"].startswith("<svg")
    assert "A 2 or 4 you lack" in data["svg"]
    assert "\n".join(card.sentences(Language())) == data["svg"].rstrip("\n")


@pytest.mark.parametrize(
    ("state", "kept"),
    [
        (RoundState(1, (), (), (1, 2, 3, 6, 6, 6)), (1,)),
        (RoundState(1, (), (), (2, 2, 3, 5, 6, 6)), (6,)),
        (RoundState(1, (), (), (1, 4, 5, 5, 6, 6)), (1, 4, 6, 6, 5, 5)),
        (RoundState(1, (), (1,), (2, 3, 4, 5, 6)), (4, 6)),
        (RoundState(1, (), (1, 4), (5, 5, 5, 6)), (5, 5, 5, 6)),
        (RoundState(1, (), (1, 4, 6), (3, 5, 5)), (5, 5)),
        (RoundState(1, (), (1, 4, 6), (4, 4, 6)), (6,)),
        (RoundState(1, (), (1, 4, 6, 6), (4, 5)), (4, 5)),
        (RoundState(1, (), (1, 4, 6, 6), (2, 3)), (3,)),
        (RoundState(1, (), (1, 4, 6, 6), (4, 4)), (4, 4)),
        (RoundState(1, (), (1, 6, 6, 6), (4, 4)), (4, 4)),
        (RoundState(1, (), (4, 6, 6, 6), (4, 5)), (5,)),
        (RoundState(2, (19,), (), (1, 2, 3, 5, 6, 6)), (6,)),
        (RoundState(2, (18,), (), (1, 2, 3, 5, 6, 6)), (1,)),
        (RoundState(2, (18,), (), (1, 4, 2, 5, 6, 6)), (1, 4, 2, 5, 6, 6)),
        (RoundState(2, (19,), (), (1, 4, 2, 5, 6, 6)), (6,)),
        (RoundState(3, (19,), (), (1, 2, 3, 5, 6, 6)), (1,)),
    ],
)
def test_what_a_person_keeps_by_the_card(state: RoundState, kept: tuple[int, ...]) -> None:
    free = tuple(sorted(state.free))
    found = maker_of((1, 4)).lines(Midnight(), replace(state, free=free))
    assert [(keep.dice, weight) for keep, weight in found] == [(tuple(sorted(kept)), 1)]


def test_what_no_line_settles_is_any_one_die() -> None:
    found = CardLines(left_out=frozenset({"take", "highest"}))(Midnight(), RoundState(1, (), (), (2, 2, 3, 3, 3, 5)))
    assert [(keep.dice, weight) for keep, weight in found] == [((2,), 2), ((3,), 3), ((5,), 1)]
