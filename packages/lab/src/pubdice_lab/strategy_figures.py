"""Figures for the page of strategy: exact shares of every bot against every bot, and answers to commands.

Each share is the share of the first of two seats. In a round, seats with equal scores get ½ each. At 420 and in matches
with lives, a share is the chance to win. The shares come from ``chain``, and for 420 from ``solve.race.contest``, which
is a hundred times faster there. Neither simulates: both pass chances on. The bot ``perfect`` plays best on the
assumption that the others do, too.

If a section of the page has figures from commands, it ends with these commands. Of several commands that differ only in
a house rule, it prints one.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from pubdice.advice.asked_match import asked_options
from pubdice.advice.bots import BotPolicy, Perfect
from pubdice.advice.policy_share import share_against_best_play
from pubdice.advice.questions import question
from pubdice.core.game import Seat
from pubdice.games import GAMES
from pubdice.games.fourtwenty.rules import FourTwenty
from pubdice.games.mexico.lives import Lives
from pubdice.kit import PERFECT
from pubdice.match.formats import Format, Rounds
from pubdice.match.match import Match
from pubdice.solve.choose import solve_match
from pubdice.solve.numerics import NOTHING
from pubdice.solve.race.contest import best as best_420
from pubdice.solve.race.contest import contest as contest_420
from pubdice.text.language import Language
from pubdice_lab.chain import SharedRows
from pubdice_lab.claims import per_cent
from pubdice_lab.plots import plot

ORDER = ("lucky", "tip", "steady", "cautious", "bold", PERFECT)
"""The bots, in the order of the tables. Some games lack the bots that play for a goal."""
ONE_ROUND, THREE_LIVES = Rounds(1), Lives(3)


@dataclass(frozen=True, slots=True)
class ShareTable:
    """The share of ``names[a]`` in the first seat against ``names[b]`` in the second, as ``share[a][b]``."""

    names: tuple[str, ...]
    share: tuple[tuple[float, ...], ...]

    def averaged(self, one: int, other: int) -> float:
        """Return the mean share of one bot against another, over both orders of the seats."""
        return (self.share[one][other] + 1 - self.share[other][one]) / 2


@dataclass(frozen=True, slots=True)
class Spread:
    """The scores of a Midnight bot that rolls first of two. ``best`` is the chance of 24, and ``modest`` is the chance
    of 4 to 16.
    """

    name: str
    mean: float
    qualify: float
    deviation: float
    best: float
    modest: float


@cache
def bot_shares(name: str, form: Format = ONE_ROUND) -> ShareTable:
    """Return the table of shares of a game, for a match in this format. The first seat opens it."""
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
    """Return each bot's scores at Midnight if it rolls first."""
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
    """Return the table of shares of 420."""
    house, policies = contest_420(FourTwenty()), GAMES["420"].policies
    players = {name: house.player(best_420 if name == PERFECT else policies[name]) for name in ORDER}
    share = tuple(tuple(house.share(players[one], players[other]) for other in ORDER) for one in ORDER)
    return ShareTable(ORDER, share)


def _given(words: list[str]) -> dict[str, str]:
    return {flag.removeprefix("--"): value for flag, value in zip(words[::2], words[1::2], strict=True)}


@cache
def answer_to(command: str) -> Any:
    """Return the answer to a command such as ``odds ship --goal score``. Raises BadNotation."""
    name, game, *words = command.split()
    found = question(GAMES[game], name)
    assert found is not None, command
    return found.answer(_given(words))


def asked(command: str) -> dict[str, Any]:
    """Return the answer to a command as plain data."""
    data: dict[str, Any] = answer_to(command).data()
    return data


def command_lines(command: str) -> list[str]:
    """Return the lines that a command such as ``card ship`` prints."""
    lines: list[str] = answer_to(command).sentences(Language())
    return lines


@cache
def given_up(command: str) -> str:
    """Return the loss of a player who follows a card, such as ``card ship --cargo single``, in a round of two against
    best play.

    The cost of each single line is left out, because it would multiply the time by the number of lines.
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
    """Return the loss of the bot ``tip`` in a round of two against best play. The bot must not look at other scores."""
    kit = GAMES[name]
    game: Any = kit.build(asked_options(kit, options))
    return per_cent(0.5 - share_against_best_play(game, watches=False)(kit.policies["tip"]))


def shares(command: str) -> tuple[str, ...]:
    """Return each seat's share, the opener's first, to a hundredth of a per cent."""
    return tuple(map(per_cent, asked(command)["share"]))


FigureRow = tuple[str, ...]
CARGOES = {"together": "both together", "single": "one by one", "stays": "not rolled again"}
MOONS = {"no": "score 30", "yes": "win at once", "first": "win at once on the first roll"}
HOLDS = {"none": "both dice rolled", "1,2": "a 1 or a 2 may stay"}


def ship() -> list[FigureRow]:
    """Return a row for each rule about cargo: the best mean, each seat's share of a round of two, and the card's
    loss.
    """
    rows: list[FigureRow] = [("cargo dice", "best mean cargo", "first to roll", "second", "the card loses")]
    for cargo, name in CARGOES.items():
        mean = asked(f"odds ship --goal score --cargo {cargo}")["value"]
        two = shares(f"odds ship --seats 2 --format rounds:1 --cargo {cargo}")
        rows.append((name, f"{mean:.4f}", *two, given_up(f"card ship --cargo {cargo}")))
    return rows


def threes() -> list[FigureRow]:
    """Return a row for each rule about five sixes: each seat's share of a round of two, and the card's loss."""
    rows: list[FigureRow] = [("five sixes", "first to roll", "second", "the card loses")]
    for moon, name in MOONS.items():
        two = shares(f"odds threes --seats 2 --format rounds:1 --moon {moon}")
        rows.append((name, *two, given_up(f"card threes --moon {moon}")))
    return rows


def threes_reached() -> list[FigureRow]:
    """Return a row for each of six scores: the best chance of this score or less, and the same chance in play for the
    best mean.
    """
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
    """Return a row for each house rule: the first seat's share of four kinds of match for two, and the card's loss."""
    rows: list[FigureRow] = [("", "one round", "1 life", "2 lives", "3 lives", "the card loses")]
    for hold, name in HOLDS.items():
        forms = ("rounds:1", "lives:1", "lives:2", "lives:3")
        first = (shares(f"odds mexico --seats 2 --format {form} --hold {hold}")[0] for form in forms)
        rows.append((name, *first, given_up(f"card mexico --hold {hold}")))
    return rows
