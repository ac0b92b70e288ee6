"""A typed line at a table with people. Either all of its commands are carried out, one after another, or none.

A roll ends the line, because a command after it would be given before the player has seen the dice. If that command
were refused, the roll would be undone, so the player could try the roll again.
"""

from dataclasses import dataclass

from pubdice.core.errors import Refused
from pubdice.core.game import KeepGame, Verb, not_open
from pubdice.match.table import Draw, EnterDice, Mark, RollOrBank, TakeBack
from pubdice.room.decision import Decision, RoomCommand
from pubdice.room.moves import play
from pubdice.typed import OUTRIGHT, Choose, CommandWord, Intent
from pubdice.typed_dice import NoSuchDieError, choose

ENDS = ("roll", "bank")
MOST_CHOICES = 12
"""The most parts of a line that choose dice, enough to mark and unmark each of six."""


@dataclass(frozen=True, slots=True)
class Typed(RoomCommand):
    """Do everything that a typed line says, or nothing."""

    intents: tuple[Intent, ...]

    def decide(self, decision: Decision) -> None:
        intents = self.intents
        # Check before the first command, because the line is carried out whole or not at all.
        if any(not isinstance(intent, Choose) and intent.word in ENDS for intent in intents[:-1]):
            raise Refused("typed-roll-last")
        if sum(isinstance(intent, Choose) for intent in intents) > MOST_CHOICES:
            raise Refused("typed-many", most=MOST_CHOICES)
        decision.check_seen()  # must come before the line looks for dice, as they may have changed since
        chosen = False
        for intent in intents:
            match intent:
                case Choose():
                    chosen = _choose(decision, intent)
                case CommandWord("roll" | "bank" as verb):
                    _end(decision, verb, chosen=chosen)
                case _:
                    _undo(decision)


def _choose(decision: Decision, choice: Choose) -> bool:
    """Enter real dice, or mark dice to keep. Return True if the line named all dice to keep, and not only a change."""
    live = decision.match()
    table, state = live.table, live.state
    mover = state.mover
    if table.enters_dice(state) and choice.how == "toggle":
        play(decision, EnterDice(choice.digits))
        return False
    places = state.marks
    if mover is not None and mover == decision.state.seat_of(decision.caller.person) and state.legal:
        if not isinstance(table.match.game, KeepGame):
            raise not_open(state, choice, state.legal)
        dice = table.view(state, mover)
        try:
            places = choose(dice, places, choice, "face", table.stays(state))
        except NoSuchDieError as error:
            # The player typed faces, so the refusal lists the faces on the table.
            free = tuple(die.face for die in dice if die.status != "locked")
            raise Refused(f"typed-{error.why}", digit=error.digit, shown=free) from None
    play(decision, Mark(places))
    return choice.how in OUTRIGHT


def _end(decision: Decision, verb: Verb, *, chosen: bool) -> None:
    """Roll or bank with the dice marked so far. ``chosen`` is True if the line named all dice to keep, perhaps none."""
    live = decision.match()
    table, state = live.table, live.state
    if table.match.to_draw(state.match) and verb == "roll":
        play(decision, Draw())
        return
    if verb == "roll" and not state.marks and table.may_give_up(state):
        if not chosen:
            raise Refused("typed-keep-none", number=table.match.to_roll(state.match))
        play(decision, RollOrBank(verb, sure=True))
        return
    play(decision, RollOrBank(verb))


def _undo(decision: Decision) -> None:
    marks = decision.match().state.marks
    play(decision, Mark(marks[:-1]) if marks else TakeBack())
