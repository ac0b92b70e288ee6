"""Languages: how a sentence is found in one, which there are, and what a game must be able to say."""
