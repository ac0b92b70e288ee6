"""``drill``: ask positions and grade the answers. Missed positions come first, also in later drills."""

from argparse import Namespace
from collections.abc import Iterable
from functools import partial
from itertools import chain
from typing import Any, NoReturn

from pubdice.advice.coach import Advice, Choice
from pubdice.advice.spoken_advice import briefly
from pubdice.command_line import FaultError, chosen_options, kit_named, mistyped, one_of, seed_of
from pubdice.kit import Kit, read_number
from pubdice.match.match import Match, MatchState
from pubdice.store import MemoryStore
from pubdice.terminal import sentences as own
from pubdice.terminal.answer_logs import MissedPositions
from pubdice.terminal.arguments import Environment
from pubdice.terminal.console import LeftError
from pubdice.terminal.declared import USUAL_COUNT
from pubdice.terminal.drill_positions import new_positions, position_of
from pubdice.terminal.saved_games import SavedGame
from pubdice.terminal.session import Session, TerminalServices
from pubdice.terminal.table_coach import TableCoach, not_solved, working
from pubdice.terminal.typed_table import QuitError
from pubdice.text.language import Language, sentence

MOST_COUNT = 1000
OWN = {"game", "count", "seed"}
"""The options of the drill itself. All other options are house rules."""
RIGHT = {
    "best": "Right: {act} is best, {value} ({utility}).",
    "equal": "Right: nothing is better than {act}, {value} ({utility}).",
    "small": "Nearly: a small slip.",
    "mistake": "No: a mistake.",
    "blunder": "No: a blunder.",
}
"""The sentence about an answer, by its verdict."""


class AnsweredError(Exception):
    """The player has answered. The drill grades the action, and does not play it."""

    def __init__(self, action: Any) -> None:
        super().__init__(action)
        self.action = action


class _Silent(TableCoach):
    """A coach that gives no advice, because the player has still to answer."""

    def advice(self, state: MatchState[Any], marked: Any = None, others: int = 0) -> list[str]:
        return [self.language.say("Answer first, then the coach tells you.")]

    def chance(self, state: MatchState[Any]) -> list[str]:
        """Return nothing, because the chances would give the answer away."""
        return []

    def holds_back(self, state: MatchState[Any], action: Any) -> NoReturn:
        """Take the action as the answer: raise AnsweredError with it."""
        raise AnsweredError(action)


def drill(chosen: Namespace, outside: Environment, language: Language) -> None:
    """Ask positions, grade the answers, and store the missed ones."""
    games = outside.games
    solvable = [kit for kit in games.values() if kit.solver is not None]
    count = USUAL_COUNT if chosen.count is None else read_number("count", chosen.count, 1, MOST_COUNT)
    seed = seed_of(chosen.seed)
    kits = [kit_named(chosen.game, games, language)] if chosen.game is not None else solvable
    if chosen.game is None and any(vars(chosen)[key] is not None for key in vars(chosen).keys() - OWN):
        names = one_of([kit.name for kit in solvable], language)
        raise mistyped("pubdice drill", language.say("name the game: {games}", games=names), language)
    if not kits:
        raise FaultError(language.say("No game is solved here, so there's nothing to drill."), 1)
    if kits[0].solver is None:
        raise FaultError(not_solved(language, kits[0]), 1)
    rules = [(kit, chosen_options(chosen, kit, games, language) if chosen.game is not None else {}) for kit in kits]
    drill = _Drill(kits, outside, language)
    drill.run(new_positions(rules, partial(outside.cup, seed), drill.counsel, language), count)


def ask_position(position: SavedGame, outside: Environment, language: Language, before: str = "") -> Any:
    """Return the player's answer to a position. The answer is not played. Raises QuitError or LeftError.

    ``before`` is the grade of the answer before. "l" says it again.
    """
    store, cup = MemoryStore(), outside.cup(None, "drill")  # the cup is never used, because nothing is played
    store.create(*position.log.write())
    services = TerminalServices(store, cup, cup, outside.now, lambda: None)
    session = Session(position, services, outside.line, language, asking=own.ASKING_A_POSITION)
    session.counsel = _Silent(position.kit, session.match, language)
    session.open()
    session.last = [line for line in (before, *session.last) if line]
    try:
        session.play()
    except AnsweredError as answered:
        return answered.action
    raise AssertionError("a position ends with an answer")


