"""Commands that read and do not play: games, records, reviews, rules, questions to the solved games, and nights."""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pubdice.advice.coach import Verdict
from pubdice.advice.losses import MatchLosses, match_losses, ranked, ranking_data, ranking_lines
from pubdice.advice.questions import question as question_of
from pubdice.advice.ranking import as_data as advice_data
from pubdice.advice.receipt import PrintedSplit, printed_splits
from pubdice.advice.review import (
    Fall,
    GradedDecision,
    LuckRanks,
    Review,
    as_data,
    counted,
    rank_told,
    ranks_data,
    ranks_of,
    rests_told,
    review,
)
from pubdice.core.cup import DRAW, DiceSlot, NightMark
from pubdice.core.errors import BadNotation, IllegalAction, Unsolved
from pubdice.failures import BAD_NOTATION, ILLEGAL_ACTION, exit_status
from pubdice.kit import Checked, Kit, Question, read_checked, read_number
from pubdice.match.match import MatchState
from pubdice.match.narrate import Narrator, summary
from pubdice.match.notation import RawHeader, parse, parts
from pubdice.match.record import dice_by_slot, first_difference, night_in
from pubdice.solve.perft import perft as count_plies
from pubdice.terminal.arguments import (
    Once,
    Outside,
    Parser,
    add_option_flags,
    chosen_options,
    kit_named,
    number_of,
    read_seats,
)
from pubdice.terminal.console import Console
from pubdice.terminal.saved_games import listed, load
from pubdice.terminal.sentences import Counsel, FaultError, explain, too_much, working
from pubdice.text.language import Language, faces, sentence
from pubdice.text.markdown import plain_lines

# A record checked and told again: in sentences, or as data for programs.


def sound(text: str, games: Mapping[str, Kit], language: Language) -> Checked:
    """A whole record, checked. Raises FaultError."""
    try:
        return read_checked(text, games, language)
    except (BadNotation, IllegalAction) as error:
        raise FaultError(error.told, exit_status(error)) from None


def retell(texts: Sequence[str], games: Mapping[str, Kit], line: Console, language: Language, *, as_json: bool) -> None:
    """Check whole records, then tell each. Raises FaultError, before anything is told."""
    records = [sound(text, games, language) for text in texts]
    if as_json:
        found = [summary(checked.header, checked.match, checked.steps) for checked in records]
        line.put(json.dumps(found if len(found) > 1 else found[0], ensure_ascii=False) + "\n")
        return
    for number, checked in enumerate(records, 1):
        line.say(heading(language, number, len(records)))
        _retell(checked, line, language)


def heading(language: Language, number: int, of: int) -> list[str]:
    """What stands before a record of several."""
    return [language.say("Record {number} of {of}.", number=number, of=of)] if of > 1 else []


def _retell(checked: Checked, line: Console, language: Language) -> None:
    kit, header, match, steps = checked.kit, checked.header, checked.match, checked.steps
    narrator = Narrator(language, kit.words, match, header.names)
    line.say([narrator.opening()])
    state = match.start()
    if not match.to_draw(state):
        line.say([narrator.round_opens(state)])
    for step in steps:
        line.say(narrator.tell(step.before, step.move, step.after))
        state = step.after
    if not state.over:
        line.say(
            [" ".join([language.say("Here the record ends, before the match does."), *narrator.standing(state.tally)])]
        )


DEEPEST = 100
MOST_READ = 4_000_000
"""Bytes of a record: an evening of a thousand rounds has about 300,000."""


def games(words: list[str], outside: Outside, language: Language) -> None:
    """A line for each table kept."""
    Parser("games", description="List your saved games, oldest first.").parse_args(words)
    rows = list(listed(outside.store, outside.games, language))
    for row in rows or [language.say("No game is kept here yet.")]:
        outside.line.say([row])


def rules(words: list[str], outside: Outside, language: Language) -> None:
    """A game's page of rules."""
    parser = Parser("rules", description="Print the rules of a game: a minute's reading.")
    parser.add_argument("game", metavar="GAME", help=" or ".join(outside.games))
    outside.line.say(plain_lines(kit_named(parser.parse_args(words).game, outside.games).rules(language.code)))


