"""Claims (statements about a position) read from the sentences of games, and the check of each claim against the rules.

The patterns that read a sentence are written by hand for each language, so they also find a wrong translation. A check
plays on by the rules and never calls helpers of the game's words. For example, a face is needed if every finished hand
that counts contains it and some finished hand does not. A score is true if the rules give it when the turn ends now.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from play import NAMES
from pubdice.core.dice import Hand, hands, subhands, together, without
from pubdice.core.errors import IllegalAction
from pubdice.core.game import Keep, RoundState, TurnGame
from pubdice.games.fourtwenty.rules import TARGET, legal_keeps
from pubdice.games.mexico.rules import Mexico
from pubdice.games.mexico.rules import worth as mexican_worth
from pubdice.games.threes.rules import MOON

Read = re.Match[str]
FACES = frozenset(range(1, 7))
TOP = mexican_worth((1, 2))


@dataclass(frozen=True)
class Position:
    """A position with the names of the seats. The listener's name is ""."""

    game: Any
    state: Any
    names: tuple[str, ...]

    @property
    def mover(self) -> int:
        seat = self.game.mover(self.state)
        assert seat is not None
        return int(seat)

    def seat(self, who: str | None) -> int:
        """Return the seat of a name in a sentence. None means "you", the listener."""
        return self.names.index("") if who is None else NAMES.index(who)

    @property
    def locked(self) -> Hand:
        return tuple(self.game.dice(self.state, self.mover)[0])

    @property
    def free(self) -> Hand:
        return tuple(self.game.dice(self.state, self.mover)[1])

    def after(self, action: Any) -> Any:
        return self.game.play(self.state, action)

    def ends(self, action: Any) -> bool:
        """Return True if an action ends the mover's turn."""
        after = self.after(action)
        return bool(self.game.mover(after) != self.game.mover(self.state))

    def settled(self) -> frozenset[int]:
        """Return the scores with which the mover's turn may end now. Empty if it may not end now."""
        return settled(self.game, self.state)

    def comes_to(self, seat: int) -> frozenset[int]:
        """Return a seat's score. If it has none yet, return the scores with which its turn may end now, or else the sum
        of its dice.
        """
        score = self.game.score(self.state, seat)
        if score is not None:
            return frozenset({score})
        ends = self.settled() if seat == self.mover else frozenset[int]()
        return ends or frozenset({sum(together(*self.game.dice(self.state, seat)))})


@cache
def settled(game: Any, state: Any) -> frozenset[int]:
    mover = game.mover(state)
    ended = [after for action in game.legal(state) if game.mover(after := game.play(state, action)) != mover]
    return frozenset([game.score(after, mover) for after in ended])


@dataclass(frozen=True)
class Ways:
    """All possible endings of a turn.

    ``counting`` has the faces that are in every final hand that counts. ``sure`` has the faces that are in every final
    hand. ``scores`` has all possible scores.
    """

    counting: frozenset[int]
    sure: frozenset[int]
    scores: frozenset[int]

    def __or__(self, other: "Ways") -> "Ways":
        return Ways(self.counting & other.counting, self.sure & other.sure, self.scores | other.scores)


@cache
def ways(game: TurnGame, state: RoundState) -> Ways:
    """Return all endings of a turn with one seat. A hand counts if it then wins the round."""
    found = Ways(FACES, FACES, frozenset())
    if due := game.to_roll(state):
        for hand in hands(due, game.faces.sides):
            found |= ways(game, game.roll(state, hand))
        return found
    for action in game.legal(state):
        after = game.play(state, action)
        result = game.result(after)
        if result is None:
            found |= ways(game, after)
            continue
        faces = frozenset(together(state.locked, action.dice))
        found |= Ways(faces if result.winners else FACES, faces, frozenset(result.scores))
    return found


def turn(at: Position) -> Ways:
    return ways(at.game, replace(at.state, seats=1, scores=()))


def needed(at: Position) -> frozenset[int]:
    """Return the faces that every final hand needs to count, apart from faces that every final hand has anyway."""
    found = turn(at)
    return found.counting - found.sure


