"""``tip`` plays what its page of rules prints: the sentences read back as a policy, in every position a round comes to.

Each reader below is written from the sentences alone and takes its numbers from them; a sentence without a reader
fails. The German page has the same sentences in the same order, with the same numbers in each.
"""

import re
from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any

import pytest

from pubdice.core.dice import rolls
from pubdice.core.game import Keep, RoundSeat, RoundState, TurnGame
from pubdice.games import GAMES
from pubdice.games.fourtwenty.rules import TARGET
from pubdice.games.fourtwenty.rules import RoundState as Hands
from pubdice.kit import Kit
from pubdice.text.catalogues import CODES
from pubdice.text.language import BOTS
from support.profiles import NIGHTLY

TITLE = re.compile(r"^## .*\n", re.MULTILINE)
Dice = list[int]
Reader = Callable[[dict[str, int], Any, Any], Dice]
"""From the numbers of the sentences, the rules and a position to the dice that stay."""


def section(kit: Kit, code: str) -> str:
    """The part of the page of rules on the bot, without its title: in every language it is the same one."""
    at = TITLE.findall(kit.page("en")).index("## How Tip plays\n")
    return TITLE.split(kit.page(code))[at + 1]


def sentences(kit: Kit, code: str = "en") -> list[str]:
    """Its numbered lines, each as one line."""
    items = re.split(r"^\d\. ", section(kit, code), flags=re.MULTILINE)[1:]
    return [" ".join(item.partition("\n\n")[0].split()) for item in items]


def without(dice: Dice, kept: Dice) -> Dice:
    left = list(dice)
    for face in kept:
        left.remove(face)
    return left


def midnight(said: dict[str, int], game: Any, state: RoundState) -> Dice:
    need, best = list(game.need), max(state.scores, default=0)
    lacked = [face for face in need if face not in state.locked]
    kept = [face for face in lacked if face in state.free]
    if kept == lacked:
        rest = without(list(state.free), kept)
        kept += [said["every"]] * rest.count(said["every"])
        for many in range(rest.count(said["many"]), -1, -1):
            more = [*kept, *[said["many"]] * many]
            spare = game.number_of_dice - len(state.locked) - len(more)
            if sum(without([*state.locked, *more], need)) + 6 * spare > best:
                kept = more
                break
    return kept or [max(state.free)]


def fourtwenty(said: dict[str, int], game: Any, state: Hands) -> Dice:
    def threes(hand: tuple[int, ...]) -> list[Dice]:
        return [list(dice) for dice in combinations(hand, 3) if sum(dice) == said["ideal"]]

    own, legal = state.hands[state.mover], [list(keep.dice) for keep in game.legal(state)]
    others = [hand for seat, hand in enumerate(state.hands) if seat != state.mover and hand]
    ideal = [dice for dice in threes(own) if sorted(dice) in legal]
    if ideal:
        return ideal[0]
    pressed = any(threes(hand) and sum(hand) <= said["over"] for hand in others)
    for size in ([3] if pressed else []) + [2, 1, 3]:
        sized = [dice for dice in legal if len(dice) == size]
        if sized:
            return min(sized, key=sum)
    return []


def mexico(said: dict[str, int], game: Any, state: Any) -> Dice:
    low, high = state.free
    counts = 1000 if (low, high) == (1, 2) else 100 * low if low == high else 10 * high + low
    stops = counts > min(state.scores) if state.scores else counts >= said["stop"]
    return list(state.free) if stops else []


def ship(said: dict[str, int], game: Any, state: RoundState) -> Dice:
    cargo, crew = [*state.locked, *state.free], [face for face in (6, 5, 4) if face not in state.locked]
    cargo = without(cargo, [6, 5, 4])
    best = max(state.scores, default=0)
    last = bool(state.scores) and len(state.scores) == state.seats - 1
    if (last and sum(cargo) > best) or (sum(cargo) >= said["stop"] and sum(cargo) >= best):
        return list(state.free)
    held = [face for face in without(list(state.free), crew) if face in (said["one"], said["other"])]
    return [*crew, *(held if game.cargo == "single" else [])]


