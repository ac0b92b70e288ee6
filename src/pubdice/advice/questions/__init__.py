"""Questions that every solved game answers on the command line: odds, advice, prices. Games add flags and words."""
