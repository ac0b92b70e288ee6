"""The terminal speaks the language of the locale, or the one it is told; letters that are typed are the same in all."""

import argparse
import os
import re
import subprocess
import sys
from functools import partial
from itertools import product
from pathlib import Path

import pytest

from pubdice.advice.odds import SHARE, MatchOdds
from pubdice.advice.spoken_advice import BRIEFLY, briefly
from pubdice.cli import COMMANDS, HELP
from pubdice.command_line import FaultError, Parser
from pubdice.core.errors import BadNotation
from pubdice.games import GAMES as KITS
from pubdice.match.header import RawHeader
from pubdice.solve.solver import LOW_SCORE
from pubdice.terminal.declared import DECLARED, _seconds
from pubdice.terminal.questions import DESCRIPTIONS as ASKING
from pubdice.text.catalogues import CODES, has_part, language
from pubdice.text.language import Language
from pubdice.typed_rules import read_format
from sentences import WHOLE, at_length
from support.console import COMMAND, Room, Told, dice, one_sentence, pubdice, unprintable

EVERY_CODE = pytest.mark.parametrize("code", at_length(WHOLE))
GAMES = ("midnight", "420", "mexico", "ship", "threes", "shutbox")
ROLL = {"midnight": "Wirf 6 Würfel", "en": "Roll 6 dice"}
LOCALE = ("LC_ALL", "LC_MESSAGES", "LANG")


def _heard(folder: Path, *words: str, **locale: str) -> subprocess.CompletedProcess[str]:
    """The program with nothing about languages in its environment but this."""
    environ = {key: value for key, value in os.environ.items() if key not in LOCALE}
    environ |= {"PUBDICE_DATA": str(folder), "PYTHONUTF8": "1", **locale}
    return subprocess.run([COMMAND, *words], input="", capture_output=True, text=True, env=environ, check=False)


DEAR = ("mexico", "midnight", "shutbox")
"""Games whose coached match costs 8 to 20 s of the processor, for the same sentences of the terminal."""


@pytest.mark.parametrize(
    ("locale", "german"),
    [
        ({}, False),
        ({"LANG": "de_DE.UTF-8"}, True),
        ({"LANG": "de"}, True),
        ({"LANG": "en_GB.UTF-8", "LC_MESSAGES": "de_AT.UTF-8"}, True),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": "C.UTF-8"}, False),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": ""}, True),
        ({"LANG": "C"}, False),
        ({"LANG": "POSIX"}, False),
        ({"LANG": "tlh_QO.UTF-8"}, False),
        ({"LANG": "../../help"}, False),
    ],
)
def test_the_locale_is_heard_as_posix_has_it(locale: dict[str, str], german: bool, tmp_path: Path) -> None:
    assert ("Aufruf:" in _heard(tmp_path, "--help", **locale).stdout) is german


@pytest.mark.parametrize("command", ["games", "serve", "plot"])
def test_a_page_of_help_lists_the_languages_that_the_terminal_speaks(command: str) -> None:
    (listed,) = re.findall(r"--lang CODE +speak this language: (.+)", pubdice(command, "--help").out)
    assert set(re.split(", | or ", listed)) == {"en", *WHOLE}


@pytest.mark.parametrize(
    "words", [("--help",), ("plot", "--help"), ("simulate", "mexico", "--games", "100"), ("rules", "420"), ("plya",)]
)
def test_an_output_that_lacks_letters_gets_question_marks(words: tuple[str, ...], tmp_path: Path) -> None:
    told = _heard(tmp_path, "--lang", "de", *words, PYTHONIOENCODING="ascii")
    assert "Traceback" not in told.stderr
    assert told.returncode == (2 if words == ("plya",) else 0)
    assert "?" in told.stdout + told.stderr


@pytest.mark.parametrize("words", [("odds", "midnight"), ("serve", "--help"), ("--help",)])
def test_a_terminal_without_a_language_says_so_in_it_once_and_speaks_english(
    words: tuple[str, ...], tmp_path: Path
) -> None:
    assert not has_part("he", "terminal")
    told, english = _heard(tmp_path, "--lang", "he", *words), _heard(tmp_path, *words)
    assert told.stdout == english.stdout
    assert told.stderr == f"pubdice: {language('he').say('The terminal speaks English.')}\n" + english.stderr
    assert "English" not in told.stderr.partition("\n")[0]