@cache
def most_rolls(game: Any, state: Any) -> int:
    """Return the most rolls that the mover's turn can still have. In a ``TurnGame`` the other seats make no
    difference.
    """
    if isinstance(state, RoundState) and state.seats > 1:
        return most_rolls(game, replace(state, seats=1, scores=()))
    mover = game.mover(state)

    def on(after: Any) -> int:
        return most_rolls(game, after) if game.mover(after) == mover else 0

    if due := game.to_roll(state):
        return 1 + max(on(game.roll(state, hand)) for hand in hands(due, game.faces.sides))
    return max((on(game.play(state, action)) for action in game.legal(state)), default=0)


def score_named(game: Any, word: str) -> int:
    """Return a score as the rules count it, read from a word such as "double 3" or "nothing"."""
    numbers = re.findall(r"\d+", word)
    if isinstance(game, Mexico):
        if not numbers:
            return mexican_worth((1, 2))
        dice = numbers[0] * 2 if "double" in word or "Pasch" in word else numbers[0]
        return mexican_worth(tuple(sorted(map(int, dice))))
    if numbers:
        return int(numbers[0])
    return {"nothing": 0, "nichts": 0, "the moon": MOON, "fünf Sechsen": MOON, "Mexico": 1000}[word]


def dice_in(text: str | None) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d", text or "")))


def _needs(at: Position, read: Read) -> bool:
    if not isinstance(at.state, RoundState):
        return True  # a sentence such as "You need 14 more" is about points, in a game without needed faces
    said = frozenset(dice_in(read["faces"]))
    return at.seat(read["who"]) == at.mover and _lacks(at, said)


def _lacks(at: Position, said: frozenset[int]) -> bool:
    """Return True if the faces in ``said`` are exactly those needed. If no ending counts any more, any faces are
    accepted.
    """
    return turn(at).counting == FACES or said == needed(at)


def _locked(at: Position, read: Read) -> bool:
    return dice_in(read["dice"]) == at.locked


def _held(at: Position, read: Read) -> bool:
    return dice_in(read["dice"]) == at.free and not at.game.legal(at.state)


def _to_roll(at: Position, read: Read) -> bool:
    return bool(at.game.to_roll(at.state) == int(read["number"]))


def _left(at: Position, read: Read) -> bool:
    return most_rolls(at.game, at.state) == int(read["number"])


def _settled(at: Position, read: Read) -> bool:
    return at.seat(read["who"]) == at.mover and score_named(at.game, read["score"]) in at.settled()


def _has_and_left(at: Position, read: Read) -> bool:
    return score_named(at.game, read["score"]) in at.settled() and _left(at, read)


def _has(at: Position, read: Read) -> bool:
    return score_named(at.game, read["score"]) in at.comes_to(at.seat(read["who"]))


def _who(at: Position, names: str) -> list[int]:
    found = re.findall(r"Ann|Bob|Cid|[Yy]ou|[Dd]u", names)
    return sorted(at.names.index("") if name.lower() in ("you", "du") else NAMES.index(name) for name in found)


def _have(at: Position, read: Read) -> bool:
    """Return True if the named seats have this score. Of the seats that have finished with this score, the sentence
    must name all or none.
    """
    said, score = _who(at, read["names"]), score_named(at.game, read["score"])
    done = getattr(at.state, "scores", ())
    alike = [seat for seat, has in enumerate(done) if has == score]
    return all(score in at.comes_to(seat) for seat in said) and (said == alike or min(said) >= len(done))


def stops_or_rolls(at: Position) -> bool:
    """Return True if the mover may choose between ending the turn and rolling on."""
    return len({at.ends(action) for action in at.game.legal(at.state)}) == 2


def keeps_some(at: Position) -> bool:
    """Return True if the legal actions keep different dice."""
    return len({at.game.kept(action) for action in at.game.legal(at.state)}) > 1


def _stop_or_roll(at: Position, read: Read) -> bool:
    return stops_or_rolls(at)


def _which_dice(at: Position, read: Read) -> bool:
    return keeps_some(at)


def _any_but_none(at: Position, read: Read) -> bool:
    legal = {at.game.kept(action) for action in at.game.legal(at.state)}
    return legal == {hand for hand in subhands(at.free) if hand}


def _some_or_none(at: Position, read: Read) -> bool:
    legal = {at.game.kept(action) for action in at.game.legal(at.state)}
    return () in legal and len(legal) > 1


