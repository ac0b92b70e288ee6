"""A house that acts as a test tells it: serves the page that the scripts expect, streams, answers, or stays silent."""

import json
import queue
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from pathlib import Path
from typing import Any

from pubdice.server.web import static_files

STATIC = Path(str(files("pubdice.server") / "web" / "static"))
CSP = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; form-action 'self'"

WORDS = {
    "lost": "Connection lost, trying again.", "back": "Back.",
    "sending": "Sending.", "unsent": "Not sent yet.",
    "failed": "Not accepted.", "clock": "{time} left", "left": "{number} seconds left.", "nothing": "Nothing yet.",
    "die": "{die}: {word}.", "kept": "kept", "free": "free", "locked": "That die is locked.", "copied": "Copied.",
    "no_dice": "No dice on the table.", "no_place": "No die in place {number}.", "no_face": "No {number} to choose.",
    "key_taken": "That key is taken.", "key_set": "Key changed.", "locked_word": "locked", "keep": "keep",
    "reroll": "reroll", "game": "Midnight", "your_turn": "Your turn", "no_line": "Waiting for the connection",
    "more": "{number} more to tap", "confirm": "Confirm {dice}", "to_go": "{face}; {number} to go.", "undo": "Undo",
    "all_in": "{dice}. Confirm.", "deleted": "Deleted. {number} to go.", "slot_full": "Die {number}: {face}. Change it",
    "away": "{name} is away, {time}.", "slot_empty": "Die {number}: still empty", "nudge": "Nudge {name}",
    "way": "{name}: {choice}.", "space": "Space", "button": "Button", "type_on": "Type rematch.",
    "question": "question mark", "keys_off": "Keys are off.", "no_undo": "Nothing to undo.",
    "tapped_none": "Nothing chosen.", "opened": "{name}: open.", "closed": "{name}: closed.",
}  # fmt: skip
NAMES = ("one", "two", "three", "four", "five", "six")
KEYS = {
    "roll": "R",
    "bank": "B",
    "main": " ",
    "hand": "H",
    "scores": "S",
    "beat": "T",
    "whose": "W",
    "last": "L",
    "undo": "U",
    "help": "?",
}

PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Midnight</title>
<link rel="icon" href="/static/icon.svg"><script type="module" src="/static/table.js"></script></head>
<body data-words='{words}'>
<main id="table" data-code="{code}" data-here="/t/{code}" data-seq="{seq}" data-shape="{shape}" data-stage="playing"
data-seat="{seat}" data-seats="{seat}" data-told="{seat}" data-patience="{patience}">
<p id="counter"></p><p id="connection" hidden></p>
<div class="wide"><section id="play"><h1 id="heading" tabindex="-1"></h1><p id="status"></p><p id="refusal" hidden></p>
<p id="clock" hidden></p>
<form id="act" method="post" action="/t/{code}"><input type="hidden" name="key" value="{seq}-12345678">
<div id="cup" hidden><svg></svg></div><ol id="dice" data-rolls="{rolls}">{dice}</ol>
<div id="rail" hidden><p class="said"></p><p><b class="label"></b><b class="of"></b><b class="total"></b></p>
<p class="slots"></p></div>
<div id="beam" hidden><p class="said"></p><svg></svg></div>
<div id="pad" hidden><input id="enter" name="dice" hidden><ol class="entered"></ol>
<button type="button" class="delete">Delete last</button><p class="faces">{faces}</p></div>
<button id="main" name="do" hidden></button><button id="bank" name="do" hidden></button>
<button id="back" name="do" hidden></button><button id="unmark" name="mark" value="" hidden></button>
<details id="sure" hidden><summary></summary><p class="question"></p><button class="yes" name="do"></button>
<a class="no" href="#act">No</a></details></form></section></div>
<section id="seats"><ol>{seats}</ol></section>
<p id="standing"></p>
<div id="ladder" hidden><p class="rungs"></p></div>
<section id="story"><div class="scroll"><ol id="log"><li>Before.</li></ol></div></section>
{extra}
<details id="keys"><summary>Keys</summary><input type="checkbox" name="keys" checked>
<input type="checkbox" name="sound" checked>
<select name="wording"><option value="full">full<option value="brief">brief</select>
<label for="digits">Number keys</label>
<select id="digits" name="digits"><option value="place">place<option value="face">face</select>
{remap}</details>
</main>
<div id="polite" role="log" aria-live="polite" aria-relevant="additions"></div>
<div id="assertive" role="alert" aria-live="assertive"></div>
</body></html>"""
# Live regions come last. No style hides them here, so their lines would move parts that a test is about to tap.

DIE = """<li hidden><button class="die" type="button" data-place="{place}" aria-label="">
<span class="pips"></span><span class="word"></span></button></li>"""
SEAT = """<li data-seat="{at}"><span class="name"></span><span class="note"></span>
<span class="score"></span><span class="points"></span>
<span class="dice"></span><span class="hand"></span></li>"""


def page_html(
    seq: int = 0,
    *,
    shape: int = 0,
    seat: str = "0",
    patience: float = 20,
    extra: str = "",
    code: str = "ABCDEF",
    rolls: int = 1,
) -> str:
    """Return a table's page with the elements that the scripts expect."""
    return PAGE.format(
        code=code, rolls=rolls,
        words=json.dumps(WORDS), seq=seq, shape=shape, seat=seat, patience=patience, extra=extra,
        faces="".join(f'<button type="button" data-face="{n}" aria-label="{n}">{n}</button>' for n in range(1, 7)),
        dice="".join(DIE.format(place=place) for place in range(6)),
        seats="".join(SEAT.format(at=at) for at in range(2)),
        remap="".join(
            f'<label for="key-{deed}">{deed}</label><input id="key-{deed}" data-key-for="{deed}" maxlength="1"'
            f' value="{key}">'
            for deed, key in KEYS.items()
        ),
    )  # fmt: skip