@pytest.mark.nightly
def test_a_game_is_told_in_the_language_of_the_locale_or_in_the_one_that_is_named(tmp_path: Path) -> None:
    words = ("play", "midnight", "--seed", "7")
    assert "Wirf 6 Würfel. r würfelt." in _heard(tmp_path, *words, LANG="de_DE.UTF-8").stdout
    assert "Roll 6 dice. r rolls." in _heard(tmp_path, "--lang", "en", *words, LANG="de_DE.UTF-8").stdout
    assert "Wirf 6 Würfel. r würfelt." in _heard(tmp_path, *words, "--lang=de", LANG="en_US.UTF-8").stdout
    assert "Spiel 1 ist gespeichert" in _heard(tmp_path, "resume", "1", LANG="de_DE.UTF-8").stdout


def test_a_language_that_there_is_none_of_is_refused_in_a_sentence(tmp_path: Path) -> None:
    for words in (("--lang", "xx", "play"), ("play", "--lang=xx"), ("play", "--lang")):
        told = pubdice(*words, data=tmp_path)
        assert told.status == 2
        assert one_sentence(told, "") == f"--lang can be {Language().join(CODES, '{some} or {last}')}."


def _strict(code: str, rolls: list[str], command: str, *typed: str) -> Told:
    """A command in a language that raises an error where it lacks words."""
    room = (
        Room(rolls=dice(*rolls), language=language(code, strict=True))
        if rolls
        else Room(language=language(code, strict=True))
    )
    told = room.run(command, *typed)
    assert not unprintable(told.out)
    return told


@EVERY_CODE
@pytest.mark.parametrize(
    "game", [pytest.param(game, marks=pytest.mark.nightly if game in DEAR else ()) for game in GAMES]
)
def test_a_match_with_everything_asked_has_words_for_all_of_it(game: str, code: str) -> None:
    asked = ("?", "s", "d", "l", "u", "b", "x", "9", "zz", "6 6 6 6 6 6 6")
    lines = ("", *asked, "t", "r", *asked, "1", "4", "r", *asked, "hint")
    for extra in ("--keys position", "--choose reroll", "--dice real", "--dice sealed"):
        told = _strict(code, [], f"play {game} --seats you,Ann,bot {extra} --pause 0 --first you", *lines)
        assert told.status == 0, told
    told = _strict(code, [], f"play {game} --seats bot,bot:lucky --seed 5 --coach")
    assert (told.status, told.err) == (0, "")


@EVERY_CODE
@pytest.mark.parametrize("name", [*DECLARED, *ASKING])
def test_every_page_of_help_has_words(name: str, code: str) -> None:
    helped = 0
    for words in (f"{name} --help", *(f"{name} {game} --help" for game in GAMES if name in ASKING)):
        try:
            told = _strict(code, [], words)
            assert name == "card", told  # which not every game has
        except SystemExit:
            helped += 1
    assert helped > (3 if name in ASKING else 0)


@EVERY_CODE
@pytest.mark.parametrize(
    "command",
    [
        "rules", "rules 420", "games", "odds midnight", "price ship", "card 420", "perft midnight", "drill",
        "daily", "resume", "resume 9", "replay 9", "advise midnight --roll 6,5,2,2 --locked 1,4", "play chess",
        "play midnight --format race", "play midnight --seats Ann,Ann", "play --seats Ann", "play midnight --pause x",
        "play midnight --coach-at x", "play midnight --keys x", "play midnight --wrong", "rules a b", "record",
        "odds midnight --seats 2 --seats 3", "join nowhere", "join http://127.0.0.1:9/t/ABCDEF", "play --seed",
        "play midnight --coach=1",
    ],
)  # fmt: skip
def test_every_command_and_refusal_has_words(command: str, code: str) -> None:
    told = _strict(code, [], command)
    assert told.out or told.err


def test_the_drill_asks_for_the_game_of_a_house_rule_in_the_language() -> None:
    for code, said in (("en", "name the game: "), ("de", "nenn das Spiel: "), ("es", "di el juego: ")):
        told = _strict(code, [], "drill --need 2,4")
        games = language(code).join(list(KITS), "{some} or {last}")
        assert (told.status, told.err.partition(".")[0]) == (2, f"pubdice drill: {said}{games}")


