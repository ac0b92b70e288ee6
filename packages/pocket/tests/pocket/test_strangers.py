"""A stranger opens a line (a WebRTC connection) without having read the answer. No phone becomes its guest, whatever it
sends.
"""

import base64
import hmac
import json
import re
import shutil
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest

import pubdice_pocket
from pocket.pockets import by_node
from pubdice.server.web.limits import block_of
from support.paths import ROOT

HERE = Path(__file__).parent
PAGE = ROOT / "docs/contribute/pocket.md"
STATIC = Path(pubdice_pocket.__file__).parent / "static"


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copy the pocket's scripts to a folder from which Node can import them as modules."""
    folder = tmp_path_factory.mktemp("strangers") / "pocket"
    shutil.copytree(STATIC, folder, ignore=lambda at, names: [n for n in names if "." in n and not n.endswith(".js")])
    (folder / "package.json").write_text('{"type": "module"}')
    return folder


def in_node(scripts: Path, case: str, *given: object) -> Any:
    return by_node(str(HERE / "strangers.mjs"), str(scripts), case, json.dumps(given))


def code(*places: str) -> str:
    """Return the code of a phone with these IP addresses. "name" stands for an address that a name hides."""
    told = b"".join(bytes([len(text)]) + text for text in (b"uuuu", b"p" * 24, b""))
    for place in places:
        address = bytes(range(16)) if place == "name" else ip_address(place).packed
        told += bytes([0 if place == "name" else 4 if len(address) == 4 else 6]) + address + (9).to_bytes(2, "big")
    return base64.urlsafe_b64encode(bytes([1, *bytes(32)]) + told).decode().rstrip("=")


LOCAL = [
    "10.0.0.1",
    "172.16.0.1",
    "172.31.255.254",
    "192.168.43.1",
    "169.254.1.1",
    "127.0.0.1",
    "fe80::1",
    "febf::1",
    "fc00::1",
    "fd12:3456::1",
    "::1",
    "name",
]
FAR = [
    "8.8.8.8",
    "9.255.255.255",
    "11.0.0.1",
    "172.15.255.255",
    "172.32.0.1",
    "192.167.0.1",
    "192.169.0.1",
    "169.253.0.1",
    "100.64.0.1",
    "0.0.0.0",
    "224.0.0.251",
    "255.255.255.255",
    "2001:db8::1",
    "::",
    "::2",
    "::1e0",
    "1e00::",
    "::ffff:10.0.0.1",
    "64:ff9b::a00:1",
    "fec0::1",
    "ff02::fb",
    "fb00::1",
    "fe00::1",
]


def test_a_code_leads_far_only_at_the_players_word(scripts: Path) -> None:
    codes = [code(each) for each in (*LOCAL, *FAR)] + [code(far, LOCAL[at % 12]) for at, far in enumerate(FAR)]
    found = in_node(scripts, "places", codes)
    for each in found[: len(LOCAL)]:
        assert not each["isFar"]
        assert each["read"] == each["all"] == each["own"]
        assert len(each["read"]) == 1
    for address, each in zip(FAR, found[len(LOCAL) :], strict=False):
        assert (each["isFar"], each["read"]) == (True, []), address
        assert each["all"] == each["own"], address
        assert len(each["all"]) == 1, address
    for at, each in enumerate(found[len(LOCAL) + len(FAR) :]):
        assert not each["isFar"]
        assert each["read"] == each["all"] == each["own"] == found[at % 12]["read"], FAR[at]


def test_no_phone_takes_a_far_code_without_the_players_word(scripts: Path) -> None:
    found = in_node(scripts, "far", {"v4": code("8.8.8.8"), "v6": code("2001:db8::1", "8.8.4.4")})
    assert found["found"] == {
        "v4": {"refused": "", "made": 0, "taken": True, "places": 1},
        "v6": {"refused": "", "made": 0, "taken": True, "places": 2},
    }
    assert (found["word"], found["before"], found["after"]) == ("far", False, True)
    assert found["told"] == ["far"], "a guest can't say it for the house"
    assert found["spares"] == [False, True]


def test_a_house_gives_one_spare_line_a_line_and_100_in_all(scripts: Path) -> None:
    found = in_node(scripts, "flood", 150)
    assert found["flood"] == {"made": 1, "isGone": True}, "one look for the house, and no spare line more"
    assert found["made"] == 99


