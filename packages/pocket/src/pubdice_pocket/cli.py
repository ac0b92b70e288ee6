"""The command ``pubdice pocket``: build the folder of a pocket, with solutions made beforehand, or verify such a
folder.
"""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TextIO

from pubdice.annexes import CommandContext
from pubdice.command_line import Parser, complain, guarded
from pubdice.core.errors import Refused
from pubdice.games import INSTALLED
from pubdice.text.language import Language
from pubdice_pocket.build.contents import LIST, PAGE, Ahead, Folder, make_ahead, make_folder
from pubdice_pocket.build.on_disk import differences, write_folder
from pubdice_pocket.build.parts import end_work, fetch_parts
from pubdice_pocket.build.solutions import PartTold, solutions

TROUBLE = {
    "no-command": "This needs {command}. It is not installed here.",
    "not-fetched": "Couldn't fetch {part} with {command} ({why}).",
    "part-differs": "{part} is not the file that pubdice expects: its checksum differs. Nothing was built.",
    "not-compiled": "Couldn't compile the modules with node ({why}).",
    "other-folder": "{folder} has other files in it. Name a new folder, or one that pubdice built.",
    "file-there": "{folder} is a file. Name a new folder, or one that pubdice built.",
    "no-folder": "There is no folder {folder}.",
    "no-pocket": "{folder} is no pocket: it lacks {file}.",
    "no-cache": "There's no folder to keep fetched files in. Name one with PUBDICE_CACHE.",
}


POCKET = "pocket"  # the name of the command
MOST_TOLD = 10  # the most files that are told as different


def parsers(context: CommandContext) -> dict[str, Parser]:
    """Return the parser of this command, by the command's name."""
    return {POCKET: _parser(context.language.own["pubdice_pocket"])}


def run(
    words: Sequence[str],
    context: CommandContext,
    *,
    fetch: Callable[[Path], None] = fetch_parts,
    solve: Callable[[Path, PartTold], Iterable[tuple[str, bytes]]] = solutions,
) -> int:
    """Run the command and return its exit status. It is 1 if a verified folder differs."""
    language, cache, out, err = context.language.own["pubdice_pocket"], context.cache, context.out, context.err
    for game in INSTALLED.left_out:
        complain(err, f"pubdice: {game.sentence}\n")

    def ran() -> int:
        options = _parser(language).parse_args(list(words[1:]))
        if options.verify and not options.folder.is_dir():
            raise Refused("no-folder", folder=str(options.folder))
        for name in (LIST, PAGE) if options.verify else ():
            if not (options.folder / name).is_file():  # told before the build, which takes minutes
                raise Refused("no-pocket", folder=str(options.folder), file=name)
        if cache is None:
            raise Refused("no-cache")
        folder = _made(cache, language, err, fetch, solve)
        return (_verify if options.verify else _write)(folder, options.folder, language, out)

    return guarded(POCKET, ran, language, err, refusals=TROUBLE, unable=TROUBLE)


def _made(
    cache: Path,
    language: Language,
    err: TextIO,
    fetch: Callable[[Path], None],
    solve: Callable[[Path, PartTold], Iterable[tuple[str, bytes]]],
) -> Folder:
    """Build the folder in memory. Each step is printed when it begins, because the first build takes minutes."""
    say, parts = language.say, cache / "pocket"

    def step(told: str) -> None:
        err.write(told + "\n")
        err.flush()

    step(say("Fetching what browsers need, once."))
    step(say("Solving the games, and drawing their figures, once: some minutes."))
    with ThreadPoolExecutor(1) as beside:
        try:
            ahead = beside.submit(_fetched, fetch, parts)

            def told(part: str) -> None:
                if ahead.done():
                    ahead.result()  # if fetching has failed, this raises its error
                if part:
                    step(f"  {part}")

            solved = dict(solve(cache, told))
            ready = ahead.result()
        except KeyboardInterrupt:
            end_work()
            raise
    step(say("Packing the files."))
    return make_folder(parts, solved, ready)


def _fetched(fetch: Callable[[Path], None], parts: Path) -> Ahead:
    """Fetch the parts, and make the files that depend on them alone. Meanwhile another thread solves games."""
    fetch(parts)
    return make_ahead(parts)


def _write(folder: Folder, to: Path, language: Language, out: TextIO) -> int:
    say, size = language.say, write_folder(folder, to)
    facts = {"version": folder.version, "folder": to, "files": len(folder.files)}
    text = "Built Pubdice {version} in {folder}: {files} files, {size} MB."
    out.write(say(text, size=language.number(size / 1e6, 1), **facts) + "\n")
    command = f"python3 -m http.server --directory {to} 8000"
    out.write(say("To try it: {command}, then open http://localhost:8000/", command=command) + "\n")
    return 0


def _verify(folder: Folder, found: Path, language: Language, out: TextIO) -> int:
    wrong, version = differences(folder, found), folder.version
    for line in wrong[:MOST_TOLD]:
        out.write(line + "\n")
    if len(wrong) > MOST_TOLD:
        out.write(language.say("and {number} more", number=len(wrong) - MOST_TOLD) + "\n")
    if wrong:
        text = "This is not Pubdice {version}: {number} of its files differ."
        out.write(language.say(text, version=version, number=len(wrong)) + "\n")
        return 1
    text = "Pubdice {version}: all {number} files are what this pubdice builds."
    out.write(language.say(text, version=version, number=len(folder.files)) + "\n")
    return 0


def _parser(language: Language) -> Parser:
    parser = Parser(POCKET, language)
    parser.describe(
        "Builds a folder of files for any web server: once opened in a browser, Pubdice works there without a network."
    )
    parser.take("folder", "DIR", "folder to build in, or to check", type=Path)
    parser.switch("--verify", "check DIR instead: is every file what this pubdice builds?")
    return parser
