"""Laws about the folder of one game: its names, prose, rules pages and translations. ``pubdice game check`` runs them
for one game, in any folder. The repository's tests run them for every game of the house.
"""

import ast
import os
import re
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

import pubdice
from law_plugin import ONE_CAUSE
from play import KITS, ONE
from prose import MUDDLED, RIDDLES, clauses, docstrings, muddles, riddles
from pubdice.core.errors import IllegalAction
from pubdice.games.installed import fault_of
from pubdice.kit import Kit
from pubdice.text.catalogues import CODES
from pubdice.text.language import NOTATION, RULES, Language, bad_notation, illegal_action
from raised import facts_of, raised, said
from sentences import in_folder, misfits, translations, unsaid
from untranslated import entries, games, held, own, plural_forms, spoken

HOUSE = Path(pubdice.__file__).parent
MINE = {name: kit for name, kit in KITS.items() if kit.home}
EVERY = pytest.mark.parametrize("kit", MINE.values(), ids=MINE)
OTHERS = CODES[1:]


def folder(kit: Kit) -> Path:
    named = os.environ.get("PUBDICE_ONE_GAME_FOLDER") if ONE else None
    return Path(named) if named else Path(str(resources.files(kit.home)))


def modules(kit: Kit) -> list[Path]:
    return sorted(folder(kit).rglob("*.py"))


def catalogues(kit: Kit) -> list[str]:
    return [code for code in OTHERS if (folder(kit) / f"{code}.po").is_file()]


@EVERY
def test_its_kit_can_be_played(kit: Kit) -> None:
    assert fault_of(kit, kit.name) == ""
    assert list(kit.policies)[:2] == ["tip", "lucky"], "the bots tip and lucky come first"


@EVERY
def test_its_docstrings_comments_and_sentences_are_plain(kit: Kit) -> None:
    for path in modules(kit):
        assert muddles(path, RIDDLES, MUDDLED) == [], f"{path.name}: rewrite this as you would say it aloud"
        tree = ast.parse(path.read_text(encoding="utf-8"))
        assert clauses(docstrings(tree)) == [], f"{path.name}: a docstring begins with a noun or a verb"
    for page in folder(kit).glob("RULES*.md"):
        assert riddles(page.read_text(encoding="utf-8")) == [], page.name


@EVERY
def test_all_its_sentences_are_translated(kit: Kit, request: pytest.FixtureRequest) -> None:
    of_the_house = kit.home in games() and not request.config.getoption("--game")
    for code in catalogues(kit):
        missing = sorted(own(folder(kit)) - held(code, kit.home), key=str)
        if of_the_house and (missing or held(code, kit.home) - in_folder(folder(kit))):
            pytest.skip(ONE_CAUSE)
        if missing:
            lines = "\n".join(entries(missing, plural_forms(code)))
            pytest.fail(f"paste these into {code}.po:\n{lines}", pytrace=False)
        extra = held(code, kit.home) - in_folder(folder(kit))
        assert not extra, f"the game never says these of {code}.po"


@EVERY
def test_the_labels_of_its_moves_are_found_by_who_looks_for_sentences(kit: Kit) -> None:
    """A label must stand in the source as a string. If a label is built at import, no catalogue has it, and it stays
    English.
    """
    words: Any = kit.words
    labels = [
        *getattr(words, "labels", {}).values(),
        *(each for pair in getattr(words, "told", {}).values() for each in pair),
    ]
    known = {text for key in spoken(folder(kit)) for text in (key if isinstance(key, tuple) else (key,))}
    if unknown := [label for label in labels if label not in known]:
        said = ", ".join(map(repr, unknown))
        pytest.fail(
            f"write these out as strings in labels and told, so that they can be translated: {said}", pytrace=False
        )


@EVERY
def test_its_translations_have_the_facts_of_their_sentences(kit: Kit) -> None:
    for code in catalogues(kit):
        assert misfits(code, kit.home) == []
        for sentence, text in translations(code, kit.home):
            assert (text[-1:] in ".?!") == (sentence[-1:] in ".?!"), sentence
            assert [found for pattern in unsaid(code) for found in riddles(text, pattern)] == []


@EVERY
def test_its_rules_are_told_alike_in_every_language(kit: Kit) -> None:
    english = kit.page("en")
    assert english.startswith("# "), "the page of rules begins with the game's name"
    for code in catalogues(kit):
        other = kit.page(code)
        assert other != english, f"RULES.{code}.md is missing"
        assert set(re.findall(r"\b[0-9]+\b", other)) == set(re.findall(r"\b[0-9]+\b", english))
        assert other.count("\n#") == english.count("\n#")


@EVERY
def test_whatever_it_refuses_has_a_sentence(kit: Kit) -> None:
    """Every error code in the game's source has a sentence in ``refusals`` or ``faults``, or is a code that the house
    knows.
    """
    for kind, where, code, names in raised(folder(kit)):
        if kind == "IllegalAction":
            known = code in RULES or kit.words.refusal(Language(), kit.usual_game, code, facts_of(names)) is not None
            assert known, f"{where}: no sentence for {code!r}; write it in the words' refusals"
            said(illegal_action(Language(), kit.words, kit.usual_game, code, facts_of(names)))
        else:
            known = code in NOTATION or code in kit.words.faults
            assert known, f"{where}: no sentence for {code!r}; write it in the words' faults"
            said(bad_notation(Language(), code, facts_of(names), kit.words.faults))


@EVERY
def test_it_refuses_what_it_does_not_know(kit: Kit) -> None:
    """The game refuses a word that is no action, and a match with one seat too many."""
    game = kit.usual_game
    with pytest.raises(ValueError, match=r"."):
        game.read_action("no-such-action-of-any-game")
    with pytest.raises((ValueError, IllegalAction)):
        game.start(game.most_seats + 1)
