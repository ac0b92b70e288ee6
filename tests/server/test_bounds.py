"""What a house remembers for those who ask has a bound, however many ask: the latest stay."""

import pytest

from pubdice.server import evenings, match_records
from pubdice.server.evenings import Evenings
from pubdice.server.table import in_play
from pubdice.server.table.in_play import InPlay
from server.http.test_evening import chain
from support.house import Pub, play_out, seated


def test_addresses_that_opened_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(in_play, "REMEMBERED", 10)
    monkeypatch.setattr(in_play, "MOST_SHOWN", 2)
    tables = InPlay(lambda code: True)
    for number in range(50):
        tables.opened(f"10.0.{number // 3}.1", f"T{number}", number)
    assert len(tables._from) == 10
    assert tables.is_crowded(["T45", "T46", "T47"])


async def test_records_that_were_asked_for(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match_records, "MOST_RECORDS", 2)
    for _ in range(3):
        ann, bob, code = await seated(pub, game="threes", rules={"format": "rounds 1"})
        await play_out(pub, code, [ann, bob])
        assert (await ann.get(f"/t/{code}/record")).status == 200
    assert len(pub.house._records._latest) == 2


async def test_matches_of_evenings(pub: Pub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evenings, "MOST_KEPT", 2)
    _, _, codes = await chain(pub, "threes rounds 1", "threes rounds 1", "threes rounds 1")
    kept = Evenings(pub.house)
    for _ in range(2):
        whole = await kept.of(pub.actor(codes[-1]))
        assert [match.code for match in whole.matches] == [code.partition("-")[0] for code in codes]
        assert len(kept._over) == 2
