"""A house answers to its own names, and believes and passes on good addresses alone."""

import json

import pytest
from starlette.requests import Request

from pubdice.core.errors import BadNotation
from pubdice.server.web.browser import Browser, PublicAddress
from pubdice.server.web.guard import HEADER_VALUES
from pubdice.server.web.trusted_hosts import (
    ROUTERS,
    Proxies,
    host_name,
    house_names,
    is_allowed_host,
    is_same_origin,
    read_address,
    read_proxies,
)
from pubdice.text.catalogues import language
from pubdice.text.language import Language
from server.guarded_app import HOST, ask, never_called, post, refused

PROXY = read_proxies(["10.0.0.1", "2001:db8::/32"])


def test_the_house_answers_to_its_names_and_addresses() -> None:
    names = ("pub.example", *house_names(["http://192.0.2.55"], "2001:db8::7"))
    for host in (
        b"pub.example", b"PUB.example:80", b"pub.example.", b"localhost:4224", b"a.localhost", b"127.0.0.1:1",
        b"192.0.2.55:4224", b"[2001:db8::7]", b"[2001:db8:0::7]:80",
    ):  # fmt: skip
        assert ask(headers=[(b"host", host)], names=names).status == 200, host


def test_a_name_rebound_to_the_house_gets_nothing() -> None:
    for host in (
        b"evil.example", b"pub.example.evil.example", b"pubxexample", b"", b"pub.example:80:80", b"pub.example:x",
        b"pub.example@evil", b"192.168.1.7.evil.example", b"6.6.6.6", b"192.0.2.1:4224", b"[2001:db8::66]", b"0.0.0.0",
        b"224.0.0.1", b"[::1", b"[::1].evil", b"xlocalhost", b"\xff", b"pub.example/",
    ):  # fmt: skip
        assert refused(ask(never_called, headers=[(b"host", host)]), "host"), host


def test_no_host_and_two_hosts_get_nothing() -> None:
    assert refused(ask(never_called, headers=[]), "unreadable")
    assert refused(ask(never_called, headers=[HOST, HOST]), "host")


def test_a_machine_has_its_whole_its_first_and_its_local_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: "Bar.lan.example")
    assert house_names() == {"bar.lan.example", "bar", *(f"bar.{ending}" for ending in ROUTERS)}


def test_a_router_names_the_machine_and_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: "House")
    names = house_names()
    for host in (b"house.lan", b"HOUSE.lan:4224", b"house.home.arpa", b"house.internal", b"house.localdomain"):
        assert is_allowed_host(host, names), host
    # Names that others can have, now or one day: a web page there could be rebound to this house.
    for host in (
        b"house.fritz.box",
        b"house.box",
        b"house.arpa",
        b"other.lan",
        b"a.house.lan",
        b"lan",
        b"house.lan.evil",
    ):
        assert not is_allowed_host(host, names), host
    assert is_allowed_host(b"house.fritz.box", house_names(["http://house.fritz.box:4224"]))


def test_names_are_read_without_their_ports() -> None:
    names = house_names(["http://dice.example:8080", "bücher.example", "[::1]:80"], "2001:db8:0::7")
    assert names >= {"dice.example", "xn--bcher-kva.example", "::1", "2001:db8::7"}
    assert house_names((), "0.0.0.0") >= {"0.0.0.0"}
    assert host_name(b"a_b-c.d:1") == "a_b-c.d"
    assert host_name("pub:²".encode("latin-1")) is None


