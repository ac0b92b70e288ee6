"""``review``: a match graded, in sentences made to be heard, or as data for programs."""

import json
from collections import Counter

from pubdice.advice.coach import Verdict
from pubdice.advice.luck_rank import LuckRanks
from pubdice.advice.rank_told import rank_told, ranks_data, ranks_of, rests_told
from pubdice.advice.receipt import PrintedSplit, printed_splits
from pubdice.advice.review import Fall, GradedDecision, Review, as_data, counted, review
from pubdice.records import Checked
from pubdice.terminal.arguments import Outside, Parser
from pubdice.terminal.coaching import Counsel, too_much
from pubdice.terminal.reading import add_file, records_in, text_of
from pubdice.terminal.replay_record import heading, sound
from pubdice.text.language import Language, faces, sentence

VERDICTS: dict[Verdict, tuple[str, str]] = {
    "best": ("{number} best", "{number} best"),
    "equal": ("{number} as good", "{number} as good"),
    "small": ("{number} small slip", "{number} small slips"),
    "mistake": ("{number} mistake", "{number} mistakes"),
    "blunder": ("{number} blunder", "{number} blunders"),
}
"""How many decisions have earned each verdict."""
GRADES: dict[Verdict, str] = {"small": "a small slip", "mistake": "a mistake", "blunder": "a blunder"}
"""What one decision is called."""


def command(words: list[str], outside: Outside, language: Language) -> None:
    """A record or a kept table, reviewed."""
    parser = Parser(
        "review",
        description="Grade every decision of a match against best play, and split each seat's result exactly into\n"
        "expectation, luck and skill. Forced and equal choices do not count. Each seat's luck is\n"
        "compared with that of replays in which everybody plays best. A file may hold several records.",
    )
    add_file(parser)
    parser.add_argument("--json", action="store_true", help="print the whole review as JSON")
    chosen = parser.parse_args(words)
    texts = [text for _, text in records_in(text_of(chosen.file, outside))]
    records = [sound(text, outside.games, language) for text in texts]
    told = []
    for number, checked in enumerate(records, 1):
        counsel = Counsel(checked.kit, checked.match, language, None if chosen.json else outside.line)
        if chosen.json:
            found = _review(checked, counsel, language)
            data = as_data(counsel.coach, found, checked.header.names)
            data["luck_rank"] = ranks_data(checked.header.names, _ranks(checked, counsel, found))
            told.append(data)
        else:
            outside.line.say([*heading(language, number, len(records)), *review_told(checked, counsel, language)])
    if chosen.json:
        outside.line.put(json.dumps(told if len(told) > 1 else told[0], ensure_ascii=False) + "\n")


def _review(checked: Checked, counsel: Counsel, language: Language) -> Review:
    try:
        with counsel.working():
            return review(counsel.coach, checked.steps)
    except (MemoryError, RecursionError):
        raise too_much(language) from None


def _ranks(checked: Checked, counsel: Counsel, found: Review) -> LuckRanks:
    with counsel.working():
        return ranks_of(checked, counsel.coach, found)


def review_told(checked: Checked, counsel: Counsel, language: Language) -> list[str]:
    """The review in lines. Raises FaultError."""
    found = _review(checked, counsel, language)
    return _Teller(checked, counsel, language, found).lines()


class _Teller:
    """Tells one review in lines, in one language."""

    def __init__(self, checked: Checked, counsel: Counsel, language: Language, found: Review) -> None:
        self.checked, self.counsel, self.language, self.found = checked, counsel, language, found
        self.counted = counted(found)
        self.names, self.say, self.amounts = checked.header.names, language.say, counsel.amounts

    def lines(self) -> list[str]:
        """The results, how well each seat chose, every mistake, the worst keep and the best roll."""
        found, steps = self.found, self.checked.steps
        over = bool(steps) and steps[-1].after.over
        opening = self.say("The review, by {utility}.", utility=found.utility)
        if not over:
            opening += " " + self.say("The record ends before the match does, so the result is where it stands.")
        told = [opening]
        splits = printed_splits(self.counted.splits, self.amounts.scale)
        told += [self._split(name, split) for name, split in zip(self.names, splits, strict=True)]
        if over:
            ranks = _ranks(self.checked, self.counsel, found)
            told.append(rests_told(self.language, ranks))
            told += [rank_told(self.language, name, rank) for name, rank in zip(self.names, ranks.seats, strict=False)]
        told += [self._grades(seat) for seat in range(len(self.names))]
        bad = [each for each in found.decisions if each.chosen.verdict in ("mistake", "blunder")]
        told += [sentence(self._graded(each)) for each in bad if each is not found.worst]
        if found.worst is not None:
            told.append(self.say("The worst choice: {graded}", graded=self._graded(found.worst)))
        if self.counted.best_roll is not None:
            told.append(self._fall(self.counted.best_roll))
        return told

    def _split(self, name: str, split: PrintedSplit) -> str:
        """A seat's result and its parts, rounded so that they add up, as a receipt on the web has them."""

        def value(units: int) -> str:
            return self.amounts.value(units / self.amounts.scale)

        def change(units: int) -> str:
            return self.amounts.change(units / self.amounts.scale)

        text = "{name}: expected {expectation}, {luck} by luck, {skill} by own choices, {given} by others: {result}."
        alone = "{name}: expected {expectation}, {luck} by luck, {skill} by own choices: {result}."
        facts = {
            "name": name,
            "expectation": value(split.expectation),
            "luck": change(split.luck),
            "skill": change(split.skill),
            "given": change(split.given),
            "result": value(split.result),
        }
        return sentence(self.say(text if len(self.names) > 1 else alone, **facts))

    def _grades(self, seat: int) -> str:
        mine = [each for each in self.found.decisions if each.seat == seat and each.counts]
        name = self.names[seat]
        if not mine:
            return sentence(self.say("{name}: no choice that counts.", name=name))
        number = Counter(each.chosen.verdict for each in mine)
        grades = [self.language.count(*VERDICTS[verdict], number[verdict]) for verdict in VERDICTS if number[verdict]]
        choices = self.language.count("{number} choice that counts", "{number} choices that count", len(mine))
        return sentence(self.say("{name}: {choices}; {grades}.", name=name, choices=choices, grades=", ".join(grades)))

    def _graded(self, each: GradedDecision) -> str:
        """Who chose what, what was lost and why, and what was best."""
        best = self.counsel.act(each.state, each.best)
        compared = self.counsel.compared(each.state, each.chosen, each.best)
        facts = {
            "grade": self.say(GRADES[each.chosen.verdict]),
            "name": self.names[each.seat],
            "number": each.state.number,
            "dice": faces(self._dice(each)),
        }
        text = "{grade} by {name} in round {number} with {dice}: {compared} Best was {best}."
        return self.say(text, best=best, compared=compared[:1].lower() + compared[1:], **facts)

    def _dice(self, each: GradedDecision) -> tuple[int, ...]:
        """The dice that could be chosen from; where none could, those that lay there."""
        inner, game = each.state, self.checked.match.game
        mover = game.mover(inner.round)
        if mover is None:
            return ()
        locked, free = game.dice(inner.round, mover)
        return free or locked

    def _fall(self, fall: Fall) -> str:
        facts = {"name": self.names[fall.seat], "number": fall.round, "dice": faces(fall.dice)}
        text = "The best roll: {dice} by {name} in round {number}, {gain}."
        return self.say(text, gain=self.amounts.change(fall.gain), **facts)
