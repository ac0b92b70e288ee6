"""A table of two at a real house, and requests for it as bytes, of any sender and any shape."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape
from itertools import count
from pathlib import Path

from pubdice.store.sqlite.store import SqliteReader
from support.house_process import say, token_of
from support.http_wire import Answer, answer_in

JSON, FORM = "application/json", "application/x-www-form-urlencoded"
_SENTENCE = re.compile(r"[A-Z].*[.:?]", re.DOTALL)


@dataclass
class Scene:
    """A table of two that has begun: Ann is to keep dice, Bob waits, Eve only watches."""

    port: int = 0
    file: Path = Path()
    code: str = "ABCDEF"
    ann: str = token_of("Ann")
    bob: str = token_of("Bob")
    eve: str = token_of("Eve")
    _keys: Iterator[int] = field(default_factory=count)

    def set_up(self) -> None:
        order = {"game": "midnight", "name": "Ann", "people": 2, "key": "orders-1"}
        self.code = self.post("/tables", order, self.ann).data["code"]
        assert self.post(f"/t/{self.code}", {"key": "key-bob-1", "do": "sit", "name": "Bob"}, self.bob).status == 200
        assert self.post(f"/t/{self.code}", {"key": "key-ann-1", "do": "roll"}, self.ann).status == 200

    def post(self, path: str, data: object, token: str) -> Answer:
        return self.send(self.request(json.dumps(data).encode(), token=token, path=path))

    def request(
        self,
        body: bytes,
        *headers: str,
        token: str | None = "",
        path: str = "",
        kind: str = JSON,
        host: str = "",
        method: str = "POST",
    ) -> bytes:
        """A request for the table as bytes, by Ann unless told otherwise."""
        lines = [f"{method} {path or f'/t/{self.code}'} HTTP/1.1", f"Host: {host or f'127.0.0.1:{self.port}'}"]
        lines += [f"Content-Type: {kind}"] if kind else []
        lines += [f"Content-Length: {len(body)}"] if not any("ncoding:" in header for header in headers) else []
        lines += [f"Cookie: pubdice={token or self.ann}"] if token is not None else []
        return "\r\n".join([*lines, *headers, "", ""]).encode("latin-1") + body

    def command(self, **fields: object) -> bytes:
        """A command that Ann may give, as JSON, with more or other fields."""
        return json.dumps({"key": f"fresh-{next(self._keys):06d}", "do": "roll", "marks": [0], **fields}).encode()

    def send(self, data: bytes) -> Answer:
        return answer_in(say(self.port, data))

    def seq(self) -> int:
        return int(self.send(self.request(b"", path=f"/t/{self.code}/state", method="GET", token=None)).data["seq"])

    def log(self) -> list[str]:
        reader = SqliteReader(self.file)
        try:
            return [line for number in reader.tables() for line in reader.read(number)]
        finally:
            reader.close()


def reason(answer: Answer) -> str:
    """The one sentence of a refusal, in JSON or on a page."""
    if answer.headers["content-type"] == JSON:
        assert set(answer.data) == {"code", "why"}
        why = str(answer.data["why"])
    else:
        assert answer.headers["content-type"].startswith("text/html")
        why = unescape(re.sub("<[^>]+>", "", re.findall(r"<p\b[^>]*>(.*?)</p>", answer.body.decode(), re.DOTALL)[0]))
    assert _SENTENCE.fullmatch(why), why
    assert "Traceback" not in why
    return why
