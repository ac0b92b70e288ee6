"""Best play on the pages: tables, sentences and commands agree with today's solution and with other methods."""

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
from pubdice.games import GAMES
from pubdice.games.midnight.rules import RoundState
from pubdice.kit import PERFECT
from pubdice.match.header import RawHeader
from pubdice.solve.turns.contest import best
from pubdice_lab import strategy, strategy_figures
from pubdice_lab.claims import per_cent
from pubdice_lab.strategy import BEST_PLAY, OBSERVED, PAGES, best_play, made_part, main, marked, overview
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

DOCS = Path(__file__).parents[3] / "docs"
PAGE = (DOCS / "solve/strategy.md").read_text(encoding="utf-8")
GAME_PAGES = {name: (DOCS / f"games/{page}.md").read_text(encoding="utf-8") for name, page in PAGES.items()}
TOLD = {name: " ".join(page.split()) for name, page in GAME_PAGES.items()}


@pytest.mark.nightly
def test_the_overview_is_what_the_solution_says_today() -> None:
    """``python -m pubdice_lab.strategy docs`` writes the pages. A figure needs a reason to change."""
    assert PAGE.splitlines() == overview().splitlines()


@pytest.mark.nightly
@pytest.mark.parametrize("name", PAGES)
def test_best_play_of_a_page_is_today_s_solution(name: str) -> None:
    assert made_part(GAME_PAGES[name], BEST_PLAY).strip() == best_play(name).strip()


QUICK: dict[str, tuple[str, Callable[[], str]]] = {
    "turns": ("midnight", strategy._turns),
    "reach": ("midnight", strategy._reach),
    "openers": ("midnight", strategy._openers),
    "races": ("420", strategy._races),
    "ship": ("ship", lambda: strategy._table(strategy_figures.ship())),
    "threes": ("threes", lambda: strategy._table(strategy_figures.threes_reached())),
    "mexico": ("mexico", lambda: strategy._table(strategy_figures.mexico())),
}
"""Games and figures that take 4 s together. ``test_bots_as_told.py`` recomputes rows of the bots' tables."""


@pytest.mark.parametrize("name", QUICK)
def test_figures_of_a_page_are_what_the_solution_says_today(name: str) -> None:
    game, made = QUICK[name]
    assert " ".join(made().split()) in TOLD[game]


FIRST = {
    "midnight": "rounds:1",
    "420": "race",
    "mexico": "rounds:1",
    "ship": "rounds:1",
    "threes": "rounds:1",
    "shutbox": "rounds:1",
}


@pytest.mark.parametrize("name", FIRST)
def test_the_first_of_two_has_what_odds_says(name: str) -> None:
    data = asked(f"odds {name} --seats 2 --format {FIRST[name]}")
    share = data["share"] if "share" in data else data["win"]
    assert f"(../games/{PAGES[name]}.md), {'a race' if name == '420' else 'a round'} | {per_cent(share[0])} |" in PAGE


BLOCK = PAGE.rpartition("## Find all this again")[2]
COMMANDS = [re.split(r"  |>", line)[0].split()[1:] for line in BLOCK.splitlines() if line.startswith("pubdice ")]


def test_the_last_block_has_commands_for_every_part() -> None:
    assert {words[0] for words in COMMANDS} == {"odds", "advise", "card", "arena", "plot", "paper"}


