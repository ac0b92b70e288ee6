"""A phone that opens a line without having read the answer makes nobody its guest, whatever it says."""

import base64
import hmac
import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import pubdice

HERE = Path(__file__).parent
STATIC = Path(pubdice.__file__).parent / "pocket/static"


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pocket's scripts, as Node takes them."""
    folder = tmp_path_factory.mktemp("strangers") / "pocket"
    shutil.copytree(STATIC, folder, ignore=lambda at, names: [n for n in names if "." in n and not n.endswith(".js")])
    (folder / "package.json").write_text('{"type": "module"}')
    return folder


def in_node(scripts: Path, case: str) -> Any:
    """What came of a case of ``strangers.mjs``."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("no node: .ci/install installs it")
    command = [node, str(HERE / "strangers.mjs"), str(scripts), case]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_proof_is_an_hmac_under_the_answers_password_of_both_ends(scripts: Path) -> None:
    found = in_node(scripts, "proof")
    ends, pwd = [], b""
    for code in (found["offer"], found["answer"]):
        told = base64.urlsafe_b64decode(code + "==")
        after = 34 + told[33]
        pwd = told[after + 1 : after + 1 + told[after]]
        ends.append(f"{told[1:33].hex()} {told[34:after].decode()}")
    assert found["proof"] == hmac.digest(pwd, f"pubdice line 1 {' '.join(ends)}".encode(), "sha256").hex()


def test_a_line_that_does_not_begin_with_the_proof_is_ended_at_once_and_nothing_is_done_with_it(scripts: Path) -> None:
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


def test_a_guests_line_stays_until_another_phone_has_proved_itself(scripts: Path) -> None:
    found = in_node(scripts, "another")
    assert found == {
        "answer": True,
        "stays": True,
        "isGone": True,
        "words": ["elsewhere", "differs"],
        "isThere": True,
    }


def test_a_spare_line_needs_the_proof_too(scripts: Path) -> None:
    found = in_node(scripts, "spare")
    assert found == {"told": 1, "isGone": True, "words": ["elsewhere"], "isThere": True}


def test_a_house_has_no_guest_whose_answer_it_has_not_read_and_reads_one_a_line(scripts: Path) -> None:
    found = in_node(scripts, "house")
    assert found == {
        "early": True,
        "taken": [True, False],
        "guests": ["3131"],
        "first": True,
        "second": "hello",
    }
