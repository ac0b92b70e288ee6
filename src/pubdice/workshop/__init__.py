"""Tools for authors: commands for people who write a game; and what is published: page, article and pictures."""

TROUBLE = {
    "game-name": "A game's name has up to 16 letters and digits, from a to z and 0 to 9, a letter first.",
    "game-taken": "There is a game {name} already, and another of that name is left out. Choose another name.",
    "check-seconds": "--within is a number of seconds above 0, {most} at most.",
    "folder-used": "There is something in {folder} already. Name a new folder.",
    "no-project": "{folder} is neither a game here ({games}) nor a folder with a pyproject.toml.",
    "bad-project": "Couldn't read {file} ({why}).",
    "no-entry": '{file} names no game: it lacks [project.entry-points."{group}"].',
    "no-laws": "The laws are missing: pip install 'pubdice[laws]'.",
    "no-package": "There is no folder {package} in {folder} or in its src.",
    "learning-table": "{file} is no table of learning: it needs the columns series, matches and regret, "
    "and numbers in the last two.",
    "picture-name": "Name a file that ends in .svg or .png, not {file}.",
    "plot-flag": "The picture {picture} takes no {flag}. Leave it out.",
    "plot-name": "There is no such picture. Choose {plots}.",
    "plot-hands": "There is no such picture of {title}, as nobody has a hand lying there.",
    "plot-reply": "There is no such picture of {title}: the best reply is worked out for games of one turn each.",
    "plot-scores": "There is no such picture of {title}, as its matches have no rounds with scores.",
    "no-matplotlib": "Pictures need matplotlib. To install it: pip install 'pubdice[plots]'.",
    "not-written": "Couldn't write {file} ({why}).",
}
"""Refusals of the workshop, by code."""
UNABLE = ("plot-hands", "plot-reply", "plot-scores", "no-matplotlib", "not-written")
"""Those for which a command ends with status 1; with 2 for all others, which name what it can't read."""
