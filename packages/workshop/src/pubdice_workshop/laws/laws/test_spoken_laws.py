"""Laws of spoken text: no sentence contradicts the rules in any position or language, and the player is asked for every
choice.

The module ``spoken_claims`` checks the sentences against the rules, for every game and every choice of its options.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from laws.positions import positions
from laws.spoken_claims import Position, asks, names_need, needed, untrue, untrue_choice
from play import CASES, KITS, NAMES, endless
from pubdice.core.dice import DieFaces
from pubdice.core.errors import IllegalAction
from pubdice.core.game import Keep, MoveGame, RoundSeat, RoundState, Seat, TurnGame, kept_by
from pubdice.games.fourtwenty.rules import FourTwenty
from pubdice.games.fourtwenty.rules import RoundState as FourTwentyRound
from pubdice.games.fourtwenty.words import FourTwentyWords
from pubdice.games.mexico import Mexico
from pubdice.games.mexico.rules import MexicoRound
from pubdice.games.mexico.words import MexicoWords
from pubdice.games.midnight import Midnight
from pubdice.games.midnight.rules import MidnightFollow
from pubdice.games.midnight.words import MidnightWords
from pubdice.games.ship import Ship
from pubdice.games.ship.words import ShipWords
from pubdice.games.threes.rules import Threes
from pubdice.games.threes.words import ThreesWords
from pubdice.kit import Kit
from pubdice.room import Caller
from pubdice.room import commands as ask
from pubdice.server.table.announce import FACES, Announcer
from pubdice.server.wire import Say, View
from pubdice.text.catalogues import language
from pubdice.text.language import Language
from pubdice.text.turn_words import TurnWords
from room.scripted_room import Evening, played
from sentences import homes
from server.table.announced import said_to, view_of

UNDERSTOOD = ("midnight", "420", "mexico", "ship", "threes")
"""Games in which every sentence must match a pattern. In other games, sentences that match no pattern are not
checked."""
SEATS = 3
PLAYED = {(case.kit.name, case.game): case.kit.words for case in CASES}
ENGLISH, GERMAN = Language(), language("de", strict=True)


def spoken(words: Any, said: Language, at: Position) -> Iterator[str]:
    """Yield every text about a position that the listener hears."""
    game, state, names = at.game, at.state, at.names
    yield words.aim(said, game)
    yield from words.status(said, game, state, names)
    yield from words.to_beat(said, game, state, names)
    yield from words.scores(said, game, state, names)
    for shown in (
        words.rail(said, game, state, names[at.mover], ()),
        words.beam(said, game, state, names[at.mover], ()),
    ):
        yield from [shown.said] if shown is not None else []
    if names[at.mover]:
        return
    if game.to_roll(state):
        yield words.to_roll(said, game, state)
        yield from words.rolls_on(said, game, state)
    elif len(game.legal(state)) > 1:
        yield words.ask(said, game, state)
        yield words.todo(said, game, state)
        yield from words.to_choose(said, game, state)
        yield words.hint(said, game, state)


def faults(words: Any, said: Language, at: Position) -> Iterator[str]:
    """Yield the faults in the texts about a position."""
    german, game, state = said.code == "de", at.game, at.state
    for text in spoken(words, said, at):
        yield from untrue(at, in_digits(text, game.faces), german)
    if at.names[at.mover]:
        return
    if due := game.to_roll(state):
        rolls, *known = words.rolls_on(said, game, state)
        if re.findall(r"\d+", rolls) != [str(due)]:
            yield f"says other dice than the {due} that are due: {rolls!r}"
        if game.dice(state, at.mover)[0] and isinstance(words, TurnWords):
            yield from leaves_out(at, " ".join(known), german=german)
    if len(game.legal(state)) < 2:
        return
    rail = words.rail(said, game, state, "", at.free)  # as if all dice were marked
    settled = at.settled()
    if rail is not None and settled and rail.total not in map(game.write_score, settled):
        yield f"the score shown is no longer what the rules settle: {rail.said!r}"
    asked, chosen = words.ask(said, game, state), words.to_choose(said, game, state)
    for text in (asked, " ".join(chosen)):
        if not asks(text, german):
            yield f"asks for no choice: {text!r}"
        yield from leaves_out(at, text, german=german)
    if len(chosen[-1].rstrip("?").split(". ")) > 1 and len(chosen) > 1:
        yield f"says more than the question: {chosen[-1]!r}"
    legal = game.legal(state)
    for action in (*legal[:: 1 + len(legal) // 8], legal[-1]):
        yield from untrue_choice(at, action, words.choice(said, game, state, action), german)


def leaves_out(at: Position, text: str, *, german: bool) -> Iterator[str]:
    """Yield a fault if a text does not name the needed faces."""
    if isinstance(at.game, TurnGame) and needed(at) and not names_need(in_digits(text, at.game.faces), german):
        yield f"leaves out what is needed: {text!r}"


def in_digits(text: str, die: DieFaces) -> str:
    """Return a sentence with digits in place of the words for faces, because the patterns expect digits."""
    for word, face, number in words_of(die) if die.words else ():
        text = re.sub(rf"\b{word}\b", " ".join([str(face)] * number), text)
    return text


def words_of(die: DieFaces) -> list[tuple[str, int, int]]:
    """Return the words for one to four dice of a face, each with its face and the number of dice."""
    if not die.words:
        return [(word, face, 1) for face, word in enumerate(FACES, 1)]
    words = list(enumerate(die.words, 1))
    several = [(many.format(number=number), face, number) for face, (_, many) in words for number in (2, 3, 4)]
    return [*several, *[(one, face, 1) for face, (one, _) in words]]


def told(game: Any, state: Any) -> Iterator[Position]:
    """Yield the position for each listener: a person who only watches, the mover, and if two scores tie, the first
    seat.
    """
    mover, names = game.mover(state), NAMES[:SEATS]
    if mover == 0:
        yield Position(game, state, names)
    listeners = [mover] if len(set(done := getattr(state, "scores", ()))) == len(done) else [mover, 0]
    for you in listeners:
        yield Position(game, state, tuple("" if seat == you else name for seat, name in enumerate(names)))


def _heard() -> Iterator[Any]:
    """Yield every game with its options, in English and in German if the game is translated. Two kinds run only at
    night: German with unusual options, and English Midnight with the need 2 4 and a binding opener, because it has many
    positions.
    """
    for name, game in PLAYED:
        many = [pytest.mark.nightly] if game == MidnightFollow((2, 4)) else []
        yield pytest.param(name, game, ENGLISH, id=f"{name}-{game}-en", marks=many)
        if KITS[name].home in homes("de")[1:]:  # the other games have no German catalogue
            usual = game == next(case.game for case in CASES if case.kit.name == name)
            yield pytest.param(name, game, GERMAN, id=f"{name}-{game}-de", marks=[] if usual else pytest.mark.nightly)


@pytest.mark.parametrize(("name", "game", "said"), list(_heard()))
def test_no_sentence_contradicts_the_rules(name: str, game: Any, said: Language) -> None:
    words = PLAYED[name, game]
    found: dict[str, Any] = {}
    for state in positions(game, SEATS):
        if game.mover(state) is None:
            continue
        for at in told(game, state):
            for fault in faults(words, said, at):
                if name in UNDERSTOOD or not fault.startswith("not understood"):
                    found.setdefault(fault, at)
    assert not found, "\n".join(f"{fault}: {at}" for fault, at in list(found.items())[:6])


def told_on(kit: Kit, words: Any) -> Iterator[tuple[Evening, Seat, list[Say]]]:
    """Play random moves of two people. After each move that does not end the turn, yield the table, the mover and the
    announcements.
    """
    table, numbers = played("ann", "bob", game=kit.name), endless(7)
    announcer = Announcer(ENGLISH, replace(kit, words=words))
    for _ in range(80):
        seat = table.state.mover
        if seat is None:
            return
        match, inner = table.table.match, table.play.match
        command: ask.Command = ask.RollOrBank("roll")
        legal = match.legal(inner)
        if legal and isinstance(match.game, MoveGame):
            command = ask.PlayAction(legal[numbers.below(len(legal))], rolls=True)
        elif legal:
            kept, left = kept_by(match.game, legal[numbers.below(len(legal))]), [*table.table.view(table.play, seat)]
            marks = []
            for face in kept:
                die = next(die for die in left if die.face == face and die.status != "locked")
                marks.append(die.place)
                left.remove(die)
            command = ask.RollOrBank("roll", tuple(sorted(marks)))
        try:
            steps = table.room.decide(table.state, command, Caller(("ann", "bob")[seat], table.now, {}), numbers)
        except IllegalAction:
            continue
        table.state = steps[-1].after
        live = table.state.match
        assert live is not None
        if table.state.mover == seat and live.state.match.number == inner.number:
            yield table, seat, announcer.tell(steps, {})


def announced(kit: Kit, words: Any) -> Iterator[tuple[View, str, list[str], list[str]]]:
    """Yield each view with a choice after a roll, its heading, and the mover's announcements in brief and in full."""
    for table, seat, said in told_on(kit, words):
        if len(table.play.legal) < 2:
            continue
        brief, full = ([own for say in said if say.level <= most and (own := said_to(seat, say))] for most in (0, 3))
        view = view_of(table)
        yield view, str(said_to(seat, view.heading)), brief, full


