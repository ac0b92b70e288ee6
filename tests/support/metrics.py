"""The house's metrics as numbers, from the page that Prometheus reads."""

import re


def metric(page: str, name: str) -> float:
    """The value of a metric without labels."""
    found = re.search(rf"^{name} (\S+)$", page, re.MULTILINE)
    assert found is not None, f"no {name} in {page!r}"
    return float(found[1])
