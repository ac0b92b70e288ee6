"""Laws of ``one_turn_each``: a game declares it exactly if its rules prove it, for every choice of its options."""

from itertools import product

import pytest

from laws.turns_alike import proven_one_turn_each
from play import KITS
from pubdice.core.game import TurnGame, TurnTaking
from pubdice.kit import Kit
from pubdice.solve.choose import turns_alike
from support.profiles import NIGHTLY

TURN_KITS = [kit for kit in KITS.values() if isinstance(kit.usual_game, TurnTaking)]


@pytest.mark.parametrize("kit", TURN_KITS, ids=lambda kit: kit.name)
def test_a_game_declares_one_turn_each_exactly_where_its_rules_prove_it(kit: Kit) -> None:
    """By default only the first and the last combination of options are tried, or only the first if the proof walks
    through every position.
    """
    options = list(product(*([(option.key, choice) for choice in option.choices] for option in kit.options)))
    few = [options[0], *([options[-1]] if isinstance(kit.usual_game, TurnGame) else [])]
    for chosen in options if NIGHTLY else dict.fromkeys(few):
        game = kit.build(dict(chosen))
        assert isinstance(game, TurnTaking)
        assert turns_alike(game) == proven_one_turn_each(game), f"{game}: class attribute one_turn_each"
