"""Whether numpy is installed. Where it is not, as in a browser, two seats and single turns are solved without it."""

from functools import cache
from importlib.util import find_spec


@cache
def numpy_there() -> bool:
    """Whether numpy is installed; it is not imported here."""
    return find_spec("numpy") is not None
