import json

import pytest

from pubdice.cli import main


@pytest.mark.nightly
def test_the_card_is_told_and_given_as_data(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["card", "420"]) == 0
    assert capfd.readouterr().out.startswith("420: best chance to win a race of two.\n1. ")
    assert main(["card", "420", "--json"]) == 0
    assert set(json.loads(capfd.readouterr().out)) == {"lines", "share", "positions_missed", "bound", "options"}


def test_a_picture_goes_to_standard_output_alone(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["card", "420", "--svg"]) == 0
    out, err = capfd.readouterr()
    assert out.startswith("<svg ")
    assert out.endswith("</svg>\n")
    assert err == ""


def test_a_pair_nobody_plays_is_refused_in_a_sentence(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["card", "midnight", "--need", "4,4"]) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert err.count("\n") == 1
