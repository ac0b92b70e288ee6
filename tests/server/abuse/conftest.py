"""A house for requests no friend would send: refused with a reason, and the table is as it was.

Every case is sent as bytes. Afterwards the table's seq and its log are those of before, the house answers, and its own
log has no fault in it.
"""

import re
from collections.abc import Iterator

import httpx
import pytest

from server.abuse.scene import Scene
from support.house_process import House


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    with House(tmp_path_factory.mktemp("house"), limits=False) as house:
        made = Scene(house.port, house.file)
        made.set_up()
        yield made
        assert '"error"' not in house.errors()
        assert "Traceback" not in house.errors()
        metrics = httpx.get(f"http://127.0.0.1:{house.port}/metrics", timeout=60).text
        assert not re.search(r'status="5', metrics)
        assert "pubdice_faults_total 0" in metrics


@pytest.fixture
def untouched(scene: Scene) -> Iterator[Scene]:
    """The scene. Whatever a test does with it, the table is as it was, and the house is well."""
    before, log = scene.seq(), scene.log()
    yield scene
    assert scene.seq() == before
    assert scene.log() == log
