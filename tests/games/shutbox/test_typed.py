"""Shut the Box as people type it: numbers name tiles, and refusals and help say so, wherever it is typed."""

import pytest

from pubdice.text.catalogues import language
from support.console import Room, dice
from support.house import Pub
from support.html_tree import read
from support.scripted_cup import ScriptedCup

TILES = {
    "en": "You can't do that now. Name tiles that are up and add up to the dice, such as 9.",
    "de": "Das geht jetzt nicht. Nenn offene Klappen, die zusammen die Würfel ergeben, etwa 9.",
    "es": "Eso ahora no puedes hacerlo. Nombra números abiertos que sumen los dados, como 9.",
}
SHUTS = {
    "en": "shut these tiles: they add up to the dice",
    "de": "diese Klappen schließen: zusammen ergeben sie die Würfel",
    "es": "cerrar estos números: suman los dados",
}
EXAMPLE = {"en": "9: Shut 9.", "de": "9: 9 schließen.", "es": "9: Cerrar 9."}
"""Said at a table, which knows the dice: 5 and 4 lie there."""
TOO_EARLY = {"en": "You can't choose yet.", "de": "Du kannst noch nichts wählen.", "es": "Todavía no puedes elegir."}


@pytest.mark.parametrize("code", TILES)
@pytest.mark.parametrize("line", ["1", "8", "2 3"])
def test_a_number_that_shuts_nothing_is_answered_with_tiles(code: str, line: str) -> None:
    room = Room(rolls=dice("54"), language=language(code))
    told = room.run("play shutbox --seats Ann,Bob", line, "r", line, "?")
    assert TOO_EARLY[code] in told.out
    assert TILES[code] in told.out
    assert f"  4 5     {SHUTS[code]}\n" in told.out


@pytest.mark.parametrize("code", TILES)
async def test_a_house_says_it_too(pub: Pub, code: str) -> None:
    pub.cup = ScriptedCup([(5, 4)])
    ann = pub.client("Ann", code)
    table = await ann.order(game="shutbox", rules={"format": "rounds 1"}, people=2)
    bob = pub.client("Bob")
    await bob.done(table, "sit", name="Bob")
    early = [await ann.ask(table, "type", text=line) for line in ("b", "1", "8")]
    assert all(TOO_EARLY[code] in each.data["why"] for each in early), [each.data for each in early]
    await ann.done(table, "type", text="r")
    for line in ("1", "8", "2 3", "b"):
        assert (await ann.ask(table, "type", text=line)).data["why"] == TILES[code]
    page = read((await ann.get(pub.house.link(table), "text/html")).text)
    told = (await ann.ask(table, "type", text="?")).data["said"]
    for said in (told, page.one("p", id="line-hint").words()):
        assert EXAMPLE[code] in said
    assert "b " not in told.split("h ")[0]
