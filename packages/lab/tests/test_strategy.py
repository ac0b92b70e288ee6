"""The page of strategy: its tables, sentences and commands agree with today's solution and with other methods."""

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from oracles import naive_midnight as naive
from oracles import naive_ship, naive_threes
from pubdice.advice.bots import Perfect
from pubdice.cli import main as main_of_pubdice
from pubdice.core.game import Keep
from pubdice.games import GAMES
from pubdice.games.midnight.rules import Midnight, RoundState
from pubdice.kit import PERFECT
from pubdice.match.header import RawHeader
from pubdice.solve.turns.contest import best, contest
from pubdice.solve.turns.win import win
from pubdice_lab import strategy, strategy_figures, strategy_text
from pubdice_lab.claims import per_cent
from pubdice_lab.strategy import main, page
from pubdice_lab.strategy_figures import (
    ORDER,
    THREE_LIVES,
    ShareTable,
    asked,
    bot_shares,
    command_lines,
    fourtwenty,
    given_up,
    midnight_scores,
)
from test_bots_as_told import _alone, lives_share, mexico_share

PAGE = (Path(__file__).parents[3] / "docs/solve/strategy.md").read_text(encoding="utf-8")


@pytest.mark.nightly
def test_the_page_of_strategy_is_what_the_solution_says_today() -> None:
    """``python -m pubdice_lab.strategy docs/solve/strategy.md`` writes the page. A figure needs a reason to change."""
    assert PAGE.splitlines() == page().splitlines()


QUICK: dict[str, Callable[[], str]] = {
    "turns": strategy._turns,
    "reach": strategy._reach,
    "openers": strategy._openers,
    "races": strategy._races,
    "ship": lambda: strategy._table(strategy_figures.ship()),
    "threes": lambda: strategy._table(strategy_figures.threes_reached()),
    "mexico": lambda: strategy._table(strategy_figures.mexico()),
}
"""Tables of the page that take 4 s together. ``test_bots_as_told.py`` recomputes rows of the bots' tables."""


@pytest.mark.parametrize("name", QUICK)
def test_a_table_of_the_page_is_what_the_solution_says_today(name: str) -> None:
    assert QUICK[name]() in PAGE


BLOCK = PAGE.rpartition("## Find all this again")[2]
COMMANDS = [re.split(r"  |>", line)[0].split()[1:] for line in BLOCK.splitlines() if line.startswith("pubdice ")]


def test_the_last_block_has_commands_for_every_part() -> None:
    assert {words[0] for words in COMMANDS} == {"odds", "advise", "card"}


