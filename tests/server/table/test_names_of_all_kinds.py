"""Names of emoji, with the apostrophe of phones and in small letters: seen, heard, written and read as they are."""

import html
import json

from pubdice.checked_record import read_checked
from pubdice.games import GAMES
from pubdice.match.sealed_record import check_dice
from pubdice.text.catalogues import language
from support.console import pubdice
from support.house import Pub, play_out
from support.html_tree import read

TYPED = ("🎲 Zoë", "O’Brien", "iris", "ßen", "👩‍👧", "♥")
KEPT = ("🎲 Zoë", "O'Brien", "iris", "ßen", "👩‍👧", "♥\ufe0f")


async def test_six_names_of_all_kinds_sit_down_play_and_are_read_again(pub: Pub) -> None:
    people = [pub.client(name) for name in TYPED]
    code = await people[0].order(game="ship", people=7, dice="sealed", rules={"format": "rounds 1"})
    streams = [await people[0].look(code)]
    for client in people[1:]:
        await client.done(code, "sit", name=client.name)
    for name in ("O'Brien", "Oʼbrien", "o´brien", "Iris", "❤️", "👩👧"):
        refused = await pub.client(name).ask(code, "sit", name=name)
        assert refused.data["code"] == "name-taken", refused.data
    people.append(pub.client("Bob"))
    await people[-1].done(code, "sit", name="Bob")
    for number, client in enumerate(people):
        await client.done(code, "seed", seed=f"seed {number}".replace(" ", ""))
    view = await pub.view(code)
    assert [seat["name"] for seat in view["seats"]] == [*KEPT, "Bob"]
    page = read((await people[3].page(code)).text)
    heard = " ".join(node.words() for node in page.all("span", **{"class": "said unseen"}))
    for name in KEPT:
        assert name in heard
    await pub.restart()
    streams.append(await people[1].look(code))
    await play_out(pub, code, people)
    record = (await people[0].get(f"/t/{code}/record")).text
    assert f"seats: {', '.join(KEPT)}, Bob\n" in record
    checked = read_checked(record, GAMES, language("en"))
    assert checked.header.names == (*KEPT, "Bob")
    assert check_dice(record).fault is None
    assert checked.steps[-1].after.over
    said = "\n".join(json.dumps(message.data, ensure_ascii=False) for each in streams for message in each.messages)
    for name in KEPT:
        assert f"{name} rolled " in said
        assert f"\n{name}: " in record
    for command in ("replay", "verify"):
        told = pubdice(command, "-", typed=record)
        assert told.status == 0, told
        if command == "replay":
            assert all(name in told.out for name in KEPT)
    shown = await people[0].send("/record", record=record)
    assert "\N{REPLACEMENT CHARACTER}" not in html.unescape(shown.text)
