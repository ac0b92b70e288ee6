"""Dice, the Game protocol, the cups that rolls come from, and policies: the base of all other rooms."""
