"""The inner loop, `make quick`: of the tests that a change can break those that fit into a minute, the cheapest first.

pytest-testmon knows these tests by a map of tests to functions (`make map`, which the night writes). The map knows
nothing of scripts, templates and catalogues. If one of them has changed, the tests of its room run as well. If there is
no map, the tests of every changed room run.
"""

import subprocess
from collections.abc import Generator
from pathlib import Path
from time import monotonic

import pytest

ROOT = Path(__file__).parents[2]
SHOWN = ("tests/browser/client/", "tests/server/show/", "tests/server/pages/")
"""The tests of what a browser reads."""
KINDS = {".css": SHOWN, ".html": SHOWN, ".js": SHOWN, ".po": ("tests/text/",)}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--within", type=float, default=60, help="the seconds after which no other test begins")


def changed_files(root: Path = ROOT) -> set[str]:
    """The names of the files that differ from the main branch, and of new ones."""

    def told(*command: str) -> list[str]:
        return subprocess.run(["git", *command], cwd=root, capture_output=True, text=True, check=True).stdout.split()

    base = told("merge-base", "HEAD", "main")[0]
    return {*told("diff", "--name-only", base), *told("ls-files", "--others", "--exclude-standard")}


def places(names: set[str], *, mapped: bool) -> tuple[str, ...]:
    """The beginnings of names of the tests that run whatever the map says."""
    found = set[str]()
    for name in names:
        suffix = Path(name).suffix
        if suffix == ".py" and mapped:
            continue
        found.update(KINDS.get(suffix, ()))
        parts = name.split("/")
        if name.startswith("src/pubdice/"):
            found.add(f"tests/{parts[2]}/")
        elif parts[0] == "packages":
            found.add(f"packages/{parts[1]}/")
        elif suffix == ".py":
            found.add(name)
    return tuple(sorted(found))


class Quick:
    """The plugin of one run."""

    def __init__(self, root: Path, within: float, *, mapped: bool) -> None:
        self._mapped = mapped
        self._places = places(changed_files(root), mapped=mapped)
        self._root, self._end = root, monotonic() + within

    @pytest.hookimpl(tryfirst=True)
    def pytest_ignore_collect(self, collection_path: Path) -> bool | None:
        """Keep testmon from leaving out a file."""
        name = collection_path.relative_to(self._root).as_posix()
        return False if collection_path.is_file() and name.startswith(self._places) else None

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> Generator[None]:
        kept = [item for item in items if item.nodeid.startswith(self._places)]
        yield
        if self._mapped:
            there = set(items)
            items += [item for item in kept if item not in there and not item.get_closest_marker("nightly")]
        else:
            items[:] = kept

    def pytest_runtest_setup(self) -> None:
        if monotonic() > self._end:
            pytest.skip("The time of make quick is over. make test runs this test.")


def pytest_configure(config: pytest.Config) -> None:
    mapped = bool(config.getoption("testmon", default=False))
    config.pluginmanager.register(Quick(config.rootpath, config.getoption("--within"), mapped=mapped))
