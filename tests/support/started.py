"""A command in a process of its own, which is forked: what it said, and how it left."""

from collections.abc import Mapping
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryFile
from types import TracebackType
from typing import Self

from support.console import COMMAND
from support.forked_process import ForkedProcess


class Started(ForkedProcess):
    """A command and its streams. folder: in which it is asked; stdin: the number of an open file."""

    def __init__(
        self, *words: str | Path, environ: Mapping[str, str], folder: Path | None = None, stdin: int | None = None
    ) -> None:
        self._errors = TemporaryFile()  # noqa: SIM115 - until it has ended
        with chdir(folder or Path.cwd()):
            super().__init__(str(COMMAND), [*map(str, words)], self._errors.fileno(), environ, stdin)

    def communicate(self, timeout: float) -> tuple[str, str]:
        """All that it said. Raises subprocess.TimeoutExpired, and ends it, if it still runs after so many seconds."""
        with self:
            self.wait(timeout)
            return self.stdout.read(), self.errors()

    def errors(self) -> str:
        """What it has written to its standard error."""
        self._errors.seek(0)
        return self._errors.read().decode()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Wait for its end if all went well."""
        try:
            if kind is None:
                self.wait(60)
        finally:
            self.kill()
            self.wait()
            self.stdout.close()
            self._errors.close()
