"""The lint of the manner of prose: a room that falls into a habit is found, and plain prose is left alone."""

from pathlib import Path

import pytest

import manner
from manner import (
    BOUNDS,
    HABITS,
    ROOT,
    SENTENCES,
    UNNAMED,
    comments,
    docstrings,
    paragraphs,
    problems,
    rates,
    rooms,
    said,
    sentences,
    strings,
)
from pubdice.server.web import openapi
from pubdice_workshop.new_game import new_game

PLAIN = (
    "The store writes the move. If the disk is full, it raises NotStored. The client sees nothing before that. " * 40
)
WORSE = {
    "nobody, somebody": "Somebody who waits is told so. ",
    "clauses": "It tells the caller, who waits. ",
    "that of": "The list is that of the table. ",
    "semicolons": "It waits; the others go on. ",
    "where, so that": "It asks again where no answer came. ",
}


@pytest.mark.parametrize("habit", HABITS)
def test_a_habit_is_found_and_plain_prose_is_not(habit: str) -> None:
    assert problems({"room": [PLAIN]}) == []
    (told,) = problems({"room": [PLAIN, *[WORSE[habit]] * 12]})
    assert told.startswith(f"room: {habit} ")
    assert HABITS[habit].instead in told


def test_a_small_room_may_have_a_few() -> None:
    assert problems({"room": ["One thing; another. " * 3]}) == []


def test_docstrings_comments_and_paragraphs_are_read_without_code() -> None:
    source = (
        '"""One; ``two; three``.\n\n>>> a; b\n"""\n\nMOST = 5\n"""Under a name."""\n\n'
        '# First; and\n# second.\nx = "; "  # noqa: X\n'
    )
    assert [text for _, text in docstrings(source)] == ["One; X.", "Under a name."]
    assert [*comments(source)] == [(9, "First; and second.")]
    page = "# Where; head\n\nOne [two; three](four;five.md).\n\n```\na; b\n```\n\n| a; | b |\n"
    assert [*paragraphs(page)] == [(3, "One two; three.")]
    assert rates(["One; two."])[1]["semicolons"] == 1


def test_sentences_on_screens_are_the_english_of_the_catalogues_and_have_bounds_of_their_own() -> None:
    entry = 'msgid "One; {number} to go."\nmsgid_plural "Two; \\"{number}\\"."\nmsgstr[0] "Drei; vier."\nmsgid ""\n'
    assert [*sentences(entry)] == [(1, "One; X to go."), (2, 'Two; "X".')]
    assert [*sentences('{\n  "shell": {\n    "busy": "Wait; wait.",\n')] == [(3, "Wait; wait.")]
    files = rooms()[SENTENCES]
    assert {"table.po", "pages.po", "house.po", "terminal.po", "de.po", "en.json"} == {path.name for path in files}
    assert problems({SENTENCES: [text for path in files for _, text in said(path)]}) == []
    least = PLAIN * 5 + WORSE["semicolons"] * 6
    assert 0.5 == BOUNDS[SENTENCES]["semicolons"] < HABITS["semicolons"].bound
    assert problems({"room": [least]}) == []
    (told,) = problems({SENTENCES: [least]})
    assert told.startswith("sentences: semicolons ")
    assert told.endswith("0.5 at most. Make two sentences.")


def test_every_room_has_its_files_and_main_names_a_bad_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = rooms()
    assert {"src/pubdice/solve", "packages/lab/src", "docs/host", "the top"} <= found.keys()
    folder = tmp_path / "docs/play"
    folder.mkdir(parents=True)
    (folder / "start.md").write_text("# Start\n\n" + "One thing is done; another is left. " * 9, "utf-8")
    monkeypatch.setattr(manner, "ROOT", tmp_path)
    monkeypatch.setattr(manner, "rooms", lambda: rooms(tmp_path))
    assert manner.main(["docs/play"]) == 1
    told = capsys.readouterr().out
    assert "docs/play/start.md:3: semicolons: One thing is done; another is left." in told
    assert "docs/play: semicolons 142.9 per 1,000 words, 3 at most." in told


def test_no_string_of_the_code_leaves_its_subject_unnamed() -> None:
    source = """'''Nobody.'''\nx = 'Nobody ' f'saves in {x}', 'nobody', 'an 'r'the one who'\n"""
    assert {text for _, text in strings(source) if UNNAMED.search(text)} == {"Nobody saves in", "an the one who"}
    files = [*ROOT.glob("src/**/*.py"), *ROOT.glob("packages/*/src/**/*.py"), *ROOT.glob("examples/**/*.py")]
    assert len(files) > 300
    found = [(path, *told) for path in files if path.name != "prose.py" for told in strings(path.read_text("utf-8"))]
    assert len(found) > 4_000
    assert [each for each in found if UNNAMED.search(each[2])] == []


def test_what_a_status_means_and_what_a_new_game_says_is_plain(tmp_path: Path) -> None:
    texts = [text for path in new_game("heap", tmp_path) if path.suffix in (".py", ".md") for _, text in said(path)]
    assert len(texts) > 10
    assert rates([*texts, *openapi.SENTENCES.values()])[1] == dict.fromkeys(HABITS, 0)
