"""A position of a match under way, given by flags: the format, the standing of the match, and the round so far.

Seats are in turn order from the opener of this round, so a position from a record has its seats renumbered here. Each
format defines the flags of its standing (``match.formats.format.StandingForm``). The round is described like a single
turn, with the scores of earlier seats, or by the game's own flags (``Kit.position``). The match's solver answers, so
the answer is the same as ``advise`` gives for a record that ends there.
"""

from dataclasses import dataclass
from functools import partial
from typing import Any

from pubdice.advice.asked_match import TO_WIN, Given, asked_format, asked_opener, asked_options, least_seats
from pubdice.advice.questions import position_flags, standing_fields
from pubdice.core.dice import whole_number
from pubdice.core.errors import BadNotation
from pubdice.core.game import RoundSeat, Seat, TurnGame
from pubdice.kit import Kit, RoundPosition, lazy, read_number, read_numbers
from pubdice.match.formats import Format, FormatKind, Tally, adding
from pubdice.match.match import Match, MatchState
from pubdice.solve.choose import one_turn_each
from pubdice.text.turn_words import winning_scores

_round_from_flags = lazy("pubdice.advice.turn_odds", "round_from_flags")

GOAL_FLAGS = (*TO_WIN, "goal")  # refused in a match, because the goal is the match's result
NO_NUMBER = -1  # less than any number that a format accepts


@dataclass(frozen=True, slots=True)
class MatchPosition:
    """A match and its state. Seat 0 opened the round."""

    match: Match[Any, Any]
    state: MatchState[Any]


def round_flags(kit: Kit) -> RoundPosition | None:
    """Return the flags that describe a round of this game, or None if only a record can describe it."""
    if kit.position is not None:
        return kit.position
    return RoundPosition((), partial(_round_from_flags, kit)) if one_turn_each(kit.usual_game) else None


def match_position(kit: Kit, given: Given) -> MatchPosition | None:
    """Return the position that the flags describe.

    None if they describe a single turn, or if this game has no such flags.

    Raises BadNotation. Raises Unsolved if the rules make turns depend on each other.
    """
    told = round_flags(kit)
    if told is None:
        return None
    if kit.position is None and "format" not in given:
        _refuse(kit, given)
        return None
    for key in GOAL_FLAGS:
        if key in given:
            raise BadNotation("flag-one-round", flag=key)
    form = _format(kit, given)
    game = kit.build(asked_options(kit, given))
    standing = _numbers(form.kind, given)
    seats = _seats(kit, form.kind, standing, given)
    tally = _tally(form, seats, standing)
    if adding(form) is not None and isinstance(game, TurnGame) and not _adds_up(game, form, tally):
        raise BadNotation("standing-total", flag="totals", found=given.get("totals", ""))
    if tally.began is None and Seat(0) not in tally.playing:
        raise BadNotation("standing-opener")
    match = Match(game, seats, form, asked_opener(form, given), Seat(0))
    state = told.state(game, len(tally.playing), given)
    if ends := getattr(form, "ends_by_turn", None):  # ``formats.EndsByTurn``
        for local, seat in enumerate(tally.playing):
            score = game.score(state, RoundSeat(local))
            if score is not None and ends(tally, seat, score):
                raise BadNotation("standing-over")
    return MatchPosition(match, match.at(MatchState(tally.playing, None, tally, None, tally.rounds + 1), state))


def _adds_up(game: TurnGame, form: Format, tally: Tally) -> bool:
    """Return True if the rounds played so far can give every seat its points.

    If the format plans no number of rounds, any number of rounds may have been played.
    """
    top = max(tally.points)
    scores = {score for score in winning_scores(game) if score <= top} | {0}
    sums, before = {0}, set[int]()
    for _ in range(tally.rounds if form.rounds_planned else top):
        if sums == before:
            break
        sums, before = {had + score for had in sums for score in scores if had + score <= top}, sums
    return sums.issuperset(tally.points)


def _refuse(kit: Kit, given: Given) -> None:
    """Refuse flags of a match if the question is about a single turn. Raises BadNotation."""
    for flag in position_flags(kit):
        if flag.name in given:
            raise BadNotation("flag-only", flag=flag.name, other="format")


def _format(kit: Kit, given: Given) -> Format:
    """Return the format with its numbers. They stand behind its name or in flags of their own. Raises BadNotation."""
    form = asked_format(kit, given)
    mine = {*[field.key for field in form.kind.fields], *[field.key for field in standing_fields(form.kind)]}
    for kind in kit.formats:
        for key in (*[field.key for field in kind.fields], *[field.key for field in standing_fields(kind)]):
            if key in given and key not in mine:
                raise BadNotation("flag-beside", flag=key, other=f"format {form.kind.name}")
    numbers = list(form.numbers)
    for at, field in enumerate(form.kind.fields):
        if field.key in given:
            if len(given.get("format", "").replace(":", " ").split()) > 1:
                raise BadNotation("flag-beside", flag=field.key, other="format")
            numbers[at] = read_number(field.key, given[field.key], field.least, field.most)
    return form.kind.build(*numbers)


def _numbers(kind: FormatKind, given: Given) -> dict[str, tuple[int, ...]]:
    """Read the numbers of the standing, by the key of their field. Raises BadNotation if a text is no list of numbers.

    If the text for a single number is no number, the format gets ``NO_NUMBER``, and refuses it with a sentence on the
    range.
    """
    found: dict[str, tuple[int, ...]] = {}
    for field in standing_fields(kind):
        if field.key in given and field.takes == "number":
            number = whole_number(given[field.key])
            found[field.key] = (NO_NUMBER if number is None else number,)
        elif field.key in given:
            found[field.key] = read_numbers(field.key, given[field.key])
    return found


def _seats(kit: Kit, kind: FormatKind, standing: dict[str, tuple[int, ...]], given: Given) -> int:
    """Return the number of seats from its flag or, without it, from the length of a list. Raises BadNotation."""
    game = kit.usual_game
    least, most = least_seats(game.least_seats), game.most_seats
    each = {
        field.key: len(standing[field.key])
        for field in standing_fields(kind)
        if field.takes == "each" and field.key in standing
    }
    seats = read_number("seats", given["seats"], least, most) if "seats" in given else next(iter(each.values()), least)
    for key, count in each.items():
        if count != seats or not least <= count <= most:
            raise BadNotation("standing-each", flag=key, found=given[key], least=least, most=most)
    for field in standing_fields(kind):
        if field.takes == "seats" and not all(1 <= seat <= seats for seat in standing.get(field.key, ())):
            raise BadNotation("standing-number", flag=field.key, found=given[field.key], least=1, most=seats)
    return seats


def _tally(form: Format, seats: int, standing: dict[str, tuple[int, ...]]) -> Tally:
    """Return the tally of the round under way, from the numbers given, or else the tally of a new match."""
    if not standing or form.kind.standing is None:
        return form.open(form.start(seats))
    return form.kind.standing.tally(form, seats, standing)
