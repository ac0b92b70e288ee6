"""Dice, the Game protocol, cups (the sources of rolls), and policies. Every other package builds on this one."""
