"""Who is at a table by another process of the house."""

import json

from pubdice.server.table.presence import Stream
from pubdice_cluster.shared_presence import SharedPresence

NOW = 1_000_000


def test_a_table_that_nobody_is_at_has_nothing_to_tell() -> None:
    assert SharedPresence((), NOW).to_text() == ""


def test_a_person_with_a_stream_elsewhere_is_here() -> None:
    here, there = SharedPresence(["ann"], NOW - 60_000), SharedPresence(["ann"], NOW)
    here.join(Stream("ann", "en"))
    assert not there.is_attended(NOW)
    assert there.hear({2: here.to_text()}, NOW)
    assert there.is_attended(NOW)
    assert there.seen(["ann"], NOW + 60_000) == NOW + 60_000
    assert there.was_attended_elsewhere(NOW), "so nobody's turn has more time"
    assert not there.was_attended_elsewhere(NOW - 60_001), "who came first had the table to themselves"
    assert not there.hear({2: here.to_text()}, NOW), "nothing has changed"


def test_one_who_goes_there_was_seen_when_they_went() -> None:
    here, there = SharedPresence(["ann"], NOW), SharedPresence(["ann"], NOW)
    stream = Stream("ann", "en")
    here.join(stream)
    there.hear({2: here.to_text()}, NOW)
    here.leave(stream, NOW + 30_000)
    told = here.to_text()
    assert json.loads(told) == [0, {"ann": NOW + 30_000}, NOW, 0]
    assert there.hear({2: told}, NOW + 32_000)
    assert there.seen(["ann"], NOW + 90_000) == NOW + 32_000
    assert not there.is_attended(NOW + 90_000)


def test_a_process_that_has_gone_takes_nobody_along_at_once() -> None:
    there = SharedPresence(["ann"], NOW)
    there.hear({2: json.dumps([NOW, {"ann": 0}, NOW, 0])}, NOW)
    assert there.hear({}, NOW + 9_000)
    assert there.seen(["ann"], NOW + 60_000) == NOW + 9_000


def test_what_loading_assumes_is_told_to_nobody() -> None:
    """Else one look at a table by a process that had forgotten it would bring everybody back at the others."""
    here, loaded = SharedPresence(["ann"], NOW - 60_000), SharedPresence(["ann"], NOW)
    stream = Stream("ann", "en")
    here.join(stream)
    here.leave(stream, NOW - 50_000)
    assert loaded.to_text() == ""
    loaded.hear({2: here.to_text()}, NOW)
    assert loaded.seen(["ann"], NOW) == NOW - 50_000, "what the others know counts"


def test_a_table_that_was_left_a_moment_ago_by_another_process_was_not_empty() -> None:
    here, there = SharedPresence(["ann"], NOW - 60_000), SharedPresence(["ann"], NOW)
    here.attend(NOW - 50_000, 0)
    here.see("ann", NOW - 50_000)
    here.attend(NOW - 5_000, 45_000)
    there.hear({2: here.to_text()}, NOW)
    assert there.was_attended_elsewhere(NOW)
    assert not there.was_attended_elsewhere(NOW + 40_000), "nobody was there any more"
