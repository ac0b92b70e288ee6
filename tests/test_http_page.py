"""``docs/http.md`` plays a match by curl against a real house, line by line, and names fields that views have."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from pubdice.server.wire import REQUESTS, View
from support.house_process import House

PAGE = (Path(__file__).parents[1] / "docs/http.md").read_text(encoding="utf-8")


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is missing")
def test_the_lines_of_the_page_play_a_match(tmp_path: Path) -> None:
    first, *blocks = re.findall(r"^```\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    house = House(tmp_path)
    house.open()
    try:
        begin = first.replace("http://127.0.0.1:4224", f"http://127.0.0.1:{house.port}")
        assert begin != first
        script = "\n".join(["set -eu", begin, *blocks])
        done = subprocess.run(
            ["bash", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60
        )
    finally:
        house.stop()
    assert done.returncode == 0, done.stdout + done.stderr
    answers = done.stdout.replace("}{", "}\n{")
    assert "Ann's turn" in answers or "Your turn" in answers, answers
    assert "['s93', 's84', 's75']" in answers
    assert re.search(r"\d{13} play s93$", answers, re.MULTILINE), answers


def test_the_fields_that_it_names_are_there() -> None:
    named = re.findall(r"^\| `(\w+)` \|", PAGE.partition("## Read the view")[2].partition("## Move")[0], re.MULTILINE)
    assert set(named) <= set(View.__struct_fields__)
    deeds = re.findall(r"^\| `(\w+)` \|", PAGE.partition("## Move")[2], re.MULTILINE)
    assert set(deeds) - {"do"} <= set(REQUESTS)