class _Drill:
    def __init__(self, kits: list[Kit], outside: Environment, language: Language) -> None:
        self.kits, self.outside, self.language, self.line = kits, outside, language, outside.line
        self.say = language.say
        self.misses = MissedPositions(outside.drills)
        self.asked = self.right = 0
        self.graded = ""  # the grade of the last answer
        self._counsels: dict[tuple[str, Match[Any, Any]], TableCoach] = {}

    def run(self, new: Iterable[SavedGame], count: int) -> None:
        """Ask ``count`` positions, missed positions first, and say how many answers were right."""
        missed = self._missed()
        if missed:
            one, many = "One position missed before comes first.", "{number} positions missed before come first."
            self.line.say([self.language.count(one, many, len(missed))])
        try:
            positions = chain(missed, new)
            for at in range(count):
                with working(self.language, self.line):  # once, though a search solves and looks at many positions
                    position = next(positions)
                self._grade(position, self._ask(position), again=at < len(missed))
        except (QuitError, LeftError):
            pass
        self.line.say([self._summary()])

    def counsel(self, kit: Kit, match: Match[Any, Any]) -> TableCoach:
        """Return the coach of a match. It is cached, because it takes some seconds to solve a match."""
        key = kit.name, match
        if key not in self._counsels:
            self._counsels[key] = TableCoach(kit, match, self.language, self.line)
        return self._counsels[key]

    def _missed(self) -> list[SavedGame]:
        found = (position_of(text, self.outside.games, self.language) for text in self.misses.positions())
        names = {kit.name for kit in self.kits}
        return [position for position in found if position is not None and position.kit.name in names]

    def _ask(self, position: SavedGame) -> Any:
        """Announce a position and return the answer. Raises QuitError or LeftError."""
        told = [self.say("Position {number}.", number=self.asked + 1), self._score() if self.asked else ""]
        self.line.say([" ".join(filter(None, told))])
        return ask_position(position, self.outside, self.language, self.graded)

    def _grade(self, position: SavedGame, action: Any, *, again: bool) -> None:
        """Say the verdict on an answer. Log the answer if it is a mistake, or if the position was missed before."""
        match, state = position.live.table.match, position.live.state.match
        counsel = self.counsel(position.kit, match)
        advice = counsel.advise(state)
        choice = advice.of(action)
        self.asked += 1
        self.right += choice.lost == 0
        self.graded = self._graded(counsel, state, advice, choice)
        self.line.say([self.graded])
        missed = choice.verdict in ("mistake", "blunder")
        if missed or again:
            self.misses.note(position.record(), missed=missed, kept=match.game.write_action(action))

    def _graded(self, counsel: TableCoach, state: MatchState[Any], advice: Advice, choice: Choice) -> str:
        spoken = counsel.spoken

        def filled(text: str, choice: Choice) -> str:
            utility = briefly(self.language, counsel.coach.solver.utility)
            facts = {"value": spoken.amounts.worth(choice.value), "utility": utility}
            return sentence(self.say(text, act=spoken.act(state, choice), **facts))

        said = filled(RIGHT[choice.verdict], choice)
        if choice.lost == 0:
            other = next((each for each in advice.choices if each.lost > 0), None)
            return said if other is None else f"{said} {spoken.compared(state, other, advice.best)}"
        best = filled("{act} is best, {value} ({utility}).", advice.best)
        return f"{said} {spoken.compared(state, choice, advice.best)} {best}"

    def _score(self) -> str:
        one, many = "{right} of {number} position right.", "{right} of {number} positions right."
        return self.language.count(one, many, self.asked, right=self.right)

    def _summary(self) -> str:
        if not self.asked:
            return self.say("You answered no position.")
        said = self._score()
        left = len(self._missed())
        if not left:
            return said
        one, many = "One missed position comes first next time.", "{number} missed positions come first next time."
        return f"{said} {self.language.count(one, many, left)}"