ADDRESSES = {
    "dice.example": "http://dice.example",
    "Dice.EXAMPLE": "http://dice.example",
    "HTTPS://Dice.Example": "https://dice.example",
    "https://dice.example/": "https://dice.example",
    "https://dice.example.": "https://dice.example",
    "http://dice.example:8080/": "http://dice.example:8080",
    "dice.example:80": "http://dice.example:80",
    "bücher.example": "http://xn--bcher-kva.example",
    "https://BÜCHER.example:8443": "https://xn--bcher-kva.example:8443",
    "192.0.2.7:4224": "http://192.0.2.7:4224",
    "[2001:DB8::7]:80": "http://[2001:db8::7]:80",
    "my_pub": "http://my_pub",
}
MORE = {
    "http://dice.example/dice": "http://dice.example",
    "https://dice.example:8443/dice/": "https://dice.example:8443",
    "dice.example/dice": "http://dice.example",
    "dice.example//": "http://dice.example",
    "dice.example\\dice": "http://dice.example",
    "https://dice.example?x=1": "https://dice.example",
    "https://dice.example/?": "https://dice.example",
    "https://dice.example#play": "https://dice.example",
    "https://ann:secret@dice.example": "https://dice.example",
    "ann@dice.example": "http://dice.example",
    "mailto:ann@dice.example": "http://dice.example",
    "https://dice.example/@evil.example": "https://dice.example",
}
NONE = (
    "http://", "https:///dice", "//dice.example", "http:/dice.example", "https:dice.example", "dice.example:",
    "ftp://dice.example", "dice.example:0", "dice.example:65536", "dice.example:999999", "dice.example:http",
    "dice.example:-1", "dice.example:8 0", "a b", "a..b", "x" * 64, "pub.\u00ad", "-._", "1.2.3", "256.1.1.1", "[::1",
    "::1", "[::g]", "[dice.example]", "::1]:80", "dice%2eexample", "http://http://dice.example", "\t", ".",
)  # fmt: skip


def test_an_address_of_a_house_is_a_name_and_a_port() -> None:
    for text, read in ADDRESSES.items():
        assert read_address(text) == read_address(read) == read
    for text in (*MORE, *NONE):
        with pytest.raises(BadNotation) as raised:
            read_address(text)
        assert (raised.value.code, raised.value.facts) == (
            ("address-parts", {"address": MORE[text]}) if text in MORE else ("address", {"found": text})
        )


def test_a_page_of_another_site_changes_nothing() -> None:
    for headers in (
        [(b"origin", b"http://evil.example")],
        [(b"origin", b"null")],
        [(b"origin", b"")],
        [(b"origin", b"http://pub.example")],  # another port is another site
        [(b"origin", b"http://pub.example:4224.evil.example")],
        [(b"origin", b"file://pub.example:4224")],
        [(b"origin", b"http://pub.example:4224"), (b"origin", b"http://pub.example:4224")],
        [(b"sec-fetch-site", b"cross-site")],
        [(b"sec-fetch-site", b"same-site"), (b"origin", b"http://pub.example:4224")],
        [(b"sec-fetch-site", b"same-origin"), (b"origin", b"http://evil.example")],
    ):
        assert refused(post(headers, app=never_called), "cross-origin"), headers


def test_our_own_page_and_programs_that_are_no_browsers_may_post() -> None:
    for headers in (
        [],
        [(b"origin", b"http://pub.example:4224")],
        [(b"origin", b"http://PUB.example:4224"), (b"sec-fetch-site", b"same-origin")],
        [(b"sec-fetch-site", b"none")],
    ):
        assert post(headers).status == 200, headers


@pytest.mark.parametrize(
    ("origin", "host", "ours"),
    [
        (b"https://pub.example", b"pub.example", True),
        (b"https://pub.example", b"pub.example:443", True),
        (b"http://pub.example", b"pub.example:80", True),
        (b"https://pub.example", b"pub.example:80", False),
        (b"https://pub.example:8443", b"pub.example:8443", True),
        (b"https://pub.example:8443", b"pub.example", False),
    ],
)
def test_usual_ports_may_be_left_out(origin: bytes, host: bytes, ours: bool) -> None:
    scheme = origin.partition(b":")[0].decode()
    assert is_same_origin(None, origin, host, scheme) is ours
    assert not is_same_origin(None, origin, host, {"http": "https", "https": "http"}[scheme]), "TLS is another origin"


def test_reading_may_be_asked_for_from_anywhere() -> None:
    assert ask(headers=[HOST, (b"origin", b"http://evil.example"), (b"sec-fetch-site", b"cross-site")]).status == 200


