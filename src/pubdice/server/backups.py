"""A house saved in a file, and restored: for the commands ``backup`` and ``restore``, and for a pocket.

A restore first unpacks the house beside its place (it is staged). It replays every log there before it replaces
anything, so it happens completely or not at all.
"""

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

import msgspec

from pubdice.advice.rating import Sums
from pubdice.core.errors import BadNotation, NotStored
from pubdice.core.json_depth import shallow
from pubdice.kit import Kit
from pubdice.room import RoomState
from pubdice.server.log_check import read_log, replayed
from pubdice.server.nights import code_of_setting, read_stored_night
from pubdice.server.pages.book import BookPage, filled_book
from pubdice.server.table.actor import HOUR_MS
from pubdice.server.table.codes import link, read_code
from pubdice.server.table.house import TABLES as PATH
from pubdice.server.table.seat_words import words_for
from pubdice.server.web.refusals import REFUSED
from pubdice.server.wire import Done
from pubdice.store.bundle import BOOK, COOKIES, KEY, MOST_BYTES, TABLES, Bundle
from pubdice.store.disk import sync_file, sync_folder
from pubdice.store.sqlite.book_file import copy_players
from pubdice.store.sqlite.house_files import StoredRows, bundle_path, check_database, gone, pack, unpack
from pubdice.store.sqlite.players import PlayersFile
from pubdice.store.sqlite.schema import not_stored
from pubdice.store.sqlite.store import SqliteReader, copy, only_house
from pubdice.store.staged_files import StagedFiles
from pubdice.store.writer import TableSummary
from pubdice.text.catalogues import ENGLISH, language
from pubdice.text.language import Language, Sentence, localized_facts
from pubdice.text.word_lists import LANGUAGES

SUFFIX = ".zip"
"""The suffix of a backup with everything in one file. A backup with any other suffix is two files: the tables, and
beside it the players' book.
"""
MOST_TOLD = 5
"""The most tables whose seat words are printed after a restore. They are the latest."""
REFUSED_FILES: dict[str, Sentence] = {
    "bundle-damaged": "That file is damaged, or Pubdice didn't save it. Nothing changed.",
    "bundle-newer": "A newer Pubdice saved that file. Update this one first. Nothing changed.",
    "bundle-large": "That file holds more than {most} MB. That's too much here. Nothing changed.",
    "bundle-log": "Table {table} in that file is damaged. Nothing changed.",
    "house-large": "There's more than {most} MB to save, too much for a .zip. Leave .zip off the name.",
    "house-there": "{file} already exists. Restoring never overwrites one: name another place with --data.",
    "key-there": "{file} holds another key of sealed dice. Move it away, or name another place with --data.",
    "key-alone": "The key goes only into a file that ends in .zip.",
    "no-space": "There's no room to save that. Nothing changed.",
}
"""The reason why a house's file is not written or not accepted, by code of NotStored."""
REFUSED_PHONE: dict[str, Sentence] = {
    "store-unreadable": "Some tables here are damaged, so not everything fits into a file. "
    "You can still save each table that opens.",
}
"""The sentences that differ for a player at a phone, who can't mend a file and gains nothing by trying again."""

HERE = re.compile(r"/(?![/\\])[!-~]*")
"""A path of this house. Two strokes at the beginning are excluded: browsers read another host's name after them."""
MOST_WORTH, ROUNDING = 1e15, 1e-6
"""Bounds on a player's sums: a size that no sum of matches reaches, and a tolerance below 0 for rounding errors."""


@dataclass(frozen=True, slots=True)
class CheckedHouse:
    """The counts of a house that passed every check.

    ``places`` has the latest unfinished tables: the path of each, and the name and four words of each taken seat.
    """

    tables: int
    events: int
    places: Sequence[tuple[str, Sequence[tuple[str, str]]]] = field(default=())


@dataclass(frozen=True, slots=True)
class StagedHouse:
    """A checked house that waits beside its place. ``from_pocket`` is True if the backup has a browser's cookies."""

    data: Path
    names: Sequence[str]
    found: CheckedHouse
    from_pocket: bool = False

    def commit(self) -> None:
        """Mark the house as complete.

        The store puts it in place when it opens next. If this raises OSError, nothing has changed.
        """
        StagedFiles(self.data).commit(self.names, gone(self.data, self.names))

    def discard(self) -> None:
        """Delete the staged files, unless they are committed."""
        with suppress(OSError):
            StagedFiles(self.data).discard()


