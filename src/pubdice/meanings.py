"""What formats, openers and bots mean, in a line each, by their names in notation. Knows no rules and no game.

English sentences, to be said through ``words.Language`` by whoever offers a choice of them.
"""

FORMATS = {
    "rounds": "a number of rounds; the highest score wins a round, as do all who tie; most round wins take the match",
    "pot": "everybody puts in chips each round; the highest score takes the pot, but a tie carries it over",
    "race": "one round decides",
    "drinks": "the winner of each round drops out; the last one left buys the drinks",
}
"""What each kind of format means."""
OPENERS = {
    "rotate": "the next seat to the left",
    "fixed": "always the first",
    "winner": "who won the last round",
    "loser": "who scored least in the last round",
}
"""Who opens the next round, by opener."""
BOTS = {
    "tip": "follows the tips printed with the rules",
    "lucky": "keeps anything the rules allow, at random",
    "steady": "plays for the best mean score, whatever the others have",
    "cautious": "takes few risks",
    "bold": "takes many risks",
    "perfect": "plays as well as can be, as the match stands",
}
"""What bots do, by policy; a game may have others."""
