"""What the pages of the drill show, as frozen data. Knows no templates and no request."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from pubdice.advice.daily import DrillScore, ExplainedDay, reason, said_grade
from pubdice.advice.ranking import RankedKeep
from pubdice.kit import Kit
from pubdice.text.language import Language


@dataclass(frozen=True, slots=True)
class DrilledGame:
    """A game in the list, and how somebody does in it: answers, right ones, and positions that come again."""

    name: str
    title: str
    answered: int
    right: int
    missed: int


@dataclass(frozen=True, slots=True)
class DrillPage:
    """A position of the drill. game, title: whose; number: which. answered, right, missed: how somebody does. next: the
    position that counts instead of this one; 0 where this one may count, or has.

    told: the position; None while it is worked out. choice: the answer, from 0; None for none. grade, why: what is said
    of it. rows: every choice ranked. again_s: when the page asks again; 0 for never. refusal: what is wrong.
    """

    game: str
    title: str
    number: int
    answered: int = 0
    right: int = 0
    missed: int = 0
    next: int = 0
    told: ExplainedDay | None = None
    choice: int | None = None
    grade: str = ""
    why: str = ""
    rows: tuple[RankedKeep, ...] = ()
    again_s: int = 0
    refusal: str = ""

    @property
    def asks(self) -> bool:
        """Whether it waits for an answer."""
        return self.choice is None

    def waiting(self, again_s: int) -> "DrillPage":
        """The page while its position is worked out."""
        return replace(self, again_s=again_s)

    def refused(self, why: str) -> "DrillPage":
        """The page with what is wrong about an answer."""
        return replace(self, refusal=why)


def listed_page(kits: Iterable[Kit], scores: Mapping[str, DrillScore]) -> tuple[DrilledGame, ...]:
    """The games that can be drilled."""
    listed = []
    for kit in kits:
        score = scores.get(kit.name, DrillScore())
        listed.append(DrilledGame(kit.name, kit.words.title, score.answered, score.right, len(score.missed)))
    return tuple(listed)


def graded_page(page: DrillPage, told: ExplainedDay, choice: int | None, language: Language) -> DrillPage:
    """The page with its position, and with the answer too if there is a choice to grade."""
    if choice is None:
        return replace(page, told=told)
    chosen, row = told.choices[choice], told.row(choice)
    return replace(
        page,
        told=told,
        choice=choice,
        grade=said_grade(language, chosen.grade, row.lost),
        why=reason(told, choice),
        rows=tuple(replace(each, chosen=at == chosen.row) for at, each in enumerate(told.ranking.rows)),
    )
