"""A match told: rounds that begin, how it ends, and the slate, in every format."""

import pytest

from pubdice.core.game import Result, Seat
from pubdice.games import GAMES
from pubdice.kit import Kit
from pubdice.match.formats import Tally
from pubdice.match.formats.format import RoundEnd
from pubdice.match.header import RawHeader
from pubdice.match.narrate import Narrator
from pubdice.match.record import Drawn, Rolled
from pubdice.text.catalogues import language
from pubdice.text.language import Language

SEATS = "Ann, Bob, Cid"
ENGLISH, GERMAN = Language(), language("de", strict=True)


def narrator(
    kit: Kit, form: str, seats: str = SEATS, *, turns: bool = False, first: str = "Ann", said: Language = ENGLISH
) -> Narrator:
    header = kit.normalize(RawHeader({"game": kit.name, "seats": seats, "format": form, "first": first}))
    return Narrator(said, kit.words, kit.match(header), tuple(seats.split(", ")), turns)


ENDINGS = {
    "rounds shared": (
        "midnight", "rounds 3", Tally(3, (1, 1, 1)),
        ["It's a tie: Ann, Bob and Cid!", "Rounds won: Ann has 1, Bob has 1, Cid has 1."],
    ),
    "a pot won": (
        "midnight", "pot 2 rounds 2", Tally(2, (8, -4, -4)),
        ["Ann wins!", "Score: Ann is up 8, Bob is down 4, Cid is down 4."],
    ),
    "a pot shared": (
        "midnight", "pot 2 rounds 2", Tally(2, (2, 2, -4)),
        ["It's a tie: Ann and Bob!", "Score: Ann is up 2, Bob is up 2, Cid is down 4."],
    ),
    "a pot back where it was": (
        "midnight", "pot 1 rounds 3", Tally(3, (0, 0, 0)),
        ["That was the last round, and everybody is even.", "Score: Ann is even, Bob is even, Cid is even."],
    ),
    "rounds that nobody won": (
        "midnight", "rounds 2", Tally(2, (0, 0, 0)),
        ["No points, so it's a tie.", "Rounds won: Ann has 0, Bob has 0, Cid has 0."],
    ),
    "a race": (
        "420", "race", Tally(1, (0, 0, 1)),
        ["Cid wins the race!"],
    ),
    "drinks": (
        "420", "drinks", Tally(2, (1, 0, 1), out=(Seat(2), Seat(0))),
        ["Bob is buying!", "Bob owes Ann and Cid a drink each."],
    ),
}  # fmt: skip


@pytest.mark.parametrize("end", ENDINGS)
def test_an_ending_says_who_wins_and_what_stands_on_the_slate(end: str) -> None:
    game, form, tally, told = ENDINGS[end]
    said = narrator(GAMES[game], form)
    assert said.ending(tally) == told
    assert said.standing(tally, over=True) == told[1:]


ONE_ROUND = {
    "won": (
        (1,), (12, 17, 0),
        ["Bob wins with 17.", "Ann has 12.", "Cid has nothing."], "Score: Ann has 12, Bob has 17, Cid has nothing.",
    ),
    "shared": (
        (0, 2), (17, 3, 17),
        ["Ann and Cid tie with 17.", "Bob has 3."], "Score: Ann has 17, Bob has 3, Cid has 17.",
    ),
    "shared by all": (
        (0, 1, 2), (9, 9, 9), ["Ann, Bob and Cid tie with 9."], "Score: Ann has 9, Bob has 9, Cid has 9.",
    ),
    "missed by all": (
        (), (0, 0, 0), ["No points, so it's a tie."], "Score: Ann has nothing, Bob has nothing, Cid has nothing.",
    ),
}  # fmt: skip


@pytest.mark.parametrize("end", ONE_ROUND)
def test_a_single_round_ends_with_its_scores_each_said_once(end: str) -> None:
    winners, scores, told, slate = ONE_ROUND[end]
    said, last = narrator(GAMES["midnight"], "rounds 1"), Result(tuple(map(Seat, winners)), scores)
    tally = said.match.format.settle(said.match.format.start(3), last, (Seat(0), Seat(1), Seat(2)))
    assert said.ending(tally, last) == told
    assert said.standing(tally, over=True, last=last) == [slate]


def test_a_player_who_wins_a_round_of_drinks_and_is_out_is_told_so_as_you() -> None:
    said = narrator(GAMES["420"], "drinks", "you, Bob, Cid", first="you")
    state = said.match.roll(said.match.start(), (5, 5, 5, 5))
    told = said.tell(said.match.start(), Rolled((5, 5, 5, 5)), state)
    assert told[1] == "You win round 1 and are out: no drinks to buy. Still in: Bob and Cid."


def test_a_player_alone_is_compared_with_nobody() -> None:
    said = narrator(GAMES["midnight"], "rounds 3", "Ann")
    assert said.ending(Tally(3, (3,))) == ["Ann wins!"]
    said = narrator(GAMES["midnight"], "rounds 1", "Ann")
    assert said.ending(Tally(1, (1,)), Result((Seat(0),), (14,))) == ["Ann wins with 14."]


