"""The page of strategy: it is what the solution says today, and its tables are what other ways find."""

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from pubdice.advice.bots import Perfect
from pubdice.cli import main as main_of_pubdice
from pubdice.core.game import Keep
from pubdice.games import GAMES
from pubdice.games.midnight.rules import Midnight, RoundState
from pubdice.kit import PERFECT
from pubdice.match.header import RawHeader
from pubdice.solve.turns.contest import best, contest
from pubdice.solve.turns.goals import win
from pubdice_lab import strategy, strategy_figures, strategy_text
from pubdice_lab.strategy import main, page
from pubdice_lab.strategy_figures import ORDER, THREE_LIVES, ShareTable, asked, bot_shares, fourtwenty, midnight_scores
from test_bots_of_other_games import lives_share, mexico_share

PAGE = Path(__file__).parents[3] / "docs" / "strategy.md"


@pytest.mark.nightly
def test_the_page_of_strategy_is_what_the_solution_says_today() -> None:
    """Made by ``python -m pubdice_lab.strategy docs/strategy.md``; again if a figure has a reason to change."""
    assert PAGE.read_text(encoding="utf-8").splitlines() == page().splitlines()


QUICK: dict[str, Callable[[], str]] = {
    "turns": strategy._turns,
    "reach": strategy._reach,
    "openers": strategy._openers,
    "races": strategy._races,
    "ship": lambda: strategy._table(strategy_figures.ship()),
    "threes": lambda: strategy._table(strategy_figures.threes_reached()),
    "mexico": lambda: strategy._table(strategy_figures.mexico()),
}
"""Those of the page that take 4 s together; of the bots' tables ``test_bots_as_told.py`` works out rows."""


@pytest.mark.parametrize("name", QUICK)
def test_a_table_of_the_page_is_what_the_solution_says_today(name: str) -> None:
    assert QUICK[name]() in PAGE.read_text(encoding="utf-8")


BLOCK = PAGE.read_text(encoding="utf-8").rpartition("## Find all this again")[2]
COMMANDS = [re.split(r"  |>", line)[0].split()[1:] for line in BLOCK.splitlines() if line.startswith("pubdice ")]


def test_the_last_block_has_commands_for_every_part() -> None:
    assert {words[0] for words in COMMANDS} == {"odds", "advise", "card"}


@pytest.mark.parametrize(
    "words",
    [pytest.param(words, marks=[pytest.mark.nightly] * (words[0] == "card")) for words in COMMANDS],
    ids=" ".join,
)
def test_a_command_of_the_last_block_answers(words: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    """A card takes as long as the page; ``games/test_cards_as_printed.py`` reads them back."""
    assert main_of_pubdice(words) == 0
    out, err = capfd.readouterr()
    assert out
    assert not err


def test_the_page_never_says_optimal() -> None:
    assert "optimal" not in PAGE.read_text(encoding="utf-8").lower()


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
    """The page prints every table, and says of no game that it has no numbers."""
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
    """Not even in the seat that is better off, whose share is that of best play there."""
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
