"""Plug-ins: the games of other installed packages, found by their entry points.

A package names its kit in the entry point group ``pubdice.games``, under the name of the game. If a game is broken, it
is left out with a sentence that says why (``LeftOut``), and all other games still load.
"""

import os
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pubdice.core.errors import Failure
from pubdice.core.game import Game
from pubdice.failures import reason_of
from pubdice.kit import Kit
from pubdice.text.game_words import GameWords
from pubdice.text.language import shorten

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "pubdice.games"
NAME = re.compile(r"[a-z0-9]{1,16}", re.ASCII)
"""The form of a game's name. Names appear in URLs, in records and on the command line."""
_INFO = (".dist-info", ".egg-info")
_SECTION = f"[{GROUP}]".encode()


@dataclass(frozen=True, slots=True)
class LeftOut:
    """An installed game that cannot be played."""

    name: str
    package: str
    why: str
    """The reason, a clause without a full stop."""

    @property
    def sentence(self) -> str:
        """The sentence that tells the operator which game is left out, and why."""
        return f"The game {self.name} of {self.package} is left out: {self.why}."


@dataclass(frozen=True, slots=True)
class InstalledGames:
    """The games of other packages: the playable ones, and the ones that are left out."""

    left_out: tuple[LeftOut, ...] = ()
    entries: Mapping[str, str] = field(default_factory=dict)
    """The entry point of each game that can be played, by the name of the game."""

    def files(self) -> dict[str, Path]:
        """Return all files of the games' packages, by their paths relative to the import folder."""
        found: dict[str, Path] = {}
        for value in self.entries.values():
            top = Path(str(sys.modules[_top(value)].__file__)).parent
            found |= {file.relative_to(top.parent).as_posix(): file for file in sorted(top.rglob("*"))}
        return {path: file for path, file in found.items() if file.is_file()}

    def metadata(self) -> dict[str, bytes]:
        """Build a ``.dist-info`` folder that lists all entry points, so another Python finds the games.

        The keys are file paths. The result is empty if no other package's game can be played.
        """
        if not self.entries:
            return {}
        lines = [f"[{GROUP}]", *(f"{name} = {value}" for name, value in self.entries.items()), ""]
        about = "Metadata-Version: 2.1\nName: pubdice-games\nVersion: 0\n"
        folder = "pubdice_games-0.dist-info"
        return {f"{folder}/METADATA": about.encode(), f"{folder}/entry_points.txt": "\n".join(lines).encode()}


def _top(value: str) -> str:
    return value.partition(":")[0].partition(".")[0].strip()


def is_any_installed() -> bool:
    """Return True if an installed package lists games in its entry points.

    This searches the raw files, because ``importlib.metadata`` would parse the entry points of every package at each
    start.
    """
    for folder in sys.path:
        try:
            names = os.listdir(folder or ".")
        except OSError:  # an archive, or a missing folder
            continue
        for name in names:
            if name.endswith(_INFO):
                try:
                    with open(f"{folder or '.'}/{name}/entry_points.txt", "rb") as file:
                        if _SECTION in file.read():
                            return True
                except OSError:
                    continue
    return False


def add_installed(games: dict[str, Kit]) -> InstalledGames:
    """Add the games of other packages to ``games``, sorted by name. Return the games added and those left out."""
    if not is_any_installed():
        return InstalledGames()
    from importlib.metadata import entry_points  # noqa: PLC0415  most installations have no such game

    left_out, entries = list[LeftOut](), dict[str, str]()
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: (entry.name, _package(entry))):
        taken = f'another game is called "{entry.name}"' if entry.name in games else ""
        if why := taken or _load(entry, games):
            left_out.append(LeftOut(shorten(entry.name), _package(entry), why))
        else:
            entries[entry.name] = entry.value
    return InstalledGames(tuple(left_out), entries)


def _package(entry: "EntryPoint") -> str:
    return entry.dist.name if entry.dist is not None else entry.module


def _load(entry: "EntryPoint", games: dict[str, Kit]) -> str:
    """Add the game of an entry point to ``games``. Return "", or the reason why the game was not added."""
    from pubdice.guarded import LOADING, guard, guarding, start_timer  # noqa: PLC0415  only installed games need it

    start_timer()
    try:
        with guarding(shorten(entry.name), ticks=LOADING):
            kit = entry.load()
            why = fault_of(kit, entry.name)
        if not hasattr(sys.modules[_top(entry.value)], "__path__"):
            why = "it is one module, and a game is a package, a folder"
        if not why:
            games[entry.name] = guard(kit, _top(entry.value))
    except Failure as error:  # a plug-in may raise anything; other games must load
        return str(error.facts.get("why") or reason_of(error)).rstrip(".: ")
    return why


def fault_of(kit: Any, name: str) -> str:
    """Return the reason why this kit cannot be played under this name, as a clause. Return "" if it can.

    This checks everything that pages show of every game, because one broken kit would break those pages. Exceptions of
    the kit itself pass through.
    """
    if not isinstance(kit, Kit):
        return f"its entry point names a {type(kit).__name__}, not a Kit"
    if not NAME.fullmatch(name):
        return f'"{shorten(name)}" is no name of a game, which has up to 16 of a to z and 0 to 9'
    if kit.name != name:
        return f'its kit is called "{shorten(kit.name)}"'
    if not kit.formats or not kit.policies or not kit.names:
        return "its kit has no " + ("formats" if not kit.formats else "policies" if not kit.policies else "names")
    for option in kit.options:
        if not option.choices or len(option.choices) != len(option.meanings):
            return f'its option "{option.key}" does not say what each choice means'
    game = kit.usual_game
    for what, made, protocol in (("rules", game, Game), ("words", kit.words, GameWords)):
        missing = [each for each in _members(protocol) if not hasattr(made, each)]
        if missing:
            return f"its {what} lack {', '.join(missing)}"
    if not (kit.words.title and kit.words.tagline and kit.page("en")):
        return "it lacks its title, its tagline or its page of rules"
    state = game.start(game.least_seats)
    if not game.to_roll(state) and not game.legal(state):
        return "its round begins with nothing to roll and nothing to choose"
    return ""


def _members(protocol: type) -> list[str]:
    """Return the names of the public attributes and methods that a protocol requires."""
    return sorted(name for each in protocol.__mro__ for name in vars(each) if name[0] != "_" and each is not object)
