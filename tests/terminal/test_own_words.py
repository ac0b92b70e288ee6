"""In German and Spanish the rules of a match are offered and typed in own words, beside the English ones."""

import re
from collections.abc import Iterator
from unicodedata import normalize

import pytest

from pubdice.core.errors import BadNotation
from pubdice.games import GAMES
from pubdice.kit import Kit
from pubdice.text.catalogues import language
from pubdice.typed import without_marks
from pubdice.typed_rules import (
    choice_words,
    dice_words,
    format_words,
    read,
    read_choice,
    read_dice,
    read_format,
    show,
)
from sentences import WHOLE
from support.console import Room, pubdice

KITS = pytest.mark.parametrize("kit", GAMES.values(), ids=GAMES)


def forms(kit: Kit) -> Iterator[str]:
    """Every format of a game, with its switches and without."""
    for kind in kit.formats:
        switches = sum(bool(field.named) for field in kind.fields)
        usual = [field.usual for field in kind.fields if not field.named]
        yield from (kind.write((*usual, *(on for _ in range(switches)))) for on in (0, 1))


@pytest.mark.parametrize("code", WHOLE)
@KITS
def test_each_format_is_read_in_own_words_and_in_english(kit: Kit, code: str) -> None:
    tongue = language(code)
    words = format_words(kit.formats, tongue)
    plain = {word: without_marks(own).lower() for word, own in words.items()}
    assert len(set(plain.values())) == len(plain)
    assert all(own == word or own not in words for word, own in plain.items())
    for written in forms(kit):
        own = show(written, words)
        for typed in (own, own.upper(), normalize("NFD", own), without_marks(own), own.replace(" ", ":"), written):
            assert kit.format(read_format(typed, kit, tongue)) == kit.format(written)
    assert kit.format(read_format(kit.formats[0].name, kit, language("en"))) == kit.formats[0].usual


@pytest.mark.parametrize("code", WHOLE)
@KITS
def test_each_choice_of_a_house_rule_is_read_in_own_words_and_in_english(kit: Kit, code: str) -> None:
    tongue = language(code)
    for option in kit.options:
        words = choice_words(option, tongue)
        assert len(tongue.say(option.words).split(", ")) == len(option.words.split(", "))
        assert set(re.findall("[a-z]+", " ".join(option.choices))) == set(re.findall("[a-z]+", option.words))
        shown = [show(choice, words) for choice in option.choices]
        assert len({without_marks(each).lower() for each in shown}) == len(shown)
        for choice, own in zip(option.choices, shown, strict=True):
            typed = (own, own.upper(), normalize("NFD", own), choice)
            assert {read_choice(text, option, tongue) for text in typed} == {choice}


@pytest.mark.parametrize(
    ("code", "house", "real", "sealed"), [("de", "haus", "Echt", "versiegelt"), ("es", "casa", "reales", "sellados")]
)
def test_the_kinds_of_dice(code: str, house: str, real: str, sealed: str) -> None:
    tongue = language(code)
    assert [read_dice(text, tongue) for text in (house, real, sealed)] == ["house", "real", "sealed"]
    assert [read_dice(text, tongue) for text in ("House", "real", "sealed")] == ["house", "real", "sealed"]
    assert list(dice_words(tongue)) == ["house", "real", "sealed"]
    assert read("sealed 5", {}) == show("sealed 5", {}) == "sealed 5"
    with pytest.raises(BadNotation):
        read_dice(house, language("en"))


ANSWERS = {
    "en": ("change", "midnight", "Ann,Bob", "1 4", "yes", "points 30 even rolloff", "real"),
    "de": ("ändern", "midnight", "Ann,Bob", "1 4", "ja", "Punkte 30 ausgespielt Stechen", "Echt"),
    "es": ("cambiar", "midnight", "Ann,Bob", "1 4", "si", "puntos 30 completa desempate", "reales"),
}
OFFERED = {
    "de": ["nein oder ja. Enter nimmt nein", "Punkte 100: ", "Enter nimmt Runden 5", "Topf 1 Runden 5: ", "Haus."],
    "es": ["no o sí. Enter para no", "puntos 100: ", "Enter para rondas 5", "bote 1 rondas 5: ", "casa."],
}