def test_a_spare_line_leads_to_the_same_phone(scripts: Path) -> None:
    assert in_node(scripts, "elsewhere")


def test_a_phone_that_was_sent_away_comes_in_no_more(scripts: Path) -> None:
    found = in_node(scripts, "away")
    told = ["proof", "away"]
    assert found == {"first": "in", "again": "away", "late": told, "spare": told, "guests": 0}


def test_no_guests_code_takes_the_place_of_the_hosts_own(scripts: Path) -> None:
    assert in_node(scripts, "doors") == {"stays": True, "told": 9, "open": 5}


def test_the_tables_page_and_the_panel_show_one_code(scripts: Path) -> None:
    found = in_node(scripts, "ownDoor")
    assert found == {"early": 0, "one": True, "another": True, "made": 2, "ended": None}


def test_a_code_that_fails_leaves_nothing_open_for_the_next(scripts: Path) -> None:
    assert in_node(scripts, "room") == [[False, 0], [False, 0], [True, 1]]


def test_a_host_asks_itself_for_no_page_that_a_guest_names(scripts: Path) -> None:
    none = [f"/t/NONE{at}/kept" for at in range(20)]
    targets = [*none, "/open?/t/HERE22/kept", "/t/HERE22/kept?from=3&last=/t/X/kept"]
    assert in_node(scripts, "kept", targets) == ["/t/HERE22/kept"]


def test_phones_whose_names_begin_alike_have_limits_of_their_own(scripts: Path) -> None:
    names = ["0123456789abcdef01", "0123450000abcdef01", "000000000000000000", "ffffffffffffffffff"]
    found = in_node(scripts, "addresses", names)
    assert [block_of(each) for each in found] == [
        "fd01:2345:6789:ab00::",
        "fd01:2345:0:ab00::",
        "fd00::",
        "fdff:ffff:ffff:ff00::",
    ]


def test_a_house_gets_no_cookie_of_another(scripts: Path) -> None:
    assert in_node(scripts, "cookies") == ["", "", "pubdice=aa"]


def test_a_guest_takes_no_header_that_lifts_its_policy(scripts: Path) -> None:
    known = [["content-type", "text/html"], ["retry-after", "1"]]
    others = [
        "Content-Security-Policy",
        "Set-Cookie",
        "Access-Control-Allow-Origin",
        "Service-Worker-Allowed",
        "Refresh",
    ]
    found = in_node(
        scripts, "headers", [*known, *([name, "*"] for name in others), ["Link", "</evil.js>; rel=preload"]]
    )
    assert [name for name, _ in found] == ["content-type", "retry-after", "content-security-policy"]
    assert found[-1][1] != "*"


OWN = "https://phones.example/pubdice/"
ELSEWHERE = [
    "//evil.example/",
    "/\\evil.example/",
    "\\\\evil.example",
    "/\t/evil.example/",
    "/\n/evil.example",
    "\t//evil.example/",
    " //evil.example",
    "/\r\\evil.example",
    "https://evil.example/pubdice/",
    "http://phones.example/pubdice/",
    "https://phones.example:8443/pubdice/",
    "https://phones.example@evil.example/pubdice/",
    "https://phones.example.evil.example/pubdice/",
    "javascript:alert(1)",
    "data:text/html,x",
    "blob:https://phones.example/pubdice/",
    "/",
    "/other/",
    "/pubdice",
    "/pubdice/../other/",
    "/pubdice/%2e%2e/other/",
    "/pubdice/..\\other/",
    "//",
    "https://",
    "",
]


def test_an_address_lies_in_this_house_as_the_browser_reads_it(scripts: Path) -> None:
    here = ["/pubdice/", "/pubdice/t/ABCDEF?a=//b#c", "/pubdice/\t", "/pubdice/./t", "https:evil.example"]
    found = in_node(scripts, "paths", OWN, [*here, *ELSEWHERE])
    assert found[: len(here)] == [
        "/pubdice/",
        "/pubdice/t/ABCDEF?a=//b#c",
        "/pubdice/",
        "/pubdice/t",
        "/pubdice/evil.example",
    ]
    assert dict(zip(ELSEWHERE, found[len(here) :], strict=True)) == {**dict.fromkeys(ELSEWHERE, ""), "": "/pubdice/"}
    at_the_root = ["/.//evil.example", "/..//evil.example", "/a/..//evil.example", "//evil.example", "/\\evil.example"]
    root = "https://phones.example/"
    assert in_node(scripts, "paths", root, [*at_the_root, "/t/ABCDEF"]) == [*[""] * len(at_the_root), "/t/ABCDEF"]


