"""Profiles: PUBDICE_PROFILE=nightly runs the long tests and 1,000 examples a law; otherwise the default ones run."""

import os
import tempfile

import pytest
from hypothesis import HealthCheck, settings

NIGHTLY = "nightly"
os.environ["PUBDICE_CACHE"] = tempfile.mkdtemp(prefix="pubdice-cache-")  # solutions of this run, found nowhere else
PROFILE = os.environ.get("PUBDICE_PROFILE", "default")
SLOW_IS_FINE = [HealthCheck.too_slow, HealthCheck.data_too_large]

settings.register_profile(
    "default", max_examples=60, derandomize=True, deadline=None, suppress_health_check=SLOW_IS_FINE
)
settings.register_profile(
    NIGHTLY, max_examples=1_000, deadline=None, print_blob=True, suppress_health_check=SLOW_IS_FINE
)
settings.load_profile(PROFILE)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--regenerate", action="store_true", help="write the golden records and published counts anew, not compare"
    )


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if PROFILE == NIGHTLY:
        return
    for item in items:
        if item.get_closest_marker(NIGHTLY):
            item.add_marker(pytest.mark.skip(reason="SKIPPED, long run: set PUBDICE_PROFILE=nightly to run it"))


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Where PUBDICE_CI is set nothing may be skipped but the long runs."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if not os.environ.get("PUBDICE_CI") or reporter is None:
        return
    reasons = [report.longrepr[2] for report in reporter.stats.get("skipped", []) if isinstance(report.longrepr, tuple)]
    missed = [reason for reason in reasons if "long run" not in reason]
    if missed and session.exitstatus == 0:
        reporter.write_line(f"not skipped in CI: {missed}")
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.fixture
def regenerate(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--regenerate"))
