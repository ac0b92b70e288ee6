"""A house's store keeps its promises beyond logs in every database: groups, keys, lists, settings."""

import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from queue import SimpleQueue

import pytest

from pubdice.core.errors import NotStored
from pubdice.store import Entry, Listed, Outcome, Repeated, SqliteStore, Stored, TableSummary
from pubdice.store.house_store import HouseStore
from pubdice.store.writer import MOST
from store.connections import PLAYING, code, entry, summary_of, table

Open = Callable[[], HouseStore]


@pytest.fixture
def again(tmp_path: Path) -> Open:
    """Opens the store, each time with what the last one has left."""
    return lambda: SqliteStore(tmp_path / "house.db")


@pytest.fixture
def store(again: Open) -> Iterator[HouseStore]:
    with closing(again()) as made:
        yield made


def together(store: HouseStore, *entries: Entry) -> list[Outcome]:
    """The outcomes of entries that are submitted as one group."""
    told: SimpleQueue[Outcome] = SimpleQueue()
    store.submit([(each, told.put) for each in entries])
    return [told.get(timeout=30) for _ in entries]


def test_a_table_is_found_by_its_code(store: HouseStore) -> None:
    one, two = table(store, "AAAAAA"), table(store, "BBBBBB")
    assert (store.find("AAAAAA"), store.find("BBBBBB"), store.find("CCCCCC")) == (one, two, None)
    assert store.create("a table without a code") == 3
    assert store.codes() == {"AAAAAA": one, "BBBBBB": two}


def test_a_code_is_given_once(store: HouseStore) -> None:
    table(store, "AAAAAA")
    assert code(lambda: table(store, "AAAAAA")) == "code-taken"
    assert store.tables() == [1]


def test_the_lobby_lists_open_tables_newest_first(store: HouseStore) -> None:
    for letter, summary in {
        "A": summary_of("gathering", 10),
        "B": summary_of("playing", 30),
        "C": summary_of("over", 40),
        "D": summary_of("gathering", 50, listed=False),
        "E": summary_of("gathering", 20),
    }.items():
        store.open_table(letter * 6, "setup", summary)
    assert store.lobby(9) == [
        Listed(2, "BBBBBB", "playing", 30),
        Listed(5, "EEEEEE", "gathering", 20),
        Listed(1, "AAAAAA", "gathering", 10),
    ]
    assert [row.code for row in store.lobby(1)] == ["BBBBBB"]
    store.write(Entry(1, 1, ("a",), summary=summary_of("playing", 60)))
    store.write(Entry(2, 1, ("a",), summary=summary_of("over", 70)))
    assert store.lobby(1) == [Listed(1, "AAAAAA", "playing", 60)]


def test_a_person_finds_the_tables_they_sat_at(store: HouseStore) -> None:
    one = store.open_table("AAAAAA", "setup", summary_of("gathering", 10, "ann"))
    two = store.open_table("BBBBBB", "setup", summary_of("gathering", 20, "ann", "bob"))
    assert [row.table for row in store.tables_of("ann", 9)] == [two, one]
    assert [row.table for row in store.tables_of("bob", 9)] == [two]
    assert store.tables_of("cid", 9) == []
    store.write(Entry(one, 1, ("a",), summary=summary_of("over", 30, "ann", "bob", "cid")))
    assert [row.table for row in store.tables_of("bob", 9)] == [one, two]
    assert store.tables_of("cid", 9) == [Listed(one, "AAAAAA", "over", 30)]
    assert len(store.tables_of("ann", 1)) == 1


def test_a_list_tells_what_is_played_and_who_sits_there(store: HouseStore) -> None:
    summary = TableSummary("gathering", True, 10, ("ann",), "midnight", ("Zoë", "", "Tip"))
    of = store.open_table("AAAAAA", "setup", summary)
    assert store.lobby(9) == [Listed(of, "AAAAAA", "gathering", 10, "midnight", ("Zoë", "", "Tip"))]
    summary = TableSummary("over", True, 20, ("ann", "bob"), "midnight", ("Zoë", "Bob", "Tip"))
    store.write(Entry(of, 1, ("a",), summary=summary))
    assert store.tables_of("bob", 9) == [Listed(of, "AAAAAA", "over", 20, "midnight", ("Zoë", "Bob", "Tip"))]


