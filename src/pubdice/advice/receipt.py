"""A match's receipt: the parts of each seat's result, the moves of the match, and its costly decisions, asked again."""

from pubdice.advice.analysis import Analysis, chosen_from, printed_splits
from pubdice.advice.coach import Choice
from pubdice.advice.receipt_parts import (
    MOST_OPTIONS,
    Highlight,
    Highlights,
    Receipt,
    ReceiptDecision,
    ReceiptMove,
    ReceiptOption,
    ReceiptPart,
    ReceiptQuestion,
    ReceiptSeat,
)
from pubdice.advice.review import GradedDecision, counted, receipt_moves
from pubdice.advice.spoken_advice import SpokenAdvice
from pubdice.advice.turning import TurningPoint, costly, dice_of, find_turning_point, utility_name
from pubdice.match.narrate import Narrator
from pubdice.solve.solver import LOW_SCORE, as_counted
from pubdice.text.game_words import kept_names, told_dice
from pubdice.text.language import Language, one_line, sentence

DECIDED = {
    ("luck", 1): ("The dice were on {name}'s side.", "The dice were on your side."),
    ("luck", -1): ("The dice were against {name}.", "The dice were against you."),
    ("skill", -1): ("{name} threw it away.", "You threw it away."),
    ("others", 1): ("The others let {name} win.", "The others let you win."),
    ("others", -1): ("The others took it from {name}.", "The others took it from you."),
}
"""The sentence on the largest part of a result, by the part and its sign: as a friend would say it, without a number.
With two seats, a gift of the other seat counts as that seat's mistake.
"""

COULD_DO_BETTER = "{name} could have done better.", "You could have done better."
"""The sentence for a seat that plays alone. There is no other player to whom it could lose the match."""

# if no result differs from its expectation by more than this part of the yardstick, nothing decided the match
TRIFLE = 0.05

BY_DICE = {
    0: ("The dice gave {name} what they give on average.", "The dice gave you what they give on average."),
    1: (
        "The dice were kind to {name}: {amount} more than on average.",
        "The dice were kind to you: {amount} more than on average.",
    ),
    -1: (
        "The dice were unkind to {name}: {amount} less than on average.",
        "The dice were unkind to you: {amount} less than on average.",
    ),
}

BY_DICE_LOW = {
    0: BY_DICE[0],
    1: (
        "The dice were kind to {name}: {amount} less than on average.",
        "The dice were kind to you: {amount} less than on average.",
    ),
    -1: (
        "The dice were unkind to {name}: {amount} more than on average.",
        "The dice were unkind to you: {amount} more than on average.",
    ),
}
"""The sentences of ``BY_DICE`` for a seat that plays alone, if a low score is good."""

BY_OTHERS = {
    0: ("The others' choices changed nothing for {name}.", "The others' choices changed nothing for you."),
    1: ("The others' choices gave {name} {amount}.", "The others' choices gave you {amount}."),
    -1: ("The others' choices cost {name} {amount}.", "The others' choices cost you {amount}."),
}
"""The sentences on the effect of the other seats' choices, by the sign of that effect."""


def build_receipt(weighed: Analysis, language: Language, you: int | None = None) -> Receipt:
    """Return the receipt in a language. ``you`` is the reader's seat, or None if the reader has no seat."""
    return _ReceiptTeller(weighed, language, you).receipt()


def tell_decisions(weighed: Analysis, language: Language) -> tuple[ReceiptDecision, ...]:
    """Return the decisions of a match in a language, for a reader without a seat. The match may end early."""
    return _ReceiptTeller(weighed, language, None).decisions()


def build_highlights(weighed: Analysis, language: Language, you: int | None = None) -> Highlights:
    """Return the highlights in a language. ``you`` is as in ``build_receipt``."""
    return _ReceiptTeller(weighed, language, you).highlights()


