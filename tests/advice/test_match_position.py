"""A position told by format and standing is worth what it is at a record that comes to it, in every game and format."""

import random
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from pubdice.advice.coach import Coach
from pubdice.advice.questions import position_flags, question
from pubdice.advice.ranking import PositionAdvice
from pubdice.core.dice import digits
from pubdice.core.errors import BadNotation
from pubdice.core.game import RoundState, Seat
from pubdice.games import GAMES
from pubdice.games.mexico.rules import MexicoRound
from pubdice.kit import Kit
from pubdice.match.formats import ROLL_OFF, replays
from pubdice.match.match import Match, MatchState

NIGHTLY = pytest.mark.nightly
PLAYED: list[Any] = [
    ("midnight", {"format": "rounds:3"}, 2),
    pytest.param("midnight", {"format": "pot:2:2"}, 2, marks=NIGHTLY),
    ("mexico", {"format": "lives:2:2"}, 2),
    ("ship", {"format": "rounds:3"}, 2),
    ("threes", {"format": "pot:1:2"}, 3),
    ("420", {"format": "drinks"}, 3),
    ("ship", {"format": "rounds:2:replay"}, 3),
    ("mexico", {"format": "pot:1:2:replay", "opener": "loser"}, 3),
    pytest.param("threes", {"format": "pot:1:2:replay"}, 3, marks=NIGHTLY),
    pytest.param("ship", {"format": "rounds:2:replay"}, 4, marks=NIGHTLY),
    pytest.param("midnight", {"format": "rounds:2:replay", "opener": "winner"}, 3, marks=NIGHTLY),
    pytest.param("midnight", {"format": "rounds:3", "need": "2 4", "opener": "winner"}, 3, marks=NIGHTLY),
    pytest.param("midnight", {"format": "rounds:2", "opener": "loser"}, 3, marks=NIGHTLY),
    pytest.param("mexico", {"format": "rounds:3", "opener": "loser"}, 2, marks=NIGHTLY),
    pytest.param("mexico", {"format": "pot:2:2"}, 2, marks=NIGHTLY),
    pytest.param("mexico", {"format": "lives:2:2", "opener": "rotate"}, 3, marks=NIGHTLY),
    pytest.param("mexico", {"format": "lives:2", "hold": "1 2"}, 2, marks=NIGHTLY),
    pytest.param("ship", {"format": "pot:1:3", "cargo": "single", "boxcars": "yes"}, 3, marks=NIGHTLY),
    pytest.param("threes", {"format": "rounds:3", "moon": "first"}, 2, marks=NIGHTLY),
]
MOST_ASKED = 12
"""Decisions asked about of each match, spread over it."""


def _decisions(match: Match[Any, Any], seed: int) -> Iterator[MatchState[Any]]:
    """The states of a match played at random at which there is a choice."""
    dice, state = random.Random(seed), match.start()
    while not state.over:
        if match.to_draw(state):
            state = match.draw(state, Seat(dice.randrange(match.seats)))
        elif due := match.to_roll(state):
            state = match.roll(state, tuple(sorted(dice.choices(range(1, 7), k=due))))
        else:
            legal = match.legal(state)
            if len(legal) > 1:
                yield state
            state = match.play(state, dice.choice(legal))


def _replayed(match: Match[Any, Any]) -> list[MatchState[Any]]:
    """Decisions in replays of ties between every number of seats. At most two of each opener and seats that rest."""
    found: dict[Any, list[MatchState[Any]]] = {}
    for seed in range(60):
        for state in _decisions(match, seed):
            if state.tally.began is not None:
                found.setdefault((state.tally.began, state.tally.resting), []).append(state)
    return [state for met in found.values() for state in met[:: max(1, len(met) - 1)][:2]]


def _told(match: Match[Any, Any], state: MatchState[Any]) -> dict[str, str]:
    """The flags that tell a state: the standing as the format has it, seats turned so that the opener is first."""
    tally, form = state.tally, match.format
    opener = state.order[0] if tally.began is None else tally.began
    turned = [Seat((opener + seat) % match.seats) for seat in range(match.seats)]
    points = ",".join(str(tally.points[seat]) for seat in turned)
    resting = ",".join(str(turned.index(seat) + 1) for seat in tally.resting)
    rests = {"resting": resting} if resting else {}
    match form.kind.name:
        case "rounds":
            return {"round": str(tally.rounds + 1), "wins": points, **rests}
        case "pot":
            return {"round": str(tally.rounds + 1), "chips": points, **rests}
        case "lives":
            return {"lives-left": points, "doubled": str(tally.pot), **rests}
    return {}


