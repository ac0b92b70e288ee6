"""The page of strategy, docs/strategy.md, made from the solved games: ``python -m pubdice_lab.strategy [FILE]``.

Every figure on it is computed when it is made, and rounded so far that its last digit is sure, also where every bot
plays every bot. A test makes it again.
"""

import argparse
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from textwrap import fill
from typing import Any

import numpy as np

from pubdice.advice.asked_match import asked_options
from pubdice.advice.bots import BotPolicy, Perfect, usual_threshold
from pubdice.advice.policy_share import share_against_best_play
from pubdice.advice.questions import question
from pubdice.core.game import Seat, TurnGame
from pubdice.games import GAMES
from pubdice.games.fourtwenty.rules import FourTwenty
from pubdice.games.mexico import card as card_mexico
from pubdice.games.mexico.lives import Lives
from pubdice.games.midnight.rules import Midnight
from pubdice.games.ship import card as card_ship
from pubdice.games.shutbox import card as card_shutbox
from pubdice.kit import PERFECT
from pubdice.match.formats import Format, Rounds
from pubdice.match.match import Match
from pubdice.solve.choose import solve_match
from pubdice.solve.numerics import NOTHING
from pubdice.solve.race.contest import best as best_420
from pubdice.solve.race.contest import contest as contest_420
from pubdice.solve.race.seat import turns
from pubdice.solve.race.solutions import odds
from pubdice.solve.turns.goals import win
from pubdice.solve.turns.turn import turn
from pubdice.text.language import Language
from pubdice_lab import strategy_text
from pubdice_lab.chain import SharedRows
from pubdice_lab.claims import Claim, of_420, of_midnight, per_cent
from pubdice_lab.plots import plot

# Every bot against every bot, exactly: two seats, one round, at 420 one race, at Mexico one round and three lives
# too.
#
# Shares are the first seat's: of the round, ½ each for equal scores; the chance to win at 420 and with lives. How
# they are found is stated in ``advice.chain`` and, for 420, ``solve.race.contest``, which is a hundred times quicker
# there: chances pushed on, nothing simulated. The bot ``perfect`` plays best for the match on the assumption that the
# others do so, too.


ORDER = ("lucky", "tip", "steady", "cautious", "bold", PERFECT)
"""The bots as the tables have them; a game may lack those that play for a goal of their own."""
ONE_ROUND, THREE_LIVES = Rounds(1), Lives(3)


@dataclass(frozen=True, slots=True)
class ShareTable:
    """share[a][b]: the share of ``names[a]`` as first seat against ``names[b]`` as second."""

    names: tuple[str, ...]
    share: tuple[tuple[float, ...], ...]

    def averaged(self, one: int, other: int) -> float:
        """The share of one against another, the mean of both orders."""
        return (self.share[one][other] + 1 - self.share[other][one]) / 2


@dataclass(frozen=True, slots=True)
class Spread:
    """A Midnight bot's score as first of two seats: mean, chance to qualify, standard deviation, and some chances."""

    name: str
    mean: float
    qualify: float
    deviation: float
    best: float
    modest: float


@cache
def bot_shares(name: str, form: Format = ONE_ROUND) -> ShareTable:
    """The table of a game, in a match of this format that the first seat opens."""
    kit = GAMES[name]
    match = Match(kit.usual_game, 2, form, form.openers[0], Seat(0))
    bots: dict[str, BotPolicy] = {**kit.policies, PERFECT: Perfect(solve_match(match))}
    names, rows = tuple([name for name in ORDER if name in bots]), SharedRows(match)
    return ShareTable(names, tuple(tuple(_known(rows.share([bots[a], bots[b]])) for b in names) for a in names))


def _known(share: float | None) -> float:
    assert share is not None, "these matches end"
    return share


