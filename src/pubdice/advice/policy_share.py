"""A policy's share of a round or race of two against best play. It is the default measure for prices of cards.

A *share* is the mean over being the first and being the second seat. A tie counts half, and so does a round without a
winner. Best play against itself has 1/2, because the two shares add up to 1. Nothing is simulated. Games of one turn a
seat use ``solve.turns``, races of hands ``solve.race.contest``. All other games use ``solve.plain``: it finds best
play, and follows both policies through every position of a round, even if the round need not end.
"""

from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any, TypeGuard

from pubdice.advice.card import AnyPolicy, Measure
from pubdice.core.game import Game, GameOfTurns, HandState, Seat
from pubdice.match.formats import ROUNDS
from pubdice.match.match import Match
from pubdice.solve.choose import solve_match, turns_alike
from pubdice.solve.numerics import NOTHING, ROUNDING, TIE, first_best
from pubdice.solve.plain.followed_round import FollowedRound
from pubdice.solve.race.contest import contest as race_contest
from pubdice.solve.race.seat import HandRace
from pubdice.solve.turns.contest import best, contest, duel, of_two
from pubdice.text.language import Language

PolicyShare = Callable[[AnyPolicy], float]  # returns a policy's share of a round of two


def share_measure(game: Any, *, watches: bool = True) -> Measure:
    """Return the default measure for a game. Its values raise Unsolved if a round of two is not solved.

    ``watches`` is false for policies that never look at the scores of other seats (``LineCard``). A race between two
    policies is exact to 4e-14 (``solve.race.contest``).
    """
    race = is_race(game)

    def value(policy: AnyPolicy) -> float:
        return share_against_best_play(game, watches=watches)(
            policy
        )  # solved only when a price is needed, because sentences need none

    return Measure(
        name="share",
        utility="share of the race" if race else "share of the round",
        aim=partial(_aim, race),
        value=value,
        best=0.5,
        bound=TIE if race else 100 * ROUNDING,
        ignored=partial(_ignored, race),
        comes_to=partial(_comes_to, race),
        facts=partial(_missed, game),
    )


def _aim(race: bool, language: Language) -> str:
    return language.say("best chance to win a race of two" if race else "best chance to win a round of two")


def _ignored(race: bool, language: Language, cost: float) -> tuple[str, str]:
    told = language.per_cent(max(0.0, cost))
    text = "Ignored: {cost} of the race lost." if race else "Ignored: {cost} of the round lost."
    return f"−{told}", language.say(text, cost=told)


def _comes_to(race: bool, language: Language, data: Mapping[str, Any]) -> list[str]:
    """Return sentences: the loss of the whole card, and perhaps a note that a player need not look at the other hand.

    The note is for races, if the lines find the best keep for every pair of hands.
    """
    lost = data["share"]["given_up"]
    text = (
        "Against best play they lose {cost} of the race."
        if race
        else "Against best play they lose {cost} of the round."
    )
    if not data["lines"]:
        told = language.say("You never have a choice, so you can't play better.")
    elif lost < NOTHING:
        told = language.say("You can't play better than this.")
    else:
        told = language.say(text, cost=language.per_cent(lost))
    blind = data.get("positions_missed") == 0
    return [told, *([language.say("With two players you need not look at the other hand.")] if blind else [])]


def _missed(game: Game[Any, Any], policy: AnyPolicy) -> dict[str, Any]:
    """In a race of hands, count the pairs of own and other hand for which the policy does not keep the best dice."""
    return {"positions_missed": race_contest(game).missed(policy)} if is_race(game) else {}


def is_race(game: Game[Any, Any]) -> TypeGuard[HandRace]:
    """Return True if every seat has a hand on the table, and the first seat to roll a winning hand wins."""
    return isinstance(game.start(max(2, game.least_seats)), HandState)


@cache
def share_against_best_play(game: Any, *, watches: bool = True) -> PolicyShare:
    """Return a function from a policy to its share in a game. The function caches the positions of the round.

    ``watches`` is as in ``share_measure``. Raises Unsolved.
    """
    if is_race(game):
        return race_contest(game).share_against_best
    return _turn_share(game, watches=watches) if turns_alike(game) else _round_share(game)


def _turn_share(game: GameOfTurns, *, watches: bool) -> PolicyShare:
    """Return the share function for a game of one turn a seat.

    As the first of two seats, the policy meets the best replies. As the second, it meets the best opener, and is
    evaluated once for each score to beat that the opener can leave. ``Contest.player`` would find every chance of every
    score. That is not needed here, and takes 1.4 times as long for Threes.
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
        known = None if watches else dict(zip(scores, map(float, house.chances(policy)), strict=True))

        def valued(beat: int | None) -> float:
            if known is not None:
                return sum(chance * worth[beat][score] for score, chance in known.items())
            done = () if beat is None else (beat,)

            def seated(game: Any, state: Any) -> Any:
                return policy(game, of_two(state, done))

            return sheet.value(seated, lambda result: worth[beat][result.scores[0]])

        second = sum(opens[beat] * valued(beat) for beat in worth if beat is not None)
        return (valued(None) + second) / 2

    return share


def _round_share(game: Game[Any, Any]) -> PolicyShare:
    """Return the share function for any other game. It follows both policies through all positions of a round."""
    play, followed = best_play(game), FollowedRound(game, 2)
    other = followed.shares(play)
    payoff = [0.5 if len(result.winners) != 1 else float(0 in result.winners) for result in followed.results]

    def share(policy: AnyPolicy) -> float:
        mine = followed.shares(policy)
        return (followed.value((mine, other), payoff) + 1 - followed.value((other, mine), payoff)) / 2

    return share


def best_play(game: Game[Any, Any]) -> AnyPolicy:
    """Return best play in a round of two, as a policy. Of equally good actions it takes the first by the rules."""
    match = Match(game, 2, ROUNDS.read(["1"]), "rotate", Seat(0))
    solver, start = solve_match(match), match.start()

    @cache
    def play(game: Any, state: Any) -> tuple[tuple[Any, int], ...]:
        values = solver.action_values(match.at(start, state))
        return ((first_best(values, lambda valued: valued[1])[0], 1),)

    return play