@pytest.mark.parametrize(
    ("peer", "proxies", "forwarded", "client"),
    [
        ("192.0.2.7", PROXY, b"198.51.100.1", "192.0.2.7"),  # not a proxy that was named
        ("10.0.0.1", (), b"198.51.100.1", "10.0.0.1"),
        ("10.0.0.1", PROXY, b"198.51.100.1", "198.51.100.1"),
        ("10.0.0.1", PROXY, b"1.1.1.1, 198.51.100.1", "198.51.100.1"),  # an address made up by the client stands first
        ("10.0.0.1", PROXY, b"198.51.100.1, 2001:db8::7", "198.51.100.1"),
        ("10.0.0.1", PROXY, b"198.51.100.1, nonsense", "10.0.0.1"),
        ("10.0.0.1", PROXY, b"198.51.100.1:5060", "198.51.100.1"),
        ("10.0.0.1", PROXY, b"1.1.1.1, [2001:dead::7]:443", "2001:dead::7"),
        ("10.0.0.1", PROXY, b"[2001:dead::7]", "2001:dead::7"),
        ("10.0.0.1", PROXY, b"198.51.100.1:x", "10.0.0.1"),
        ("10.0.0.1", PROXY, b"[2001:db8::7", "10.0.0.1"),
        ("10.0.0.1", PROXY, b"", "10.0.0.1"),
        ("2001:db8::1", PROXY, b"198.51.100.1", "198.51.100.1"),
        ("no address", PROXY, b"198.51.100.1", "no address"),
        ("::ffff:10.0.0.1", PROXY, b"198.51.100.1", "198.51.100.1"),  # an IPv4 proxy on a socket for both
        ("::ffff:192.0.2.7", PROXY, b"198.51.100.1", "::ffff:192.0.2.7"),
    ],
)
def test_only_a_named_proxy_is_believed(peer: str, proxies: Proxies, forwarded: bytes, client: str) -> None:
    headers = [HOST, (b"x-forwarded-for", forwarded), (b"x-forwarded-proto", b"https")]
    heard = ask(headers=headers, peer=peer, proxies=proxies)
    told = json.loads(heard.body)
    assert told["from"] == client
    believed = bool(proxies) and peer in ("10.0.0.1", "2001:db8::1", "::ffff:10.0.0.1")
    assert (told["scheme"] == "https") is believed
    assert (b"strict-transport-security" in heard.headers) is believed


@pytest.mark.parametrize(
    ("said", "scheme"),
    [(b"https", "https"), (b"HTTPS", "https"), (b"http, https", "https"), (b"https, http", "http"), (b"wss", "http")],
)
def test_of_several_proxies_the_nearest_tells_the_scheme(said: bytes, scheme: str) -> None:
    heard = ask(headers=[HOST, (b"x-forwarded-proto", said)], peer="10.0.0.1", proxies=PROXY)
    assert json.loads(heard.body)["scheme"] == scheme


def test_a_proxys_address_is_read_once_and_not_at_each_request(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pubdice.server.web.trusted_hosts.ip_network", None)
    headers = [HOST, (b"x-forwarded-for", b"198.51.100.1")]
    assert json.loads(ask(headers=headers, peer="10.0.0.1", proxies=PROXY).body)["from"] == "198.51.100.1"


LAN = "http://192.168.1.7:4224/"
LOCAL = ("localhost:4224", "127.0.0.1:4224", "[::1]:4224", "dice.localhost")


def browser(host: str, scheme: str = "http") -> Browser:
    """The browser of a page under this name."""
    headers = {b"host": host.encode()}
    scope = {"type": "http", "scheme": scheme, "path": "/", "headers": [*headers.items()], HEADER_VALUES: headers}
    return Browser(Request(scope))


def test_a_page_on_the_machine_passes_on_the_networks_address() -> None:
    reach = PublicAddress(network=LAN, how="make serve")
    for host in LOCAL:
        assert reach.origin(browser(host)) == "http://192.168.1.7:4224"
        assert reach.trouble(browser(host), Language()) == ""


def test_a_page_says_how_to_let_phones_in() -> None:
    reach = PublicAddress(how="make serve HOST=0.0.0.0")
    for host in LOCAL:
        assert reach.origin(browser(host)) == f"http://{host}"
        assert "make serve HOST=0.0.0.0" in reach.trouble(browser(host), language("de"))


def test_an_address_that_was_given_goes_before_all_others() -> None:
    reach = PublicAddress("https://dice.example", LAN)
    for host in (*LOCAL, "192.168.1.7:4224"):
        assert reach.origin(browser(host)) == "https://dice.example"
        assert reach.trouble(browser(host), Language()) == ""


def test_a_phone_passes_on_the_address_it_came_by_itself() -> None:
    for reach in (
        PublicAddress(network=LAN),
        PublicAddress(how="make serve"),
    ):  # the second: behind a proxy on the same machine
        assert reach.origin(browser("dice.example", "https")) == "https://dice.example"
        assert reach.trouble(browser("dice.example"), Language()) == ""
