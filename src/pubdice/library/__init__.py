"""The library behind the door: a match in play, as a value, and the exact answers to it."""
