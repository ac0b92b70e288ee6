"""Templates for the smallest possible game, as a package to start from: three dice a seat, the highest sum wins. The
rules come from ``TurnGame``, so an author has almost nothing to delete. This module depends on no game.
"""

from pathlib import Path

from pubdice.core.errors import Refused
from pubdice.games.installed import GROUP, NAME

PROJECT = """\
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "pubdice-{name}"
version = "0.1.0"
description = "{title}, a dice game for pubdice."
requires-python = ">=3.11"
dependencies = ["pubdice"]

[project.entry-points."{group}"]
{name} = "pubdice_{name}:KIT"

[tool.hatch.build.targets.wheel]
packages = ["src/pubdice_{name}"]

[tool.ruff]
line-length = 120
"""
KIT = '''\
"""{title}, a dice game for pubdice."""

from functools import partial

from pubdice.core.game import uniform
from pubdice.kit import Kit
from pubdice.match.formats import POT, ROUNDS
from pubdice.text.catalogues import page

from .rules import {words}Rules, tip
from .words import {words}Words

__all__ = ["KIT"]

KIT = Kit(
    name="{name}",
    options=(),
    build=lambda options: {words}Rules(),
    formats=(ROUNDS, POT),
    names=("Ann", "Bob"),
    draws_from=0,
    words={words}Words(),
    policies={{"tip": tip, "lucky": uniform}},
    rules=partial(page, __name__),
)
'''
RULES = '''\
"""One round of {title}. A seat rolls three dice and keeps at least one of each roll. The highest sum wins."""

from dataclasses import dataclass
from typing import ClassVar

from pubdice.core.dice import Hand
from pubdice.core.game import Keep, RoundState, TurnGame

GOOD = 5


@dataclass(frozen=True, slots=True)
class {words}Rules(TurnGame):
    """The rules of a game of one turn a seat, with three dice."""

    number_of_dice: ClassVar[int] = 3
    one_turn_each: ClassVar[bool] = True

    def worth(self, hand: Hand) -> int:
        """Return the sum of the three dice."""
        return sum(hand)


def tip(game: {words}Rules, state: RoundState) -> tuple[tuple[Keep, int], ...]:
    """Keep every 5 and 6. If there is none, keep the highest die."""
    kept = tuple(face for face in state.free if face >= GOOD) or (max(state.free),)
    return ((Keep(kept), 1),)
'''
WORDS = '''\
"""The sentences of {title}."""

from pubdice.text.turn_words import TurnWords

from .rules import {words}Rules


class {words}Words(TurnWords[{words}Rules]):
    """Sentences for a game of one turn a seat. The title is the game's name, and the tagline the game in half a line.

    Write each sentence as one string, with facts in braces. pubdice reads this file to find them.
    """

    title = "{title}"
    tagline = "three dice: keep one at least, score high"
'''
PAGE = """\
# {title}

Each player has one turn in a round, with 3 dice.

- Roll all dice and keep at least one.
- Roll the others again, until you have kept all 3.
- Your score is the sum of your dice, 18 at best.

The highest score wins the round.

## How Tip plays

The bot Tip keeps every 5 and 6. If that keeps no die, it keeps its highest.
"""


def new_game(name: str, folder: Path) -> list[Path]:
    """Write a game of this name into an empty or new folder, and return its files. Raises Refused or OSError."""
    if not NAME.fullmatch(name) or not name[0].isalpha():
        raise Refused("game-name")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise Refused("folder-used", folder=str(folder))
    package = folder / "src" / f"pubdice_{name}"
    facts = {"name": name, "title": name.capitalize(), "words": name.capitalize(), "group": GROUP}
    files = {
        folder / "pyproject.toml": PROJECT,
        package / "__init__.py": KIT,
        package / "rules.py": RULES,
        package / "words.py": WORDS,
        package / "RULES.md": PAGE,
        package / "py.typed": "",
    }
    package.mkdir(parents=True)
    for path, text in files.items():
        path.write_text(text.format(**facts), encoding="utf-8")
    return list(files)
