from pathlib import Path

import numpy as np
import pytest

from pubdice.solve.arrays import load, store
from pubdice.solve.race.race import SolvedRace, plain_pay, solve
from pubdice.solve.race.solutions import race_key, solve_stored
from solve.automata import any_automaton

ARRAYS = {"values": np.arange(12.0).reshape(3, 4), "chosen": np.arange(3, dtype=np.uint8)}
LAYOUT = {"values": ((3, 4), "<f8"), "chosen": ((3,), "|u1")}


def test_what_was_stored_is_read(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "down"
    assert store(folder, "name", "key", ARRAYS)
    read = load(folder, "name", "key", LAYOUT)
    assert read is not None
    assert all((read[name] == ARRAYS[name]).all() for name in ARRAYS)
    assert [path.name for path in folder.iterdir()] == ["name.npz"]


def test_another_key_name_shape_type_or_set_of_arrays_is_not_read(tmp_path: Path) -> None:
    store(tmp_path, "name", "key", ARRAYS)
    assert load(tmp_path, "other", "key", LAYOUT) is None
    assert load(tmp_path, "name", "other", LAYOUT) is None
    assert load(tmp_path, "name", "key", LAYOUT | {"values": ((4, 3), "<f8")}) is None
    assert load(tmp_path, "name", "key", LAYOUT | {"values": ((3, 4), "<i8")}) is None
    assert load(tmp_path, "name", "key", LAYOUT | {"values": ((1, 1), "<f8")}) is None
    assert load(tmp_path, "name", "key", LAYOUT | {"more": ((1,), "<f8")}) is None
    assert load(tmp_path, "name", "key", {"values": LAYOUT["values"]}) is None


def test_a_file_cut_short_anywhere_is_not_read(tmp_path: Path) -> None:
    store(tmp_path, "name", "key", ARRAYS)
    path = tmp_path / "name.npz"
    whole = path.read_bytes()
    for length in range(0, len(whole), 7):
        path.write_bytes(whole[:length])
        assert load(tmp_path, "name", "key", LAYOUT) is None


def test_a_bit_turned_anywhere_is_seen_or_does_no_harm(tmp_path: Path) -> None:
    store(tmp_path, "name", "key", ARRAYS)
    path = tmp_path / "name.npz"
    whole = path.read_bytes()
    for place in range(len(whole)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 16]) + whole[place + 1 :])
        read = load(tmp_path, "name", "key", LAYOUT)
        assert read is None or all((read[name] == ARRAYS[name]).all() for name in ARRAYS)


def test_numbers_changed_by_somebody_who_writes_a_whole_file_are_not_read(tmp_path: Path) -> None:
    store(tmp_path, "name", "key", ARRAYS)
    with np.load(tmp_path / "name.npz") as stored:
        told = {name: stored[name] for name in stored.files}
    np.savez(tmp_path / "name.npz", **(told | {"values": ARRAYS["values"] + 1}))
    assert load(tmp_path, "name", "key", LAYOUT) is None


def test_pickles_are_not_read(tmp_path: Path) -> None:
    np.savez(tmp_path / "name.npz", key="key", checksum="", values=np.array([print]), chosen=ARRAYS["chosen"])
    assert load(tmp_path, "name", "key", LAYOUT) is None


def test_a_folder_that_cannot_be_written_only_stores_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("no folder")
    assert not store(tmp_path / "file", "name", "key", ARRAYS)

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pubdice.solve.arrays.np.savez", full)
    assert not store(tmp_path, "name", "key", ARRAYS)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pubdice.solve.race.solutions.LEAST_NUMBERS", 1)


@pytest.mark.usefixtures("small")
def test_a_stored_race_is_read_and_a_damaged_or_wrong_one_is_solved_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    automaton, pay, solutions = any_automaton(5), plain_pay(3), []

    def counted(*given: object, **named: object) -> SolvedRace:
        if given[1] == 3:  # one of two seats is solved on the way
            solutions.append(given)
        return solve(*given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr("pubdice.solve.race.solutions.solve", counted)
    first = solve_stored(automaton, pay, tmp_path)
    again = solve_stored(automaton, pay, tmp_path)
    assert len(solutions) == 1
    assert (first.values == again.values).all()
    assert (first.policy == again.policy).all()
    assert again.residual <= 1e-14
    (path,) = tmp_path.iterdir()
    path.write_bytes(path.read_bytes()[:-40])
    solve_stored(automaton, pay, tmp_path)
    store(tmp_path, path.stem, race_key(automaton, pay), {"values": first.values + 1e-9})  # whole, but wrong
    solve_stored(automaton, pay, tmp_path)
    assert len(solutions) == 3
    assert (solve_stored(automaton, pay, tmp_path).values == first.values).all()
    assert len(solutions) == 3


@pytest.mark.usefixtures("small")
def test_another_automaton_or_prize_has_another_file(tmp_path: Path) -> None:
    for seed in (5, 6):
        for pay in (plain_pay(3), plain_pay(3) * 2):
            solve_stored(any_automaton(seed), pay, tmp_path)
    assert len(list(tmp_path.iterdir())) == 4


def test_without_a_folder_and_for_small_races_nothing_is_kept(tmp_path: Path) -> None:
    solve_stored(any_automaton(5), plain_pay(3), None)
    solve_stored(any_automaton(5), plain_pay(3), tmp_path)
    assert not list(tmp_path.iterdir())
