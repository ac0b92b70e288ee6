"""A line for the field of a page that can be typed just now, as an example. Dice are tried before they are told."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from pubdice.core.dice import DieFaces, Hand
from pubdice.core.errors import IllegalAction
from pubdice.core.game import KeepGame
from pubdice.match.table import Table, TableState
from pubdice.server.wire import MoveView
from pubdice.text.game_words import GameWords, Offer, by_things
from pubdice.text.language import Language
from pubdice.typed import Choose, NoSuchDieError, choose, house_words


def move_line(moves: Sequence[MoveView]) -> str:
    """The line that names the first move: the things it takes, or its letter, or its number."""
    first = moves[0]
    offered = [Offer(move.move, move.label, move.key, tuple(move.takes)) for move in moves]
    return " ".join(map(str, first.takes)) if by_things(offered) else first.key or "1"


def dice_line(number: int, die: DieFaces) -> str:
    """The line that enters so many real dice."""
    return named([1 + place % die.sides for place in range(number)], die)


def draw_line(language: Language, names: Sequence[str]) -> str:
    """The line that makes a seat Player 1: the first name that means nothing else here; empty if there is none."""
    words = house_words(language)
    return next((name for name in names if name.casefold() not in words), "")


def keep_line(words: GameWords, table: Table, play: TableState) -> tuple[str, Any] | None:
    """A line that keeps dice and rolls, and the action it stands for; None where none is found.

    Of the dice that may be chosen it names those that the turn needs, else a few at the end of their row: it says how
    dice are named, and is no advice.
    """
    mover, game = play.mover, table.match.game
    if mover is None or not isinstance(game, KeepGame):
        return None
    dice, stays = table.view(play, mover), table.stays(play)
    free = sorted([die.face for die in dice if die.status != "locked" and die.place not in stays])
    locked = [die.face for die in dice if die.status == "locked"]
    needed = tuple([face for face in words.red(game) if face in free and face not in locked])
    hands = _hands(tuple(free if game.lowest_wins else free[::-1]), needed) if table.marking(play).hands else [()]
    for hand in hands:
        outright = Choose("keep" if play.marks else "toggle", hand)
        if not hand and not play.marks and table.may_give_up(play):
            continue  # the page asks first, and the field wants "k - r"
        try:
            marks = choose(dice, (), outright, "face", stays)
            action = table.meant(replace(play, marks=marks), "roll")
        except (IllegalAction, NoSuchDieError):
            continue
        said = named(hand, game.faces) or ("-" if play.marks else "")
        return " ".join(filter(None, ["k" if play.marks else "", said, "r"])), action
    return None


def _hands(free: Hand, needed: Hand) -> Iterator[Hand]:
    """Hands to try, the best example first: what is needed, two dice, one, three, all, none."""
    if needed:
        yield needed[:2]
    for number in (2, 1, 3, len(free), 0):
        yield free[:number]


def named(dice: Sequence[int], die: DieFaces) -> str:
    """Dice as they are typed, with spaces between."""
    return " ".join([die.names[face - 1] for face in dice])
