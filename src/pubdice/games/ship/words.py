"""The words of Ship, Captain and Crew: the dice aboard, the cargo, and the choice to stop."""

from collections.abc import Mapping
from typing import Any

from pubdice.core.dice import Hand, together, without
from pubdice.core.game import Keep, RoundState
from pubdice.games.ship.rules import CREW, ROLLS, Ship, aboard, comes_aboard
from pubdice.text.game_words import Rail, rolls_left
from pubdice.text.language import Language, Sentence
from pubdice.text.turn_words import TurnWords

CARGO = {
    "together": "both cargo dice rolled together",
    "single": "cargo dice rolled one by one",
    "stays": "no cargo rolled again",
}


class ShipWords(TurnWords[Ship]):
    """The words of Ship, Captain and Crew. With all three aboard the mover chooses: stop, or roll cargo again."""

    title = "Ship, Captain and Crew"
    short = "Ship"
    tagline = "find a 6, a 5 and a 4, then carry the most cargo"
    refusals: Mapping[str, Sentence] = {
        "crew-stays": "Keep {dice} too: ship, captain and crew stay.",
        "crew-first": "You need a {face} first. Nothing else can stay before it.",
        "cargo-together": "The two cargo dice go together: keep both or roll both.",
    }

    def aim(self, language: Language, game: Ship) -> str:
        """Return the aim: the dice that must come aboard, then the cargo."""
        return language.say("Get 6, 5, 4, then cargo.")

    def options(self, language: Language, game: Ship) -> str:
        """Say which cargo dice may be rolled again. If boxcars win, say that too."""
        said = language.say(CARGO[game.cargo])
        return language.say("{said}, and 6 6 wins at once", said=said) if game.boxcars == "yes" else said

    def red(self, game: Ship) -> tuple[int, ...]:
        """Return the faces of ship, captain and crew. Their dice are shown in red."""
        return CREW

    def keeps(self, language: Language, game: Ship, name: str, before: RoundState, action: Keep) -> list[str]:
        """Say which dice came aboard, that no die did, or what the mover chose about the cargo.

        After a last roll, return nothing, because all dice stay.
        """
        about = language.about
        if len(game.legal(before)) > 1:
            if action.dice == before.free:
                return [about("{name} stopped.", "You stopped.", name)]
            if not action.dice:
                total = self._cargo(game, before)
                return [
                    about("{name} gave up a cargo of {total}.", "You gave up a cargo of {total}.", name, total=total)
                ]
        elif action.dice == before.free:
            return []
        elif not action.dice:
            text = "{name} has no {face}: the dice go back.", "You have no {face}: the dice go back."
            return [about(*text, name, face=CREW[len(before.locked)])]
        return super().keeps(language, game, name, before, action)

    def to_roll(self, language: Language, game: Ship, state: RoundState) -> str:
        """Return the number of dice to roll, the dice that the turn has so far, and the rolls left."""
        return f"{super().to_roll(language, game, state)} {self._left(language, game, state)}"

    def rolls_on(self, language: Language, game: Ship, state: RoundState) -> list[str]:
        """Return the number of dice to roll, the rolls left, and the dice still needed."""
        rolls, *need = super().rolls_on(language, game, state)
        return [rolls, self._left(language, game, state), *need]

    def ask(self, language: Language, game: Ship, state: RoundState) -> str:
        """Return the cargo, the rolls left, and the question to stop or roll again."""
        return " ".join(self.to_choose(language, game, state))

    def to_choose(self, language: Language, game: Ship, state: RoundState) -> list[str]:
        """Return the cargo, the rolls left, and the question. Reading out the dice did not tell the cargo's sum."""
        return [*self._has(language, game, state, ""), language.say("Stop, or roll again?")]

    def stands(self, language: Language, game: Ship, state: RoundState) -> list[str]:
        """Return the dice aboard, the dice still needed, and the cargo die that the mover holds."""
        crew = aboard(state.locked)
        said = super().stands(language, game, RoundState(state.seats, state.scores, crew))
        held = without(state.locked, crew)
        return [*said, *([language.say("You hold {dice}.", dice=self.faces(held))] if held else [])]

    def todo(self, language: Language, game: Ship, state: RoundState) -> str:
        """Return the mover's task in a few words: stop or roll again."""
        return language.say("stop or roll again")

    def hint(self, language: Language, game: Ship, state: RoundState) -> str:
        """Say that a cargo die may be held, if each may be rolled by itself."""
        return language.say("Mark a cargo die to hold it.") if game.cargo == "single" else ""

    def status(self, language: Language, game: Ship, state: RoundState, names: tuple[str, ...]) -> list[str]:
        """Return the mover's cargo and the score to beat. Before there is a cargo, return the dice still needed."""
        crew = comes_aboard(state.locked, state.free)
        if not state.free or not self._loaded(RoundState(state.seats, state.scores, together(state.locked, crew))):
            return super().status(language, game, state, names)
        has = self._has(language, game, state, names[len(state.scores)])
        return [*has, *(self.to_beat(language, game, state, names) if state.scores else [])]

    def rail(self, language: Language, game: Ship, state: RoundState, name: str, marked: Hand) -> Rail | None:
        """Return five slots: three for ship, captain and crew, two for the cargo.

        Cargo fills its slots without a mark.
        """
        crew = comes_aboard(state.locked, state.free)
        lying = RoundState(state.seats, state.scores, together(state.locked, crew))
        return super().rail(language, game, lying, name, without(state.free, crew) if self._loaded(lying) else ())

    def missing(self, language: Language, game: Ship, rule: str, facts: Mapping[str, Any]) -> str:
        """Say that both cargo dice go together."""
        return language.say("Keep both or none") if rule == "cargo-together" else ""

    def choice(self, language: Language, game: Ship, state: RoundState, action: Keep) -> str:
        """Name an action: to stop, to give up the cargo, or to hold one of its dice. A forced keep names its dice."""
        if action.dice == state.free:
            return language.say("stop")
        if len(game.legal(state)) == 1:
            return super().choice(language, game, state, action) if action.dice else language.say("roll again")
        held = without(action.dice, comes_aboard(state.locked, state.free))
        return language.say("hold {dice}", dice=self.faces(held)) if held else language.say("give up the cargo")

    def verbs(self, language: Language) -> list[tuple[str, str]]:
        """Return the keys for rolling again and for stopping."""
        return [("r", language.say("roll again")), ("b", language.say("stop: your cargo counts"))]

    def _loaded(self, state: RoundState) -> bool:
        return len(aboard(state.locked)) == len(CREW)

    def _cargo(self, game: Ship, state: RoundState) -> int:
        return game.worth(together(state.locked, state.free))

    def _has(self, language: Language, game: Ship, state: RoundState, name: str) -> list[str]:
        total = self._cargo(game, state)
        has = language.about("{name} has a cargo of {total}.", "You have a cargo of {total}.", name, total=total)
        return [has, self._left(language, game, state)]

    def _left(self, language: Language, game: Ship, state: RoundState) -> str:
        """Return the rolls left in the turn. Once all dice must stay, there are none."""
        left = 0 if game.legal(state) == (Keep(state.free),) else ROLLS - state.rolls
        return rolls_left(language, left)
