"""``play`` and ``resume``: play a new game, or go on with a saved one."""

import argparse

from pubdice.command_line import chosen_options, kit_named, mistyped, one_of, seed_of
from pubdice.core.dice import digits
from pubdice.core.errors import BadNotation, Refused
from pubdice.core.seal import read_seal, read_seat_seed
from pubdice.kit import PERFECT
from pubdice.match.header import Header, RawHeader
from pubdice.match.table import Dice
from pubdice.room import Room
from pubdice.room.beginning import match_of
from pubdice.room.decide import NO_SEALS
from pubdice.room.seeds import sealed
from pubdice.terminal import sentences as own
from pubdice.terminal.arguments import Environment, number_of
from pubdice.terminal.console import LeftError
from pubdice.terminal.declared import PAUSE_S, USUAL_PER_CENT, usual_seats
from pubdice.terminal.game_log import GameLog, local_setup
from pubdice.terminal.reading import analysed, sound
from pubdice.terminal.saved_games import SavedGame, create, latest, load
from pubdice.terminal.sentences import explain
from pubdice.terminal.session import Session, TerminalServices
from pubdice.terminal.setup_dialog import ask_setup
from pubdice.terminal.table_coach import solved, working
from pubdice.terminal.typed_seats import mistaken, read_seats
from pubdice.terminal.typed_table import QuitError
from pubdice.text.language import Language
from pubdice.typed_rules import read_format

RANDOM_SEED = 25
"""The number of dice that make a random seed. 25 dice have 64 bits."""
SITTING = ("keys", "choose", "pause", "coach", "coach_at")
"""Options for this session at the terminal, not for the match."""


def _warning(chosen: argparse.Namespace) -> float | None:
    """Return the value lost from which the coach warns, as a fraction of the yardstick. None without a coach."""
    if chosen.coach_at is not None:
        return float(chosen.coach_at)
    return USUAL_PER_CENT / 100 if chosen.coach else None


def play(chosen: argparse.Namespace, outside: Environment, language: Language) -> None:
    """Begin a new game: from the flags, or from questions if no flag was given."""
    games = outside.games
    asked = [option for option in vars(chosen) if option not in SITTING and vars(chosen)[option] is not None]
    if asked and chosen.game is None:
        raise mistyped("pubdice play", language.say("name the game: {games}", games=one_of(games, language)), language)
    try:
        wish = _wish(chosen, outside, language) if chosen.game is not None else ask_setup(games, outside.line, language)
    except LeftError:
        return
    if wish[2] == "sealed" and chosen.seed is not None:
        raise BadNotation("flag-beside", flag="seed", other="dice sealed")
    now, seals = outside.now(), outside.seals() if wish[2] == "sealed" else NO_SEALS
    setup = sealed(local_setup(*wish, now), seals)
    log = GameLog(setup, seed_of(chosen.seed), chosen.keys or "face", chosen.choose or "keep")
    room = Room(games[setup.rules["game"]], setup)
    if _warning(chosen) is not None or any(chair.bot == PERFECT for chair in setup.expected):
        with working(language, outside.line):  # if the match cannot be solved, say so before anything is stored
            solved(room.kit, match_of(room.kit, room.start()).match, language)
    try:
        seed = _own_seed(log, outside, language)
    except LeftError:
        return
    number = create(outside.store, room, log, outside.cup(log.seed, "dice"), now, seals, seed)
    _sit(load(outside.store, number, games), chosen, outside, language, new=True)


def _own_seed(log: GameLog, outside: Environment, language: Language) -> str:
    """Show the words of the seal, and ask the people for a seed of their own. Raises LeftError.

    Returns "" if the dice are not sealed, or if only bots play.
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


def _wish(chosen: argparse.Namespace, outside: Environment, language: Language) -> tuple[Header, dict[str, str], Dice]:
    """Return the match that the flags describe: its header, the bots by seat name, the kind of dice. Raises
    BadNotation.
    """
    games = outside.games
    kit = kit_named(chosen.game, games, language)
    names, bots = read_seats(usual_seats(language) if chosen.seats is None else chosen.seats, kit)
    outside.line.say(mistaken(names, bots, kit, games, language))
    fields = {"game": kit.name, "seats": ", ".join(names)}
    fields.update(chosen_options(chosen, kit, games, language))
    if chosen.format is not None:
        fields["format"] = read_format(chosen.format, kit, language)
    for key in ("opener", "first"):
        if getattr(chosen, key) is not None:
            fields[key] = getattr(chosen, key)
    return kit.normalize(RawHeader(fields)), bots, chosen.dice or "house"


def _sit(
    loaded: SavedGame, chosen: argparse.Namespace, outside: Environment, language: Language, *, new: bool = False
) -> None:
    """Play a saved game. ``new`` is True if it was just created."""
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
        session.counsel.coach  # noqa: B018 if the match cannot be solved, say so before the game begins
    kept = say("Game {number} is saved. pubdice resume {number} goes on with it.", number=number)
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


def resume(chosen: argparse.Namespace, outside: Environment, language: Language) -> None:
    """Go on with a saved game."""
    store, games = outside.store, outside.games
    loaded = latest(store, games) if chosen.number is None else load(store, number_of(chosen.number), games)
    _sit(loaded, chosen, outside, language)
