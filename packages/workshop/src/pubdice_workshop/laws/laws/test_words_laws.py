"""Laws of words: every refusal has a sentence. The refusals are found by parsing the source, and by playing against the
rules.
"""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pubdice
from play import BY_RULES, CASES, KITS, NAMES, choices, seatings, walk, wrong_play
from pubdice.core.errors import IllegalAction
from pubdice.games import GAMES
from pubdice.kit import Kit
from pubdice.server.web.trusted_hosts import FAULTS
from pubdice.text.catalogues import CODES, language
from pubdice.text.language import NOTATION, RULES, Language, Sentence, bad_notation, illegal_action
from raised import facts_of, raised, said
from sentences import homes, own_laws, translations

SOURCE = Path(pubdice.__file__).parent
EVERY_KIT = pytest.mark.parametrize("kit", KITS.values(), ids=KITS)


@cache
def _in_source() -> list[tuple[str, str, str, frozenset[str]]]:
    return list(raised(SOURCE))


def _raised(name: str) -> list[tuple[str, str, frozenset[str]]]:
    return [error[1:] for error in _in_source() if error[0] == name]


def test_the_source_was_searched_and_every_kind_of_code_was_found() -> None:
    assert {code for _, code, _ in _raised("IllegalAction")} >= {
        "no-roll",
        "keep-one",
        "foundation",
        "draw-first",
        "match-over",
    }
    assert {code for _, code, _ in _raised("BadNotation")} >= {"face", "option", "name-twice", "format", "header-line"}


def _tables(where: str) -> list[Mapping[str, Sentence]]:
    """Return the tables that may hold a fault's sentence: the game's tables, the server's table, or the shared
    table.
    """
    parts = where.split("/")
    own = [kit.words.faults for kit in KITS.values() if type(kit.words).__module__.split(".")[2:3] == parts[1:2]]
    if parts[0] == "games":
        return list(own)
    return [FAULTS] if parts[0] == "server" else [NOTATION]


def test_the_houses_own_table_holds_no_games_and_no_servers_sentences() -> None:
    shared = {code for where, code, _ in _raised("BadNotation") if not where.startswith(("games/", "server/"))}
    other = {code for where, code, _ in _raised("BadNotation") if where.startswith(("games/", "server/"))}
    generic = {"format-game", "opener", "flag-missing", "flag-dice", "seats-solved", "game", "number", "bot", "action"}
    generic |= {"flag-only", "flag-with", "dice-together", "goal", "holders"}
    assert set(NOTATION) & (other - shared) <= generic | {"perfect-seats"}
    for kit in GAMES.values():
        assert not set(kit.words.faults) & set(NOTATION)


def test_every_fault_in_the_source_has_a_sentence() -> None:
    for where, fault, facts in _raised("BadNotation"):
        for table in _tables(where):
            said(bad_notation(Language(), fault, facts_of(facts), table))


def test_every_broken_rule_in_the_source_has_a_sentence() -> None:
    """A rule of a single game has its sentence in that game's words. A rule of the house has a sentence in every game's
    words.
    """
    for where, rule, facts in _raised("IllegalAction"):
        parts = where.split("/")
        speakers = [kit for kit in KITS.values() if type(kit.words).__module__.split(".")[2:3] == parts[1:2]]
        for kit in speakers if parts[0] == "games" else KITS.values():
            game = next(case.game for case in CASES if case.kit is kit)
            said(illegal_action(Language(), kit.words, game, rule, facts_of(facts)))
        assert speakers or parts[0] != "games", where


def test_no_sentence_is_left_that_nothing_raises() -> None:
    raised = {code for name in ("IllegalAction", "BadNotation") for _, code, _ in _raised(name)}
    assert set(RULES) - raised == set()
    assert set(NOTATION) - raised == set()
    for table in (FAULTS, *(kit.words.faults for kit in GAMES.values())):
        assert set(table) - raised == set()


def _refusal(kit: Kit, game: Any, error: IllegalAction) -> str:
    facts: Mapping[str, object] = error.facts
    return illegal_action(Language(), kit.words, game, error.code, facts)


@EVERY_KIT
@given(data=st.data())
def test_whatever_is_refused_in_wrong_play_is_said_in_a_sentence(kit: Kit, data: st.DataObject) -> None:
    case, seats = data.draw(seatings(kit))
    game = case.game
    hand = st.lists(st.integers(1, 6), max_size=6).map(lambda faces: tuple(sorted(faces)))
    for state, _ in walk(game, seats, data.draw(choices(12))):
        kept, fallen = data.draw(hand), data.draw(hand)
        for attempt in wrong_play(game, state, kept, fallen):
            try:
                attempt()
            except IllegalAction as error:
                said(_refusal(kit, game, error))


