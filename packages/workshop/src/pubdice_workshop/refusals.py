"""Refusals of the workshop: their sentences, and the exit statuses of its commands."""

TROUBLE = {
    "game-name": "A game's name has up to 16 letters and digits, from a to z and 0 to 9, a letter first.",
    "game-taken": "There is already a game called {name}. Choose another name.",
    "game-command": "Say check, words or list: pubdice game check DIR.",
    "check-seconds": "--within is a number of seconds above 0, {most} at most.",
    "folder-used": "There is something in {folder} already. Name a new folder.",
    "no-project": "{folder} is neither a game here ({games}) nor a folder with a pyproject.toml.",
    "bad-project": "Couldn't read {file} ({why}).",
    "no-entry": '{file} names no game: it lacks [project.entry-points."{group}"].',
    "no-laws": "The laws are missing: pip install 'pubdice[laws]'.",
    "no-package": "There is no folder {package} in {folder} or in its src.",
    "not-written": "Couldn't write {file} ({why}).",
}
"""Sentences of the workshop's refusals, by code."""
UNABLE = ("not-written",)
"""Refusals that end a command with status 1. All others end it with 2: the command cannot read its input."""
