"""What a game can be asked: questions of its own where its kit has any, and else those of the house."""

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from pubdice.core.errors import BadNotation, Unsolved
from pubdice.core.game import Game, HandState, Seat
from pubdice.core.turn_game import TurnGame
from pubdice.kit import Flag, Kit, Option, Question, lazy, read_number
from pubdice.match.formats import Format, FormatKind, StandingField
from pubdice.match.match import Match
from pubdice.solve.choose import one_turn_each
from pubdice.text.answers import tell_advice, tell_odds, tell_prices
from pubdice.text.language import OPENERS, Language

# Flags that tell a position of a match under way; what they mean is worked out in ``ranking``. No numpy.


# The match and the rules that a question is about, from the flags given.


MATCH_FLAGS = ("seats", "format", "opener")
TO_WIN = ("to-beat", "holders", "to-come", "ties")
"""Flags that go with one turn's goal ``win`` alone."""
LEAST = 2
"""The fewest seats that questions are about."""
NUMBERS = (1, 2, 3, 5, 10, 20)
"""How many rounds, lives and so on are compared, as far as a format allows them."""
SHAPES = ("6551", "6541")
"""Hands to show what is meant."""
Given = Mapping[str, str]
"""Flags, by name without dashes."""


def option_flags(kit: Kit) -> tuple[Flag, ...]:
    """A flag for each house rule of a game."""
    return tuple(
        Flag(
            option.key,
            option.key.upper(),
            _choices(option),
            option.meaning,
            tuple(zip(option.choices, option.meanings or option.choices, strict=True)),
        )
        for option in kit.options
    )


def _choices(option: Option) -> str:
    usual, *others = [choice.replace(" ", ",") for choice in option.choices]
    return f"{option.meaning}: {' or '.join([f'{usual} (usual)', *others])}"


def match_flags(kit: Kit) -> tuple[Flag, ...]:
    """Flags for seats, format and opener."""
    game = kit.usual_game
    formats = " or ".join(map(_format, kit.formats, [one_turn_each(game)] * len(kit.formats)))
    openers = tuple(dict.fromkeys(opener for kind in kit.formats for opener in kind.usual.openers))
    usual, least = written(kit.formats[0].usual), least_seats(game.least_seats)
    limits = "".join(f", {least} to {most} for {name}" for name, most in kit.most_solved.items())
    found = [Flag("seats", "N", f"how many seats the match has{limits}; the values stand in turn order ({least})")]
    found.append(Flag("format", "FORMAT", f"of which match: {formats}; {usual} is usual"))
    found += switches(kit)
    if len(openers) > 1:
        found.append(Flag("opener", "RULE", f"of which match: {openers[0]} (usual), {', '.join(openers[1:])}"))
    return tuple(found)


def switches(kit: Kit) -> tuple[Flag, ...]:
    """A switch for each format that has no numbers, but for the usual one: ``--drinks`` is ``--format drinks``."""
    return tuple(Flag(kind.name, "", f"the same as --format {kind.name}") for kind in _plain(kit))


def several_rounds(kit: Kit) -> str:
    """The flag, without dashes, of the first format of several rounds; "" if there is none."""
    kinds = (kind for kind in kit.formats if not kind.usual.is_one_round)
    return next((kind.name if kind in _plain(kit) else f"format {kind.name}" for kind in kinds), "")


def shape(game: Game[Any, Any]) -> str:
    """Two hands as they are typed, with as many dice as this game has."""
    return ",".join(hand[: game.to_roll(game.start(LEAST))] for hand in SHAPES)


def _plain(kit: Kit) -> tuple[FormatKind, ...]:
    return tuple(kind for kind in kit.formats[1:] if not kind.fields)


def _format(kind: FormatKind, turns: bool) -> str:
    if turns and kind.usual.stake:
        return f"{kind.name} (one pot, carried until it is taken)"
    return f"{kind.name}:N" if kind.fields else kind.name


def written(form: Format) -> str:
    """A format as it is typed after a flag, without spaces."""
    return form.write().replace(" ", ":")


def least_seats(least: int) -> int:
    """The fewest seats that questions are about here: nobody has odds against nobody."""
    return max(LEAST, least)


def asked_options(kit: Kit, given: Given) -> dict[str, str]:
    """The house rules given, the others being usual. Raises BadNotation."""
    return {option.key: option.read(given.get(option.key, option.choices[0])) for option in kit.options}


def asked_turn_game(kit: Kit, given: Given) -> TurnGame:
    """The game of one turn a seat with the rules given. Raises BadNotation, and Unsolved where they make it another."""
    game = kit.build(asked_options(kit, given))
    if not one_turn_each(game):
        raise Unsolved("no-solver", title=kit.words.title)
    return game