def _round(match: Match[Any, Any], state: MatchState[Any]) -> dict[str, str]:
    """The flags that tell the round of a state."""
    here: Any = state.round
    if not isinstance(here, RoundState | MexicoRound):
        hands = here.hands[here.mover :] + here.hands[: here.mover]
        opened = str((len(hands) - here.mover) % len(hands) + 1)
        whole = all(here.hands)
        return {"hands": ",".join(digits(hand) or "-" for hand in hands), **({"player-one": opened} if whole else {})}
    found = {"roll": digits(here.free)}
    if here.scores:
        found["scores"] = ",".join(match.game.write_score(score) for score in here.scores)
    if here.rolls:
        found["rolls"] = str(here.rolls)
    if isinstance(here, MexicoRound):
        return (
            found
            | ({"held": digits(here.held)} if here.held else {})
            | ({"limit": str(here.limit)} if here.scores else {})
        )
    return found | ({"locked": digits(here.locked)} if here.locked else {})


def _match(kit: Kit, rules: dict[str, str], seats: int) -> Match[Any, Any]:
    form = kit.format(rules["format"])
    options = {option.key: rules.get(option.key, option.choices[0]) for option in kit.options}
    return Match(kit.build(options), seats, form, rules.get("opener", form.openers[0]), Seat(0))