def _finished(at: Position) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the scores of the finished turns, and the seats that would win the round if it ended now."""
    scores = at.state.scores
    result = at.game.result(RoundState(len(scores), scores))
    assert result is not None
    return scores, result.winners


def _wins(at: Position, score: int) -> bool:
    """Return True if this score would put the mover alone in the lead."""
    scores, result = at.state.scores, None
    result = at.game.result(RoundState(len(scores) + 1, (*scores, score)))
    return bool(result.winners == (len(scores),))


def _leads(at: Position, read: Read) -> bool:
    scores, best = _finished(at)
    said, score = _who(at, read["names"]), score_named(at.game, read["score"])
    return said == sorted(best) and all(scores[seat] == score for seat in said)


def _lead_and_need(at: Position, read: Read) -> bool:
    least = score_named(at.game, read["more"])
    enough = {least} if least == MOON else set()
    if least != MOON:
        enough = {s for s in turn(at).scores if (s <= least if at.game.lowest_wins else s >= least)}
    if read["also"]:
        enough.add(score_named(at.game, read["also"]))
    return _leads(at, read) and all(_wins(at, score) == (score in enough) for score in turn(at).scores)


def _only_tie(at: Position, read: Read) -> bool:
    return _leads(at, read) and not any(_wins(at, score) for score in turn(at).scores)


def _needs_more(at: Position, read: Read) -> bool:
    """Check a sentence of Mexico: all finished turns have the same score, and a better score is possible."""
    return at.seat(read["who"]) == at.mover and len(set(at.state.scores)) == 1 and at.state.scores[0] < TOP


def _at_best_ties(at: Position, read: Read) -> bool:
    """Check a sentence of Mexico: the best score so far is a Mexico."""
    return at.seat(read["who"]) == at.mover and max(at.state.scores) == TOP


def _no_winner(at: Position, read: Read) -> bool:
    return _finished(at)[1] == ()


def _first(at: Position, read: Read) -> bool:
    return at.seat(read["who"]) == 0


def _after(at: Position, read: Read) -> bool:
    return len(at.names) == int(read["number"] or 1) + 1


def _listed(at: Position, read: Read) -> bool:
    for part in read["list"].split(", "):
        name, _, word = part.split(" ", 2)
        seat = at.seat(None if name in ("you", "du") else name)
        if score_named(at.game, word) not in at.comes_to(seat):
            return False
    return True


def _hand(at: Position, read: Read) -> bool:
    seat, said = at.seat(read["who"]), tuple(sorted(dice_in(read["hand"])))
    hand = at.state.hands[seat]
    return bool(said == hand) and sum(hand) == int(read["total"]) and bool(read["over"]) == (sum(hand) > TARGET)


def _goes_back(at: Position, read: Read) -> bool:
    """Check that every legal keep is empty, so all of the mover's dice go back."""
    hand, facts = at.state.hands[at.mover], read.groupdict()
    total, said = facts.get("total"), facts.get("hand")
    right = (total is None or int(total) == sum(hand) > TARGET) and (not said or tuple(sorted(dice_in(said))) == hand)
    return bool(right) and legal_keeps(hand) == (Keep(()),)


def _rerolls_all(at: Position, read: Read) -> bool:
    return bool(at.game.to_roll(at.state) == len(at.state.hands[at.mover]))


def _this_turn(at: Position, read: Read) -> bool:
    """Check that the points are what ending the turn now would add to the mover's score. If there is no choice, any
    points are accepted.
    """
    before = at.game.score(at.state, at.mover) or 0
    return not at.game.legal(at.state) or int(read["number"]) in {score - before for score in at.settled() or {0}}


def _exactly(at: Position, read: Read) -> bool:
    """Check that exactly the rolls with this sum win at once. If there is a choice, all four dice are rolled. The sum
    may include kept dice.
    """
    state, due = at.state, at.game.to_roll(at.state)
    if not due:
        state = at.after(Keep(()))
        due = at.game.to_roll(state)
    stay = 0 if read.groupdict().get("number") else sum(state.kept)
    wins = {
        stay + sum(hand)
        for hand in hands(due, at.game.faces.sides)
        if at.game.result(at.game.roll(state, hand)) is not None
    }
    return wins == {int(read["lack"])} and int(read.groupdict().get("number") or due) == due


def _foundation(at: Position, read: Read) -> bool:
    """Check that exactly the named dice may stay alone, and exactly those pairs and triples that have at least the
    named sums.
    """
    least = {number: int(read[word]) for number, word in ((2, "two"), (3, "three")) if read[word]}
    several = {hand for hand in subhands(at.free) if sum(hand) >= least.get(len(hand), 1 + TARGET)}
    return {action.dice for action in at.game.legal(at.state)} == {
        (),
        *((face,) for face in dice_in(read["alone"])),
        *several,
    }


