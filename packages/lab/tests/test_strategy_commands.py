"""The sections on Ship, Threes and Mexico: the commands below their figures answer with these figures."""

import re
from pathlib import Path

import pytest

from pubdice.cli import main
from pubdice_lab.claims import per_cent
from pubdice_lab.strategy_figures import asked, command_lines, given_up

PAGE = (Path(__file__).parents[3] / "docs" / "strategy.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## (.+?)\n(.+?)(?=^## )", PAGE, re.MULTILINE | re.DOTALL))
COMMANDS = [
    (title, " ".join(command.split()))
    for title in ("Ship, Captain and Crew", "Threes", "Mexico")
    for command in re.findall(r"^pubdice (.+?)  ", SECTIONS[title], re.MULTILINE)
]


def test_every_section_has_its_commands() -> None:
    assert len(COMMANDS) == 10


@pytest.mark.parametrize(("title", "command"), [row for row in COMMANDS if row[1].startswith("odds")])
def test_a_command_answers_with_figures_of_its_section(
    title: str, command: str, capfd: pytest.CaptureFixture[str]
) -> None:
    data = asked(command)
    figures = [per_cent(share) for share in data.get("share", [])]
    if title == "Mexico":
        figures = figures[:1]  # its table has the first player alone
    if "value" in data:
        figures = [per_cent(data["value"]) if "reach" in command else f"{data['value']:.4f}"]
    assert figures
    assert all(f" {figure}" in SECTIONS[title] for figure in figures)
    assert main(command.split()) == 0
    assert capfd.readouterr().out


@pytest.mark.parametrize("command", [command for _, command in COMMANDS if command.startswith("card")])
def test_a_card_loses_what_its_section_says(command: str) -> None:
    title = next(title for title, text in SECTIONS.items() if f"pubdice {command} " in text)
    assert re.search(rf"\| {re.escape(given_up(command))} \|$", SECTIONS[title], re.MULTILINE)


def test_a_card_is_what_the_command_prints(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["card", "ship"]) == 0
    out = capfd.readouterr().out.splitlines()
    assert out == command_lines("card ship")
    assert "\n".join(out) in SECTIONS["The cards"]
