"""Scenes: tables played up to a question, at which a bad answer is then typed."""

from dataclasses import dataclass

from support.console import Room, Told, dice

_MIDNIGHT = ("344512", "6326", "21", "3", "315426", "253", "66")
_FOURTWENTY = ("6541", "4332", "11", "6554")


@dataclass(frozen=True)
class Scene:
    """A command, what is typed up to the question, and a good answer to it."""

    command: str
    typed: tuple[str, ...]
    good: str
    rolls: tuple[str, ...] = ()

    def play(self, *more: str) -> tuple[Told, list[str]]:
        """What is said when more is typed, and the log."""
        room = Room(rolls=dice(*self.rolls))
        told = room.run(self.command, *self.typed, *more)
        return told, room.log()


def _house(game: str, good: str, *typed: str, keys: str = "face") -> Scene:
    rolls = _MIDNIGHT if game == "midnight" else _FOURTWENTY
    return Scene(f"play {game} --seats Ann,Bob --keys {keys}", typed, good, rolls)


def _real(game: str, good: str, *typed: str) -> Scene:
    return Scene(f"play {game} --seats Ann,Bob --dice real", typed, good)


SCENES = {
    "midnight, to roll": _house("midnight", "r"),
    "midnight, to choose": _house("midnight", "k 4 5 r", "r"),
    "midnight, by position": _house("midnight", "2 4 r", "r", keys="position"),
    "midnight, marked": _house("midnight", "r", "r", "4 5"),
    "midnight, second choice": _house("midnight", "6 6 r", "r", "k 4 5", "r"),
    "midnight, second choice by position": _house("midnight", "1 6 r", "r", "k 2 4", "r", keys="position"),
    "midnight, all marked": _house("midnight", "b", "r", "k 344512"),
    "midnight, real, to roll": _real("midnight", "344512"),
    "midnight, real, to choose": _real("midnight", "k 4 5 r", "344512"),
    "midnight, real, to roll the rest": _real("midnight", "6326", "344512", "k 4 5", "r"),
    "420, to roll": _house("420", "r"),
    "420, to choose": _house("420", "k 6 5 r", "r", "r"),
    "420, by position": _house("420", "k 1 2 r", "r", "r", keys="position"),
    "420, marked": _house("420", "r", "r", "r", "6 5"),
    "420, real, to roll": _real("420", "6541"),
    "420, real, to choose": _real("420", "k 6 5 r", "6541", "4332"),
    "420, real, to roll the rest": _real("420", "11", "6541", "4332", "k 6 5", "r"),
    "drinks, real, to draw": Scene("play 420 --seats Ann,Bob,Cid --format drinks --dice real", (), "Bob"),
}
