"""A desk with a screen reader: display, session bus, speech-dispatcher with a voice that writes down, Orca, a browser.

All of it is private to the test: no part of it touches a display, a bus or a profile that was there before. What the
voice was given is what a person would have heard.
"""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from ear.browsers import Browser, Chromium
from ear.transcript import Transcript
from support.firefox import FIREFOX, Firefox
from support.ports import free_port

MS_A_LETTER = os.environ.get("EAR_MS_A_LETTER", "6")
"""How fast is spoken: 55 is Orca's usual speed, 25 a practised ear's; assertions hold at any."""
NEEDED = ("Xvfb", "dbus-daemon", "speech-dispatcher", "orca", "openbox", "xdotool", "gdbus")
PROGRAMS = {"chromium": "chromium", "firefox": FIREFOX}
SPEECH = """LogLevel 1
AudioOutputMethod "alsa"
AudioALSADevice "null"
LogDir "{folder}"
DefaultVolume 100
DefaultLanguage "en"
AddModule "ear" "sd_generic" "ear.conf"
DefaultModule ear
"""
MODULE = """Debug 0
GenericExecuteSynth "printf %s \\'$DATA\\' | {python} -S {voice}"
GenericCmdDependency "printf"
GenericMaxChunkLength 4000
GenericRecodeFallback "?"
GenericLanguage "en" "en" "utf-8"
AddVoice "en" "MALE1" "en"
DefaultVoice "MALE1"
"""
KEYS = "<openbox_config><keyboard/></openbox_config>"
"""No keys of the window manager's own: Alt, Shift and arrows walk a table's cells, and it would move the window."""
READY_S = 40.0


def missing(browser: str) -> list[str]:
    """The programs that are not installed."""
    return [name for name in (*NEEDED, PROGRAMS[browser]) if shutil.which(name) is None]


@dataclass
class Desk:
    """The desk: what is heard, the browser, and the keyboard."""

    heard: Transcript
    browser: Browser
    env: Mapping[str, str]

    def press(self, *keys: str) -> None:
        """Press keys, one after another, and wait until the answer has been spoken."""
        for key in keys:
            self.strike(key)
            self.heard.settle()

    def strike(self, key: str) -> None:
        """Press a key, and wait for nothing."""
        self.heard.note("key", key)
        subprocess.run(["xdotool", "key", "--clearmodifiers", key], check=True, env=self.env)

    def orca(self, letter: str, times: int = 1) -> None:
        """A command of Orca's own: Insert and a letter; some are another one where the letter comes twice."""
        self.heard.note("key", f"Insert {letter * times}")
        for verb, key in (("keydown", "Insert"), *[("key", letter)] * times, ("keyup", "Insert")):
            subprocess.run(["xdotool", verb, key], check=True, env=self.env)
            time.sleep(0.1)
        self.heard.settle()

    def type(self, text: str) -> None:
        """Type a line, with Enter at its end, and wait until the answer has been spoken."""
        self.enter(text)
        self.heard.settle()

    def enter(self, text: str) -> None:
        """Type a line, with Enter at its end, and wait for nothing."""
        self.write(text)
        self.strike("Return")

    def write(self, text: str) -> None:
        """Type text into what has the focus, and wait for nothing."""
        self.heard.note("type", text)
        subprocess.run(["xdotool", "type", "--delay", "25", text], check=True, env=self.env)

    def hush(self) -> None:
        """Stop speech, as people do who know the page."""
        subprocess.run(["xdotool", "key", "Control_L"], check=True, env=self.env)
        self.heard.settle()


@contextmanager
def desk(folder: Path, browser: str) -> Iterator[Desk]:
    """A desk of one's own; everything on it is put away at the end."""
    for name in ("run", "home", "modules", "orca"):
        (folder / name).mkdir()
    (folder / "run").chmod(0o700)
    spoken = folder / "spoken.jsonl"
    spoken.touch()
    (folder / "home" / ".asoundrc").write_text("pcm.!default { type null }\nctl.!default { type null }\n")
    (folder / "speechd.conf").write_text(SPEECH.format(folder=folder))
    voice = Path(__file__).with_name("voice.py")
    (folder / "modules" / "ear.conf").write_text(MODULE.format(python=sys.executable, voice=voice))
    env = {
        **os.environ,
        "HOME": str(folder / "home"), "XDG_RUNTIME_DIR": str(folder / "run"), "LANG": "C.UTF-8",
        "ACCESSIBILITY_ENABLED": "1", "GNOME_ACCESSIBILITY": "1", "GTK_MODULES": "gail:atk-bridge",
        "GSETTINGS_BACKEND": "memory", "EAR_SPOKEN": str(spoken), "EAR_MS_A_LETTER": MS_A_LETTER,
    }  # fmt: skip
    with ExitStack() as stack:
        shown, showing = os.pipe()
        screen = ("Xvfb", "-displayfd", str(showing), "-screen", "0", "1280x1000x24", "-nolisten", "tcp")
        _start(stack, folder, env, *screen, keeps=(showing,))
        os.close(showing)
        with os.fdopen(shown) as number:
            env["DISPLAY"] = f":{number.readline().strip()}"
        address = folder / "bus.address"
        with address.open("w") as out:
            bus = ("dbus-daemon", "--session", "--nofork", "--nopidfile", "--print-address")
            _start(stack, folder, env, *bus, out=out.fileno())
        env["DBUS_SESSION_BUS_ADDRESS"] = _wait(lambda: address.read_text().strip())
        for fact in ("IsEnabled", "ScreenReaderEnabled"):
            subprocess.run(
                ["gdbus", "call", "--session", "--dest", "org.a11y.Bus", "--object-path", "/org/a11y/bus", "--method",
                 "org.freedesktop.DBus.Properties.Set", "org.a11y.Status", fact, "<true>"],
                check=True, env=env, capture_output=True, timeout=20,
            )  # fmt: skip
        (folder / "openbox.xml").write_text(KEYS)
        _start(stack, folder, env, "openbox", "--config-file", str(folder / "openbox.xml"))
        (folder / "run" / "speech-dispatcher").mkdir(mode=0o700)
        _start(stack, folder, env, "speech-dispatcher", "-s", "-t", "0", "-C", str(folder))
        _wait(lambda: any((folder / "run" / "speech-dispatcher").iterdir()))
        transcript = Transcript(spoken, folder / "transcript.txt", float(MS_A_LETTER))
        stack.callback(transcript.close)
        _start(stack, folder, env, "orca", "-u", str(folder / "orca"), "--debug-file", str(folder / "orca.debug"))
        transcript.wait_for("Screen reader on", READY_S)
        made = (Chromium if browser == "chromium" else Firefox)(folder, free_port())
        _start(stack, folder, env, *made.command())
        made.connect()
        stack.callback(made.close)
        yield Desk(transcript, made, env)


def _start(
    stack: ExitStack, folder: Path, env: Mapping[str, str], *command: str, keeps: tuple[int, ...] = (), out: int = 0
) -> None:
    """Start a part of the desk that is put away with it."""
    log = stack.enter_context((folder / f"{command[0]}.log").open("wb"))
    process = subprocess.Popen(command, env=env, stdout=out or log, stderr=log, pass_fds=keeps, cwd=folder)

    def end() -> None:
        process.terminate()
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    stack.callback(end)


def _wait(found: Callable[[], object], within_s: float = 20.0) -> str:
    """What is found in the end."""
    until = time.monotonic() + within_s
    while time.monotonic() < until:
        if value := found():
            return str(value)
        time.sleep(0.05)
    raise AssertionError("the desk is not ready")
