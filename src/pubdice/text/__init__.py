"""Languages: the catalogues, the look-up of sentences, and the words that a game must have."""
