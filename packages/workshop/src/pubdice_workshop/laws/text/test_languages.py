"""Laws of languages: each language has all sentences of English with the same facts, and the house speaks the language
that was chosen.
"""

import importlib
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import untranslated
from play import BY_DAY, Case, bot_match, endless, walk, wrong_play
from pubdice.core.errors import IllegalAction
from pubdice.core.game import RoundState
from pubdice.games import GAMES
from pubdice.kit import Kit
from pubdice.match.narrate import Narrator
from pubdice.match.record import Drawn, Played, Rolled
from pubdice.server.web.trusted_hosts import FAULTS
from pubdice.text.catalogues import (
    CODES,
    PARTS,
    Catalogue,
    CatalogueData,
    catalogue_file,
    choose,
    has_part,
    language,
    messages,
    native_names,
    page,
    spoken,
)
from pubdice.text.language import CONTEXT, NOTATION, Language, Sentence, bad_notation, illegal_action
from sentences import (
    SCANNED,
    SOURCE,
    WHOLE,
    at_length,
    english_only,
    facts_in,
    homes,
    in_folder,
    letters,
    misfits,
    sentences,
    translations,
    unsaid,
)
from support.profiles import NIGHTLY
from untranslated import plural_forms

OTHERS = CODES[1:]
MINE = [case for case in BY_DAY if case.kit.name in GAMES]
EVERY_CODE = pytest.mark.parametrize("code", OTHERS)
EVERY_CODE_AT_LENGTH = pytest.mark.parametrize("code", at_length(OTHERS))
EVERY_WHOLE_CODE_AT_LENGTH = pytest.mark.parametrize("code", at_length(WHOLE))
SPOKEN = {home: [code for code in OTHERS if home in homes(code)] for home in homes(OTHERS[0])}
"""The languages of each catalogue: of the house (""), of its games and of its annexes."""
EVERY_HOME = pytest.mark.parametrize("home", SPOKEN, ids=lambda home: home or "house")
EVERY_CASE = pytest.mark.parametrize("case", MINE, ids=str)
EVERY_KIT = pytest.mark.parametrize("kit", GAMES.values(), ids=GAMES)

QUOTED, ALONE, ON_A_CARD = NOTATION["empty"], "get 1 and 4, then score high", "Otherwise keep one 6, or else one 5."


def _strict(code: str) -> Language:
    return language(code, strict=True)


@EVERY_WHOLE_CODE_AT_LENGTH
def test_what_is_missing_is_printed_to_be_pasted_into_its_file(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plural = ("{number} die", "{number} dice")

    def lacking(code: str, home: str = "") -> CatalogueData:
        read = messages(code, home)
        texts = {text: told for text, told in read.texts.items() if text not in (QUOTED, ALONE, ON_A_CARD)}
        return replace(read, texts=texts, forms={pair: told for pair, told in read.forms.items() if pair != plural})

    before = untranslated.untranslated(code)
    monkeypatch.setattr(untranslated, "messages", lacking)
    found = {path: [*{*keys} - {*before.get(path, ())}] for path, keys in untranslated.untranslated(code).items()}
    assert {path: sorted(keys, key=str) for path, keys in found.items() if keys} == {
        SOURCE / f"games/fourtwenty/{code}.po": [ON_A_CARD],
        SOURCE / f"games/midnight/{code}.po": [plural, ALONE],
        SOURCE / f"locale/{code}/pages.po": [QUOTED],
    }
    told = untranslated.report(code)
    assert f"# src/pubdice/games/midnight/{code}.po" in told
    assert 'msgid "There is nothing to read. A record starts with the line \\"pubdice 1\\"."' in told
    at = told.index('msgid "{number} die"')
    empty = [f'msgstr[{form}] ""' for form in range(plural_forms(code))]
    assert told[at + 1 : at + 2 + len(empty)] == ['msgid_plural "{number} dice"', *empty]
    assert untranslated.main([]) == 1


def test_a_page_of_a_part_that_its_language_lacks_is_in_english() -> None:
    assert {part: spoken("de", part) for part in PARTS} == dict.fromkeys(PARTS, "de")
    assert spoken("qq", "pages") == "en"
    assert all(has_part(code, PARTS[0]) for code in CODES)


@EVERY_CODE
def test_a_games_sentence_is_its_own_and_wins_over_the_houses(code: str, tmp_path: Path, monkeypatch: Any) -> None:
    """The same sentence may mean one thing in a game and another on a page of the house. The game's translation is used
    only in the game.
    """
    folder = tmp_path / "lock_game"
    folder.mkdir()
    (folder / "__init__.py").write_text(
        "from pubdice.text.game_words import PlainWords\n"
        "class LockWords(PlainWords):\n"
        "    title, tagline = 'Open', 'Result'\n"
        "    def todo(self, language, game, state):\n        return language.say('Open')\n"
        "    def status(self, language, game, state, names):\n        return [language.say('No game says this.')]\n"
    )
    head = untranslated.head(code)
    (folder / f"{code}.po").write_text(f'{head}\nmsgid "Open"\nmsgstr "Ours"\n', encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "lock_game", raising=False)
    words, said, strict = importlib.import_module("lock_game").LockWords(), language(code), _strict(code)
    houses = messages(code).texts["Open"]
    assert (said.say("Open"), words.todo(said, None, None), said.say(words.title)) == (houses, "Ours", "Ours")
    assert strict.say(words.tagline) == said.say("Result"), "what a game's catalogue lacks is the house's"
    assert GAMES["midnight"].tongue(said).say("Open") == houses
    assert words.status(said, None, None, ()) == ["No game says this."]
    with pytest.raises(KeyError):
        words.status(strict, None, None, ())


def test_a_catalogue_that_cannot_be_read_costs_its_game_its_german_and_nobody_else(tmp_path: Path) -> None:
    folder = tmp_path / "torn_game"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "de.po").write_bytes(b'msgid "Open"\nmsgstr "Off\xff"\n')
    sys.path.insert(0, str(tmp_path))
    try:
        assert language("de").own["torn_game"].say("Open") == "Öffnen"
    finally:
        sys.path.remove(str(tmp_path))