def refused_file(tongue: Language, error: NotStored) -> str:
    """Return the reason why a file is not written or not accepted, for the player at a phone."""
    table = {**REFUSED, **REFUSED_FILES, **REFUSED_PHONE}
    return tongue.tell(table[error.code], localized_facts({"file": "", **error.facts}, tongue))


def save_all(data: Path, file: Path, *, key: bool) -> None:
    """Write everything of a house to a new file, also while the house runs. ``key``: include the key of the seals.

    Raises NotStored("backup-exists"), ("store-unreadable"), ("store-newer"), ("house-large") or ("store-unwritable").
    """
    if file.exists():
        raise NotStored("backup-exists", folder=str(file.parent), file=str(file))
    part = file.with_name(file.name + ".part")
    try:
        opened = os.fdopen(os.open(part, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600), "w+b")
        with opened as out, closing(SqliteReader(data)) as tables:
            pack(tables, out, (COOKIES,) if key else (COOKIES, KEY), file.parent)
        sync_file(part)
        part.rename(file)
        sync_folder(file.parent)
    except BaseException as error:
        with suppress(OSError):
            part.unlink()
        if isinstance(error, OSError):
            raise not_stored("store-unwritable", file, error) from None
        raise


def restore(file: Path, data: Path, games: Mapping[str, Kit]) -> StagedHouse:
    """Make a house from a backup, or from a copy of a house's tables. ``data`` is a place without a house.

    Raises NotStored as ``stage``, and with "house-there", "key-there", "store-in-use" or "store-unreadable".
    """
    try:
        source = file.open("rb")
    except OSError as error:
        raise not_stored("store-unreadable", file, error) from None
    try:
        with source, only_house(data):
            StagedFiles(data).settle()
            _check_free(data)
            is_zip = source.read(2) == b"PK"
            staged = stage(source, data, games, leave=(COOKIES,)) if is_zip else _stage_copy(file, data, games)
            try:
                _check_key(data)
                staged.commit()
            finally:
                staged.discard()
            StagedFiles(data).settle()
    except OSError as error:
        raise not_stored("store-unwritable", data, error) from None
    return staged


def stage(
    source: IO[bytes], data: Path, games: Mapping[str, Kit], leave: Iterable[str] = (), most: int = MOST_BYTES
) -> StagedHouse:
    """Unpack a backup of at most ``most`` bytes beside its place, without the parts in ``leave``, and check it.

    Raises NotStored("bundle-damaged"), ("bundle-newer"), ("bundle-large"), ("bundle-log") or ("store-unwritable").
    """
    try:
        bundle = Bundle(source, most)
        names = unpack(bundle, data, leave)
        return StagedHouse(data, names, _checked(data, games), COOKIES in bundle.files)
    except BaseException:
        with suppress(OSError):
            StagedFiles(data).discard()
        raise


def _stage_copy(file: Path, data: Path, games: Mapping[str, Kit]) -> StagedHouse:
    """Stage and check a copy of the tables. If there is a players' book beside it, include the book."""
    staged, names = StagedFiles(data), [data.name]
    staged.discard()
    try:
        book = bundle_path(data, BOOK).name
        if bundle_path(file, BOOK).exists():
            names.insert(0, book)
            copy_players(bundle_path(file, BOOK), staged.path(book))
            check_database(BOOK, staged.path(book))
        copy(file, staged.path(data.name))
        check_database(TABLES, staged.path(data.name))
        return StagedHouse(data, names, _checked(data, games))
    except BaseException:
        staged.discard()
        raise


