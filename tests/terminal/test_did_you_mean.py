"""A word that was mistyped: one plain sentence says which one was meant, and the status is 2."""

from pathlib import Path

import pytest

from support.console import one_sentence, pubdice


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("plya midnight", '"plya" is no command. Did you mean pubdice play? See pubdice --help.'),
        ("Resum", '"Resum" is no command. Did you mean pubdice resume? See pubdice --help.'),
        ("move-hose", '"move-hose" is no command. Did you mean pubdice move-house? See pubdice --help.'),
        ("midnight", '"midnight" is no command. Did you mean pubdice play midnight?'),
        ("midnigt", '"midnigt" is no command. Did you mean pubdice play midnight?'),
        ("play midnigt", '"midnigt" means nothing here. Did you mean midnight?'),
        ("rules 42", '"42" means nothing here. Did you mean 420?'),
        ("odds mexcio", '"mexcio" means nothing here. Did you mean mexico?'),
        ("play midnight --sets Ann", '"--sets" means nothing here. Did you mean --seats?'),
        ("play midnight --plian", '"--plian" means nothing here. Did you mean --plain?'),
        ("play midnight --keys postion", '"postion" means nothing here. Did you mean position?'),
        ("play midnight --format ronds:3", '"ronds:3" means nothing here. Did you mean rounds?'),
        ("play midnight --seats you,bot:luky", '"luky" means nothing here. Did you mean lucky?'),
        ("play threes --moon frist", '"frist" means nothing here. Did you mean first?'),
        ("play midnight --opener winer", '"winer" means nothing here. Did you mean winner?'),
    ],
)
def test_a_mistyped_word_is_answered_with_the_one_that_was_meant(words: str, said: str, tmp_path: Path) -> None:
    told = pubdice(*words.split(), data=tmp_path)
    command = words.split(maxsplit=1)[0] if " " in words and not words.startswith("plya") else ""
    assert told.status == 2
    assert one_sentence(told, command).startswith(said)


@pytest.mark.parametrize("words", ["xyzzy", "play chess", "play midnight --frobnicate", "play midnight --keys q"])
def test_a_word_like_no_other_is_answered_with_what_there_is(words: str, tmp_path: Path) -> None:
    told = pubdice(*words.split(), data=tmp_path)
    assert told.status == 2
    assert "Did you mean" not in told.err


def test_a_format_of_another_game_is_no_slip_of_the_finger(tmp_path: Path) -> None:
    assert "Did you mean" not in pubdice("play", "midnight", "--format", "race", data=tmp_path).err


@pytest.mark.parametrize(
    ("word", "told"),
    [("--foo", '"--foo" means nothing here.'), ("--hlep", '"--hlep" means nothing here. Did you mean --help?')],
)
def test_an_option_in_place_of_a_command_is_not_called_a_command(word: str, told: str) -> None:
    done = pubdice(word)
    assert (done.status, done.out, done.err) == (2, "", f"pubdice: {told} See pubdice --help.\n")
