"""What the page that opens records shows, as frozen data. Knows no templates and no request."""

from dataclasses import dataclass

from pubdice.records import Checked
from pubdice.text.language import Language


@dataclass(frozen=True, slots=True)
class OpenedRow:
    """A record of several that were opened at once. link: where it is; title: its game, and who played."""

    link: str
    title: str


@dataclass(frozen=True, slots=True)
class RecordPage:
    """The form. text: what was refused, to be mended; refusal: why. rows: the matches of an evening that was opened."""

    text: str = ""
    refusal: str = ""
    rows: tuple[OpenedRow, ...] = ()


def row(link: str, checked: Checked, language: Language) -> OpenedRow:
    """The row of a record."""
    game, names = language.say(checked.kit.words.title), language.join(list(checked.header.names))
    return OpenedRow(link, language.say("{game} with {names}", game=game, names=names))
