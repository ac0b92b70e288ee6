"""A match told in sentences: each move, the end of each round, the slate. Knows formats and words, no screen.

Sentences are short. Who listens is told of themselves in the second person, of all others by name. They come as lines:
what belongs together stands in one line and is heard in one go.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from pubdice.dice import Roll
from pubdice.formats import Drinks, Pot, Race, Rounds, Tally, buyer
from pubdice.game import Result
from pubdice.gamewords import YOU, GameWords
from pubdice.match import Match, MatchState
from pubdice.record import Drawn, Move, Rolled
from pubdice.words import Language, faces, sentence


def _line(sentences: Iterable[str]) -> str:
    return " ".join(map(sentence, sentences))


@dataclass(frozen=True, slots=True)
class Narrator:
    """Tells one match, in one language, with the names of its seats.

    turns: whoever listens is told of every turn that begins, so not of who opens a round. you: the seat that listens,
    and is spoken to in the second person; seats whose people call themselves "you" always are.
    """

    language: Language
    words: GameWords
    match: Match[Any, Any]
    names: tuple[str, ...]
    turns: bool = False
    you: int | None = None

    def to(self, seat: int) -> "Narrator":
        """The same, told to a seat."""
        return Narrator(self.language, self.words, self.match, self.names, self.turns, seat)

    def name(self, seat: int) -> str:
        """A seat's name; empty for the one that listens."""
        return "" if seat == self.you or self.names[seat] in YOU else self.names[seat]

    def around(self, order: Iterable[int]) -> tuple[str, ...]:
        """The names of these seats, as a game's words take them."""
        return tuple(map(self.name, order))

    def _list(self, seats: Iterable[int]) -> str:
        """Seats in a row, as in "Ann, Bob and you"."""
        return self.language.join(self.name(seat) or self.language.say("you") for seat in seats)

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
            return self.language.say("a pot, everyone antes {chips} a round, {rounds}", chips=chips, rounds=rounds)
        if isinstance(form, Drinks):
            return self.language.say("the last one left buys the drinks")
        return self.language.say("a race: one round decides")

    def tell(self, before: MatchState[Any], move: Move, after: MatchState[Any]) -> list[str]:
        """Everything there is to say about one move, in lines: as many, whoever listens."""
        if isinstance(move, Drawn):
            drawn = self.language.about("Player 1 is {name}.", "You are Player 1.", self.name(move.seat))
            return [_line([drawn, *self._round(after)])]
        mover = self.match.mover(before)
        name = "" if mover is None else self.name(mover)
        game, words = self.match.game, self.words
        if isinstance(move, Rolled):
            said = [self.rolled(name, move.dice), *words.rolled(self.language, game, name, before.round, move.dice)]
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
        """A roll, as the dice fell; without a name, the listener's."""
        return self.language.about("{name} rolled {dice}.", "You rolled {dice}.", name, dice=faces(dice))

    def round_opens(self, state: MatchState[Any]) -> str:
        """Which round it is and who opens it; empty where neither is news."""
        if self.turns or not state.order:
            return _line(self._round(state))
        opens = self.language.about("{name} goes first.", "You go first.", self.name(state.order[0]))
        return _line([*self._round(state), opens])

    def _round(self, state: MatchState[Any]) -> list[str]:
        """Which round it is, where there may be more than one."""
        form, say = self.match.format, self.language.say
        if isinstance(form, Pot):
            return [say("Round {number}, {pot} in the pot.", number=state.number, pot=self.chips(state.tally.pot))]
        return [] if self._is_one_round() else [say("Round {number}.", number=state.number)]

    def counter(self, state: MatchState[Any]) -> str:
        """Which round of how many this is; empty where there is one."""
        form, say = self.match.format, self.language.say
        if self._is_one_round() or state.round is None:
            return ""
        if isinstance(form, Rounds | Pot):
            last = form.number if isinstance(form, Rounds) else form.rounds
            if state.number <= last:
                return say("Round {number} of {last}", number=state.number, last=last)
        return say("Round {number}", number=state.number)

    def _is_one_round(self) -> bool:
        form = self.match.format
        return isinstance(form, Race) or (isinstance(form, Rounds) and form.number == 1)

    def _round_ended(self, before: MatchState[Any], after: MatchState[Any]) -> list[str]:
        form, say, about = self.match.format, self.language.say, self.language.about
        result = after.last
        if result is None or self._is_one_round():
            return []
        facts: dict[str, Any] = {"number": before.number, "pot": before.tally.pot, "score": max(result.scores)}
        names, alone = self._list(result.winners) if result.winners else "", len(result.winners) == 1
        name = self.name(result.winners[0]) if alone else ""
        if isinstance(form, Pot):
            if alone:
                text = (
                    "Round {number}: {name} takes the pot of {pot} with {score}.",
                    "Round {number}: you take the pot of {pot} with {score}.",
                )
                return [about(*text, name, **facts)]
            carried = say("Round {number}: nobody scored. The pot of {pot} stays in.", **facts)
            if result.winners:
                tied = "Round {number}: {names} tie with {score}. The pot of {pot} stays in."
                carried = say(tied, names=names, **facts)
            still = [] if before.number < form.rounds else [say("The pot is still in, so there is one more round.")]
            return [carried, *still]
        if isinstance(form, Drinks):
            text = (
                "{name} wins round {number} and is out: no drinks to buy.",
                "You win round {number} and are out: no drinks to buy.",
            )
            return [about(*text, name, **facts)]
        if not result.winners:
            return [say("Round {number}: nobody scored, nobody wins it.", **facts)]
        if alone:
            text = "{name} wins round {number} with {score}.", "You win round {number} with {score}."
            return [about(*text, name, **facts)]
        return [say("Round {number}: {names} tie with {score}, a round each.", names=names, **facts)]

    def chips(self, number: int) -> str:
        """A number of chips."""
        return self.language.count("{number} chip", "{number} chips", number)

    def standing(self, tally: Tally, *, over: bool = False, last: Result | None = None) -> list[str]:
        """What the match has come to; so far, only where there is something to compare. last: the last round's end."""
        form, say = self.match.format, self.language.say
        if isinstance(form, Pot):
            pot = [say("In the pot: {pot}.", pot=self.chips(tally.pot))] if tally.pot else []
            return [say("Score: {scores}.", scores=self._slate(tally)), *pot]
        if isinstance(form, Drinks):
            return self._drinks_slate(tally) if over else self._still_in(tally)
        if len(self.names) == 1 or self._is_one_round():
            if last is not None and over and form == Rounds(1) and len(self.names) > 1:
                return [say("Score: {scores}.", scores=", ".join(self._scores(last, range(len(self.names)))))]
            return []
        if not tally.rounds:
            return []
        wins = ", ".join(self._points(seat, points) for seat, points in enumerate(tally.points))
        return [say("Rounds won: {wins}.", wins=wins)]

    def _still_in(self, tally: Tally) -> list[str]:
        if not tally.out:
            return []
        left = [seat for seat in range(len(self.names)) if seat not in tally.out]
        return [self.language.say("Still in: {names}.", names=self._list(left))]

    def _drinks_slate(self, tally: Tally) -> list[str]:
        last = buyer(tally)
        if last is None:
            return []
        text = "{name} buys a drink each for {names}.", "You buy a drink each for {names}."
        names = self._list(self.match.format.champions(tally))
        return [self.language.about(*text, self.name(last), names=names)]

    def _slate(self, tally: Tally) -> str:
        def stand(name: str, chips: int) -> str:
            text = "{name} up {chips}", "you up {chips}"
            if chips <= 0:
                text = ("{name} down {chips}", "you down {chips}") if chips else ("{name} even", "you even")
            return self.language.about(*text, name, chips=abs(chips))

        return ", ".join(stand(self.name(seat), chips) for seat, chips in enumerate(tally.points))

    def ending(self, tally: Tally, last: Result | None = None) -> list[str]:
        """How the match ended, once it is over: who wins, who owes what. last: the last round's end."""
        if last is not None and self.match.format == Rounds(1):
            return self._one_round(last)
        return [self._decided(tally), *self.standing(tally, over=True)]

    def _one_round(self, last: Result) -> list[str]:
        """How a single round ended: its scores say all, each once."""
        say = self.language.say
        if not last.winners:
            return [say("Nobody scored, so nobody wins.")]
        score = last.scores[last.winners[0]]
        if len(last.winners) == 1:
            text = "{name} wins with {score}.", "You win with {score}."
            decided = self.language.about(*text, self.name(last.winners[0]), score=score)
        else:
            decided = say("{names} tie with {score}.", names=self._list(last.winners), score=score)
        others = [seat for seat in range(len(self.names)) if seat not in last.winners]
        return [sentence(decided), *(sentence(told) + "." for told in self._scores(last, others))]

    def _scores(self, last: Result, seats: Iterable[int]) -> list[str]:
        score = self.words.score
        return [self._points(seat, score(self.language, self.match.game, last.scores[seat])) for seat in seats]

    def _points(self, seat: int, points: object) -> str:
        return self.language.about("{name} {score}", "you {score}", self.name(seat), score=points)

    def _decided(self, tally: Tally) -> str:
        form, say, about = self.match.format, self.language.say, self.language.about
        champions = form.champions(tally)
        if isinstance(form, Drinks):
            last = buyer(tally)
            if last is None:
                return say("Nobody is left to buy the drinks.")
            text = (
                "{name} is the last one left and buys the drinks.",
                "You are the last one left and buy the drinks.",
            )
            return about(*text, self.name(last))
        alone, name = len(champions) == 1, self.name(champions[0])
        if isinstance(form, Race):
            return about("{name} wins the race!", "You win the race!", name)
        best, names = tally.points[champions[0]], sentence(self._list(champions))
        if isinstance(form, Pot):
            if not best:
                return say("That was the last round, and everybody is even.")
            if alone:
                return about("{name} wins, up {chips}.", "You win, up {chips}.", name, chips=best)
            return say("{names} tie, up {chips} each.", names=names, chips=best)
        wins = self.language.count("{number} round", "{number} rounds", best)
        if alone:
            return about("{name} wins with {wins}.", "You win with {wins}.", name, wins=wins)
        return say("{names} tie with {wins} each.", names=names, wins=wins)