def threes(said: dict[str, int], game: Any, state: RoundState) -> Dice:
    last = bool(state.scores) and len(state.scores) == state.seats - 1
    dice = sorted((*state.locked, *state.free))
    moon = dice == [6] * 5 and (game.moon == "yes" or (game.moon == "first" and not state.locked))
    beats = last and sum(face for face in dice if face != 3) < min(state.scores)
    if moon or beats:
        return list(state.free)
    kept = [face for face in state.free if face == said["every"]] or [min(state.free)]
    rest = without(list(state.free), kept)
    if len(rest) <= said["left"]:
        kept += [said["too"]] * rest.count(said["too"])
        rest = [face for face in rest if face != said["too"]]
    return kept + (rest if rest == [said["alone"]] else [])


def shutbox(said: dict[str, int], game: Any, state: Any) -> Dice:
    """The tiles that are shut; none for one die, taken where it may be."""
    total = sum(state.dice)
    if not total:
        return []
    ways = [set(tiles) for size in range(1, 5) for tiles in combinations(state.up, size) if sum(tiles) == total]
    few = [way for way in ways if len(way) == min(map(len, ways))]
    return sorted(max(few, key=max))


READERS: dict[str, tuple[Reader, list[str]]] = {
    "midnight": (
        midnight,
        [
            r"Keep a 1 and a 4 when they fall\. Until you have both, keep nothing else\.",
            r"Once you have both, keep every (?P<every>\d) and as many (?P<many>\d)s as still let you beat "
            r"the best score so far\.",
            r"If that keeps no die, keep your highest\.",
        ],
    ),
    "420": (
        fourtwenty,
        [
            r"Keep three dice that make (?P<ideal>\d+)\.",
            r"If another player holds three dice that make (?P=ideal) and isn't over (?P<over>\d+), "
            r"keep any three you may\.",
            r"Otherwise keep two dice, or else one, or else three\. If none may stay, reroll all four\.",
        ],
    ),
    "mexico": (
        mexico,
        [
            r"First to roll: stop with (?P<stop>\d+) or more\.",
            r"After others: stop as soon as you beat one of them\. You need not be high, only not the lowest\.",
            r"Otherwise roll both again\.",
        ],
    ),
    "ship": (
        ship,
        [
            r"Last to roll: stop as soon as you lead\.",
            r"Stop with (?P<stop>\d+) or more, unless another player has more\.",
            r"Otherwise roll your cargo again\. If each die goes by itself, hold every (?P<one>\d) and every "
            r"(?P<other>\d), even if that ends your turn\.",
        ],
    ),
    "threes": (
        threes,
        [
            r"Last to roll: keep all once that beats the best score\. "
            r"Five sixes that win at once: keep all, in any seat\.",
            r"Otherwise keep every (?P<every>\d), or else your lowest die\.",
            r"At most (?P<left>\d) dice left after that: keep every (?P<too>\d), too\. Just a (?P<alone>\d) left: "
            r"keep it, too\.",
        ],
    ),
    "shutbox": (
        shutbox,
        [
            r"Shut as few tiles as you can\.",
            r"Of several ways, shut the highest tile\.",
            r"If you may roll one die, do\.",
        ],
    ),
}


def numbers(name: str) -> dict[str, int]:
    """The numbers that the sentences of a game name; every sentence must be the one its reader was written from."""
    found = re.fullmatch(" ".join(READERS[name][1]), " ".join(sentences(GAMES[name])))
    assert found, f"no reader for: {sentences(GAMES[name])}"
    return {key: int(value) for key, value in found.groupdict().items()}


