"""Best play on the pages, made from the solved games: ``python -m pubdice_lab.strategy [FOLDER]``.

``docs/solve/strategy.md`` is the overview. Each page of ``docs/games`` has a part with the best play of its game, a
table of the observations of its environments, and a picture. Every figure is computed from the rules, and rounded to
the digits that are certain. Tests compute the figures again. ``whole`` returns all parts as one text, for ``pubdice
paper``.
"""

import argparse
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from textwrap import fill

from pubdice.advice.bots import usual_threshold
from pubdice.core.game import TurnGame
from pubdice.games import GAMES
from pubdice.games.fourtwenty.rules import FourTwenty
from pubdice.games.mexico import card as card_mexico
from pubdice.games.midnight.rules import Midnight
from pubdice.games.ship import card as card_ship
from pubdice.games.shutbox import card as card_shutbox
from pubdice.kit import PERFECT
from pubdice.solve.numerics import NOTHING
from pubdice.solve.race.seat import turns
from pubdice.solve.race.solutions import odds
from pubdice.solve.turns.turn import turn
from pubdice.solve.turns.win import win
from pubdice_lab import strategy_text
from pubdice_lab.claims import Claim, per_cent
from pubdice_lab.fourtwenty_claims import of_420
from pubdice_lab.midnight_claims import of_midnight
from pubdice_lab.strategy_drawn import drawn
from pubdice_lab.strategy_figures import (
    ORDER,
    THREE_LIVES,
    ShareTable,
    asked,
    bot_shares,
    command_lines,
    fourtwenty,
    given_up,
    mexico,
    midnight_scores,
    ship,
    threes,
    threes_reached,
    tip_gives_up,
)
from pubdice_lab.strategy_observed import observations

