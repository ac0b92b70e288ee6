"""Shut the Box as its sources have it, case by case."""

import pytest

from pubdice.core.errors import BadNotation, IllegalAction
from pubdice.core.game import RoundSeat
from pubdice.games.shutbox.rules import HIGH, TILES, BoxRound, ShutTheBox, all_shuts, sets, tip

GAME = ShutTheBox()
LOW = (1, 2, 4, 6)


def test_a_roll_is_shut_by_any_tiles_that_add_up_to_it() -> None:
    assert sets(TILES, 4) == ((4,), (3, 1))
    state = GAME.roll(GAME.start(2), (6, 6))
    assert GAME.legal(state)[:4] == ("s93", "s84", "s75", "s921")
    assert "s732" in GAME.legal(state)
    assert len(GAME.legal(state)) == 12
    after = GAME.play(state, "s732")
    assert (after.up, after.dice, GAME.to_roll(after)) == ((1, 4, 5, 6, 8, 9), (), 2)


def test_every_set_of_tiles_that_dice_can_show_is_a_move_of_its_own() -> None:
    for tiles, count in ((9, 63), (10, 66), (12, 69)):
        shuts, box = all_shuts(tiles), ShutTheBox(tiles=tiles).box
        assert len(set(shuts)) == len(shuts) == sum(len(sets(box, total)) for total in range(1, 13)) == count
        assert all(sum(GAME.takes(move)) <= 12 for move in shuts)
        assert shuts[:9] == ("s1", "s2", "s3", "s21", "s4", "s31", "s5", "s41", "s32")


def test_tiles_of_two_digits_are_parted_and_those_of_one_are_written_as_ever() -> None:
    assert GAME.moves[-5:] == ("s543", "s6321", "s5421", "one", "two")
    assert not any("-" in move for move in GAME.moves)
    large = [move for move in all_shuts(12) if move not in all_shuts(9)]
    assert large == ["s10", "s11", "s10-1", "s12", "s11-1", "s10-2"]
    assert [GAME.takes(move) for move in large] == [(10,), (11,), (10, 1), (12,), (11, 1), (10, 2)]
    game = ShutTheBox(tiles=12)
    assert game.legal(game.roll(game.start(1), (6, 6)))[:3] == ("s12", "s11-1", "s10-2")
    with pytest.raises(BadNotation):
        GAME.read_action("s12")


def test_tiles_that_do_not_add_up_or_are_shut_are_refused() -> None:
    state = GAME.roll(BoxRound(2, up=LOW), (1, 5))
    assert GAME.legal(state) == ("s6", "s42")
    for move in ("s51", "s9", "s321", "one"):
        with pytest.raises(IllegalAction, match="not-open"):
            GAME.play(state, move)
    with pytest.raises(IllegalAction, match="no-choice"):
        GAME.play(GAME.start(2), "s9")


def test_a_turn_ends_where_no_tiles_add_up_and_what_is_up_counts() -> None:
    after = GAME.roll(BoxRound(2, up=(1, 5, 9)), (1, 3))
    assert after.scores == (15,)
    assert GAME.mover(after) == 1
    assert after.up == TILES
    digits = ShutTheBox(left="digits").roll(BoxRound(2, up=(1, 2, 9)), (2, 2))
    assert digits.scores == (129,)
    large = ShutTheBox("no", "digits", 12).roll(BoxRound(2, up=(3, 7, 9, 11)), (1, 1))
    assert large.scores == (37911,), "as Board Game Arena reads them"
    assert large.up == tuple(range(1, 13))


def test_the_lowest_score_wins_for_all_who_tie() -> None:
    over = BoxRound(3, (15, 12, 12))
    result = GAME.result(over)
    assert result is not None
    assert result.winners == (RoundSeat(1), RoundSeat(2))


@pytest.mark.parametrize(
    ("tiles", "left", "rest"),
    [
        (9, "sum", 45),
        (9, "digits", 123456789),
        (10, "sum", 55),
        (10, "digits", 12345678910),
        (12, "sum", 78),
        (12, "digits", 123456789101112),
    ],
)
def test_who_shuts_the_box_wins_at_once_and_the_others_have_all_tiles_up(tiles: int, left: str, rest: int) -> None:
    game = ShutTheBox("no", left, tiles)
    state = game.roll(BoxRound(3, (12,), (3, 4)), (2, 5))
    after = game.play(state, "s43")
    result = game.result(after)
    assert result is not None
    assert (result.winners, result.scores) == ((RoundSeat(1),), (12, 0, rest))


@pytest.mark.parametrize(
    ("die", "up", "legal", "due"),
    [
        ("no", LOW, (), 2),
        ("may", LOW, ("one", "two"), 0),
        ("must", LOW, (), 1),
        ("may", (1, 7), (), 2),
        ("must", (1, 7), (), 2),
        ("must", (4, 10), (), 2),
        ("may", (11,), (), 2),
        ("six", (1, 2, 3), (), 1),
        ("six", (6,), (), 1),
        ("six", (1, 6), (), 2),
        ("six", LOW, (), 2),
        ("maysix", (2, 4), ("one", "two"), 0),
        ("maysix", (3, 4), (), 2),
    ],
)
def test_one_die_is_rolled_once_the_high_tiles_are_shut(
    die: str, up: tuple[int, ...], legal: tuple[str, ...], due: int
) -> None:
    game, state = ShutTheBox(die, tiles=12), BoxRound(2, up=up)
    assert (game.legal(state), game.to_roll(state)) == (legal, due)
    if die in ("may", "must"):
        assert (max(up) >= HIGH) == (due == 2)
    for move, number in (("one", 1), ("two", 2)) if legal else ():
        after = game.play(state, move)
        assert (game.legal(after), game.to_roll(after)) == ((), number)


def test_tip_shuts_few_tiles_and_the_highest_and_takes_one_die() -> None:
    assert tip(GAME, GAME.roll(GAME.start(1), (6, 6))) == (("s93", 1),)
    assert tip(GAME, GAME.roll(GAME.start(1), (2, 3))) == (("s5", 1),)
    assert tip(ShutTheBox("may"), BoxRound(1, up=LOW)) == (("one", 1),)
