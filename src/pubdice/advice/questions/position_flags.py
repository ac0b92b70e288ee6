"""Flags that tell a position of a match under way; what they mean is worked out in ``match_position``. No numpy."""

from collections.abc import Iterator

from pubdice.kit import Flag, Kit
from pubdice.match.formats import FormatKind, StandingField
from pubdice.solve.choose import one_turn_each
from pubdice.text.meanings import OPENERS

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
