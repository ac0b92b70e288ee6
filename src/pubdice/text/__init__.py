"""Languages: translation catalogues, the lookup of sentences, and the words that each game must have."""