def test_tables_are_found_by_how_the_key_began_that_opened_them(store: HouseStore) -> None:
    told: SimpleQueue[object] = SimpleQueue()
    for letter, key, people in (
        ("A", "night:X ann 1", ("ann",)),
        ("B", "night:Y ann 1", ("ann",)),
        ("C", "night:X bob 1", ("bob", "ann")),
        ("D", "night:XX bob 2", ("bob",)),
        ("E", None, ("bob",)),
    ):
        store.submit_table(letter * 6, ["setup"], summary_of("gathering", 10, *people), told.put, key=key)
        told.get(timeout=10)
    assert [row.code for row in store.opened_under("night:X ", 9)] == ["CCCCCC", "AAAAAA"]
    assert [row.code for row in store.opened_under("night:X ", 1)] == ["CCCCCC"]
    assert [row.code for row in store.opened_under("night:X ", 9, "bob")] == ["CCCCCC"]
    assert store.opened_under("night:Z ", 9) == []


def test_orders_are_told_apart_by_time_and_by_request(
    store: HouseStore,
) -> None:
    told: SimpleQueue[object] = SimpleQueue()
    for letter, stage, updated, body in (
        ("A", "gathering", 10, b"\0\1"),
        ("B", "gathering", 30, b"\0\2"),
        ("C", "playing", 10, b"\0\1"),
        ("D", "over", 5, b""),
    ):
        summary = summary_of(stage, updated)
        store.submit_table(letter * 6, ["setup"], summary, told.put, key=f"night:X {letter}", body=body)
        told.get(timeout=10)
    assert [row.code for row in store.opened_under("night:X ", 9, since=20)] == ["BBBBBB", "CCCCCC", "DDDDDD"]
    assert store.bodies_under("night:X ", since=20) == {b"\0\1": 1, b"\0\2": 1, b"": 1}
    assert [row.code for row in store.opened_under("night:X ", 9, played=20)] == ["BBBBBB", "AAAAAA", "DDDDDD"]
    assert store.bodies_under("night:X ", played=10) == {b"\0\1": 2, b"\0\2": 1, b"": 1}
    assert store.bodies_under("night:Z ") == {}
    assert store.ordered("night:X A") == "AAAAAA", "a key is looked up without its hash"


def test_a_tables_opener_is_stored_with_it_and_its_log_goes_on(again: Open) -> None:
    with closing(again()) as store:
        told: SimpleQueue[object] = SimpleQueue()
        for letter, opener, key in (("A", b"\0\1", "ann order"), ("B", b"\0\1", None), ("C", b"", "ann another")):
            store.submit_table(letter * 6, ["setup"], summary_of("gathering", 10), told.put, key=key, opener=opener)
            assert told.get(timeout=10) == letter * 6
        store.append(1, 1, ["a"])
    with closing(again()) as store:
        assert [store.opener(table) for table in (1, 2, 3)] == [b"\0\1", b"\0\1", b""]
        assert [store.read(table) for table in (1, 2)] == [["setup", "a"], ["setup"]]
        assert store.ordered("ann order") == "AAAAAA"


def test_an_entry_without_facts_changes_none(store: HouseStore) -> None:
    of = store.open_table("AAAAAA", "setup", summary_of("gathering", 10, "ann"))
    store.append(of, 1, ["a"])
    assert store.lobby(9) == store.tables_of("ann", 9) == [Listed(of, "AAAAAA", "gathering", 10)]


def test_all_answers_of_a_table_are_read_in_order_of_their_keys(store: HouseStore) -> None:
    of, other = table(store, "AAAAAA"), table(store, "BBBBBB")
    for at, key in enumerate(("ann 2", "ann 10", "Zoë", "a\0b", "")):
        store.write(Entry(of, 1 + at, ("line",), key, key.encode(), body=bytes([at])))
    store.write(Entry(of, 6, (), "without lines", b"nothing new"))
    store.write(Entry(of, 6, ("without a key",)))
    store.write(entry(other, 1, "a", key="another"))
    found = [(bytes(key), bytes(body), bytes(answer)) for key, body, answer in store.answers(of)]
    assert found == sorted(found)
    assert (b"without lines", b"", b"nothing new") in found
    assert {(key, body) for key, body, answer in found if key == answer} == {
        (b"ann 2", b"\0"), (b"ann 10", b"\1"), ("Zoë".encode(), b"\2"), (b"a\0b", b"\3"), (b"", b"\4"),
    }  # fmt: skip


def test_an_outcome_says_how_long_the_log_is(store: HouseStore) -> None:
    of = table(store)
    assert store.write(entry(of, 1, "a", "b")) == Stored(3)
    assert store.write(entry(of, 3, key="nothing to add")) == Stored(3)


