"""Laws of sentences addressed to "you": after each "you" at the head of a clause comes its verb."""

import re
from collections.abc import Iterator

import pytest

from laws.test_words_laws import PAST
from play import BY_FORMAT, NAMES, Case, Live, bot_match
from pubdice.match.narrate import Narrator
from pubdice.match.record import ChoiceTakenBack
from pubdice.match.table import Marked, TakenBack
from pubdice.text.catalogues import CODES, language
from pubdice.text.language import Language
from sentences import homes, own_laws

SEATS = 3
BEGINS = r"(?:^|[.,:;!?] ){word} (?!{and} )([^\s.,:;!?]+)"
"""A pattern for the word after "you" at the head of a clause. It skips "you and Bob", where the verb comes later."""
PRESENT = re.compile(
    "are|can|can't|choose|go|have|hold|keep|lead|lose|may|must|need|play|reach|score|set|still|take|tie|win"
)


def verbless(text: str, code: str) -> list[str]:
    """Return the words that stand where a verb should stand."""
    you = {"word": "you", "and": "and"} if code == "en" else own_laws(code)["you"]
    words = re.findall(BEGINS.format_map(you), text, re.IGNORECASE)
    if code != "en":
        return [word for word in words if not re.fullmatch(you["verb"], word)]
    return [word for word in words if not PRESENT.fullmatch(word) and not PAST.fullmatch(word)]


def test_a_clause_without_a_verb_is_found() -> None:
    assert verbless("This round: you nothing.", "en") == ["nothing"]
    assert verbless("Points: Ann 50, you 90. You lead by 40.", "en") == ["90"]
    assert verbless("Score: you up 8, Bob down 8.", "en") == ["up"]
    assert verbless("Diese Runde: du nichts.", "de") == ["nichts"]
    assert verbless("Leben: Bob hat 1, du 2.", "de") == ["2"]
    assert verbless("You and Bob have 3. You kept 5. You still need a 4.", "en") == []
    assert verbless("Du hast 3. Du und Bob habt 5. Bob hat 4, du brauchst 5.", "de") == []


def told(case: Case, live: Live, said: Language) -> Iterator[str]:
    """Yield every text about a match, its moves and its positions, as told to the seat that opens the match."""
    match, game, words = live.table.match, case.game, case.kit.words
    to = Narrator(said, words, match, NAMES[:SEATS]).to(0)
    for event, (before, after) in zip(live.events, zip(live.states, live.states[1:], strict=False), strict=True):
        if not isinstance(event, Marked | TakenBack | ChoiceTakenBack):
            yield from to.tell(before.match, event, after.match)
        state = after.match
        yield from to.standing(state.tally, over=state.over, last=state.last)
        if state.over or state.round is None:
            continue
        yield from to.needs(state)
        facts = to.language, game, state.round
        for tell in (words.status, words.to_beat, words.scores):
            yield from tell(*facts, to.around(state.order))
        if state.mover == 0 and match.legal(state):
            yield from [words.ask(*facts), words.todo(*facts), words.hint(*facts), *words.to_choose(*facts)]


@pytest.mark.parametrize("case", BY_FORMAT, ids=str)
def test_what_is_told_to_you_has_its_verb(case: Case) -> None:
    """The law holds in English, and in each language that the game speaks and that lists its verbs."""
    live = bot_match(case, SEATS, "you")
    codes = ["en", *(code for code in CODES[1:] if "you" in own_laws(code) and case.kit.home in homes(code)[1:])]
    found = {(code, text) for code in codes for text in told(case, live, language(code)) if verbless(text, code)}
    assert sorted(found) == []