def unasked(kit: Kit, words: Any) -> list[str]:
    """Return the faults in the announcements after rolls."""
    found = []
    for _, heading, brief, full in announced(kit, words):
        sentences = re.findall(r"[^.?!]+[.?!]", " ".join(full))
        asked = [text for text in brief if asks(text, german=False)]
        if len(asked) != 1:
            found.append(f"{heading}: {brief}")
        if len(set(sentences)) < len(sentences):
            found.append(f"twice: {full}")
        if [text for text in full if asks(text, german=False)] != asked:
            found.append(f"in full otherwise: {full}")
    return found


@pytest.mark.parametrize("kit", [kit for kit in KITS.values() if kit.name != "420"], ids=lambda kit: kit.name)
def test_what_is_announced_after_a_roll_asks_for_the_choice_on_the_screen(kit: Kit) -> None:
    """The brief and the full announcements each ask for the choice once, and no sentence comes twice. 420 is left out,
    because it asks for its choice when a turn begins.
    """
    assert len(list(announced(kit, kit.words))) > 3
    assert unasked(kit, kit.words) == []


@pytest.mark.parametrize("kit", KITS.values(), ids=lambda kit: kit.name)
def test_a_turn_that_goes_on_ends_what_is_told_with_what_there_is_to_do(kit: Kit) -> None:
    """When a roll is due, the last of the brief lines says the number of dice. This holds also after a move that the
    house makes itself.
    """
    rolls = 0
    for table, seat, said in told_on(kit, kit.words):
        match, inner = table.table.match, table.play.match
        brief = [own for say in said if say.level <= 0 and (own := said_to(seat, say))]
        if due := match.to_roll(inner):
            rolls += 1
            assert brief[-1] == f"Roll {due} {'die' if due == 1 else 'dice'}.", brief
        else:
            assert asks(brief[-1], german=False), brief
    assert rolls or kit.name not in ("ship", "shutbox")


