"""A finished match for readers who did not play: the winner, the hand, the turning point, a question. Knows no request.

No seat is "you" in it. The picture of the result, the copied line and the preview of a link use it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from operator import attrgetter

from pubdice.advice.turning import TurningPoint
from pubdice.core.dice import SIX, DieFaces
from pubdice.kit import Kit
from pubdice.match.formats import Tally
from pubdice.match.match import MatchState
from pubdice.match.narrate import Narrator
from pubdice.match.table import Table, TableState, WinningHand
from pubdice.server.charts import LOW, Chart, turning_chart
from pubdice.text.language import Language, isolate, sentence, stopped

LONGEST_SCORE = 8
"""The most letters of a score that is shown in the headline, as in "3 : 1"."""


@dataclass(frozen=True, slots=True)
class FinishedMatch:
    """A finished match as its picture tells it. Every field after ``lead`` may be empty."""

    title: str  # the game's title, with the day
    lead: str  # the sentence about the winner
    score: str = ""  # both scores of a match between two, as in "3 : 1"
    rows: tuple[tuple[str, str], ...] = ()  # if ``score`` is empty, the names and scores, best first
    hand: tuple[int, ...] = ()  # the faces of the winning hand
    red: tuple[int, ...] = ()  # the faces with red pips
    die: DieFaces = SIX
    hand_told: str = ""  # the hand's score, or the drinks owed
    first: int = -1  # the seat that won alone, -1 for none
    chart: Chart | None = None
    turned: tuple[str, str] = ("", "")  # the words for the turning point, and its dice and round
    change: str = ""  # a seat's chances before and after the turning point
    question: str = ""
    asked: tuple[int, ...] = ()  # the dice of the question
    address: str = ""  # the match's full address
    shown: str = ""  # the address as people read it

    @property
    def told(self) -> str:
        """The match in words: the game, the winner, every score."""
        lead = stopped(f"{self.lead} {self.score}".strip())
        rows = ", ".join(f"{isolate(name)} {score}" for name, score in self.rows)
        return " ".join(filter(None, [f"{self.title.partition(' · ')[0]}: {lead}", rows and f"{rows}."]))

    @property
    def described(self) -> str:
        """The text alternative of the picture."""
        turned = " ".join(filter(None, self.turned))
        return " ".join(filter(None, [self.told, stopped(turned) if self.turned[1] else "", self.question]))


def day(language: Language, at: int) -> str:
    """Return the date of a time in ms since 1970 (UTC), in words without the year.

    >>> day(Language(), 1_764_330_000_000)
    '28 Nov'
    """
    when = datetime.fromtimestamp(at / 1000, UTC)
    months = language.say("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec")
    return language.say("{day} {month}", day=when.day, month=months.split()[when.month - 1])


def finished_match(language: Language, kit: Kit, table: Table, play: TableState, at: int = 0) -> FinishedMatch:
    """Return a finished match, without its chart and address. ``at``: the time of its end in ms since 1970, 0 if
    unknown.
    """
    match, over, names = table.match, play.match, list(table.names)
    tally, last, form = over.tally, over.last, match.format
    narrator = Narrator(language, kit.words, match, tuple(names))
    ending = [line.removesuffix(".") for line in narrator.ending(tally, last)]
    lead = ending[0]
    scores = _scores(narrator, tally, over)
    champions, decided = form.champions(tally), any(tally.points) or tally.won is not None
    title = language.say(kit.words.title)
    found = FinishedMatch(
        f"{title} · {day(language, at)}" if at else title,
        lead,
        red=kit.words.red(match.game),
        die=match.game.faces,
        first=champions[0] if len(champions) == 1 and decided and form.prize != "leaving" else -1,
        question=language.say("Would you have won?"),
    )
    if form.prize == "leaving":  # the player who pays has no hand to show
        found = replace(found, hand_told=" ".join(ending[1:]))
    elif decided and (hands := [each for seat in champions if (each := play.best[seat])]):
        hand, told = best_hand(language, kit, table, hands)
        found = replace(found, hand=hand, hand_told=told)
    pair, short = len(names) == 2, max(map(len, scores), default=0) <= LONGEST_SCORE
    if pair and found.first >= 0:
        first, second = champions[0], 1 - champions[0]
        lead = language.say("{winner} beats {loser}", winner=names[first], loser=names[second])
        scores = [scores[first], scores[second]] if scores else []
        if form.prize == "chips":  # the winner's chips are the loser's: one number says both
            text = "{winner} wins one chip from {loser}", "{winner} wins {number} chips from {loser}"
            lead = language.count(*text, tally.points[first], winner=names[first], loser=names[second])
            scores = []
        found = replace(found, lead=lead)
        names = [names[first], names[second]]
    if pair and scores and short and all(name in found.lead for name in names):
        return replace(found, score=isolate(" : ".join(scores), language.direction))
    ranked = sorted(range(len(scores)), key=lambda seat: (-(seat in champions), -tally.points[seat]))
    if pair:
        ranked = list(range(len(scores)))
    return replace(found, rows=tuple((names[seat], scores[seat]) for seat in ranked if len(names) > 1))


def best_hand(language: Language, kit: Kit, table: Table, hands: Sequence[WinningHand]) -> tuple[tuple[int, ...], str]:
    """Return the dice of the best winning hand, and its score in words if there were several rounds."""
    game = table.match.game
    best = (min if game.lowest_wins else max)(hands, key=attrgetter("score"))
    told = ""
    if not table.match.format.is_one_round:
        text = "{score} in round {number}" if kit.keeps_dice else "Best turn: {score}, round {number}"
        told = sentence(language.say(text, number=best.round, score=kit.words.score(language, game, best.score)))
    return best.dice if kit.keeps_dice else (), told  # in other games these are only the dice of the last roll


def one_of_each(dice: Sequence[int], faces: Iterable[int]) -> list[int]:
    """Return the places of dice that show these faces, one place for each face.

    If there are two fours and ``faces`` has one, it returns the place of the first four.
    """
    left, places = list(faces), list[int]()
    for place, face in enumerate(dice):
        if face in left:
            left.remove(face)
            places.append(place)
    return places


def _scores(narrator: Narrator, tally: Tally, over: MatchState[object]) -> list[str]:
    """Return each seat's score in a few letters. Empty if the format has no scores to compare."""
    form, last = narrator.match.format, over.last
    seats = range(len(narrator.names))
    notes = [form.words.seat_note(tally, seat) for seat in seats]  # type: ignore[arg-type]
    if any(notes):
        counted = not any(char.isalnum() for char in "".join(notes))  # strokes or hearts: numbers say it
        return [str(tally.points[seat]) for seat in seats] if counted else notes
    if last is None or not form.is_one_round or not form.words.standing(narrator, tally, over=True, last=last):
        return []
    return [narrator.score(last.scores[seat]) for seat in seats]


def with_turning_point(found: FinishedMatch, turn: TurningPoint, language: Language) -> FinishedMatch:
    """Return the match with its turning point and the question about it."""
    told = change = ""
    if turn.move:
        dice = found.die.shown(turn.dice)
        told = dice or turn.where
        if dice and turn.round:
            told = language.say("{dice} in round {number}", dice=dice, number=turn.round)
        elif dice and turn.where:
            told = f"{dice}, {turn.where}"
        change = f"{isolate(turn.names[turn.seat])}: {isolate(' → '.join(turn.change), language.direction)}"
    return replace(
        found,
        chart=turning_chart(turn, turn.names, tall=LOW),
        turned=(f"{language.say('It turned here')}:", told) if told else ("", ""),
        change=change,
        question=turn.challenge or found.question,
        asked=turn.asked,
    )
