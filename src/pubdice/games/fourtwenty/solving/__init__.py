"""420 solved, from the inside out.

seat (the rules as an automaton) → solutions (races and rounds of drinks, solved once and kept) → position (what is told
of a table, checked and valued). Contest sets one policy against another. The mathematics is ``solve.race``'s: value
iteration, a sweep at a time.
"""
