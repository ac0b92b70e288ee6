"""Any match of any game, solved from its rules: positions of a round, standings of a match, max^n over both."""
