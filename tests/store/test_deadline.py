"""One deadline for all steps of a shutdown."""

import threading

from pubdice.store.deadline import ENDS_WITHIN_S, Deadline


class Clock:
    """A clock that a test moves, in s."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_steps_that_all_hang_take_no_longer_together_than_the_deadline() -> None:
    clock = Clock()
    deadline = Deadline(clock)
    assert deadline.left(5.0) == 5.0, "nobody has told the process to end"
    deadline.begin()
    for most_s in (1.0, 3.0, 3.0, 2.0, 5.0, 5.0, 5.0):  # each takes all that it is given
        clock.now += deadline.left(most_s)
    assert clock.now == 100.0 + ENDS_WITHIN_S < 115.0
    assert deadline.left(5.0) == 0.0


def test_one_who_is_told_again_to_end_has_no_more_time() -> None:
    clock = Clock()
    deadline = Deadline(clock)
    deadline.begin()
    clock.now += 10.0
    deadline.begin()
    assert deadline.left(100.0) == ENDS_WITHIN_S - 10.0


def test_what_hangs_at_the_deadline_is_ended() -> None:
    ended = threading.Event()
    Deadline(end=ended.set).begin(0.01)
    assert ended.wait(30)


def test_nothing_is_ended_that_nobody_told_to_end() -> None:
    ended = list[int]()
    deadline = Deadline(Clock(), lambda: ended.append(1))
    assert deadline.left(1.0) == 1.0
    assert not [thread for thread in threading.enumerate() if thread.name == "pubdice-deadline"]
    assert ended == []