def replay(words: list[str], outside: Outside, language: Language) -> None:
    """A record or a kept table, checked and told again."""
    parser = Parser(
        "replay",
        description="Check a record, or several in one file, and tell it again; if any of it is wrong, tell nothing.\n"
        "Exit status 2: pubdice can't read it. 3: a move in it breaks the rules.",
    )
    add_file(parser)
    parser.add_argument(
        "--json", action="store_true", help="print header, turns with their scores, winners and standings as JSON"
    )
    chosen = parser.parse_args(words)
    records = [text for _, text in records_in(text_of(chosen.file, outside))]
    retell(records, outside.games, outside.line, language, as_json=chosen.json)


def add_file(parser: Parser) -> None:
    """The argument that names a record; ``text_of`` reads it."""
    parser.add_argument(
        "file", metavar="FILE", help="a record's file, the number of a saved game, or - for standard input"
    )


def records_in(text: str) -> list[tuple[str, str]]:
    """The records in a text, such as an evening's: each as it was written, and with what stands before it as empty
    lines, so that a fault in it has its line in the whole text.
    """
    found, before = [], 0
    for part in parts(text):
        found.append((part, "\n" * before + part))
        before += part.count("\n")
    return found


def text_of(name: str, outside: Outside) -> str:
    """The text of a record: a file, the number of a kept table, or - for standard input. Raises BadNotation."""
    path = Path(name)
    try:
        if name == "-":
            data = sys.stdin.buffer.read(MOST_READ + 1)
        elif not path.exists() and name.isascii() and name.isdigit():
            return load(outside.store, number_of(name), outside.games).record()
        else:
            with path.open("rb") as file:
                data = file.read(MOST_READ + 1)
    except (OSError, ValueError) as error:
        raise BadNotation("file", found=name, reason=getattr(error, "strerror", None) or "no such file") from None
    if len(data) > MOST_READ:
        raise BadNotation("file-large", found=name, most=MOST_READ // 1_000_000)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadNotation("file-text", found=name, at=error.start + 1) from None


def record(words: list[str], outside: Outside, language: Language) -> None:
    """A kept table's match as a record."""
    parser = Parser("record", description="Print a saved game as a record, to share it or keep it on paper.")
    parser.add_argument("number", metavar="N", help="the number of the game; pubdice games lists them")
    number = number_of(parser.parse_args(words).number)
    outside.line.put(load(outside.store, number, outside.games).record())


def perft(words: list[str], outside: Outside, language: Language) -> None:
    """Count positions, rolls and actions, ply by ply."""
    parser = Parser(
        "perft",
        description="Count the positions of one round, ply by ply, with the rolls and actions possible in them.\n"
        "A ply is a roll or an action. Counts grow fast: each ply takes longer than all before it.",
    )
    parser.add_argument("game", metavar="GAME", help=" or ".join(outside.games))
    parser.add_argument("--seats", metavar="N", help="how many play (the fewest the game allows)")
    parser.add_argument("--depth", metavar="N", default="4", help="how many plies (4)")
    add_option_flags(parser, outside.games)
    parser.add_argument("--json", action="store_true", help="print the plies as JSON")
    chosen = parser.parse_args(words)
    kit = kit_named(chosen.game, outside.games)
    game = kit.build({o.key: o.choices[0] for o in kit.options})
    least = game.least_seats
    seats = read_number("seats", str(least) if chosen.seats is None else chosen.seats, least, game.most_seats)
    fields = {"game": kit.name, "seats": ", ".join(read_seats(str(seats), kit)[0])}
    match = kit.match(kit.normalize(RawHeader(fields | chosen_options(chosen, kit, outside.games))))
    depth = read_number("depth", chosen.depth, 0, DEEPEST)
    plies = count_plies(match.game, match.seats, depth)
    if chosen.json:
        outside.line.put(json.dumps([asdict(ply) for ply in plies]) + "\n")
        return
    text = "ply {ply}: {positions} positions, {chance} chance, {decision} decision, {terminal} over; "
    text += "{rolls} rolls, {actions} actions"
    outside.line.say(language.say(text, ply=at, **asdict(ply)) for at, ply in enumerate(plies))


# ``review``: a match graded, in sentences made to be heard, or as data for programs.


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


def review_command(words: list[str], outside: Outside, language: Language) -> None:
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


# ``odds``, ``advise``, ``price`` and ``card``: questions to the solved games, with the flags each game asks for.


DESCRIPTIONS = {
    "odds": "Each player's chances if everybody plays perfectly, exact to the bound that --json prints.",
    "advise": "What every choice of a position is worth, best first, and how much each loses against the best.",
    "price": "What each house rule does for the player who goes first, changed one at a time, under perfect play.",
    "card": "Best play on a card: what each line costs you if you ignore it, and what the whole card gives away.",
}
RECORD = "a record that ends where somebody has to choose: a file, the number of a saved game, or - for standard input"


def question(name: str) -> Callable[[list[str], Outside, Language], None]:
    """The command that asks this question of a game."""

    def command(words: list[str], outside: Outside, language: Language) -> None:
        _ask(name, words, outside, language)

    return command


def _joined(words: list[str], asked: Question) -> list[str]:
    """Flags joined to their values, so that a value may begin with a dash, as in ``--hands -,6551``."""
    valued = {f"--{flag.name}" for flag in asked.flags if flag.value}
    joined: list[str] = []
    for word in words:
        if joined and joined[-1] in valued and not word.startswith("--"):
            joined[-1] += f"={word}"
        else:
            joined.append(word)
    return joined


def _ask(name: str, words: list[str], outside: Outside, language: Language) -> None:
    games = outside.games
    if not words or words[0].startswith("-"):
        asked = [kit.name for kit in games.values() if question_of(kit, name) is not None]
        parser = Parser(name, description=DESCRIPTIONS[name], epilog=f"pubdice {name} GAME --help lists the flags.")
        parser.add_argument("game", metavar="GAME", help=" or ".join(asked))
        parser.parse_args(words)
    kit = kit_named(words[0], games)
    found = question_of(kit, name)
    if found is None:
        raise BadNotation("unsolved" if kit.solver is None else "no-card", title=kit.words.title)
    parser = Parser(f"{name} {kit.name}", description=DESCRIPTIONS[name])
    if name == "advise":
        parser.add_argument("file", nargs="?", metavar="RECORD", help=RECORD)
    for flag in found.flags:
        if flag.value:
            parser.add_argument(f"--{flag.name}", metavar=flag.value, help=flag.meaning, action=Once)
        else:
            parser.add_argument(f"--{flag.name}", action="store_const", const="", help=flag.meaning)
    parser.add_argument("--json", action="store_true", help="print the answer as JSON")
    chosen = parser.parse_args(_joined(words[1:], found))
    flags = vars(chosen)
    given = {flag.name: text for flag in found.flags if (text := flags[flag.name.replace("-", "_")]) is not None}
    if name == "advise" and chosen.file is not None:
        _advise_record(kit, chosen, given, outside, language)
        return
    try:
        position = found.position(given) if found.position is not None else None
        if position is not None:
            counsel = Counsel(kit, position.match, language, None if chosen.json else outside.line)
            _speak(counsel, position.state, outside, as_json=chosen.json)
            return
        with working(language, None if chosen.json else outside.line):
            data = found.answer(given)
    except (Unsolved, BadNotation) as error:
        raise FaultError(explain(language, error, kit.words), exit_status(error)) from None
    except MemoryError:
        raise too_much(language) from None
    if chosen.json:
        outside.line.put(json.dumps(data, ensure_ascii=False) + "\n")
    else:
        outside.line.say(found.tell(language, data))


def _advise_record(
    kit: Kit, chosen: argparse.Namespace, given: dict[str, str], outside: Outside, language: Language
) -> None:
    """Advice at the end of a record. Raises BadNotation or FaultError."""
    if given:
        raise BadNotation("advise-flag", flag=next(iter(given)))
    checked = sound(text_of(chosen.file, outside), outside.games, language)
    if checked.kit.name != kit.name:
        raise BadNotation("record-game", other=checked.kit.words.title, title=kit.words.title)
    match = checked.match
    state = checked.steps[-1].after if checked.steps else match.start()
    if not match.legal(state):
        raise BadNotation("no-decision")
    _speak(Counsel(kit, match, language, None if chosen.json else outside.line), state, outside, as_json=chosen.json)


def _speak(counsel: Counsel, state: MatchState[Any], outside: Outside, *, as_json: bool) -> None:
    """Advice at a decision of a match. Raises FaultError."""
    advice = counsel.advise(state)
    if as_json:
        data = advice_data(counsel.match.game, counsel.coach, advice)
        outside.line.put(json.dumps(data, ensure_ascii=False) + "\n")
    else:
        outside.line.say(counsel.advice(state, others=len(advice.choices)))


# ``night``: who gave least away at the tables of a duplicate night, from their records alone.


MOST_RECORDS = 64
"""Records of one night: twice as many as a house's night has tables."""


def command(words: list[str], outside: Outside, language: Language) -> None:
    """Records of one night, checked against each other and ranked."""
    parser = Parser(
        "night",
        description="Rank the seats of a duplicate night by the value they lost, from the records of its tables.\n"
        "Checks first that the tables played the same match with the same dice. The loss is exact; the\n"
        "band of 95 % says how far the mean loss of a real decision may be off.\n"
        "Exit status 2: pubdice can't read a record, or the records aren't from the same night. 3: their dice differ.",
    )
    parser.add_argument(
        "files", nargs="+", metavar="FILE", help="a record's file, the number of a saved game, or - for standard input"
    )
    parser.add_argument("--json", action="store_true", help="print the ranking as JSON")
    chosen = parser.parse_args(words)
    if len(chosen.files) > MOST_RECORDS:
        raise FaultError(language.say("Give {most} records at most.", most=MOST_RECORDS), BAD_NOTATION)
    tables: list[Checked] = []
    nights: list[NightMark] = []
    for name in chosen.files:
        text = text_of(name, outside)
        tables.append(sound(text, outside.games, language))
        nights.append(_night(name, text, language))
    _check(chosen.files, tables, nights, language)
    losses = _losses(tables, None if chosen.json else outside, language)
    ranking = ranked(losses, language)
    if chosen.json:
        outside.line.put(json.dumps(ranking_data(ranking, losses), ensure_ascii=False) + "\n")
        return
    outside.line.say(ranking_lines(ranking, language))


def _night(name: str, text: str, language: Language) -> NightMark:
    try:
        night = night_in(parse(text))
    except BadNotation as error:
        raise FaultError(explain(language, error), exit_status(error)) from None
    if night is None:
        raise FaultError(language.say("{file} isn't from a duplicate night.", file=name), BAD_NOTATION)
    return night


def _check(files: list[str], tables: list[Checked], nights: list[NightMark], language: Language) -> None:
    """Raises FaultError unless all records are of one night, with the same match and the same dice, and over."""
    say, first = language.say, tables[0]
    dice = [dice_by_slot(table.match, table.steps) for table in tables]
    for at, table in enumerate(tables):
        facts = {"one": files[0], "other": files[at]}
        if not table.steps or not table.steps[-1].after.over:
            raise FaultError(say("{other} ends before the match does.", **facts), BAD_NOTATION)
        if nights[at] != nights[0]:
            raise FaultError(say("{one} and {other} aren't from the same duplicate night.", **facts), BAD_NOTATION)
        if table.match != first.match:
            raise FaultError(say("{one} and {other} are not the same match.", **facts), BAD_NOTATION)
        for earlier in range(at):
            if (slot := first_difference(dice[earlier], dice[at])) is not None:
                raise FaultError(_differs(files[earlier], files[at], slot, language), ILLEGAL_ACTION)


def _differs(one: str, other: str, slot: DiceSlot, language: Language) -> str:
    if slot == DRAW:
        told = "{one} and {other} drew different players as Player 1, so their dice differ."
        return language.say(told, one=one, other=other)
    return language.say(
        "{one} and {other} differ in round {round}: seat {seat}, turn {turn}, roll {roll} has other dice.",
        one=one,
        other=other,
        round=slot.round,
        seat=slot.seat + 1,
        turn=slot.turn,
        roll=slot.roll,
    )


def _losses(tables: list[Checked], outside: Outside | None, language: Language) -> list[MatchLosses]:
    counsel = Counsel(tables[0].kit, tables[0].match, language, outside.line if outside else None)
    try:
        with counsel.working():
            return [match_losses(table, counsel.coach) for table in tables]
    except (MemoryError, RecursionError):
        raise too_much(language) from None