def test_an_announcement_that_leaves_the_choice_out_is_caught() -> None:
    ship = KITS["ship"]
    assert unasked(ship, AsksNothing())
    assert unasked(ship, AsksTwice())


def heard_dice(text: str, kit: Kit) -> list[int]:
    """Return the faces in a sentence. A key before a face, as in "key 1: two", is not a face."""
    words = {word: [face] * number for word, face, number in words_of(kit.usual_game.faces)}
    word, bare = "|".join(words), "()" if kit.usual_game.faces.words else "([1-6])"
    found = re.findall(rf"(?:key [1-6]: )?\b({word})\b|{bare}", text)
    return [face for said, digit in found for face in (words[said] if said else [int(digit)] if digit else [])]


@pytest.mark.parametrize("kit", [kit for kit in KITS.values() if kit.name != "420"], ids=lambda kit: kit.name)
def test_who_asks_for_their_dice_hears_every_die(kit: Kit) -> None:
    """The mover also hears dice that cannot be chosen, such as Ship's crew and cargo in a fresh roll."""
    hands = [
        (text, seat.dice)
        for view, *_ in announced(kit, kit.words)
        for seat in view.seats
        for text in (seat.hand, seat.own_hand, seat.own_keys)
        if seat.dice and text
    ]
    assert hands
    left_out = [(text, dice) for text, dice in hands if Counter(dice) - Counter(heard_dice(text, kit))]
    assert left_out == []


