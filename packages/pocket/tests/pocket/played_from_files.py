"""A program that opens a built pocket from its files, without numpy, and plays a match. PYTHONPATH must have the files.

Its arguments are a folder for its tables, a game, and the rules of a match as JSON. It prints JSON: the games, the
pages of the game in both languages, the result of the match and its record.
"""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.modules["numpy"] = None  # type: ignore[assignment]  # before anything asks for it: a browser has none

from pocket.pockets import Answered, pocket
from pocket.pockets import page as asked
from pubdice.games import GAMES, INSTALLED
from pubdice_pocket.browser.pocket import Pocket

PAGES = ("/", "/rules/{}", "/ask/{}", "/drill/{}/1")
MOST_MOVES, MOST_PARTS = 2_000, 200


async def whole(here: Pocket, target: str) -> Answered:
    """Return a page, once the engine has computed it."""
    for _ in range(MOST_PARTS):
        if (answer := await asked(here, target)).status != 202:
            break
        await asyncio.sleep(0)
    return answer


async def play(here: Pocket, game: str, rules: dict[str, str]) -> dict[str, Any]:
    """Play a match against a bot, keeping every die each time, or holding if that is offered."""
    order = {
        "game": game,
        "name": "Ann",
        "people": 1,
        "bots": ["tip"],
        "pace_ms": 0,
        "rules": rules,
        "key": "opened-at-once",
    }
    link = f"/t/{(await asked(here, '/tables', order)).data['code']}"
    for number in range(MOST_MOVES):
        view = (await asked(here, f"{link}/state")).data["view"]
        if view["stage"] == "over":
            break
        if view["mover"] != 0:
            await asyncio.sleep(0.01)
            continue
        marks = [die["place"] for die in view["dice"] if die["marks"] is not None]
        do: dict[str, Any] = {"do": "roll", **({"marks": marks} if marks else {})}
        if any(move["move"] == "hold" for move in view["moves"]):
            do = {"do": "choose", "action": "hold"}
        done = await asked(here, link, {"key": f"move{number:012}", **do})
        assert done.status == 200, done.text
    return {"stage": view["stage"], "result": view["result"][0]["text"], "faces": view.get("faces")}


async def main(folder: Path, game: str, rules: dict[str, str]) -> dict[str, Any]:
    here = pocket(folder)
    await here.begin()
    found: dict[str, Any] = {"games": [*GAMES], "left_out": [each.sentence for each in INSTALLED.left_out]}
    for path in PAGES:
        answer = await whole(here, path.format(game))
        found[path] = [answer.status, answer.text]
    await asked(here, "/language", b"language=de")
    for path in PAGES:
        answer = await whole(here, path.format(game))
        found[f"de {path}"] = [answer.status, answer.text]
    found |= await play(here, game, rules)
    await here.end()
    return found


if __name__ == "__main__":
    print(json.dumps(asyncio.run(main(Path(sys.argv[1]), sys.argv[2], json.loads(sys.argv[3])))))