def limits_rolls(game: TurnGame) -> bool:
    """Whether a position depends on the number of rolls there have been."""
    state = game.start(1)
    return game.roll(state, (1,) * game.to_roll(state)).rolls > 0


def asked_format(kit: Kit, given: Given) -> Format:
    """The format given, by its name or by a switch, or the usual one. Raises BadNotation."""
    switched = [kind for kind in _plain(kit) if kind.name in given]
    if switched and "format" in given:
        raise BadNotation("flag-beside", flag=switched[0].name, other="format")
    if switched:
        return switched[0].usual
    return kit.format(given["format"]) if "format" in given else kit.formats[0].usual


def most_solved(kit: Kit, form: Format) -> int:
    """The most seats that are solved in this format."""
    most = kit.usual_game.most_seats
    return min(most, kit.most_solved.get(form.kind.name, most))


def asked_match(kit: Kit, given: Given, most: int | None = None) -> Match[object, object]:
    """The match given, opened by its first seat; for one seat only if that is said, and the game has such rounds.

    most: seats that are solved, if fewer than can play.

    Raises BadNotation.
    """
    form, usual = asked_format(kit, given), kit.usual_game
    top = most_solved(kit, form) if most is None else min(most, most_solved(kit, form))
    seats = read_number("seats", given.get("seats", str(least_seats(usual.least_seats))), usual.least_seats, top)
    opener = given.get("opener", form.openers[0])
    if opener not in form.openers:
        raise BadNotation("opener", found=opener, openers=form.openers)
    return Match(kit.build(asked_options(kit, given)), seats, form, opener, Seat(0))


def shortest(kind: FormatKind) -> str:
    """The format with its least numbers."""
    return written(kind.build(*(field.least for field in kind.fields)))


GROUP = "In a match"
"""The heading of the fields that all formats have."""
VALUES = {"each": "NUMBERS", "number": "N", "seats": "SEATS"}
"""What stands for the value of a standing's flag."""
SCORES = Flag(
    "scores",
    "SCORES",
    "with --format: the scores of this round so far, in turn order; 0 for none (none)",
    "Scores of this round, in turn order",
    group=GROUP,
)


def position_flags(kit: Kit) -> tuple[Flag, ...]:
    """The flags of a position in a match, after those of the round; none for a game whose rounds no flags tell."""
    if kit.position is None and not one_turn_each(kit.usual_game):
        return ()
    usual = kit.formats[0].usual
    kinds = tuple((kind.name, kind.label) for kind in kit.formats)
    always = kit.position is not None
    names = " or ".join(":".join([kind.name, *["N" for _ in kind.fields]]) for kind in kit.formats)
    form = f"the match: {names}, numbers left out are usual" + (
        f" ({usual.write().replace(' ', ':')})" if always else ""
    )
    openers = tuple(dict.fromkeys(opener for kind in kit.formats for opener in kind.usual.openers))
    shared = [field for field in _fields(kit) if sum(field in standing_fields(kind) for kind in kit.formats) > 1]
    found = [
        Flag("format", "FORMAT", form, "What you play", kinds if always else (("", "This round alone"), *kinds), GROUP),
        Flag(
            "seats",
            "N",
            "how many players the match has (as many as numbers are given, or the fewest)",
            "Players",
            group=GROUP,
        ),
        *([] if always else [SCORES]),
        *[_flag(field, GROUP) for field in dict.fromkeys(shared)],
        Flag(
            "opener",
            "RULE",
            f"who opens the next round: {', '.join(openers)} (as usual in the format)",
            "Who opens the next round",
            (("", "as usual"), *((opener, OPENERS[opener]) for opener in openers)),
            GROUP,
        ),
    ]
    for kind in kit.formats:
        name = kind.name
        found += [
            Flag(field.key, "N", f"with --format {name}: {field.label}", field.label, group=kind.label)
            for field in kind.fields
        ]
        found += [_flag(field, kind.label) for field in standing_fields(kind) if field not in shared]
    return tuple(found)


def standing_fields(kind: FormatKind) -> tuple[StandingField, ...]:
    """What a format asks for to know how a match stands."""
    return kind.standing.fields if kind.standing is not None else ()


def _fields(kit: Kit) -> Iterator[StandingField]:
    return (field for kind in kit.formats for field in standing_fields(kind))


def _flag(field: StandingField, group: str) -> Flag:
    return Flag(field.key, VALUES[field.takes], f"with --format: {field.meaning}", field.label, group=group)


