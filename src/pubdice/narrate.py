"""A match told in sentences: each move, the end of each round, the slate. Knows formats and words, no screen.

Sentences are short, in the past tense, and read the same for "you" and for a name. They come as lines: what belongs
together stands in one line and is heard in one go.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from pubdice.dice import Roll
from pubdice.formats import Drinks, Pot, Race, Rounds, Tally, buyer
from pubdice.game import Result
from pubdice.match import Match, MatchState
from pubdice.record import Drawn, Move, Rolled
from pubdice.words import GameWords, Language, faces, sentence


def _line(sentences: Iterable[str]) -> str:
    return " ".join(map(sentence, sentences))


@dataclass(frozen=True, slots=True)
class Narrator:
    """Tells one match, in one language, with the names of its seats.

    turns: whoever listens is told of every turn that begins, so not of who opens a round.
    """

    language: Language
    words: GameWords
    match: Match[Any, Any]
    names: tuple[str, ...]
    turns: bool = False

    def opening(self) -> str:
        """What is played, and by whom."""
        say, players = self.language.say, self.language.join(self.names)
        text = "{title}: {rules}. At the table: {names}."
        return say(text, title=say(self.words.title), rules=self.rules(), names=players)

    def rules(self) -> str:
        """The format and the options in force, in a few words."""
        rules = self.format(), self.words.options(self.language, self.match.game)
        return "; ".join(rule for rule in rules if rule)

    def format(self) -> str:
        """The format in a few words."""
        form, count = self.match.format, self.language.count
        if isinstance(form, Rounds):
            return count("{number} round", "{number} rounds", form.number)
        if isinstance(form, Pot):
            chips = count("{number} chip", "{number} chips", form.stake)
            rounds = count("{number} round", "{number} rounds", form.rounds)
            return self.language.say("a pot, {chips} a seat each round, {rounds}", chips=chips, rounds=rounds)
        if isinstance(form, Drinks):
            return self.language.say("the last one left buys the drinks")
        return self.language.say("a race: one round decides")

    def tell(self, before: MatchState[Any], move: Move, after: MatchState[Any]) -> list[str]:
        """Everything there is to say about one move, in lines."""
        if isinstance(move, Drawn):
            return [_line([self.language.say("Player 1 is {name}.", name=self.names[move.seat]), *self._round(after)])]
        mover = self.match.mover(before)
        name = "" if mover is None else self.names[mover]
        game, words = self.match.game, self.words
        if isinstance(move, Rolled):
            said = [self.rolled(name, move.dice), *words.rolled(self.language, game, before.round, move.dice)]
        else:
            said = words.told(self.language, game, name, before.round, move.action)
        lines = [_line(said)]
        if after.over:
            lines += [_line(self._round_ended(before, after)), _line(self.ending(after.tally, after.last))]
        elif after.number != before.number:
            settled = self.match.format.settle(before.tally, after.last.winners) if after.last else after.tally
            lines += [_line([*self._round_ended(before, after), *self.standing(settled)]), self.round_opens(after)]
        return [line for line in lines if line]

    def rolled(self, name: str, dice: Roll) -> str:
        """A roll, as the dice fell."""
        return sentence(self.language.say("{name} rolled {dice}.", name=name, dice=faces(dice)))

    def round_opens(self, state: MatchState[Any]) -> str:
        """Which round it is and who opens it; empty where neither is news."""
        if self.turns:
            return _line(self._round(state))
        opener = self.names[state.order[0]] if state.order else ""
        return _line([*self._round(state), self.language.say("First to roll: {name}.", name=opener)])

    def _round(self, state: MatchState[Any]) -> list[str]:
        """Which round it is, where there may be more than one."""
        form, say = self.match.format, self.language.say
        if isinstance(form, Pot):
            return [say("Round {number}, {pot} in the pot.", number=state.number, pot=self.chips(state.tally.pot))]
        return [] if self._is_one_round() else [say("Round {number}.", number=state.number)]

    def _is_one_round(self) -> bool:
        return isinstance(self.match.format, Race) or self.match.format == Rounds(1)

    def _round_ended(self, before: MatchState[Any], after: MatchState[Any]) -> list[str]:
        form, say = self.match.format, self.language.say
        result = after.last
        if result is None or self._is_one_round():
            return []
        winners = self.language.join(self.names[seat] for seat in result.winners) if result.winners else ""
        facts = {"number": before.number, "names": winners, "pot": before.tally.pot, "score": max(result.scores)}
        alone, nobody = len(result.winners) == 1, not result.winners
        if isinstance(form, Pot):
            if alone:
                return [say("Round {number}: the pot of {pot} goes to {names} with {score}.", **facts)]
            carried = "Round {number}: {names} tied with {score}, so the pot of {pot} is carried over."
            if nobody:
                carried = "Round {number}: nobody scored, so the pot of {pot} is carried over."
            hanging = [] if before.number < form.rounds else [say("The pot hangs, so one more round is played.")]
            return [say(carried, **facts), *hanging]
        if isinstance(form, Drinks):
            return [say("Round {number} goes to {names}: out now, and no drinks to buy.", **facts)]
        if nobody:
            return [say("Round {number}: nobody scored, so nobody wins it.", **facts)]
        if alone:
            return [say("Round {number} goes to {names} with {score}.", **facts)]
        return [say("Round {number}: {names} tied with {score}, a round win each.", **facts)]

    def chips(self, number: int) -> str:
        """A number of chips."""
        return self.language.count("{number} chip", "{number} chips", number)

    def standing(self, tally: Tally, *, over: bool = False, last: Result | None = None) -> list[str]:
        """What the match has come to; so far, only where there is something to compare. last: the last round's end."""
        form, say = self.match.format, self.language.say
        if isinstance(form, Pot):
            pot = [say("In the pot: {pot}.", pot=self.chips(tally.pot))] if tally.pot else []
            return [say("Slate: {slate}.", slate=self._slate(tally)), *pot]
        if isinstance(form, Drinks):
            return self._drinks_slate(tally) if over else self._still_in(tally)
        if len(self.names) == 1 or (self._is_one_round() and not over):
            return []
        if last is not None and form == Rounds(1):
            return [say("Slate: {slate}.", slate=self._scores(last, range(len(self.names))))]
        wins = ", ".join(
            say("{points} for {name}", name=name, points=points)
            for name, points in zip(self.names, tally.points, strict=True)
        )
        return [say("Slate: {slate}." if isinstance(form, Race) else "Round wins: {wins}.", slate=wins, wins=wins)]

    def _still_in(self, tally: Tally) -> list[str]:
        left = [name for seat, name in enumerate(self.names) if seat not in tally.out]
        return [self.language.say("Still in: {names}.", names=self.language.join(left))]

    def _drinks_slate(self, tally: Tally) -> list[str]:
        last = buyer(tally)
        if last is None:
            return []
        names = self.language.join(self.names[seat] for seat in self.match.format.champions(tally))
        text = "Slate: a drink each for {names}, on {name}."
        return [self.language.say(text, names=names, name=self.names[last])]

    def _slate(self, tally: Tally) -> str:
        say = self.language.say

        def stand(name: str, chips: int) -> str:
            text = "{name} up {chips}" if chips > 0 else "{name} down {chips}" if chips < 0 else "{name} even"
            return say(text, name=name, chips=abs(chips))

        return ", ".join(stand(name, chips) for name, chips in zip(self.names, tally.points, strict=True))

    def ending(self, tally: Tally, last: Result | None = None) -> list[str]:
        """How the match ended, once it is over: who wins, who owes what. last: the last round's end."""
        if last is not None and self.match.format == Rounds(1):
            return self._one_round(last)
        return [self._decided(tally), *self.standing(tally, over=True)]

    def _one_round(self, last: Result) -> list[str]:
        """How a single round ended: its scores say all, each once."""
        say = self.language.say
        if not last.winners:
            return [say("Nobody scored, so nobody wins the match.")]
        texts = "The match goes to {names} with {score}.", "The match is shared by {names} with {score} each."
        names = self.language.join(self.names[seat] for seat in last.winners)
        text = texts[0] if len(last.winners) == 1 else texts[1]
        decided = say(text, names=names, score=last.scores[last.winners[0]])
        others = [seat for seat in range(len(self.names)) if seat not in last.winners]
        return [decided, say("Behind: {scores}.", scores=self._scores(last, others))] if others else [decided]

    def _scores(self, last: Result, seats: Iterable[int]) -> str:
        say, score = self.language.say, self.words.score
        told = [(self.names[seat], score(self.language, self.match.game, last.scores[seat])) for seat in seats]
        return ", ".join(say("{name} {score}", name=name, score=points) for name, points in told)

    def _decided(self, tally: Tally) -> str:
        form, say = self.match.format, self.language.say
        champions = form.champions(tally)
        names = self.language.join(self.names[seat] for seat in champions) if champions else ""
        if isinstance(form, Drinks):
            last = buyer(tally)
            if last is None:
                return say("Nobody is left to buy the drinks.")
            return say("The last one left buys the drinks: {name}.", name=self.names[last])
        if isinstance(form, Race):
            return say("The race goes to {names}.", names=names)
        best, alone = tally.points[champions[0]], len(champions) == 1
        if isinstance(form, Pot):
            if not best:
                return say("The last round is played, and everybody is even.")
            texts = "The match goes to {names}, up {chips}.", "The match is shared by {names}, up {chips} each."
            return say(texts[0] if alone else texts[1], names=names, chips=best)
        wins = self.language.count("{number} round win", "{number} round wins", best)
        text = "The match goes to {names} with {wins}." if alone else "The match is shared by {names} with {wins} each."
        return say(text, names=names, wins=wins)
