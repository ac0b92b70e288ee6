"""Mexico: two dice. The opener sets the number of rolls, and the lowest score loses a life."""

from collections.abc import Mapping
from functools import partial

from pubdice.core.dice import FACES, Hand, hands
from pubdice.core.errors import BadNotation
from pubdice.core.game import uniform
from pubdice.games.mexico.lives import LIVES, same_openers
from pubdice.games.mexico.rules import DICE, MEXICO, MOST_ROLLS, Mexico, MexicoRound, tip, worth
from pubdice.games.mexico.words import MexicoWords
from pubdice.kit import Flag, Kit, Option, RoundPosition, lazy, read_dice, read_number, read_numbers
from pubdice.match.formats import POT, ROUNDS
from pubdice.text.catalogues import page

__all__ = ["KIT", "Mexico"]

_FLAGS = (
    Flag("roll", "DICE", "the two dice as they lie there", "What did you roll?"),
    Flag("rolls", "N", "your rolls in this turn so far (1)", "Rolls so far"),
    Flag("held", "DIE", "the die that stayed while you rolled the other (none)", "Die that stayed"),
    Flag(
        "scores",
        "SCORES",
        "the scores of this round so far, in turn order: 21 is Mexico (none)",
        "Scores of this round, in turn order",
    ),
    Flag("limit", "N", "rolls of the first player (3)", "Rolls of the first player"),
)
_BY_NAME = {int(Mexico().write_score(score)): score for score in {worth(hand) for hand in hands(DICE)}}
"""The score for each number that people write for it. 21 stands for Mexico, 33 for a double 3."""


def _state(game: Mexico, seats: int, given: Mapping[str, str]) -> MexicoRound:
    if "roll" not in given:
        raise BadNotation("flag-missing", flag="roll")
    dice = read_dice("roll", given["roll"])
    if len(dice) != DICE:
        raise BadNotation("dice-together", found=given["roll"], total=DICE, got=len(dice))
    scores = _scores(given["scores"], seats) if "scores" in given else ()
    limit = _limit(given, scores)
    rolls = read_number("rolls", given.get("rolls", "1"), 1, limit)
    held: Hand = read_dice("held", given["held"]) if "held" in given else ()
    state = MexicoRound(seats, scores, limit, rolls, held, dice)
    if held and not (game.hold and rolls > 1 and len(held) == 1 and held[0] in dice and _may_stay(game, state)):
        raise BadNotation("no-position", found=given["held"])
    return state


def _scores(text: str, seats: int) -> tuple[int, ...]:
    named = read_numbers("scores", text)
    if len(named) >= seats:
        raise BadNotation("standing-scores", flag="scores", most=seats - 1)
    if not all(name in _BY_NAME for name in named):
        raise BadNotation("standing-score", flag="scores", found=text)
    return tuple([_BY_NAME[name] for name in named])


def _limit(given: Mapping[str, str], scores: tuple[int, ...]) -> int:
    """Return the limit of rolls in a turn. For the opener it is always ``MOST_ROLLS``."""
    if "limit" in given and not scores:
        raise BadNotation("flag-only", flag="limit", other="scores")
    return read_number("limit", given.get("limit", str(MOST_ROLLS)), 1, MOST_ROLLS)


def _may_stay(game: Mexico, state: MexicoRound) -> bool:
    """Return True if some roll of both dice, one roll earlier, lets the held die stay."""
    before = [
        MexicoRound(state.seats, state.scores, state.limit, state.rolls - 1, (), tuple(sorted((state.held[0], face))))
        for face in FACES
    ]
    return any(
        action.dice == state.held for each in before if worth(each.free) != MEXICO for action in game.legal(each)
    )


KIT = Kit(
    name="mexico",
    options=(
        Option(
            "hold",
            ("none", "1 2"),
            "a die you may leave when you roll again",
            ("none: you roll both", "a 1 or a 2, for one roll"),
            words="none",
        ),
    ),
    build=lambda options: Mexico(options["hold"] != "none"),
    formats=(LIVES, ROUNDS, POT),
    names=("Ann", "Bob", "Cid"),
    draws_from=0,
    words=MexicoWords(),
    policies={"tip": tip, "lucky": uniform},
    rules=partial(page, __name__),
    tile=(2, 1),
    card_lines=lazy(f"{__name__}.card", "card"),
    position=RoundPosition(_FLAGS, _state),
    price_notes={"opener": same_openers},
)