@pytest.mark.parametrize("kit", KITS.values(), ids=lambda kit: kit.name)
def test_dice_to_choose_from_are_heard_in_the_order_of_their_keys(kit: Kit) -> None:
    """Once other dice are locked, the free dice are announced with their keys: in the hand (key H), and after a roll in
    round 1. A player who names dice by their faces hears the faces.
    """
    told = dict[int, int]()
    for view, _, _, full in announced(kit, kit.words):
        dice = [die for die in view.dice if die.marks is not None]
        if not dice or view.mover is None:
            continue
        seat, order = view.seats[view.mover], [die.face for die in dice]
        keys = [line for line in full if "key " in line]
        assert "key" not in seat.own_hand + seat.hand
        if len(dice) == len(view.dice):
            assert heard_dice(seat.own_hand.partition(".")[0], kit) == order, seat.own_hand
            assert (keys, seat.own_keys) == ([], "")
            continue
        assert placed(seat.own_keys, kit) == [(die.place + 1, die.face) for die in dice], seat.own_keys
        assert [placed(line, kit) for line in keys] in ([], [placed(seat.own_keys, kit)])
        told[view.mover] = told.get(view.mover, 0) + len(keys)
    assert all(number <= 2 for number in told.values()), "once a turn of round 1, and not at every decision"
    assert any(told.values()) or kit.name not in ("midnight", "threes")


def placed(text: str, kit: Kit) -> list[tuple[int, int]]:
    words = {word: face for word, face, number in words_of(kit.usual_game.faces) if number == 1}
    found = re.findall(rf"\bkey ([1-6]): ({'|'.join(words)})\b", text)
    return [(int(key), words[face]) for key, face in found]


def test_a_hand_of_420_is_asked_for_in_the_order_of_its_keys() -> None:
    table = played("ann", "bob", game="420")
    table.roll("ann", (3, 6, 6, 3))
    steps = table.steps("bob", ask.RollOrBank("roll"), [(1, 2, 3, 4)])
    said = [own for say in Announcer(ENGLISH, KITS["420"]).tell(steps, {}) if (own := said_to(0, say))]
    assert "Your turn. You have 3 6 6 3: 18. Which dice do you keep?" in said
    assert view_of(table).seats[0].own_hand.startswith("You have 3 6 6 3")


def wrong(words: Any, game: Any, state: Any, seat: int = 0, said: Language = ENGLISH) -> list[str]:
    return list(faults(words, said, Position(game, state, tuple("" if at == seat else NAMES[at] for at in range(2)))))


ABOARD = RoundState(2, (), (5, 6), (3, 4, 6), 2)
"""A state of Ship: the 4 has just come aboard, with a cargo of 9."""
TO_ROLL = RoundState(2, (), (5, 6), (), 1)
"""A state of Ship: 6 and 5 have come aboard, and the house has kept them."""
KEPT = RoundState(2, (), (1,), (2, 3, 4, 5, 6))
"""A state of Midnight: the 1 is kept, and a 4 is among the free dice."""


