"""Who the browser is, kept in a file: a phone that dies while it is written knows its person all the same."""

import json
from pathlib import Path
from unittest.mock import patch

import pytest

from pubdice_pocket.browser.cookie_jar import CookieJar


def test_cookies_are_there_again(tmp_path: Path) -> None:
    jar = CookieJar(tmp_path / "cookies.json")
    jar.take("pubdice=AAAA; Path=/; Max-Age=99")
    jar.take("theme=dark; Path=/")
    jar.take("theme=; Max-Age=0")
    assert CookieJar(tmp_path / "cookies.json").header == "pubdice=AAAA"


@pytest.mark.parametrize("step", ["write_text", "replace"])
def test_a_phone_that_dies_while_it_writes_has_the_old_ones_or_the_new(tmp_path: Path, step: str) -> None:
    file = tmp_path / "cookies.json"
    CookieJar(file).take("pubdice=AAAA")
    with patch.object(Path, step, side_effect=BlockingIOError), pytest.raises(BlockingIOError):
        CookieJar(file).take("name=Ann")
    assert json.loads(file.read_text("utf-8")) == {"pubdice": "AAAA"}
    CookieJar(file).take("name=Ann")
    assert CookieJar(file).header == "pubdice=AAAA; name=Ann"
