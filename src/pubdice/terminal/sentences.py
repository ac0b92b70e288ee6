"""Sentences of the terminal's own: prompts, marks, help, the house's refusals, and the coach at a table."""

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from pubdice import failures
from pubdice.advice.coach import MISTAKE, Advice, Choice, Coach
from pubdice.advice.losses import MOST_OTHERS, Amounts, SpokenAdvice
from pubdice.core.errors import BadNotation, Failure, NotStored, Refused, Unsolved
from pubdice.core.seal import Seal
from pubdice.failures import OTHER, TOO_LARGE
from pubdice.kit import Kit
from pubdice.match.match import Match, MatchState
from pubdice.match.tray import Die
from pubdice.terminal.console import Console
from pubdice.text.game_words import GameWords
from pubdice.text.language import Language, Sentence, faces
from pubdice.text.word_lists import seal_words
from pubdice.typed import Keys, Names

Rows = Sequence[tuple[str, str]]
"""What can be typed, each with what it does."""
REFUSED: dict[str, Sentence] = {
    "match-over": "The match is over.",
    "house-dice": "You roll on screen here. Type r to roll.",
    "house-draws": "Player 1 is drawn at random here.",
    "enter-dice": (
        "Roll one of your own dice and type it, such as {example}.",
        "Roll {number} of your own dice and type them, such as {example}.",
        "due",
    ),
    "bank-before-roll": (
        "Nothing to bank yet. Roll one die first.",
        "Nothing to bank yet. Roll {number} dice first.",
        "due",
    ),
    "name-player-one": "Type the name of Player 1: {names}.",
    "nothing-to-mark": "You can't choose yet. Type r to roll.",
    "nothing-to-mark-yet": "You can't choose yet. Roll your dice and type them.",
    "gives-up": "You keep none of your dice. Choose some, or type k - r to reroll them all.",
    "not-markable": "You can only keep dice you just rolled.",
    "nothing-to-take-back": "There's nothing to undo. You can only undo what you typed last.",
    "rolled-is-rolled": "You've chosen no dice, and you can't undo a roll.",
    "no-table": "There's no game {table}. pubdice games lists your games.",
    "moved-on": "Game {table} went on somewhere else. pubdice resume {table} shows where it stands.",
    "log-damaged": "The file of game {table} is damaged at line {line}; nothing was changed.",
    "log-impossible": "The file of game {table} is damaged: event {event} cannot have happened; nothing was changed.",
    "store-unwritable": "Couldn't save the game in {folder} ({reason}), so nothing was played.",
    "store-unreadable": "Couldn't read the games in {folder} ({reason}).",
    "no-home": "There's no home folder to save games in. Name a folder with PUBDICE_DATA.",
    "no-games": "No game is waiting to go on. pubdice play starts one.",
    "drill-unwritable": "Couldn't save what you missed in {folder} ({reason}).",
    "drill-unreadable": "Couldn't read what you missed before in {folder} ({reason}).",
    "daily-unwritable": "Couldn't save your answer in {folder} ({reason}).",
    "daily-unreadable": "Couldn't read your earlier days in {folder} ({reason}).",
    "daily-damaged": "The file of your days is damaged at line {line}; nothing was changed.",
    "drill-damaged": "The file of missed positions is damaged at line {line}; nothing was changed.",
    "seal-opened": "The seal of this game was opened before, so its dice are known and the game is void.",
    "seal-lost": "The seal of this game can't be opened any more, so the game is void. pubdice play starts another.",
    "no-seals": "Dice can't be sealed here.",
    "secret-file": "The file {file} is needed to seal dice, and can't be used. Put it back, or move it away.",
    "game-over": "Game {table} is over. pubdice replay {table} tells it again.",
}


def refused(language: Language, error: Refused | NotStored, names: Iterable[str] = ()) -> str:
    """Why the table or the store says no; ``names`` are those at the table."""
    facts = {"names": language.join(names or ("",), "{some} or {last}"), **error.facts}
    if error.code == "enter-dice":
        due = facts["due"]
        facts["example"] = "344512"[: due if isinstance(due, int) else 6]
    return language.tell(REFUSED[error.code], facts)


def sealed(language: Language, seal: Seal) -> str:
    """The seal of the dice, as words to note."""
    return sealed_as(language, " ".join(seal_words(seal.shown, language.code)))


def sealed_as(language: Language, words: str) -> str:
    """The words of a seal, to be noted."""
    return language.say("The dice are sealed: nobody can change them now. Note these words: {words}.", words=words)


def own_seed(language: Language, seed: str) -> str:
    """The seed that somebody added here, to look for in the record."""
    return language.say("Your seed: {seed}. Look for it in the record.", seed=seed)


