"""Every command of the room, and the function that decides it. With ``assert_never`` mypy finds one that is missing."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import assert_never

from pubdice.core.cup import Cup
from pubdice.core.errors import BadNotation, Refused
from pubdice.core.game import KeepGame, Verb, not_open
from pubdice.core.seal import NoSeals, Seals
from pubdice.kit import Kit
from pubdice.match.table import Draw, EnterDice, Mark, PlayAction, RollOrBank, TakeBack
from pubdice.room import commands, lobby
from pubdice.room.apply import apply
from pubdice.room.commands import (
    ALL,
    ALONE,
    Bot,
    Follow,
    Give,
    GoOn,
    Nudge,
    Pace,
    Pause,
    Plan,
    Play,
    Queue,
    Recognise,
    Rematch,
    Resume,
    Retime,
    TimeUp,
    Typed,
    Unpause,
    Unplan,
    Unqueue,
    Vote,
)
from pubdice.room.decision import Caller, Decision, Step
from pubdice.room.events import (
    BotPaceSet,
    BotSubstituted,
    Followed,
    LogLine,
    Nudged,
    Paused,
    Queued,
    Recognised,
    Rematched,
    Reopened,
    Resumed,
    Retimed,
    Ruled,
    TimedOut,
    Unpaused,
    Unqueued,
    Voted,
    WentOn,
    read_line,
)
from pubdice.room.line_up import fits, next_table, read_times, rules_for
from pubdice.room.nickname import read_nickname
from pubdice.room.setup import MOST_PACE_MS, MOST_PLANNED, Planned, Setup, unused, within, write_rules
from pubdice.room.state import Chair, RoomState, clock, goes_on_elsewhere, is_done
from pubdice.typed import OUTRIGHT, Choose, CommandWord, NoSuchDieError, choose

# During the match: rolls, choices and real dice, bots and the turn clock, reminders and the bots' pace.
#
# The room checks whose turn it is; the match table alone decides what the rules allow.


NUDGE_MS = 20_000
"""The mover is reminded no sooner than this after their turn began, or after the last reminder."""


def play(decision: Decision, command: Play) -> None:
    """A player rolls, marks, banks, moves, enters real dice, draws Player 1, or takes back what was entered."""
    match command:
        case RollOrBank() | Mark() | PlayAction():
            _check_turn(decision)
            decision.check_seen()
            decision.move(command)
        case EnterDice() | Draw():  # anybody who sits here may type in real dice, and who is Player 1
            decision.check_seated()
            decision.check_running()
            decision.check_seen()
            decision.move(command)
        case TakeBack():
            decision.check_seated()
            decision.check_running()
            decision.check_no_rematch()
            decision.check_seen()
            decision.move(command)
        case _:
            assert_never(command)


def _check_turn(decision: Decision) -> None:
    """It must be the caller's turn, and no bot may be playing it."""
    decision.check_going_on()
    mover, seat = decision.state.mover, decision.own_seat()
    if mover is None:
        return  # the match table says that Player 1 must be drawn first
    if mover != seat:
        raise Refused("not-your-turn", name=decision.chair(mover).name)
    if decision.state.plays(seat):
        raise Refused("bot-plays")


def play_bot(decision: Decision, command: Bot) -> None:
    """The bot whose turn it is acts."""
    decision.check_own_timer()
    decision.check_going_on()
    mover = decision.state.mover
    if mover is None or not decision.state.plays(mover):
        raise Refused("no-bot-plays")
    decision.move(RollOrBank("roll") if command.action is None else PlayAction(command.action))


def time_up(decision: Decision, _: TimeUp) -> None:
    """The turn clock has run out. Raises Refused if that turn has ended meanwhile, and the next one's time goes on."""
    decision.check_own_timer()
    decision.check_going_on()
    mover, deadline = decision.state.mover, clock(decision.state)
    # Decided by the caller's time against the state's: the timer may fire early, or after the turn it was set for.
    if mover is None or deadline is None or decision.caller.now < deadline:
        raise Refused("no-clock")
    decision.add(TimedOut(mover))


def retime(decision: Decision, _: Retime) -> None:
    """The turn under way has all its time again. Raises Refused if no clock runs."""
    decision.check_own_timer()
    decision.check_going_on()
    if clock(decision.state) is None:
        raise Refused("no-clock")
    decision.add(Retimed())


