"""What Midnight says: keeps, scores, prompts and refusals, in sentences made to be heard."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from pubdice.dice import Hand, together
from pubdice.game import Keep
from pubdice.games.midnight.rules import BEST, DICE, Midnight, Turns, counted, lacking
from pubdice.gamewords import Beam, Question, Rail, Slot
from pubdice.words import Language, Sentence, faces, told_facts, weighed

REFUSALS: dict[str, Sentence] = {
    "keep-one": "Keep at least one of the dice just rolled: {free}.",
    "not-free": "{dice} is not among the dice just rolled: {free}.",
    "bank-early": (
        "Too early to bank: one of the dice just rolled is not kept. Keep it too, or roll it again.",
        "Too early to bank: {number} of the dice just rolled are not kept. Keep them too, or roll them again.",
        "undecided",
    ),
}

LINES = 1024
"""Lines that are kept of each kind: a turn says the same at every move."""
LEAST_CHANCE = 0.005
WHY = {
    "mean": ("{amount} to the mean score", "{amount} of the mean score", 0.05),
    "qualify": ("{amount} to qualifying", "{amount} of qualifying", LEAST_CHANCE),
    "beat": ("{amount} to beating {score}", "{amount} of beating {score}", LEAST_CHANCE),
    "tie": ("{amount} to a tie at {score}", "{amount} of a tie at {score}", LEAST_CHANCE),
}
"""Facts to reason from: what is said of more and of less, and the least difference worth a word."""


def _lack(language: Language, needed: Iterable[int]) -> str:
    """Needed faces in words."""
    return language.join(language.say("a {face}", face=face) for face in needed)


def _row(language: Language, needed: Iterable[int]) -> str:
    """Needed faces in a row; empty for none."""
    row = list(map(str, needed))
    return language.join(row) if row else ""


def _has(language: Language, names: Sequence[str], score: int) -> str:
    """Who has this score, as the beginning of a sentence."""
    others = [name for name in names if name]
    if len(names) == 1:
        return language.about("{name} has {score}", "You have {score}", names[0], score=score)
    text = "{names} have {score}" if len(others) == len(names) else "You and {names} have {score}"
    return language.say(text, names=language.join(others), score=score)


@lru_cache(maxsize=LINES)
def _still_needs(language: Language, missing: tuple[int, ...], name: str) -> str:
    """What a turn still lacks of the needed pair."""
    return language.about("{name} still needs {lack}.", "You still need {lack}.", name, lack=_lack(language, missing))


def _points(language: Language, score: int) -> str:
    """A score in a word."""
    return str(score) if score else language.say("nothing")


@lru_cache(maxsize=LINES)
def _this_round(language: Language, scores: tuple[int, ...], names: tuple[str, ...]) -> str:
    """The scores so far."""
    done = zip(names, scores, strict=False)
    told = [
        language.about("{name} {score}", "you {score}", name, score=_points(language, score)) for name, score in done
    ]
    return language.say("This round: {scores}.", scores=", ".join(told))


@lru_cache(maxsize=LINES)
def _lead(language: Language, scores: tuple[int, ...], names: tuple[str, ...]) -> tuple[str, ...]:
    """Who leads with what, and what the mover needs; nothing before anybody has played."""
    if not scores:
        return ()
    best, mover = max(scores), names[len(scores)]
    if not best:
        return (language.say("Nobody has scored yet. Anything leads."),)
    leaders = [name for name, score in zip(names, scores, strict=False) if score == best]
    has = _has(language, leaders, best)
    if best == BEST:
        return (language.about("{has}: {name} can only tie.", "{has}: you can only tie.", mover, has=has),)
    text = "{has}, {name} needs {more}.", "{has}, you need {more}."
    return (language.about(*text, mover, has=has, more=best + 1),)


@lru_cache(maxsize=LINES)
def _rail(language: Language, need: tuple[int, int], locked: Hand, marked: Hand, name: str) -> Rail:
    """Two needed slots, and four that score, the dice won before those chosen now."""
    hand = together(locked, marked)
    slots, won, rest = list[Slot](), list(locked), list(hand)
    for face in need:
        held = face in rest
        slots.append(Slot(face if held else 0, face, held and face not in won))
        if held:
            rest.remove(face)
        if face in won:
            won.remove(face)
    for face in reversed(rest):
        slots.append(Slot(face, 0, face not in won))
        if face in won:
            won.remove(face)
    slots += [Slot()] * (DICE - len(slots))
    has, missing = [face for face in need if face in hand], lacking(hand, need)
    facts: dict[str, Any] = {"has": _row(language, has), "lack": _row(language, missing), "score": sum(rest)}
    about = language.about
    if not missing:
        said = about("{name} has {has}. Score {score}.", "You have {has}. Score {score}.", name, **facts)
    elif has:
        text = (
            "{name} has {has}, still needs {lack}. Score {score}.",
            "You have {has}, still need {lack}. Score {score}.",
        )
        said = about(*text, name, **facts)
    else:
        said = about("{name} needs {lack}. Score {score}.", "You need {lack}. Score {score}.", name, **facts)
    labels = about("{name} needs", "You need", name), about("{name}'s score", "Your score", name)
    return Rail(tuple(slots), *labels, str(sum(rest)), said)


def reach(score: int) -> str:
    """The fact that is the chance of a score or more."""
    return f"reach {score}"


class MidnightWords:
    """Midnight in words."""

    title = "Midnight"
    tagline = "get a 1 and a 4, then score high"
    sides: tuple[str, ...] = ()

    def options(self, language: Language, game: Midnight) -> str:
        """Which pair qualifies."""
        return language.say("you need a {first} and a {second}", first=game.need[0], second=game.need[1])

    def told(self, language: Language, game: Midnight, name: str, before: Turns, action: Keep) -> list[str]:
        """What was kept; at the end of a turn its score, or what was lacking."""
        about = language.about
        if len(before.free) == 1:
            said = [language.say("The last die is a {dice}.", dice=faces(action.dice))]
        else:
            said = [about("{name} kept {dice}.", "You kept {dice}.", name, dice=faces(action.dice))]
        hand = together(before.locked, action.dice)
        if len(hand) < DICE:
            return said
        missing = lacking(hand, game.need)
        if missing:
            lack = language.join(language.say("no {face}", face=face) for face in missing)
            return [*said, about("{lack}: {name} scores nothing.", "{lack}: you score nothing.", name, lack=lack)]
        facts = {"score": game.worth(hand), "dice": faces(counted(hand, game.need)[::-1])}
        return [*said, about("{name} scored {score}: {dice}.", "You scored {score}: {dice}.", name, **facts)]

    def rolled(self, language: Language, game: Midnight, name: str, before: Turns, dice: tuple[int, ...]) -> list[str]:
        """Nothing beyond the dice themselves."""
        return []

    def to_roll(self, language: Language, game: Midnight, state: Turns) -> str:
        """How many dice, and where the turn stands."""
        rolls = language.count("Roll {number} die.", "Roll {number} dice.", game.to_roll(state))
        return " ".join([*self._stands(language, game, state), rolls])

    def ask(self, language: Language, game: Midnight, state: Turns) -> str:
        """Where the turn stands, and what to keep."""
        return " ".join([*self._stands(language, game, state), language.say("Which dice do you keep?")])

    def _stands(self, language: Language, game: Midnight, state: Turns) -> list[str]:
        if not state.locked:
            return []
        locked = language.say("Locked: {dice}.", dice=faces(state.locked))
        return [locked, *filter(None, [self.needs(language, game, state, "")])]

    def todo(self, language: Language, game: Midnight, state: Turns) -> str:
        """One die at least is kept."""
        return language.say("keep one or more")

    def hint(self, language: Language, game: Midnight, state: Turns) -> str:
        """Nothing: the question says it all."""
        return ""

    def needs(self, language: Language, game: Midnight, state: Turns, name: str) -> str:
        """What is lacking of the needed pair, once dice are locked."""
        missing = lacking(state.locked, game.need) if state.locked else ()
        return _still_needs(language, missing, name) if missing else ""

    def status(self, language: Language, game: Midnight, state: Turns, names: tuple[str, ...]) -> list[str]:
        """What the mover still needs, and what there is to beat."""
        name = names[len(state.scores)]
        needs = self.needs(language, game, state, name)
        if state.free and not state.locked:
            row = _row(language, game.need)
            needs = language.about("{name} needs {lack}.", "You need {lack}.", name, lack=row)
        return [*filter(None, [needs]), *_lead(language, state.scores, names)]

    def rail(self, language: Language, game: Midnight, state: Turns, name: str, marked: Hand) -> Rail | None:
        """Two needed slots, and four that score."""
        if len(state.scores) == state.seats:
            return None
        return _rail(language, game.need, state.locked, marked, name)

    def beam(self, language: Language, game: Midnight, state: Turns, name: str, marked: Hand) -> Beam | None:
        """Nothing to reach exactly."""
        return None

    def red(self, game: Midnight) -> tuple[int, ...]:
        """The needed pair."""
        return game.need

    def missing(self, language: Language, game: Midnight, rule: str, facts: Mapping[str, Any]) -> str:
        """Nothing of its own."""
        return ""

    def question(self, language: Language, game: Midnight, state: Turns) -> Question | None:
        """Nothing: one die at least is kept."""
        return None

    def stand(self, language: Language, game: Midnight, state: Turns, seat: int, marked: Hand) -> str:
        """Of a seat that has played, its score."""
        return self.score(language, game, state.scores[seat]) if seat < len(state.scores) else ""

    def to_beat(self, language: Language, game: Midnight, state: Turns, names: tuple[str, ...]) -> list[str]:
        """The best score so far; where there is none, who goes first, and how many play after."""
        if state.scores:
            return [*_lead(language, state.scores, names)]
        said = [language.about("{name} goes first.", "You go first.", names[0])]
        after = state.seats - 1
        if after:
            text = ("{number} player after you.", "{number} players after you.")
            if names[0]:
                text = ("{number} player after that.", "{number} players after that.")
            said.append(language.count(*text, after))
        return said

    def scores(self, language: Language, game: Midnight, state: Turns, names: tuple[str, ...]) -> list[str]:
        """The scores of those who have played this round."""
        return [_this_round(language, state.scores, names)] if state.scores else []

    def score(self, language: Language, game: Midnight, score: int) -> str:
        """The points, or nothing."""
        return _points(language, score)

    def choice(self, language: Language, game: Midnight, state: Turns, action: Keep) -> str:
        """The dice to keep."""
        return language.say("keep {dice}", dice=faces(action.dice))

    def why(self, language: Language, best: Mapping[str, float], other: Mapping[str, float]) -> str:
        """By the mean score, by qualifying, and by beating or tying the best score so far."""
        gains: list[str] = []
        costs: list[str] = []
        for fact, (gain, cost, least) in WHY.items():
            more = other[fact] - best[fact] if fact in best and fact in other else 0.0
            if abs(more) < least or (fact == "beat" and not best.get("to_beat")):
                continue
            amount = language.number(abs(more), 1) if fact == "mean" else language.per_cent(abs(more))
            said = language.say(gain if more > 0 else cost, amount=amount, score=round(best.get("to_beat", 0)))
            (gains if more > 0 else costs).append(said)
        return weighed(language, gains, costs or self._rarer(language, best, other))

    def _rarer(self, language: Language, best: Mapping[str, float], other: Mapping[str, float]) -> list[str]:
        """The score reached less often by most: what loses value reaches some score less often."""
        facts = [reach(score) for score in range(BEST + 1)]
        lost = {fact: best[fact] - other[fact] for fact in facts if fact in best and fact in other}
        most = max(lost, key=lambda fact: lost[fact], default="")
        if not most or lost[most] < LEAST_CHANCE / 10:
            return []
        text = "{amount} of {score} or more"
        return [language.say(text, amount=language.per_cent(lost[most]), score=facts.index(most))]

    def chance(self, language: Language, facts: Mapping[str, float]) -> list[str]:
        """To beat the best score so far; where there is none, to qualify."""
        if "beat" not in facts:
            return []
        score = round(facts["to_beat"])
        if not score:
            text = "Chance to score: {chance}. On average: {mean}."
            return [
                language.say(text, chance=language.per_cent(facts["qualify"]), mean=language.number(facts["mean"], 1))
            ]
        tie = language.per_cent(facts["tie"])
        if score == BEST:
            return [language.say("Chance to tie {score}: {tie}.", score=score, tie=tie)]
        text = "Chance to beat {score}: {chance}, to tie: {tie}."
        return [language.say(text, score=score, chance=language.per_cent(facts["beat"]), tie=tie)]

    def verbs(self, language: Language) -> list[tuple[str, str]]:
        """Both: banking ends a turn once all dice are kept."""
        return [
            ("r", language.say("keep what is marked, and roll the others")),
            ("b", language.say("bank: end the turn, once every die is kept")),
        ]

    def refusal(self, language: Language, game: Midnight, rule: str, facts: Mapping[str, Any]) -> str | None:
        """Why Midnight forbids it."""
        return language.tell(REFUSALS[rule], told_facts(facts, language)) if rule in REFUSALS else None


def tell_odds(language: Language, data: dict[str, Any]) -> list[str]:
    """The odds in sentences."""
    say = language.say
    if "distribution" not in data:
        shares = ", ".join(map(language.per_cent, data["share"])) if "share" in data else ""
        wins = ", ".join(language.number(value, 3) for value in data.get("round_wins", ()))
        lines = [
            say("In turn order: {values}.", values=shares or wins),
            say("Counted: {utility}, to within {bound:.0e}.", utility=data["utility"], bound=data["bound"]),
        ]
        if len(data.get("share", wins.split())) > 2:
            lines.append(say("Everybody plays best for itself; of equally good keeps, the better mean score is taken."))
        return lines
    chances = ", ".join(
        f"{score}: {language.per_cent(chance)}"
        for score, chance in enumerate(data["distribution"])
        if chance >= 0.0005 or not score
    )
    return [
        say(
            "Value {value}. Qualifies {qualify}.",
            value=language.number(data["value"], 4),
            qualify=language.per_cent(data["qualify"]),
        ),
        say("Scores: {chances}.", chances=chances),
    ]


def tell_advice(language: Language, data: dict[str, Any]) -> list[str]:
    """The keeps, best first: what each is worth and what it loses, and why."""
    say = language.say

    def worth(value: float) -> str:
        return (
            say("{value} points", value=language.number(value, 2))
            if data["goal"] == "score"
            else language.per_cent(value)
        )

    def facts(row: Mapping[str, Any]) -> dict[str, float]:
        chances = row["distribution"]
        return {
            "mean": row["mean"],
            "qualify": row["qualify"],
            **{reach(score): sum(chances[score:]) for score in range(1, BEST + 1)},
        }

    best, *others = data["actions"]
    text = "Keep {dice}: {value}. The mean is then {mean}, and {qualify} qualify."
    told = {"mean": language.number(best["mean"], 2), "qualify": language.per_cent(best["qualify"])}
    lines = [say(text, dice=faces(best["keep"]), value=worth(best["value"]), **told)]
    for row in others:
        why = MidnightWords().why(language, facts(best), facts(row)) if row["lost"] > 0 else say("it is as good")
        text = "Keep {dice}: {value}, {lost} lost; {why}." if why else "Keep {dice}: {value}, {lost} lost."
        lines.append(say(text, dice=faces(row["keep"]), value=worth(row["value"]), lost=worth(row["lost"]), why=why))
    return lines


def tell_prices(language: Language, data: dict[str, Any]) -> list[str]:
    """The opener's share rule by rule."""
    say, usual = language.say, data["usual"]
    lines = [
        say(
            "The opener's share, one rule changed at a time. Usual: {need} needed, {seats} seats, {format}, {opener}.",
            need=usual["need"],
            seats=usual["seats"],
            format=usual["format"],
            opener=usual["opener"],
        )
    ]
    for row in data["rows"]:
        shares = ", ".join(language.per_cent(share) for share in row["share"])
        lines.append(say("{rule} {choice}: {shares}.", rule=row["rule"], choice=row["choice"], shares=shares))
    return [*lines, say("Shares in turn order, the opener first. Seats are compared over one round.")]