def choices(game: Any, name: str) -> Iterator[Any]:
    """Every position with a choice that rounds of one, two and three seats come to.

    420 has as many as pairs of hands, and a third hand changes them only if it presses. At other games the turns of one
    seat are found by the rules, each after every score of who was before. Of three seats the second is asked after some
    of them by default.
    """
    if name == "shutbox":
        yield from walk(game, game.start(1))
        return
    if name == "420":
        found = [tuple(hand) for hand, _ in rolls(4)]
        for own in (hand for hand in found if sum(hand) != TARGET):
            for other in ((), *found):
                yield Hands((own, other), RoundSeat(0), None)
            yield Hands((own, (1, 2, 2, 3), (1, 4, 5, 6)), RoundSeat(0), None)
        return
    if not isinstance(game, TurnGame):
        yield from (state for seats in (2, 3) for state in walk(game, game.start(seats)))
        return
    ends = {state.scores[0] for state in walk(game, game.start(1), ends=True)}
    ends = {score for score in ends if not game.wins_at_once(score)}
    for state in walk(game, game.start(1)):
        few = sorted(ends)[:: max(1, len(ends) // 4)]
        before = [(1, ()), (2, ()), *[(2, (score,)) for score in ends]]
        before += [(3, (score,)) for score in (ends if NIGHTLY else few)]
        before += [(3, (one, other)) for one in few for other in few]
        for seats, scores in before:
            yield RoundState(seats, scores, state.locked, state.free, state.rolls)


def walk(game: Any, start: Any, *, ends: bool = False) -> Iterator[Any]:
    """The positions with a choice, or those at the end, each once."""
    seen, fresh = {start}, [start]
    while fresh:
        state = fresh.pop()
        due, legal = game.to_roll(state), game.legal(state)
        if (game.result(state) is not None) if ends else len(legal) > 1:
            yield state
        after = [game.roll(state, hand) for hand, _ in rolls(due)] if due else [game.play(state, act) for act in legal]
        fresh += set(after) - seen
        seen |= set(after)


CASES = [
    ("midnight", {"need": "1 4"}),
    pytest.param("midnight", {"need": "2 4"}, marks=pytest.mark.nightly),
    ("420", {}),
    *[("mexico", {"hold": hold}) for hold in ("none", "1 2")],
    *[("ship", {"cargo": cargo, "boxcars": boxcars}) for cargo in ("together", "single") for boxcars in ("no", "yes")],
    ("threes", {"moon": "yes"}),
    *[pytest.param("threes", {"moon": moon}, marks=pytest.mark.nightly) for moon in ("no", "first")],
    *[("shutbox", {"die": die, "left": "sum"}) for die in ("no", "may", "must")],
]


def meant_move(tiles: tuple[int, ...]) -> str:
    """The move that shuts these tiles; without any, that of one die."""
    return "s" + "".join(map(str, tiles[::-1])) if tiles else "one"


@pytest.mark.parametrize(("name", "options"), CASES)
def test_tip_keeps_what_the_page_of_rules_prints_in_every_position(name: str, options: dict[str, str]) -> None:
    kit, said, reader = GAMES[name], numbers(name), READERS[name][0]
    game, looked = kit.build(options), 0
    for state in choices(game, name):
        ((action, weight),) = kit.policies["tip"](game, state)
        assert weight == 1
        meant = tuple(sorted(reader(said, game, state)))
        assert action == meant_move(meant) if name == "shutbox" else action == Keep(meant), state
        looked += 1
    assert looked > 250


@pytest.mark.parametrize("kit", GAMES.values(), ids=GAMES.keys())
def test_every_game_prints_its_tips_in_every_language_with_the_same_numbers(kit: Kit) -> None:
    """``play --help`` and the form say that ``tip`` follows the tips printed with the rules."""
    assert BOTS["tip"] == "follows the tips printed with the rules"
    assert "tip" in kit.policies
    english = [sorted(re.findall(r"\d+", line)) for line in sentences(kit)]
    assert len(english) == 3
    for code in CODES:
        assert [sorted(re.findall(r"\d+", line)) for line in sentences(kit, code)] == english
