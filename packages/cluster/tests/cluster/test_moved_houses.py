"""Tests of a house that moves to PostgreSQL and back: people play on, and repeated commands get the same bytes."""

from pathlib import Path

from support.console import pubdice
from support.house_process import House, Phone, run


def test_a_house_goes_on_in_a_database_and_in_a_file_again(tmp_path: Path, empty_database: str) -> None:
    bodies: dict[str, bytes] = {}

    async def play(house: House, code: str, *keys: str) -> None:
        """Send a command under each of these keys. Assert that a repeated key gets its first answer."""
        ann = Phone(house.port, "Ann")
        for key in keys:
            fields = {"do": "seed", "seed": "heads1"} if "seed" in key else {"do": "roll"}
            answer = await ann.do(code, key=key, **fields)
            assert bodies.setdefault(key, answer.body) == answer.body
            assert answer.status == 200, answer.body

    async def opened(house: House) -> str:
        return await Phone(house.port, "Ann").open_table(dice="sealed")

    keys = ["the-seed-1"]

    again = tmp_path / "again"
    again.mkdir()
    (tmp_path / "none").mkdir()
    with House(tmp_path) as house:
        code = run(opened(house))
        run(play(house, code, *keys))
    told = pubdice("move-house", str(tmp_path / "house.db"), empty_database, data=tmp_path)
    assert (told.status, told.out.count("\n")) == (0, 1), told
    with House(tmp_path / "none", "--store", empty_database) as house:
        run(play(house, code, *keys, "first-roll"))
        refused = pubdice("move-house", empty_database, str(again / "house.db"), data=tmp_path)
        assert "A house serves postgresql://" in refused.err
        told = pubdice("backup", str(tmp_path / "copy.zip"), "--store", empty_database, data=tmp_path)
        assert told.status == 0
        old = str(tmp_path / "house.db")
        told = pubdice("check", "--store", empty_database, "--against", old, data=tmp_path)
        assert told.status == 0, told
    assert pubdice("move-house", empty_database, str(again / "house.db"), data=tmp_path).status == 0
    for name in (".seals", ".players"):
        assert (again / f"house.db{name}").exists()
    assert (again / "house.db.seals").read_text() == (tmp_path / "house.db.seals").read_text()
    with House(again) as house:
        run(play(house, code, *keys, "first-roll"))
