"""Races of hands, such as 420, solved from their rules: the first to roll a winning hand wins.

In such a game a seat's turn is one roll: it keeps some dice of its hand and rolls the others, and nobody else can
change that hand. seat (the rules as an automaton) → solutions (races and rounds of drinks, solved once and kept) →
solver (a match). Contest sets one policy against another. The mathematics is ``solve.race``'s: value iteration.
"""