COSTS = "pubdice.advice.card_prices"
RANKING = "pubdice.advice.ranking"
ODDS = "pubdice.advice.odds"
POSITION_OF = (RANKING, "match_position")
TIES = (("share", "shares the round"), ("each", "gives each a win"), ("carry", "carries the pot"))
GOAL = (
    Flag("goal", "GOAL", "score (usual), qualify, reach:N, exactly:N, or win"),
    Flag("to-beat", "N", "with --goal win: the best score so far (none)", "Score to beat"),
    Flag("holders", "K", "with --goal win: how many seats hold it (1)", "How many have that score"),
    Flag("to-come", "M", "with --goal win: how many seats play after this one (0)", "Players still to come"),
    Flag("ties", "RULE", "with --goal win: share (usual), each wins, or carry the pot", "A tie", TIES),
)
POSITION = (
    Flag("locked", "DICE", "the dice kept before (none)", "Kept before"),
    Flag("roll", "DICE", "the dice just rolled", "Just rolled"),
)
ROLLS = Flag(
    "rolls", "N", "how many rolls there have been in this turn (as few as the position allows)", "Rolls so far"
)
SVG = Flag("svg", "", "print the card as an SVG picture, 10 by 10 cm")


def question(kit: Kit, name: str) -> Question | None:
    """The question of that name, ``odds``, ``advise``, ``price`` or ``card``; None if the game has no answer to it."""
    if name == "price" and kit.price is not None:
        return kit.price
    if kit.solver is None or (name == "card" and kit.card_lines is None):
        return None
    return {"odds": _odds, "advise": _advise, "price": _price, "card": _card}[name](kit)


def _odds(kit: Kit) -> Question:
    game = kit.usual_game
    goal = GOAL if one_turn_each(game) else ()
    flags = (*option_flags(kit), *goal, *match_flags(kit))
    tell = kit.tells.get("odds", partial(tell_odds, kit.words, game))
    return Question(flags, partial(lazy(ODDS, "odds"), kit), tell)


def _advise(kit: Kit) -> Question:
    """By flags for a position of a turn or of a match, or by hands; any position is a record."""
    game, own = kit.usual_game, kit.tells.get("advise")
    if kit.position is not None:
        flags = (*kit.position.flags, *option_flags(kit), *position_flags(kit))
        return Question(flags, partial(lazy(RANKING, "advise_flags"), kit), _no_lines, partial(lazy(*POSITION_OF), kit))
    if one_turn_each(game):
        turn_flags = (*POSITION, *([ROLLS] if limits_rolls(game) else []), *option_flags(kit), *GOAL)
        flags = (*turn_flags, *position_flags(kit))
        answer = partial(lazy(RANKING, "advise_flags"), kit)
        return Question(flags, answer, own or partial(tell_advice, kit.words, game), partial(lazy(*POSITION_OF), kit))
    if own is not None and isinstance(game.start(least_seats(game.least_seats)), HandState):
        return Question(_hand_flags(kit), partial(lazy(RANKING, "advise_hands"), kit), own)
    return Question((), _record_only, _no_lines)


def _hand_flags(kit: Kit) -> tuple[Flag, ...]:
    several = several_rounds(kit)
    hands = f"every hand, the mover's first, in turn order: {shape(kit.usual_game)}; - has not rolled yet"
    opened = Flag(
        "player-one",
        "K",
        f"with --{several}: which of the hands, from 1, opened the round (1)",
        "In several rounds: which hand opened this one",
    )
    kinds = tuple((kind.name, kind.label) for kind in kit.formats)
    matches = [
        Flag(flag.name, flag.value, flag.meaning, "What you play", kinds) if flag.name == "format" else flag
        for flag in match_flags(kit)
        if flag.name != "seats"
    ]
    return (
        Flag("hands", "HANDS", hands, "All hands, yours first; a dash for one not rolled"),
        *matches,
        *([opened] if several else []),
        *option_flags(kit),
    )


def _record_only(given: Mapping[str, str], folder: Path | None = None) -> dict[str, Any]:
    raise BadNotation("advise-record")


def _no_lines(language: Language, data: dict[str, Any]) -> list[str]:
    """Nothing: a coach speaks."""
    return []


def _price(kit: Kit) -> Question:
    tell = kit.tells.get("price", partial(tell_prices, kit.options, kit.price_note))
    return Question((), partial(lazy(ODDS, "price"), kit), tell)


def _card(kit: Kit) -> Question:
    flags = (*option_flags(kit), SVG)
    return Question(flags, partial(lazy(COSTS, "answer"), kit), partial(lazy(COSTS, "tell"), kit))