def _aims_at(at: Position, read: Read) -> bool:
    """Check that exactly these faces are needed at the start of a turn, and that a higher score wins."""
    found = ways(at.game, at.game.start(1))
    return frozenset(dice_in(read[0])) == found.counting - found.sure and _beats(at.game, 2, 1)


@cache
def _beats(game: Any, score: int, other: int) -> bool:
    """Return True if ``score`` wins against ``other``."""
    start = game.start(2)
    return bool(game.result(replace(start, scores=(score, other))).winners == (0,))


def _low_wins(at: Position, read: Read) -> bool:
    return _beats(at.game, 1, 2)


def _threes_are_nothing(at: Position, read: Read) -> bool:
    """Check that a turn of threes alone scores 0, and that a turn of any other single face does not."""
    last = {face: RoundState(1, (), (face,) * 4, (face,)) for face in FACES}
    return [face for face, state in last.items() if at.game.play(state, Keep((face,))).scores == (0,)] == [3]


def _lowest_loses(at: Position, read: Read) -> bool:
    """Check that the named roll wins against all other rolls."""
    best = mexican_worth(tuple(sorted(dice_in(read["best"]))))
    return all(worth == best or _beats(at.game, best, worth) for worth in map(mexican_worth, hands(2)))


def _stay(at: Position, read: Read) -> bool:
    return dice_in(read["dice"]) == tuple(reversed(at.free)) and not at.game.legal(at.state)


def _may_stay(at: Position, read: Read) -> bool:
    alone = [action.dice for action in at.game.legal(at.state) if len(action.dice) == 1]
    return alone == [(int(read["face"]),)]


def _may_hold(at: Position, read: Read) -> bool:
    return any(at.game.to_roll(at.after(action)) == 1 for action in at.game.legal(at.state))


def _extreme(at: Position, read: Read) -> bool:
    pick = max if re.search("highest|am meisten", read[0]) else min
    return _have(at, read) and pick(at.state.scores) == score_named(at.game, read["score"])


def _sum_of(at: Position, read: Read) -> bool:
    """Check the sum on 420's bar (the total against the target). It is the sum of the kept dice. Before a keep, or if
    all dice must go back, it is the sum of all dice.
    """
    hand, kept = at.state.hands[at.mover], at.state.kept
    forced = kept == () and hand and legal_keeps(hand) == (Keep(()),)
    return int(read["score"]) == sum(hand if kept is None or forced else kept) and int(read["target"]) == TARGET


def _too_many(at: Position, read: Read) -> bool:
    return int(read["total"]) > TARGET


def _nothing_kept(at: Position, read: Read) -> bool:
    return at.locked == ()


def _kept(at: Position, read: Read) -> bool:
    return tuple(sorted(dice_in(read["dice"]))) == at.locked and _points(at, read)


def _rail(at: Position, read: Read) -> bool:
    """Check the rail (Midnight's dice won so far): the faces that the turn has and lacks of the needed ones, and its
    points.
    """
    has, lacks = frozenset(dice_in(read["has"])), frozenset(dice_in(read["lacks"]))
    return bool(has <= turn(at).sure) and _lacks(at, lacks) and not has & lacks and _points(at, read)


def _points(at: Position, read: Read) -> bool:
    """Check that the points are the score, if the turn may end with no die marked. Otherwise any points are
    accepted.
    """
    try:
        ends = at.game.choose(at.state, "bank", ())
    except IllegalAction:
        return True
    return not at.ends(ends) or int(read["points"]) in at.settled()


WHO = r"(?:(?P<who>Ann|Bob|Cid)|[Yy]ou|Du|Dir)"
NAMED = r"(?P<names>(?:Ann|Bob|Cid|[Yy]ou|[Dd]u)(?:(?:, | and | und )(?:Ann|Bob|Cid|[Yy]ou|[Dd]u))*)"
SCORE = r"(?P<score>\d+(?:er-Pasch)?|double \d|nothing|nichts|Mexico|the moon|fünf Sechsen)"
MORE = r"(?P<more>\d+|the moon|fünf Sechsen)"
ALSO = r"(?:,? (?:or|oder) (?P<also>the moon|fünf Sechsen))?"
FEW = r"(?P<faces>(?:an? |eine )?\d(?:(?:, | and | und )(?:an? |eine )?\d)*)"
HAS, LACKS = (rf"(?P<{name}>\d(?:(?:, | and | und )\d)*)" for name in ("has", "lacks"))
ROW = r"(?P<dice>\d(?: \d)*)"
HAND = r"(?P<hand>\d \d \d \d)"
N = r"(?P<number>\d+)"
LIST = r"(?P<list>\w+ [^.]+)"