SLOW = ("card", "arena", "plot")


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(words, marks=[pytest.mark.nightly] * (words[0] in SLOW))
        for words in COMMANDS
        if words[0] != "paper"  # ``test_paper.py``
    ],
    ids=" ".join,
)
def test_a_command_of_the_last_block_answers(
    words: list[str], capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A card takes as long as the page. ``games/test_cards_as_printed.py`` reads the cards back."""
    monkeypatch.chdir(tmp_path)
    assert main_of_pubdice(words) == 0
    out, err = capfd.readouterr()
    assert out
    assert not err


def test_no_page_says_optimal() -> None:
    assert [page for page in (PAGE, *GAME_PAGES.values()) if "optimal" in page.lower()] == []


def test_the_command_writes_the_pages_of_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What stands around the made parts stays. A second run changes nothing."""
    for folder in ("games", "solve"):
        (tmp_path / folder).mkdir()
    for page in PAGES.values():
        parts = [f"{begin}\nold{end}" for begin, end in map(marked, (BEST_PLAY, OBSERVED))]
        (tmp_path / f"games/{page}.md").write_text("\nkept\n".join(["", *parts, ""]), encoding="utf-8")
    monkeypatch.setattr(strategy, "overview", lambda: "The overview: ± as UTF-8.\n")
    monkeypatch.setattr(strategy, "best_play", lambda name: f"\nBest play of {name}.\n")
    assert main([str(tmp_path)]) == 0
    assert (tmp_path / "solve/strategy.md").read_text(encoding="utf-8") == "The overview: ± as UTF-8.\n"
    written = {path: path.read_bytes() for path in tmp_path.rglob("*.*")}
    page = (tmp_path / "games/fourtwenty.md").read_text(encoding="utf-8")
    assert made_part(page, BEST_PLAY).strip() == "Best play of 420."
    assert (page.count("\nkept\n"), page.count("old")) == (3, 0)
    assert (tmp_path / "games/fourtwenty.svg").exists()
    assert main([str(tmp_path)]) == 0
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.*")} == written


@pytest.mark.parametrize("word", ["--help", "--file"])
def test_the_command_takes_no_option_for_a_folder(word: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pubdice_lab.strategy.whole", lambda: "All of it.\n")
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
    """``whole`` has every table, and every game has a page."""
    assert {table.split()[0] for table in TABLES} == set(GAMES) == set(PAGES)
    for name, made in TABLES.items():
        assert sorted(made().names) == sorted(GAMES[name.split()[0]].bots)


@pytest.mark.parametrize("name", TABLES)
def test_best_play_against_itself_is_what_odds_says(name: str) -> None:
    game, form = name.split()
    data = asked(f"odds {game} --seats 2 --format {form}")
    share = data["share"] if "share" in data else data["win"]
    assert TABLES[name]().share[-1][-1] == pytest.approx(share[0], abs=1e-11)


@pytest.mark.parametrize(
    ("name", "share"),
    [("mexico rounds:1", mexico_share), pytest.param("mexico lives:3", lives_share, marks=pytest.mark.nightly)],
)
def test_tables_of_mexico_are_those_of_the_plainest_means(name: str, share: Callable[[str, str], float]) -> None:
    table = TABLES[name]()
    for one, row in zip(table.names, table.share, strict=True):
        assert row == pytest.approx([share(one, other) for other in table.names], abs=1e-10)


@pytest.mark.parametrize("name", TABLES)
def test_nobody_takes_more_than_its_share_from_perfect(name: str) -> None:
    """The claim holds even in the better seat. A seat's share is here its share under best play."""
    table = TABLES[name]()
    last = table.names.index(PERFECT)
    value = table.share[last][last]
    for other in range(len(table.names)):
        assert table.share[last][other] >= value - 1e-11
        assert table.share[other][last] <= value + 1e-11
        assert table.averaged(last, other) >= 0.5 - 1e-11


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


def test_what_the_page_says_of_openers_and_of_steady_is_so() -> None:
    spreads = {each.name: each for each in midnight_scores()}
    assert spreads[PERFECT].mean < spreads["steady"].mean
    race, steady = fourtwenty(), ORDER.index("steady")
    assert race.share[steady] == pytest.approx(race.share[LAST], abs=1e-11)
    round_of_two = bot_shares("midnight")
    assert round_of_two.averaged(LAST, 0) < round_of_two.averaged(steady, 0), "perfect expects good replies"
    ship, alike = bot_shares("ship"), [ORDER.index(name) for name in ("steady", "cautious", "bold")]
    assert len({ship.share[one] for one in alike}) == 1, "the three come to the same"


PAGE_COMMANDS = [
    (name, " ".join(command.split()))
    for name in ("ship", "threes", "mexico", "shutbox")
    for command in re.findall(r"^pubdice (.+?)  ", GAME_PAGES[name], re.MULTILINE)
]


def test_every_page_has_its_commands() -> None:
    assert len(PAGE_COMMANDS) == 12


@pytest.mark.parametrize(("name", "command"), [row for row in PAGE_COMMANDS if row[1].startswith("odds")])
def test_a_command_answers_with_figures_of_its_page(name: str, command: str, capfd: pytest.CaptureFixture[str]) -> None:
    data = asked(command)
    figures = [per_cent(share) for share in data.get("share", [])]
    if name in ("mexico", "shutbox"):
        figures = figures[:1]  # the page has the first player alone
    if "value" in data:
        figures = [per_cent(data["value"]) if "reach" in command else f"{data['value']:.4f}"]
    assert figures
    assert all(f" {figure}" in TOLD[name] for figure in figures)
    assert main_of_pubdice(command.split()) == 0
    assert capfd.readouterr().out


@pytest.mark.parametrize(
    ("name", "command"),
    [
        pytest.param(*row, marks=[pytest.mark.nightly] * ("moon" in row[1]))
        for row in PAGE_COMMANDS
        if row[1].startswith("card")
    ],
)
def test_a_card_loses_what_its_page_says(name: str, command: str) -> None:
    lost = re.escape(given_up(command))
    assert re.search(rf"\| {lost} \|$|The card loses {lost}\.", GAME_PAGES[name], re.MULTILINE)


def test_a_card_is_what_the_command_prints(capfd: pytest.CaptureFixture[str]) -> None:
    assert main_of_pubdice(["card", "ship"]) == 0
    out = capfd.readouterr().out.splitlines()
    assert out == command_lines("card ship")
    assert "\n".join(["```text", *out, "```"]) in GAME_PAGES["ship"]


def card(name: str) -> list[str]:
    """The numbered lines of a card, without what they cost."""
    part = made_part(GAME_PAGES[name], BEST_PLAY).partition("```text\n")[2].partition("\n```\n")[0]
    return [line.partition(" Ignored")[0] for line in re.findall(r"^\d\. (.+)$", part, re.MULTILINE)]


def test_play_for_the_mean_qualifies_most_but_not_for_24() -> None:
    """Midnight's first figures, from the rules alone, and the newsgroup's total."""
    steady = naive.best(naive.SCORES)
    mean, qualify, top = float(steady @ naive.SCORES), 1 - float(steady[0]), float(steady[24])
    qualified, reached = (float(naive.values((least <= naive.SCORES).astype(float))) for least in (1, 24))
    assert qualify == pytest.approx(qualified, abs=1e-12)
    assert top < reached
    told = TOLD["midnight"]
    assert f"The best mean score is {mean:.4f}, with 2 and 4 " in told
    assert f"It qualifies {100 * qualified:.2f}% of the time, as often as can be." in told
    assert f"| 24 or more | {100 * reached:.2f}% | {100 * top:.2f}% |" in told
    assert f"{mean:.4f} + 5 × {qualify:.6f} = {mean + 5 * qualify:.4f}" in " ".join(PAGE.split())
    assert f"{mean + 5 * qualify:.2f}" == "23.46", "what the newsgroup has"


def test_one_die_a_roll_loses_nothing_of_the_mean() -> None:
    """As the page says at its beginning, for the mean score and for the chance to qualify."""
    assert "best for your mean score, and no play qualifies more often" in TOLD["midnight"]

    def one(locked: naive.Dice, rolled: naive.Dice) -> list[naive.Dice]:
        lacked = {face for face in (1, 4) if face not in locked}
        kept = naive.keeps(rolled)
        return [each for each in kept if len(each) == 1 or lacked <= set(each)]

    aims = np.column_stack([naive.SCORES, naive.SCORES > 0])
    assert naive.values(aims, one) == pytest.approx(naive.values(aims), abs=1e-12)


def test_played_alone_420_takes_the_turns_that_the_page_says() -> None:
    assert f"it takes {_alone()[()]:.3f} turns on average to reach 20" in TOLD["420"]


def test_a_cargo_of_8_is_best_for_the_mean_as_the_page_says() -> None:
    assert f"All three come aboard {100 * float(naive_ship.all_aboard()):.2f}% of the time" in TOLD["ship"]
    means = {
        least: sum(score * chance for score, chance in naive_ship.stopping_from(least).items())
        for least in range(2, 13)
    }
    assert max(means, key=lambda least: means[least]) in (7, 8), "with one roll left a 7 is as good as another roll"
    assert means[8] == naive_ship.best_mean()
    assert "rolls a cargo below 8 again, which is best for the mean cargo" in " ".join(PAGE.split())


def test_pages_say_which_seat_is_better() -> None:
    assert float(naive_threes.opener()) < 0.5
    assert f"{100 * float(naive_threes.opener()):.2f}%" in TOLD["threes"]
    first = [float(cell) for cell in re.findall(r"both dice rolled \| ([\d.]+)%", TOLD["mexico"])]
    assert first
    assert min(first) > 50
    assert "Rolling last is an advantage." in TOLD["midnight"]
    assert "So the last to roll has an advantage." in TOLD["threes"]
    assert "With two players, rolling first is an advantage" in TOLD["mexico"]


def test_lines_that_the_page_speaks_of_by_number_are_those_lines() -> None:
    """``cards.Midnight`` reads lines 3 and 4 under line 2, as the page says, and finds the same costs."""
    lines = card("midnight")
    assert lines[1].startswith("Until you have both, keep just one die a roll.")
    assert lines[2].startswith("Keep every 6.")
    assert lines[3].startswith("Keep every 5 if that leaves at most 1 die")
    assert lines[7].startswith("Last, the leader has 19+")
    assert len(lines) == 8
    assert "one 6, or one 5 if at most one die is left then. Line 8 is about the leader's score" in TOLD["midnight"]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("ship", "With two players five lines tell you everything. Stop with a cargo of 9, with one roll left with 8."),
        ("mexico", "Stop with 54 at first, with 61 after that."),
        ("420", "With two players three lines tell you everything."),
    ],
)
def test_what_is_said_above_the_card_is_on_it(name: str, said: str) -> None:
    assert said in TOLD[name]
    lines = " ".join(card(name))
    assert all(f"{number} or" in lines for number in re.findall(r"\b(?:9|8|54|61)\b", said))
    told = {"five": 5, "three": 4}  # the fourth line of 420's card is the remaining case
    for word, number in told.items():
        assert f"{word} lines" not in said or len(card(name)) == number