@EVERY_KIT
@given(data=st.data())
def test_every_position_and_every_step_can_be_told(kit: Kit, data: st.DataObject) -> None:
    case, seats = data.draw(seatings(kit))
    game, words, language = case.game, kit.words, Language()
    names = ("Ann", "Bob", "Cid", "Dot", "Eve", "Fay")[:seats]
    for state, step in walk(game, seats, data.draw(choices())):
        said = [*words.scores(language, game, state, names)]
        if game.to_roll(state):
            said += [words.to_roll(language, game, state)]
            said += words.rolled(language, game, "Ann", state, step) if step is not None else []
        elif game.legal(state):
            said += [words.ask(language, game, state)]
            said += words.action_sentences(language, game, "Ann", state, step) if step is not None else []
        if game.mover(state) is not None:
            for heard in (names, ("", *names[1:])):
                said += words.to_beat(language, game, state, heard)
                said += words.status(language, game, state, heard)
        assert all(text and "{" not in text and "None" not in text for text in said)


@EVERY_KIT
def test_a_game_says_its_name_its_options_and_its_rules(kit: Kit) -> None:
    words = kit.words
    assert words.title
    assert words.tagline
    for game in [case.game for case in BY_RULES if case.kit is kit]:
        assert "{" not in words.options(Language(), game)
    assert len(kit.page("en")) > 50
    assert len(kit.names) >= 2


@EVERY_KIT
def test_a_rule_of_no_game_is_not_this_games_own(kit: Kit) -> None:
    game = next(case.game for case in CASES if case.kit is kit)
    assert kit.words.refusal(Language(), game, "no such rule", {}) is None


PAST = re.compile(
    "[a-z]+ed|(?:over|out|re|un)?(?:"
    "arose|ate|awoke|bade|beat|became|befell|began|beheld|bent|bereft|beset|bet|bid|bit|bled|"
    "blew|bore|bought|bound|bred|broke|brought|built|burnt|burst|came|cast|caught|chose|clove|"
    "clung|cost|crept|cut|dealt|did|dove|drank|dreamt|drew|drove|dug|fed|fell|felt|fled|flew|"
    "flung|forbade|forecast|foresaw|forgave|forgot|forsook|fought|found|froze|gave|girt|got|"
    "grew|ground|had|heard|held|hid|hit|hove|hung|hurt|kept|knelt|knew|knit|laid|lay|leant|"
    "leapt|learnt|led|left|lent|let|lit|lost|made|meant|met|misled|mistook|overcame|overdid|"
    "overheard|overran|overtook|paid|partook|pled|put|quit|ran|rang|read|rebuilt|redid|rent|"
    "repaid|rid|rode|rose|said|sang|sank|sat|saw|sent|set|shed|shod|shone|shook|shot|shrank|"
    "shut|slept|slew|slid|slit|slunk|smelt|smote|sold|sought|spat|sped|spelt|spent|spilt|"
    "split|spoilt|spoke|sprang|spread|spun|stank|stole|stood|stove|strode|strove|struck|strung|"
    "stuck|stung|swam|swept|swore|swung|taught|thought|threw|thrust|told|took|tore|trod|"
    "understood|undertook|undid|upheld|upset|went|wept|wet|withdrew|withheld|withstood|woke|won|"
    "wore|wound|wove|wrote|wrung"
    ")"
)
"""A pattern for English past forms: the regular ones, and all irregular ones."""
HER, YOURS = {"has", "is", "can", "scores", "rerolls"}, {"have", "are", "can", "score", "reroll"}
"""Verbs allowed in the present tense. A state is described in the present: "has 22: too many". Two events are too, for
historical reasons: Midnight's "scores nothing" and 420's "rerolls all four". Add no others."""


def _wrong_verbs(by_name: str, to_you: str) -> list[str]:
    """Return the faults in an event's sentence about Ann and in the same sentence to "you": each verb that is neither
    in the past nor right for its person.
    """
    told = {
        who: re.findall(rf"\b{who} ([a-z]+)", text, re.IGNORECASE) for who, text in (("Ann", by_name), ("you", to_you))
    }
    wrong = [f"Ann {verb}" for verb in told["Ann"] if not PAST.fullmatch(verb) and verb not in HER]
    return wrong + [f"you {verb}" for verb in told["you"] if not PAST.fullmatch(verb) and verb not in YOURS]