class Forgets(ShipWords):
    """Words of Ship with a fault: they look only at locked dice, and forget a die that has just come aboard."""

    def to_choose(self, language: Language, game: Ship, state: RoundState) -> list[str]:
        return [self.stands(language, game, state)[-1], *super().to_choose(language, game, state)]

    def needs(self, language: Language, game: Ship, state: RoundState, name: str) -> str:
        return super(ShipWords, self).needs(language, game, state, name)


class KeptIsNeeded(MidnightWords):
    """Words with a fault: they ask for a 1 that is already kept."""

    def needs(self, language: Language, game: Midnight, state: RoundState, name: str) -> str:
        return language.say("You still need {lack}.", lack=language.say("a {face}", face=1))


class SaysNoNeed(MidnightWords):
    """Words with a fault: they leave out the needed faces."""

    def needs(self, language: Language, game: Midnight, state: RoundState, name: str) -> str:
        return ""


class SaysNoDice(ShipWords):
    """Words with a fault: they count kept dice among the dice to roll."""

    def rolls_on(self, language: Language, game: Ship, state: RoundState) -> list[str]:
        return [language.count("Roll {number} die.", "Roll {number} dice.", 5), *self._has(language, game, state, "")]


class MoreCargo(ShipWords):
    """Words with a fault: they add one to the cargo."""

    def _cargo(self, game: Ship, state: RoundState) -> int:
        return super()._cargo(game, state) + 1


class OneRollMore(MexicoWords):
    """Words with a fault: they count one roll too many."""

    def _left(self, language: Language, game: Mexico, state: MexicoRound) -> str:
        return language.count("{number} roll left.", "{number} rolls left.", state.limit - state.rolls + 1)


class NamesTheFirst(MexicoWords):
    """Words with a fault: of the seats that share a score, they name only the first."""

    def to_beat(self, language: Language, game: Mexico, state: MexicoRound, names: tuple[str, ...]) -> list[str]:
        text = "{name} is lowest with {score}.", "You are lowest with {score}."
        return [language.about(*text, names[0], score=self.score(language, game, min(state.scores)))]


class AsksNothing(ShipWords):
    """Words with a fault: they leave out the choice."""

    def to_choose(self, language: Language, game: Ship, state: RoundState) -> list[str]:
        return self._has(language, game, state, "")


class AsksTwice(ShipWords):
    """Words with a fault: they announce the cargo and the choice twice."""

    def to_choose(self, language: Language, game: Ship, state: RoundState) -> list[str]:
        return [*super().to_choose(language, game, state), *super().to_choose(language, game, state)]


class AsksForDice(ShipWords):
    """Words with a fault: they ask for a choice that Ship does not have."""

    def ask(self, language: Language, game: Ship, state: RoundState) -> str:
        return (
            language.say("You have a cargo of {total}.", total=9) + " " + language.say("You keep {dice}.", dice="3 6")
        )


class KeepsTheFour(FourTwentyWords):
    """Words with a fault: they say that a 4 may be kept alone."""

    def hint(self, language: Language, game: FourTwenty, state: FourTwentyRound) -> str:
        return language.say("You may keep {dice}.", dice=language.say("{dice} alone", dice="5 or 4"))


class SaysNothingOfPairs(FourTwentyWords):
    """Words with a fault: they leave out that two dice may be kept."""

    def hint(self, language: Language, game: FourTwenty, state: FourTwentyRound) -> str:
        return super().hint(language, game, state).replace(", two from 10", "")


class AimsAtFive(MidnightWords):
    """Words with a fault: they name the wrong pair of needed faces."""

    def aim(self, language: Language, game: Midnight) -> str:
        return language.say("Get {first} and {second}, then score high.", first=1, second=5)


