"""Who is asking: tokens nobody can guess, persons nobody can turn back into tokens, cookies as strict as can be."""

import re

from hypothesis import given
from hypothesis import strategies as st
from starlette.responses import Response

from pubdice.match.header import LONGEST
from pubdice.server.web.browser import (
    cookie_name,
    cookies_of,
    new_token,
    person_of,
    read_cookies,
    set_language,
    set_name,
    set_theme,
    set_token,
    token_in,
)


@given(st.binary(min_size=16, max_size=16))
def test_a_token_is_all_of_its_128_bits_and_its_person_is_a_hash(random: bytes) -> None:
    asked: list[int] = []

    def source(count: int) -> bytes:
        asked.append(count)
        return random

    token = new_token(source)
    person = person_of(token)
    assert asked == [16]
    assert re.fullmatch("[A-Za-z0-9_-]{22}", token)
    assert person is not None
    assert re.fullmatch("[A-Za-z0-9_-]{22}", person)
    assert person != token
    assert person_of(token) == person


def test_what_is_no_token_is_nobody() -> None:
    token = new_token(lambda count: bytes(range(count)))
    for text in (None, "", token[:-1], token + "A", token[:-1] + "B", token[:-1] + "=", " " + token, token + "\n"):
        assert person_of(text) is None, text
    assert person_of(token) is not None


def sent(response: Response) -> list[str]:
    """The parts of the one cookie that an answer sets, in whatever order."""
    (header,) = [value.decode() for name, value in response.raw_headers if name == b"set-cookie"]
    return header.split("; ")


def test_cookies_are_strict_and_over_tls_stricter() -> None:
    token = new_token(lambda count: b"\x01" * count)
    strict = ["HttpOnly", "Max-Age=31536000", "Path=/", "SameSite=Lax"]
    set_token(plain := Response(), token, secure=False)
    assert sorted(sent(plain)) == sorted([f"pubdice={token}", *strict])
    set_token(tls := Response(), token, secure=True)
    assert sorted(sent(tls)) == sorted([f"__Host-pubdice={token}", *strict, "Secure"])  # which may have no Domain
    set_language(german := Response(), "de", secure=False)
    assert sorted(sent(german)) == sorted(["language=de", *strict])
    set_theme(as_system := Response(), "", secure=True)
    assert {"theme=system", "Max-Age=0", "HttpOnly", "Secure"} <= set(sent(as_system))


@given(st.text())
def test_nothing_can_be_smuggled_into_a_cookie(text: str) -> None:
    response = Response()
    try:
        set_language(response, text, secure=False)
    except ValueError:
        assert not [name for name, _ in response.raw_headers if name == b"set-cookie"]
        return
    assert len(sent(response)) == 5
    assert re.fullmatch("[A-Za-z0-9_.~%-]+", text)


@given(st.text(min_size=1, max_size=LONGEST, alphabet=st.characters(codec="utf-8")))
def test_any_name_comes_back_as_it_was_given(name: str) -> None:
    set_name(response := Response(), name, secure=False)
    assert len(sent(response)) == 5
    assert cookies_of((sent(response)[0].encode(),), secure=False).name == name


def test_cookies_are_read_whatever_stands_between_them() -> None:
    headers = [
        (b"host", b"pub"),
        (b"cookie", b'a=1;; =x; b ; pubdice="two" ;c=d=e; pubdice=three;\xff\xfe=\xff'),
        (b"cookie", b"language=de; a=9"),
    ]
    found = read_cookies(headers)
    assert found["a"] == "1"
    assert found["pubdice"] == "two"
    assert found["c"] == "d=e"
    assert found["language"] == "de"
    assert "b" not in found


@given(st.binary(max_size=300))
def test_no_cookie_header_upsets_the_reader(value: bytes) -> None:
    found = read_cookies([(b"cookie", value)])
    assert token_in(found, secure=False) is None or person_of(found["pubdice"])


def test_a_cookie_of_the_plain_house_is_worth_nothing_over_tls() -> None:
    token = new_token(lambda count: b"\x02" * count)
    cookies = read_cookies([(b"cookie", f"pubdice={token}".encode())])
    assert token_in(cookies, secure=False) == token
    assert token_in(cookies, secure=True) is None
    assert token_in({cookie_name(secure=True): token}, secure=True) == token


def test_a_header_of_very_many_cookies_is_cut_short() -> None:
    assert len(read_cookies([(b"cookie", b"; ".join(b"c%d=1" % at for at in range(5000)))])) <= 40
