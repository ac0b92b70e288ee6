"""What was heard: every text the voice was given, in order, and whether it was cut off."""

import json
import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

SPACES = re.compile(r"\s+")


@dataclass
class Spoken:
    """A text: when it began, and whether it was spoken to its end."""

    text: str
    at: float
    whole: bool = False


class Transcript:
    """Follows the voice's file."""

    def __init__(self, file: Path, copy: Path, ms_a_letter: float) -> None:
        self.said: list[Spoken] = []
        self._file, self._ms, self._begun = file, ms_a_letter, time.time()
        self._log = copy.open("w", encoding="utf-8")
        self._voices: dict[int, Spoken] = {}
        self._last = time.monotonic()
        self._open = True
        self._follower = threading.Thread(target=self._follow, daemon=True)
        self._follower.start()

    def close(self) -> None:
        """Follow it no more."""
        self._open = False
        self._follower.join(2)
        self._log.close()

    def note(self, what: str, text: str) -> None:
        """Write something between the lines."""
        self._log.write(f"{time.time() - self._begun:7.1f}  {what:5} {text}\n")
        self._log.flush()

    def _follow(self) -> None:
        with self._file.open(encoding="utf-8") as file:
            rest = ""
            while self._open:
                rest += file.read()
                *lines, rest = rest.split("\n")
                for line in lines:
                    self._take(json.loads(line))
                time.sleep(0.03)

    def _take(self, line: dict[str, object]) -> None:
        self._last = time.monotonic()
        voice, what, text = int(str(line["voice"])), line["what"], SPACES.sub(" ", str(line["text"]))
        if what == "begin":
            spoken = Spoken(text, float(str(line["at"])))
            self._voices[voice] = spoken
            self.said.append(spoken)
            self.note("says", text)
        elif what == "end":
            self._voices.pop(voice).whole = True
        else:
            self._voices.pop(voice)
            self.note("(cut)", text)

    def settle(self, quiet_s: float = 0.9, most_s: float = 45.0) -> None:
        """Wait until nothing has been said for a while. A voice that was killed outright has no end of its own."""
        until = time.monotonic() + most_s
        time.sleep(0.25)
        while time.monotonic() < until:
            now = time.time()
            busy = [one for one in list(self._voices.values()) if now < one.at + len(one.text) * self._ms / 1000 + 0.5]
            if not busy and time.monotonic() - self._last > quiet_s:
                return
            time.sleep(0.03)

    def wait(self, found: Callable[[], bool], most_s: float = 6.0) -> None:
        """Wait until something is so, or for so long."""
        until = time.monotonic() + most_s
        while not found() and time.monotonic() < until:
            time.sleep(0.03)

    def wait_for(self, text: str, within_s: float) -> None:
        """Wait until something is spoken."""
        until = time.monotonic() + within_s
        while not any(text in one.text for one in self.said):
            assert time.monotonic() < until, f"never heard {text!r}: {[one.text for one in self.said][-20:]}"
            time.sleep(0.05)

    def since(self, mark: int) -> str:
        """All that was spoken to its end since a mark, as one text."""
        return " ".join(one.text for one in self.said[mark:] if one.whole)

    def cut(self, mark: int) -> list[str]:
        """What was begun since a mark and cut off."""
        return [one.text for one in self.said[mark:] if not one.whole]
