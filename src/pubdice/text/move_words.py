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
"""Sentences for one leader and for several. Each has a form by name and a form with "you"."""


class MoveWords(PlainWords[G]):
    """``GameWords`` for any ``MoveGame``. A game must give its title and tagline, in its class or as arguments.

    Labels and sentences may use ``facts``, as in "hold {turn}".
    """

    labels: Mapping[str, str] = {}
    """Names of moves by their notation. The key "" is for all others. A move without a label shows its notation."""
    told: Mapping[str, tuple[str, str]] = {}
    """Sentences about a move, by the same keys: by name, and with "you"."""
    keys: Mapping[str, str] = {}
    """Letters that choose a move, by its notation."""

    def __init__(self, title: str = "", tagline: str = "") -> None:
        if title:
            self.title, self.tagline = title, tagline

    def facts(self, language: Language, game: G, state: Any, move: str) -> dict[str, Any]:
        """Facts for the label and the sentence of a move: the state's int and str fields, and the tiles taken."""
        found = {field.name: getattr(state, field.name) for field in fields(state)} if is_dataclass(state) else {}
        facts = {name: fact for name, fact in found.items() if isinstance(fact, int | str)}
        return {**facts, "taken": language.join(map(str, taken))} if (taken := game.takes(move)) else facts

    def choice(self, language: Language, game: G, state: Any, action: str) -> str:
        """The name of the move."""
        label = self.labels.get(action) or self.labels.get("")
        return language.say(label, **self.facts(language, game, state, action)) if label else action

    def key(self, game: G, action: str) -> str:
        """The letter of the move, or ""."""
        return self.keys.get(action, "")

    def action_sentences(self, language: Language, game: G, name: str, before: Any, action: str) -> list[str]:
        """The sentence about the move, or else its name."""
        if told := self.told.get(action) or self.told.get(""):
            return [language.about(*told, name, **self.facts(language, game, before, action))]
        choice = self.choice(language, game, before, action)
        return [language.about("{name}: {choice}.", "Your move: {choice}.", name, choice=choice)]

    def stands(self, language: Language, game: G, state: Any) -> list[str]:
        """The things on the table besides dice."""
        things = self.things(language, game, state)
        return [things.said] if things is not None else []

    def rolls_on(self, language: Language, game: G, state: Any) -> list[str]:
        """The number of dice, and the things on the table."""
        return [*super().rolls_on(language, game, state), *self.stands(language, game, state)]

    def todo(self, language: Language, game: G, state: Any) -> str:
        """The moves if they are ``FEW`` or fewer, else "choose a move"."""
        legal = game.legal(state)
        if len(legal) > FEW:
            return language.say("choose a move")
        choices = [self.choice(language, game, state, move) for move in legal]
        return language.join(choices, "{some} or {last}")

    def asks(self, language: Language, game: G, state: Any) -> str:
        """The question, without the things on the table."""
        if len(game.legal(state)) > FEW:
            return language.say("Which move do you choose?")
        return language.say("{todo}?", todo=sentence(self.todo(language, game, state)))

    def ask(self, language: Language, game: G, state: Any) -> str:
        """The things on the table, and the question."""
        return " ".join([*self.stands(language, game, state), self.asks(language, game, state)])

    def to_choose(self, language: Language, game: G, state: Any) -> list[str]:
        """The things on the table, and the question last."""
        return [*self.stands(language, game, state), self.asks(language, game, state)]

    def scored(self, game: G, state: Any, names: tuple[str, ...]) -> list[tuple[str, int]]:
        """The name and score of each seat that has a score."""
        found = [(name, game.score(state, RoundSeat(seat))) for seat, name in enumerate(names)]
        return [(name, score) for name, score in found if score is not None]

    def status(self, language: Language, game: G, state: Any, names: tuple[str, ...]) -> list[str]:
        """The best score so far."""
        return self.to_beat(language, game, state, names) if self.scored(game, state, names) else []

    def to_beat(self, language: Language, game: G, state: Any, names: tuple[str, ...]) -> list[str]:
        """The best score so far with its holders. Before any score, the seat that goes first."""
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
        """The scores of the seats that have one."""
        told = [
            language.about("{name} has {score}", "you have {score}", name, score=self.score(language, game, score))
            for name, score in self.scored(game, state, names)
        ]
        return [language.say("So far: {scores}.", scores=", ".join(told))] if told else []

    def stand(self, language: Language, game: G, state: Any, seat: int, marked: Hand) -> str:
        """The score of a seat that has played."""
        score = game.score(state, RoundSeat(seat))
        return "" if score is None else self.score(language, game, score)

    def score(self, language: Language, game: G, score: int) -> str:
        """The points, or "nothing" for the score that never wins."""
        return language.say("nothing") if score == game.scoreless else super().score(language, game, score)

    def verbs(self, language: Language) -> list[tuple[str, str]]:
        """Rolling, and moves by number, by letter or by notation."""
        return [
            ("r", language.say("roll the dice")),
            ("1 2 3", language.say("choose a move by its number; its letter or its own word do it too")),
        ]
