"""Tell a match in sentences: each move, the end of each round, the slate.

Games and formats supply their words. Sentences are short. The listener is "you", and every other player has a name.
Sentences that belong together share a line, because a screen reader speaks a line at once.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from pubdice.core.dice import Roll
from pubdice.core.game import Result, RoundSeat, TurnGame, TurnTaking
from pubdice.match.formats import FormatWords, RoundEnd, Tally, adding
from pubdice.match.header import Header
from pubdice.match.match import Match, MatchState, RollOff
from pubdice.match.record import Drawn, Move, ReplayStep, Rolled
from pubdice.text.game_words import YOU, GameWords, kept_names, told_dice
from pubdice.text.language import Language, sentence
from pubdice.text.turn_words import winning_scores


@dataclass(frozen=True, slots=True)
class Narrator:
    """The teller of one match, in one language and with the names of its seats."""

    language: Language
    words: GameWords
    match: Match[Any, Any]
    names: tuple[str, ...]
    turns: bool = False  # True if the caller announces every turn, so no line here names a round's opener
    you: int | None = None  # the listener's seat; it is "you" in every sentence, and so is a player named "you"

    def __post_init__(self) -> None:
        object.__setattr__(self, "language", self.language.own[getattr(self.words, "home", "")])

    def to(self, seat: int) -> "Narrator":
        """Return the same narrator with this seat as the listener."""
        return Narrator(self.language, self.words, self.match, self.names, self.turns, seat)

    def name(self, seat: int) -> str:
        """Return a seat's name. Return "" for the listener's seat, which is "you"."""
        return "" if seat == self.you or self.names[seat] in YOU else self.names[seat]

    def line(self, sentences: Iterable[str]) -> str:
        """Join sentences into a line, each with a capital letter.

        If one begins with a name, the name stays as it is.
        """
        names = kept_names(self.names)
        return " ".join([sentence(text, names) for text in sentences])

    def around(self, order: Iterable[int]) -> tuple[str, ...]:
        """Return the names of these seats for a game's words, in this order. The listener's name is ""."""
        names, you = self.names, self.you
        return tuple(["" if seat == you or names[seat] in YOU else names[seat] for seat in order])

    def listed(self, seats: Iterable[int]) -> str:
        """Return the names of these seats as a list in words: "Ann, Bob and you"."""
        return self.language.join(self.name(seat) or self.language.say("you") for seat in seats)

    def score(self, score: int) -> str:
        """Return a turn's score in the game's words."""
        return self.words.score(self.language, self.match.game, score)

    @property
    def _format(self) -> FormatWords:
        return self.match.format.words

    def opening(self) -> str:
        """Return a sentence with the game, its rules and its players."""
        say, players = self.language.say, self.language.join(self.names)
        text = "{title}: {rules}. At the table: {names}."
        return say(text, title=say(self.words.title), rules=self.rules(), names=players)

    def rules(self) -> str:
        """Return the rules of the format and the game's options in force, in a few words."""
        rules = self._format.rules(self.language), self.words.options(self.language, self.match.game)
        return "; ".join(rule for rule in rules if rule)

    def tell(self, before: MatchState[Any], move: Move, after: MatchState[Any]) -> list[str]:
        """Return the lines about one move. The number of lines is the same for every listener."""
        if isinstance(move, Drawn):
            drawn = self.language.about("Player 1 is {name}.", "You are Player 1.", self.name(move.seat))
            return [self.line([drawn, *self._opens(after)])]
        mover = before.mover
        name = "" if mover is None else self.name(mover)
        game, words = self.match.game, self.words
        if before.roll_off is not None and isinstance(move, Rolled):
            return self._rolled_off(self.rolled(name, move.dice), before.roll_off, move.dice, after)
        if isinstance(move, Rolled):
            said = [self.rolled(name, move.dice), *words.rolled(self.language, game, name, before.round, move.dice)]
        else:
            said = words.action_sentences(self.language, game, name, before.round, move.action)
        lines = [self.line(said)]
        ends = after.over or after.number != before.number
        if ends and (result := self.match.round_ended(before, after)) is not None:
            settled = self.match.format.settle(before.tally, result, before.order)
            ended = self._format.ended(self, RoundEnd(before.called, result, before.order, before.tally, settled))
            if after.over:
                lines += [self.line(ended), self.line(self.ending(after.tally, after.last))]
            else:
                lines += [self.line([*ended, *self.standing(settled)]), self.round_opens(after)]
        return [line for line in lines if line]

    def _rolled_off(self, rolled: str, off: RollOff[Any], dice: Roll, after: MatchState[Any]) -> list[str]:
        if after.over:
            return [rolled, self.line(self.ending(after.tally, after.last))]
        if after.roll_off is None or after.roll_off.faces:
            return [rolled]
        text = (
            "{names} tie again with {dice}, and roll again.",
            "You and {names} tie again with {dice}, and roll again.",
        )
        highest = told_dice(self.language, self.match.game, [max(*off.faces, *dice)])
        tied = self.language.about_all(*text, [self.name(seat) for seat in after.roll_off.seats], dice=highest)
        return [rolled, self.line([tied, *self._goes_first(after)])]

    def roll_off(self, state: MatchState[Any]) -> list[str]:
        """Return the dice of the roll-off so far, in words. Empty if no roll-off is under way."""
        off = state.roll_off
        if off is None or state.over:
            return []
        text = "{name} has {score}", "you have {score}"
        stand = [
            self.language.about(*text, self.name(seat), score=told_dice(self.language, self.match.game, [face]))
            for seat, face in zip(off.seats, off.faces, strict=False)
        ]
        if not stand:
            return [self.language.say("Roll-off: no rolls yet.")]
        return [self.language.say("Roll-off: {faces}.", faces=", ".join(stand))]

    def to_roll(self, state: MatchState[Any]) -> str:
        """Return the mover's task when dice must be rolled."""
        if state.roll_off is not None:
            return self.language.say("Roll one die.")
        return self.words.to_roll(self.language, self.match.game, state.round)

    def rolls_on(self, state: MatchState[Any]) -> list[str]:
        """Return the mover's task when dice must be rolled in the middle of a turn.

        The number of dice comes first, then facts about the turn.
        """
        if state.roll_off is not None:
            return [self.to_roll(state)]
        return self.words.rolls_on(self.language, self.match.game, state.round)

    def rolled(self, name: str, dice: Roll) -> str:
        """Return the sentence for a roll, with the dice as they fell. The name "" stands for the listener."""
        return self.language.about(
            "{name} rolled {dice}.", "You rolled {dice}.", name, dice=told_dice(self.language, self.match.game, dice)
        )

    def round_opens(self, state: MatchState[Any]) -> str:
        """Return the line for a round that begins: its number and its opener.

        Return "" if the listener needs neither.
        """
        return self.line([*self._opens(state), *self._goes_first(state)])

    def _goes_first(self, state: MatchState[Any]) -> list[str]:
        if self.turns or not state.order:
            return []
        first = state.order[0] if state.roll_off is None else state.roll_off.seats[0]
        return [self.language.about("{name} goes first.", "You go first.", self.name(first))]

    def _opens(self, state: MatchState[Any]) -> list[str]:
        if state.roll_off is not None:
            text = (
                "Roll-off: {names} roll one die each, the highest wins.",
                "Roll-off: you and {names} roll one die each, the highest wins.",
            )
            return [self.language.about_all(*text, [self.name(seat) for seat in state.roll_off.seats])]
        return self._format.opens(self, state.called, state.tally)

    def counter(self, state: MatchState[Any]) -> str:
        """Return the number of this round, as in "Round 2 of 5", or "Roll-off". Return "" in a match of one round."""
        form, say = self.match.format, self.language.say
        if state.roll_off is not None and not state.over:
            return say("Roll-off")
        if form.is_one_round or state.round is None:
            return ""
        if state.called <= form.rounds_planned:
            return say("Round {number} of {last}", number=state.called, last=form.rounds_planned)
        return say("Round {number}", number=state.called)

    def standing(self, tally: Tally, *, over: bool = False, last: Result | None = None) -> list[str]:
        """Return the slate in words. During a match it is empty if there is nothing to compare."""
        return self._format.standing(self, tally, over=over, last=last)

    def needs(self, state: MatchState[Any]) -> list[str]:
        """Return the points that the mover needs, before its turn. Empty unless the format adds scores up."""
        added = adding(self.match.format)
        if added is None or state.mover is None:
            return []
        points, played = self._counted(state)
        tally = replace(state.tally, points=points)
        game = self.match.game
        most = winning_scores(game)[-1] if isinstance(game, TurnGame) else None
        return added.needs(self, tally, state.mover, last=played + 1 == len(state.order), most=most)

    def standing_now(self, state: MatchState[Any]) -> list[str]:
        """Return the slate in words during a round.

        If the format adds scores up, finished turns of this round count.
        """
        tally = state.tally
        if adding(self.match.format) is not None:
            points, _ = self._counted(state)
            begun = tally.rounds or int(any(points))  # in round 1 there is a slate to tell once a seat has a score
            tally = replace(tally, points=points, rounds=begun)
        return self.standing(tally)

    def _counted(self, state: MatchState[Any]) -> tuple[tuple[int, ...], int]:
        """Return every seat's points with this round's scores, and how many seats have finished their turn."""
        points, played = list(state.tally.points), 0
        if state.round is None:  # a roll-off has no scores
            return tuple(points), played
        for at, seat in enumerate(state.order):
            if (score := self.match.game.score(state.round, RoundSeat(at))) is not None:
                points[seat] += score
                played += 1
        return tuple(points), played

    def ending(self, tally: Tally, last: Result | None = None) -> list[str]:
        """Return the end of the match in words: the winner, then the debts.

        ``last`` is the result of the last round.
        """
        return self._format.ending(self, tally, last)