Check = Callable[[Position, Read], bool]
CLAIMS: tuple[tuple[str, str, Check], ...] = (
    (rf"{WHO} (?:still )?needs? {FEW}\.", rf"{WHO} (?:braucht|brauchst|fehlt)(?: noch)? {FEW}\.", _needs),
    (rf"Locked: {ROW}\.", rf"Fest: {ROW}\.", _locked),
    (rf"You hold {ROW}\.", rf"Du hältst {ROW}\.", _held),
    (rf"Roll {N} (?:die|dice)\.", rf"Wirf {N} Würfel\.", _to_roll),
    (rf"(?:You have )?{N} rolls? left\.", rf"(?:Du hast noch|Noch) {N} (?:Wurf|Würfe)\.", _left),
    (rf"You set the number of rolls: up to {N}\.", rf"Du bestimmst, wie oft alle würfeln: bis zu {N} Mal\.", _left),
    (rf"{WHO} ha(?:s|ve) a cargo of {SCORE}\.", rf"{WHO} (?:hast|hat) {SCORE} geladen\.", _settled),
    (rf"You have {SCORE} and {N} rolls? left\.", rf"Du hast {SCORE} und noch {N} (?:Wurf|Würfe)\.", _has_and_left),
    (rf"{NAMED} ha(?:s|ve) {SCORE}\.", rf"{NAMED} (?:haben|habt|hast|hat) {SCORE}\.", _have),
    (rf"{N} this turn\.", "-", _this_turn),
    (rf"{WHO} leads? with {SCORE}\.", "-", _has),
    (r"Which dice do you keep\?", r"Welche Würfel behältst du\?", _which_dice),
    (r"Stop, or roll again\?", r"Hörst du auf, oder würfelst du noch einmal\?", _stop_or_roll),
    (r"Roll again or stop\?", r"Weiterwürfeln oder aufhören\?", _stop_or_roll),
    (r"(?:Roll again or hold(?: \d+)?|Draw a die or stand with \d+)\?", "-", _stop_or_roll),
    (r"All aboard\. Roll the two dice again, or keep them\?", "-", _stop_or_roll),
    (r"stop or roll again", "Hör auf oder würfle noch einmal", _stop_or_roll),
    (r"roll again or stop", "Würfle weiter oder hör auf", _stop_or_roll),
    (r"roll again or hold(?: \d+)?|draw a die or stand with \d+|roll the two dice again, or keep them", "-",
     _stop_or_roll),
    (r"keep one or more", "Behalte mindestens einen", _any_but_none),
    (r"keep or reroll", "Behalten oder neu werfen", _some_or_none),
    (rf"{NAMED} ha(?:s|ve) {SCORE}, {WHO} needs? {MORE}(?: or less)?{ALSO}\.",
     rf"{NAMED} (?:haben|habt|hast|hat) {SCORE}, (?:(?P<who>Ann|Bob|Cid)|du) brauch(?:t|st) {MORE}(?: oder weniger)?"
     rf"{ALSO}\.",
     _lead_and_need),
    (rf"{NAMED} ha(?:s|ve) {SCORE}: {WHO} can only tie\.",
     rf"{NAMED} (?:haben|habt|hast|hat) {SCORE}: (?:Für (?P<who>Ann|Bob|Cid) geht nur noch ein Gleichstand|"
     r"Mehr als ein Gleichstand geht nicht)\.", _only_tie),
    (r"No score yet\. Anything beats it\.", r"Niemand hat Punkte\. Einer reicht\.", _no_winner),
    (rf"{WHO} go(?:es)? first\.", rf"{WHO} (?:fängst|fängt) an\.", _first),
    (rf"Then (?:one|{N}) more\.", rf"Danach (?:kommt noch einer|kommen noch {N})\.", _after),
    (rf"(?:This round|So far): {LIST}\.", rf"(?:Diese Runde|Bisher): {LIST}\.", _listed),
    (rf"{WHO}:? (?:have )?{HAND}[:,] (?P<total>\d+)(?P<over>, too many)?\.",
     rf"{WHO}:? (?:hast )?{HAND}[:,] (?P<total>\d+)(?P<over>, zu viel)?\.", _hand),
    (rf"{WHO} can keep none of {HAND}\. All four go back\.",
     rf"{WHO} kann(?:st)? von {HAND} nichts behalten\. Alle vier kommen zurück in den Becher\.", _goes_back),
    (rf"{WHO} ha(?:s|ve) (?P<total>\d+): too many\. All four go back\.",
     rf"{WHO} (?:hat|hast) (?P<total>\d+): zu viel\. Alle vier kommen zurück in den Becher\.", _goes_back),
    (r"(?P<total>\d+): too many\. All four go back, and 20 still wins\.",
     r"(?P<total>\d+): zu viel\. Alle vier kommen zurück in den Becher, und 20 gewinnt immer noch\.", _goes_back),
    (rf"{WHO} rerolls? all four\.", rf"{WHO} wirf?s?t alle vier neu\.", _rerolls_all),
    (rf"Exactly (?P<lack>\d+)(?: with {N} (?:die|dice))? wins\.",
     rf"Genau (?P<lack>\d+)(?: mit {N} Würfeln?)? gewinnt\.", _exactly),
    (r"You may keep (?:(?P<alone>\d(?:(?:, | or )\d)*) alone)?(?:(?:, | or )?two from (?P<two>\d+))?"
     r"(?:(?:, | or )?three from (?P<three>\d+))?\.",
     r"Bleiben darf: (?:(?P<alone>\d(?:(?:, | oder )\d)*) allein)?(?:(?:, | oder )?zwei ab (?P<two>\d+))?"
     r"(?:(?:, | oder )?drei ab (?P<three>\d+))?\.",
     _foundation),
    (r"Get \d and \d, then score high\.", r"Hol dir \d und \d, dann viele Punkte\.", _aims_at),
    (r"Get \d, \d, \d, then cargo\.", r"Hol \d, \d, \d, dann Ladung\.", _aims_at),
    (r"Low wins\.", r"Wenig gewinnt\.", _low_wins),
    (r"Threes count nothing\.", r"Dreien zählen null\.", _threes_are_nothing),
    (r"The lowest loses, (?P<best>\d\d) beats all\.",
     r"Wer am wenigsten hat, verliert\. (?P<best>\d\d) schlägt alles\.", _lowest_loses),
    (rf"You keep {ROW}\.", rf"Du behältst {ROW}\.", _stay),
    (r"You may keep the (?P<face>\d) and roll the other die\.",
     r"Du darfst die (?P<face>\d) liegen lassen und den anderen Würfel werfen\.", _may_stay),
    (r"Mark a cargo die to hold it\.", r"Wähl einen Würfel der Ladung, um ihn zu halten\.", _may_hold),
    (rf"{WHO} needs? more\.", rf"{WHO} brauch(?:t|st) mehr\.", _needs_more),
    (rf"{WHO} can only tie\.", r"(?:Für (?P<who>Ann|Bob|Cid) geht nur noch ein Gleichstand|"
     r"Mehr als ein Gleichstand geht nicht)\.", _at_best_ties),
    (rf"{NAMED} (?:is|are) (?:lowest|highest) with {SCORE}\.",
     rf"{NAMED} (?:haben|habt|hast|hat) am (?:wenigsten|meisten)(?::|, je) {SCORE}\.", _extreme),
    (rf"{WHO} ha(?:s|ve) {SCORE} of (?P<target>\d+)\.", rf"{WHO} (?:hat|hast) {SCORE} von (?P<target>\d+)\.", _sum_of),
    (r"(?P<total>\d+), too many", r"(?P<total>\d+), zu viel", _too_many),
    (rf"{WHO} ha(?:s|ve) kept nothing yet\.", rf"{WHO} (?:hat|hast) noch nichts behalten\.", _nothing_kept),
    (rf"{WHO} kept {ROW}\. Score (?P<points>\d+)\.", rf"{WHO} (?:hat|hast) {ROW} behalten\. Punkte: (?P<points>\d+)\.",
     _kept),
    (rf"{WHO}(?: ha(?:s|ve) {HAS})?(?:,? (?:still )?needs? {LACKS})?\. Score (?P<points>\d+)\.",
     rf"{WHO}(?: (?:hat|hast) {HAS})?(?:,? (?:dir fehlt|braucht|brauchst)(?: noch)? {LACKS})?\. "
     r"Punkte: (?P<points>\d+)\.",
     _rail),
)  # fmt: skip
"""Patterns of sentences in English and German, each with its check. "-" stands for a test game that has no German."""


