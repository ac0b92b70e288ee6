"""A match told in sentences: each move, the end of each round, the slate. Knows formats and words, no screen.

Sentences are short, in the past tense, and read the same for "you" and for a name.
"""

from dataclasses import dataclass
from typing import Any

from pubdice.dice import Roll
from pubdice.formats import Drinks, Pot, Race, Rounds, Tally, buyer
from pubdice.game import Seat
from pubdice.match import Match, MatchState
from pubdice.record import Drawn, Move, Rolled
from pubdice.words import GameWords, Language, faces, sentence


@dataclass(frozen=True, slots=True)
class Narrator:
    """Tells one match, in one language, with the names of its seats."""

    language: Language
    words: GameWords
    match: Match[Any, Any]
    names: tuple[str, ...]

    def opening(self) -> list[str]:
        """What is played, by whom, in one or two sentences."""
        say, game = self.language.say, self.match.game
        rules = [rule for rule in (self.format(), self.words.options(self.language, game)) if rule]
        players = self.language.join(self.names)
        return [say("{title}: {rules}.", title=self.words.title, rules="; ".join(rules)), say("At the table: {names}.", names=players)]

    def format(self) -> str:
        """The format in a few words."""
        form, count = self.match.format, self.language.count
        if isinstance(form, Rounds):
            return count("{number} round", "{number} rounds", form.number)
        if isinstance(form, Pot):
            games = count("{number} game", "{number} games", form.games)
            return self.language.say("a pot of {stake} a seat, {games}", stake=form.stake, games=games)
        if isinstance(form, Drinks):
            return self.language.say("the last one left buys the drinks")
        return self.language.say("a race: one round decides")

    def tell(self, before: MatchState[Any], move: Move, after: MatchState[Any]) -> list[str]:
        """Everything there is to say about one move."""
        if isinstance(move, Drawn):
            said = [self.language.say("Player 1 is {name}.", name=self.names[move.seat])]
            return [*said, *self.round_opens(after)]
        mover = self.match.mover(before)
        name = "" if mover is None else self.names[mover]
        game, words = self.match.game, self.words
        if isinstance(move, Rolled):
            said = [self.rolled(name, move.dice), *words.rolled(self.language, game, before.round, move.dice)]
        else:
            said = words.told(self.language, game, name, before.round, move.action)
        if after.over:
            said = [*said, *self._round_ended(before, after), *self.ending(after.tally)]
        elif after.number != before.number:
            said = [*said, *self._round_ended(before, after), *self.standing(after), *self.round_opens(after)]
        return [sentence(one) for one in said]

    def rolled(self, name: str, dice: Roll) -> str:
        """A roll, as the dice fell."""
        return sentence(self.language.say("{name} rolled {dice}.", name=name, dice=faces(dice)))

    def round_opens(self, state: MatchState[Any]) -> list[str]:
        """Which round it is and who opens it."""
        form, say = self.match.format, self.language.say
        opener = self.names[state.order[0]] if state.order else ""
        if isinstance(form, Pot):
            text = "Game {number}, {pot} chips in the pot. First to roll: {name}."
            return [say(text, number=state.number, pot=state.tally.pot, name=opener)]
        if isinstance(form, Race) or form == Rounds(1):
            return [say("First to roll: {name}.", name=opener)]
        return [say("Round {number}. First to roll: {name}.", number=state.number, name=opener)]

    def _round_ended(self, before: MatchState[Any], after: MatchState[Any]) -> list[str]:
        form, say = self.match.format, self.language.say
        result = after.last
        if result is None or isinstance(form, Race) or form == Rounds(1):
            return []
        winners = self.language.join(self.names[seat] for seat in result.winners) if result.winners else ""
        facts = {"number": before.number, "names": winners, "pot": before.tally.pot, "score": max(result.scores)}
        alone, nobody = len(result.winners) == 1, not result.winners
        if isinstance(form, Pot):
            if alone:
                return [say("Game {number}: the pot of {pot} goes to {names} with {score}.", **facts)]
            why = "nobody scored" if nobody else "{names} tied with {score}"
            hanging = [] if after.over or before.number < form.games else [say("The pot hangs, so one more game is played.")]
            return [say("Game {number}: " + why + ", so the pot of {pot} is carried over.", **facts), *hanging]
        if isinstance(form, Drinks):
            return [say("Round {number} goes to {names}, out of it now: no drinks to buy.", **facts)]
        if nobody:
            return [say("Round {number}: nobody scored, so nobody wins it.", **facts)]
        if alone:
            return [say("Round {number} goes to {names} with {score}.", **facts)]
        return [say("Round {number}: {names} tied with {score}, a round win each.", **facts)]

    def standing(self, state: MatchState[Any]) -> list[str]:
        """What the match has come to so far."""
        form, say, tally = self.match.format, self.language.say, state.tally
        if isinstance(form, Pot):
            return [say("Slate: {slate}.", slate=self._chips(tally))]
        if isinstance(form, Rounds) and form.number > 1:
            wins = ", ".join(f"{name} {points}" for name, points in zip(self.names, tally.points, strict=True))
            return [say("Round wins: {wins}.", wins=wins)]
        if isinstance(form, Drinks):
            left = [name for seat, name in enumerate(self.names) if seat not in tally.out]
            return [say("Still in: {names}.", names=self.language.join(left))]
        return []

    def _chips(self, tally: Tally) -> str:
        say = self.language.say

        def stand(name: str, chips: int) -> str:
            text = "{name} up {chips}" if chips > 0 else "{name} down {chips}" if chips < 0 else "{name} even"
            return say(text, name=name, chips=abs(chips))

        return ", ".join(stand(name, chips) for name, chips in zip(self.names, tally.points, strict=True))

    def ending(self, tally: Tally) -> list[str]:
        """How the match ended, once it is over: who wins, who owes what."""
        form, say = self.match.format, self.language.say
        champions = self.match.format.champions(tally)
        names = self.language.join(self.names[seat] for seat in champions) if champions else ""
        if isinstance(form, Pot):
            return [say("The last game is played. Slate: {slate}.", slate=self._chips(tally))]
        if isinstance(form, Drinks):
            return self._drinks(buyer(tally), names)
        if isinstance(form, Race):
            return [say("The race goes to {names}.", names=names)]
        wins = self.language.count("{number} round win", "{number} round wins", tally.points[champions[0]])
        if len(champions) > 1:
            return [say("The match is shared by {names} with {wins} each.", names=names, wins=wins)]
        return [say("The match goes to {names} with {wins}.", names=names, wins=wins)]

    def _drinks(self, last: Seat | None, names: str) -> list[str]:
        if last is None:
            return [self.language.say("Nobody is left to buy the drinks.")]
        name = self.names[last]
        return [
            self.language.say("The last one left buys the drinks: {name}.", name=name),
            self.language.say("Slate: a drink each for {names}, on {name}.", names=names, name=name),
        ]
