"""What a house forgets is freed at once: no reference cycle waits for a collection of the oldest objects."""

import gc
import weakref

from support.house import MINUTE, SECOND, Pub, play_out, seated


async def test_a_table_that_is_over_and_forgotten_leaves_memory_without_a_collection(pub: Pub) -> None:
    ann, bob, code = await seated(pub, rules={"format": "rounds 1"})
    await play_out(pub, code, [ann, bob])
    actor = weakref.ref(pub.actor(code))
    gc.collect()
    gc.disable()
    try:
        await pub.advance(5 * MINUTE)
        assert code not in pub.house.actors
        carl, _, other = await seated(pub)  # the writer remembers its last group until the next
        await carl.done(other, "roll")
        await pub.advance(10 * SECOND)
        assert actor() is None
    finally:
        gc.enable()


async def test_match_after_match_leaves_nothing_of_the_house_in_a_cycle(pub: Pub) -> None:
    ann, bob, code = await seated(pub, rules={"format": "rounds 1"})
    await play_out(pub, code, [ann, bob])
    gc.collect()
    gc.disable()
    try:
        for _ in range(3):
            following = (await ann.ask(code, "rematch")).data["go"].removeprefix("/t/")
            await bob.ask(code, "rematch")
            code = following
            await play_out(pub, code, [ann, bob])
            await pub.advance(5 * MINUTE)
        gc.set_debug(gc.DEBUG_SAVEALL)
        gc.collect()
        left = {type(each).__qualname__ for each in gc.garbage if type(each).__module__.startswith("pubdice.")}
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()
    assert left == set()