def test_a_house_leads_its_guest_to_no_address_elsewhere(scripts: Path) -> None:
    home = f"{scripts.parent}/"
    texts = [*ELSEWHERE[:-1], f"{home}t/ABCDEF"]
    assert in_node(scripts, "at", texts) == [[home, 0]] * (len(texts) - 1) + [[f"{home}t/ABCDEF", 1]]


def test_each_row_of_what_is_trusted_names_a_test_that_is_there() -> None:
    section = PAGE.read_text("utf-8").split("### What is trusted\n")[1].split("\n##")[0]
    rows = [row for row in section.splitlines() if row.startswith("| ")][2:]
    assert rows
    for row in rows:
        named = re.findall(r"`(\w+\.py)::(\w+)`", row.split(" | ")[1])
        assert named, row
        for file, test in named:
            assert f"def {test}(" in (HERE / file).read_text("utf-8"), test


def test_the_proof_is_an_hmac_of_the_keys_of_both_ends(scripts: Path) -> None:
    found = in_node(scripts, "proof")
    ends, pwd = [], b""
    for each in (found["offer"], found["answer"]):
        told = base64.urlsafe_b64decode(each + "==")
        after = 34 + told[33]
        pwd = told[after + 1 : after + 1 + told[after]]
        ends.append(f"{told[1:33].hex()} {told[34:after].decode()}")
    assert found["proof"] == hmac.digest(pwd, f"pubdice line 1 {' '.join(ends)}".encode(), "sha256").hex()


def test_a_line_without_the_proof_is_ended_at_once(scripts: Path) -> None:
    found = in_node(scripts, "strangers")
    assert len(found) > 20
    for what, left in found.items():
        word = "differs" if what == "hello of an earlier version" else "unproved"
        assert left == {"words": [word], "isGone": True, "isGuest": False, "sent": 0, "others": 0}, what


def test_a_line_on_which_nothing_is_said_is_ended_after_10_s(scripts: Path) -> None:
    found = in_node(scripts, "silent")
    nothing = {"isGuest": False, "sent": 0, "others": 0}
    assert found["before"] == {"words": [], "isGone": False, **nothing}
    assert found["timers"] == 1
    assert found["after"] == {"words": ["unproved"], "isGone": True, **nothing}


def test_a_house_that_proves_itself_is_greeted_once_a_line(scripts: Path) -> None:
    found = in_node(scripts, "proved")
    assert found["proved"] == {"words": [], "isHere": True}
    assert found["open"] == {"words": ["elsewhere"], "house": True}
    assert found["isGone"], "a second hello"


def test_a_guests_line_stays_until_another_phone_is_proved(scripts: Path) -> None:
    found = in_node(scripts, "another")
    assert found == {
        "answer": True,
        "stays": True,
        "isGone": True,
        "words": ["elsewhere", "differs"],
        "isThere": True,
    }


def test_a_guest_is_told_of_the_phone_whose_code_it_read(scripts: Path) -> None:
    found = in_node(scripts, "latest")
    assert found == {"far": [False, False], "gone": [False, False], "near": [True, True]}


def test_a_slow_spare_line_is_waited_for_as_long_as_requests_are(scripts: Path) -> None:
    """With a limit of 8 s, a guest on a slow phone would have to scan the house's code again."""
    found = in_node(scripts, "slow", [9, 19, 22])
    assert found == {"kept": [True, True, False], "words": ["elsewhere", "lost", "over"]}


def test_a_spare_line_needs_the_proof_too(scripts: Path) -> None:
    found = in_node(scripts, "spare")
    assert found == {"told": 1, "isGone": True, "words": ["elsewhere"], "isThere": True}


def test_a_house_has_no_guest_whose_answer_it_has_not_read(scripts: Path) -> None:
    found = in_node(scripts, "house")
    assert found == {
        "early": True,
        "taken": [True, False],
        "guests": ["3131"],
        "first": True,
        "second": "hello",
    }