@cache
def midnight_scores() -> tuple[Spread, ...]:
    """Each bot's scores at Midnight, rolling first."""
    spreads = []
    for series in plot("scores", "midnight", ORDER).series:
        scores, chances = np.array(series.across, dtype=np.float64), np.array(series.up)
        mean = float(chances @ scores)
        deviation = float(np.sqrt(chances @ (scores - mean) ** 2))
        low = float(chances[(scores > 0) & (scores <= 16)].sum())
        spreads.append(Spread(series.name, mean, float(1 - chances[0]), deviation, float(chances[-1]), low))
    return tuple(spreads)


@cache
def fourtwenty() -> ShareTable:
    """The table of 420."""
    house, policies = contest_420(FourTwenty()), GAMES["420"].policies
    players = {name: house.player(best_420 if name == PERFECT else policies[name]) for name in ORDER}
    share = tuple(tuple(house.share(players[one], players[other]) for other in ORDER) for one in ORDER)
    return ShareTable(ORDER, share)


# Sections of the page of strategy whose every figure is the answer to a command: Ship, Threes and Mexico.
#
# Each section ends with its commands; the ones that differ in a house rule alone stand there once.


def _given(words: list[str]) -> dict[str, str]:
    """Flags with their values, by name."""
    return {flag.removeprefix("--"): value for flag, value in zip(words[::2], words[1::2], strict=True)}


@cache
def answer_to(command: str) -> Any:
    """The answer of ``pubdice`` to a command such as ``odds ship --goal score``. Raises BadNotation."""
    name, game, *words = command.split()
    found = question(GAMES[game], name)
    assert found is not None, command
    return found.answer(_given(words))


def asked(command: str) -> dict[str, Any]:
    """The answer as data."""
    data: dict[str, Any] = answer_to(command).data()
    return data


def command_lines(command: str) -> list[str]:
    """The lines that a command such as ``card ship`` prints."""
    lines: list[str] = answer_to(command).sentences(Language())
    return lines


@cache
def given_up(command: str) -> str:
    """The loss of the card of ``card ship --cargo single`` in a round of two against best play, all lines followed.

    Without what each line costs, which takes as many times longer as there are lines.
    """
    _, name, *words = command.split()
    kit = GAMES[name]
    game: Any = kit.build(asked_options(kit, _given(words)))
    assert kit.card_lines is not None, command
    card = kit.card_lines(game)
    lost = 0.5 - share_against_best_play(game, watches=card.watches)(
        card.play(frozenset(line.name for line in card.lines))
    )
    return "nothing" if lost < NOTHING else per_cent(lost)


def tip_gives_up(name: str, **options: str) -> str:
    """The loss of a bot that follows the printed tips, and looks at nobody's score, in a round of two to best play."""
    kit = GAMES[name]
    game: Any = kit.build(asked_options(kit, options))
    return per_cent(0.5 - share_against_best_play(game, watches=False)(kit.policies["tip"]))


def shares(command: str) -> tuple[str, ...]:
    """Each seat's share, the opener's first, to a hundredth of a per cent."""
    return tuple(map(per_cent, asked(command)["share"]))


FigureRow = tuple[str, ...]
CARGOES = {"together": "both together", "single": "one by one", "stays": "not rolled again"}
MOONS = {"no": "score 30", "yes": "win at once", "first": "win at once on the first roll"}
HOLDS = {"none": "both dice rolled", "1,2": "a 1 or a 2 may stay"}


def ship() -> list[FigureRow]:
    """By what happens to cargo: the best mean, each share of a round of two, what the card loses."""
    rows: list[FigureRow] = [("cargo dice", "best mean cargo", "first to roll", "second", "the card loses")]
    for cargo, name in CARGOES.items():
        mean = asked(f"odds ship --goal score --cargo {cargo}")["value"]
        two = shares(f"odds ship --seats 2 --format rounds:1 --cargo {cargo}")
        rows.append((name, f"{mean:.4f}", *two, given_up(f"card ship --cargo {cargo}")))
    return rows