def turn_to_tell(match: Match[Any, Any], state: MatchState[Any]) -> MatchState[Any]:
    """Return the state from which a game's words tell this turn.

    If the format adds scores up, the mover is alone in it, because there is no score to beat. Only games with one turn
    a seat have such a turn alone (``TurnTaking.alone``). For all other games it is the state itself.
    """
    game = match.game
    if adding(match.format) is None or state.round is None or state.mover is None or not isinstance(game, TurnTaking):
        return state
    return replace(state, round=game.alone(state.round), order=(state.mover,))


def summary(header: Header, match: Match[Any, Any], steps: Iterable[ReplayStep[MatchState[Any]]]) -> dict[str, Any]:
    """Return the match as data: ``header``, ``turns``, ``rounds``, ``finished``, ``winners``, ``slate`` and so on.

    ``winners`` is None until the match is finished. A turn has ``moves`` in order: a roll is a list of faces, and an
    action is a word of notation. A turn's ``score`` is None while it is unfinished.
    """
    names = header.names
    turns: list[dict[str, Any]] = []
    rounds: list[dict[str, Any]] = []
    drawn: str | None = None
    state = match.start()
    open_turn = False
    for step in steps:
        before, move, state = step.before, step.move, step.after
        if isinstance(move, Drawn):
            drawn = names[move.seat]
            continue
        mover = match.mover(before)
        if not open_turn and mover is not None:
            turns.append({"round": before.number, "seat": names[mover], "moves": [], "score": None})
        turns[-1]["moves"].append(list(move.dice) if isinstance(move, Rolled) else match.game.write_action(move.action))
        ended, result = match.turn_ended(before, state), match.round_ended(before, state)
        open_turn = not match.passed_on(before, state)
        if ended is not None:
            turns[-1]["score"] = ended[1]
        if result is not None:
            winners = [names[seat] for seat in result.winners]
            scores = {names[seat]: result.scores[seat] for seat in sorted(before.order)}
            rounds.append({"round": before.number, "winners": winners, "scores": scores})
    champions = [names[seat] for seat in match.format.champions(state.tally)] if state.over else None
    return {
        "pubdice": 1,
        "header": dict(header.fields),
        "player_1": drawn,
        "turns": turns,
        "rounds": rounds,
        "finished": state.over,
        "winners": champions,
        "slate": match.format.slate(state.tally, names),
    }
