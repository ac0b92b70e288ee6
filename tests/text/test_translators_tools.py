"""Translators read every catalogue, and so do their programs: gettext's own, and that of Weblate and Virtaal."""

import csv
import re
import shutil
import subprocess
from io import StringIO
from pathlib import Path

import pytest

from catalogue_notes import facts
from pubdice.text.po_file import read_po
from sentences import ANNEXES, SOURCE, facts_in

CATALOGUES = sorted(file for folder in (SOURCE, *ANNEXES.values()) for file in folder.rglob("*.po"))
PLAIN_HEAD = re.compile(r".*header field '(PO-Revision-Date|Last-Translator|Language-Team)' missing in header\n")
"""Facts that a head does not need: git has them."""


def program(name: str) -> str:
    """Return a program of the system. Without it the test is skipped, with a word."""
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"no {name}: .ci/install installs it, some only as `.ci/install nightly`")
    return found


def test_every_fact_of_a_sentence_has_a_meaning_for_translators() -> None:
    """Its meaning stands in facts.toml of the laws, and `make words` writes it beside each sentence."""
    read = [read_po(file.read_text(encoding="utf-8")) for file in CATALOGUES]
    said = {key for each in read for key in (*each["texts"], *(many for _, many, _ in each["forms"]))}
    named = {name for key in said for name, _ in facts_in(key)}
    assert sorted(named - facts().keys()) == [], "no meaning"
    assert sorted(facts().keys() - named) == [], "in no sentence"


def test_gettext_finds_nothing_to_say_about_a_catalogue() -> None:
    """It checks heads, plural forms, facts in braces, and full stops at the end of a line."""
    tool = program("msgfmt")
    for file in CATALOGUES:
        ran = subprocess.run([tool, "--check", "-o", "/dev/null", file], capture_output=True, text=True, check=False)
        assert PLAIN_HEAD.sub("", ran.stderr) == "", file
        assert ran.returncode == 0


@pytest.mark.nightly
def test_translate_toolkit_reads_as_many_sentences_as_we_do() -> None:
    tool = program("pocount")
    ran = subprocess.run([tool, "--csv", *CATALOGUES], capture_output=True, text=True, check=True)
    counted = {Path(row["Filename"]): int(row["Translated Messages"]) for row in csv.DictReader(StringIO(ran.stdout))}
    read = {file: read_po(file.read_text(encoding="utf-8")) for file in CATALOGUES}
    assert counted == {file: len(each["texts"]) + len(each["forms"]) for file, each in read.items()}
