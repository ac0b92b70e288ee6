"""``pubdice pocket`` in the language of the terminal."""

from pathlib import Path

from terminal.test_languages_spoken import EVERY_CODE, is_helped_in_its_language, is_refused_in_german


@EVERY_CODE
def test_its_help_is_in_the_language(code: str) -> None:
    is_helped_in_its_language("pocket", code)


def test_its_refusals_are_german_too(tmp_path: Path) -> None:
    is_refused_in_german("pocket none --verify", "Den Ordner none gibt es nicht.", tmp_path)
