"""What the pages of duplicate nights show, as frozen data. Knows no templates and no request."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pubdice.advice.losses import NightRanking
from pubdice.server.show.page_data import GameCard

MOST_PLAYERS = 12
"""Players that the form offers; a game may take fewer, and fewer still may be solved."""


@dataclass(frozen=True, slots=True)
class NightForm:
    """The form that begins a night. values: of a refused one, to be shown again; refusal: why, about ``field``."""

    games: tuple[GameCard, ...]
    values: Mapping[str, str] = field(default_factory=dict)
    refusal: str = ""
    field: str = ""


@dataclass(frozen=True, slots=True)
class NightPage:
    """A night. code: as people say it; address: in full, to share. game, title: the game's. rules: in a line.

    key: a fresh one. name: what this person was called last. own: the link of the table of the night at which this
    person sits; "" for none. held: that match is not over, so the page tells nothing of other tables. played: this
    person has played, and may follow links to tables. going, over: how many tables are not over, and how many are.
    ranking: of those worked out; tables: the link of each of them, in the order the ranking counts them. failed: tables
    whose losses cannot be worked out. again_s: when the page asks again; 0 for never. refusal: why the name was
    refused.
    """

    code: str
    address: str
    here: str
    game: str
    title: str
    rules: str
    players: int
    key: str
    name: str = ""
    own: str = ""
    held: bool = False
    played: bool = False
    going: int = 0
    over: int = 0
    ranking: NightRanking | None = None
    tables: tuple[str, ...] = ()
    failed: int = 0
    again_s: int = 0
    refusal: str = ""