def test_a_repeated_key_counts_once_and_gives_the_stored_answer(store: HouseStore) -> None:
    of = table(store)
    first = Entry(of, 1, ("a", "b"), "key", b"\0any \xff bytes", PLAYING)
    assert store.write(first) == Stored(3)
    assert store.write(Entry(of, 3, ("c",), "key", b"another", PLAYING)) == Repeated(b"\0any \xff bytes")
    assert together(store, *[first] * 100) == [Repeated(b"\0any \xff bytes")] * 100
    assert store.answer(of, "key") == b"\0any \xff bytes"
    assert store.read(of) == ["setup", "a", "b"]


def test_a_key_repeated_within_one_group_counts_once(store: HouseStore) -> None:
    same = entry(table(store), 1, "a", key="key")
    assert together(store, same, same, same) == [Stored(2), *[Repeated(b"answer to key")] * 2]


def test_a_key_that_came_with_another_body_is_refused(store: HouseStore) -> None:
    of = table(store)
    assert store.write(Entry(of, 1, ("a",), "key", b"answer", body=b"one")) == Stored(2)
    assert code(lambda: store.write(Entry(of, 2, ("b",), "key", b"answer", body=b"two"))) == "key-used"
    assert code(lambda: store.answer(of, "key", b"two")) == "key-used"
    assert store.answer(of, "key", b"one") == b"answer"


def test_a_key_belongs_to_its_table(store: HouseStore) -> None:
    one, two = table(store, "AAAAAA"), table(store, "BBBBBB")
    assert store.write(entry(one, 1, "a", key="key")) == store.write(entry(two, 1, "b", key="key")) == Stored(2)


def test_in_a_group_a_conflict_is_refused_alone(store: HouseStore) -> None:
    one, two = table(store, "AAAAAA"), table(store, "BBBBBB")
    outcomes = together(
        store,
        entry(one, 1, "a", key="1"),
        entry(one, 1, "late", key="2"),
        entry(two, 1, "b"),
        entry(99, 1, "nowhere"),
        entry(one, 2, "c", "d", key="3"),
        entry(two, 5, "early"),
    )
    told = [outcome.code if isinstance(outcome, NotStored) else outcome for outcome in outcomes]
    assert told == [Stored(2), "moved-on", Stored(2), "no-table", Stored(4), "moved-on"]
    assert (store.read(one), store.read(two)) == (["setup", "a", "c", "d"], ["setup", "b"])
    assert store.answer(one, "2") is None


def test_more_than_one_transaction_takes_are_all_stored(store: HouseStore) -> None:
    of, told = table(store), SimpleQueue[Outcome]()
    store.submit([(entry(of, 1 + at, f"{at}"), told.put) for at in range(2 * MOST + 1)])
    assert [told.get(timeout=30) for _ in range(2 * MOST + 1)] == [Stored(2 + at) for at in range(2 * MOST + 1)]
    assert len(store.read(of)) == 2 * MOST + 2


FAULTS = [SystemExit, GeneratorExit, MemoryError]


