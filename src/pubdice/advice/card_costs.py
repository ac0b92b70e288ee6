"""What a card's lines are worth: each line's cost if it is ignored, and what the whole card gives away.

A *share* is that of one round of two against best play, the mean of both seats; a tie counts half, and so does a round
that nobody wins. Best play against itself has 1/2, as one's share is what the other does not have. A line's cost is the
share of all lines less that of all the others. Nothing is simulated: games of a turn a seat by ``solve.turns``, races
of hands by ``solve.hand_race.contest``, all others by following both policies through the rules, best play by
``solve.plain``. Policies are valued by ``solve.finite.evaluate``.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, TypeGuard

from pubdice.advice.card import Card, Item, svg, text
from pubdice.advice.card_lines import LineCard
from pubdice.advice.questions.asked_match import asked_options
from pubdice.core.game import Game, HandState, RoundResult, Seat
from pubdice.core.policy import Policy
from pubdice.core.turn_game import RoundState, TurnGame
from pubdice.kit import Kit
from pubdice.match.formats import ROUNDS
from pubdice.match.match import Match
from pubdice.solve.choose import one_turn_each, solve_match
from pubdice.solve.finite.evaluate import Sheet
from pubdice.solve.hand_race.contest import contest as race_contest
from pubdice.solve.hand_race.seat import HandRace
from pubdice.solve.tolerance import NOTHING, ROUNDING, TIE, first_best
from pubdice.solve.turns.contest import best, contest, duel
from pubdice.text.language import Language, sentence, stopped

AnyPolicy = Policy[Any, Any]
PolicyShare = Callable[[AnyPolicy], float]
"""From a policy to its share of a round of two."""


@dataclass(frozen=True, slots=True)
class LineCosts:
    """What the lines cost, by name, in the order of the card; the share of all of them; the bound of each number.

    missed: in a race of hands, in how many pairs of hands, own and other, the lines do not keep what is best.
    """

    costs: tuple[tuple[str, float], ...]
    share: float
    bound: float
    missed: int | None = None


def line_costs(game: Game[Any, Any], card: LineCard) -> LineCosts:
    """The costs of a card. Raises Unsolved for a game whose round of two is not solved."""
    names = frozenset(line.name for line in card.lines)
    play = share_against_best_play(game)
    share = play(card.play(names))
    costs = tuple((line.name, share - play(card.play(names - {line.name}))) for line in card.lines)
    if not is_race(game):
        return LineCosts(costs, share, 100 * ROUNDING)
    # a race between two policies is worked out to 4e-14 (``solve.race.head_to_head``)
    return LineCosts(costs, share, TIE, race_contest(game).missed(card.play(names)))


def is_race(game: Game[Any, Any]) -> TypeGuard[HandRace]:
    """Whether every seat has a hand on the table, and the first to roll a winning hand wins."""
    return isinstance(game.start(max(2, game.least_seats)), HandState)


def share_against_best_play(game: Game[Any, Any]) -> PolicyShare:
    """A function from a policy to its share; it remembers how the rules go on from position to position.

    Raises Unsolved.
    """
    if is_race(game):
        return race_contest(game).share_against_best
    return _turn_share(game) if one_turn_each(game) else _round_share(game)


def _turn_share(game: TurnGame) -> PolicyShare:
    """In a game of one turn a seat: as first of two against the best replies, as second against the best opener.

    A policy is valued once for each score to beat that the opener leaves. ``Contest.player`` would find every chance of
    every score, which nobody needs here and takes 1.4 times as long for Threes.
    """
    house = contest(game)
    scores, sheet = house.scores, house.sheet
    opens = dict(zip(scores, map(float, house.chances(best)), strict=True))
    worth: dict[int | None, dict[int, float]] = {
        beat: dict(zip(scores, map(float, duel(game, beat)), strict=True))
        for beat in (None, *scores)
        if beat is None or (opens[beat] and not game.wins_at_once(beat))
    }

    def share(policy: AnyPolicy) -> float:
        def valued(beat: int | None) -> float:
            done = () if beat is None else (beat,)

            def seated(game: Any, state: RoundState) -> Any:
                return policy(game, RoundState(2, done, state.locked, state.free, state.rolls))

            return sheet.value(seated, lambda result: worth[beat][result.scores[0]])

        second = sum(opens[beat] * valued(beat) for beat in worth if beat is not None)
        return (valued(None) + second) / 2

    return share


def _round_share(game: Game[Any, Any]) -> PolicyShare:
    """In any other game whose rounds end: both policies followed from seat to seat."""
    sheet, other = Sheet(game, game.start(2)), best_play(game)

    def share(policy: AnyPolicy) -> float:
        def seated(seat: int) -> AnyPolicy:
            return lambda game, state: (policy if game.mover(state) == seat else other)(game, state)

        return (sheet.value(seated(0), _first_share) + 1 - sheet.value(seated(1), _first_share)) / 2

    return share


def _first_share(result: RoundResult) -> float:
    """The first seat's share of a round of two."""
    return 0.5 if len(result.winners) != 1 else float(0 in result.winners)