@pytest.mark.parametrize(
    ("code", "rounds", "pot", "said"),
    [
        ("en", "rounds:3", "pot:2", "rounds:3 is 3 rounds, pot:2 an ante of 2."),
        ("de", "Runden:3", "Topf:2", "Runden:3 sind 3 Runden, Topf:2 ist ein Einsatz von 2."),
        ("es", "rondas:3", "bote:2", "rondas:3 son 3 rondas, bote:2 es una apuesta de 2."),
    ],
)
def test_help_to_play_says_what_the_number_behind_a_format_is(code: str, rounds: str, pot: str, said: str) -> None:
    """``pot:2`` alone reads as two pots, or as two players."""
    assert said in " ".join(pubdice("--lang", code, "play", "--help").out.split())
    kit = KITS["midnight"]
    for text, written in ((rounds, "rounds 3"), (pot, "pot 2 rounds 5")):
        fields = {"game": "midnight", "seats": "Ann, Bob", "format": read_format(text, kit, language(code))}
        assert kit.normalize(RawHeader(fields)).fields["format"] == written


POT = "the pot, carried until a player takes it"


def test_what_is_counted_has_words_of_every_language_in_every_game_and_format() -> None:
    found = {POT, SHARE}
    for kit in KITS.values():
        assert kit.solver is not None
        for form, seats in product(kit.formats, ("Ann", "Ann, Bob")):
            try:
                match = kit.match(kit.normalize(RawHeader({"game": kit.name, "seats": seats, "format": form.name})))
            except BadNotation:  # not alone
                continue
            found.add(kit.solver(match).utility)
    assert {"score", LOW_SCORE, "chips", "chance of winning", "chance of not buying"} < found <= set(BRIEFLY)
    for counted, code in product(found, WHOLE):
        tongue = language(code, strict=True)
        told = " ".join(MatchOdds({"share": [0.5, 0.5], "utility": counted, "bound": 1e-9}).sentences(tongue))
        assert briefly(tongue, counted) in told
        assert counted not in told


@pytest.mark.parametrize("code", WHOLE)
@pytest.mark.parametrize(
    ("command", "typed"),
    [
        ("advise 420 --hands 6551,6541", ()), ("advise 420 --hands 6551,6541 --format drinks", ()), ("odds mexico", ()),
        ("advise 420 --hands -,6541", ()), ("odds threes --seats 1", ()), ("odds midnight --format pot --seats 2", ()),
        ("drill 420 --seed a --count 4", ("k 6 r", "k 6 5 r", "k 5 r", "k 4 r")),
        ("advise 420 --hands -,- --format drinks", ()),
    ],
)  # fmt: skip
def test_no_answer_names_in_english_what_it_counts(command: str, typed: tuple[str, ...], code: str) -> None:
    told = _strict(code, [], command, *typed)
    assert (told.status, told.err) == (0, "")
    assert len(told.paragraphs) > (8 if typed else 0)
    assert not re.search("winning|buying|share of|carried|lowest|score", told.out), told.out


