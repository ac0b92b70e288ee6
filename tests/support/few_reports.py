"""What a process of pytest-xdist tells of each test: one report, and others only where something went wrong.

Usually it tells six things: that a test begins, three reports, that it ends, and that the next may follow. To write and
read them takes 2.0 ms of processor a test, and 1.1 ms if only a report and the last are told; there are 18,800 tests.

``runtestprotocol`` is no promise of pytest's, though pytest-rerunfailures has used it for ten years
(docs/decisions/0017-smaller-choices.md); tests/test_few_reports.py looks whether it still does what is asked of it.
"""

import pytest
from _pytest.runner import runtestprotocol


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool:
    for report in runtestprotocol(item, log=False, nextitem=nextitem):
        if report.when == "call" or not report.passed:
            item.ihook.pytest_runtest_logreport(report=report)
    return True
