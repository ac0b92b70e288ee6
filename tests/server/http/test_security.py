"""Cookies, strict answers, and secrets that stay: a token is in no file, and no player in the log."""

import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.responses import Response

from pubdice.match.header import LONGEST
from pubdice.server.banner import is_loopback
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
from support.house_process import House, Phone, say
from support.http_wire import Answer, answer_in, head_of

JSON = {"Content-Type": "application/json"}
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
NAME = "Zoë Quixotine"


def ask(port: int, path: str, body: bytes | None = None, /, **headers: str) -> Answer:
    """A request as bytes."""
    sent = {key.replace("_", "-"): value for key, value in headers.items()}
    sent |= {} if body is None else {"Content-Length": str(len(body))}
    return answer_in(say(port, head_of("GET" if body is None else "POST", path, sent, port) + (body or b"")))


def order(name: str = "Ann", **fields: str) -> bytes:
    """The front page's form."""
    return urlencode({"game": "midnight", "name": name, **fields}).encode()


def set_cookies(port: int, **headers: str) -> list[str]:
    """The Set-Cookie headers a fresh visitor gets who sets up a table."""
    sent = {**FORM, **{key.replace("_", "-"): value for key, value in headers.items()}}
    body = order()
    heard = say(port, head_of("POST", "/tables", sent | {"Content-Length": str(len(body))}, port) + body)
    assert heard.startswith(b"HTTP/1.1 303"), heard
    return [line[12:].decode("latin-1") for line in heard.split(b"\r\n") if line.lower().startswith(b"set-cookie: ")]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with House(tmp_path_factory.mktemp("house")) as opened:
        yield opened


@pytest.fixture(scope="module")
def behind_proxy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house that believes a proxy on this machine."""
    words = ("--proxy", "127.0.0.1", "--address", "https://dice.example")
    with House(tmp_path_factory.mktemp("proxied"), *words) as opened:
        yield opened


# cookies


def test_behind_a_proxy_with_tls_cookies_are_for_tls_only(behind_proxy: House) -> None:
    proxied = {"X_Forwarded_Proto": "https", "X_Forwarded_For": "192.0.2.7"}
    found = set_cookies(behind_proxy.port, **proxied)
    assert [cookie.partition("=")[0] for cookie in found] == ["__Host-pubdice", "name"]
    for cookie in found:
        assert {"Secure", "HttpOnly", "SameSite=Lax", "Path=/"} <= set(cookie.split("; ")), cookie
    assert "strict-transport-security" in ask(behind_proxy.port, "/", **proxied).headers
    token = found[0].partition("=")[2].partition(";")[0]
    for name, known in (
        ("__Host-pubdice", True),
        ("pubdice", False),
    ):  # a token of plain HTTP counts for no player over TLS
        page = ask(behind_proxy.port, "/", Cookie=f"{name}={token}", **proxied)
        assert (b"/t/" in page.body) == known
    assert set_cookies(behind_proxy.port)[0].startswith("pubdice=")


# the headers of every answer


@pytest.mark.parametrize(
    "back", ["//evil.example", "/\\evil.example", "https://evil.example", "javascript:alert(1)", "/\r\nX: y"]
)
def test_no_form_sends_anybody_elsewhere(house: House, back: str) -> None:
    body = urlencode({"language": "de", "back": back}).encode()
    answer = ask(house.port, "/language", body, **FORM)
    assert (answer.status, answer.headers["location"]) == (303, "/")
    assert "x" not in answer.headers


# the file and the log


def test_no_token_is_in_the_file_and_nobody_is_in_the_log(tmp_path: Path) -> None:
    with House(tmp_path) as house:
        phone = Phone(house.port, "Hal")
        body = order(NAME)
        headers = {**FORM, **phone.cookie}
        code = ask(house.port, "/tables", body, **headers).headers["location"].rpartition("/")[2].partition("#")[0]
        page = ask(house.port, f"/t/{code}", Accept="text/html", **phone.cookie).body.decode()
        [words] = re.findall(r'<p class="four"[^>]*>([a-z]+ [a-z]+ [a-z]+ [a-z]+)</p>', page)
        others = ask(house.port, f"/t/{code}", Accept="text/html").body.decode()
        assert "<h1" in others
        assert words not in others
        assert 'class="four"' not in others
        fresh = set_cookies(house.port)[0].partition("=")[2].partition(";")[0]
        ask(house.port, f"/t/{code}", b"{not json", **JSON, **phone.cookie)
        ask(house.port, "/t/QQQQQQ")
        say(house.port, b"\x00\xff\r\n\r\n")
        files = {path: path.read_bytes() for path in tmp_path.iterdir() if path.name.startswith("house.db")}
        assert {path.name for path in files} >= {"house.db", "house.db-wal"}
        for path, kept in files.items():
            assert phone.token.encode() not in kept
            assert fresh.encode() not in kept
            assert words.encode() not in kept
            mode = stat.S_IMODE(path.stat().st_mode)
            assert mode == 0o600, f"{path.name}: {mode:o}"
        assert any(phone.person.encode() in kept for kept in files.values()), "only the hash of a token is known"
        house.stop()
        log = house.errors()
        for secret in (phone.token, phone.person, fresh, NAME, "Quixotine", *code.split("-"), "127.0.0.1"):
            assert secret not in log, secret
        first, second, third, fourth = words.split()
        for two in ((first, second), (second, third), (third, fourth)):  # one alone may be a word of the log's own
            assert not re.search(r"\W{1,6}".join(two), log), two
        assert "Traceback" not in log


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX's")
def test_a_lax_umask_does_not_open_the_file_to_others(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        with House(tmp_path) as house:
            set_cookies(house.port)
            found = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.glob("house.db*")}
            assert set(found.values()) == {0o600}, found
    finally:
        os.umask(before)


def test_only_this_machine_reaches_a_house_by_default(house: House) -> None:
    listening = [
        (int(fields[1].rpartition(":")[2], 16), fields[1].rpartition(":")[0])
        for name in ("tcp", "tcp6")
        for fields in (line.split() for line in Path(f"/proc/net/{name}").read_text(encoding="ascii").splitlines()[1:])
        if fields[3] == "0A"
    ]
    assert [where for port, where in listening if port == house.port] == ["0100007F"]
    assert is_loopback("127.0.0.1")


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
    assert sorted(sent(tls)) == sorted([f"__Host-pubdice={token}", *strict, "Secure"])  # a prefix that forbids a Domain
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