class StopsByRolling(ShipWords):
    """Words with a fault: they call giving up the cargo "stop"."""

    def choice(self, language: Language, game: Ship, state: RoundState, action: Keep) -> str:
        return language.say("stop")


@pytest.mark.parametrize(
    ("words", "game", "state", "fault"),
    [
        (Forgets(), Ship(), ABOARD, "'You still need a 4.'"),
        (KeptIsNeeded(), Midnight(), KEPT, "'You still need a 1.'"),
        (SaysNoNeed(), Midnight(), KEPT, "leaves out what is needed"),
        (MoreCargo(), Ship(), ABOARD, "'You have a cargo of 10.'"),
        (SaysNoDice(), Ship(), TO_ROLL, "says other dice than the 3 that are due"),
        (SaysNoDice(), Ship(), TO_ROLL, "leaves out what is needed"),
        (OneRollMore(), Mexico(), MexicoRound(2, (), 3, 1, (), (4, 6)), "'3 rolls left.'"),
        (AimsAtFive(), Midnight(), KEPT, "'Get 1 and 5, then score high.'"),
        (
            KeepsTheFour(),
            FourTwenty(),
            FourTwentyRound(((1, 2, 4, 5), ()), RoundSeat(0), None),
            "'You may keep 5 or 4 alone.'",
        ),
        (
            SaysNothingOfPairs(),
            FourTwenty(),
            FourTwentyRound(((3, 4, 5, 6), ()), RoundSeat(0), None),
            "'You may keep 6 or 5 alone",
        ),
        (AsksNothing(), Ship(), ABOARD, "asks for no choice: 'You have a cargo of 9. 1 roll left.'"),
        (AsksForDice(), Ship(), ABOARD, "asks for no choice"),
        (StopsByRolling(), Ship(), ABOARD, "'stop' of Keep(dice=(4,))"),
    ],
    ids=lambda given: type(given).__name__ if isinstance(given, ShipWords | MidnightWords | MexicoWords) else "",
)
def test_words_that_lie_are_caught(words: Any, game: Any, state: Any, fault: str) -> None:
    honest = PLAYED[next(name for name, each in PLAYED if each == game), game]
    assert wrong(honest, game, state) == wrong(honest, game, state, said=GERMAN) == []
    assert [found for found in wrong(words, game, state) if fault in found], wrong(words, game, state)


@pytest.mark.parametrize(
    ("names", "told"),
    [(("Ann", "Bob", ""), "'Ann is lowest with 52.'"), (("", "Bob", "Cid"), "'You are lowest with 52.'")],
)
def test_words_that_name_the_first_of_a_tie_alone_are_caught(names: tuple[str, ...], told: str) -> None:
    at = Position(Mexico(), MexicoRound(3, (52, 52), 2), names)
    assert list(faults(MexicoWords(), ENGLISH, at)) == list(faults(MexicoWords(), GERMAN, at)) == []
    assert [fault for fault in faults(NamesTheFirst(), ENGLISH, at) if told in fault]


def test_the_threes_that_forget_the_moon_are_caught() -> None:
    """Five sixes ("the moon") win even if 5 or less is needed. After a score of 0 they are the only way to win."""
    honest, words = Threes("yes"), ThreesWithoutMoon()
    for scores, told, fault in (((6,), "or less, or the moon", "need 5 or less."), ((0,), "need the moon", "only tie")):
        state = RoundState(2, scores, (), (2, 3, 5, 6, 6))
        assert wrong(ThreesWords(), honest, state, 1) == []
        assert told in " ".join(ThreesWords().status(ENGLISH, honest, state, ("Ann", "")))
        assert [found for found in wrong(words, honest, state, 1) if fault in found]


class ThreesWithoutMoon(ThreesWords):
    """Words of Threes with a fault: they leave out the moon."""

    def besides(self, language: Language, game: Threes, state: RoundState) -> str:
        return ""
