"""The words of a game of moves: names of moves, the best score so far, and the things on the table."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any, TypeVar

from pubdice.core.dice import Hand
from pubdice.core.game import MoveGame, RoundSeat
from pubdice.text.game_words import FEW, PlainWords
from pubdice.text.language import Language, sentence

G = TypeVar("G", bound=MoveGame[Any])

LEADS = (
    ("{name} leads with {score}.", "You lead with {score}."),
    ("{names} lead with {score}.", "You and {names} lead with {score}."),
)
"""Sentences on the leader, for one leader and for several. Each has a form by name and a form with "you"."""


class MoveWords(PlainWords[G]):
    """``GameWords`` for any ``MoveGame``. A game must give its title and tagline, in its class or as arguments.

    Labels and sentences of moves may contain facts (``MoveWords.facts``), as in "hold {turn}".
    """

    labels: Mapping[str, str] = {}
    """Labels of moves, by their notation. The key "" is for all moves without a key. A move without any label shows its
    notation."""
    told: Mapping[str, tuple[str, str]] = {}
    """Sentences about a move, by the same keys as ``labels``. Each has a form by name and a form with "you"."""
    keys: Mapping[str, str] = {}
    """Letters that choose a move, by the notation of the move."""

    def __init__(self, title: str = "", tagline: str = "") -> None:
        if title:
            self.title, self.tagline = title, tagline

    def facts(self, language: Language, game: G, state: Any, move: str) -> dict[str, Any]:
        """Return the facts for a move's label and sentence: the state's fields of type int and str, and the tiles that
        the move takes.
        """
        found = {field.name: getattr(state, field.name) for field in fields(state)} if is_dataclass(state) else {}
        facts = {name: fact for name, fact in found.items() if isinstance(fact, int | str)}
        return {**facts, "taken": language.join(map(str, taken))} if (taken := game.takes(move)) else facts

    def choice(self, language: Language, game: G, state: Any, action: str) -> str:
        """Return the label of the move."""
        label = self.labels.get(action) or self.labels.get("")
        return language.say(label, **self.facts(language, game, state, action)) if label else action

    def key(self, game: G, action: str) -> str:
        """Return the letter that chooses the move, or ""."""
        return self.keys.get(action, "")

    def action_sentences(self, language: Language, game: G, name: str, before: Any, action: str) -> list[str]:
        """Return the sentence about the move. If it has none, return its label."""
        if told := self.told.get(action) or self.told.get(""):
            return [language.about(*told, name, **self.facts(language, game, before, action))]
        choice = self.choice(language, game, before, action)
        return [language.about("{name}: {choice}.", "Your move: {choice}.", name, choice=choice)]

    def stands(self, language: Language, game: G, state: Any) -> list[str]:
        """Return the things on the table besides dice, in words."""
        things = self.things(language, game, state)
        return [things.said] if things is not None else []

    def rolls_on(self, language: Language, game: G, state: Any) -> list[str]:
        """Return the number of dice, and the things on the table."""
        return [*super().rolls_on(language, game, state), *self.stands(language, game, state)]

    def todo(self, language: Language, game: G, state: Any) -> str:
        """Return the labels of the moves if there are at most ``FEW``, otherwise "choose a move"."""
        legal = game.legal(state)
        if len(legal) > FEW:
            return language.say("choose a move")
        choices = [self.choice(language, game, state, move) for move in legal]
        return language.join(choices, "{some} or {last}")

    def asks(self, language: Language, game: G, state: Any) -> str:
        """Return the question to the mover, without the things on the table."""
        if len(game.legal(state)) > FEW:
            return language.say("Which move do you choose?")
        return sentence(language.say("{todo}?", todo=self.todo(language, game, state)))

    def ask(self, language: Language, game: G, state: Any) -> str:
        """Return the things on the table, and the question to the mover."""
        return " ".join([*self.stands(language, game, state), self.asks(language, game, state)])

    def to_choose(self, language: Language, game: G, state: Any) -> list[str]:
        """Return the things on the table, and the question to the mover, in parts."""
        return [*self.stands(language, game, state), self.asks(language, game, state)]

    def scored(self, game: G, state: Any, names: tuple[str, ...]) -> list[tuple[str, int]]:
        """Return the name and score of each seat that has a score."""
        found = [(name, game.score(state, RoundSeat(seat))) for seat, name in enumerate(names)]
        return [(name, score) for name, score in found if score is not None]

    def status(self, language: Language, game: G, state: Any, names: tuple[str, ...]) -> list[str]:
        """Return the best score so far."""
        return self.to_beat(language, game, state, names) if self.scored(game, state, names) else []

    def to_beat(self, language: Language, game: G, state: Any, names: tuple[str, ...]) -> list[str]:
        """Return the best score so far and its holders. Before any score, return the seat that goes first."""
        scored = self.scored(game, state, names)
        if not scored:
            return super().to_beat(language, game, state, names)
        worth = [score for _, score in scored if score != game.scoreless]
        if not worth:
            return []
        best = (min if game.lowest_wins else max)(worth)
        who, called = [name for name, score in scored if score == best], self.score(language, game, best)
        if len(who) == 1:
            return [language.about(*LEADS[0], who[0], score=called)]
        return [language.about_all(*LEADS[1], who, score=called)]

    def scores(self, language: Language, game: G, state: Any, names: tuple[str, ...]) -> list[str]:
        """Return the scores of the seats that have one."""
        told = [
            language.about("{name} has {score}", "you have {score}", name, score=self.score(language, game, score))
            for name, score in self.scored(game, state, names)
        ]
        return [language.say("So far: {scores}.", scores=", ".join(told))] if told else []

    def stand(self, language: Language, game: G, state: Any, seat: int, marked: Hand) -> str:
        """Return the score of a seat that has finished its turn, otherwise ""."""
        score = game.score(state, RoundSeat(seat))
        return "" if score is None else self.score(language, game, score)

    def score(self, language: Language, game: G, score: int) -> str:
        """Return the points. If this is the score that never wins, return "nothing"."""
        return language.say("nothing") if score == game.scoreless else super().score(language, game, score)

    def verbs(self, language: Language) -> list[tuple[str, str]]:
        """Return the commands: r to roll, and a number, a letter or the notation for a move."""
        return [
            ("r", language.say("roll the dice")),
            ("1 2 3", language.say("choose a move by its number, its letter or its own word")),
        ]
