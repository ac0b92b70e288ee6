"""Cards that the house prices: what is printed is read back as a policy from its words alone, and valued.

One case a game; the others, for every house rule, are nightly, and so are the prices of Threes, which take 20 s.
``test_cards_as_printed.py`` reads Midnight's card, which is measured otherwise.
"""

from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from pathlib import Path
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest

import cards
from pubdice.advice.card_prices import PricedCard, answer
from pubdice.advice.policy_share import share_against_best_play
from pubdice.advice.printed_card import svg
from pubdice.core.dice import rolls
from pubdice.core.game import Policy, is_limited
from pubdice.games import GAMES
from pubdice.text.catalogues import CODES, language
from pubdice.text.language import Language

READERS: dict[str, Callable[[list[str]], Policy[Any, Any]]] = {
    "420": cards.FourTwenty,
    "ship": cards.Ship,
    "threes": cards.Threes,
    "mexico": cards.Mexico,
    "shutbox": cards.ShutTheBox,
}
PAGE = Path(__file__).parents[2] / "docs/games/fourtwenty.md"
MOST_LOST = {"shutbox": 0.048}
"""What a whole card gives up against best play, at most; of the others 0.0014."""
SLOW = ("threes", "midnight")
Rules = tuple[tuple[str, str], ...]


def _cases(slow: tuple[str, ...] = SLOW) -> Iterator[Any]:
    """Every house rule of every game with such a card; one a game in the default profile, none of a slow one."""
    for name, kit in GAMES.items():
        choices = product(*(option.choices for option in kit.options)) if kit.card_lines else ()
        for at, chosen in enumerate(choices):
            rules = tuple(zip((option.key for option in kit.options), chosen, strict=True))
            if is_limited(kit.build(dict(rules))):
                continue  # it has no card
            marks = [pytest.mark.nightly] if at or name in slow else []
            yield pytest.param(name, rules, id="-".join((name, *chosen)), marks=marks)


EVERY_CASE = pytest.mark.parametrize(("name", "rules"), list(_cases()))
READ = [case for case in _cases() if case.values[0] in READERS]
EVERY_READ = pytest.mark.parametrize(("name", "rules"), READ)
READ_QUICKLY = pytest.mark.parametrize(("name", "rules"), [case for case in _cases(()) if case.values[0] in READERS])


@cache
def _answer(name: str, rules: Rules) -> PricedCard:
    return answer(GAMES[name], dict(rules))


def _decisions(game: Any, matches: int) -> Iterator[Any]:
    """Positions of rounds of two where somebody has to choose, played at random: after every roll that was possible.

    A roll such as five sixes, one of 7,776, would hardly be seen otherwise.
    """
    random = Random(7)
    for _ in range(matches):
        state = game.start(2)
        while game.result(state) is None:
            if due := game.to_roll(state):
                rolled = [game.roll(state, hand) for hand, _ in rolls(due)]
                yield from filter(game.legal, rolled)
                state = random.choice(rolled)
            else:
                state = game.play(state, random.choice(game.legal(state)))


@READ_QUICKLY
def test_the_words_keep_what_the_lines_keep_with_any_line_left_out(name: str, rules: Rules) -> None:
    """In any order of play; what is open is open to both."""
    game = GAMES[name].build(dict(rules))
    made: Any = GAMES[name].card_lines
    card = made(game)
    told = {line.name: line.say(Language()) for line in card.lines}
    states = set(_decisions(game, 12))
    assert len(states) > 100
    for out in (None, *told):
        words = READERS[name]([text for line, text in told.items() if line != out])
        lines = card.play(frozenset(told) - {out})
        for state in states:
            assert _shares(words(game, state)) == _shares(lines(game, state)), (out, state)


def _shares(weighted: Any) -> dict[Any, float]:
    total, found = sum(weight for _, weight in weighted), dict[Any, float]()
    for action, weight in weighted:
        found[action] = found.get(action, 0.0) + weight / total
    return {action: round(share, 12) for action, share in found.items()}


@pytest.mark.nightly
def test_the_page_of_420_prints_its_card() -> None:
    """``packages/lab/tests/test_strategy.py`` takes it from there."""
    told = _answer("420", ()).sentences(Language())
    assert "\n".join(["```text", *told, "```", ""]) in PAGE.read_text(encoding="utf-8")


@EVERY_READ
def test_ignoring_a_line_costs_what_stands_beside_it(name: str, rules: Rules) -> None:
    kit, card = GAMES[name], _answer(name, rules)
    data, told = card.data(), card.sentences(Language())
    lines = cards.printed(told)
    assert len(lines) == len(data["lines"])
    game: Any = kit.build(dict(rules))
    made: Any = kit.card_lines
    share, texts = share_against_best_play(game, watches=made(game).watches), [line.text for line in lines]
    whole = share(READERS[name](texts))
    assert whole == pytest.approx(data["share"]["value"], abs=1e-12)
    assert -1e-12 < 0.5 - whole < MOST_LOST.get(name, 0.0014)
    unit = "race" if name == "420" else "round"
    lost = f"lose {Language().per_cent(0.5 - whole)} of the {unit}"
    if 0.5 - whole < 1e-9:
        lost = "You can't play better than this."
    assert lines == [] or any(lost in line for line in told)
    for at, line in enumerate(lines):
        cost = whole - share(READERS[name](texts[:at] + texts[at + 1 :]))
        assert data["lines"][at]["cost"] == pytest.approx(cost, abs=1e-12), line.text
        assert f"{line.cost}%" == Language().per_cent(cost), line.text


@pytest.mark.parametrize(("moon", "loses"), [("no", 0.000687858), ("first", 0.000745860), ("yes", 0.001281027)])
def test_the_words_of_threes_lose_what_is_printed_of_all_lines(moon: str, loses: float) -> None:
    """The prices of single lines take long; the whole card takes a second."""
    game: Any = GAMES["threes"].build({"moon": moon})
    made: Any = GAMES["threes"].card_lines
    share, card = share_against_best_play(game), made(game)
    lost = 0.5 - share(READERS["threes"]([line.say(Language()) for line in card.lines]))
    assert lost == pytest.approx(loses, abs=1e-9)
    assert lost == pytest.approx(0.5 - share(card.play(frozenset(line.name for line in card.lines))), abs=1e-12)


@EVERY_CASE
def test_every_line_earns_its_place_and_is_short_in_every_language(name: str, rules: Rules) -> None:
    card = _answer(name, rules)
    data = card.data()
    assert len(data["lines"]) <= 8
    assert all(row["cost"] > 0.0004 for row in data["lines"])
    for code in CODES:
        said = svg(card.layout(language(code))).splitlines()
        root = ElementTree.fromstring("\n".join(said))
        texts = [(each.get("class"), each.text or "") for each in root if each.tag.endswith("}text")]
        assert all(len(text) <= 60 for kind, text in texts if kind == "f"), texts
        assert all(len(text) <= 50 for kind, text in texts if kind == "s"), texts
        feet = [text for kind, text in texts if kind == "f"]
        assert 1 <= len(feet) <= 3