def best_play(game: Game[Any, Any]) -> AnyPolicy:
    """Best play in a round of two, as a policy; of equally good actions the first in the rules' order."""
    match = Match(game, 2, ROUNDS.read(["1"]), "rotate", Seat(0))
    solver, start = solve_match(match), match.start()

    @cache
    def play(game: Any, state: Any) -> tuple[tuple[Any, int], ...]:
        values = solver.action_values(replace(start, round=state))
        return ((first_best(values, lambda valued: valued[1])[0], 1),)

    return play


def _asked(kit: Kit, given: Mapping[str, str]) -> tuple[Game[Any, Any], LineCard]:
    """The game with the house rules given, and its card. Raises BadNotation."""
    assert kit.card_lines is not None, "asked of games with a card alone"
    game = kit.build(asked_options(kit, given))
    return game, kit.card_lines(game)


def answer(kit: Kit, given: Mapping[str, str], folder: Path | None = None) -> dict[str, Any]:
    """The card as plain data, with a picture if ``svg`` is asked for. Raises BadNotation, Unsolved."""
    game, card = _asked(kit, given)
    found, english = line_costs(game, card), Language()
    utility = "share of the round" if found.missed is None else "share of the race"
    data: dict[str, Any] = {
        "lines": [
            {"line": line.name, "text": line.say(english), "cost": cost, "utility": utility}
            for line, (_, cost) in zip(card.lines, found.costs, strict=True)
        ],
        "share": {"value": found.share, "best": 0.5, "given_up": max(0.0, 0.5 - found.share)},
        **({} if found.missed is None else {"positions_missed": found.missed}),
        "bound": found.bound,
        "given": dict(given),
    }
    if "svg" in given:
        data["svg"] = svg(laid_out(kit, english, data))
    return data


def tell(kit: Kit, language: Language, data: dict[str, Any]) -> list[str]:
    """The card in lines, or the lines of its picture."""
    layout = laid_out(kit, language, data)
    return svg(layout).splitlines() if "svg" in data else text(layout)


def laid_out(kit: Kit, language: Language, data: Mapping[str, Any]) -> Card:
    """The card, ready to be read out or drawn."""
    say, items = language.say, []
    game, card = _asked(kit, data["given"])
    missed = data.get("positions_missed")
    race = missed is not None
    ignored = "Ignored: {cost} of the race lost." if race else "Ignored: {cost} of the round lost."
    for line, row in zip(card.lines, data["lines"], strict=True):
        cost = language.per_cent(max(0.0, row["cost"]))
        items.append(Item(line.say(language), f"−{cost}", say(ignored, cost=cost), line.dice))
    if card.rest is not None:
        items.append(Item(card.rest.say(language), "", say("The rules leave you no choice."), card.rest.dice))
    given_up, rules = data["share"]["given_up"], kit.words.options(language, game)
    if not items:
        comes_to = say("You never have a choice: nobody can play better.")
    elif given_up < NOTHING:
        comes_to = say("They lose nothing: nobody can play better.")
    else:
        text = (
            "Against best play they lose {cost} of the race."
            if race
            else "Against best play they lose {cost} of the round."
        )
        comes_to = say(text, cost=language.per_cent(given_up))
    foot = (
        comes_to,
        *([say("With two players you need not look at the other hand.")] if missed == 0 else []),
        *([stopped(sentence(rules))] if rules else []),
    )
    column = say("if ignored") if items else ""
    subtitle = say("best chance to win a race of two" if race else "best chance to win a round of two")
    return Card(say(kit.words.title), subtitle, column, tuple(items), foot)
