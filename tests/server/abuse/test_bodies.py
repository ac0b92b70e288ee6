"""What is sent along: JSON, forms and orders with something wrong in them, and too much of it."""

from typing import Any

import pytest

from server.abuse.scene import FORM, Scene, reason


def bodies(scene: Scene) -> dict[str, tuple[int, bytes]]:
    """What is wrong with a body, and its status."""
    deep = b'{"key":"fresh-deep-1","do":"roll","marks":' + b"[" * 1_900 + b"]" * 1_900 + b"}"
    return {
        "nothing at all": (400, b""),
        "no JSON": (400, b"roll the dice"),
        "half of it": (400, scene.command()[:-4]),
        "not UTF-8": (400, b'{"key":"fresh-\xff\xfe-1","do":"roll"}'),
        "half a character": (400, b'{"key":"fresh-half-1","do":"sit","name":"\\ud800"}'),
        "as deep as fits": (400, deep),
        "a list": (422, b"[]"),
        "a number": (422, b"7"),
        "null": (422, b"null"),
        "an unknown field": (422, scene.command(person="Ann")),
        "dice of one's own": (409, scene.command(do="enter", dice="666666", marks=[])),
        "no key": (422, b'{"do":"roll","marks":[0]}'),
        "a short key": (422, scene.command(key="k")),
        "a strange key": (422, scene.command(key="key with spaces")),
        "a long key": (422, scene.command(key="k" * 65)),
        "no deed": (422, b'{"key":"fresh-none-1"}'),
        "an unknown deed": (422, scene.command(do="cheat")),
        "a deed of the table's own": (422, scene.command(do="timeup")),
        "places below 0": (422, scene.command(marks=[-1])),
        "places beyond all": (422, scene.command(marks=[10**30])),
        "places that are no numbers": (422, scene.command(marks=["0"])),
        "places that are not there": (409, scene.command(marks=[6])),
        "a place twice": (409, scene.command(marks=[0, 0])),
        "a hundred places": (422, scene.command(marks=list(range(100)))),
        "a seat that is not there": (404, scene.command(do="remove", seat=9)),
        "a seat beyond all": (422, scene.command(do="remove", seat=10**9)),
        "a bot nobody knows": (422, scene.command(do="give", bot="cheat")),
        "a pace beyond all": (422, scene.command(do="pace", ms=10**9)),
        "a pace too slow": (422, scene.command(do="pace", ms=60_000)),
    }


NAMES = tuple(name for name, (status, _) in bodies(Scene()).items())


@pytest.mark.parametrize("name", NAMES)
def test_a_body_with_something_wrong_is_refused_with_a_sentence(untouched: Scene, name: str) -> None:
    status, body = bodies(untouched)[name]
    answer = untouched.send(untouched.request(body))
    assert answer.status == status, answer.body
    assert reason(answer)


FORMS = {
    "nothing": (422, b""),
    "an unknown deed": (422, b"key=fresh-form-1&do=cheat"),
    "no key": (422, b"do=roll&marks=0"),
    "not UTF-8": (422, b"key=fresh-form-1&do=sit&name=%ff%fe"),
    "raw bytes": (422, b"key=fresh-form-1&do=sit&name=\xff\xfe"),
    "a thousand fields": (422, b"&".join(b"a=1" for _ in range(1000))),
    "places that are no numbers": (422, b"key=fresh-form-1&mark=one+two"),
    "a number of a thousand digits": (422, b"key=fresh-form-1&do=pace&ms=" + b"9" * 1000),
    "not there to be marked": (409, b"key=fresh-form-1&mark=9"),
    "line ends": (422, b"key=fresh%0d%0aX: y&do=roll"),
}


@pytest.mark.parametrize("name", FORMS)
def test_a_form_with_something_wrong_is_a_page_with_a_sentence(untouched: Scene, name: str) -> None:
    status, body = FORMS[name]
    answer = untouched.send(untouched.request(body, "Accept: text/html", kind=FORM))
    assert answer.status == status
    assert answer.headers["content-type"].startswith("text/html")
    assert "x" not in {key for key in answer.headers if key == "x"}
    assert b"Traceback" not in answer.body


ORDERS: dict[str, dict[str, Any]] = {
    "no game": {"game": ""},
    "a game of nobody's": {"game": "poker"},
    "no name": {"name": ""},
    "a name of control characters": {"name": "\x1b[2J"},
    "a name that turns the line round": {"name": "Ann\u202e"},
    "a name of half a character": {"name": "\ud800"},
    "a name of markup": {"name": "<b>Ann</b>"},
    "a long name": {"name": "A" * 25},
    "nobody": {"people": 0},
    "too many": {"people": 65},
    "more than a table takes": {"people": 13},
    "more than the game seats": {"game": "420", "people": 60},
    "bots beyond all": {"bots": ["tip"] * 65},
    "a bot of nobody's": {"bots": ["cheat"]},
    "an option of nobody's": {"rules": {"cheat": "yes"}},
    "a rule of line ends": {"rules": {"format": "rounds 2\nfirst Ann"}},
    "rounds without end": {"rules": {"format": "rounds 1000000000"}},
    "no rounds": {"rules": {"format": "rounds 0"}},
    "a clock too fast": {"clock_s": 1},
    "a pace below 0": {"pace_ms": -1},
    "grace beyond all": {"grace_s": 10**12},
    "dice of chance": {"dice": "loaded"},
    "an unknown field": {"host": "Ann"},
}


@pytest.mark.parametrize("name", ORDERS)
def test_a_table_that_cannot_be_is_not_set_up(untouched: Scene, name: str) -> None:
    order = {"game": "midnight", "name": "Eve", "people": 2, **ORDERS[name]}
    answer = untouched.post("/tables", order, untouched.eve)
    assert answer.status in (400, 422), answer.body
    assert reason(answer)


def chunked(*parts: bytes) -> bytes:
    return b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in (*parts, b""))


def test_a_large_body_in_small_pieces_is_too_large_all_the_same(untouched: Scene) -> None:
    body = chunked(*[b" " * 500] * 20)
    answer = untouched.send(untouched.request(body, "Transfer-Encoding: chunked"))
    assert (answer.status, answer.data["code"]) == (413, "too-large")
