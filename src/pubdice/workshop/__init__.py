"""Tools for authors: commands for people who write a game; and the page of strategy, made from the solved games."""
