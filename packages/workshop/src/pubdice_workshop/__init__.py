"""The workshop: a first package for people who write a game, and the check of one by every law of the house."""
