"""A line for the field of a page that can be typed just now, as an example. Dice are tried before they are told."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from pubdice.core.dice import DieFaces
from pubdice.core.errors import IllegalAction
from pubdice.match.table import Table, TableState
from pubdice.room.commands import house_words
from pubdice.server.wire import DieView
from pubdice.text.game_words import GameWords, Offer, by_things
from pubdice.text.language import Language
from pubdice.typed import Unclear, command_words, read_answer


def move_line(moves: Sequence[Offer]) -> str:
    """The line that names the first move: the things it takes, or its letter, or its number."""
    first = moves[0]
    return " ".join(map(str, first.takes)) if by_things(moves) else first.key or "1"


def dice_line(number: int, die: DieFaces) -> str:
    """The line that enters so many real dice."""
    return named([1 + place % die.sides for place in range(number)], die)


def draw_line(language: Language, names: Sequence[str]) -> str:
    """The line that makes a seat Player 1: the first name that means nothing else here; empty if there is none."""
    words, commands = house_words(language), command_words(language)
    free = (name for name in names if name.casefold() not in words)
    return next((name for name in free if isinstance(read_answer(name, words=commands), Unclear)), "")


def keep_line(words: GameWords, dice: Sequence[DieView], table: Table, play: TableState) -> tuple[str, Any] | None:
    """A line that keeps dice and rolls, and the action it stands for; None where none is found.

    Of the dice that may be chosen it names those that the turn needs, else a few at the end of their row: it says how
    dice are named, and is no advice. dice: the mover's, as they are shown. Every view of a decision has an example, so
    the rules are asked what the line would mean, and it is not read as if it was typed.
    """
    match, game, stays = table.match, table.match.game, table.stays(play)
    free = sorted([die.face for die in dice if die.status != "locked" and die.place not in stays])
    staying = [die.face for die in dice if die.place in stays]
    locked = [die.face for die in dice if die.status == "locked" and die.place not in stays]
    needed = [face for face in words.red(game) if face in free and face not in locked]
    row = free if game.lowest_wins else free[::-1]
    hands = [needed[:2]] if needed else []  # the best example first
    hands += [row[:number] for number in (2, 1, 3, len(row), 0)]
    if not [die for die in dice if die.marks is not None]:  # both verbs do without
        hands = [[]]
    for hand in hands:
        if not hand and not play.marks and table.may_give_up(play):
            continue  # the page asks first, and the field wants "k - r"
        # "k" names the first dice of a face, which are those that stay; a line without it names the others
        beside = list((Counter(staying) - Counter(hand)).elements()) if play.marks else staying
        try:
            action = match.choose(play.match, "roll", tuple(sorted(hand + beside)) if hand else ())
            match.play(play.match, action)
        except IllegalAction:
            continue
        said = named(hand, game.faces) or ("-" if play.marks else "")
        return " ".join(filter(None, ["k" if play.marks else "", said, "r"])), action
    return None


def named(dice: Sequence[int], die: DieFaces) -> str:
    """Dice as they are typed, with spaces between."""
    return " ".join([die.names[face - 1] for face in dice])