def die(place: int, face: int, status: str = "free") -> dict[str, Any]:
    """Return a die of a view. Free dice can be pressed."""
    return {
        "place": place, "face": face, "status": status, "fresh": status != "locked",
        "label": f"Die {place + 1}, {NAMES[face - 1]}", "word": "kept" if status == "marked" else status,
        "marks": None if status in ("locked", "lying") else str(place),
    }  # fmt: skip


def told(text: str, own: dict[str, str] | None = None) -> dict[str, Any]:
    """Return a line. ``own`` has it in the second person, by seat."""
    return {"text": text, "own": own or {}}


def seat_view(name: str, turn: bool, dice: list[dict[str, Any]]) -> dict[str, Any]:
    """Return a seat of a view."""
    return {
        "name": name, "kind": "person", "here": True, "turn": turn, "out": False, "host": False, "note": "",
        "score": "", "points": "", "dice": [each["face"] for each in dice], "votable": False, "voted": [],
        "hand": f"{name} has {len(dice)} dice." if dice else "", "own_hand": "", "own_keys": "",
    }  # fmt: skip


def view(seq: int, *faces: int, mover: int | None = 0, marked: tuple[int, ...] = (), **facts: Any) -> dict[str, Any]:
    """Return a view of a table of Ada, whose page the test has, and Bob."""
    dice = [die(place, face, "marked" if place in marked else "free") for place, face in enumerate(faces)]
    for one in dice:  # the marks after a press of this die
        one["marks"] = " ".join(map(str, sorted({*marked} ^ {one["place"]})))
    roll = {"do": "roll", "label": "Roll", "ready": True, "gold": bool(marked) or not dice}
    return {
        "seq": seq, "shape": 0, "stage": "playing", "mover": mover, "ask": "keep" if dice else "roll", "rolls": 1,
        "places": 6, "dice": dice, "main": roll, "bank": None, "back": None, "sure": None,
        "heading": told("Bob's turn", {"0": "Which dice?"} if mover == 0 else {}), "status": told(""),
        "beat": told("To beat: 20."), "scores": told("Bob 20."), "standing": told("Bob leads."),
        "whose": told("Bob is next."), "counter": "Round 1 of 2", "last": [told("Bob scored 20.")], "clock": None,
        "rail": None, "beam": None, "red": [], "due": 0, "now": 0, "result": [], "won": [], "won_dice": [],
        "paused": None, "ladder": None, "left": None, "example": "",
        "seats": [seat_view("Ada", mover == 0, dice), seat_view("Bob", mover == 1, [])], "rematch": None, **facts,
    }  # fmt: skip


def update(seq: int, *said: str | dict[str, Any], log: int = 1, event: str = "", **facts: Any) -> str:
    """Return a stream message with ``log`` events up to ``seq``."""
    plain = {"level": 0, "urgent": False, "own": {}}
    says = [{**plain, **({"text": line} if isinstance(line, str) else line)} for line in said]
    shown = facts.pop("view", None) or view(seq, **facts)
    data = {"seq": seq, "log": [f"line {seq}"] * log, "say": says, "view": shown}
    return (f"event: {event}\n" if event else f"id: {seq}\n") + f"data: {json.dumps(data)}\n\n"


