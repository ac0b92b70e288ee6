"""``play`` and ``resume``: sit down at a table, new or kept."""

import argparse
from collections import Counter
from collections.abc import Mapping
from functools import partial
from typing import get_args

from pubdice.command_line import Parser, add_option_flags, chosen_options, kit_named, one_of, seed_of
from pubdice.core.dice import digits
from pubdice.core.errors import BadNotation, Refused
from pubdice.core.game import TurnGame
from pubdice.core.seal import read_seal, read_seat_seed
from pubdice.kit import PERFECT, Kit
from pubdice.match.formats import OPENERS
from pubdice.match.header import Header, RawHeader
from pubdice.match.table import Dice
from pubdice.room import Room
from pubdice.room.beginning import match_of
from pubdice.room.decide import NO_SEALS
from pubdice.room.seeds import sealed
from pubdice.terminal import sentences as own
from pubdice.terminal.arguments import Environment, number_of, read_seats, usual_seats
from pubdice.terminal.console import LeftError
from pubdice.terminal.game_log import GameLog, local_setup
from pubdice.terminal.reading import analysed, sound
from pubdice.terminal.saved_games import SavedGame, create, latest, load
from pubdice.terminal.sentences import explain
from pubdice.terminal.session import Session, TerminalServices
from pubdice.terminal.setup_dialog import ask_setup
from pubdice.terminal.table_coach import USUAL_PER_CENT, solved, working
from pubdice.terminal.typed_table import QuitError
from pubdice.text.language import BOTS, Language, shorten
from pubdice.text.language import OPENERS as OPENS
from pubdice.typed_dice import Names

PAUSE_S = 0.8
RANDOM_SEED = 25
"""Dice whose faces are a random seed: 64 bits."""
AIMING = {"cautious": (7, 8), "bold": (1, 5)}
"""The least share of turns in which play for the mean score reaches these bots' aims: ``advice.bots.REACHED``, as a
fraction.
"""
SITTING = ("keys", "choose", "pause", "coach", "coach_at")
"""Options that say how to sit, not what to play."""


def _add_session_options(parser: Parser) -> None:
    say = parser.language.say
    parser.add_argument(
        "--keys", choices=("face", "position"), help=say("name dice by their faces (usual) or by their places")
    )
    parser.add_argument(
        "--choose",
        choices=get_args(Names),
        help=say("name the dice you keep (usual), or the dice you reroll: the others stay"),
    )
    parser.add_argument(
        "--pause",
        type=partial(_seconds, parser.language),
        metavar="SECONDS",
        help=say("how long a bot waits; {pause}, or 0 if nobody types at a terminal", pause=PAUSE_S),
    )
    parser.add_argument(
        "--coach", action="store_true", help=say("warn before a keep that loses much; review at the end")
    )
    parser.add_argument(
        "--coach-at",
        type=partial(_per_cent, parser.language),
        metavar="PERCENT",
        help=say(
            "the loss to warn of, in percent of what you play for ({usual}): the match, the round won, or a round's "
            "stakes; implies --coach",
            usual=f"{USUAL_PER_CENT:g}",
        ),
    )


