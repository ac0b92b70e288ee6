"""When a table was played at last, as the lists of tables have it."""

from support.house import HOUR, MINUTE, Pub, seated

ALL = [0, 1, 2, 3, 4, 5]


async def test_when_a_table_was_played_at_last_is_written_down_once_an_hour(pub: Pub) -> None:
    ann, bob, code = await seated(pub, rules={"format": "rounds 9"})
    await ann.done(code, "roll")

    def updated() -> int:
        [(at,)] = pub.store._rows("SELECT updated FROM tables")
        return int(at)

    written, opened = set[int](), pub.clock.ms
    for number in range(30):
        await pub.sleep(10 * MINUTE)
        await ann.done(code, "mark", marks=[number % 6])
        written.add(updated())
        assert 0 <= pub.clock.ms - updated() < HOUR
    assert len(written) <= 1 + (pub.clock.ms - opened) // HOUR + 1
    await ann.done(code, "bank", marks=ALL)
    before = updated()
    await bob.done(code, "give")
    assert updated() == pub.clock.ms >= before, "who comes and goes is written at once"
