"""A match told in sentences: each move, the end of each round, the slate. Knows games' and formats' words, no screen.

Sentences are short. The listener is "you" in them, and everybody else has their name. They come as lines: what belongs
together is in one line, and is heard in one go.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from pubdice.core.dice import Roll
from pubdice.core.game import Result
from pubdice.match.formats import FormatWords, RoundEnd, Tally
from pubdice.match.match import Match, MatchState
from pubdice.match.notation import Header
from pubdice.match.record import Drawn, Move, ReplayStep, Rolled
from pubdice.text.game_words import YOU, GameWords
from pubdice.text.language import Language, faces, one_line


@dataclass(frozen=True, slots=True)
class Narrator:
    """Tells one match, in one language, with the names of its seats.

    turns: somebody else announces every turn that begins, so this does not say who opens a round. you: the seat that
    listens, which is "you" in every sentence; so is a seat whose people call themselves "you".
    """

    language: Language
    words: GameWords
    match: Match[Any, Any]
    names: tuple[str, ...]
    turns: bool = False
    you: int | None = None

    def to(self, seat: int) -> "Narrator":
        """The same narrator, with this seat as its listener."""
        return Narrator(self.language, self.words, self.match, self.names, self.turns, seat)

    def name(self, seat: int) -> str:
        """A seat's name; empty for the one that listens."""
        return "" if seat == self.you or self.names[seat] in YOU else self.names[seat]

    def around(self, order: Iterable[int]) -> tuple[str, ...]:
        """The names of these seats for a game's words; the listener's is empty."""
        names, you = self.names, self.you
        return tuple(["" if seat == you or names[seat] in YOU else names[seat] for seat in order])

    def listed(self, seats: Iterable[int]) -> str:
        """Seats in a row, as in "Ann, Bob and you"."""
        return self.language.join(self.name(seat) or self.language.say("you") for seat in seats)

    def score(self, score: int) -> str:
        """A turn's score, as the game calls it."""
        return self.words.score(self.language, self.match.game, score)

    @property
    def _format(self) -> FormatWords:
        return self.match.format.words

    def opening(self) -> str:
        """What is played, and by whom."""
        say, players = self.language.say, self.language.join(self.names)
        text = "{title}: {rules}. At the table: {names}."
        return say(text, title=say(self.words.title), rules=self.rules(), names=players)

    def rules(self) -> str:
        """The format and the options in force, in a few words."""
        rules = self._format.rules(self.language), self.words.options(self.language, self.match.game)
        return "; ".join(rule for rule in rules if rule)

    def tell(self, before: MatchState[Any], move: Move, after: MatchState[Any]) -> list[str]:
        """All lines about one move: as many for every listener."""
        if isinstance(move, Drawn):
            drawn = self.language.about("Player 1 is {name}.", "You are Player 1.", self.name(move.seat))
            return [one_line([drawn, *self._opens(after)])]
        mover = self.match.mover(before)
        name = "" if mover is None else self.name(mover)
        game, words = self.match.game, self.words
        if isinstance(move, Rolled):
            said = [self.rolled(name, move.dice), *words.rolled(self.language, game, name, before.round, move.dice)]
        else:
            said = words.told(self.language, game, name, before.round, move.action)
        lines = [one_line(said)]
        ends = after.over or after.number != before.number
        if ends and (result := self.match.round_ended(before, after)) is not None:
            settled = self.match.format.settle(before.tally, result, before.order)
            ended = self._format.ended(self, RoundEnd(before.number, result, before.order, before.tally, settled))
            if after.over:
                lines += [one_line(ended), one_line(self.ending(after.tally, after.last))]
            else:
                lines += [one_line([*ended, *self.standing(settled)]), self.round_opens(after)]
        return [line for line in lines if line]

    def rolled(self, name: str, dice: Roll) -> str:
        """The sentence for a roll, with the dice as they fell; the listener's own if the name is empty."""
        return self.language.about("{name} rolled {dice}.", "You rolled {dice}.", name, dice=faces(dice))

    def round_opens(self, state: MatchState[Any]) -> str:
        """Which round it is and who opens it; empty where neither is news."""
        if self.turns or not state.order:
            return one_line(self._opens(state))
        opens = self.language.about("{name} goes first.", "You go first.", self.name(state.order[0]))
        return one_line([*self._opens(state), opens])

    def _opens(self, state: MatchState[Any]) -> list[str]:
        return self._format.opens(self, state.number, state.tally)

    def counter(self, state: MatchState[Any]) -> str:
        """Which round of how many this is; empty if there is only one."""
        form, say = self.match.format, self.language.say
        if form.is_one_round or state.round is None:
            return ""
        if state.number <= form.rounds_planned:
            return say("Round {number} of {last}", number=state.number, last=form.rounds_planned)
        return say("Round {number}", number=state.number)

    def standing(self, tally: Tally, *, over: bool = False, last: Result | None = None) -> list[str]:
        """The slate in words; before the end only if there is something to compare. last: how the last round ended."""
        return self._format.standing(self, tally, over=over, last=last)

    def ending(self, tally: Tally, last: Result | None = None) -> list[str]:
        """How the match ended, once it is over: who wins, who owes what. last: how the last round ended."""
        return self._format.ending(self, tally, last)


# A replayed record as plain data for programs: header, turns with their scores, rounds, winners and slate.


def summary(header: Header, match: Match[Any, Any], steps: Iterable[ReplayStep[MatchState[Any]]]) -> dict[str, Any]:
    """The record: ``header``, ``turns``, ``rounds``, ``finished``, ``winners`` (None until finished) and ``slate``.

    A turn's ``moves`` are rolls as lists of faces and actions as notation, in order; its ``score`` is None while the
    turn is unfinished.
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