def threes() -> list[FigureRow]:
    """By what five sixes do: each share of a round of two, what the card loses."""
    rows: list[FigureRow] = [("five sixes", "first to roll", "second", "the card loses")]
    for moon, name in MOONS.items():
        two = shares(f"odds threes --seats 2 --format rounds:1 --moon {moon}")
        rows.append((name, *two, given_up(f"card threes --moon {moon}")))
    return rows


def threes_reached() -> list[FigureRow]:
    """The best chance of a score or less, and that of play for the mean."""
    mean = asked("odds threes --goal score")["distribution"]
    return [
        ("score", "played for it", "played for the mean"),
        *(
            (
                f"{score} or less" if score else "0",
                per_cent(asked(f"odds threes --goal reach:{score}")["value"]),
                per_cent(sum(mean[: score + 1])),
            )
            for score in (0, 1, 2, 3, 4, 6)
        ),
    ]


def mexico() -> list[FigureRow]:
    """By the house rule: the first seat's share of four matches of two, what the card loses."""
    rows: list[FigureRow] = [("", "one round", "1 life", "2 lives", "3 lives", "the card loses")]
    for hold, name in HOLDS.items():
        forms = ("rounds:1", "lives:1", "lives:2", "lives:3")
        first = (shares(f"odds mexico --seats 2 --format {form} --hold {hold}")[0] for form in forms)
        rows.append((name, *first, given_up(f"card mexico --hold {hold}")))
    return rows


