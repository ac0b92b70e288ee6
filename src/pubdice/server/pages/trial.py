"""A turn to try before anything is typed: it counts for nothing, nobody is told, and all of it stands in its address.

The house stores nothing. It plays the turn in the address again, by the game's rules, takes what was chosen, and rolls.
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
"""Rolls of a turn that passes round with every roll, as at 420. Any other is tried to its end."""
MOST_WORDS = 80
"""Rolls and actions in an address."""
MOST_STEPS = 200
"""Steps of others between two of one's own."""
MINE = RoundSeat(0)


@dataclass(frozen=True, slots=True)
class TriedDie:
    """A die on the table. drawn: what is drawn on it in place of pips. free: it may be marked. fresh: just rolled."""

    face: int
    drawn: str
    name: str
    red: bool
    free: bool
    fresh: bool


@dataclass(frozen=True, slots=True)
class TrialPage:
    """A turn that is tried.

    turn: all of it so far, as ``tried`` reads it. rolled, said: what just happened, which the dice show to the eye; and
    what is to do, or what it was worth. choices: actions as notation, each with its label; none while dice are marked.
    marks: the free dice are marked. over: the turn is.
    """

    game: str
    title: str
    turn: str
    dice: tuple[TriedDie, ...]
    rolled: str
    said: str
    choices: tuple[tuple[str, str], ...] = ()
    marks: bool = False
    over: bool = False


@dataclass(frozen=True, slots=True)
class Tried:
    """A turn so far: a state of the round, in which the first seat has a choice or nothing more to do.

    before, roll: the dice that lay there at the last roll, and those that fell. lay: all of them at the last choice.
    rolls: so far. words: the turn in notation.
    """

    state: Any
    words: tuple[str, ...] = ()
    rolls: int = 0
    before: Any = None
    roll: Roll = ()
    lay: Hand = ()
    passed: bool = False

    def is_over(self, game: Any) -> bool:
        """True once the round is, or the turn has passed round often enough."""
        return game.mover(self.state) is None or (self.passed and self.rolls >= ROLLS)


def begun(game: Any) -> Tried:
    """A fresh round of as few seats as there can be, of which the first is tried."""
    return Tried(game.start(max(1, game.least_seats)))


def thrown(game: Any, tried: Tried, dice: Roll) -> Tried:
    """The turn after the dice that are due fell so. Raises IllegalAction."""
    state = game.roll(tried.state, tuple(sorted(dice)))
    words = (*tried.words, game.faces.write(dice))
    return _settled(game, Tried(state, words, tried.rolls + 1, tried.state, dice))


def chosen(game: Any, tried: Tried, action: Any) -> Tried:
    """The turn after an action. Raises IllegalAction."""
    lay = _lying(game, tried.state)
    state = game.play(tried.state, action)
    words = (*tried.words, game.write_action(action))
    return _settled(game, replace(tried, state=state, words=words, lay=lay, passed=False))


def _settled(game: Any, tried: Tried) -> Tried:
    """The turn with all that follows by itself: what is forced, and the others' turns, who throw the lowest face."""
    state, passed, lay = tried.state, tried.passed, tried.lay
    for _ in range(MOST_STEPS):
        mover, legal = game.mover(state), game.legal(state)
        after = game.play(state, legal[0]) if mover == MINE and len(legal) == 1 else None
        # what is forced before one's own next roll is a button, or its dice would be gone before they are seen
        if mover is None or (mover == MINE and (after is None or (game.mover(after) == MINE and game.to_roll(after)))):
            return replace(tried, state=state, passed=passed, lay=lay)
        if mover == MINE:
            state, lay = after, _lying(game, state)
        else:
            passed = True
            state = game.play(state, legal[0]) if legal else game.roll(state, (1,) * game.to_roll(state))
    raise Refused("no-page")  # a game in which the others come to no end can't be tried


def _lying(game: Any, state: Any) -> Hand:
    locked, free = game.dice(state, MINE)
    return (*locked, *free)


def read_turn(game: Any, text: str) -> Tried:
    """The turn of an address: rolls and actions in turn, as records write them. Raises BadNotation, IllegalAction."""
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
    """``GET /try/{game}``: a first roll; or with a turn so far and a choice, what follows."""
    kit = visit.game()
    game, why = kit.usual_game, ""
    try:
        tried = read_turn(game, visit.query("turn"))
    except (BadNotation, IllegalAction):
        raise Refused("no-page") from None
    if game.legal(tried.state) and not tried.is_over(game):
        try:
            tried = chosen(game, tried, _choice(visit, game, tried.state))
        except IllegalAction as error:  # marks that can't stay, and none where some must
            why = visit.refusal(error, game)[1].why
        except BadNotation:
            raise Refused("no-page") from None
    cup = SystemCup(visit.site.source)
    while not why and not tried.is_over(game) and (due := game.to_roll(tried.state)):
        tried = thrown(game, tried, cup.roll(due, 0, game.faces.sides))
    return visit.html(html, told(kit, visit.tongue, tried, why))


def _choice(visit: PageVisit, game: Any, state: Any) -> Any:
    """The action that a button names, or that the marked dice make. Raises BadNotation, IllegalAction."""
    if text := visit.query("do"):
        return game.read_action(text)
    marks = visit.request.query_params.getlist("keep")[: len(_lying(game, state))]
    kept = [int(mark) for mark in marks if mark.isascii() and mark.isdigit() and len(mark) < len("100")]
    if not isinstance(game, KeepGame):
        raise Refused("fields", field="do")
    return game.choose(state, "roll", tuple(sorted(kept)))


def told(kit: Kit, language: Language, tried: Tried, why: str = "") -> TrialPage:
    """The turn as its page shows it. why: a choice is refused."""
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
    # where all that may stay has to, a question would be none
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
    """Dice as they lie. roll: those that have just fallen, which are the last of each face."""
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