def test_two_bounds_are_said_as_one_value_if_they_are_equal() -> None:
    """``Language.range`` says both bounds, so no sentence has them as two places."""
    for said in sentences(*SCANNED):
        text = said if isinstance(said, str) else " ".join(said)
        assert not ("{least}" in text and "{most}" in text), text
    assert Language().tell(NOTATION["flag-number"], {"flag": "x", "range": Language().range(0, 0)}).endswith(": 0.")
    assert [language(code).range(1, 6) for code in ("en", "de", "es")] == ["1 to 6", "1 bis 6", "de 1 a 6"]


def test_the_search_finds_sentences_wherever_they_stand() -> None:
    found = sentences(*SCANNED)
    assert {
        "{name} rolled {dice}.",  # in the call itself
        "{name} is even",  # in a name assigned before the call
        "{some} and {last}",  # in a default value
        "{some} or {last}",  # in an argument of a function that says it
        "You can't roll now.",  # in a table of sentences
        "{amount} less chance of a score",  # in a tuple in a table
        "takes risks",  # in a table of another module
        "get 1 and 4, then score high",  # as a game's tagline
        "dice you need",  # as the meaning of an option
        "2 and 4 (the variant 2-4-24)",  # as the meaning of a choice
        "two different faces",  # as the form of further choices
        "Until you have both, keep just one die a roll.",  # on a card
        "Rules of {game}",  # in a template
        ("{number} chip", "{number} chips"),
        ("Your turn: roll {number} die", "Your turn: roll {number} dice"),  # in a call of ``count``
        ("Enter one die, not {got}.", "Enter {number} dice, not {got}."),
    } <= found