def _seconds(language: Language, text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= 60:
        raise argparse.ArgumentTypeError(
            language.say('"{found}" is no number of seconds from 0 to 60', found=shorten(text))
        )
    return seconds


def _per_cent(language: Language, text: str) -> float:
    try:
        part = float(text) / 100
    except ValueError:
        part = -1.0
    if not 0 <= part <= 1:
        raise argparse.ArgumentTypeError(language.say('"{found}" is no percentage from 0 to 100', found=shorten(text)))
    return part


def _warning(chosen: argparse.Namespace) -> float | None:
    """The loss to warn of, as a part of the yardstick; None without a coach."""
    if chosen.coach_at is not None:
        return float(chosen.coach_at)
    return USUAL_PER_CENT / 100 if chosen.coach else None


def play(words: list[str], outside: Environment, language: Language) -> None:
    """A new table: by flags, or by asking."""
    games = outside.games
    say = language.say
    text = say("Play a game. Without GAME, pubdice asks which.")
    parser = Parser("play", language, description=text, epilog=_manual(games, language))
    parser.add_argument("game", nargs="?", metavar="GAME", help=one_of(games, language))
    parser.add_argument(
        "--seats",
        metavar="NAMES",
        help=say(
            "who plays, in order, with commas: names, bot, bot:POLICY or NAME=POLICY; or a number of people ({usual})",
            usual=usual_seats(language),
        ),
    )
    parser.add_argument(
        "--format", metavar="FORMAT", help="; ".join(f"{kit.name}: {_formats(kit, language)}" for kit in games.values())
    )
    text = say("who goes first in the next round; {usual}", usual=_openers(games, language))
    parser.add_argument("--opener", choices=OPENERS, help=text)
    text = say("who goes first in the first round, or draw to pick at random")
    parser.add_argument("--first", metavar="NAME", help=text)
    add_option_flags(parser, games)
    text = say("real: your own dice; you type what fell. sealed: anybody can check them afterwards (house)")
    parser.add_argument("--dice", choices=get_args(Dice), help=text)
    parser.add_argument("--seed", metavar="WORD", help=say("the same word gives the same dice and bots again"))
    _add_session_options(parser)
    chosen = parser.parse_args(words)
    asked = [option for option in vars(chosen) if option not in SITTING and vars(chosen)[option] is not None]
    if asked and chosen.game is None:
        parser.error(say("name the game: {games}", games=one_of(games, language)))
    try:
        wish = _wish(chosen, games, language) if chosen.game is not None else ask_setup(games, outside.line, language)
    except LeftError:
        return
    if wish[2] == "sealed" and chosen.seed is not None:
        raise BadNotation("flag-beside", flag="seed", other="dice sealed")
    now, seals = outside.now(), outside.seals() if wish[2] == "sealed" else NO_SEALS
    setup = sealed(local_setup(*wish, now), seals)
    log = GameLog(setup, seed_of(chosen.seed), chosen.keys or "face", chosen.choose or "keep")
    room = Room(games[setup.rules["game"]], setup)
    if _warning(chosen) is not None or any(chair.bot == PERFECT for chair in setup.expected):
        with working(language, outside.line):  # or say why not, before anything is kept
            solved(room.kit, match_of(room.kit, room.start()).match, language)
    try:
        seed = _own_seed(log, outside, language)
    except LeftError:
        return
    number = create(outside.store, room, log, outside.cup(log.seed, "dice"), now, seals, seed)
    _sit(load(outside.store, number, games), chosen, outside, language, new=True)


def _own_seed(log: GameLog, outside: Environment, language: Language) -> str:
    """The people's own seed for sealed dice, asked for after the seal is shown.

    "" for other dice, and where bots play alone. Raises LeftError.
    """
    if log.setup.dice != "sealed":
        return ""
    line, say = outside.line, language.say
    line.say([own.sealed(language, read_seal(log.setup.seal))])
    if log.person is None:
        return ""
    question = say("Add a seed of your own: any letters and digits. Press Enter for a random one.")
    while True:
        text = line.ask(question)
        try:
            seed = read_seat_seed(text) if text.strip() else digits(outside.cup(None, "seed").roll(RANDOM_SEED, 0))
        except BadNotation as error:
            line.say([explain(language, error)])
            continue
        line.say([own.own_seed(language, seed)])
        return seed


def _manual(games: Mapping[str, Kit], language: Language) -> str:
    """The meaning of the words on the command line."""
    say = language.say
    formats = {kind.name: say(kind.meaning) for kit in games.values() for kind in kit.formats}
    bots = dict.fromkeys(name for kit in games.values() for name in kit.bots)
    lists = {
        say("formats:"): formats,
        say("openers:"): {name: say(OPENS[name]) for name in OPENERS},
        say("bots:"): {name: say(BOTS.get(name, "")) if name in BOTS else "" for name in bots},
    }
    lines = []
    for head, rows in lists.items():
        width = max(map(len, rows)) + 2
        lines += [head, *(f"  {name:<{width}}{meaning}" for name, meaning in rows.items())]
        lines += [*([_goals(games, language)] if rows.keys() == bots.keys() else []), ""]
    return "\n".join([*lines, say("pubdice saves the game as you play. Leave with q; go on with pubdice resume.")])


def _goals(games: Mapping[str, Kit], language: Language) -> str:
    """The aims of the bots that play for a goal, in the games of one turn a seat (``advice.bots``)."""
    kits = [kit for kit in games.values() if isinstance(kit.usual_game, TurnGame)]
    if not kits:
        return ""
    cautious, bold = ([f"{kit.name}: {kit.thresholds[bot]}" for kit in kits if bot in kit.thresholds] for bot in AIMING)
    return language.say(
        "In {names} steady plays for the best mean score; cautious for a score that steady reaches in {often} turns"
        "{cautious}, or for any score; bold for one that it reaches in {seldom} turns{bold}.",
        names=language.join(kit.name for kit in kits),
        often=language.say("{part} of {whole}", part=AIMING["cautious"][0], whole=AIMING["cautious"][1]),
        seldom=language.say("{part} of {whole}", part=AIMING["bold"][0], whole=AIMING["bold"][1]),
        cautious=_aside(cautious),
        bold=_aside(bold),
    )


def _aside(told: list[str]) -> str:
    return f" ({', '.join(told)})" if told else ""


def _openers(games: Mapping[str, Kit], language: Language) -> str:
    """The usual opener: of most formats, then of those that differ."""
    usual = {kind.name: kind.usual.openers[0] for kit in games.values() for kind in kit.formats}
    most = Counter(usual.values()).most_common(1)[0][0]
    others = [
        language.say("{opener} with {format}", opener=opener, format=name)
        for name, opener in usual.items()
        if opener != most
    ]
    return ", ".join([language.say("{opener} is usual", opener=most), *others])


def _formats(kit: Kit, language: Language) -> str:
    written = [
        kind.usual.write().replace(" rounds ", ":").replace(" ", ":") + kind.switched("[:{word}]")
        for kind in kit.formats
    ]
    return one_of(written, language)


def _wish(
    chosen: argparse.Namespace, games: Mapping[str, Kit], language: Language
) -> tuple[Header, dict[str, str], Dice]:
    """The game that the flags ask for: a header, the bots by name, the owner of the dice. Raises BadNotation."""
    kit = kit_named(chosen.game, games, language)
    names, bots = read_seats(usual_seats(language) if chosen.seats is None else chosen.seats, kit)
    fields = {"game": kit.name, "seats": ", ".join(names)}
    fields.update(chosen_options(chosen, kit, games))
    for key in ("format", "opener", "first"):
        if getattr(chosen, key) is not None:
            fields[key] = getattr(chosen, key)
    return kit.normalize(RawHeader(fields)), bots, chosen.dice or "house"


def _sit(
    loaded: SavedGame, chosen: argparse.Namespace, outside: Environment, language: Language, *, new: bool = False
) -> None:
    """Play a kept table from where it stands. new: it has just been set up."""
    number = loaded.number
    if loaded.over and loaded.live.state.before is None:
        raise Refused("game-over", table=number)
    seed, line, say = loaded.log.seed, outside.line, language.say
    wait_s: float = chosen.pause if chosen.pause is not None else PAUSE_S if outside.live else 0.0
    house = TerminalServices(
        outside.store,
        outside.cup(seed, "dice"),
        outside.cup(seed, "bots"),
        outside.now,
        lambda: outside.sleep(wait_s) if wait_s else None,
        outside.seals() if loaded.room.setup.dice == "sealed" else NO_SEALS,
    )
    session = Session(loaded, house, line, language, keys=chosen.keys, names=chosen.choose)
    session.counsel.warn = _warning(chosen)
    if session.counsel.warn is not None:
        session.counsel.coach  # noqa: B018  or say why not, before anything else
    kept = say("Game {number} is kept. pubdice resume {number} goes on with it.", number=number)
    session.open(new=new)
    try:
        session.play()
    except (QuitError, LeftError):
        over = session.state.match.over
        corrected = say(
            "Game {number} is over. pubdice resume {number} can still take back its last dice.", number=number
        )
        line.say([corrected if over else kept])
    except KeyboardInterrupt:
        line.say(["", kept])
        raise
    else:
        if session.counsel.warn is not None:
            told = sound(load(outside.store, number, outside.games).record(), outside.games, language)
            line.say(analysed(told, session.counsel).sentences(language))
        line.say([say("This was game {number}. pubdice replay {number} tells it again.", number=number)])
        if loaded.room.setup.dice == "sealed":
            line.say([say("The seal is open. pubdice verify {number} checks every roll.", number=number)])


def resume(words: list[str], outside: Environment, language: Language) -> None:
    """A kept table, from where it stands."""
    say = language.say
    parser = Parser(
        "resume", language, description=say("Go on with a game you left, or that was cut off. Nothing is lost.")
    )
    parser.add_argument(
        "number", nargs="?", metavar="N", help=say("its number; without one, your newest unfinished game")
    )
    _add_session_options(parser)
    chosen = parser.parse_args(words)
    store, games = outside.store, outside.games
    loaded = latest(store, games) if chosen.number is None else load(store, number_of(chosen.number), games)
    _sit(loaded, chosen, outside, language)
