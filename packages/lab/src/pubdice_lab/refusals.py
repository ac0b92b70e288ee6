"""The laboratory's refusals: their sentences and exit statuses."""

TROUBLE = {
    "alone": "A seat alone plays for its score, and by these rules a better score is not always a larger number.",
    "no-choice": "This seat had no choice in {most} matches, so there is nothing to learn.",
    "folder-used": "There is something in {folder} already. Name a new folder.",
    "file-twice": "{file} is named twice. Name a file for each.",
    "no-cluster-workers": "The cluster at {address} has no workers.",
    "resume-damaged": "{file} is no simulation to go on with. Name another file, or delete it.",
    "resume-other": "{file} has another simulation: other games, seats, rules, seed or number of matches.",
    "resume-version": "{file} is from another version of pubdice. Name another file, or delete it.",
    "no-chooser": "{name} is no player: neither a bot, nor an object with choose(view), nor the words of a command.",
    "no-cluster": "No cluster of Dask answers at {address}.",
    "no-dask": "A cluster needs Dask. To install it: pip install 'pubdice[dask]'.",
    "no-pickle": "With several workers, players must go to other processes, and one can't ({why}).",
    "no-program": '"{found}" is no program that can be started.',
    "no-pyarrow": "Parquet needs pyarrow. To install it: pip install 'pubdice[parquet]'.",
    "not-written": "Couldn't write {file} ({why}).",
    "player-program": '"{found}" is no player. Write a name and a command, such as mine="python3 bot.py".',
    "player-seconds": '"{found}" is no time for a choice. Write a number of seconds above 0, {most} at most.',
    "no-policy": "{found} is no bot's name, and no policy: a function from the rules and a round to weighted actions.",
    "no-seats": "Give a list with a bot's name or a policy for each seat.",
    "policy-answer": "A policy answers with pairs of an action and its weight: whole numbers, none below 0, not all 0.",
    "players-number": "An arena has 2 to {most} players.",
    "worker-died": "A worker ended before its work was done. The count until then is printed.",
    "learning-table": "{file} is no table of learning: it needs the columns series, matches and regret, "
    "and numbers in the last two.",
    "picture-name": "Name a file that ends in .svg or .png, not {file}.",
    "plot-flag": "The picture {picture} takes no {flag}. Leave it out.",
    "plot-name": "There is no such picture. Choose {plots}.",
    "plot-hands": "There is no such picture of {title}, as no player has a hand lying there.",
    "plot-reply": "There is no such picture of {title}: the best reply is worked out for games of one turn each.",
    "plot-scores": "There is no such picture of {title}, as its matches have no rounds with scores.",
    "no-matplotlib": "Pictures need matplotlib. To install it: pip install 'pubdice[plots]'.",
}
"""The sentence of each refusal, by its code."""
MISTYPED = (
    *("file-twice", "resume-damaged", "resume-other", "resume-version"),
    *("no-chooser", "no-pickle", "no-policy", "no-program", "player-program", "player-seconds", "players-number"),
)
"""The codes that end ``simulate`` and ``arena`` with exit status 2, for unreadable input. All others end with 1."""
PICTURE_FAILED = ("plot-hands", "plot-reply", "plot-scores", "no-matplotlib", "not-written")
"""The codes that end ``plot`` and ``paper`` with exit status 1. All others are about unreadable input and end with
2."""