@pytest.mark.parametrize(
    "words",
    [pytest.param(words, marks=[pytest.mark.nightly] * (words[0] == "card")) for words in COMMANDS],
    ids=" ".join,
)
def test_a_command_of_the_last_block_answers(words: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    """A card takes as long as the page. ``games/test_cards_as_printed.py`` reads the cards back."""
    assert main_of_pubdice(words) == 0
    out, err = capfd.readouterr()
    assert out
    assert not err


def test_the_page_never_says_optimal() -> None:
    assert "optimal" not in PAGE.lower()


def test_the_command_writes_the_file_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pubdice_lab.strategy.page", lambda: "The page of strategy: ± as UTF-8.\n")
    assert main([str(tmp_path / "page.md")]) == 0
    assert (tmp_path / "page.md").read_text(encoding="utf-8") == "The page of strategy: ± as UTF-8.\n"


@pytest.mark.parametrize("word", ["--help", "--file"])
def test_the_command_takes_no_option_for_a_file(word: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pubdice_lab.strategy.page", lambda: "The page of strategy.\n")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as left:
        main([word])
    assert left.value.code == (0 if word == "--help" else 2)
    assert not list(tmp_path.iterdir())


LAST = ORDER.index(PERFECT)

TABLES: dict[str, Callable[[], ShareTable]] = {
    "midnight rounds:1": partial(bot_shares, "midnight"),
    "ship rounds:1": partial(bot_shares, "ship"),
    "threes rounds:1": partial(bot_shares, "threes"),
    "420 race": fourtwenty,
    "mexico rounds:1": partial(bot_shares, "mexico"),
    "mexico lives:3": partial(bot_shares, "mexico", THREE_LIVES),
    "shutbox rounds:1": partial(bot_shares, "shutbox"),
}


def test_every_game_has_a_table_with_every_bot() -> None:
    """The page prints every table, and says of no game that it lacks numbers."""
    assert {table.split()[0] for table in TABLES} == set(GAMES)
    assert "of all but" not in strategy_text.TOP
    for name, made in TABLES.items():
        assert sorted(made().names) == sorted(GAMES[name.split()[0]].bots)


@pytest.mark.parametrize("name", TABLES)
def test_best_play_against_itself_is_what_odds_says(name: str) -> None:
    game, form = name.split()
    data = asked(f"odds {game} --seats 2 --format {form}")
    share = data["share"] if "share" in data else data["win"]
    assert TABLES[name]().share[-1][-1] == pytest.approx(share[0], abs=1e-11)


@pytest.mark.parametrize(("name", "share"), [("mexico rounds:1", mexico_share), ("mexico lives:3", lives_share)])
def test_tables_of_mexico_are_those_of_the_plainest_means(name: str, share: Callable[[str, str], float]) -> None:
    table = TABLES[name]()
    for one, row in zip(table.names, table.share, strict=True):
        assert row == pytest.approx([share(one, other) for other in table.names], abs=1e-10)


def test_best_play_against_itself_is_the_solved_round() -> None:
    table = bot_shares("midnight")
    assert table.share[LAST][LAST] == pytest.approx(win(Midnight(), "share", 2, 0.5).by_seat()[0], abs=1e-11)


@pytest.mark.parametrize("name", TABLES)
def test_nobody_takes_more_than_its_share_from_perfect(name: str) -> None:
    """Not even in the better seat. Its share is the share under best play."""
    table = TABLES[name]()
    last = table.names.index(PERFECT)
    value = table.share[last][last]
    for other in range(len(table.names)):
        assert table.share[last][other] >= value - 1e-11
        assert table.share[other][last] <= value + 1e-11
        assert table.averaged(last, other) >= 0.5 - 1e-11


def test_two_that_look_at_nobody_share_whatever_the_order() -> None:
    table = bot_shares("midnight")
    blind = [ORDER.index(name) for name in ("lucky", "steady", "cautious", "bold")]
    for one in blind:
        for other in blind:
            assert table.share[one][other] + table.share[other][one] == pytest.approx(1, abs=1e-11)


def test_the_scores_of_steady_are_those_of_best_play_for_the_mean() -> None:
    steady = next(each for each in midnight_scores() if each.name == "steady")
    assert steady.mean == pytest.approx(18.676337, abs=1e-6)
    assert steady.qualify == pytest.approx(0.956727, abs=1e-6)


@pytest.mark.parametrize("posted", [None, 0, 18, 22])
def test_the_perfect_of_the_table_keeps_what_the_bot_keeps(posted: int | None) -> None:
    kit = GAMES["midnight"]
    match = kit.match(kit.normalize(RawHeader({"game": "midnight", "seats": "a, b", "format": "rounds 1"})))
    assert kit.solver is not None
    bot, table = Perfect(kit.solver(match)), best
    scores = () if posted is None else (posted,)
    for locked, free in (
        ((), (1, 2, 3, 5, 6, 6)),
        ((1,), (2, 2, 4, 5, 6)),
        ((1, 4), (4, 5, 5, 6)),
        ((1, 4, 6, 6), (2, 5)),
    ):
        state = match.start()
        found = table(match.game, RoundState(2, scores, locked, free))
        asked = match.at(state, RoundState(2, scores, locked, free))
        assert found == ((bot.action(asked), 1),)


def test_every_chance_is_one_of_a_whole() -> None:
    house = contest(Midnight())
    player = house.player(lambda game, state: ((Keep(state.free), 1),), watches=False)
    assert player.opens.sum() == pytest.approx(1, abs=1e-12)
    assert sum(house.result(player, player)) == pytest.approx(1, abs=1e-12)


def test_what_the_page_says_of_openers_and_of_steady_is_so() -> None:
    spreads = {each.name: each for each in midnight_scores()}
    assert spreads[PERFECT].mean < spreads["steady"].mean
    race, steady = fourtwenty(), ORDER.index("steady")
    assert race.share[steady] == pytest.approx(race.share[LAST], abs=1e-11)
    round_of_two = bot_shares("midnight")
    assert round_of_two.averaged(LAST, 0) < round_of_two.averaged(steady, 0), "perfect expects good replies"
    ship, alike = bot_shares("ship"), [ORDER.index(name) for name in ("steady", "cautious", "bold")]
    assert len({ship.share[one] for one in alike}) == 1, "the three come to the same"


SECTIONS = dict(re.findall(r"^## (.+?)\n(.+?)(?=^## )", PAGE, re.MULTILINE | re.DOTALL))
SECTION_COMMANDS = [
    (title, " ".join(command.split()))
    for title in ("Ship, Captain and Crew", "Threes", "Mexico")
    for command in re.findall(r"^pubdice (.+?)  ", SECTIONS[title], re.MULTILINE)
]


def test_every_section_has_its_commands() -> None:
    assert len(SECTION_COMMANDS) == 10


@pytest.mark.parametrize(("title", "command"), [row for row in SECTION_COMMANDS if row[1].startswith("odds")])
def test_a_command_answers_with_figures_of_its_section(
    title: str, command: str, capfd: pytest.CaptureFixture[str]
) -> None:
    data = asked(command)
    figures = [per_cent(share) for share in data.get("share", [])]
    if title == "Mexico":
        figures = figures[:1]  # its table has only the first player
    if "value" in data:
        figures = [per_cent(data["value"]) if "reach" in command else f"{data['value']:.4f}"]
    assert figures
    assert all(f" {figure}" in SECTIONS[title] for figure in figures)
    assert main_of_pubdice(command.split()) == 0
    assert capfd.readouterr().out


@pytest.mark.parametrize("command", [command for _, command in SECTION_COMMANDS if command.startswith("card")])
def test_a_card_loses_what_its_section_says(command: str) -> None:
    title = next(title for title, text in SECTIONS.items() if f"pubdice {command} " in text)
    assert re.search(rf"\| {re.escape(given_up(command))} \|$", SECTIONS[title], re.MULTILINE)


def test_a_card_is_what_the_command_prints(capfd: pytest.CaptureFixture[str]) -> None:
    assert main_of_pubdice(["card", "ship"]) == 0
    out = capfd.readouterr().out.splitlines()
    assert out == command_lines("card ship")
    assert "\n".join(out) in SECTIONS["The cards"]


TOLD = " ".join(PAGE.split())


def card(title: str) -> list[str]:
    """The numbered lines of a card, without their costs."""
    part = PAGE[PAGE.index(f"```\n{title}") :].partition("\n```\n")[0]
    return [line.partition(" Ignored")[0] for line in re.findall(r"^\d\. (.+)$", part, re.MULTILINE)]


def test_play_for_the_mean_qualifies_as_often_as_can_be_and_has_not_the_best_chance_of_a_24() -> None:
    """Midnight's first table, from the rules alone, and the newsgroup's total."""
    steady = naive.best(naive.SCORES)
    mean, qualify, top = float(steady @ naive.SCORES), 1 - float(steady[0]), float(steady[24])
    qualified, reached = (float(naive.values((least <= naive.SCORES).astype(float))) for least in (1, 24))
    assert qualify == pytest.approx(qualified, abs=1e-12)
    assert top < reached
    figures = f"{mean:.4f}", *(f"{100 * part:.2f}%" for part in (qualify, qualified, top, reached))
    assert f"| 1 and 4 | {' | '.join(figures)} |" in PAGE
    assert f"{mean:.4f} + 5 × {qualify:.6f} = {mean + 5 * qualify:.4f}" in TOLD
    assert f"{mean + 5 * qualify:.2f}" == "23.46", "what the newsgroup has"


def test_until_both_dice_are_kept_one_die_a_roll_loses_nothing_of_the_mean() -> None:
    """From the page's summary: the mean score, and the chance to qualify."""

    def one(locked: naive.Dice, rolled: naive.Dice) -> list[naive.Dice]:
        lacked = {face for face in (1, 4) if face not in locked}
        kept = naive.keeps(rolled)
        return [each for each in kept if len(each) == 1 or lacked <= set(each)]

    aims = np.column_stack([naive.SCORES, naive.SCORES > 0])
    assert naive.values(aims, one) == pytest.approx(naive.values(aims), abs=1e-12)


def test_played_alone_420_takes_the_turns_that_the_page_says() -> None:
    assert f"it takes {_alone()[()]:.3f} turns on average to reach 20" in TOLD


def test_all_three_come_aboard_as_often_as_the_page_says_and_8_is_best_for_the_mean_cargo() -> None:
    assert f"All three come aboard {100 * float(naive_ship.all_aboard()):.2f}% of the time" in TOLD
    means = {
        least: sum(score * chance for score, chance in naive_ship.stopping_from(least).items())
        for least in range(2, 13)
    }
    assert max(means, key=lambda least: means[least]) in (7, 8), "with one roll left a 7 is as good as another roll"
    assert means[8] == naive_ship.best_mean()
    assert "rolls a cargo below 8 again, which is best for the mean cargo" in TOLD


def test_the_last_to_roll_has_the_better_seat_at_midnight_and_threes_and_the_first_at_mexico() -> None:
    """From the page's summary, and from its sections."""
    assert float(naive_threes.opener()) < 0.5
    assert f"{100 * float(naive_threes.opener()):.2f}%" in PAGE
    first = [float(cell) for cell in re.findall(r"both dice rolled \| ([\d.]+)%", PAGE)]
    assert first
    assert min(first) > 50
    assert "Midnight, to win: rolling last is an advantage." in TOLD
    assert "So the last to roll has an advantage." in TOLD
    assert "With two players, rolling first is an advantage" in TOLD


def test_lines_that_the_page_speaks_of_by_number_are_those_lines() -> None:
    """``cards.Midnight`` reads lines 3 and 4 under line 2, as the page says, and finds the same costs."""
    lines = card("Midnight")
    assert lines[1].startswith("Until you have both, keep just one die a roll.")
    assert lines[2].startswith("Keep every 6.")
    assert lines[3].startswith("Keep every 5 if that leaves at most 1 die")
    assert lines[7].startswith("Last, the leader has 19+")
    assert len(lines) == 8
    assert "one 6, or one 5 if at most one die is left then. Line 8 is about the leader's score" in TOLD


@pytest.mark.parametrize(
    ("title", "said"),
    [
        ("Ship", "Ship for two: five lines tell you everything. Stop with a cargo of 9, with one roll left with 8."),
        ("Mexico", "Stop with 54 at first, with 61 after that."),
        ("420", "420 for two: three lines tell you everything"),
    ],
)
def test_what_is_said_in_a_minute_is_on_the_card(title: str, said: str) -> None:
    assert said in TOLD
    lines = " ".join(card(title))
    assert all(f"{number} or" in lines for number in re.findall(r"\b(?:9|8|54|61)\b", said))
    told = {"five": 5, "three": 4}  # the fourth line of 420's card is the remaining case
    for word, number in told.items():
        assert f"{word} lines" not in said or len(card(title)) == number
