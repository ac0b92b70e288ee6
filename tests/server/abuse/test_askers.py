"""Who asks: for another's seat, under a forged cookie, from another site, of a house by another name."""

import json
import re
from typing import Any

import pytest

from server.abuse.scene import FORM, JSON, Scene, reason


@pytest.mark.parametrize(
    ("who", "deed", "status", "code"),
    [
        ("bob", {"do": "roll", "marks": [0]}, 403, "not-your-turn"),
        ("bob", {"do": "mark", "marks": [0]}, 403, "not-your-turn"),
        ("bob", {"do": "pace", "ms": 0}, 403, "not-host"),
        ("bob", {"do": "remove", "seat": 0}, 403, "not-host"),
        ("eve", {"do": "roll", "marks": [0]}, 403, "not-seated"),
        ("eve", {"do": "leave"}, 403, "not-seated"),
        ("eve", {"do": "give"}, 403, "not-seated"),
        ("eve", {"do": "resume", "seat": 0}, 403, "not-seated"),
        ("eve", {"do": "vote", "seat": 0}, 403, "not-seated"),
        ("eve", {"do": "pace", "ms": 0}, 403, "not-host"),
        ("eve", {"do": "sit", "seat": 0, "name": "Eve"}, 409, "seat-taken"),
        ("eve", {"do": "join", "words": "fakal fakal fakal fakal"}, 403, "wrong-words"),
        ("eve", {"do": "join"}, 403, "wrong-words"),
    ],
)
def test_nobody_acts_for_a_seat_that_is_not_theirs(
    untouched: Scene, who: str, deed: dict[str, Any], status: int, code: str
) -> None:
    fields: dict[str, Any] = {"marks": [], **deed} if deed["do"] != "x" else deed
    answer = untouched.send(untouched.request(untouched.command(**fields), token=getattr(untouched, who)))
    assert (answer.status, answer.data["code"]) == (status, code), answer.body
    assert reason(answer)


@pytest.mark.parametrize(
    "token",
    [
        None,
        "AAAAAAAAAAAAAAAAAAAAAA",
        "short",
        "A" * 21 + "!",
        "A" * 4000,
        "../../etc/passwd",
        "%00",
        "gone",
        "\xe4" * 22,
    ],
)
def test_a_forged_cookie_is_a_stranger(untouched: Scene, token: str | None) -> None:
    for cookie in (token, f"{token}; pubdice={untouched.ann}" if token else None):
        answer = untouched.send(untouched.request(untouched.command(), token=cookie))
        if cookie and ";" in cookie and token and not re.fullmatch("[A-Za-z0-9_-]{21}[AQgw]", token):
            assert answer.status in (403, 409)  # of two alike the first counts
        assert answer.status == 403
        assert answer.data["code"] == "not-seated"


def test_what_the_log_knows_of_a_person_opens_no_door(untouched: Scene) -> None:
    text = "\n".join(untouched.log())
    persons = set(re.findall(r" sat \d (\S{22}) ", text))
    assert len(persons) == 2
    for person in persons:
        answer = untouched.send(untouched.request(untouched.command(), token=person))
        assert (answer.status, answer.data["code"]) == (403, "not-seated")


def test_a_command_replayed_by_another_is_their_own_and_refused(untouched: Scene) -> None:
    """The very bytes of what was done, under the same key, with another cookie: nobody's answer is given."""
    body = json.dumps({"key": "key-ann-1", "do": "roll"}).encode()
    for token, code in ((untouched.bob, "not-your-turn"), (untouched.eve, "not-seated")):
        answer = untouched.send(untouched.request(body, token=token))
        assert (answer.status, answer.data["code"]) == (403, code)
    again = untouched.send(untouched.request(body))
    assert (again.status, again.data["seq"]) == (200, untouched.seq())  # its own asker is told what was done


@pytest.mark.parametrize("kind", [JSON, FORM, "text/plain"])
def test_another_site_cannot_act_for_anybody(untouched: Scene, kind: str) -> None:
    """By which headers another site is known: server/http/test_trusted_hosts.py."""
    body = untouched.command() if kind != FORM else b"key=fresh-cross-1&do=roll&marks=0"
    for site in ("Origin: http://evil.example", "Sec-Fetch-Site: cross-site"):
        answer = untouched.send(untouched.request(body, site, kind=kind))
        assert (answer.status, answer.data["code"]) == (403, "cross-origin")
        page = untouched.send(untouched.request(body, site, "Accept: text/html", kind=kind))
        assert page.status == 403
        assert reason(page)


@pytest.mark.parametrize("host", ["evil.example", "[::1", "a b"])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_house_under_another_name_answers_nothing(untouched: Scene, host: str, method: str) -> None:
    body = untouched.command() if method == "POST" else b""
    answer = untouched.send(untouched.request(body, host=host, method=method))
    assert (answer.status, answer.data["code"]) == (421, "host")