def _writing(store: HouseStore, fault: type[BaseException], monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the next group fail within its transaction, after its lines were inserted."""
    module = sys.modules[type(store._writer._transactions).__module__]  # type: ignore[attr-defined]
    whole, left = module.write_summaries, [fault]

    def fails(*works: object) -> None:
        if left:
            raise left.pop()("nobody thought of it")
        whole(*works)

    monkeypatch.setattr(module, "write_summaries", fails)


@pytest.mark.parametrize("fault", FAULTS)
def test_after_any_fault_the_next_group_is_written(
    fault: type[BaseException], store: HouseStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing of the first is left in an open transaction. The next would be lost in it."""
    one, two = table(store, "AAAAAA"), table(store, "BBBBBB")
    monkeypatch.setattr(threading, "excepthook", lambda fault: None)
    _writing(store, fault, monkeypatch)
    first, second = entry(one, 1, "a", key="1"), replace(entry(two, 1, "b", key="2"), summary=None)
    refused = together(store, first)[0]
    if isinstance(refused, NotStored):  # PostgreSQL's writer has asked once more itself
        assert refused.code == ("not-known" if fault is not MemoryError else "store-unwritable")
    assert together(store, second) == [Stored(2)]
    assert store.read(two) == ["setup", "b"]
    known = together(store, first)[0]
    assert known == Stored(2) if isinstance(refused, NotStored) else isinstance(known, Repeated)
    assert store.read(one) == ["setup", "a"]


@pytest.mark.parametrize("fault", FAULTS)
def test_a_writer_goes_on_after_an_unknown_fault(
    fault: type[BaseException], store: HouseStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    of, told, left = table(store), SimpleQueue[Outcome](), [fault] * 3
    transactions = store._writer._transactions  # type: ignore[attr-defined]
    whole, seen = transactions.write, list[str]()

    def fails(works: Sequence[object]) -> object:
        if left:
            raise left.pop()("outside of all that is caught")
        return whole(works)

    monkeypatch.setattr(threading, "excepthook", lambda fault: seen.append(str(fault.exc_value)))
    monkeypatch.setattr(transactions, "write", fails)
    outcomes = []
    for _ in range(4):
        store.submit([(entry(of, 1, "a", key="1"), told.put)])
        outcomes.append(told.get(timeout=10))
    assert [getattr(outcome, "code", outcome) for outcome in outcomes] == ["not-known"] * 3 + [Stored(2)]
    assert seen == ["outside of all that is caught"] * 3, "each is told in the log"


def test_one_who_is_told_and_ends_the_thread_ends_it_for_nobody(
    store: HouseStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ends(_: object) -> None:
        raise SystemExit

    of, told, faults = table(store), SimpleQueue[Outcome](), SimpleQueue[threading.ExceptHookArgs]()
    monkeypatch.setattr(threading, "excepthook", faults.put)
    store.submit([(entry(of, 1, "a"), ends)])
    store.submit([(entry(of, 2, "b"), told.put)], ends)
    store.submit([(entry(of, 3, "c"), told.put)])
    assert told.get(timeout=10) == Stored(4)
    assert [faults.get(timeout=10).exc_type for _ in range(2)] == [SystemExit, SystemExit]


def test_settings_are_kept_replaced_and_settled(again: Open) -> None:
    told: SimpleQueue[object] = SimpleQueue()
    with closing(again()) as store:
        assert (store.settle("name", b"first"), store.settle("name", b"second")) == (b"first", b"first")
        store.submit_setting("name", b"third\0", told.put)
        told.get(timeout=30)
        store.probe(told.put)
        assert told.get(timeout=30) is None
    with closing(again()) as store:
        assert (store.setting("name"), store.setting("other")) == (b"third\0", None)


def test_a_person_can_forget_a_table(store: HouseStore) -> None:
    of = store.open_table("AAAAAA", "setup", summary_of("over", 10, "ann", "bob"))
    told: SimpleQueue[object] = SimpleQueue()
    store.submit_forgetting(of, "ann", told.put)
    assert told.get(timeout=30) is True
    assert (store.sat("ann", "AAAAAA"), store.sat("bob", "AAAAAA")) == (False, True)


def test_short_codes_in_use_are_counted(store: HouseStore) -> None:
    for name, stage in (("AAAAAA", "playing"), ("BBBBBB", "over"), ("CCCCCCCCC", "over")):
        store.open_table(name, "setup", summary_of(stage, 5))
    assert (store.short_codes(5, 5, 9), store.short_codes(5, 6, 9), store.short_codes(6, 6, 9)) == (2, 1, 0)
    assert store.short_codes(5, 5, 1) == 1


def ordered_as(store: HouseStore, code: str, key: str | None) -> object:
    told: SimpleQueue[object] = SimpleQueue()
    store.submit_table(code, ["setup"], summary_of("gathering", 10), told.put, key=key)
    outcome = told.get(timeout=10)
    return outcome.code if isinstance(outcome, NotStored) else outcome


def test_one_key_opens_one_table_and_never_a_second(again: Open) -> None:
    with closing(again()) as store:
        assert store.ordered("ann one") is None
        assert [ordered_as(store, code, "ann one") for code in ("AAAAAA", "BBBBBB")] == ["AAAAAA", "AAAAAA"]
        assert ordered_as(store, "AAAAAA", "ann two") == "code-taken"
        assert ordered_as(store, "CCCCCC", "ann two") == "CCCCCC"
        assert [ordered_as(store, letter * 6, None) for letter in "DE"] == ["DDDDDD", "EEEEEE"]
    with closing(again()) as store:
        assert (store.ordered("ann one"), store.ordered("ann two")) == ("AAAAAA", "CCCCCC")
        assert ordered_as(store, "FFFFFF", "ann one") == "AAAAAA"
        assert len(store.tables()) == 4
