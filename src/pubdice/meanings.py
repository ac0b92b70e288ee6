"""What formats, openers and bots mean, in a line each, by their names in notation. Knows no rules and no game.

English sentences, to be said through ``words.Language`` by whoever offers a choice of them.
"""

FORMATS = {
    "rounds": "so many rounds; the highest score wins a round, ties win it each; most round wins take the match",
    "pot": "so many chips a seat each round; the highest score alone takes the pot, or it is carried over",
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
    "tip": "plays the tips printed in the sources of the rules",
    "lucky": "plays any legal keep",
    "steady": "plays for the best mean, whatever the others have",
    "cautious": "takes few risks",
    "bold": "takes many",
    "perfect": "plays best for the match as it stands",
}
"""What bots do, by policy; a game may have others."""
