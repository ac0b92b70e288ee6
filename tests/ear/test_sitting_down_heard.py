"""Sitting down at a house's table, by ear: that one is in, who is there, and what to press."""

from pathlib import Path

import pytest

from ear.people import opened
from ear.reader import reading

pytestmark = pytest.mark.nightly


def test_who_sits_down_hears_that_they_are_in_and_who_is_there(tmp_path: Path) -> None:
    with reading(tmp_path) as (reader, house):
        table = opened(house, people=None, bots=[])
        reader.come(table.path)
        reader.until("Tab", "Your name entry")
        heard = reader.type("Bob", r"You're in\.", r"At the table with you: Ann\.", "press “I'm ready”")
        assert heard.count("You're in") == 1, heard
