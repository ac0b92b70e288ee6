"""A turn to try before a visitor types anything. It counts for nothing, no player sees it, and it is all in its
address.

The house stores nothing. It replays the turn in the address by the game's rules, makes the chosen move, and rolls.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from starlette.responses import Response

from pubdice.core.cup import SystemCup
from pubdice.core.dice import Hand, Roll
from pubdice.core.errors import BadNotation, IllegalAction, Refused
from pubdice.core.game import KeepGame, RoundSeat
from pubdice.kit import Kit
from pubdice.server.pages.visit import PageVisit
from pubdice.server.web.render import template
from pubdice.server.web.routing import GAME, PAGE, Field, Route
from pubdice.text.game_words import FEW, told_dice
from pubdice.text.language import Language, one_line, sentence

html = template("trial.html")

ROLLS = 3
"""The number of rolls in the turn, if turns pass round after each roll, as in 420. Other turns go to their end."""
MOST_WORDS = 80
"""The most rolls and actions in an address."""
MOST_STEPS = 200
"""The most steps of other seats between two steps of the visitor."""
MINE = RoundSeat(0)


@dataclass(frozen=True, slots=True)
class TriedDie:
    """A die on the table. ``drawn``: a sign instead of pips. ``free``: it may be marked. ``fresh``: just rolled."""

    face: int
    drawn: str
    name: str
    red: bool
    free: bool
    fresh: bool


@dataclass(frozen=True, slots=True)
class TrialPage:
    """The page of a turn to try."""

    game: str
    title: str
    turn: str  # the turn so far, as ``read_turn`` reads it
    dice: tuple[TriedDie, ...]
    rolled: str  # the last roll in words, for speech
    said: str  # the next task, or the value of the turn
    choices: tuple[tuple[str, str], ...] = ()  # actions in notation, each with its label; empty if dice are marked
    marks: bool = False  # the free dice can be marked
    over: bool = False  # the turn is over


@dataclass(frozen=True, slots=True)
class Tried:
    """A turn so far. The first seat has a choice in this state of the round, or the turn is over."""

    state: Any
    words: tuple[str, ...] = ()  # the turn in notation
    rolls: int = 0  # the number of rolls so far
    before: Any = None  # the state before the last roll
    roll: Roll = ()  # the dice of the last roll
    lay: Hand = ()  # all dice at the last choice
    passed: bool = False  # the turn has passed round since the last choice

    def is_over(self, game: Any) -> bool:
        """Return True once the round is over, or once the turn has passed round and the visitor has had ``ROLLS``
        rolls.
        """
        return game.mover(self.state) is None or (self.passed and self.rolls >= ROLLS)


def begun(game: Any) -> Tried:
    """Return a fresh round with the fewest seats. The visitor has the first seat."""
    return Tried(game.start(max(1, game.least_seats)))


def thrown(game: Any, tried: Tried, dice: Roll) -> Tried:
    """Return the turn after a roll of the dice that are due. Raises IllegalAction."""
    state = game.roll(tried.state, tuple(sorted(dice)))
    words = (*tried.words, game.faces.write(dice))
    return _settled(game, Tried(state, words, tried.rolls + 1, tried.state, dice))


def chosen(game: Any, tried: Tried, action: Any) -> Tried:
    """Return the turn after an action. Raises IllegalAction."""
    lay = _lying(game, tried.state)
    state = game.play(tried.state, action)
    words = (*tried.words, game.write_action(action))
    return _settled(game, replace(tried, state=state, words=words, lay=lay, passed=False))


def _settled(game: Any, tried: Tried) -> Tried:
    """Return the turn after all forced steps and the turns of other seats, which always roll the lowest face."""
    state, passed, lay = tried.state, tried.passed, tried.lay
    for _ in range(MOST_STEPS):
        mover, legal = game.mover(state), game.legal(state)
        after = game.play(state, legal[0]) if mover == MINE and len(legal) == 1 else None
        # A forced step before the visitor's own next roll is a button: its dice would vanish unseen.
        if mover is None or (mover == MINE and (after is None or (game.mover(after) == MINE and game.to_roll(after)))):
            return replace(tried, state=state, passed=passed, lay=lay)
        if mover == MINE:
            state, lay = after, _lying(game, state)
        else:
            passed = True
            state = game.play(state, legal[0]) if legal else game.roll(state, (1,) * game.to_roll(state))
    raise Refused("no-page")  # a game whose other seats never finish can't be tried


def _lying(game: Any, state: Any) -> Hand:
    locked, free = game.dice(state, MINE)
    return (*locked, *free)


def read_turn(game: Any, text: str) -> Tried:
    """Return the turn of an address: rolls and actions by turns, as in records.

    Raises BadNotation, IllegalAction, Refused.
    """
    tried, words = begun(game), text.split()
    if len(words) > MOST_WORDS:
        raise Refused("fields", field="turn")
    for word in words:
        if game.to_roll(tried.state) and not tried.is_over(game):
            dice = game.faces.read(word)
            if not dice:
                raise BadNotation("action", found=word, shape=game.faces.write((1, 2)))
            tried = thrown(game, tried, dice)
        else:
            tried = chosen(game, tried, game.read_action(word))
    return tried


async def page(visit: PageVisit) -> Response:
    """``GET /try/{game}``: a first roll. With a turn so far and a choice, the next step."""
    kit = visit.game()
    game, why = kit.usual_game, ""
    try:
        tried = read_turn(game, visit.query("turn"))
    except (BadNotation, IllegalAction):
        raise Refused("no-page") from None
    if game.legal(tried.state) and not tried.is_over(game):
        try:
            tried = chosen(game, tried, _choice(visit, game, tried.state))
        except IllegalAction as error:  # marks that can't stay, or no marks if some must
            why = visit.refusal(error, game)[1].why
        except BadNotation:
            raise Refused("no-page") from None
    cup = SystemCup(visit.site.source)
    while not why and not tried.is_over(game) and (due := game.to_roll(tried.state)):
        tried = thrown(game, tried, cup.roll(due, 0, game.faces.sides))
    return visit.html(html, told(kit, visit.tongue, tried, why))


def _choice(visit: PageVisit, game: Any, state: Any) -> Any:
    """Return the action of a button, or of the marked dice. Raises BadNotation, IllegalAction."""
    if text := visit.query("do"):
        return game.read_action(text)
    marks = visit.request.query_params.getlist("keep")[: len(_lying(game, state))]
    kept = [int(mark) for mark in marks if mark.isascii() and mark.isdigit() and len(mark) < len("100")]
    if not isinstance(game, KeepGame):
        raise Refused("fields", field="do")
    return game.choose(state, "roll", tuple(sorted(kept)))


def told(kit: Kit, language: Language, tried: Tried, why: str = "") -> TrialPage:
    """Return the turn as its page shows it. ``why`` is the reason of a refused choice."""
    game, words, own, state = kit.usual_game, kit.words, kit.tongue(language), tried.state
    dice = told_dice(own, game, tried.roll)
    rolled = [language.about("{name} rolled {dice}.", "You rolled {dice}.", "", dice=dice)]
    beside = words.rolled(own, game, "", tried.before, tried.roll)
    shown = partial(TrialPage, kit.name, kit.words.title, " ".join(tried.words))
    if tried.is_over(game):
        score = game.score(state, MINE)
        said = [] if score is None else [_worth(kit, language, score)]
        lie = _lying(game, state) or tried.lay or (*_lying(game, tried.before), *tried.roll)
        return shown(_dice(kit, lie, (), tried.roll), one_line([*rolled, *beside], ()), one_line(said, ()), over=True)
    legal, (locked, free) = game.legal(state), game.dice(state, MINE)
    marks = isinstance(game, KeepGame) and len(legal) > FEW
    choices = [] if marks else [(game.write_action(each), words.choice(own, game, state, each)) for each in legal]
    # If all dice that may stay must stay, there is no question to ask.
    forced, names = len(legal) == 1 and isinstance(game, KeepGame), ("",) * max(1, game.least_seats)
    if why:
        said = [why]
    elif forced:
        said = beside or words.status(own, game, state, names) or [words.aim(own, game)]
    else:
        said = words.to_choose(own, game, state)
    return shown(
        _dice(kit, locked, free, tried.roll) if marks else _dice(kit, (*locked, *free), (), tried.roll),
        "" if why else one_line([*rolled, *([] if forced else beside)], ()),
        one_line(said, ()),
        tuple([(action, sentence(label)) for action, label in choices]),
        marks=marks,
    )


def _worth(kit: Kit, language: Language, score: int) -> str:
    return language.say(
        "Your turn at {game}: {score}.",
        game=language.say(kit.words.title),
        score=kit.words.score(kit.tongue(language), kit.usual_game, score),
    )


def _dice(kit: Kit, locked: Iterable[int], free: Iterable[int], roll: Roll) -> tuple[TriedDie, ...]:
    """Return the dice on the table. The dice of ``roll`` are fresh: of each face, the last ones."""
    game, red = kit.usual_game, kit.words.red(kit.usual_game)
    fresh, found = Counter(roll), []
    for face, is_free in reversed([*((face, False) for face in locked), *((face, True) for face in free)]):
        is_fresh = fresh[face] > 0
        fresh[face] -= is_fresh
        die = game.faces
        found.append(TriedDie(face, die.drawn(face), die.names[face - 1], face in red, is_free, is_fresh))
    return tuple(reversed(found))


TURN = Field(
    "turn",
    "The turn so far: rolls and actions in turn, as records have them; none: it begins.",
    "[0-9A-Za-z. -]{0,400}",
)
DO = Field("do", "The action that follows, as a record has it.", "[\\w.-]{0,40}")
KEEP = Field("keep", "A die that is kept, by its face; once for each. The others are rolled.", "[0-9]{0,2}")
ROUTES = (
    Route(
        "GET",
        "/try/{game}",
        page,
        "A turn to try before one gives a name: it counts for nothing, and nothing of it is stored.",
        (GAME, TURN, DO, KEEP),
        refuses=("no-page",),
        gives={200: (PAGE,)},
    ),
)
