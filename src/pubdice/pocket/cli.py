"""``pubdice pocket``: builds the folder of a pocket house, with solutions made ahead, or checks one that was given."""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TextIO

from pubdice.command_line import FaultError, Parser, complain
from pubdice.core.errors import Refused
from pubdice.pocket.build.contents import Ahead, Folder, make_ahead, make_folder
from pubdice.pocket.build.on_disk import differences, write_folder
from pubdice.pocket.build.parts import end_work, fetch_parts
from pubdice.pocket.build.solutions import PartTold, solutions
from pubdice.text.language import Language

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
    language: Language,
    cache: Path | None,
    out: TextIO,
    err: TextIO,
    *,
    fetch: Callable[[Path], None] = fetch_parts,
    solve: Callable[[Path, PartTold], Iterable[tuple[str, bytes]]] = solutions,
) -> int:
    """Run the command; the exit status, 1 for a folder that differs. cache: where fetched files and solutions lie.

    Each step is told, to a terminal or into a log, as all of them take minutes the first time.
    """
    say = language.say

    def step(told: str) -> None:
        err.write(told + "\n")
        err.flush()

    try:
        options = _parser(language).parse_args(list(words[1:]))
        if options.verify and not options.folder.is_dir():
            raise Refused("no-folder", folder=str(options.folder))
        if cache is None:
            raise Refused("no-cache")
        parts = cache / "pocket"
        step(say("Fetching what browsers need, once."))
        step(say("Solving the games, and drawing their figures, once: some minutes."))
        with ThreadPoolExecutor(1) as beside:
            ahead = beside.submit(_fetched, fetch, parts)

            def told(part: str) -> None:
                if ahead.done():
                    ahead.result()  # raises what it raised
                if part:
                    step(f"  {part}")

            try:
                solved = dict(solve(cache, told))
                ready = ahead.result()
            except KeyboardInterrupt:
                end_work()
                raise
        step(say("Packing the files."))
        folder = make_folder(parts, solved, ready)
        if options.verify:
            return _verify(folder, options.folder, language, out)
        size = write_folder(folder, options.folder)
    except FaultError as fault:
        complain(err, f"pubdice {POCKET}: {fault}\n")
        return fault.status
    except Refused as refused:
        complain(err, f"pubdice: {say(TROUBLE[refused.code], **refused.facts)}\n")
        return 1
    facts = {"version": folder.version, "folder": options.folder, "files": len(folder.files)}
    text = "Built Pubdice {version} in {folder}: {files} files, {size} MB."
    out.write(say(text, size=language.number(size / 1e6, 1), **facts) + "\n")
    command = f"python3 -m http.server --directory {options.folder} 8000"
    out.write(say("To try it: {command}, then open http://localhost:8000/", command=command) + "\n")
    return 0


def _fetched(fetch: Callable[[Path], None], parts: Path) -> Ahead:
    """Have the parts, and what follows from them alone. Waiting for them, and packing, leave room for solving."""
    fetch(parts)
    return make_ahead(parts)


def _verify(folder: Folder, found: Path, language: Language, out: TextIO) -> int:
    """Compare a folder with what this pubdice builds; the exit status."""
    wrong, version = differences(folder, found), folder.version
    for line in wrong:
        out.write(line + "\n")
    if wrong:
        text = "This is not Pubdice {version}: {number} of its files differ."
        out.write(language.say(text, version=version, number=len(wrong)) + "\n")
        return 1
    text = "Pubdice {version}: all {number} files are what this pubdice builds."
    out.write(language.say(text, version=version, number=len(folder.files)) + "\n")
    return 0


POCKET = "pocket"
"""The name of the command."""


def _parser(language: Language) -> Parser:
    say = language.say
    text = say(
        "Builds a folder of files for any web server: once opened in a browser, Pubdice works there without a network."
    )
    parser = Parser(POCKET, language, description=text)
    parser.add_argument("folder", type=Path, metavar="DIR", help=say("where to build it, or what to check"))
    text = say("check DIR instead: is every file what this pubdice builds?")
    parser.add_argument("--verify", action="store_true", help=text)
    return parser
