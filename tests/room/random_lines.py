"""What the lines of a log may hold: strategies for the facts of events."""

import pytest
from hypothesis import strategies as st

from play import KITS
from pubdice.core.errors import BadNotation
from pubdice.match.header import read_name

EVERY_KIT = pytest.mark.parametrize("kit", KITS.values(), ids=KITS)
PERSONS = st.from_regex(r"[A-Za-z0-9_-]{22}", fullmatch=True)


def named(name: str) -> bool:
    try:
        return read_name(name) == name
    except BadNotation:
        return False


NAMES = st.one_of(
    st.sampled_from(("Ann", "Ann Bee", "Zo\xeb O'Hara", "1", "\u0628\u0648\u0628", "sat 0 x y", "A & B")),
    st.text(min_size=1, max_size=24).filter(named),
)
FACTS: dict[str, st.SearchStrategy[object]] = {
    "seat": st.integers(0, 10**9 - 1),
    "absent": st.integers(0, 10**9 - 1),
    "to": st.integers(0, 10**9 - 1),
    "rules": st.sampled_from(
        (
            '{"rules": {"game": "pig", "target": "20"}, "dice": "house", "clock_s": 0, "grace_s": 1}',
            "{}",
            "[1, 2]",
        )
    ),
    "digest": st.sampled_from(("-", "ab" * 32)),
    "seed": st.one_of(st.from_regex(r"[A-Za-z0-9]{1,32}", fullmatch=True), st.just("ab" * 32)),
    "ms": st.integers(0, 10**9 - 1),
    "person": PERSONS,
    "before": PERSONS,
    "fork": st.from_regex(r"[0-9a-f]{16}", fullmatch=True),
    "moves": st.integers(0, 10**9 - 1),
    "name": NAMES,
    "bot": st.sampled_from(sorted({bot for kit in KITS.values() for bot in kit.bots})),
    "why": st.sampled_from(("gave", "voted")),
    "code": st.text("ABCDEFGHJKLMNPQRSTUVWXYZ", min_size=6, max_size=6),
}