@pytest.mark.parametrize("code", WHOLE)
def test_the_questions_offer_own_words_and_the_record_has_english_ones(code: str) -> None:
    records = set()
    decomposed = [normalize("NFD", answer) for answer in ANSWERS[code]]  # as a Mac types
    for answers in (ANSWERS[code], decomposed, ANSWERS["en"]):
        room = Room(language=language(code))
        told = room.run("play", *answers, "q")
        assert [text for text in OFFERED[code] if text not in told.out] == []
        assert not re.search(r"\b(rounds|sealed|house|yes)\b", re.sub("(?m)^>.*", "", told.out))
        records.add(room.run("record 1").out)
    (record,) = records
    assert "\nformat: points 30 even rolloff\n" in record
    assert "\nfollow: yes\n" in record


@pytest.mark.parametrize(
    ("code", "form", "dice", "rule"),
    [("de", "runden:2:stechen", "echt", "ja"), ("es", "Rondas:2:desempate", "reales", "sí")],
)
def test_flags_take_both(code: str, form: str, dice: str, rule: str) -> None:
    rooms = Room(language=language(code)), Room(language=language(code))
    for room, words in zip(rooms, ((form, dice, rule), ("rounds:2:rolloff", "real", "yes")), strict=True):
        given = " ".join(f"--{flag} {word}" for flag, word in zip(("format", "dice", "follow"), words, strict=True))
        told = room.run(f"play midnight --seats Ann,Bob {given}", "", "344512", "q")
        assert (told.status, told.err) == (0, "")
    assert rooms[0].run("record 1").out == rooms[1].run("record 1").out
    odds = [pubdice("odds", "mexico", f"--format={name}", "--lang", code) for name in ("lives:2", "LEBEN 2", "vidas:2")]
    assert [each.status for each in odds] == [0, *([0, 2] if code == "de" else [2, 0])]


@pytest.mark.parametrize("command", ["simulate", "arena"])
def test_commands_of_the_lab_take_own_words_too(command: str) -> None:
    asked = (command, "mexico", "--games", "100", "--seed", "5", "--lang", "de", "--workers", "1")
    english = pubdice(*asked, "--format", "rounds:2", "--hold", "none")
    assert (english.status, english.err) == (0, "")
    assert pubdice(*asked, "--format", "Runden:2", "--hold", "keiner") == english


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--format", "topf 1 2 3"), "„Topf 1 Runden 5 [nochmal]“"),
        (("--format", "drinks"), "spielt man als Runden 5, Topf 1 Runden 5, Punkte 100 oder Summe 5."),
        (
            ("--format", "Punkte:100:Stechen"),
            "„Stechen“ ändert für sich allein nichts. Schreib „Punkte 100 ausgespielt Stechen“.",
        ),
        (("--follow", "vielleicht"), "„vielleicht“: „follow“ kann nein oder ja sein."),
        (("--dice", "falsch"), "--dice: „falsch“ gehört nicht zu Haus, echt, versiegelt."),
        (("--dice", "versigelt"), "Meinst du versiegelt?"),
    ],
)
def test_faults_offer_own_words(words: tuple[str, ...], said: str) -> None:
    told = pubdice("play", "midnight", "--seats", "Ann", *words, "--lang", "de")
    assert (told.status, told.out) == (2, "")
    assert said in told.err


@pytest.mark.parametrize(("game", "banks"), [("midnight", True), ("shutbox", False)])
def test_the_page_of_help_at_a_table_has_own_words(game: str, banks: bool) -> None:
    page = Room(language=language("de")).run(f"play {game} --seats Ann,Bob", "?", "q").out
    said = " ".join(page[page.index("Du kannst auch") :].split())
    bank = "werten, " if banks else ""
    assert said.startswith(
        f"Du kannst auch würfeln, {bank}zurück, stand, schlagen, letzte, hand, tipp, hilfe oder ende"
    )


@pytest.mark.parametrize("code", WHOLE)
def test_help_offers_own_words(code: str) -> None:
    for command in (("play",), ("odds", "midnight"), ("perft",), ("simulate",)):
        page = pubdice(*command, "--help", "--lang", code).out
        assert not re.search(r"rounds|sealed|drinks|\b(yes|together|digits)\b", page), page
