"""Pub dice games: play them move by move, check them, and solve them exactly.

The names in ``__all__`` are the public library. ``docs/build/library.md`` shows every one of them. A name is imported
at its first use (PEP 562), because that keeps ``import pubdice`` and ``pubdice --help`` fast.
"""

TYPE_CHECKING = False  # importing typing for its TYPE_CHECKING would take longer than the rest of this module
if TYPE_CHECKING:
    from pubdice.advice.review import Review
    from pubdice.advice.solved_round import SolvedRound
    from pubdice.core.cup import Cup
    from pubdice.core.errors import BadNotation, Failure, IllegalAction, Unsolved
    from pubdice.core.game import Keep
    from pubdice.library.answers import Choices, Odds, advise, odds, review, solve_round
    from pubdice.library.match_in_play import MatchInPlay, RankedAction, cup, new_match, read_position, read_record
    from pubdice.library.picture import Picture, picture
    from pubdice.library.players import HouseBot, bot, play_out
    from pubdice_lab.arena import ArenaResult, arena
    from pubdice_lab.simulation import Simulation, simulate

    __version__: str

_HOMES = {
    "BadNotation": "core.errors",
    "Choices": "library.answers",
    "Cup": "core.cup",
    "Failure": "core.errors",
    "HouseBot": "library.players",
    "IllegalAction": "core.errors",
    "Keep": "core.game",
    "MatchInPlay": "library.match_in_play",
    "Odds": "library.answers",
    "Picture": "library.picture",
    "RankedAction": "library.match_in_play",
    "Review": "advice.review",
    "SolvedRound": "advice.solved_round",
    "Unsolved": "core.errors",
    "advise": "library.answers",
    "bot": "library.players",
    "cup": "library.match_in_play",
    "new_match": "library.match_in_play",
    "odds": "library.answers",
    "picture": "library.picture",
    "play_out": "library.players",
    "read_position": "library.match_in_play",
    "read_record": "library.match_in_play",
    "review": "library.answers",
    "solve_round": "library.answers",
}

_ANNEXES = {
    "ArenaResult": ("lab", "arena"),
    "Simulation": ("lab", "simulation"),
    "arena": ("lab", "arena"),
    "simulate": ("lab", "simulation"),
}
"""Public names that other distributions define: for each name, the extra to install and the module in its package."""

__all__ = [
    "ArenaResult",
    "BadNotation",
    "Choices",
    "Cup",
    "Failure",
    "HouseBot",
    "IllegalAction",
    "Keep",
    "MatchInPlay",
    "Odds",
    "Picture",
    "RankedAction",
    "Review",
    "Simulation",
    "SolvedRound",
    "Unsolved",
    "__version__",
    "advise",
    "arena",
    "bot",
    "cup",
    "new_match",
    "odds",
    "picture",
    "play_out",
    "read_position",
    "read_record",
    "review",
    "simulate",
    "solve_round",
]

if not TYPE_CHECKING:  # a type checker that sees a module's __getattr__ accepts every misspelt name

    def __getattr__(name):
        """Import a public name at its first use, and store it, so a later use costs nothing.

        Raises ImportError if the name belongs to an extra that is not installed, and AttributeError for an unknown
        name.
        """
        if name == "__version__":
            from importlib.metadata import version  # noqa: PLC0415

            found = version("pubdice")
        elif name in _HOMES:
            from importlib import import_module  # noqa: PLC0415

            found = getattr(import_module(f"pubdice.{_HOMES[name]}"), name)
        elif name in _ANNEXES:
            from importlib import import_module  # noqa: PLC0415
            from importlib.util import find_spec  # noqa: PLC0415

            extra, module = _ANNEXES[name]
            if find_spec(f"pubdice_{extra}") is None:
                text = f"pubdice.{name} is not installed. To install it: pip install 'pubdice[{extra}]'."
                raise ImportError(text, name=f"pubdice_{extra}")
            found = getattr(import_module(f"pubdice_{extra}.{module}"), name)
        else:
            raise AttributeError(
                f'pubdice has no {name!r}. "The library" in the documents explains its names: {", ".join(__all__)}'
            )
        globals()[name] = found
        return found


def __dir__() -> list[str]:
    return __all__