def nudge(decision: Decision, _: Nudge) -> None:
    """The caller reminds the mover."""
    decision.check_going_on()
    seat, mover = decision.own_seat(), decision.state.mover
    if mover is None or decision.state.plays(mover) or mover == seat:
        raise Refused("nobody-to-nudge")
    # From the later of the two: a turn that has just begun needs no reminder, whenever the last one was.
    wait = max(decision.state.turn_at, decision.state.nudged_at) + NUDGE_MS - decision.caller.now
    if wait > 0:
        raise Refused("nudge-soon", seconds=-(-wait // 1000), name=decision.chair(mover).name)
    decision.add(Nudged(seat))


def set_pace(decision: Decision, command: Pace) -> None:
    """The host sets how long bots wait before each action."""
    decision.check_host()
    decision.add(BotPaceSet(within("pace", command.ms, 0, MOST_PACE_MS)))


# A typed line at a table with people: its intents are carried out one after another, all of them or none.
#
# A roll ends the line. Anything after it would be chosen before anybody sees the dice; and a refusal after a roll
# would undo that roll, so that the player could try it again.


ENDS = ("roll", "bank")
MOST_CHOICES = 12
"""The most pieces of a line that choose dice: enough to mark and unmark each of six."""


def do_line(decision: Decision, command: Typed) -> None:
    """Do what a line says. Raises Refused, IllegalAction or BadNotation."""
    intents = command.intents
    # Before anything is carried out: the line is done whole or not at all.
    if any(not isinstance(intent, Choose) and intent.word in ENDS for intent in intents[:-1]):
        raise Refused("typed-roll-last")
    if sum(isinstance(intent, Choose) for intent in intents) > MOST_CHOICES:
        raise Refused("typed-many", most=MOST_CHOICES)
    decision.check_seen()  # before a die that lay there is looked for among others
    chosen = False
    for intent in intents:
        match intent:
            case Choose():
                chosen = _choose(decision, intent)
            case CommandWord("roll" | "bank" as verb):
                _end(decision, verb, chosen=chosen)
            case _:
                _undo(decision)


def _choose(decision: Decision, choice: Choose) -> bool:
    """Enter real dice, or mark some to keep. True if the line named every die to keep, and not only a change."""
    live = decision.match()
    table, state = live.table, live.state
    mover = state.mover
    if table.enters_dice(state) and choice.how == "toggle":
        play(decision, EnterDice(choice.digits))
        return False
    places = state.marks
    if mover is not None and mover == decision.state.seat_of(decision.caller.person) and state.legal:
        if not isinstance(table.match.game, KeepGame):
            raise not_open(state, choice, state.legal)
        dice = table.view(state, mover)
        try:
            places = choose(dice, places, choice, "face", table.stays(state))
        except NoSuchDieError as error:
            # Faces, as the player types faces: what lies there is the answer to a die that does not.
            free = tuple(die.face for die in dice if die.status != "locked")
            raise Refused(f"typed-{error.why}", digit=error.digit, shown=free) from None
    play(decision, Mark(places))
    return choice.how in OUTRIGHT


def _end(decision: Decision, verb: Verb, *, chosen: bool) -> None:
    """Roll or bank, with the dice marked so far. chosen: the line named every die to keep, perhaps none."""
    live = decision.match()
    table, state = live.table, live.state
    if table.match.to_draw(state.match) and verb == "roll":
        play(decision, Draw())
        return
    if verb == "roll" and not state.marks and table.may_give_up(state):
        if not chosen:
            raise Refused("typed-keep-none", number=table.match.to_roll(state.match))
        play(decision, RollOrBank(verb, sure=True))
        return
    play(decision, RollOrBank(verb))


def _undo(decision: Decision) -> None:
    """Unmark the die marked last, or take back what was entered last."""
    marks = decision.match().state.marks
    play(decision, Mark(marks[:-1]) if marks else TakeBack())


# Bots in people's seats: given by the player, or voted in by the others while the player is away.


def give(decision: Decision, command: Give) -> None:
    """A bot plays the caller's seat, until they resume."""
    decision.check_playing()
    seat = decision.own_seat()
    if decision.chair(seat).bot:
        raise Refused("bot-plays-already")
    decision.add(BotSubstituted(seat, decision.bot_named(command.bot), "gave"))


def resume(decision: Decision, command: Resume) -> None:
    """A person plays their seat again. ``person=None``: issued by the table when a voted-out player reconnects."""
    decision.check_playing()
    seat = decision.own_seat() if decision.caller.person is not None or command.seat is None else command.seat
    if decision.chair(seat).kind != "standin":
        raise Refused("no-bot-plays")
    decision.add(Resumed(seat))


def vote(decision: Decision, command: Vote) -> None:
    """The caller votes for a bot at an absent seat; a majority of those present seats it."""
    decision.check_going_on()
    decision.own_seat()
    absent, gone, bot = command.seat, decision.caller.gone, decision.bot_named(command.bot)
    seats = decision.state.seats_of(decision.caller.person)
    # One's own seat too: somebody who shares a phone has two votes, and must not vote a bot into one of them.
    if decision.chair(absent).kind != "person" or absent not in gone or absent in seats:
        raise Refused("not-absent")
    wait = gone[absent] + 1000 * decision.state.setup.grace_s - decision.caller.now
    if wait > 0:
        raise Refused("still-waiting", seconds=-(-wait // 1000), name=decision.chair(absent).name)
    # Votes count since this absence began: those of an earlier one are void, as the person was back.
    voters = [seat for seat in seats if seat not in decision.state.voters(absent, gone[absent])]
    for seat in voters:
        decision.add(Voted(seat, absent))
    votes, needed = decision.state.ballot(absent, gone)
    if votes >= needed:
        decision.add(BotSubstituted(absent, bot, "voted"))
    elif not voters:
        raise Refused("voted-already")


# What the host plans for the evening, while a table is set up and between matches.


def plan(decision: Decision, command: Plan) -> None:
    """The host plans another game after the others; or, where none is named, how many matches of this one there are.

    The game that is played keeps its rules if others of it follow. Raises Refused or BadNotation.
    """
    play = command.play.strip()
    setup = _open(decision)
    matches, best = read_times(command.times)
    if play in ("", ALONE, ALL):
        played = setup.played + (decision.state.stage == "over")
        if matches < played:
            raise Refused("matches-played", played=played)
        line_up = setup.line_up if not play else _all_others(decision, setup) if play == ALL else ()
        _change(decision, replace(setup, matches=0 if matches == 1 else matches, best=best, line_up=line_up))
        return
    if len(setup.line_up) >= MOST_PLANNED:
        raise Refused("line-up-full", most=MOST_PLANNED)
    name, _, form = play.partition(" ")
    kit = decision.games.get(name.lower())
    if kit is None:
        raise BadNotation("game", found=name, games=tuple(decision.games))
    rules = {**command.rules, "game": kit.name, **({"format": form.strip()} if form.strip() else {})}
    if kit.name == decision.kit.name and not command.rules:
        rules = {**setup.rules, **rules}
        # Another format may have no such opener. Left out, it gets its usual one.
        if rules["format"] != setup.rules["format"]:
            rules.pop("opener", None)
    entry = Planned(rules_for(kit, setup, rules, len(decision.state.chairs)), matches, best)
    _change(decision, replace(setup, line_up=(*setup.line_up, entry)))


def _all_others(decision: Decision, setup: Setup) -> tuple[Planned, ...]:
    """A match of every other game of the house that fits the seats, as it is usually played."""
    seats, found = len(decision.state.chairs), list[Planned]()
    for kit in decision.games.values():
        if kit.name != decision.kit.name and fits(kit, setup, {"game": kit.name}, seats):
            found.append(Planned(rules_for(kit, setup, {"game": kit.name}, seats), 1, False))
    return tuple(found[:MOST_PLANNED])


def unplan(decision: Decision, command: Unplan) -> None:
    """The host takes a game off the line-up."""
    setup = _open(decision)
    at = command.at
    # The game is named as well as the place: the list may have changed since the host's page was shown.
    if not 0 <= at < len(setup.line_up) or setup.line_up[at].rules["game"] != command.game:
        raise Refused("not-planned")
    _change(decision, replace(setup, line_up=(*setup.line_up[:at], *setup.line_up[at + 1 :])))


def _open(decision: Decision) -> Setup:
    """The setup, which the host may change now. Raises Refused."""
    decision.check_host()
    if decision.state.stage == "playing":
        raise Refused("started")
    decision.check_no_rematch()
    return decision.state.setup


def _change(decision: Decision, changed: Setup) -> None:
    if changed == decision.state.setup:
        raise Refused("nothing-new")
    decision.add(Ruled(write_rules(changed)))


# Between matches and in a pause: who wants to play next, who goes to the next table, when the match stands still.


MOST_PAUSES = 20
MOST_QUEUE = 20


def queue(decision: Decision, command: Queue) -> None:
    """A spectator asks for a seat at the next table."""
    state, person = decision.state, decision.caller.person
    if state.match is None:
        raise Refused("not-started")
    if state.seat_of(person) is not None:
        raise Refused("seated-already")
    decision.check_admitted()
    decision.check_no_rematch()
    if person in dict(state.queue):
        raise Refused("queued-already")
    if len(state.queue) >= MOST_QUEUE:
        raise Refused("queue-full")
    name = read_nickname(decision.nickname(command.name, -1), [other for _, other in state.queue])
    decision.add(Queued(decision.person(), name))


def unqueue(decision: Decision, command: Unqueue) -> None:
    """The host takes somebody off the queue."""
    decision.check_host()
    decision.check_no_rematch()
    for person, name in decision.state.queue:
        if name == command.name:
            decision.add(Unqueued(person))
            return
    raise Refused("not-queued")


def rematch(decision: Decision, command: Rematch) -> None:
    """The caller goes to the next table, which the house has set up, with all their seats."""
    state, person = decision.state, decision.caller.person
    seat = state.seat_of(person)
    if seat is None and person not in dict(state.queue):
        raise Refused("not-seated")
    if not is_done(state):
        raise Refused("not-over")
    decision.check_no_rematch()
    if seat is None:
        if state.people:
            raise Refused("rematch-theirs")
        decision.add(Reopened(decision.person(), command.code))
        return
    decision.add(Rematched(seat, command.code))
    for other in state.seats_of(person):
        if other != seat:
            decision.add(Followed(other))


def follow(decision: Decision, _: Follow) -> None:
    """The caller goes to the next table too."""
    decision.own_seat()
    if not decision.state.rematch:
        raise Refused("not-over")
    state = decision.state
    seats = [seat for seat in state.seats_of(decision.caller.person) if seat not in state.inside]
    if not seats:
        raise Refused("rematch-laid", table=state.rematch)
    for seat in seats:
        decision.add(Followed(seat))


def go_on(decision: Decision, command: GoOn) -> None:
    """The match goes on at this house. Raises Refused where its dice follow from a key of the house before."""
    decision.check_own_timer()
    state = decision.state
    if not goes_on_elsewhere(state):
        raise Refused("seal-lost" if state.setup.seal else "night-lost" if state.setup.night else "match-over")
    moves = 0 if state.match is None else state.match.state.moved
    decision.add(WentOn(command.fork, moves, command.before, command.person))


def recognise(decision: Decision, command: Recognise) -> None:
    """A person of the house before is known here by another name. Raises Refused if that person is here already."""
    decision.check_own_timer()
    state = decision.state
    if command.person in (*state.people, *state.banned, *dict(state.queue)):
        raise Refused("seated-already")
    decision.add(Recognised(command.before, command.person))


def pause(decision: Decision, _: Pause) -> None:
    """The clock and the bots stand still."""
    decision.check_playing()
    seat = decision.own_seat()
    decision.check_running()
    if decision.state.pauses >= MOST_PAUSES:
        raise Refused("pauses", most=MOST_PAUSES)
    decision.add(Paused(seat))


def unpause(decision: Decision, _: Unpause) -> None:
    """The match goes on."""
    decision.check_playing()
    seat = decision.own_seat()
    if not decision.state.paused_at:
        raise Refused("not-paused")
    decision.add(Unpaused(seat))


def decide(decision: Decision, command: commands.Command) -> None:  # noqa: C901, PLR0912, PLR0915 - a table, one line a command
    """Add the lines that a command leads to. Raises Refused, IllegalAction or BadNotation."""
    match command:
        case (
            RollOrBank() | Mark() | PlayAction() | EnterDice() | Draw() | TakeBack()
        ):  # first, as nearly all commands are these
            play(decision, command)
        case commands.Bot():
            play_bot(decision, command)
        case commands.Typed():
            do_line(decision, command)
        case commands.TimeUp():
            time_up(decision, command)
        case commands.Retime():
            retime(decision, command)
        case commands.GoOn():
            go_on(decision, command)
        case commands.Recognise():
            recognise(decision, command)
        case commands.Nudge():
            nudge(decision, command)
        case commands.Pace():
            set_pace(decision, command)
        case commands.Sit():
            lobby.sit(decision, command)
        case commands.Share():
            lobby.share(decision, command)
        case commands.Join():
            lobby.join(decision, command)
        case commands.Leave():
            lobby.leave(decision, command)
        case commands.Remove():
            lobby.remove(decision, command)
        case commands.Admit():
            lobby.admit(decision, command)
        case commands.Rename():
            lobby.rename(decision, command)
        case commands.HandOver():
            lobby.hand_over(decision, command)
        case commands.Close():
            lobby.close(decision, command)
        case commands.AddBot():
            lobby.add_bot(decision, command)
        case commands.Shift():
            lobby.shift(decision, command)
        case commands.Ready():
            lobby.ready(decision, command)
        case commands.Unready():
            lobby.unready(decision, command)
        case commands.Commit():
            lobby.commit(decision, command)
        case commands.AddSeed():
            lobby.add_seed(decision, command)
        case commands.Rules():
            lobby.change_rules(decision, command)
        case commands.Plan():
            plan(decision, command)
        case commands.Unplan():
            unplan(decision, command)
        case commands.Start():
            lobby.start(decision, command)
        case commands.Begin():
            lobby.begin(decision, command)
        case commands.Give():
            give(decision, command)
        case commands.Resume():
            resume(decision, command)
        case commands.Vote():
            vote(decision, command)
        case commands.Queue():
            queue(decision, command)
        case commands.Unqueue():
            unqueue(decision, command)
        case commands.Rematch():
            rematch(decision, command)
        case commands.Follow():
            follow(decision, command)
        case commands.Pause():
            pause(decision, command)
        case commands.Unpause():
            unpause(decision, command)
        case _:
            assert_never(command)


# A table with its people: decide(state, command, caller, cup) → steps, apply(state, line) → state. Pure.
#
# Time comes in with the caller, dice with the cup.


NO_SEALS = NoSeals()


@dataclass(frozen=True, slots=True)
class Room:
    """The rules of a table with people: its game and its setup. games: others that may follow, by name."""

    kit: Kit
    setup: Setup
    games: Mapping[str, Kit] = field(default_factory=dict)

    def start(self) -> RoomState:
        """The state before anybody sits down: empty chairs, then bots; in a rematch chairs kept for their people."""
        setup = self.setup
        chairs = [Chair(expected.name, bot=expected.bot, awaited=expected.people) for expected in setup.expected]
        if not chairs:
            chairs = [Chair() for _ in range(setup.seats - len(setup.bots))]
        for bot in setup.bots:
            chairs.append(Chair(unused(bot.capitalize(), [chair.name for chair in chairs]), bot=bot))
        state = RoomState(setup, tuple(chairs), setup.host, setup.pace_ms, setup.opened, setup.opened)
        return replace(state, banned=setup.banned, opens=setup.opens, shut=setup.shut)

    def apply(self, state: RoomState, line: LogLine) -> RoomState:
        """The state after a line of the log. Raises IllegalAction for one that cannot have happened."""
        return apply(self.kit, state, line)

    def decide(
        self, state: RoomState, command: commands.Command, caller: Caller, cup: Cup, seals: Seals = NO_SEALS
    ) -> tuple[Step, ...]:
        """The lines a command leads to, each with the states before and after it. seals: of sealed dice.

        Raises Refused, IllegalAction or BadNotation, and then nothing has changed.
        """
        decision = Decision(self.kit, state, caller, cup, seals, self.games)
        decide(decision, command)
        return tuple(decision.steps)

    def replay(self, state: RoomState, texts: Iterable[str]) -> Iterator[Step]:
        """The steps of a log's lines, from a state on. Raises BadNotation or IllegalAction for a log that cannot be."""
        for text in texts:
            line = read_line(state.table, text)
            after = apply(self.kit, state, line)
            yield Step(state, line, after)
            state = after

    def again(
        self, state: RoomState, now: int, code: str = "", seals: Seals = NO_SEALS, *, decides: bool = False
    ) -> Setup:
        """The setup of a rematch; see ``line_up``. code: this table's, whose match is over. seals: of sealed dice.

        decides: one round more, between those who share the match.
        """
        return next_table(self.kit, state, now, code, seals, games=self.games, decides=decides)
