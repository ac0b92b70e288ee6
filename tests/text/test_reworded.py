"""A reworded sentence keeps its translations."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from catalogues import translated
from pubdice.text.catalogues import CODES
from sentences import SOURCE
from support.paths import PATHS, TESTS

OLD, NEW = "There's no player to nudge.", "There's no player here to nudge."
OLD_FACTS, NEW_FACTS = "{name} nudges {other}: your turn!", "{name} nudges {whom}: your turn!"
WORDS = (str(TESTS / "catalogues.py"),)
SAID = (
    "from pubdice.text.catalogues import CODES, language\n"
    f"for code in CODES[1:]: print(language(code).say({NEW!r}), '|', language(code).say({NEW_FACTS!r}, name=1, whom=2))"
)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the source in which two sentences of one module are reworded, one of them with another fact. ``make
    words`` has written its catalogues, and told.txt has what it said.
    """
    source = tmp_path_factory.mktemp("reworded") / "src/pubdice"
    shutil.copytree(SOURCE, source, ignore=shutil.ignore_patterns("*.pyc.*"))
    module = source / "room/nudge.py"
    module.write_text(module.read_text().replace(OLD, NEW).replace(OLD_FACTS, NEW_FACTS))
    (source / "told.txt").write_text("\n".join(_run(source, *WORDS)))
    return source


def _run(source: Path, *command: str) -> list[str]:
    environment = os.environ | {"PYTHONPATH": f"{source.parent}{os.pathsep}{PATHS}", "PYTHONUTF8": "1"}
    done = subprocess.run([sys.executable, *command], env=environment, capture_output=True, text=True, check=False)
    return done.stdout.splitlines()


def _texts(source: Path) -> dict[str, bytes]:
    return {path.relative_to(source).as_posix(): path.read_bytes() for path in source.rglob("*.po")}


def test_make_words_carries_the_translations_over_and_marks_them_fuzzy(copy: Path) -> None:
    told = (copy / "told.txt").read_text().splitlines()
    assert told[-1] == "Every sentence is translated."
    assert [line for line in told if "fuzzy" in line] == [
        f"{code}: 2 fuzzy translations to look at." for code in CODES[1:]
    ]
    for code in CODES[1:]:
        before, _ = translated(SOURCE / f"locale/{code}/table.po")
        after, fuzzy = translated(copy / f"locale/{code}/table.po")
        assert after == {**{key: said for key, said in before.items() if key not in (OLD, OLD_FACTS)},
                         NEW: before[OLD], NEW_FACTS: before[OLD_FACTS]}  # fmt: skip
        assert fuzzy == {NEW: [f'#| msgid "{OLD}"'], NEW_FACTS: [f'#| msgid "{OLD_FACTS}"']}
    once = _texts(copy)
    assert _run(copy, *WORDS) == told
    assert _texts(copy) == once, "written twice, it is the same"


def test_the_house_says_an_old_translation_if_its_facts_still_fit(copy: Path) -> None:
    german, _ = translated(SOURCE / "locale/de/table.po")
    told = _run(copy, "-c", SAID)
    assert told[0] == f"{german[OLD]} | 1 nudges 2: your turn!"
    assert len(told) == len(CODES) - 1
    assert not any(NEW in line for line in told)
