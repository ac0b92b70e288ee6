"""``pubdice pocket``: builds the folder of a pocket house, or checks one that somebody was given."""

import argparse
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TextIO

from pubdice.core.errors import Refused
from pubdice.pocket.build.contents import Folder, differences, make_folder, write_folder
from pubdice.pocket.build.parts import fetch_parts
from pubdice.pocket.build.solutions import solutions

TROUBLE = {
    "no-command": "This needs {command}, which is not installed here.",
    "not-fetched": "Couldn't fetch {part} with {command} ({why}).",
    "part-differs": "{part} is not the file that pubdice expects: its checksum differs. Nothing was built.",
    "not-compiled": "Couldn't compile the modules with node ({why}).",
    "other-folder": "{folder} has other files in it. Name a new folder, or one that pubdice built.",
    "file-there": "{folder} is a file. Name a new folder, or one that pubdice built.",
    "no-folder": "There is no folder {folder}.",
    "no-cache": "There's no folder to keep fetched files in. Name one with PUBDICE_CACHE.",
}


def run(
    words: Sequence[str],
    cache: Path | None,
    out: TextIO,
    err: TextIO,
    fetch: Callable[[Path], None] = fetch_parts,
    *,
    solve: Callable[[Path], Iterable[tuple[str, bytes]]] = solutions,
) -> int:
    """Run the command; the exit status, 1 for a folder that differs. cache: where fetched files and solutions lie."""
    options = _parser().parse_args(list(words[1:]))
    try:
        if options.verify and not options.folder.is_dir():
            raise Refused("no-folder", folder=str(options.folder))
        if cache is None:
            raise Refused("no-cache")
        parts = cache / "pocket"
        fetch(parts)
        folder = make_folder(parts, dict(solve(cache)))
        if options.verify:
            return _verify(folder, options.folder, out)
        size = write_folder(folder, options.folder)
    except Refused as refused:
        err.write(f"pubdice: {TROUBLE[refused.code].format(**refused.facts)}\n")
        return 1
    out.write(
        f"Built Pubdice {folder.version} in {options.folder}: {len(folder.files)} files, {size / 1e6:.1f} MB.\n"
        f"To try it: python3 -m http.server --directory {options.folder} 8000, then open http://localhost:8000/\n"
    )
    return 0


def _verify(folder: Folder, found: Path, out: TextIO) -> int:
    """Compare a folder with what this pubdice builds; the exit status."""
    wrong = differences(folder, found)
    for line in wrong:
        out.write(line + "\n")
    if wrong:
        out.write(f"This is not Pubdice {folder.version}: {len(wrong)} of its files differ.\n")
        return 1
    out.write(f"Pubdice {folder.version}: all {len(folder.files)} files are what this pubdice builds.\n")
    return 0


def _parser() -> argparse.ArgumentParser:
    text = (
        "Builds a folder of files for any web server: once opened in a browser, Pubdice works there without a network."
    )
    parser = argparse.ArgumentParser(prog="pubdice pocket", description=text, allow_abbrev=False)
    parser.add_argument("folder", type=Path, metavar="DIR", help="where to build it, or what to check")
    parser.add_argument(
        "--verify", action="store_true", help="check DIR instead: is every file what this pubdice builds?"
    )
    return parser