@pytest.mark.parametrize("code", WHOLE)
def test_the_first_page_names_the_same_commands_in_every_language(code: str, tmp_path: Path) -> None:
    page = pubdice("--lang", code, "--help", data=tmp_path).out
    assert page != HELP
    rows = re.compile(r"^  ([a-z-]+(?: [A-Z|.\[\]]+| check DIR| list)*)(?:  |$)", re.MULTILINE)
    assert rows.findall(page) == rows.findall(HELP)
    assert len(rows.findall(page)) > len(COMMANDS)
    for name in ("PUBDICE_DATA", "PUBDICE_CACHE", "PUBDICE_STORE", "NO_COLOR", "--plain", "--lang", "LC_MESSAGES"):
        assert name in page, name
    assert max(map(len, page.splitlines())) <= 80


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["a", "--wrong"], '"--wrong" means nothing here.'),
        ([], "GAME is missing."),
        (["a", "--keys"], "--keys needs a value."),
        (["a", "--keys", "x"], '--keys: "x" is none of face, position.'),
        (["a", "--key=face"], '"--key" means nothing here. Did you mean --keys?'),
        (["a", "b", "c", "d"], '"c d" means nothing here.'),
        (["a", "--yes=1"], "--yes takes no value."),
        (["a", "--no-qr=1"], "--qr/--no-qr takes no value."),
        (["a", "--keys", "fase"], '"fase" means nothing here. Did you mean face?'),
        (["a", "--near", "x"], '--near: "x" is no number.'),
        (["a", "--pause", "-1"], '--pause: "-1" is no number of seconds from 0 to 60.'),
        (["a", "--data", "1", "--store", "2"], "--store does not go with --data."),
        (["a", "--store", "2", "--none"], "--none does not go with --store."),
        (["--none=1"], "--none takes no value."),
    ],
)
def test_what_argparse_finds_wrong_is_said_in_sentences_of_ours(
    words: list[str], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever a Python words its own messages like: here as nothing but their facts."""
    other_words(monkeypatch)
    with pytest.raises(FaultError) as caught:
        some_parser("en").parse_args(words)
    assert str(caught.value) == f"{said} See pubdice play --help."


def some_parser(code: str) -> Parser:
    """A parser with an argument and an option of every kind."""
    parser = Parser("play", language(code))
    parser.add_argument("game", metavar="GAME")
    parser.add_argument("more", nargs="?")
    parser.add_argument("--keys", choices=("face", "position"))
    parser.add_argument("--yes", action="store_true")
    parser.add_argument("--near", type=float, metavar="N")
    parser.add_argument("--pause", type=partial(_seconds, language(code)), metavar="SECONDS")
    parser.add_argument("--qr", action=argparse.BooleanOptionalAction)
    group = parser.add_mutually_exclusive_group()
    for name in ("--data", "--store"):
        group.add_argument(name)
    group.add_argument("--none", action="store_true")
    return parser


def other_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have argparse say nothing but the facts of its messages."""

    def facts(text: str) -> str:
        return re.sub(r"(%\(\w+\)[a-z]|%[a-z])|\w+", lambda found: found[1] or "", text)

    monkeypatch.setattr(argparse, "_", facts)
    monkeypatch.setattr(argparse, "ngettext", lambda one, many, number: facts(one if number == 1 else many))


@EVERY_CODE
def test_no_word_of_a_page_of_help_is_argparses(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before = some_parser(code)
    usual = before.format_help(), before.format_usage()
    other_words(monkeypatch)
    after = some_parser(code)
    assert (after.format_help(), after.format_usage()) == usual
    assert usual[0].startswith(f"{language(code).say('usage:')} pubdice play [-h] [--keys {{face,position}}]")


@EVERY_CODE
@pytest.mark.parametrize(
    "command",
    ["serve", "doctor", "backup", "restore", "check", "move-house", "new-game", "game", "game check", "game list"],
)
def test_help_of_commands_that_are_not_the_terminals_is_in_its_language_too(command: str, code: str) -> None:
    is_helped_in_its_language(command, code)


def is_helped_in_its_language(command: str, code: str) -> None:
    """Hold a command's page of help to the English one: none of its sentences stands there."""
    pages = [pubdice("--lang", each, *command.split(), "--help") for each in ("en", code)]
    english, other = (page.out for page in pages)
    assert [(page.status, page.err) for page in pages] == [(0, ""), (0, "")]
    for page in (english, other):
        assert max(map(len, page.splitlines())) <= 80
    told = re.compile(r"(?<!\S)(?!pubdice)[A-Za-z][a-z]+(?: [a-z]+){2,}")
    assert told.findall(english), "sentences are found"
    assert not set(told.findall(english)) & set(told.findall(other))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("serve --data a --store b", "serve: --store verträgt sich nicht mit --data."),
        ("restore", "restore: FILE fehlt."),
        ("check --wrong", "check: „--wrong“ bedeutet hier nichts."),
        ("game check x --within y", "game: --within: „y“ ist keine Zahl."),
        ("game chekc", "game: „chekc“ bedeutet hier nichts. Meinst du check?"),
        ("new-game", "new-game: NAME fehlt."),
        ("new-game 9x", "Der Name eines Spiels hat"),
    ],
)
def test_refusals_of_commands_that_are_not_the_terminals_are_german_too(words: str, said: str, tmp_path: Path) -> None:
    is_refused_in_german(words, said, tmp_path)


def is_refused_in_german(words: str, said: str, folder: Path) -> None:
    """Hold a command that can't be run to one sentence in German."""
    told = pubdice("--lang", "de", *words.split(), data=folder)
    assert (told.status > 0, told.out, told.err.count("\n")) == (True, "", 1)
    assert said in told.err.replace("\u2068", "").replace("\u2069", "")


def test_help_in_english_loads_no_catalogue() -> None:
    code = (
        "import sys; from pubdice.cli import main; main(['--help']);"
        "assert not [name for name in sys.modules if name.startswith('pubdice.text')], sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL, env={**os.environ, "LANG": "C"})
