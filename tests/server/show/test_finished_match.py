"""A finished match in words for people who did not play: by names, with its game and its score, in every format."""

import re
from collections.abc import Sequence
from dataclasses import replace

import pytest

import play
from play import KITS
from pubdice.advice.turning import TurningPoint
from pubdice.server.finished_match import FinishedMatch, day, finished_match, with_turning_point
from pubdice.text.catalogues import CODES, language
from pubdice.text.game_words import YOU
from pubdice.text.language import Language
from server.samples.advice import turning_point

NAMES = ("Ann", "Bob", "Cid", "Dot")
BY_FORMAT = {(case.kit.name, case.header(2).fields["format"]): case for case in play.CASES}
WHEN = 1_764_330_000_000
"""28 November 2025, noon (UTC)."""


def ended(game: str, form: str, seats: int, code: str = "en", seed: str = "7") -> FinishedMatch:
    """A match of bots that is over."""
    case = BY_FORMAT.get((game, form)) or play.Case(KITS[game], (("format", form),))
    live = play.bot_match(case, seats, seed)
    return finished_match(language(code), case.kit, live.table, live.end, WHEN)


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize(("game", "form"), BY_FORMAT)
def test_every_match_is_told_with_its_game_and_by_names(game: str, form: str, code: str) -> None:
    case = BY_FORMAT[game, form]
    for seats in range(1 if case.kit.usual_game.most_seats < 2 else 2, min(4, case.kit.usual_game.most_seats) + 1):
        found = ended(game, form, seats, code)
        words = re.findall(r"\w+", found.told)
        assert found.told.startswith(language(code).say(case.kit.words.title))
        assert not set(words) & set(YOU)
        assert set(words) & set(NAMES), found.told
        assert found.told[-1] in ".!"
        assert found.question
        assert bool(found.score) + bool(found.rows) <= 1
        names = [name for name, _ in found.rows]
        assert sorted(names) == sorted(NAMES[:seats]) or not names


def test_of_two_the_winner_comes_first_with_the_score() -> None:
    for seed in map(str, range(20)):
        found = ended("midnight", "rounds 2", 2, seed=seed)
        if found.first < 0:
            assert "tie" in found.lead
            continue
        winner, loser = NAMES[found.first], NAMES[1 - found.first]
        assert found.lead == f"{winner} beats {loser}"
        first, second = map(int, found.score.split(" : "))
        assert first > second
        assert found.told == f"Midnight: {winner} beats {loser} {first} : {second}."


def test_of_a_pot_of_two_one_wins_the_others_chips() -> None:
    told = set[str]()
    for seed in map(str, range(20)):
        found = ended("midnight", "pot 1 5", 2, seed=seed)
        if found.first < 0:
            continue
        winner, loser = NAMES[found.first], NAMES[1 - found.first]
        number = int("".join(filter(str.isdigit, found.lead)) or 1)
        chips = f"{number} chips" if number > 1 else "one chip"
        assert found.told == f"Midnight: {winner} wins {chips} from {loser}."
        assert (found.score, found.rows) == ("", ()), "it is said already"
        german, spanish = (ended("midnight", "pot 1 5", 2, code, seed).lead for code in ("de", "es"))
        assert german == f"{winner} nimmt {loser} {f'{number} Chips' if number > 1 else 'einen Chip'} ab"
        assert spanish == f"{winner} le gana {f'{number} fichas' if number > 1 else 'una ficha'} a {loser}"
        told.add(chips)
    assert "one chip" in told
    assert len(told) > 1


def test_who_buys_is_the_headline_and_has_no_hand() -> None:
    for seats in (2, 4):
        found = ended("420", "drinks", seats)
        assert found.lead.endswith(" is buying!")
        assert found.hand == ()
        assert found.first == -1
        assert "owes" in found.hand_told


def test_of_more_all_have_their_score_the_winners_first() -> None:
    found = ended("midnight", "total 2", 4)
    amounts = [int(score) for _, score in found.rows]
    assert amounts == sorted(amounts, reverse=True)
    assert found.rows[0][0] in found.lead
    assert found.title == "Midnight · 28 Nov"


def test_the_day_is_said_in_the_readers_language() -> None:
    assert [day(language(code), WHEN) for code in ("en", "de", "es")] == ["28 Nov", "28. Nov", "28 nov"]


def moved(*heights: int, names: Sequence[str] = NAMES[:2], **given: object) -> TurningPoint:
    """The turn of a match of two, by the chances of the first in thousandths."""
    found = turning_point(names, [(each, 1000 - each) for each in heights])
    return replace(found, dice=(6, 6, 6), **given)  # type: ignore[arg-type]


def test_where_it_turned_is_told_of_who_moved_with_dice_and_round() -> None:
    bare = FinishedMatch("Midnight", "Bob beats Ann", first=1, question="Would you have won?")
    given = moved(500, 520, 480, 690, 260, 0, round=3, where="Round 3 of 5")
    found = with_turning_point(bare, given, Language())
    assert found.turned == ("It turned here:", "6 6 6 in round 3")
    assert found.change == "Ann: 69% → 26%", "her roll, though Bob has won"
    assert (found.question, found.asked) == (given.challenge, given.asked)
    assert found.chart is not None
    assert found.chart.turned == 4
    assert [line.name for line in found.chart.lines] == ["Ann", "Bob"]
    assert "It turned here: 6 6 6 in round 3." in found.described


def test_the_mark_is_on_the_line_of_whose_chances_are_told() -> None:
    heights = []
    for seat, name in enumerate(NAMES[:2]):
        found = with_turning_point(FinishedMatch("Midnight", "Ann wins"), moved(500, 900, seat=seat), Language())
        assert found.change.startswith(f"{name}: ")
        assert found.chart is not None
        heights.append(found.chart.turn[1])
    assert heights[0] < heights[1], "Ann's line rises"


def test_nobody_erred_and_the_question_is_the_matchs_own() -> None:
    bare = FinishedMatch("Midnight", "Ann wins", question="Would you have won?")
    found = with_turning_point(bare, moved(500, 900, challenge="", asked=()), Language())
    assert (found.question, found.asked) == (bare.question, ())


def test_a_match_of_one_round_or_a_roll_off_names_no_round() -> None:
    bare = FinishedMatch("Midnight", "Bob beats Ann", first=1)
    for where, told in (("", "6 6 6"), ("Roll-off", "6 6 6, Roll-off")):
        assert with_turning_point(bare, moved(500, 0, round=0, where=where), Language()).turned[1] == told


def test_nothing_turned_where_nothing_changed() -> None:
    found = with_turning_point(FinishedMatch("Midnight", "Ann wins"), moved(500, 500), Language())
    assert found.turned == ("", "")
    assert found.change == ""


def test_names_from_right_to_left_leave_numbers_where_they_belong() -> None:
    name, set_apart = "דן 7", "\N{FIRST STRONG ISOLATE}דן 7\N{POP DIRECTIONAL ISOLATE}"
    bare = FinishedMatch("Midnight", "Bob wins!", first=0, rows=(("Bob", "3"), (name, "1")))
    assert bare.told == f"Midnight: Bob wins! Bob 3, {set_apart} 1."
    given = moved(500, 900, names=(name, "Bob"))
    assert with_turning_point(bare, given, Language()).change.startswith(f"{set_apart}: 50% ")
