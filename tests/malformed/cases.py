"""What a malformed case is, and how a fault's place is shown in one: »like this« in the text itself."""

from dataclasses import dataclass

BEGINS, ENDS = "»", "«"


@dataclass(frozen=True)
class BadRecord:
    """A record that must be refused: why, the exit status, a piece of the sentence, and the text.

    »…« in the text frames what the sentence must point at; without it the place is not checked.
    """

    why: str
    status: int
    says: str
    text: str | bytes

    @property
    def data(self) -> bytes:
        """The record as it comes, frames taken out."""
        return self.text if isinstance(self.text, bytes) else self.text.replace(BEGINS, "").replace(ENDS, "").encode()

    @property
    def place(self) -> tuple[int, int, str] | None:
        """Line and column from 1, and what stood there."""
        if isinstance(self.text, bytes) or BEGINS not in self.text:
            return None
        before, _, rest = self.text.partition(BEGINS)
        line = before.count("\n") + 1
        return line, len(before) - (before.rfind("\n") + 1) + 1, rest.partition(ENDS)[0]


@dataclass(frozen=True)
class BadCommand:
    """Words after ``pubdice`` that must be refused: why, the exit status, a piece of the sentence, and the words."""

    why: str
    status: int
    says: str
    words: tuple[str, ...]
    typed: str = ""


@dataclass(frozen=True)
class BadAnswer:
    """A line typed at a table that must be refused: why, at which scene, a piece of the sentence, the line.

    does: events that its sound beginning still does, as the log has them.
    """

    why: str
    scene: str
    says: str
    line: str
    does: tuple[str, ...] = ()