class _ReceiptTeller:
    def __init__(self, weighed: Analysis, language: Language, you: int | None) -> None:
        self.weighed, self.language, self.say, self.about = weighed, language, language.say, language.about
        self.you = you
        self.checked, self.coach, self.found = weighed.checked, weighed.coach, weighed.found
        self.match, self.words, self.names = self.checked.match, self.checked.kit.words, self.checked.header.names
        self.receipt_moves = receipt_moves(self.match, self.checked.steps)
        by_name = Narrator(language, self.words, self.match, self.names)
        self.narrator = by_name if you is None else by_name.to(you)
        self.reader = tuple(map(self.narrator.name, range(len(self.names))))  # "" for the reader
        self.called = tuple(name or sentence(language.say("you")) for name in self.reader)
        self.spoken = SpokenAdvice(self.words, self.match, language, self.coach.solver)
        self.amounts = self.spoken.amounts
        self.counted = counted(self.found)
        self.splits = printed_splits(self.found.splits, self.amounts.scale)
        self.shown = printed_splits(self.counted.splits, self.amounts.scale)

    def receipt(self) -> Receipt:
        last, found = self.checked.steps[-1].after, self.found
        result = tuple(self.narrator.line([said]) for said in self.narrator.ending(last.tally, last.last))
        seats = tuple(self._seat(seat) for seat in range(len(self.names)))
        line, turn = self.counted.line, find_turning_point(self.weighed, self.language)
        data = {
            **self.weighed.data(),
            "line": [list(line[0]), *[list(line[move.last]) for move in self.receipt_moves]],
        }
        return Receipt(
            result=result,
            rules=self.narrator.rules(),
            decided=self._decided(),
            turning=turn,
            you=self.you,
            names=self.called,
            seats=seats,
            rests=self.weighed.ranks.basis(self.language),
            luckiest=self._luckiest(),
            dearest=self._dearest(),
            moves=self._moves(turn),
            decisions=self.decisions(),
            questions=tuple(self._question(number, each) for number, each in costly(found)),
            red=self.words.red(self.match.game),
            die=self.match.game.faces,
            data=data,
        )

    def highlights(self) -> Highlights:
        return Highlights(
            self._dearest(),
            self._luckiest(),
            utility_name(self.found, self.language),
            self.amounts.are_chances,
            self.words.red(self.match.game),
            self.match.game.faces,
        )

    @property
    def _is_low(self) -> bool:
        """True if a low score is good: if a seat plays alone in a game that the lowest score wins."""
        return self.found.utility == LOW_SCORE

    def _seat(self, seat: int) -> ReceiptSeat:
        name, split, ranks = self.reader[seat], self.splits[seat], self.weighed.ranks.seats
        shown = self.shown[seat]
        say, about, much, scale = self.say, self.about, self._much, self._scale
        text = "Before the dice fell {name} could expect {amount}.", "Before the dice fell you could expect {amount}."
        before = about(*text, name, amount=much(shown.expectation))
        luck = about(*(BY_DICE_LOW if self._is_low else BY_DICE)[_sign(split.luck)], name, amount=much(abs(split.luck)))
        given = about(*BY_OTHERS[_sign(split.given)], name, amount=much(abs(split.given)))
        first, last = self.amounts.printed(shown.expectation), self.amounts.printed(shown.result)
        parts = [_part("seat", say("Seat"), before, first, step=(0, shown.expectation), scale=scale)]

        def add(part: str, label: str, line: str, units: int) -> None:
            step, points = (parts[-1].reached, units), self._points(units)
            parts.append(_part(part, label, line, self._signed(units), step=step, scale=scale, points=points))

        add("luck", say("Luck"), luck, shown.luck)
        add("skill", say("Skill"), self._skill(seat, split.skill), shown.skill)
        if len(self.names) > 1:
            add("others", say("Others"), given, shown.given)
        parts.append(_part("result", say("Result"), "", last, step=(0, shown.result), scale=scale))
        rank = ranks[seat].sentence(self.language, name) if ranks else ""
        return ReceiptSeat(self.names[seat], tuple(parts), rank)

    def _much(self, units: int) -> str:
        return self._said(units / self.amounts.scale)

    def _said(self, amount: float) -> str:
        """Return an amount in words, for a sentence. Its minus sign is as wide as a plus."""
        said = self.amounts.value(abs(amount))
        return f"−{said}" if amount < 0 and said != self.amounts.value(0) else said

    @property
    def _scale(self) -> tuple[int, int]:
        """The values at the least and the greatest end of all bars, in printed units."""
        found = [0, self.amounts.scale if self.amounts.are_chances else 0]
        for split in self.shown:
            at = 0
            for units in (split.expectation, split.luck, split.skill, split.given):
                at += units
                found.append(at)
        return min(found), max(*found, min(found) + 1)

    def _signed(self, units: int) -> str:
        return ("+" if units > 0 else "") + self.amounts.printed(units)

    def _points(self, units: int) -> str:
        """Return a change in printed units as people say it. Chances are in points of 100."""
        if not self.amounts.are_chances:
            return self._signed(units)
        points = round(100 * units / self.amounts.scale)
        return f"{'+' if points > 0 else '−' if points < 0 else ''}{abs(points)}"

    def _skill(self, seat: int, units: int) -> str:
        mine = [each for each in self.found.decisions if each.seat == seat and each.counts]
        text = "{name} always chose what was best.", "You always chose what was best."
        if not mine:
            text = "{name} had no choice that mattered.", "You had no choice that mattered."
        elif any(each.chosen.lost for each in mine):
            text = "{name}'s mistakes cost {amount}.", "Your mistakes cost {amount}."
        return self.about(*text, self.reader[seat], amount=self._much(-units))

    def _decided(self) -> str:
        """Return a sentence on what decided the match, or "" if nothing did.

        It is about the seat whose result is furthest from its expectation, and names the largest part of that
        difference.
        """
        seat = max(
            range(len(self.names)), key=lambda seat: abs(self.splits[seat].result - self.splits[seat].expectation)
        )
        split = self.splits[seat]
        if abs(split.result - split.expectation) <= TRIFLE * self.coach.yardstick * self.amounts.scale:
            return ""
        sign = 1 if split.result > split.expectation else -1
        part, units = max(
            (("luck", split.luck), ("skill", split.skill), ("others", split.given)), key=lambda named: sign * named[1]
        )
        if sign * units <= 0:
            return ""
        if part == "others" and sign > 0 and len(self.names) == 2:
            part, sign, seat = "skill", -1, 1 - seat
        name, has_won = self.reader[seat], seat in self._champions
        if len(self.names) == 1 and part == "skill":
            return self.about(*COULD_DO_BETTER, name)
        if part != "luck" and has_won and len(self._champions) > 1:
            return ""  # if several seats share the win, it was neither thrown away nor a gift
        if (part, sign) == ("others", 1) and not has_won:
            return ""
        return self.about(*DECIDED[part, sign], name)

    @property
    def _champions(self) -> tuple[int, ...]:
        return self.match.format.champions(self.checked.steps[-1].after.tally)

    def _where(self, number: int, name: str) -> str:
        """Return the player's name and, if there are several rounds, the round, to stand under an event."""
        if self.match.format.is_one_round:
            return name
        return self.say("{name}, round {number}", name=name, number=number)

    def _luckiest(self) -> Highlight | None:
        fall = self.found.best_roll
        if fall is None:
            return None
        name = self.reader[fall.seat]
        begun, gain = self.counted.line[fall.step][fall.seat], as_counted(self.found.utility, fall.gain)
        before, after = round(begun * self.amounts.scale), round((begun + gain) * self.amounts.scale)
        text = "That gave {name} {gain}.", "That gave you {gain}."
        if self._is_low:
            text = "That saved {name} {gain}.", "That saved you {gain}."
        lines = (
            self.narrator.rolled(name, fall.dice),
            self.about(*text, name, gain=self._much(abs(after - before))),
            self.say("{before} before it, {after} after it.", before=self._much(before), after=self._much(after)),
        )
        number = next(at for at, move in enumerate(self.receipt_moves, 1) if move.first <= fall.step < move.last)
        where = self._where(self.checked.steps[fall.step].before.called, self.called[fall.seat])
        if self.checked.steps[fall.step].before.roll_off is not None:
            where = self.say("{name}, roll-off", name=self.called[fall.seat])
        return Highlight(fall.dice, tuple(self.narrator.line([line]) for line in lines), where, number, gain)

    def _dearest(self) -> Highlight | None:
        worst = self.found.worst
        if worst is None:
            return None
        text, amount = "{act} was worth {amount} more.", self.amounts.value(worst.chosen.lost)
        if self._is_low:
            text = "{act} would have saved {amount}."
        if self.amounts.are_chances:
            text = "{act} was worth {amount} more, out of 100."
            amount = self._points(round(worst.chosen.lost * self.amounts.scale)).lstrip("+")
            amount = amount if amount != "0" else "<1"
        better = self.say(text, act=self.spoken.act(worst.state, worst.best), amount=amount)
        lines = (self._played(worst), sentence(better))
        number = 1 + self.found.decisions.index(worst)
        where = self._where(worst.state.called, self.called[worst.seat])
        return Highlight(chosen_from(self.match.game, worst), lines, where, number, worst.chosen.lost)

    def _played(self, each: GradedDecision) -> str:
        game, name = self.match.game, self.reader[each.seat]
        said = self.words.action_sentences(self.language, game, name, each.state.round, each.chosen.action)
        return self.narrator.line(said)

    def _best(self, each: GradedDecision) -> str:
        return sentence(self.say("{act} is best.", act=self.spoken.act(each.state, each.best)))

    def decisions(self) -> tuple[ReceiptDecision, ...]:
        return tuple(self._decision(number, each) for number, each in enumerate(self.found.decisions, 1))

    def _decision(self, number: int, each: GradedDecision) -> ReceiptDecision:
        say, game, around = self.say, self.match.game, self.narrator.around(each.state.order)
        mover = game.mover(each.state.round)
        assert mover is not None, "a decision has a mover"
        locked, free = game.dice(each.state.round, mover)
        things = self.words.things(self.language, game, each.state.round)
        hand = [
            say("Locked: {dice}.", dice=told_dice(self.language, game, locked)) if locked and free else "",
            say("Dice: {dice}.", dice=told_dice(self.language, game, free or locked)) if free or locked else "",
            things.said if things else "",
        ]
        where = self._where(each.state.called, self.called[each.seat])
        verdict = say("Nothing was better.")
        if each.chosen.lost:
            verdict = f"{self.spoken.compared(each.state, each.chosen, each.best)} {self._best(each)}"
        return ReceiptDecision(
            number,
            say("Choice {number} of {of}: {where}.", number=number, of=len(self.found.decisions), where=where),
            one_line(self.words.to_beat(self.language, game, each.state.round, around), kept_names(around)),
            " ".join(filter(None, hand)),
            self._played(each),
            verdict,
            each is self.found.worst,
        )

    def _moves(self, turn: TurningPoint) -> tuple[ReceiptMove, ...]:
        said = [tuple(map(self.amounts.printed, row)) for row in turn.rows]
        found = [ReceiptMove((), (), "", said[0], 0, 0)]
        for move, values in zip(self.receipt_moves, said[1:], strict=True):
            steps = self.checked.steps[move.first : move.last]
            lines = [line for step in steps for line in self.narrator.tell(step.before, step.move, step.after)]
            dice, where = dice_of(self.match, steps[0]), self.narrator.counter(steps[0].before)
            found.append(ReceiptMove(tuple(lines), dice, where, values, move.decision, move.ends))
        return tuple(found)

    def _question(self, number: int, each: GradedDecision) -> ReceiptQuestion:
        advice, write = self.coach.advise(each.state), self.match.game.write_action
        worse = [choice for choice in advice.choices if choice.lost > 0]
        apart = [
            one
            for one, last in zip(worse, [advice.best, *worse], strict=False)
            if one.lost > last.lost + self.coach.same
        ]
        offered = [advice.best, each.chosen, *apart, *advice.choices]
        kept = list({write(choice.action): choice for choice in offered}.items())[:MOST_OPTIONS]
        legal = [write(action) for action in self.match.legal(each.state)]
        kept.sort(key=lambda keyed: legal.index(keyed[0]))
        before = [self.narrator.counter(each.state), *self.narrator.standing(each.state.tally)]
        around = self.narrator.around(each.state.order)
        before += self.words.scores(self.language, self.match.game, each.state.round, around)
        options = [self._option(key, choice, each) for key, choice in kept]
        things = self.words.things(self.language, self.match.game, each.state.round)
        before.append(things.said if things else "")
        dice = chosen_from(self.match.game, each)
        text = "{name} rolled this. What would you do?", "You rolled this. What would you do now?"
        if not dice:
            text = "It was {name}'s turn. What would you do?", "It was your turn. What would you do now?"
        return ReceiptQuestion(
            number,
            self.about(*text, self.reader[each.seat]),
            tuple(line for line in before if line),
            dice,
            tuple(options),
            self._best(each),
            self._played(each),
        )

    def _option(self, key: str, choice: Choice, each: GradedDecision) -> ReceiptOption:
        label = sentence(self.spoken.act(each.state, choice))
        line = self.spoken.compared(each.state, choice, each.best) if choice.lost else self._best(each)
        if not choice.lost and choice.action != each.best.action:
            line = sentence(self.say("{act} is as good as the best.", act=self.spoken.act(each.state, choice)))
        played = choice.action == each.chosen.action
        return ReceiptOption(key, label, self.amounts.worth(choice.value), line, choice.lost, not choice.lost, played)


def _sign(units: int) -> int:
    return (units > 0) - (units < 0)


def _part(
    name: str, label: str, line: str, amount: str, *, step: tuple[int, int], scale: tuple[int, int], points: str = ""
) -> ReceiptPart:
    """Make a part of a result.

    ``step`` is the start and the length of its bar. ``scale`` is the least and the greatest end of all bars.
    """
    (begin, units), (low, high) = step, scale
    first, last = sorted((end - low) / (high - low) for end in (begin, begin + units))
    return ReceiptPart(name, label, line, amount, units, begin + units, first, last, points)
