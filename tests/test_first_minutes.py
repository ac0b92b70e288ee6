"""What the page about the first minutes counts, and that its figures are of this README."""

import re
from pathlib import Path

from benchmarks.first_minutes import BEGIN, END, PAGE, FirstMinutes

README = (Path(__file__).parents[1] / "README.md").read_text("utf-8")


def test_sentences_and_words_to_learn_are_counted() -> None:
    told = "Enter plays Midnight. Type change.\n> \nYour seat is sealed!\n"
    found = FirstMinutes("terminal", 2, 1, 12.4, told)
    assert found.sentences == ["Enter plays Midnight.", "Type change.", "Your seat is sealed!"]
    assert found.row == "| terminal | 2 | 1 | 12 | 3 | 1 |"


def test_the_page_has_figures_of_every_way_and_the_readme_says_each() -> None:
    table = PAGE.read_text("utf-8").split(BEGIN)[1].split(END)[0]
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines()[2:]]
    assert [row[0].split(":")[0] for row in rows] == ["terminal", "browser", "Python"]
    assert all(int(cell) >= 0 for row in rows for cell in row[1:])
    assert all(int(row[1]) <= 3 and int(row[2]) <= 2 for row in rows), "more would be worth a look"
    asked = {command for row in rows for command in re.findall(r"`(make \w+)`", row[0])}
    assert all(command in README for command in asked)
