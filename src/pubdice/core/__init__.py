"""Dice, the Game protocol, where rolls come from, and policies: what all other rooms are built on."""
