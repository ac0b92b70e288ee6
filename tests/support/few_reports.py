"""What a process of pytest-xdist tells of each test: one report, and others only where something went wrong.

Usually it tells six things: that a test begins, three reports, that it ends, and that the next may follow. To write and
read them takes 2.1 ms of processor a test, and 1.2 ms if only a report and the last are told; there are 18,600 tests.

``runtestprotocol`` is no promise of pytest's, though pytest-rerunfailures has used it for ten years
(docs/decisions/0017-smaller-choices.md); tests/test_few_reports.py looks whether it still does what is asked of it.
"""

import pytest
from _pytest.runner import runtestprotocol

_told = list[pytest.TestReport]()
"""Those of the test under way that were told at once."""


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool:
    _told.clear()
    for report in runtestprotocol(item, log=False, nextitem=nextitem):
        if report not in _told and (report.when == "call" or not report.passed):
            item.ihook.pytest_runtest_logreport(report=report)
    return True


def pytest_exception_interact(node: pytest.Item, report: pytest.TestReport | pytest.CollectReport) -> None:
    """Tell at once what failed: to clear away after it may end the process, and with ``-x`` clears all away."""
    if type(report) is pytest.TestReport:  # a subtest tells its own
        _told.append(report)
        node.ihook.pytest_runtest_logreport(report=report)
