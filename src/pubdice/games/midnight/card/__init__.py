"""Midnight's card: a few lines to play by, what each is worth, and how they are laid out."""
