"""The line-up of an evening in words: the next games, and the score in a game of several matches."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pubdice.kit import Kit
from pubdice.room import Room, RoomState
from pubdice.room.line_up import following
from pubdice.room.setup import Planned, Row
from pubdice.text.language import Language

TIMES, BEST_OF = (1, 2, 3, 4, 5), (3, 5, 7)
"""The numbers of matches that a page offers for one game."""


def entry(language: Language, games: Mapping[str, Kit], planned: Planned) -> str:
    """Return a game of the line-up: "best of 3 Mexico", "Midnight"."""
    kit = games.get(planned.rules["game"])
    title = language.say(kit.words.title) if kit else planned.rules["game"]
    if planned.matches == 1:
        return title
    if planned.best:
        return language.say("best of {number} {game}", number=planned.matches, game=title)
    return language.count("{number} match of {game}", "{number} matches of {game}", planned.matches, game=title)


@dataclass(frozen=True, slots=True)
class PlanForm:
    """The host's form: choices as (value, label), the current ``matches``, and planned games as (name, words)."""

    plays: tuple[tuple[str, str], ...]
    times: tuple[tuple[str, str], ...]
    matches: str
    entries: tuple[tuple[str, str], ...]


def plan_form(language: Language, room: Room, state: RoomState) -> PlanForm:
    """Return the host's choices at this table: games that fit its seats, each in its formats."""
    say, setup, seats = language.say, state.setup, len(state.chairs)
    now = f"{room.kit.name} {setup.rules['format']}"
    plays = {now: say("{game} as it is now", game=say(room.kit.words.title))}
    for kit in room.games.values():
        if kit.usual_game.most_seats < seats:
            continue
        for kind in kit.formats:
            told = say(kit.words.title), kit.format_rules(kind.usual, language)
            plays.setdefault(f"{kit.name} {kind.usual.write()}", f"{told[0]}: {told[1]}")
    times = [(f"{number}", language.count("{number} match", "{number} matches", number)) for number in TIMES]
    times[1:1] = [(f"best of {number}", say("best of {number}", number=number)) for number in BEST_OF]
    matches = f"best of {setup.matches}" if setup.best else f"{max(1, setup.matches)}"
    if matches not in dict(times):
        times.append((matches, matches))
    entries = tuple((planned.rules["game"], entry(language, room.games, planned)) for planned in setup.line_up)
    return PlanForm(tuple(plays.items()), tuple(times), matches, entries)


def planned(language: Language, room: Room, state: RoomState) -> str:
    """Return the line-up of this table in one line. Empty if nothing is planned, and during a match.

    Before the match, the line has the match's number among those of its game, and the games that follow. After the
    match, it has the next game.
    """
    setup, say, games = state.setup, language.say, room.games or {room.kit.name: room.kit}
    if state.stage == "playing":
        return ""
    if state.stage == "gathering":
        number = {"number": setup.played + 1, "of": setup.matches}
        counted = (
            say("Match {number}, best of {of}.", **number) if setup.best else say("Match {number} of {of}.", **number)
        )
        there = [counted, _stand(language, setup.won)] if setup.matches else []
        return " ".join(filter(None, [*there, _then(language, games, setup.line_up)]))
    after = following(room.kit, games, state)
    decided = _stand(language, after.before) if after.decided and setup.matches else ""
    if not after.planned:
        return decided
    facts = {"game": say(after.kit.words.title), "number": after.played + 1, "of": after.matches}
    text = "Next: {game}."
    if after.matches:
        text = "Next: {game}, match {number}, best of {of}." if after.best else "Next: {game}, match {number} of {of}."
    told = [decided, say(text, **facts), _stand(language, after.won), _then(language, games, after.line_up)]
    return " ".join(filter(None, told))


def _stand(language: Language, won: Sequence[Row]) -> str:
    """Return the number of matches of a game that each player has won, in words. Empty before the first match."""
    if not won:
        return ""
    told = ", ".join(language.say("{name} {score}", name=row.name, score=row.wins) for row in won)
    return language.say("Matches won: {wins}.", wins=told)


def _then(language: Language, games: Mapping[str, Kit], line_up: Sequence[Planned]) -> str:
    if not line_up:
        return ""
    first, *others = (entry(language, games, planned) for planned in line_up)
    for other in others:
        first = language.say("{games}, then {game}", games=first, game=other)
    return language.say("Then {games}.", games=first)
