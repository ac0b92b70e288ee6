"""Midnight solved, from the inside out.

turn (one turn, for any utility) → win (one round won), rounds (a round of several seats; batch: many at once;
best_reply: its last seat) → standings (a match of rounds), pot (one pot, by value iteration). Goals say what a turn is
played for; contest sets one policy against another. The mathematics is ``solve.finite``'s: backward induction.
"""