def _keeps(at: Position, action: Any, read: Read) -> bool:
    return bool(tuple(sorted(dice_in(read["dice"]))) == at.game.kept(action))


def _holds(at: Position, action: Any, read: Read) -> bool:
    """Check that the action keeps these dice besides those that every action keeps, and rolls the others."""
    if not isinstance(action, Keep):
        return False
    always = min((other.dice for other in at.game.legal(at.state)), key=len)
    return without(action.dice, always) == dice_in(read["dice"]) and not at.ends(action)


def _ends_with(at: Position, action: Any, read: Read) -> bool:
    word = read.groupdict().get("score")
    ends = at.ends(action) or at.game.mover(at.after(action)) is None
    return ends and (word is None or at.game.score(at.after(action), at.mover) == score_named(at.game, word))


def _rolls_on(at: Position, action: Any, read: Read) -> bool:
    """Check that the turn goes on, with as many dice to roll as any action gives."""
    due = at.game.to_roll(at.after(action))
    most = max(at.game.to_roll(at.after(other)) for other in at.game.legal(at.state) if not at.ends(other))
    return bool(due == most and not at.ends(action))


Named = Callable[[Position, Any, Read], bool]
CHOICES: tuple[tuple[str, str, Named], ...] = (
    (rf"keep {ROW}", rf"{ROW} behalten", _keeps),
    (rf"hold {ROW}", rf"{ROW} halten", _holds),
    (rf"(?:stop|stand)(?: with {SCORE})?|hold(?: \d+)?|keep both", rf"aufhören(?: mit {SCORE})?", _ends_with),
    (r"give up the cargo|roll both again|reroll all four|roll again|draw a die|roll the two dice again",
     r"Ladung aufgeben|beide neu werfen|alle vier neu werfen", _rolls_on),
)  # fmt: skip
"""Patterns for the names of actions in English and German, each with a check of the action's effect."""