def test_two_functions_of_one_name_are_told_apart_by_their_modules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two functions ``render``, only one says its argument. A third module imports this one of the two through the
    package.
    """
    source = tmp_path / "pubdice"
    (source / "said").mkdir(parents=True)
    (source / "said/__init__.py").write_text("from pubdice.said.text import render\n")
    (source / "said/text.py").write_text("def render(language, text):\n    return language.say(text)\n")
    (source / "plain.py").write_text("def render(language, text):\n    return text\n\n\nrender(None, 'a name')\n")
    (source / "asks.py").write_text("from pubdice.said import render as shown\n\nshown(None, 'a sentence')\n")
    monkeypatch.setattr("sentences.SOURCE", source)
    assert sentences("said/*.py", "plain.py", "asks.py") == {"a sentence"}


@EVERY_HOME
def test_no_sentence_stands_twice_in_a_catalogue(home: str) -> None:
    for code in SPOKEN[home]:
        files = [catalogue_file(code, home, part) for part in (PARTS if not home else PARTS[:1])]
        text = "".join(file.read_text(encoding="utf-8") for file in files if file.is_file())
        entries = re.findall(r"^((?:msgctxt .*\n)?msgid(?: ?\".*\"\n)+)", text, re.MULTILINE)
        found = Counter(CONTEXT.join(re.findall(r'"(.*)"', entry)) for entry in entries)
        assert found.pop("") == sum(file.is_file() for file in files), "each file has a head"
        assert (code, [sentence for sentence, times in found.items() if times > 1]) == (code, [])


@EVERY_HOME
def test_a_translation_has_exactly_the_facts_of_its_sentence(home: str) -> None:
    for code in SPOKEN[home]:
        assert (code, misfits(code, home)) == (code, [])
        assert not [sentence for sentence, text in translations(code, home) if CONTEXT in text]


def test_a_form_without_a_figure_is_not_said_of_0() -> None:
    rule = CatalogueData(
        {}, {("a round", "{number} rounds"): ("une manche", "{number} manches")}, lambda n: n > 1, ".", ","
    )
    french = Language(Catalogue(rule, strict=True), "fr")
    assert french.count("a round", "{number} rounds", 1) == "une manche"
    with pytest.raises(KeyError, match="0"):
        french.count("a round", "{number} rounds", 0)


@EVERY_HOME
def test_a_translation_begins_and_ends_as_its_sentence_does(home: str) -> None:
    """Sentences are built from parts, so a translation begins and ends like its sentence. A noun may begin with a
    capital, but a Spanish month may not.
    """
    for sentence, text in [pair for code in SPOKEN[home] for pair in translations(code, home)]:
        assert text == text.strip()
        assert text[-1:] in ".?!" if sentence[-1:] in ".?!" else text[-1:] not in ".?!", sentence
        if sentence[0].isupper() and not sentence.startswith("Jan Feb "):
            assert not text[0].islower(), sentence


@pytest.mark.parametrize("home", homes("de"), ids=lambda home: home or "house")
def test_a_sentence_about_you_has_the_verb_of_du_and_one_about_somebody_has_not(home: str) -> None:
    """The verb has one form in "Du hast" and another in "{name} hat". For English, laws/test_words_laws.py
    checks this.
    """
    for _, text in translations("de", home):
        verbs = re.findall(r"^(Du|\{name\}) ([a-zäöüß]+)", text)
        for who, verb in verbs:
            alike = verb in {"ist", "und", "als", "verlässt", "stupst", "schließt", "heißt", "sitzt"}
            assert alike or verb.endswith("st") == (who == "Du"), text


@EVERY_HOME
def test_a_plural_has_every_form_that_a_number_may_pick(home: str) -> None:
    for code in SPOKEN[home]:
        read, house = messages(code, home), messages(code)
        assert [read.form(number) for number in range(1000)] == [house.form(number) for number in range(1000)]
        for pair, forms in read.forms.items():
            assert len(forms) == plural_forms(code), (code, pair)


def test_a_number_picks_its_form_and_a_decimal_its_point() -> None:
    said = _strict("de")
    forms = [said.count("{number} round", "{number} rounds", number) for number in (0, 1, 2, 101)]
    assert forms == ["0 Runden", "1 Runde", "2 Runden", "101 Runden"]
    assert (said.per_cent(0.9567), said.number(0.62, 1)) == ("95,7 %", "0,6")
    assert (Language().per_cent(0.9567), Language().number(0.62, 1)) == ("95.7%", "0.6")


@pytest.mark.parametrize(
    ("last", "told"),
    [
        *[(name, f"Ana e {name}") for name in ("Isabel", "Íñigo", "inés", "Hilda", "Híspalis", "Yvonne", "I")],
        *[(name, f"Ana y {name}") for name in ("Bea", "Hielo", "Hiato", "Ian", "Yolanda", "Héctor", "Oscar", "8")],
    ],
)
def test_and_is_e_in_spanish_before_the_sound_of_i(last: str, told: str) -> None:
    assert language("es").join(["Ana", last]) == told
    assert GAMES["midnight"].tongue(language("es")).join(["Ana", last]) == told, "a game says it, too"


@pytest.mark.parametrize(
    ("last", "told"),
    [
        *[(name, f"7 u {name}") for name in ("Olga", "Óscar", "Horacio", "8", "11", "80", "11.000")],
        *[(name, f"7 o {name}") for name in ("Ana", "9", "10", "118", "Hugo", "Inés")],
    ],
)
def test_or_is_u_in_spanish_before_the_sound_of_o(last: str, told: str) -> None:
    assert language("es").join(["7", last], "{some} or {last}") == told


def test_a_list_that_ends_otherwise_and_one_of_another_language_change_nothing() -> None:
    assert language("es").join(["Inés"]) == "Inés"
    assert language("es").join(["Ana y Bea", "Cid", "Inés"]) == "Ana y Bea, Cid e Inés"
    assert language("de").join(["Anna", "Ida"]) == "Anna und Ida"
    assert language("es").join(iter(())) == "", "of no names"


@pytest.mark.parametrize(
    ("code", "two", "three"),
    [
        ("en", "You and Ben lead", "You, Ben and Inés lead"),
        ("de", "Du und Ben führt", "Du, Ben und Inés führt"),
        ("es", "Vas en cabeza con Ben", "Vas en cabeza con Ben e Inés"),
    ],
)
def test_the_reader_and_several_others_are_one_list(code: str, two: str, three: str) -> None:
    lead = "{names} lead", "You and {names} lead"
    assert language(code).about_all(*lead, ["", "Ben"]) == two
    assert language(code).about_all(*lead, ["Ben", "", "Inés"]) == three


def test_and_changes_before_the_one_name_beside_the_reader() -> None:
    """Italian: "Tu ed Elena", as in a list of names."""
    italian = Language(changes=(("and", "ands", "e"),))
    lead = "{names} lead", "You and {names} lead"
    assert italian.about_all(*lead, ["", "Elena"]) == "You ands Elena lead"
    assert italian.about_all(*lead, ["", "Ada", "Elena"]) == "You, Ada ands Elena lead"
    assert italian.about_all(*lead, ["", "Ben"]) == "You and Ben lead"


def test_who_reads_may_come_last_in_such_a_list() -> None:
    tie = "{names} tie again with {dice}, and roll again.", "You and {names} tie again with {dice}, and roll again."
    told = language("de").about_all(*tie, ["", "Ben", "נועה"], dice="3")
    isolated = "\N{FIRST STRONG ISOLATE}Ben, נועה\N{POP DIRECTIONAL ISOLATE}"
    assert told == f"Wieder Gleichstand mit 3: {isolated} und du. Ihr würfelt noch einmal."


def test_spanish_never_says_a_verb_of_several() -> None:
    """The pattern finds verbs of *vosotros* and no other words."""
    found = [
        text for text in ("elegís", "tenéis", "vais", "jugáis", "país", "París", "seis", "así") if _of_several(text)
    ]
    assert found == ["elegís", "tenéis", "jugáis"]


def _of_several(text: str) -> bool:
    return any(pattern.search(text) for pattern in unsaid("es"))


def test_who_is_to_roll_is_told_so_in_one_form_in_german() -> None:
    """The imperative is "würfle", never "würfel"."""
    told = [text for home in homes("de") for _, text in translations("de", home)]
    assert [text for text in told if re.search(r"\bwürfel\b|\bWürfel (?:weiter|noch)\b", text)] == []


def test_a_strict_language_raises_for_what_it_cannot_say_and_a_plain_one_says_it_in_english() -> None:
    with pytest.raises(KeyError):
        _strict("de").say("No house ever said this.")
    with pytest.raises(KeyError):
        _strict("de").count("{number} round", "{number} circles", 2)
    assert language("de").say("No house ever said {this}.", this="that") == "No house ever said that."
    assert language("de").count("{number} square", "{number} squares", 2) == "2 squares"


def _told(case: Case, said: Language, seats: int, seed: str) -> Iterator[str]:
    """Yield all sentences about a match between bots, and about its table."""
    live = bot_match(case, seats, seed)
    words, match = case.kit.words, live.table.match
    narrator = Narrator(said, words, match, live.table.names)
    yield from _whole(narrator.opening())
    for before, event, after in zip(live.states, live.events, live.states[1:], strict=False):
        if isinstance(event, Drawn | Rolled | Played):
            yield from _whole(*narrator.tell(before.match, event, after.match))
        yield from _whole(*narrator.standing(after.match.tally))
        inner = after.match
        names = tuple(live.table.names[seat] for seat in inner.order)
        if inner.round is None or inner.over:
            continue
        yield from _whole(narrator.round_opens(inner))
        yield from words.scores(said, match.game, inner.round, names)
        yield from words.to_beat(said, match.game, inner.round, names)
        yield from (words.stand(said, match.game, inner.round, seat, ()) for seat in range(len(names)))
        if match.to_roll(inner):
            yield words.to_roll(said, match.game, inner.round)
        else:
            yield words.ask(said, match.game, inner.round)
            yield from (words.choice(said, match.game, inner.round, action) for action in match.legal(inner)[:8])
    yield from _whole(*narrator.ending(live.end.match.tally, live.end.match.last))


def _whole(*texts: str) -> Iterator[str]:
    """Yield spoken lines. Each ends as a sentence does."""
    for text in texts:
        assert text[-1:] in ".!?", text
        yield text


@EVERY_CODE_AT_LENGTH
@EVERY_CASE
def test_whole_matches_are_told_without_a_word_of_english(case: Case, code: str) -> None:
    english = english_only(code)
    assert {"rolled", "kept", "seat", "the"} <= english
    for seats in (2, 3, 5):
        for seed in ("anna", "bert")[: 2 if NIGHTLY else 1]:
            for text in _told(case, _strict(code), seats, f"{seed} {seats}"):
                assert "{" not in text
                assert not letters(text) & english, text


@EVERY_CODE_AT_LENGTH
@EVERY_KIT
@given(data=st.data())
def test_refusals_are_said_without_a_word_of_english(kit: Kit, code: str, data: st.DataObject) -> None:
    case = data.draw(st.sampled_from([case for case in MINE if case.kit is kit]))
    game, english, said = case.game, english_only(code), _strict(code)
    hand = st.lists(st.integers(1, 6), max_size=6).map(lambda faces: tuple(sorted(faces)))
    for state, _ in walk(game, 2, endless(data.draw(st.integers(0, 99)))):
        kept, fallen = data.draw(hand), data.draw(hand)
        for attempt in wrong_play(game, state, kept, fallen):
            try:
                attempt()
            except IllegalAction as error:
                text = illegal_action(said, kit.words, game, error.code, error.facts)
                assert not letters(text) & english, text


@EVERY_WHOLE_CODE_AT_LENGTH
def test_every_fault_of_notation_has_its_sentence(code: str) -> None:
    tables: list[tuple[str, Mapping[str, Sentence]]] = [("", NOTATION), ("", FAULTS)]
    tables += [(kit.home, kit.words.faults) for kit in GAMES.values()]
    for home, table in tables:
        for fault, text in table.items():
            facts: dict[str, Any] = {name: "X" for name, _ in facts_in(text if isinstance(text, str) else text[1])}
            if not isinstance(text, str):
                facts = {**facts, text[2]: 4}
                facts.pop("number", None)  # this fact selects singular or plural
            assert bad_notation(_strict(code).own[home], fault, facts, table)


def test_reasons_and_chances_are_said_with_commas() -> None:
    said, (midnight, race) = _strict("de"), [GAMES[name] for name in ("midnight", "420")]
    here = said, midnight.build({"need": "1 4"}), RoundState(2, (20,), (), (1, 2, 3, 4, 5, 6))
    best = {"mean": 15.0, "qualify": 0.8, "beat": 0.4, "tie": 0.1, "to_beat": 20.0}
    other = {"mean": 15.64, "qualify": 0.76, "beat": 0.42, "tie": 0.1, "to_beat": 20.0}
    assert midnight.words.why(*here, best, other) == (
        "im Schnitt 0,6 Punkte mehr und 2,0 % mehr Chance, 20 zu schlagen, aber 4,0 % weniger Chance auf Punkte"
    )
    assert midnight.words.chance(*here, best) == ["Chance auf mehr als 20: 40,0 %, auf Gleichstand: 10,0 %."]
    game = race.build({})
    assert race.words.chance(said, game, game.start(2), {"win_now": 0.1667, "over": 0.5}) == [
        "Dieser Wurf gewinnt mit 16,7 %.",
        "Über 20 kommt er mit 50,0 %.",
    ]


@EVERY_CODE_AT_LENGTH
@EVERY_KIT
def test_what_is_chosen_from_is_said_too(kit: Kit, code: str) -> None:
    said = _strict(code)
    for text in (kit.words.title, kit.words.tagline, *(option.meaning for option in kit.options)):
        assert said.say(text)
    assert all(said.say(text) for option in kit.options for text in option.meanings)


@EVERY_KIT
def test_a_page_of_rules_is_there_in_every_language(kit: Kit) -> None:
    english, numbers = kit.page("en"), re.compile(r"\b[0-9]+\b")
    for code in OTHERS:
        own = kit.page(code)
        assert (own == english) == (kit.home not in homes(code)), "a game may bring no catalogue of a language"
        if own != english:
            assert set(numbers.findall(own)) == set(numbers.findall(english)), code
            assert own.count("\n#") == english.count("\n#"), code
            assert own.count("\n- ") == english.count("\n- "), code
            assert max(map(len, own.splitlines())) <= 128, code


def test_a_page_that_is_not_translated_is_read_in_english() -> None:
    assert page("pubdice.games.midnight", "xx") == GAMES["midnight"].page("en")
    assert page("pubdice.games.midnight", "../en") == GAMES["midnight"].page("en")


def test_languages_know_their_code_and_no_other_is_spoken() -> None:
    assert [language(code).code for code in CODES] == list(CODES)
    assert native_names()[:2] == (("en", "English"), ("de", "Deutsch"))
    assert [code for code, _ in native_names()] == list(CODES)
    assert language("de") is language("de")
    for wrong in ("xx", "", "../de"):
        with pytest.raises(ValueError, match="no language"):
            language(wrong)


@pytest.mark.parametrize(
    ("header", "code"),
    [
        (None, "en"),
        ("", "en"),
        ("de", "de"),
        ("de-AT", "de"),
        ("DE-at", "de"),
        ("de-Latn-CH-1996,fr;q=0.3", "de"),
        ("en-GB,en;q=0.9,de;q=0.8", "en"),
        ("de-CH, en;q=0.7", "de"),
        ("cs-CZ, cs;q=0.9, de;q=0.2, en;q=0.1", "de"),
        ("pt-BR, fr;q=0.9", "pt"),
        ("iw-IL", "he"),
        ("en;q=0.2,de;q=0.200", "en"),
        ("de,en", "de"),
        ("en,de", "en"),
        ("xx,yy", "en"),
        ("*", "en"),
        ("*;q=0.5", "en"),
        ("cs, *;q=0.1", "en"),
        ("en;q=0.2, *;q=0.5", "en"),
        ("cs, en;q=0.1, *;q=0.5", "en"),
        ("en;q=0.2, fr;q=0.5, *;q=0.5", "fr"),
        ("fr;q=0, *;q=0.5", "en"),
        ("fr;q=0, en;q=0.1, *", "en"),
        ("en;q=0, *", "de"),
        ("de;q=0", "en"),
        ("de;q=0,en;q=0", "en"),
        ("de ; q = 0.5 , en;q=0.4", "de"),
        ("en;q=0.5,de;q=7", "en"),
        ("en;q=0.5,de;q=1.5", "en"),
        ("en;Q=0.5,de;q=0.6", "de"),
        ("de;q=x,en;q=0.1", "en"),
        ("de;q=-1", "en"),
        ("deutsch, en;q=0.1", "en"),
        (",,;;q=,de", "de"),
        ("\x00\uffff de", "en"),
        ("cs," * 5000 + "de", "en"),
    ],
)
def test_the_language_a_browser_likes_best_is_chosen(header: str | None, code: str) -> None:
    assert choose(header, None) == code


@given(st.text(alphabet="den-;q=*.,01 \t\0é"))
def test_any_header_chooses_a_language(header: str) -> None:
    assert choose(header, header) in CODES


def test_what_was_chosen_before_comes_first() -> None:
    assert choose("de", "en") == "en"
    assert choose("en", "de") == "de"
    assert choose("de", "cs") == "de"
    assert choose("de", "") == "de"


def test_no_language_needs_a_library_to_be_spoken() -> None:
    code = (
        "import sys; sys.modules['babel'] = None\n"
        "from pubdice.games import GAMES\nfrom pubdice.text.catalogues import CODES, language\n"
        "assert [language(code).own[GAMES['420'].home].number(0.5, 1) for code in CODES][:2] == ['0.5', '0,5']"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_words_of_a_games_faces_are_sentences_of_its_own(tmp_path: Path) -> None:
    shutil.copy(Path(__file__).parents[1] / "aces.py", tmp_path)
    assert {("a king", "{number} kings"), ("an ace", "{number} aces")} <= in_folder(tmp_path)
