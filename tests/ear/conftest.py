"""A house that is read by ear, kept as long as the tests of a file follow."""

import os
from collections.abc import Iterator

import pytest

from ear.reader import Reader, reading
from support.house_process import House

BROWSERS = os.environ.get("EAR_BROWSERS", "chromium firefox").split()
IN_BOTH = pytest.mark.parametrize("place", BROWSERS, indirect=True, scope="module")
"""A file whose tests are run in each browser; else they are in Chromium."""
Place = tuple[Reader, House]


@pytest.fixture(scope="module")
def place(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    with reading(tmp_path_factory.mktemp("ear"), getattr(request, "param", "chromium")) as place:
        yield place
