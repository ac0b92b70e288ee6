"""Laws of scores: a score is always announced in the game's own word, such as "nothing" or "Mexico"."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

import mexico
from play import CASES, KITS, Case, bot_match
from pubdice.kit import Kit
from pubdice.match.narrate import Narrator
from pubdice.match.record import Played, Rolled
from pubdice.text.language import Language
from pubdice.text.turn_words import TurnWords

PLAYED = [kit for kit in KITS.values() if isinstance(kit.words, TurnWords) or kit is mexico.KIT]
"""The kits to try. Pig and 420 are left out, since their turns count in plain numbers."""


def _in_letters(words: Any, language: Language, game: Any, score: int) -> str:
    return "score " + "".join(chr(ord("a") + int(digit)) for digit in str(abs(score)))


def _spelt(kit: Kit) -> Kit:
    """Return the same game with words that spell each score in letters instead of digits."""
    return replace(kit, words=type("SpeltWords", (type(kit.words),), {"score": _in_letters})())


def _told(case: Case, seed: str) -> Iterator[str]:
    """Yield the announcements of a bot match about scores: the end of each turn, and the scores of the round and of the
    match.
    """
    live = bot_match(case, 3, seed)
    words, match, language = case.kit.words, live.table.match, Language()
    narrator = Narrator(language, words, match, live.table.names)
    for before, event, after in zip(live.states, live.events, live.states[1:], strict=False):
        if isinstance(event, Rolled | Played) and match.turn_ended(before.match, after.match) is not None:
            yield from narrator.tell(before.match, event, after.match)
        inner = after.match
        if inner.round is not None and not inner.over:
            names = narrator.around(inner.order)
            yield from words.scores(language, match.game, inner.round, names)
            yield from words.to_beat(language, match.game, inner.round, names)
            yield from (words.stand(language, match.game, inner.round, seat, ()) for seat in range(len(names)))
    yield from narrator.standing(live.end.match.tally, over=True, last=live.end.match.last)


@pytest.mark.parametrize("kit", PLAYED, ids=[kit.name for kit in PLAYED])
def test_a_score_is_said_in_the_games_own_word(kit: Kit) -> None:
    """No sentence has a number of two digits. Dice and rounds have only one digit here, so such a number would be a
    score.
    """
    heard = 0
    form = next(case.fields for case in CASES if case.kit is kit)
    for seed in map(str, range(12)):
        for text in _told(Case(_spelt(kit), form), seed):
            assert not re.search(r"[0-9]{2}", text), text
            heard += "score " in text
    assert heard > 20