WIDTH = 118
PAIR = 5
"""The points that the 1 and the 4 add to the total of all six dice."""
REACHED = (18, 20, 22, 24)
"""The scores to reach in a turn, in a table on Midnight's page."""
PAGES = {
    "midnight": "midnight",
    "420": "fourtwenty",
    "mexico": "mexico",
    "ship": "ship",
    "threes": "threes",
    "shutbox": "shutbox",
}
"""The page of each game in ``docs/games``, in the order of the menu."""
BEST_PLAY, OBSERVED = "best play", "observations"
"""The names of the parts of a page that this module writes."""


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table in Markdown. The first column has words, and the other columns have numbers."""
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def _table(rows: Sequence[Sequence[str]]) -> str:
    return table(rows[0], rows[1:])


def _turn_game(name: str) -> TurnGame:
    game = GAMES[name].usual_game
    assert isinstance(game, TurnGame), name
    return game


def _turns() -> str:
    """Return sentences on a turn of Midnight played for the mean score. It qualifies as often as any play can."""
    means = {}
    for need in ((2, 4), (1, 4)):
        turned = turn(Midnight(need))
        steady = turned.solve(turned.mean)
        means[need] = f"{float(steady.value[turned.start]):.4f}"
    qualify = per_cent(float(turned.best((turned.mean > 0).astype(float)[:, None])[0]))
    assert qualify == per_cent(float(1 - steady.chance[turned.start][0]))
    return (
        f"The best mean score is {means[1, 4]}, with 2 and 4 {means[2, 4]}. It qualifies {qualify} of the time, as "
        "often as can be."
    )


def _reach() -> str:
    turned = turn(Midnight((1, 4)))
    opens = turned.solve(turned.mean).chance[turned.start]
    rows = []
    for score in REACHED:
        reached = turned.mean >= score
        best = float(turned.best(reached.astype(float)[:, None])[0])
        rows.append((f"{score} or more", per_cent(best), per_cent(float(opens[reached].sum()))))
    return table(("score", "played for it", "played for the mean"), rows)


def _openers() -> str:
    told = []
    for seats, name in ((2, "two players"), (3, "three"), (4, "four")):
        shares = win(Midnight((1, 4)), "share", seats, 1 / seats).by_seat()
        told.append(f"{name} have {', '.join(per_cent(share) for share in shares)}")
    return "; ".join(told)


def _races() -> str:
    rows = []
    for drinks, most in ((False, 4), (True, 3)):
        for seats in range(2, most + 1):
            found = odds(FourTwenty(), seats, drinks)
            name = f"{seats} players, {'buys the drinks' if drinks else 'wins the race'}"
            rows.append((name, ", ".join(per_cent(chance) for chance in found.chances)))
    return table(("best play by all", "share of each, in turn order"), rows)


def _claims(claims: Sequence[Claim]) -> str:
    return "\n".join(map(_claim, claims))


def _claim(claim: Claim) -> str:
    return (
        fill(f"- **{claim.verdict.capitalize()}.** {claim.advice} ({claim.source})", WIDTH, subsequent_indent="  ")
        + "\n"
        + fill(f"Taken as: {claim.precise}. {claim.shown}", WIDTH, initial_indent="  ", subsequent_indent="  ")
        + "\n"
    )


def _against(found: ShareTable, digits: int = 2) -> str:
    names = found.names
    ordered = [(one, *(per_cent(share, digits) for share in row)) for one, row in zip(names, found.share, strict=True)]
    both = [
        (one, *("–" if at == other else per_cent(found.averaged(at, other), digits) for other in range(len(names))))
        for at, one in enumerate(names)
    ]
    head = table(("first", *names), ordered)
    return strategy_text.ORDERED + head + strategy_text.AVERAGED + table(("", *names), both)


def _spreads() -> str:
    rows = [
        (
            each.name,
            f"{each.mean:.3f}",
            f"{each.deviation:.3f}",
            per_cent(each.qualify),
            per_cent(each.modest),
            per_cent(each.best),
        )
        for each in midnight_scores()
    ]
    return table(("bot", "mean score", "spread", "qualifies", "4 to 16", "makes 24"), rows)


def _card(command: str) -> str:
    return "\n".join(command_lines(f"card {command}"))


def _costs_of_midnight() -> str:
    """Return a table of the advice on keeps that costs something. The last player's cost is for the score to beat at
    which it is greatest. The table names that score.
    """
    rows = []
    for claim in of_midnight():
        costs = dict(claim.costs)
        most = re.search(r"last seat against (\d+)", claim.shown)
        if "opener" in costs and most:
            mean = f"{costs['mean score']:.4f}" if costs["mean score"] > NOTHING else "0"
            last = f"{per_cent(costs['last seat'])} against {most[1]}"
            rows.append((claim.advice, mean, per_cent(costs["opener"]), last))
    return table(("it depends", "mean score", "opener of two", "last of two, at most"), rows)


def _costs_of_420() -> str:
    rows = []
    for claim in of_420():
        cost = dict(claim.costs).get("race of two", 0.0)
        rows.append((claim.advice, claim.verdict, per_cent(cost) if cost > NOTHING else "0"))
    return table(("Steere says", "that is", "costs"), rows)


def _shown(claims: Sequence[Claim], words: str, pattern: str) -> str:
    """Return the part of a claim's figures that matches a pattern. ``words`` are in the advice of the claim."""
    (shown,) = [claim.shown for claim in claims if words in claim.advice]
    found = re.search(pattern, shown)
    assert found, shown
    return found[0]


def _wrapped(text: str) -> str:
    """Wrap the paragraphs of a text at ``WIDTH``. Tables, headings and code stay as they are."""
    parts = text.split("\n\n")
    return "\n\n".join(part if re.match(r"\s*[|#`-]", part) or not part.strip() else _filled(part) for part in parts)


def _filled(part: str) -> str:
    before, after = part[: len(part) - len(part.lstrip())], part[len(part.rstrip()) :]
    return before + fill(part.strip(), WIDTH, break_long_words=False, break_on_hyphens=False) + after


