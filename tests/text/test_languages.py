"""Languages: German says all that English says, with the same facts, and the one that is asked for is spoken."""

import io
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from string import Formatter
from typing import Any

import pytest
from babel.messages.pofile import read_po
from hypothesis import given
from hypothesis import strategies as st

import untranslated
from play import CASES, Case, bot_match, endless, walk, wrong_play
from pubdice.core.errors import IllegalAction
from pubdice.core.turn_game import RoundState
from pubdice.games import GAMES
from pubdice.kit import Kit
from pubdice.match.narrate import Narrator
from pubdice.match.record import Drawn, Played, Rolled
from pubdice.server.web.trusted_hosts import FAULTS
from pubdice.text.catalogues import CODES, LANGUAGES, catalogue_files, choose, language, messages, page
from pubdice.text.language import NOTATION, Language, Sentence, bad_notation, illegal_action
from sentences import SCANNED, SOURCE, Key, english_only, letters, sentences, translations
from untranslated import games, own, report

OTHERS = CODES[1:]
MINE = [case for case in CASES if case.kit.name in GAMES]
EVERY_CODE = pytest.mark.parametrize("code", OTHERS)
EVERY_CASE = pytest.mark.parametrize("case", MINE, ids=str)
EVERY_KIT = pytest.mark.parametrize("kit", GAMES.values(), ids=GAMES)

QUOTED, ALONE, ON_A_CARD = NOTATION["empty"], "get a 1 and a 4, then score high", "Otherwise keep one 6, or else one 5."


def _facts(text: str) -> set[tuple[str, str]]:
    return {(name, spec or "") for _, name, spec, _ in Formatter().parse(text) if name is not None}


def _strict(code: str) -> Language:
    return language(code, strict=True)


@EVERY_CODE
def test_every_sentence_of_the_source_is_in_the_catalogue(code: str) -> None:
    """If one is missing, ``make words`` prints it."""
    assert "\n".join(report(code)) == ""