def lie(language: Language, dice: tuple[Die, ...], keys: Keys) -> str:
    """The dice as they lie: by place, or the free, the marked and the locked ones."""
    if not dice:
        return language.say("No dice on the table. They are all in the cup.")
    if keys == "position":
        texts = {
            "free": "{place} is {face}",
            "marked": "{place} is {face} marked",
            "locked": "{place} is {face} locked",
        }
        told = ", ".join(language.say(texts[die.status], place=die.place + 1, face=die.face) for die in dice)
        return language.say("Dice by place: {dice}.", dice=told)
    texts = {"free": "free {dice}", "marked": "marked to keep {dice}", "locked": "locked {dice}"}
    told = "; ".join(
        language.say(text, dice=faces(shown))
        for status, text in texts.items()
        if (shown := [die.face for die in dice if die.status == status])
    )
    return language.say("Dice: {dice}.", dice=told)


BY_FACE = (
    ("1 4 6", "by face: choose these to keep; type them again to let go"),
    ("+6 -6", "keep a 6, let go of a 6 (Shift and the digit keeps too)"),
)
BY_POSITION = (("1 4 6", "by place: choose the dice in these places, or let them go"),)
BY_FACE_TO_REROLL = (
    ("1 4 6", "by face: choose these to reroll, the others stay; type them again to let them stay"),
    ("+6 -6", "reroll a 6, let a 6 stay"),
)
BY_POSITION_TO_REROLL = (("1 4 6", "by place: choose the dice in these places to reroll, or let them stay"),)
CHOOSING: dict[tuple[Names, Keys], Rows] = {
    ("keep", "face"): BY_FACE,
    ("keep", "position"): BY_POSITION,
    ("reroll", "face"): BY_FACE_TO_REROLL,
    ("reroll", "position"): BY_POSITION_TO_REROLL,
}
NAMING = (
    ("k 6 5", "keep exactly these; k - keeps none"),
    ("x 1 3", "reroll exactly these and keep the others"),
    ("u", "undo your last choice"),
)
REAL = (
    ("344512", "after you roll: your dice, with or without spaces"),
    ("u", "with no dice chosen: undo what you typed last"),
)
STANDING = (
    ("s", "the scores"),
    ("d", "the dice on the table"),
    ("l", "what happened last"),
)
ASKING: Rows = (
    ("h", "what the coach would do, and why"),
    ("t", "the score to beat, and your chance"),
    *STANDING,
    ("?", "this page; Enter repeats the question"),
    ("q", "leave; the game is saved, and pubdice resume goes on"),
)
ASKING_THE_HOUSE: Rows = (
    ("t", "the score to beat"),
    ("s", "the scores"),
    ("d or h", "your dice, or those of the player whose turn it is"),
    ("l", "what happened last"),
    ("w", "whose turn it is, and who is here"),
    ("n", "nudge the player whose turn it is"),
    ("give", "let a bot play for you; back takes the seat again"),
    ("rematch", "after the game: play again"),
    ("?", "this page"),
    ("q", "leave; the seat stays yours, and pubdice join goes on"),
)
"""At a table of a house on the web, which has no coach."""


def page_of_help(
    language: Language,
    verbs: list[tuple[str, str]],
    keys: Keys,
    *,
    real: bool,
    asking: Rows = ASKING,
    names: Names = "keep",
    keeps_dice: bool = True,
) -> list[str]:
    """All that can be typed, in lines. keeps_dice: dice can be chosen."""

    def lines(head: str, rows: Rows) -> list[str]:
        return [language.say(head), *(f"  {key:<8}{language.say(text)}" for key, text in rows)]

    return [
        *(lines("Your own dice:", REAL) if real else []),
        *(lines("To choose dice:", (*CHOOSING[names, keys], *NAMING)) if keeps_dice else []),
        *lines("Then:" if keeps_dice else "To play:", verbs),
        *lines("To ask and to leave:", asking),
        *([language.say("You can type several at once, such as: 1 4 r")] if keeps_dice else []),
    ]


# A failure ready to be told in the terminal: a sentence, and the exit status that goes with it.


class FaultError(Exception):
    """A fault ready to be told: its sentence, and the exit status that goes with it."""

    def __init__(self, told: str, status: int) -> None:
        super().__init__(told)
        self.status = status


def explain(language: Language, error: Failure, words: GameWords | None = None, game: Any = None) -> str:
    """The sentence for a failure; ``words`` and ``game`` are needed for moves the rules forbid."""
    if isinstance(error, Refused | NotStored):
        return refused(language, error)
    return failures.explain(language, error, words, game)


# The coach at a table: advice and chances when asked for, a word before a keep that loses much. Solves only then.


USUAL_PER_CENT = MISTAKE * 100
"""The least value lost that is warned of, in percent of the yardstick, unless somebody says otherwise."""
QUICK_SEATS = 4
"""With more seats a solution may take minutes: then it waits until advice is asked for outright."""