def _midnight() -> str:
    spreads = {each.name: each for each in midnight_scores()}
    opener, steady = spreads[PERFECT], spreads["steady"]
    return strategy_text.MIDNIGHT.format(
        card=_card("midnight"),
        turns=_turns(),
        reach=_reach(),
        openers=_openers(),
        mean=f"{opener.mean:.2f}",
        less=f"{steady.mean - opener.mean:.2f}",
        qualify=per_cent(opener.qualify),
        claims=_costs_of_midnight(),
        leader=_leader(),
        modest=over_twenty_rounds(),
    )


def _leader() -> str:
    most = _shown(of_midnight(), "leader's score", r"most against .*? on average")
    beat, gain, average = re.findall(r"\d[\d.]*%?", most)
    return f"{average} of the round on average, and {gain} against {beat}"


def over_twenty_rounds() -> str:
    """Return a sentence on the match of a player who aims at modest scores against a player who aims high."""
    ahead = _shown(of_midnight(), "modest scores", r"best chance of 14: ([\d.]+%) against best chance of 24, ([\d.]+%)")
    won, lost = re.findall(r"[\d.]+%", ahead)
    return (
        f"Over 20 rounds, playing for 14 or more wins {won} against playing for 24, and {lost} against playing for 22, "
        "which still scores when 22 fails"
    )


def _fourtwenty() -> str:
    looks = _shown(of_420(), "How much to risk", r"[\d.]+%(?= of the race)")
    return strategy_text.FOURTWENTY.format(
        card=_card("420"),
        turns=f"{float(turns(FourTwenty())[0]):.3f}",
        races=_races(),
        claims=_costs_of_420(),
        looks=looks,
    )


def _ship() -> str:
    return strategy_text.SHIP.format(
        card=_card("ship"),
        stop=card_ship.STOP,
        late=card_ship.STOP_LATE,
        aboard=per_cent(asked("odds ship --goal score")["qualify"]),
        ship=_table(ship()),
    )


def _threes() -> str:
    return strategy_text.THREES.format(
        card=_card("threes"),
        mean=f"{asked('odds threes --goal score')['value']:.4f}",
        reached=_table(threes_reached()),
        threes=_table(threes()),
    )


def _mexico() -> str:
    return strategy_text.MEXICO.format(
        card=_card("mexico"), early=card_mexico.STOP_EARLY, then=card_mexico.STOP, mexico=_table(mexico())
    )


def _shutbox() -> str:
    return strategy_text.SHUTBOX.format(
        card=_card("shutbox --die may"),
        little=card_shutbox.LITTLE,
        opener=per_cent(asked("odds shutbox --seats 2 --format rounds:1 --die may")["share"][0]),
        tip=tip_gives_up("shutbox", die="may"),
        loses=given_up("card shutbox --die may"),
    )


MADE: dict[str, Callable[[], str]] = {
    "midnight": _midnight,
    "420": _fourtwenty,
    "mexico": _mexico,
    "ship": _ship,
    "threes": _threes,
    "shutbox": _shutbox,
}


def best_play(name: str) -> str:
    """Return the part of a game's page on best play."""
    return _wrapped(MADE[name]())


def _share_tables(name: str) -> list[tuple[str, ShareTable]]:
    """Return the tables of shares of a game's bots, each after the name of the match."""
    if name == "420":
        return [("a race", fourtwenty())]
    tables = [("a round", bot_shares(name))]
    return [*tables, ("three lives", bot_shares(name, THREE_LIVES))] if name == "mexico" else tables


def bot_tables(name: str) -> str:
    """Return the tables of every bot of a game against every bot, in Markdown."""
    title = GAMES[name].words.title
    parts = [f"\n## {title}, {played}\n\n{_against(found)}" for played, found in _share_tables(name)]
    return "".join([*parts, *([strategy_text.SPREADS, _spreads()] if name == "midnight" else [])])


