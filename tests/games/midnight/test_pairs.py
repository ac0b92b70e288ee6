"""Midnight with any pair of needed faces: read, solved and told."""

from itertools import combinations
from random import Random

import numpy as np
import pytest

from oracles import naive_midnight
from pubdice.core.errors import BadNotation
from pubdice.games import GAMES
from pubdice.games.midnight.card import card
from pubdice.games.midnight.rules import BEST, PAIRS, Midnight, counted, tip
from pubdice.match.header import RawHeader
from pubdice.solve.turns.turn import turn
from pubdice.text.catalogues import language
from pubdice.text.language import Language

KIT = GAMES["midnight"]
ASKED = [tuple(map(int, pair.split())) for pair in PAIRS]
BY_DAY = ((1, 2), (5, 6))


def test_every_pair_is_a_choice_and_the_old_headers_stay() -> None:
    assert sorted((*KIT.options[0].choices, *KIT.options[0].more)) == sorted(PAIRS)
    assert len(PAIRS) == 15
    for pair in PAIRS:
        for typed in (pair.replace(" ", ","), pair[::-1], pair[::-1].replace(" ", "-")):
            header = KIT.normalize(RawHeader({"game": "midnight", "seats": "Ann, Bob", "need": typed}))
            assert header.fields["need"] == pair, "a header has one form, in whatever order it was typed"
        assert KIT.match(header).game == Midnight((int(pair[0]), int(pair[2])))
    assert KIT.normalize(RawHeader({"game": "midnight", "seats": "Ann"})).write().splitlines()[2] == "need: 1 4"


@pytest.mark.parametrize("text", ["1 1", "4 1 4", "0 4", "1 7", "1", "1 2 3", "", "a b"])
def test_what_is_no_pair_is_refused(text: str) -> None:
    with pytest.raises(BadNotation) as refused:
        KIT.normalize(RawHeader({"game": "midnight", "seats": "Ann", "need": text}))
    assert refused.value.code == "option"


@pytest.mark.parametrize(
    "need", [pytest.param(need, marks=[pytest.mark.nightly] * (need not in BY_DAY)) for need in ASKED], ids=str
)
def test_a_turn_has_the_values_of_the_rules_alone(need: tuple[int, int]) -> None:
    scores = np.arange(25.0)
    worths = np.stack([*[(scores >= least) * 1.0 for least in range(4, 25)], *np.eye(25)[[0, 17, 20]], scores], axis=1)
    naive = naive_midnight.values(worths, need=need)
    turned = turn(Midnight(need))
    assert turned.scores == (0, *range(4, BEST + 1))
    mine = turned.best(worths[list(turned.scores)])
    assert len(mine) == 25, "fifteen pairs make 375 values"
    assert mine == pytest.approx(naive, abs=1e-9)


@pytest.mark.parametrize("need", ASKED, ids=str)
def test_four_dice_score_and_the_best_is_24_whatever_is_needed(need: tuple[int, int]) -> None:
    assert counted(tuple(sorted((*need, 6, 6, 6, 6))), need) == (6, 6, 6, 6)
    for missing in need:
        other = need[1 - need.index(missing)]
        assert Midnight(need).worth((other,) * 6) == 0
    assert max(Midnight(need).worth(tuple(sorted((*need, *rest)))) for rest in combinations(range(1, 7), 4)) <= BEST


@pytest.mark.parametrize("need", ASKED, ids=str)
def test_the_bot_and_the_words_know_the_pair(need: tuple[int, int]) -> None:
    game, chance = Midnight(need), Random(3)
    for _ in range(20):
        state = game.start(1)
        while not state.scores:
            state = game.roll(state, tuple(sorted(chance.choices(range(1, 7), k=game.to_roll(state)))))
            if game.mover(state) is not None:
                ((keep, _),) = tip(game, state)
                assert keep in game.legal(state)
                state = game.play(state, keep)
    for tongue in (Language(), language("de", strict=True), language("es", strict=True)):
        assert all(str(face) in KIT.words.aim(tongue.own["pubdice.games.midnight"], game) for face in need)


@pytest.mark.parametrize("need", BY_DAY, ids=str)
def test_a_card_is_made_for_the_pair(need: tuple[int, int]) -> None:
    made = card(Midnight(need))
    assert made.lines[0].say(Language()).startswith(f"A {need[0]} or {need[1]} you lack")
    assert made.lines[0].dice == need
