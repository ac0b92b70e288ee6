"""The opened seals of sealed dice, in a file of their own: a line ``CHAIN/NUMBER`` for each, 20 bytes a match.

If an older copy of the tables is restored, this file stays. So no match goes on under a seed that people know.
"""

import os
from pathlib import Path

from pubdice.core.errors import NotStored
from pubdice.core.seal import Seal


class OpenedSealsFile:
    """The opened seals of a house.

    Only the last seal of a chain counts, because all earlier seeds follow from its seed.
    """

    def __init__(self, file: Path) -> None:
        """Read the file, if it exists. Raise NotStored("secret-file") if it cannot be read."""
        self._file, self._last = file, dict[str, int]()
        try:
            lines = file.read_text("ascii").splitlines() if file.exists() else []
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else ""
            raise NotStored("secret-file", file=str(file), reason=reason or "") from None
        for line in lines:
            chain, _, number = line.partition("/")
            if number.isdecimal():  # ignore a last line that a crash cut short
                self._last[chain] = max(int(number), self._last.get(chain, 0))

    def is_opened(self, seal: Seal) -> bool:
        """Return True if this seal, or a later seal of its chain, was opened."""
        return seal.number <= self._last.get(seal.chain, 0)

    def note(self, seal: Seal) -> None:
        """Note the seal, if it is not yet noted.

        A failed write is ignored, because it must not stop a match that is over.
        """
        if self.is_opened(seal):
            return
        self._last[seal.chain] = seal.number
        try:
            with self._file.open("a+b") as file:
                if end := file.seek(0, os.SEEK_END):
                    file.seek(end - 1)
                    cut_short = file.read(1) != b"\n"
                    file.write(b"\n" if cut_short else b"")
                file.write(f"{seal.table}\n".encode("ascii"))
                file.flush()
                os.fsync(file.fileno())
        except OSError:
            return
