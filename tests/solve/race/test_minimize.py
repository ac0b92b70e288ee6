from fractions import Fraction

import pytest

from pubdice.solve.race.automaton import END, Automaton, lump, merge, over_blocks


def test_items_that_offer_the_same_are_one_block() -> None:
    assert lump([[{1: 2, END: 4}], [{0: 2, END: 4}]]) == (0, 0)


def test_a_chance_of_winning_parts_items() -> None:
    assert lump([[{0: 5, END: 1}], [{1: 4, END: 2}]]) == (0, 1)


def test_a_difference_far_away_travels_back_step_by_step() -> None:
    chain = [[{item + 1: 6}] for item in range(5)] + [[{END: 6}]]
    assert lump(chain) == (0, 1, 2, 3, 4, 5)


def test_equal_offers_of_one_item_count_once_and_their_order_does_not_count() -> None:
    end, back = {END: 1}, {0: 1}
    assert lump([[end, back], [back, end, end], [end]]) == (0, 0, 1)


def test_nothing_to_lump_is_no_block() -> None:
    assert lump([]) == ()


def test_the_partition_is_stable_and_no_coarser_one_is() -> None:
    offers = [[{2: 1, END: 1}], [{3: 1, END: 1}], [{0: 2}], [{1: 2}], [{0: 1, 1: 1}], [{2: 1, 4: 1}]]
    block = lump(offers)
    assert block == (0, 0, 1, 1, 1, 2)
    for one, other in ((0, 1), (2, 3), (2, 4)):
        offered = [{over_blocks(action, block) for action in offers[item]} for item in (one, other)]
        assert offered[0] == offered[1]


def test_a_merged_automaton_keeps_every_way() -> None:
    merged = merge([[{1: 3, END: 3}, {END: 6}], [{0: 3, END: 3}, {1: 3, END: 3}, {END: 6}]])
    automaton = merged.automaton
    assert (merged.kind, automaton.kinds) == ((0, 0), 1)
    assert (automaton.wins, automaton.ways, automaton.choices) == ((3, 6), ((3,), (0,)), ((0, 1),))
    assert merged.action == ((0, 1), (0, 0, 1))
    assert automaton.least_win == Fraction(1, 2)


def test_an_automaton_whose_ways_do_not_add_up_is_refused() -> None:
    with pytest.raises(ValueError, match="counts"):
        Automaton((1,), ((1,),), ((0,),), 3)


def test_the_key_tells_automata_apart() -> None:
    one = Automaton((1,), ((2,),), ((0,),), 3)
    assert one.key() == Automaton((1,), ((2,),), ((0,),), 3).key() != Automaton((2,), ((1,),), ((0,),), 3).key()