WIDTH = 118
PAIR = 5
"""The points the 1 and the 4 add to the total of all six dice."""
CARDS = ("midnight", "420", "ship", "threes", "mexico", "shutbox --die may")


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown; the first column is words, the others numbers."""
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def _table(rows: Sequence[Sequence[str]]) -> str:
    return table(rows[0], rows[1:])


def _turn_game(name: str) -> TurnGame:
    game = GAMES[name].usual_game
    assert isinstance(game, TurnGame), name
    return game


def _turns() -> str:
    rows = []
    for need in ((1, 4), (2, 4)):
        turned = turn(Midnight(need))
        steady = turned.solve(turned.mean)
        opens = steady.chance[turned.start]
        qualify = float(turned.best((turned.mean > 0).astype(float)[:, None])[0])
        best = float(turned.best((turned.mean == 24).astype(float)[:, None])[0])
        rows.append(
            (
                f"{need[0]} and {need[1]}",
                f"{float(steady.value[turned.start]):.4f}",
                per_cent(float(1 - opens[0])),
                per_cent(qualify),
                per_cent(float(opens[-1])),
                per_cent(best),
            )
        )
    head = ("need", "best mean score", "it qualifies", "best chance to", "it makes 24", "best chance to")
    return table(head, rows)


def _reach() -> str:
    turned = turn(Midnight((1, 4)))
    opens = turned.solve(turned.mean).chance[turned.start]
    rows = []
    for score in (12, 14, 16, 18, 19, 20, 21, 22, 23, 24):
        reached = turned.mean >= score
        best = float(turned.best(reached.astype(float)[:, None])[0])
        rows.append((f"{score} or more", per_cent(best), per_cent(float(opens[reached].sum()))))
    return table(("score", "played for it", "played for the mean"), rows)


def _openers() -> str:
    rows = []
    for need in ((1, 4), (2, 4)):
        for seats in (2, 3, 4):
            shares = win(Midnight(need), "share", seats, 1 / seats).by_seat()
            rows.append((f"{need[0]} and {need[1]}, {seats} seats", ", ".join(per_cent(share) for share in shares)))
    return table(("one round, equal scores share", "each seat's share, the opener's first"), rows)


def _races() -> str:
    rows = []
    for drinks, most in ((False, 4), (True, 3)):
        for seats in range(2, most + 1):
            found = odds(FourTwenty(), seats, drinks)
            name = f"{seats} seats, {'buys the drinks' if drinks else 'wins the race'}"
            rows.append((name, ", ".join(per_cent(chance) for chance in found.chances)))
    return table(("best play by all", "each seat's, Player 1's first"), rows)


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


def _card(lines: Sequence[str]) -> str:
    return "\n".join(["```", *lines, "```", ""])


def page() -> str:
    """The whole page as Markdown, solved afresh."""
    spreads = {each.name: each for each in midnight_scores()}
    opener, steady = spreads[PERFECT], spreads["steady"]
    numbers = {
        "stop": card_ship.STOP,
        "late": card_ship.STOP_LATE,
        "early": card_mexico.STOP_EARLY,
        "then": card_mexico.STOP,
        "little": card_shutbox.LITTLE,
        "mean": f"{steady.mean:.4f}",
        "chance": f"{steady.qualify:.6f}",
        "total": f"{steady.mean + PAIR * steady.qualify:.4f}",
        "last": per_cent(1 - bot_shares("midnight").share[-1][-1]),
        **{
            f"{name}_{bot}": usual_threshold(_turn_game(name), bot)
            for name in ("ship", "threes")
            for bot in ("cautious", "bold")
        },
        **{f"midnight_{bot}": GAMES["midnight"].thresholds[bot] for bot in ("cautious", "bold")},
    }
    parts = (
        strategy_text.TOP.format(**numbers),
        strategy_text.TURN,
        _turns(),
        strategy_text.REACH,
        _reach(),
        strategy_text.LAST,
        _openers(),
        strategy_text.OPENER.format(
            mean=f"{opener.mean:.2f}", less=f"{steady.mean - opener.mean:.2f}", qualify=per_cent(opener.qualify)
        ),
        strategy_text.RACES.format(turns=f"{float(turns(FourTwenty())[0]):.3f}"),
        _races(),
        strategy_text.SHIP.format(aboard=per_cent(asked("odds ship --goal score")["qualify"])),
        _table(ship()),
        strategy_text.SHIP_FOUND,
        strategy_text.THREES.format(mean=f"{asked('odds threes --goal score')['value']:.4f}"),
        _table(threes_reached()),
        strategy_text.THREES_FOUND,
        _table(threes()),
        strategy_text.THREES_CARD,
        strategy_text.MEXICO,
        _table(mexico()),
        strategy_text.MEXICO_FOUND.format(**numbers),
        strategy_text.CARDS,
        "\n".join(_card(command_lines(f"card {name}")) for name in CARDS),
        strategy_text.CLAIMS,
        _claims(of_midnight()),
        "\n### 420\n\n",
        _claims(of_420()),
        strategy_text.BOTS.format(**numbers),
        _against(bot_shares("midnight")),
        strategy_text.SPREADS,
        _spreads(),
        strategy_text.RACE,
        _against(fourtwenty()),
        strategy_text.RACE_FOUND,
        "\n### Ship, one round of two\n\n",
        _against(bot_shares("ship")),
        strategy_text.SHIP_BOTS,
        "\n### Threes, one round of two\n\n",
        _against(bot_shares("threes")),
        "\n### Mexico, one round of two\n\n",
        _against(bot_shares("mexico")),
        "\n### Mexico, three lives, two players\n\n",
        _against(bot_shares("mexico", THREE_LIVES)),
        strategy_text.SHUTBOX,
        _against(bot_shares("shutbox")),
        strategy_text.END.format(tip=tip_gives_up("shutbox", die="may"), card=given_up("card shutbox --die may")),
    )
    return "".join(parts)


def main(words: Sequence[str]) -> int:
    """Write the page to the file named, or to standard output."""
    told = "Works out every figure of docs/strategy.md again, and writes the page."
    parser = argparse.ArgumentParser(prog="python -m pubdice_lab.strategy", description=told)
    parser.add_argument("file", metavar="FILE", nargs="?", type=Path, help="where to write it (standard output)")
    file = parser.parse_args(words).file
    if file:
        file.write_text(page(), encoding="utf-8")
    else:
        sys.stdout.write(page())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
