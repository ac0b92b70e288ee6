"""The annexes of this repository: each can be removed with its folder, and tests about all of them are skipped then."""

from importlib.util import find_spec

import pytest

from pubdice.annexes import EXTRAS

PACKAGES = sorted({f"pubdice_{extra}" for extra in EXTRAS.values()})
MISSING = [name for name in PACKAGES if find_spec(name) is None]
of_all_annexes = pytest.mark.skipif(bool(MISSING), reason=f"about all annexes; not here: {', '.join(MISSING)}")
