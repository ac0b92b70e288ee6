"""Dice, the Game protocol, cups (sources of rolls) and policies (bots). All other packages import this one."""
