"""A finished match as a stranger reads it: the winner, the hand, the turning point, a question. Knows no request.

Nobody is "you" in it, as it goes to people who did not play: in the picture of the result, the line that is copied, and
the preview of a link.
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
"""Letters of a score that stands in the headline, as in "3 : 1"."""


@dataclass(frozen=True, slots=True)
class FinishedMatch:
    """A match that is over, as its picture tells it. Everything after ``lead`` is empty where there is nothing to tell.

    title: the game's, with the day. lead: who won; score: of two, as in "3 : 1". rows: names and scores of more, best
    first. hand: the faces that won, red: those with red pips, hand_told: their score, or who is owed a drink. first:
    the seat that won alone, -1 for none. turned: the words for it, with its dice and round; change: a seat's chances
    before and after. question: what to ask oneself, asked: its dice. address: in full; shown: as people read it.
    """

    title: str
    lead: str
    score: str = ""
    rows: tuple[tuple[str, str], ...] = ()
    hand: tuple[int, ...] = ()
    red: tuple[int, ...] = ()
    die: DieFaces = SIX
    hand_told: str = ""
    first: int = -1
    chart: Chart | None = None
    turned: tuple[str, str] = ("", "")
    change: str = ""
    question: str = ""
    asked: tuple[int, ...] = ()
    address: str = ""
    shown: str = ""

    @property
    def told(self) -> str:
        """The match in words: the game, who won, everybody's score."""
        lead = stopped(f"{self.lead} {self.score}".strip())
        rows = ", ".join(f"{isolate(name)} {score}" for name, score in self.rows)
        return " ".join(filter(None, [f"{self.title.partition(' · ')[0]}: {lead}", rows and f"{rows}."]))

    @property
    def described(self) -> str:
        """The picture in words, for those who do not see it."""
        turned = " ".join(filter(None, self.turned))
        return " ".join(filter(None, [self.told, stopped(turned) if self.turned[1] else "", self.question]))


def day(language: Language, at: int) -> str:
    """A day of a year that everybody knows, from ms since 1970 (UTC).

    >>> day(Language(), 1_764_330_000_000)
    '28 Nov'
    """
    when = datetime.fromtimestamp(at / 1000, UTC)
    months = language.say("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec")
    return language.say("{day} {month}", day=when.day, month=months.split()[when.month - 1])


def finished_match(language: Language, kit: Kit, table: Table, play: TableState, at: int = 0) -> FinishedMatch:
    """A match that is over, without its chart and the way to it. at: when, in ms since 1970; 0: nobody knows."""
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
    if form.prize == "leaving":  # who pays has no hand to show
        found = replace(found, hand_told=" ".join(ending[1:]))
    elif decided and (hands := [each for seat in champions if (each := play.best[seat])]):
        hand, told = best_hand(language, kit, table, hands)
        found = replace(found, hand=hand, hand_told=told)
    pair, short = len(names) == 2, max(map(len, scores), default=0) <= LONGEST_SCORE
    if pair and found.first >= 0:
        first, second = champions[0], 1 - champions[0]
        lead = language.say("{winner} beats {loser}", winner=names[first], loser=names[second])
        scores = [scores[first], scores[second]] if scores else []
        if form.prize == "chips":  # what one is up the other is down
            text = "{winner} wins one chip from {loser}", "{winner} wins {number} chips from {loser}"
            lead = language.count(*text, tally.points[first], winner=names[first], loser=names[second])
            scores = []
        found = replace(found, lead=lead)
        names = [names[first], names[second]]
    if pair and scores and short and all(name in found.lead for name in names):
        return replace(found, score=" : ".join(scores))
    ranked = sorted(range(len(scores)), key=lambda seat: (-(seat in champions), -tally.points[seat]))
    if pair:
        ranked = list(range(len(scores)))
    return replace(found, rows=tuple((names[seat], scores[seat]) for seat in ranked if len(names) > 1))


def best_hand(language: Language, kit: Kit, table: Table, hands: Sequence[WinningHand]) -> tuple[tuple[int, ...], str]:
    """The best of some hands that won a round: its dice, and its score where there were several rounds."""
    game = table.match.game
    best = (min if game.lowest_wins else max)(hands, key=attrgetter("score"))
    told = ""
    if not table.match.format.is_one_round:
        text = "{score} in round {number}" if kit.keeps_dice else "Best turn: {score}, round {number}"
        told = sentence(language.say(text, number=best.round, score=kit.words.score(language, game, best.score)))
    return best.dice if kit.keeps_dice else (), told  # else they are only the last to fall


def one_of_each(dice: Sequence[int], faces: Iterable[int]) -> list[int]:
    """The places of dice that show these faces, one for each: of two fours the turn needed one."""
    left, places = list(faces), list[int]()
    for place, face in enumerate(dice):
        if face in left:
            left.remove(face)
            places.append(place)
    return places


def _scores(narrator: Narrator, tally: Tally, over: MatchState[object]) -> list[str]:
    """Each seat's score in a few letters; none where seats have nothing to compare."""
    form, last = narrator.match.format, over.last
    seats = range(len(narrator.names))
    notes = [form.words.seat_note(tally, seat) for seat in seats]  # type: ignore[arg-type]
    if any(notes):
        counted = not any(char.isalnum() for char in "".join(notes))  # strokes, or hearts
        return [str(tally.points[seat]) for seat in seats] if counted else notes
    if last is None or not form.is_one_round or not form.words.standing(narrator, tally, over=True, last=last):
        return []
    return [narrator.score(last.scores[seat]) for seat in seats]


def with_turning_point(found: FinishedMatch, turn: TurningPoint, language: Language) -> FinishedMatch:
    """The match with where it turned, and the question."""
    told = change = ""
    if turn.move:
        dice = found.die.shown(turn.dice)
        told = dice or turn.where
        if dice and turn.round:
            told = language.say("{dice} in round {number}", dice=dice, number=turn.round)
        elif dice and turn.where:
            told = f"{dice}, {turn.where}"
        change = f"{isolate(turn.names[turn.seat])}: {' → '.join(turn.change)}"
    return replace(
        found,
        chart=turning_chart(turn, turn.names, tall=LOW),
        turned=(f"{language.say('It turned here')}:", told) if told else ("", ""),
        change=change,
        question=turn.challenge or found.question,
        asked=turn.asked,
    )
