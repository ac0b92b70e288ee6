import sys
from dataclasses import replace
from functools import partial
from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import Any

import pytest

import pig
from pubdice.advice.questions import question
from pubdice.checked_record import read_checked
from pubdice.core.errors import BadNotation, Place
from pubdice.core.game import Seat, uniform
from pubdice.games import GAMES
from pubdice.kit import MOST_NUMBERS, Kit, Option, lazy, read_numbers
from pubdice.match.formats import Pot, Rounds
from pubdice.match.header import RawHeader
from pubdice.solve.turns.solver import TurnSolver
from pubdice.text.catalogues import language
from small_games import Pair

MIDNIGHT, FOURTWENTY = GAMES["midnight"], GAMES["420"]


def _header(game: str, **fields: str) -> RawHeader:
    return RawHeader({"game": game, **fields})


def test_the_house_has_two_games_under_their_own_names() -> None:
    assert list(GAMES)[:2] == ["midnight", "420"]
    assert all(name == kit.name for name, kit in GAMES.items())


def test_midnight_is_five_rounds_opened_in_turn_beginning_with_the_first_named() -> None:
    settled = MIDNIGHT.normalize(_header("midnight", seats="Ann,Bob,Cid"))
    assert list(settled.fields.items()) == [
        ("game", "midnight"),
        ("need", "1 4"),
        ("seats", "Ann, Bob, Cid"),
        ("format", "rounds 5"),
        ("opener", "rotate"),
        ("first", "Ann"),
    ]
    match = MIDNIGHT.match(settled)
    assert (match.format, match.opener, match.first, match.seats) == (Rounds(5), "rotate", 0, 3)


def test_two_at_420_race_and_red_begins() -> None:
    fields = FOURTWENTY.normalize(_header("420", seats="Red, Blue")).fields
    assert (fields["format"], fields["first"]) == ("race", "Red")
    assert "opener" not in fields, "one opener rule goes with a race: it need not be said"


@pytest.mark.parametrize(
    ("seats", "form", "first"),
    [
        ("Red, Blue", "race", "Red"),
        ("a, b, c", "race", "draw"),
        ("a, b", "drinks", "draw"),
        ("a, b, c", "drinks", "draw"),
    ],
)
def test_player_1_is_drawn_for_drinks_and_for_three_or_more(seats: str, form: str, first: str) -> None:
    settled = FOURTWENTY.normalize(_header("420", seats=seats, format=form))
    assert settled.fields["first"] == first
    assert (FOURTWENTY.match(settled).first is None) == (first == "draw")


def test_the_seat_named_first_opens_and_a_draw_may_be_asked_for() -> None:
    named = FOURTWENTY.normalize(_header("420", seats="a, b, c", format="drinks", first="b"))
    assert FOURTWENTY.match(named).first == Seat(1)
    drawn = MIDNIGHT.normalize(_header("midnight", seats="a, b", first="draw"))
    assert MIDNIGHT.match(drawn).first is None


def test_options_reach_the_rules() -> None:
    settled = MIDNIGHT.normalize(_header("midnight", seats="a", need="2-4", format="pot 3 4", opener="loser"))
    match = MIDNIGHT.match(settled)
    assert match.game.need == (2, 4)  # type: ignore[attr-defined]
    assert (match.format, match.opener) == (Pot(3, 4), "loser")
    assert pig.KIT.match(pig.KIT.normalize(_header("pig", seats="a, b", target="50"))).game == pig.Pig(50)


@pytest.mark.parametrize("kit", [MIDNIGHT, FOURTWENTY, pig.KIT], ids=lambda kit: kit.name)
def test_a_settled_header_settles_to_itself(kit: Any) -> None:
    for form in kit.formats:
        once = kit.normalize(_header(kit.name, seats="Ann, Bob", format=form.name))
        assert kit.normalize(once) == once


@pytest.mark.parametrize(
    ("game", "fields", "fault"),
    [
        ("midnight", {"seats": "a", "need": "4 4"}, "option"),
        ("midnight", {"seats": "a", "need": "14"}, "option"),
        ("midnight", {"seats": "a", "target": "20"}, "header-key"),
        ("midnight", {"seats": "a", "format": "drinks"}, "format-game"),
        ("midnight", {"seats": "a", "format": "rounds 21"}, "format-number"),
        ("midnight", {"seats": "a", "opener": "Ann"}, "opener"),
        ("midnight", {"seats": "a", "first": "b"}, "first"),
        ("midnight", {"seats": ",".join(map(str, range(21)))}, "seats"),
        ("midnight", {"seats": "a, a"}, "name-twice"),
        ("420", {"seats": "a"}, "seats"),
        ("420", {"seats": "a, b", "need": "1 4"}, "header-key"),
        ("420", {"seats": "a, b", "format": "pot"}, "format-game"),
        ("420", {"seats": "a, b", "opener": "winner"}, "opener"),
    ],
)
def test_a_header_that_makes_no_match_is_refused(game: str, fields: dict[str, str], fault: str) -> None:
    with pytest.raises(BadNotation) as error:
        GAMES[game].normalize(_header(game, **fields))
    assert error.value.code == fault


