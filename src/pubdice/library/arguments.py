"""What strangers hand in at the library's door, checked; and what is wrong with it, in one sentence of English."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from operator import index
from typing import Any

from pubdice.core.dice import Roll, are_faces, faces_in
from pubdice.core.errors import BadNotation, Failure
from pubdice.failures import explain
from pubdice.kit import Kit
from pubdice.text.language import Language

ENGLISH = Language()


@contextmanager
def told(kit: Kit | None = None, game: Any = None) -> Iterator[None]:
    """Failures inside say what is wrong in a sentence."""
    try:
        yield
    except Failure as error:
        error.told = error.told or explain(ENGLISH, error, kit.words if kit else None, game)
        raise


def dice_of(dice: Iterable[object]) -> Roll:
    """Dice as given: faces one by one, a sequence of them, or a text of digits. Raises BadNotation("face")."""
    given = list(dice)
    if len(given) == 1 and isinstance(given[0], Iterable):
        return _read(given[0]) if isinstance(given[0], str) else dice_of(given[0])
    try:
        faces = tuple([index(face) for face in given])  # type: ignore[arg-type]  # it says so itself
    except TypeError:
        faces = (0,)
    if not are_faces(faces):
        raise BadNotation("face", found=" ".join(map(str, given)))
    return faces


def _read(text: str) -> Roll:
    faces = faces_in(text, between=", ")
    if faces is None:
        raise BadNotation("face", found=text)
    return faces
