"""Random small automata to race: whole-number ways, every action may win."""

from random import Random

from pubdice.solve.race.automaton import Automaton

TOTAL = 24


def any_automaton(seed: int, kinds: int = 3, actions: int = 5) -> Automaton:
    rng = Random(seed)
    wins, ways = [], []
    for _ in range(actions):
        cuts = sorted(rng.choices(range(2, TOTAL + 1), k=kinds))
        wins.append(cuts[0])
        ways.append(tuple(high - low for low, high in zip(cuts, [*cuts[1:], TOTAL], strict=True)))
    choices = tuple(tuple(sorted({0, *rng.choices(range(actions), k=2)})) for _ in range(kinds))
    return Automaton(tuple(wins), tuple(ways), choices, TOTAL)
