"""Tests of leaders and takeovers: at each moment some process keeps the timers of a table."""

from collections.abc import Sequence

from pubdice_cluster.neighbours import APART_MS, GONE_MS, STEP_IN_MS, Neighbours
from pubdice_cluster.nodes import Node


def nodes(*living: int, gone: Sequence[Node] = ()) -> list[Node]:
    return [*(Node(number, 100, leaving=False) for number in living), *gone]


def seen_by(me: int, found: Sequence[Node]) -> Neighbours:
    made = Neighbours(me)
    made.look(found)
    return made


def test_the_node_that_wrote_last_acts_before_the_others() -> None:
    found = nodes(1, 2, 3)
    assert [seen_by(me, found).wait_ms(7, leader=2) for me in (1, 2, 3)] == [STEP_IN_MS, 0, STEP_IN_MS]


def test_the_others_step_in_one_after_the_other() -> None:
    for dead in (Node(2, GONE_MS, leaving=False), Node(2, 100, leaving=True)):
        found = nodes(1, 3, 4, gone=[dead])
        for table in range(20):
            waits = sorted(seen_by(me, found).wait_ms(table, leader=2) for me in (1, 3, 4))
            assert waits == [0, APART_MS, 2 * APART_MS]


def test_tables_are_shared_out_among_those_who_live() -> None:
    found = nodes(1, 2, 3)
    first = [[me for me in (1, 2, 3) if seen_by(me, found).rank(table) == 0] for table in range(300)]
    assert all(len(each) == 1 for each in first)
    assert all(60 < sum(each == [me] for each in first) < 140 for me in (1, 2, 3))


def test_what_a_dead_node_acted_for_is_taken_over_once_by_one() -> None:
    tables = tuple(range(50))
    found = nodes(1, 3, gone=[Node(2, GONE_MS, leaving=False, acting=tables)])
    one, three = seen_by(1, found), seen_by(3, found)
    assert sorted(one.left_behind(found) + three.left_behind(found)) == [(table, 2) for table in tables]
    assert one.left_behind(found) == three.left_behind(found) == []


def test_a_table_is_taken_over_from_a_second_dead_node() -> None:
    first = nodes(1, 3, gone=[Node(2, GONE_MS, leaving=False, acting=(7, 8, 9))])
    one = seen_by(1, first)
    mine = one.left_behind(first)
    then = nodes(1, gone=[Node(2, 2 * GONE_MS, leaving=False, acting=(7, 8, 9)), Node(3, GONE_MS, leaving=False)])
    assert one.look(then)
    assert sorted(mine + one.left_behind(then)) == [(7, 2), (8, 2), (9, 2)]


def test_a_new_process_wakes_no_table_that_others_took_over() -> None:
    old = Node(2, 540_000, leaving=False, acting=(7, 8, 9))
    assert seen_by(4, nodes(4, gone=[old])).left_behind(nodes(4, gone=[old])) == []
    knew = seen_by(1, nodes(1, 2))
    knew.look(nodes(1, gone=[old]))
    assert len(knew.left_behind(nodes(1, gone=[old]))) == 3, "after an outage of the database, that long"


def test_a_look_says_whether_others_live_now() -> None:
    made = Neighbours(1)
    assert made.look(nodes(1, 2))
    assert not made.look(nodes(1, 2))
    assert made.look(nodes(1))


def test_a_node_that_was_silent_takes_no_node_for_dead() -> None:
    made = Neighbours(1)
    made.look(nodes(1, 2, 3))
    late = [Node(2, 60_000, leaving=False), Node(3, 60_000, leaving=True)]
    made.look(nodes(1, gone=late), steady=False)
    assert made.living == {1, 2}
    made.look(nodes(1, gone=late), steady=True)
    assert made.living == {1}