def _best() -> str:
    rows = []
    for name in PAGES:
        for played, found in _share_tables(name):
            last = found.names.index(PERFECT)
            shares = {bot: per_cent(found.averaged(at, last)) for at, bot in enumerate(found.names)}
            rows.append((f"{GAMES[name].words.title}, {played}", *(shares.get(bot, "–") for bot in ORDER[:-1])))
    return table(("", *ORDER[:-1]), rows)


def _first() -> str:
    rows = []
    for name, page in PAGES.items():
        for played, found in _share_tables(name):
            rows.append((f"[{GAMES[name].words.title}](../games/{page}.md), {played}", per_cent(found.share[-1][-1])))
    return table(("match", "first player"), rows)


def overview() -> str:
    """Return the page ``docs/solve/strategy.md``."""
    steady = next(each for each in midnight_scores() if each.name == "steady")
    return "".join(
        [
            strategy_text.OVERVIEW,
            _first(),
            strategy_text.WORKED.format(
                mean=f"{steady.mean:.4f}",
                chance=f"{steady.qualify:.6f}",
                total=f"{steady.mean + PAIR * steady.qualify:.4f}",
            ),
            strategy_text.BOTS.format(
                **{
                    f"{name}_{bot}": usual_threshold(_turn_game(name), bot)
                    for name in ("ship", "threes")
                    for bot in ("cautious", "bold")
                },
                **{f"midnight_{bot}": GAMES["midnight"].thresholds[bot] for bot in ("cautious", "bold")},
            ),
            strategy_text.BEST,
            _best(),
            strategy_text.AGAIN,
        ]
    )


def claims_in_full() -> str:
    """Return all printed advice with its precise reading and its figures."""
    return "".join(
        [strategy_text.CLAIMS, "\n## Midnight\n\n", _claims(of_midnight()), "\n## 420\n\n", _claims(of_420())]
    )


def whole() -> str:
    """Return the overview, best play of every game, all tables of bots, and all advice, as one text."""
    parts = [f"\n# {GAMES[name].words.title}\n{best_play(name)}" for name in PAGES]
    tables = [strategy_text.TABLES, *map(bot_tables, PAGES)]
    return "".join([overview(), *parts, *tables, claims_in_full()])


def marked(part: str) -> tuple[str, str]:
    """Return the lines that stand before and after a part that this module writes into a page."""
    return f"<!-- {part}: made by python -m pubdice_lab.strategy -->\n", "\n<!-- end -->\n"


def made_part(page: str, part: str) -> str:
    """Return the present text of a part of a page. Raises ValueError if the page lacks the part."""
    begin, end = marked(part)
    at = page.index(begin) + len(begin)
    return page[at : page.index(end, at)]


def write(docs: Path) -> None:
    """Write the overview, the parts of the games' pages and their pictures into a folder of documents."""
    for name, stem in PAGES.items():
        file = docs / "games" / f"{stem}.md"
        page = file.read_text("utf-8")
        for part, made in ((BEST_PLAY, best_play(name)), (OBSERVED, "\n" + observations(name))):
            begin, end = marked(part)
            page = page.replace(begin + made_part(page, part) + end, begin + made.rstrip("\n") + "\n" + end)
        file.write_text(page, encoding="utf-8")
        file.with_suffix(".svg").write_text(drawn(name), encoding="utf-8")
    (docs / "solve/strategy.md").write_text(overview(), encoding="utf-8")


def main(words: Sequence[str]) -> int:
    """Write the pages of a folder of documents. Without a folder, print all parts."""
    told = "Works out every figure of best play again, and writes the pages that have them."
    parser = argparse.ArgumentParser(prog="python -m pubdice_lab.strategy", description=told)
    parser.add_argument("folder", metavar="FOLDER", nargs="?", type=Path, help="the folder docs (prints all in one)")
    folder = parser.parse_args(words).folder
    if folder:
        write(folder)
    else:
        sys.stdout.write(whole())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