def solved(kit: Kit, match: Match[Any, Any], language: Language) -> Coach:
    """A coach for a match. Raises FaultError where it is not solved, in a sentence."""
    if kit.solver is None:
        raise FaultError(not_solved(language, kit), 1)
    try:
        return Coach(kit.solver(match), match)
    except ImportError:
        told = language.say("Advice needs numpy, which is not installed here: pip install numpy.")
        raise FaultError(told, 1) from None
    except (Unsolved, BadNotation) as error:
        raise FaultError(explain(language, error, kit.words), OTHER) from None


def working(language: Language, line: Console | None) -> AbstractContextManager[None]:
    """A word if what stands inside takes longer than a moment, as solving may; nothing where no line is given."""
    return nullcontext() if line is None else line.waiting(language.say("Working it out. This may take a minute."))


def not_solved(language: Language, kit: Kit) -> str:
    """What is said where a game has no solver."""
    return language.say("{title} is not solved here, so the coach has nothing to say.", title=kit.words.title)


def too_much(language: Language) -> FaultError:
    """What is said where a solution outgrows the machine."""
    return FaultError(language.say(TOO_LARGE), 1)


class Counsel:
    """What the coach says at one table, in sentences; nothing is solved before it is asked.

    line: where somebody waits for it, if anybody does. warn: the least value lost, as a part of the yardstick, that is
    warned of; None never warns.
    """

    def __init__(
        self,
        kit: Kit,
        match: Match[Any, Any],
        language: Language,
        line: Console | None = None,
        warn: float | None = None,
    ) -> None:
        self.kit, self.match, self.words, self.language, self.warn = kit, match, kit.words, language, warn
        self._line = line
        self._coach: Coach | None = None
        self._warned: set[tuple[MatchState[Any], Any]] = set()

    def working(self) -> AbstractContextManager[None]:
        """A word to those who wait, if what stands inside takes longer than a moment."""
        return working(self.language, self._line)

    @property
    def coach(self) -> Coach:
        """The coach, made when first asked for. Raises FaultError."""
        if self._coach is None:
            with self.working():
                self._coach = solved(self.kit, self.match, self.language)
        return self._coach

    @property
    def _quick(self) -> bool:
        """Whether this match is solved within a few seconds."""
        return self.match.seats <= QUICK_SEATS

    @property
    def amounts(self) -> Amounts:
        """How this match's values are said."""
        return self._spoken.amounts

    @property
    def _spoken(self) -> SpokenAdvice:
        return SpokenAdvice(self.words, self.match, self.language, self.coach.solver)

    def advise(self, state: MatchState[Any]) -> Advice:
        """The advice at a decision. Raises FaultError."""
        coach = self.coach
        try:
            with self.working():
                return coach.advise(state)
        except (MemoryError, RecursionError):
            raise too_much(self.language) from None

    def advice(self, state: MatchState[Any], marked: Any = None, others: int = MOST_OTHERS) -> list[str]:
        """The best action and a few others; ``marked``: the one that is marked now. Raises FaultError."""
        say = self.language.say
        if state.over:
            return [say("The match is over.")]
        if state.round is None:
            return [say("Draw Player 1 first.")]
        if not self.match.legal(state):
            return [say("You can't choose yet. Roll first.")]
        return self._spoken.advise(state, self.advise(state), marked, others)

    def act(self, state: MatchState[Any], choice: Choice) -> str:
        """An action in words."""
        return self._spoken.act(state, choice)

    def compared(self, state: MatchState[Any], choice: Choice, best: Choice) -> str:
        """What an action loses against the best, and why."""
        return self._spoken.compared(state, choice, best)

    def chance(self, state: MatchState[Any]) -> list[str]:
        """The mover's chances; nothing where they are not known, or not quickly."""
        if self.kit.solver is None or state.over or state.round is None:
            return []
        if self._coach is None and not self._quick:
            return []
        try:
            with self.working():
                facts = self.coach.outlook(state)
            return self.words.chance(self.language, self.match.game, state.round, facts)
        except (FaultError, MemoryError, RecursionError):
            return []

    def holds_back(self, state: MatchState[Any], action: Any) -> list[str]:
        """What to say before an action that loses too much, once; nothing if it may go ahead. Raises FaultError."""
        if self.warn is None or (state, action) in self._warned:
            return []
        advice = self.advise(state)
        chosen = advice.of(action)
        if chosen.lost == 0 or chosen.lost < self.warn * self.coach.yardstick:
            return []
        self._warned.add((state, action))
        again = self.language.say("Nothing is done yet. Type it again to do it anyway, or do something else.")
        return [f"{self._spoken.warning(state, chosen, advice.best)} {again}"]