@pytest.mark.parametrize("text", ["2 4", "2,4", "2-4", " 2 , 4 ", "4,2"])
def test_numbers_of_an_option_may_be_parted_as_people_do(text: str) -> None:
    assert Option("need", ("1 4", "2 4"), "").read(text) == "2 4"


def test_everything_a_kit_promises_is_there() -> None:
    for kit in (*GAMES.values(), pig.KIT):
        assert list(kit.policies)[:2] == ["tip", "lucky"]
        assert all(kit.format(form.name).kind is form and form.label and form.meaning for form in kit.formats)
        assert all(option.choices and option.meaning for option in kit.options)
        assert all(bool(option.more) == bool(option.form) for option in kit.options)
        assert all(len(option.meanings) == len(option.choices) and all(option.meanings) for option in kit.options)


def test_a_lazy_function_loads_its_module_at_its_first_call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "seldom_asked.py").write_text("def double(number, more=0):\n    return 2 * number + more\n")
    monkeypatch.syspath_prepend(tmp_path)
    double = lazy("seldom_asked", "double")
    assert "seldom_asked" not in sys.modules
    assert double(20, more=2) == 42
    del sys.modules["seldom_asked"]


@pytest.mark.parametrize("kit", GAMES.values(), ids=GAMES)
def test_every_lazy_function_of_a_kit_is_there_and_takes_what_it_is_given(kit: Kit) -> None:
    questions = [found for name in ("odds", "advise", "price", "card") if (found := question(kit, name)) is not None]
    given: list[tuple[object, tuple[object, ...]]] = [(kit.solver, ("match", None))]
    given += [(question.answer, ({},)) for question in questions]
    given.append((kit.tell_hands, ("language", {})))
    given += [(policy, ("game", "state")) for policy in kit.policies.values()]
    late = lazy("", "")
    assert isinstance(late, partial)
    named = [(each.args, rest) for each, rest in given if isinstance(each, partial) and each.func is late.func]
    assert named or kit.solver is None
    for (module, function, *first), rest in named:
        signature(getattr(import_module(module), function)).bind(*first, *rest)


def test_a_game_that_names_no_solver_has_the_one_that_its_rules_allow() -> None:
    assert MIDNIGHT.solver is not None
    kit = replace(MIDNIGHT, name="pair", build=lambda options: Pair(), options=(), thresholds={})
    assert kit.solver is not None
    match = kit.match(kit.normalize(_header("pair", seats="a, b")))
    assert isinstance(kit.solver(match), TurnSolver)


def test_a_kit_can_say_that_its_game_is_not_solved() -> None:
    kit = replace(MIDNIGHT, solver=None)
    assert "perfect" not in kit.bots
    assert question(kit, "odds") is None


def test_a_game_of_one_turn_a_seat_has_the_bots_of_the_house_but_for_those_it_names() -> None:
    assert list(MIDNIGHT.policies) == ["tip", "lucky", "steady", "cautious", "bold"]
    own = replace(MIDNIGHT, policies={"bold": uniform})
    assert own.policies["bold"] is uniform
    assert list(own.policies) == ["bold", "lucky", "steady", "cautious"]
    assert list(pig.KIT.policies) == ["tip", "lucky"], "Pig has no turn that ends with one score"


def test_a_flag_takes_so_many_numbers_and_not_one_more() -> None:
    numbers = tuple(range(MOST_NUMBERS))
    assert read_numbers("wins", ",".join(map(str, numbers))) == numbers
    for text in ("", ",".join(map(str, (*numbers, 1)))):
        with pytest.raises(BadNotation, match="flag-numbers"):
            read_numbers("wins", text)


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("en", 'No header line is called "faces": it is game, seats, format, '),
        ("de", "Keine Kopfzeile heißt „faces“: Es gibt game, seats, format, "),
        ("es", "Ninguna línea de la cabecera se llama “faces”: puede ser game, seats, format, "),
    ],
)
def test_a_header_that_the_game_has_not_is_told_before_dice_that_follow_from_it(code: str, told: str) -> None:
    record = "pubdice 1\ngame: midnight\nseats: Ann, Bob\nfaces: 20\n\nround 1\nAnn: 344512\n"
    with pytest.raises(BadNotation) as caught:
        read_checked(record, GAMES, language(code))
    assert (caught.value.code, caught.value.place) == ("header-key", Place(4, 1, "faces"))
    assert told in str(caught.value).replace("\u2068", "").replace("\u2069", "")
