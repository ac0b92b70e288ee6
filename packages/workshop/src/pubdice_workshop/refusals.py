"""Refusals of the workshop: their sentences, and the exit status that a command ends with."""

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
    "not-written": "Couldn't write {file} ({why}).",
}
"""Refusals of the workshop, by code."""
UNABLE = ("not-written",)
"""Those for which a command ends with status 1; with 2 for all others, which name what it can't read."""