@pytest.mark.parametrize(("game", "rules", "seats"), PLAYED, ids=str)
def test_a_standing_is_worth_what_it_is_at_a_record_that_reaches_it(
    game: str, rules: dict[str, str], seats: int
) -> None:
    solve = GAMES[game].solver
    assert solve is not None
    kit = replace(GAMES[game], solver=cache(solve))  # each question makes one, which takes longer than to ask it
    match, asked = _match(kit, rules, seats), question(kit, "advise")
    assert asked is not None
    coach = Coach(solve(match), match)
    reached = [state for seed in (3, 4) for state in _decisions(match, seed)]
    chosen = reached[:: max(1, len(reached) // MOST_ASKED)]
    if replays(match.format):
        chosen += _replayed(match)
        assert {len(state.tally.resting) for state in chosen} >= set(range(seats - 1))
    assert len({state.number for state in chosen}) > 1
    for state in chosen:
        right = PositionAdvice(kit.words, coach, state, coach.advise(state)).data()
        found = asked.answer({**rules, **_told(match, state), **_round(match, state)}).data()
        assert {tuple(each["keep"]): each["value"] for each in found["actions"]} == pytest.approx(
            {tuple(each["keep"]): each["value"] for each in right["actions"]}, abs=max(1e-9, 2 * coach.solver.bound)
        )


def test_every_format_of_every_game_can_be_told() -> None:
    for kit in GAMES.values():
        asked = question(kit, "advise")
        assert asked is not None
        names = [flag.name for flag in asked.flags]
        assert len(names) == len(set(names))
        assert bool(names) == (kit.name != "shutbox"), "a position of Shut the Box is a record"
        if not names:
            with pytest.raises(BadNotation, match="advise-record"):
                asked.answer({})
            continue
        assert "format" in names
        needed = {field.key for kind in kit.formats if kind.standing for field in kind.standing.fields}
        numbers = {field.key for kind in kit.formats for field in kind.fields if field.word != ROLL_OFF}
        assert needed | numbers <= set(names)
        told = any(kind.standing is not None for kind in kit.formats)
        assert bool(position_flags(kit)) == told


@pytest.mark.parametrize("kit", GAMES.values(), ids=GAMES)
def test_the_first_round_needs_no_standing_and_is_how_the_match_begins(kit: Kit) -> None:
    for form in (kind.usual for kind in kit.formats):
        standing = form.kind.standing
        if standing is None or "round" not in [field.key for field in standing.fields]:
            continue
        for seats in (2, 3):
            assert standing.tally(form, seats, {"round": (1,)}) == form.open(form.start(seats))


REFUSED = [
    ("midnight", "rounds:3", "wins=2,0", "flag-missing"),
    ("midnight", "rounds:3", "round=2 wins=2,0", "standing-number"),
    ("midnight", "rounds:3", "round=2 wins=-1,0", "standing-number"),
    ("midnight", "rounds:3", "round=4 wins=1,0", "flag-number"),
    ("midnight", "rounds:3", "round=2 wins=1", "standing-each"),
    ("midnight", "rounds:3", "round=2 wins=1,0 seats=3", "standing-each"),
    ("midnight", "rounds:3", "round=2 wins=one,0", "flag-numbers"),
    ("midnight", "rounds:3", "round=2", "flag-missing"),
    ("midnight", "rounds:3", "rounds=4", "flag-beside"),
    ("midnight", "rounds:3", "chips=1,-1", "flag-beside"),
    ("midnight", "points:20", "round=3", "flag-beside"),
    ("midnight", "rounds:3", "to-beat=12", "flag-one-round"),
    ("midnight", "rounds:3", "scores=20,20", "standing-scores"),
    ("midnight", "rounds:3", "scores=3", "standing-score"),
    ("midnight", "rounds:3", "opener=everybody", "opener"),
    ("midnight", "", "round=2", "flag-only"),
    ("midnight", "pot:1:3", "round=4 chips=-4,2", "standing-over"),
    ("midnight", "pot:1:3", "round=2 chips=-1,-2", "standing-pot"),
    ("midnight", "pot:1:3", "round=2 chips=2,0", "standing-pot"),
    ("midnight", "total:3", "round=2 totals=24,25", "standing-total"),
    ("midnight", "total:3", "round=2 totals=24,3", "standing-total"),
    ("midnight", "points:30", "totals=24,3", "standing-total"),
    ("midnight", "points:30", "totals=20,19 scores=10", "standing-over"),
    ("mexico", "lives:3", "lives-left=4,1", "standing-number"),
    ("mexico", "lives:3", "lives-left=0,1", "standing-over"),
    ("mexico", "lives:3", "lives-left=0,1,2", "standing-opener"),
    ("mexico", "lives:3", "lives-left=3,1,2 resting=1", "standing-opener"),
    ("mexico", "lives:3", "lives-left=3,1,2 resting=2,3", "standing-resting"),
    ("mexico", "lives:3", "lives-left=3,1,2 resting=4", "standing-number"),
    ("midnight", "rounds:3", "round=1 seats=3 resting=3", "flag-only"),
    ("midnight", "pot:1:3", "round=1 seats=3 resting=3", "flag-only"),
    ("midnight", "rounds:3:replay", "round=1 seats=3 resting=1,2", "standing-resting"),
    ("midnight", "rounds:3:replay", "round=1 seats=3 resting=4", "standing-number"),
    ("midnight", "rounds:3:replay", "round=1 seats=3 resting=3 scores=20,20", "standing-scores"),
    ("midnight", "total:3", "seats=3 resting=3", "flag-beside"),
    ("mexico", "lives:3", "lives-left=3,1 doubled=1", "flag-number"),
    ("mexico", "lives:3", "limit=2", "flag-only"),
    ("mexico", "lives:3", "scores=11 limit=2 rolls=3", "flag-number"),
    ("mexico", "lives:3", "scores=12", "standing-score"),
    ("mexico", "lives:3", "held=4 rolls=2", "no-position"),
]


def test_a_round_that_is_played_out_goes_on_once_the_number_is_reached() -> None:
    asked = question(GAMES["midnight"], "advise")
    assert asked is not None
    flags = {"roll": "654321", "totals": "4,5", "scores": "10"}  # to 30 points the tables take 5 s, to 15 less than one
    assert asked.answer({"format": "points:14 even", **flags}).data()["actions"]
    assert asked.answer({"format": "points:15", **flags}).data()["actions"]


@pytest.mark.parametrize(("game", "form", "flags", "code"), REFUSED)
def test_a_standing_that_no_match_comes_to_is_refused(game: str, form: str, flags: str, code: str) -> None:
    asked = question(GAMES[game], "advise")
    assert asked is not None
    roll = {"midnight": "654321", "mexico": "64"}[game]
    given = dict(flag.split("=") for flag in flags.split())
    with pytest.raises(BadNotation) as refused:
        asked.answer({"roll": roll, **({"format": form} if form else {}), **given})
    assert refused.value.code == code


def test_numbers_of_a_format_stand_behind_its_name_or_in_flags_of_their_own() -> None:
    asked = question(GAMES["midnight"], "advise")
    assert asked is not None
    told = {"roll": "654321", "round": "2", "wins": "1,0"}
    found, same, other = (
        asked.answer({**told, **form}).data()
        for form in ({"format": "rounds", "rounds": "2"}, {"format": "rounds:2"}, {"format": "rounds:3"})
    )
    assert found == same != other


def test_the_format_that_help_calls_usual_is_that_of_a_position_told_without_one() -> None:
    asked = question(GAMES["mexico"], "advise")
    assert asked is not None
    named = next(flag.meaning for flag in asked.flags if flag.name == "format").rpartition("usual (")[2].rstrip(")")
    found, same, other = (
        asked.answer({"roll": "43", **form}).data() for form in ({}, {"format": named}, {"format": "pot"})
    )
    assert found == same != other