class Line:
    """An open stream, on the side of the house."""

    def __init__(self, begun: int, path: str) -> None:
        self.begun, self.path = begun, path
        self.pieces: queue.Queue[str | None] = queue.Queue()

    def send(self, *pieces: str) -> None:
        """Send messages in one piece."""
        self.pieces.put("".join(pieces))

    def cut(self) -> None:
        """Close the stream."""
        self.pieces.put(None)


class House:
    """A scripted house. ``answers`` are for the next commands: (status, body), or None to hang up after hearing one."""

    def __init__(self) -> None:
        self.html = page_html()
        self.address = ""
        self.lines: queue.Queue[Line] = queue.Queue()
        self.posts: list[dict[str, Any]] = []
        self.asked: list[str] = []  # their addresses
        self.told = 0  # the number of answered POSTs
        self.answers: deque[tuple[int, Any] | None] = deque()
        self.hold = threading.Event()
        self.hold.set()
        self.shut = False
        self.rests_s = 0  # the Retry-After of refusals
        self.open: list[Line] = []
        self.hung: dict[str, threading.Event] = {}  # set once a request of the kind hangs
        self.end = threading.Event()

    def hang(self, kind: str) -> threading.Event:
        """Leave the next request of a kind ("page", "stream", "command") without an answer. Return an event that is set
        when it hangs.
        """
        self.hung[kind] = threading.Event()
        return self.hung[kind]

    def hangs(self, kind: str) -> bool:
        """Return True if this request hangs, after the house has closed."""
        hung = self.hung.pop(kind, None)
        if hung is None:
            return False
        hung.set()
        return self.end.wait()

    def line(self, within_s: float = 60) -> Line:
        """Wait for the next stream that a page opens."""
        return self.lines.get(timeout=within_s)

    def posted(self, count: int, within_s: float = 60) -> list[dict[str, Any]]:
        """Wait for ``count`` commands, and return them."""
        end = time.monotonic() + within_s
        while len(self.posts) < count and time.monotonic() < end:
            time.sleep(0.01)
        assert len(self.posts) >= count, self.posts
        return self.posts

    def marked(self, *places: int, within_s: float = 60) -> None:
        """Wait until the page has sent these marks and has its answer. It sends nothing after that."""
        until = time.monotonic() + within_s
        while self.told < len(self.posts) or not self.posts or self.posts[-1].get("marks") != list(places):
            assert time.monotonic() < until, self.posts
            time.sleep(0.01)


class Handler(BaseHTTPRequestHandler):
    """Serves one scripted house."""

    house: House

    def log_message(self, *_: Any) -> None:
        """Say nothing."""

    def reply(self, status: int, kind: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Security-Policy", CSP)
        self.send_header("Content-Length", str(len(body)))
        if status == 429 and self.house.rests_s:
            self.send_header("Retry-After", str(self.house.rests_s))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self) -> None:
        path, _, query = self.path.partition("?")
        if path.startswith("/static/"):
            kind = "text/javascript" if path.endswith(".js") else "image/svg+xml"
            self.reply(200, kind, static_files.served(path.removeprefix("/static/")))
        elif self.house.hangs("stream" if path.endswith("/events") else "page"):
            return
        elif path.endswith("/events"):
            self.stream(int(query.removeprefix("from=")))
        else:
            self.reply(200, "text/html; charset=utf-8", self.house.html.encode())

    def stream(self, begun: int) -> None:
        if self.house.shut:
            self.reply(503, "text/plain", b"")
            return
        line = Line(begun, self.path)
        self.house.open.append(line)
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream; charset=utf-8")
        self.end_headers()
        self.house.lines.put(line)
        while (piece := line.pieces.get()) is not None:
            try:
                self.wfile.write(piece.encode())
            except OSError:
                return

    def do_POST(self) -> None:
        house = self.house
        house.asked.append(self.path)
        house.posts.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        if house.hangs("command"):
            return
        house.hold.wait(60)
        answer = house.answers.popleft() if house.answers else (200, {"seq": 0, "go": None})
        house.told += 1
        if answer is None:
            return
        status, body = answer
        self.reply(status, "application/json", body.encode() if isinstance(body, str) else json.dumps(body).encode())


class Quiet(ThreadingHTTPServer):
    """A server that ignores errors, as browsers may close connections at any time."""

    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing."""


@contextmanager
def scripted() -> Iterator[House]:
    """Run a scripted house while the test lasts."""
    house = House()
    server = Quiet(("127.0.0.1", 0), type("Scripted", (Handler,), {"house": house}))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    house.address = f"http://127.0.0.1:{server.server_port}/t/ABCDEF"
    yield house
    for line in house.open:
        line.cut()
    house.hold.set()
    house.end.set()
    server.shutdown()
    server.server_close()
    thread.join()
