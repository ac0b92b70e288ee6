"""What the page that opens records shows, as frozen data. Knows no templates and no request."""

from dataclasses import dataclass

from pubdice.kit import Checked
from pubdice.match.sealed_record import DiceCheck, dice_sentence
from pubdice.text.language import Language


@dataclass(frozen=True, slots=True)
class OpenedRow:
    """A record of several that were opened at once.

    link: where it is; title: its game, and who played; dice: whether they are those that were sealed.
    """

    link: str
    title: str
    dice: str


@dataclass(frozen=True, slots=True)
class RecordPage:
    """The form. text: what was refused, to be mended; refusal: why.

    rows: the matches of an evening that was opened; gaps: what is missing between them, in sentences.
    """

    text: str = ""
    refusal: str = ""
    rows: tuple[OpenedRow, ...] = ()
    gaps: tuple[str, ...] = ()


def row(link: str, checked: Checked, verdict: DiceCheck, language: Language) -> OpenedRow:
    """The row of a record. verdict: on its dice."""
    game, names = language.say(checked.kit.words.title), language.join(list(checked.header.names))
    title = language.say("{game} with {names}", game=game, names=names)
    return OpenedRow(link, title, dice_sentence(verdict, language))
