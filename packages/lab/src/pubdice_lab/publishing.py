"""The commands ``pubdice plot`` and ``pubdice paper``: pictures of exact results, and every published number."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from errno import ENOENT
from os import strerror
from pathlib import Path

from pubdice.annexes import CommandContext
from pubdice.command_line import Parser, add_option_flags, chosen_options, complain, guarded, kit_named
from pubdice.core.errors import BadNotation, Refused
from pubdice.games import INSTALLED
from pubdice.kit import Kit
from pubdice.text.language import Language
from pubdice_lab.refusals import PICTURE_FAILED, TROUBLE

PLOT, LEARNING = "plot", "learning"
"""The name of the command, and the name of its picture that is of a file."""
OF_A_FILE = ("picture", "game", "file")
"""The arguments that the picture of a file takes."""
PICTURES = ("scores", "chase", "opener", "values", "threats", "exploitability")
"""The names of the pictures of a game. ``pubdice_lab.plots`` has them too, but importing it loads numpy."""


def parsers(context: CommandContext) -> dict[str, Parser]:
    """Return the argument parsers by command, for completion."""
    return {PLOT: _plot(context.language.own["pubdice_lab"], context.games)}


def run(words: Sequence[str], context: CommandContext) -> int:
    """Run a command and return its exit status."""
    context = replace(context, language=context.language.own["pubdice_lab"])
    language, err, command = context.language, context.err, _drawn if words[0] == PLOT else _paper
    for game in INSTALLED.left_out:
        complain(err, f"pubdice: {game.sentence}\n")

    def ran() -> int:
        return command(words[1:], context)

    return guarded(words[0], ran, language, err, refusals=TROUBLE, unable=PICTURE_FAILED)


def _paper(words: Sequence[str], context: CommandContext) -> int:
    language, out = context.language, context.out
    parser = Parser("paper", language)
    parser.describe(
        'Works out every number of "Best play" in the documents, and of a short article, again, draws the pictures, '
        "and writes it all with tables and checksums. Takes some minutes, and needs pip install 'pubdice[plots]'."
    )
    parser.take("folder", "DIR", "folder to write it in", type=Path)
    folder = parser.parse_args(list(words)).folder
    from pubdice_lab.paper import paper  # noqa: PLC0415 - it imports numpy, which is slow, and --help does without

    try:
        with context.waiting(language.say("Working out every number. This takes some minutes.")):
            for path in paper(folder):
                out.write(f"{path}\n")
                out.flush()
    except OSError as error:
        raise Refused("not-written", file=str(error.filename or folder), why=error.strerror or str(error)) from None
    return 0


def _plot(language: Language, games: Mapping[str, Kit]) -> Parser:
    parser = Parser(PLOT, language)
    parser.describe(
        "Draw a picture of exact results, and write its data beside it.\nscores: the chance of each score, for "
        "each bot. chase: the share of the second of two, by the score to beat. opener: the value of opening, by "
        "rounds. values: the value of every position with a choice. threats: the highest cost of one choice if "
        "you never look at the others' hands. exploitability: the gain of the best reply to each bot. learning: "
        "the curves of a learner's table (FILE.csv in place of GAME)."
    )
    kinds = (*PICTURES, LEARNING)
    parser.add_argument("picture", metavar="PICTURE", choices=kinds, help=", ".join(kinds))
    parser.take_game(games)
    parser.take("--bots", "BOT,BOT", "the bots that are drawn (all)")
    add_option_flags(parser, games)
    parser.take("--file", "FILE", "file to write, as .svg or .png (PICTURE-GAME.svg)", type=Path)
    return parser


def _drawn(words: Sequence[str], context: CommandContext) -> int:
    language, games, out = context.language, context.games, context.out
    chosen = _plot(language, games).parse_args(list(words))
    from pubdice_lab.plots import drawable, learning, plot  # noqa: PLC0415  as above

    learned = chosen.picture == LEARNING
    if learned:
        flags = [flag for flag, said in vars(chosen).items() if said is not None and flag not in OF_A_FILE]
        if flags:
            raise Refused("plot-flag", picture=LEARNING, flag=", ".join(flags))
        if not Path(chosen.game).exists():
            raise BadNotation("file", found=chosen.game, reason=strerror(ENOENT))
    name = Path(chosen.game).stem if learned else kit_named(chosen.game, games, language).name
    file = chosen.file or Path(f"{chosen.picture}-{name}.svg")
    try:
        drawable(file)
        if learned:
            written = learning(Path(chosen.game)).save(file)
        else:
            bots = tuple(map(games[name].read_bot, chosen.bots.split(","))) if chosen.bots else ()
            rules = chosen_options(chosen, games[name], games, language)
            with context.waiting(language.say("Working it out. This may take a minute.")):
                written = plot(chosen.picture, name, bots, **rules).save(file)
    except OSError as error:
        raise Refused("not-written", file=str(file), why=error.strerror or str(error)) from None
    for path in written:
        out.write(f"{path}\n")
    return 0
