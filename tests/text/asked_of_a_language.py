"""Asks a house that has a language more for pages in it, and prints what it answers as JSON.

Run by ``test_a_new_language`` with the copy before the house in PYTHONPATH.
"""

import asyncio
import json
import sys
from pathlib import Path

from made_up_language import CODE
from pubdice.text.catalogues import CODES, language, native_names
from pubdice.text.word_lists import LANGUAGES
from support.house import Pub


async def asked(folder: Path) -> dict[str, object]:
    """What is found of the language, by the place it was looked for."""
    pub = Pub(folder / "house.db")
    await pub.open()
    ann = pub.client("Ann", CODE)
    code = await ann.order()
    pages = {"front": "/", "rules": "/rules/midnight", "help": "/help"}
    found: dict[str, object] = {name: (await ann.get(path, "text/html")).text for name, path in pages.items()}
    found["table"] = (await ann.page(code)).text
    english = pub.client("Bob")
    found["English front"] = (await english.get("/", "text/html")).text
    found["languages"] = (await english.get("/language?back=/help", "text/html")).text
    found["chosen"] = (await english.send("/language", language=CODE, back="/")).headers["set-cookie"]
    said = language(CODE)
    found["plurals"] = [said.count("{number} round", "{number} rounds", number) for number in (1, 3, 12)]
    found["numbers"] = [said.number(0.5, 1), said.whole(12345)]
    found["codes"], found["names"], found["with words"] = CODES, native_names(), LANGUAGES
    await pub.close()
    pub.sound()
    return found


if __name__ == "__main__":
    print(json.dumps(asyncio.run(asked(Path(sys.argv[1])))))