def _checked(data: Path, games: Mapping[str, Kit]) -> CheckedHouse:
    """Replay every log of the staged tables, and read every other part as a house would.

    Raises NotStored("bundle-log") for a table, and NotStored("bundle-damaged") for a setting or the players' book.
    """
    events, going_on = dict[int, int](), list[tuple[str, RoomState]]()
    rows = StoredRows(StagedFiles(data).path(data.name))
    with closing(SqliteReader(rows.path)) as reader:
        secret = reader.setting("secret")
        for table, code, listed in rows.tables():
            try:
                events[table], state = replayed(read_log(reader, table), games)
            except NotStored as error:
                if error.code == "game-gone":  # kept as it is, and replayed once the game is installed
                    events[table] = reader.length(table) - 1
                    continue
                raise NotStored("bundle-log", table=table) from None
            if code not in (None, read_code(code or "")) or not _is_listed(state, listed):
                raise NotStored("bundle-log", table=table)
            if state.stage != "over" and state.people and code is not None:
                going_on = [*going_on, (code, state)][-MOST_TOLD:]
    for table, answer in rows.answers():
        if table in events and not _is_answer(answer, events[table]):
            raise NotStored("bundle-log", table=table)
    for name, value in rows.settings():
        if (of := code_of_setting(name)) is not None and not _is_night(of, value):
            raise NotStored("bundle-damaged")
    if (book := StagedFiles(data).path(bundle_path(data, BOOK).name)).exists():
        _check_book(book)
    places = (
        [] if secret is None else [(PATH + link(secret, code), _words(secret, code, state)) for code, state in going_on]
    )
    return CheckedHouse(len(events), sum(events.values()), places)


def _is_listed(state: RoomState, said: TableSummary) -> bool:
    """Return True if a table's row in the list agrees with its log. A log that lost its match's end does not.

    A row of version 1 has no game and no names. A row's time may be any time before the log's, or up to an hour after
    it, because a clock may have been set back.
    """
    setup = state.setup
    known = said.stage == state.stage and said.listed == setup.listed and said.updated < state.at + HOUR_MS
    return known and said.game in ("", setup.rules["game"]) and said.names in ((), state.names)


def _is_answer(answer: bytes, events: int) -> bool:
    """Return True if a house can have given this answer to a command. ``events``: the number of its table's events."""
    try:
        done = msgspec.json.decode(shallow(answer), type=Done)
    except (msgspec.DecodeError, ValueError, TypeError):
        return False
    return 0 <= done.seq <= events and (done.go is None or HERE.fullmatch(done.go) is not None)


def _check_book(path: Path) -> None:
    """Read all of a players' book as its pages do. Raises NotStored("bundle-damaged")."""
    try:
        with closing(PlayersFile(path)) as book:
            for player in book.players():
                everything = book.export(player)
                held = book.entries(player), book.sums(player)
                filled_book(BookPage(), language(ENGLISH), {}, held, str)
                worths = [each["worth"] for each in (*everything["matches"], *everything["sums"])]
                if not all(map(_is_worth, worths)):
                    raise NotStored("bundle-damaged")
    except (
        NotStored,
        ArithmeticError,
        AttributeError,
        LookupError,
        TypeError,
        ValueError,
    ):
        raise NotStored("bundle-damaged") from None


def _is_worth(worth: Mapping[str, object]) -> bool:
    """Return True if these can be the sums of a player's matches.

    No sum may be huge, because the house adds later matches to it. Among ``Sums`` only luck may be negative.
    """
    return all(
        isinstance(amount, int | float)
        and (-ROUNDING if name in Sums.__dataclass_fields__ and name != "luck" else -MOST_WORTH) < amount < MOST_WORTH
        for name, amount in worth.items()
    )


def _is_night(code: str, value: bytes) -> bool:
    try:
        read_stored_night(value)
    except BadNotation:
        return False
    return read_code(code) == code


def _words(secret: bytes, code: str, state: RoomState) -> Sequence[tuple[str, str]]:
    return [
        (chair.name, words_for(secret, code, seat, chair.people[0], language=LANGUAGES[0]))
        for seat, chair in enumerate(state.chairs)
        if chair.people
    ]


def _check_free(data: Path) -> None:
    for path in (data, bundle_path(data, BOOK)):
        if path.exists():
            raise NotStored("house-there", folder=str(path.parent), file=str(path))


def _check_key(data: Path) -> None:
    """Raise NotStored("key-there") if the restore would overwrite another key of sealed dice.

    If the backup has no key, the key beside the tables may stay. It can be this house's own key, because copies of
    tables hold no key.
    """
    there, new = bundle_path(data, KEY), StagedFiles(data).path(bundle_path(data, KEY).name)
    if there.exists() and new.exists() and there.read_bytes().strip() != new.read_bytes().strip():
        raise NotStored("key-there", folder=str(data.parent), file=str(there))