@EVERY_CODE
def test_what_is_missing_is_printed_to_be_pasted_into_its_file(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    read, plural = messages(code), ("{number} die", "{number} dice")
    texts = {text: told for text, told in read.texts.items() if text not in (QUOTED, ALONE, ON_A_CARD)}
    forms = {pair: told for pair, told in read.forms.items() if pair != plural}
    monkeypatch.setattr(untranslated, "messages", lambda code: replace(read, texts=texts, forms=forms))
    assert untranslated.untranslated(code) == {
        f"games/fourtwenty/{code}.po": [ON_A_CARD],
        f"games/midnight/{code}.po": [plural, ALONE],
        f"locale/{code}.po": [QUOTED],
    }
    told = untranslated.report(code)
    assert "# src/pubdice/games/midnight/de.po" in told
    assert 'msgid "There is nothing to read. A record starts with the line \\"pubdice 1\\"."' in told
    at = told.index('msgid "{number} die"')
    assert told[at + 1 : at + 4] == ['msgid_plural "{number} dice"', 'msgstr[0] ""', 'msgstr[1] ""']
    assert untranslated.main() == 1


@EVERY_CODE
def test_the_catalogue_holds_nothing_that_nobody_says(code: str) -> None:
    held: set[Key] = {*messages(code).texts, *messages(code).forms}
    assert held - sentences(*SCANNED) == set()


def test_the_search_finds_sentences_wherever_they_stand() -> None:
    found = sentences(*SCANNED)
    assert {
        "{name} rolled {dice}.",  # in the call
        "{name} even",  # in a name before it
        "{some} and {last}",  # in a default
        "{some} or {last}",  # in an argument of a function that says it
        "You can't roll now.",  # in a table
        "{amount} of qualifying",  # in a tuple in a table
        "takes risks",  # in a table of another module
        "get a 1 and a 4, then score high",  # a game's tagline
        "dice you need",  # an option's meaning
        "2 and 4 (the variant 2-4-24)",  # a choice's
        "Until you have both, keep just one die a roll.",  # on a card
        "Rules of {game}",  # in a template
        ("{number} chip", "{number} chips"),
        ("Your turn: roll {number} die", "Your turn: roll {number} dice"),  # in a row that is unpacked
        ("Enter one die, not {got}.", "Enter {number} dice, not {got}."),
    } <= found


@EVERY_CODE
def test_no_sentence_stands_twice_in_a_catalogue(code: str) -> None:
    texts = [path.read_text(encoding="utf-8") for path in catalogue_files(code)]
    entries = [entry for text in texts for entry in re.findall(r"^msgid((?: ?\".*\"\n)+)", text, re.MULTILINE)]
    found = Counter("".join(re.findall(r'"(.*)"', entry)) for entry in entries)
    assert found.pop("") == len(texts), "each file has a head"
    assert [sentence for sentence, times in found.items() if times > 1] == []


@EVERY_CODE
@pytest.mark.parametrize("folder", games())
def test_what_a_game_alone_says_is_translated_in_its_own_folder(code: str, folder: str) -> None:
    """A game is one folder and one line, so it brings its German along."""
    house = [pattern for pattern in SCANNED if not pattern.startswith("games/")]
    path = SOURCE / "games" / folder / f"{code}.po"
    entries = read_po(io.BytesIO(path.read_bytes() if path.is_file() else b""))
    held = {tuple(message.id) if message.pluralizable else message.id for message in entries if message.id}
    assert held >= own(folder)
    assert held & sentences(*house) == set()


@EVERY_CODE
def test_a_translation_has_exactly_the_facts_of_its_sentence(code: str) -> None:
    for sentence, text in translations(code):
        assert _facts(text) == _facts(sentence), sentence


@EVERY_CODE
def test_a_translation_begins_and_ends_as_its_sentence_does(code: str) -> None:
    """So that what is put together of pieces reads as one; nouns may begin with a capital."""
    for sentence, text in translations(code):
        assert text == text.strip()
        assert text[-1:] in ".?!" if sentence[-1:] in ".?!" else text[-1:] not in ".?!", sentence
        if sentence[0].isupper():
            assert not text[0].islower(), sentence


@pytest.mark.parametrize("code", ["de"])
def test_a_sentence_about_you_has_the_verb_of_du_and_one_about_somebody_has_not(code: str) -> None:
    """So "Du hast" but "{name} hat"; the English law of verbs is in tests/laws/test_words_laws.py."""
    for _, text in translations(code):
        verbs = re.findall(r"^(Du|\{name\}) ([a-zäöüß]+)", text)
        for who, verb in verbs:
            assert verb in {"ist", "und", "als", "verlässt", "stupst"} or verb.endswith("st") == (who == "Du"), text


@EVERY_CODE
def test_a_number_picks_its_form_and_a_decimal_its_point(code: str) -> None:
    said = _strict(code)
    forms = [said.count("{number} round", "{number} rounds", number) for number in (0, 1, 2, 101)]
    assert forms == ["0 Runden", "1 Runde", "2 Runden", "101 Runden"]
    assert (said.per_cent(0.9567), said.number(0.62, 1)) == ("95,7 %", "0,6")
    assert (Language().per_cent(0.9567), Language().number(0.62, 1)) == ("95.7 %", "0.6")


def test_who_is_to_roll_is_told_so_in_one_form_in_german() -> None:
    """It is "würfle", nowhere "würfel"."""
    found = messages("de")
    told = [*found.texts.values(), *(form for forms in found.forms.values() for form in forms)]
    assert [text for text in told if re.search(r"\bwürfel\b|\bWürfel (?:weiter|noch)\b", text)] == []


def test_a_strict_language_raises_for_what_it_cannot_say_and_a_plain_one_says_it_in_english() -> None:
    with pytest.raises(KeyError):
        _strict("de").say("Nobody ever said this.")
    with pytest.raises(KeyError):
        _strict("de").count("{number} round", "{number} circles", 2)
    assert language("de").say("Nobody ever said {this}.", this="that") == "Nobody ever said that."
    assert language("de").count("{number} square", "{number} squares", 2) == "2 squares"


def _told(case: Case, said: Language, seats: int, seed: str) -> Iterator[str]:
    """All that is said of a match between bots, and of what stands on the table."""
    live = bot_match(case, seats, seed)
    words, match = case.kit.words, live.table.match
    narrator = Narrator(said, words, match, live.table.names)
    yield narrator.opening()
    for before, event, after in zip(live.states, live.events, live.states[1:], strict=False):
        if isinstance(event, Drawn | Rolled | Played):
            yield from narrator.tell(before.match, event, after.match)
        yield from narrator.standing(after.match.tally)
        inner = after.match
        names = tuple(live.table.names[seat] for seat in inner.order)
        if inner.round is None or inner.over:
            continue
        yield narrator.round_opens(inner)
        yield from words.scores(said, match.game, inner.round, names)
        yield from words.to_beat(said, match.game, inner.round, names)
        yield from (words.stand(said, match.game, inner.round, seat, ()) for seat in range(len(names)))
        if match.to_roll(inner):
            yield words.to_roll(said, match.game, inner.round)
        else:
            yield words.ask(said, match.game, inner.round)
            yield from (words.choice(said, match.game, inner.round, action) for action in match.legal(inner)[:8])
    yield from narrator.ending(live.end.match.tally, live.end.match.last)


@EVERY_CODE
@EVERY_CASE
def test_whole_matches_are_told_without_a_word_of_english(case: Case, code: str) -> None:
    english = english_only(code)
    assert {"rolled", "kept", "seat", "the"} <= english
    for seats in (2, 3, 5):
        for seed in ("anna", "bert"):
            for text in _told(case, _strict(code), seats, f"{seed} {seats}"):
                assert "{" not in text
                assert not letters(text) & english, text


@EVERY_CODE
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


@EVERY_CODE
def test_every_fault_of_notation_has_its_sentence(code: str) -> None:
    tables: list[Mapping[str, Sentence]] = [NOTATION, FAULTS, *(kit.words.faults for kit in GAMES.values())]
    for table in tables:
        for fault, text in table.items():
            facts: dict[str, Any] = {name: "X" for name, _ in _facts(text if isinstance(text, str) else text[1])}
            if not isinstance(text, str):
                facts = {**facts, text[2]: 4}
                facts.pop("number", None)  # the one that decides
            assert bad_notation(_strict(code), fault, facts, table)


@EVERY_CODE
def test_reasons_and_chances_are_said_with_commas(code: str) -> None:
    said, (midnight, race) = _strict(code), [GAMES[name] for name in ("midnight", "420")]
    here = said, midnight.build({"need": "1 4"}), RoundState(2, (20,), (), (1, 2, 3, 4, 5, 6))
    best = {"mean": 15.0, "qualify": 0.8, "beat": 0.4, "tie": 0.1, "to_beat": 20.0}
    other = {"mean": 15.64, "qualify": 0.76, "beat": 0.42, "tie": 0.1, "to_beat": 20.0}
    assert midnight.words.why(*here, best, other) == (
        "es bringt 0,6 im Durchschnitt und 2,0 % Chance auf mehr als 20, kostet aber 4,0 % Chance auf Punkte"
    )
    assert midnight.words.chance(*here, best) == ["Chance auf mehr als 20: 40,0 %, auf Gleichstand: 10,0 %."]
    game = race.build({})
    assert race.words.chance(said, game, game.start(2), {"win_now": 0.1667, "over": 0.5}) == [
        "Dieser Wurf gewinnt mit 16,7 %.",
        "Über 20 kommt er mit 50,0 %.",
    ]


@EVERY_CODE
@EVERY_KIT
def test_what_is_chosen_from_is_said_too(kit: Kit, code: str) -> None:
    said = _strict(code)
    for text in (kit.words.title, kit.words.tagline, *(option.meaning for option in kit.options)):
        assert said.say(text)
    assert all(said.say(text) for option in kit.options for text in option.meanings)


@EVERY_CODE
@EVERY_KIT
def test_a_page_of_rules_is_there_in_every_language(kit: Kit, code: str) -> None:
    own, english = kit.rules(code), kit.rules("en")
    assert own != english
    numbers = re.compile(r"\b[0-9]+\b")
    assert set(numbers.findall(own)) == set(numbers.findall(english))
    assert own.count("\n#") == english.count("\n#")
    assert own.count("\n- ") == english.count("\n- ")
    assert max(map(len, own.splitlines())) <= 128


def test_a_page_that_is_not_translated_is_read_in_english() -> None:
    assert page("pubdice.games.midnight", "xx") == GAMES["midnight"].rules("en")
    assert page("pubdice.games.midnight", "../en") == GAMES["midnight"].rules("en")


def test_languages_know_their_code_and_no_other_is_spoken() -> None:
    assert [language(code).code for code in CODES] == list(CODES)
    assert LANGUAGES == (("en", "English"), ("de", "Deutsch"))
    assert language("de") is language("de")
    for wrong in ("fr", "", "../de"):
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
        ("fr-FR, fr;q=0.9, de;q=0.2, en;q=0.1", "de"),
        ("en;q=0.2,de;q=0.200", "en"),
        ("de,en", "de"),
        ("en,de", "en"),
        ("fr,es", "en"),
        ("*", "en"),
        ("fr, *;q=0.1", "en"),
        ("en;q=0, *", "de"),
        ("de;q=0", "en"),
        ("de;q=0,en;q=0", "en"),
        ("de ; q = 0.5 , en;q=0.4", "de"),
        ("en;q=0.5,de;q=7", "en"),
        ("de;q=x,en;q=0.1", "en"),
        ("de;q=-1", "en"),
        ("deutsch, en;q=0.1", "en"),
        (",,;;q=,de", "de"),
        ("\x00\uffff de", "en"),
        ("fr," * 5000 + "de", "en"),
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
    assert choose("de", "fr") == "de"
    assert choose("de", "") == "de"


def test_english_needs_no_babel() -> None:
    code = (
        "import sys; sys.modules['babel'] = None\n"
        "from pubdice.games import GAMES\nfrom pubdice.text.catalogues import choose, language\n"
        "assert language(choose(None, None)).say('none') == 'none' and GAMES['420'].rules('en')"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