@pytest.mark.parametrize(
    ("game", "form", "opens"),
    [
        ("midnight", "rounds 2", "Round 1."),
        ("midnight", "pot 2 rounds 2", "Round 1, 6 chips in the pot."),
        ("midnight", "rounds 1", ""),
        ("420", "race", ""),
        ("420", "drinks", "Round 1."),
    ],
)
def test_who_opens_is_told_once(game: str, form: str, opens: str) -> None:
    """Where turns are announced they say it; where Player 1 is drawn, that does."""
    for turns in (False, True):
        said = narrator(GAMES[game], form, turns=turns, first="draw")
        before = said.match.start()
        after = said.match.draw(before, Seat(1))
        assert said.tell(before, Drawn(Seat(1)), after) == [f"Player 1 is Bob. {opens}".strip()]
        first = "" if turns else " Bob goes first."
        assert said.round_opens(after) == f"{opens}{first}".strip()


def test_the_rules_in_force_are_told_in_one_piece() -> None:
    assert narrator(GAMES["midnight"], "rounds 2").rules() == "2 rounds; you need a 1 and a 4"
    assert narrator(GAMES["420"], "race").rules() == "a race: one round decides"


@pytest.mark.parametrize(
    ("game", "form", "tally", "told"),
    [
        (
            "midnight", "pot 2 rounds 2", Tally(2, (8, -4, -4)),
            ["You win!", "Score: you are up 8, Bob is down 4, Cid is down 4."],
        ),
        (
            "midnight", "rounds 3", Tally(3, (1, 1, 1)),
            ["It's a tie: you, Bob and Cid!", "Rounds won: you have 1, Bob has 1, Cid has 1."],
        ),
        (
            "420", "drinks", Tally(2, (0, 1, 1), out=(Seat(2), Seat(1))),
            ["You're buying!", "You owe Bob and Cid a drink each."],
        ),
        ("420", "race", Tally(1, (1, 0, 0)), ["You win the race!"]),
    ],
)  # fmt: skip
def test_who_listens_is_spoken_to_and_all_others_are_told_of_by_name(
    game: str, form: str, tally: Tally, told: list[str]
) -> None:
    assert [line[:1].upper() + line[1:] for line in narrator(GAMES[game], form).to(0).ending(tally)] == told


@pytest.mark.parametrize(
    ("game", "form", "tally", "told"),
    [
        (
            "420", "drinks", Tally(2, (0, 1, 1), out=(Seat(2), Seat(1))),
            ["Du zahlst die Runde!", "Du gibst allen einen aus: Bob und Cid."],
        ),
        (
            "420", "drinks", Tally(2, (1, 0, 1), out=(Seat(2), Seat(0))),
            ["Bob zahlt die Runde!", "Bob gibt allen einen aus: du und Cid."],
        ),
        ("midnight", "rounds 2", Tally(2, (1, 1, 0)),
         ["Unentschieden: du und Bob!", "Runden: du hast 1, Bob hat 1, Cid hat 0."]),
        ("midnight", "pot 2 rounds 2", Tally(2, (2, 2, -4)),
         ["Unentschieden: du und Bob!", "Stand: du bist 2 im Plus, Bob ist 2 im Plus, Cid ist 4 im Minus."]),
    ],
)  # fmt: skip
def test_in_german_who_listens_is_du_wherever_names_stand(game: str, form: str, tally: Tally, told: list[str]) -> None:
    """Not "für du", and small after a colon."""
    assert narrator(GAMES[game], form, said=GERMAN).to(0).ending(tally) == told


@pytest.mark.parametrize(
    ("said", "you", "told"),
    [
        (ENGLISH, 0, "You owe Bob a drink."),
        (ENGLISH, 1, "Ann owes you a drink."),
        (GERMAN, 0, "Du gibst einen aus: Bob."),
        (GERMAN, 1, "Ann gibt einen aus: du."),
    ],
)
def test_of_two_one_drink_is_bought(said: Language, you: int, told: str) -> None:
    tally = Tally(1, (0, 1), out=(Seat(1),))
    assert narrator(GAMES["420"], "drinks", "Ann, Bob", said=said).to(you).ending(tally)[-1] == told


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (ENGLISH, "Ann and you win round 3 and are out: no drinks to buy."),
        (GERMAN, "Runde 3 gewonnen und fein raus: Ann und du."),
    ],
)
def test_several_who_win_a_round_of_drinks_are_out_together(said: Language, told: str) -> None:
    to, form = narrator(GAMES["420"], "drinks", said=said).to(1), GAMES["420"].format("drinks")
    before, last = form.start(3), Result((Seat(0), Seat(1)), (20, 20, 9))
    order = (Seat(0), Seat(1), Seat(2))
    end = RoundEnd(3, last, order, before, form.settle(before, last, order))
    assert form.words.ended(to, end) == [told]