def test_the_law_of_verbs_finds_what_is_wrong() -> None:
    assert _wrong_verbs("Ann stops with 53.", "You stops with 53.") == ["Ann stops", "you stops"]
    assert _wrong_verbs("Ann stop with 53.", "You stop with 53.") == ["Ann stop", "you stop"]
    assert _wrong_verbs("Ann holds 12.", "You hold 12.") == ["Ann holds", "you hold"]
    assert _wrong_verbs("Ann has 22: too many.", "You has 22: too many.") == ["you has"]
    assert _wrong_verbs("Ann has 22: too many.", "You have 22: too many.") == []
    assert _wrong_verbs("Ann shut the 8.", "You shut the 8.") == []
    assert _wrong_verbs("Ann stopped with 53. That is Ann's best.", "You stopped with 53. That is your best.") == []


@EVERY_KIT
@given(data=st.data())
def test_events_are_told_in_the_past_and_fit_a_name_and_you(kit: Kit, data: st.DataObject) -> None:
    """In the past tense, a name and "you" have the same verb form: "Ann kept 5.", "You kept 5." See
    ``docs/build/game.md``, "Words".
    """
    case, seats = data.draw(seatings(kit))
    game, words, language = case.game, kit.words, Language()
    for state, step in walk(game, seats, data.draw(choices())):
        if step is None:
            continue
        tell = words.rolled if game.to_roll(state) else words.action_sentences
        by_name, to_you = (tell(language, game, name, state, step) for name in ("Ann", ""))
        assert len(by_name) == len(to_you)
        assert not any("Ann" in text for text in to_you)
        for pair in zip(by_name, to_you, strict=True):
            assert _wrong_verbs(*pair) == [], pair


@EVERY_KIT
@given(data=st.data())
def test_what_is_said_to_you_does_not_use_the_verb_of_a_name(kit: Kit, data: st.DataObject) -> None:
    """No sentence with "you" has the verb form of a name, such as "you has" or "you needs"."""
    case, seats = data.draw(seatings(kit))
    game, words, language = case.game, kit.words, Language()
    for state, _ in walk(game, seats, data.draw(choices())):
        if (mover := game.mover(state)) is None:
            continue
        names = tuple("" if seat == mover else NAMES[seat] for seat in range(seats))
        said = [*words.to_beat(language, game, state, names), *words.status(language, game, state, names)]
        if game.legal(state):
            said += [words.ask(language, game, state), words.hint(language, game, state)]
            said += words.to_choose(language, game, state)
        rail, beam = words.rail(language, game, state, "", ()), words.beam(language, game, state, "", ())
        said += [*([rail.said, rail.label, rail.total_label] if rail else []), *([beam.said] if beam else [])]
        assert [text for text in said if re.search(r"\b[Yy]ou [a-z]+s\b", text)] == []


@EVERY_KIT
def test_a_score_that_is_called_none_fits_into_every_sentence_of_scores(kit: Kit) -> None:
    """In Spanish, if a word such as "none" follows the verb, the verb needs a second negative before it."""
    games = [case.game for case in BY_RULES if case.kit is kit]
    for code in [code for code in CODES[1:] if "negated" in own_laws(code) and kit.home in homes(code)]:
        found, tongue = re.compile(own_laws(code)["negated"]), kit.tongue(language(code))
        called = {kit.words.score(tongue, game, score) for game in games for score in range(40)}
        words = sorted(word for word in called if not word.isdecimal())
        texts = [text for home in ("", kit.home) for _, text in translations(code, home)]
        filled = [text.replace("{score}", word) for text in texts if "{score}" in text for word in words]
        assert [text for text in filled if found.search(text)] == []


def test_a_word_for_none_that_lacks_the_other_is_found() -> None:
    spanish, german = (re.compile(own_laws(code)["negated"]) for code in ("es", "de"))
    for text in ("Bob tiene ningún turno.", "Ana ganó. Bob tiene nada.", "{names} empatan con ninguno."):
        assert spanish.search(text), text
    for text in ("Ningún 4: Bob no anota nada.", "No hay nadie.", "Sin nada.", "ningún dado", "Bob tiene cero turnos."):
        assert not spanish.search(text), text
    assert german.search("Bob hat keine nichts.")
    assert not german.search("Bob hat nichts, Eva keinen Zug.")
