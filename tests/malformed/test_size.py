"""How large the suite is: the issue asks for 300 cases at least."""

from collections import Counter

from malformed.bad_answers import ANSWERS
from malformed.bad_commands import COMMANDS
from malformed.bad_headers import HEADERS
from malformed.bad_turns import TURNS


def test_the_suite_holds_at_least_300_cases_no_two_alike() -> None:
    names = Counter(
        [f"record: {bad.why}" for bad in (*HEADERS, *TURNS)]
        + [f"command: {bad.why}" for bad in COMMANDS]
        + [f"answer: {bad.scene}: {bad.why}" for bad in ANSWERS]
    )
    assert len(names) >= 300
    assert [name for name, times in names.items() if times > 1] == []
    inputs = {bad.data for bad in (*HEADERS, *TURNS)}
    lines = {bad.words for bad in COMMANDS}
    answers = {(bad.scene, bad.line) for bad in ANSWERS}
    assert len(inputs) + len(lines) + len(answers) >= 300
    assert len(inputs) >= 150
    assert len(lines) >= 100
    assert len(answers) >= 100
