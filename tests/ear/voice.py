"""A voice that only writes down: when it begins a text, and when it ends it or is cut off. It lasts as speech would.

Called by speech-dispatcher with a text on its input; EAR_SPOKEN names the file, EAR_MS_A_LETTER the speed.
"""

import json
import os
import signal
import sys
import time
from types import FrameType


def main() -> None:
    """Speak what comes in."""
    text = sys.stdin.read().strip()

    def write(what: str) -> None:
        line = json.dumps({"at": time.time(), "voice": os.getpid(), "what": what, "text": text})
        with open(os.environ["EAR_SPOKEN"], "a", encoding="utf-8") as file:
            file.write(line + "\n")

    def cut(_number: int, _frame: FrameType | None) -> None:
        write("cut")
        os._exit(0)

    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, cut)
    write("begin")
    time.sleep(len(text) * float(os.environ.get("EAR_MS_A_LETTER", "55")) / 1000)
    write("end")


if __name__ == "__main__":
    main()