@cache
def _patterns(german: bool, choices: bool) -> tuple[tuple[re.Pattern[str], Any], ...]:
    rows: Any = CHOICES if choices else CLAIMS
    return tuple((re.compile(row[1 if german else 0]), row[2]) for row in rows if row[1 if german else 0] != "-")


@cache
def claims(text: str, german: bool) -> tuple[tuple[Read, Any], ...] | None:
    """Return the claims in a text, sentence by sentence. None if some part of the text matches no pattern."""
    found, at = list[tuple[Read, Any]](), 0
    while at < len(text):
        read = [(match, check) for pattern, check in _patterns(german, False) if (match := pattern.match(text, at))]
        if not read:
            return None
        longest = max(read, key=lambda one: one[0].end())
        found.append(longest)
        at = longest[0].end() + 1
    return tuple(found)


def untrue(at: Position, text: str, german: bool) -> Iterator[str]:
    """Yield each sentence of a text that contradicts the rules. If a part matches no pattern, yield the whole text."""
    read = claims(text, german)
    if read is None:
        yield f"not understood: {text!r}"
        return
    for match, check in read:
        if not check(at, match):
            yield f"{match[0]!r} in {text!r}"


def untrue_choice(at: Position, action: Any, text: str, german: bool) -> Iterator[str]:
    """Yield the fault if the name of an action is unknown or does not say its effect."""
    read = [(match, check) for pattern, check in _patterns(german, True) if (match := pattern.fullmatch(text))]
    if not read:
        yield f"not understood: {text!r}"
    if read and not any(check(at, action, match) for match, check in read):
        yield f"{text!r} of {action}"


def is_about(text: str, german: bool, kind: Check) -> bool:
    """Return True if a text makes a claim that this check is for."""
    return any(check is kind for _, check in claims(text, german) or ())


def names_need(text: str, german: bool) -> bool:
    """Return True if a text names needed faces or points."""
    return is_about(text, german, _needs)


def asks(text: str, german: bool) -> bool:
    """Return True if a text asks for a choice. If some part of the text matches no pattern, any question counts."""
    known = claims(text, german) is not None
    asked = any(is_about(text, german, kind) for kind in (_stop_or_roll, _which_dice))
    return text.endswith("?") and (asked or not known)
