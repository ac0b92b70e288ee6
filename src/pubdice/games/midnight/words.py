"""What Midnight says: keeps, scores, prompts and refusals, in sentences made to be heard."""

from collections.abc import Mapping
from typing import Any

from pubdice.dice import Hand, together
from pubdice.game import Keep
from pubdice.games.midnight.rules import BEST, DICE, Midnight, Turns, counted, lacking
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

LEAST_CHANCE = 0.005
WHY = {
    "mean": ("{amount} to the mean score", "{amount} of the mean score", 0.05),
    "qualify": ("{amount} to qualifying", "{amount} of qualifying", LEAST_CHANCE),
    "beat": ("{amount} to beating {score}", "{amount} of beating {score}", LEAST_CHANCE),
    "tie": ("{amount} to a tie at {score}", "{amount} of a tie at {score}", LEAST_CHANCE),
}
"""Facts to reason from: what is said of more and of less, and the least difference worth a word."""


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
        return language.say("a {first} and a {second} to qualify", first=game.need[0], second=game.need[1])

    def told(self, language: Language, game: Midnight, name: str, before: Turns, action: Keep) -> list[str]:
        """What was kept; at the end of a turn its score, or what was lacking."""
        if len(before.free) == 1:
            said = [language.say("The last die, {dice}, is kept.", dice=faces(action.dice))]
        else:
            said = [language.say("{name} kept {dice}.", name=name, dice=faces(action.dice))]
        hand = together(before.locked, action.dice)
        if len(hand) < DICE:
            return said
        missing = lacking(hand, game.need)
        if missing:
            lack = language.join(language.say("no {face}", face=face) for face in missing)
            return [
                *said,
                language.say("{name} missed: {lack} in {hand}. Score 0.", name=name, lack=lack, hand=faces(hand)),
            ]
        dice = faces(counted(hand, game.need)[::-1])
        return [*said, language.say("{name} scored {score}: {dice}.", name=name, score=game.worth(hand), dice=dice)]

    def rolled(self, language: Language, game: Midnight, before: Turns, dice: tuple[int, ...]) -> list[str]:
        """Nothing beyond the dice themselves."""
        return []

    def to_roll(self, language: Language, game: Midnight, state: Turns) -> str:
        """How many dice, and where the turn stands."""
        due = game.to_roll(state)
        said = language.count("{number} die to roll", "{number} dice to roll", due)
        return (
            language.say("{said}; {stand}", said=said, stand=self._stand(language, game, state))
            if state.locked
            else said
        )

    def ask(self, language: Language, game: Midnight, state: Turns) -> str:
        """What to keep, and where the turn stands."""
        if not state.locked:
            return language.say("keep which?")
        return language.say("{stand}. Keep which?", stand=self._stand(language, game, state))

    def hint(self, language: Language, game: Midnight, state: Turns) -> str:
        """Nothing: the question says it all."""
        return ""

    def _stand(self, language: Language, game: Midnight, state: Turns) -> str:
        missing = lacking(state.locked, game.need)
        if not missing:
            return language.say("locked {dice}, qualified", dice=faces(state.locked))
        lack = language.join(language.say("a {face}", face=face) for face in missing)
        return language.say("locked {dice}, lacking {lack}", dice=faces(state.locked), lack=lack)

    def stand(self, language: Language, game: Midnight, state: Turns, seat: int, marked: Hand) -> str:
        """Qualified, or what is lacking; of a seat that has played, its score."""
        if seat != len(state.scores):
            return self._scored(language, state.scores[seat]) if seat < len(state.scores) else ""
        missing = lacking(together(state.locked, marked), game.need)
        if not missing:
            return language.say("qualified")
        return language.say(
            "lacking {lack}", lack=language.join(language.say("a {face}", face=face) for face in missing)
        )

    def to_beat(self, language: Language, game: Midnight, state: Turns, names: tuple[str, ...]) -> list[str]:
        """The best score so far and how many are still to come after the mover."""
        best = max(state.scores, default=0)
        said = []
        if not state.scores:
            said.append(language.say("Nothing to beat yet: this turn is the first of the round."))
        elif not best:
            said.append(language.say("Nobody has qualified yet: any score leads."))
        else:
            leaders = language.join(name for name, score in zip(names, state.scores, strict=False) if score == best)
            if best == BEST:
                said.append(language.say("{score} by {names} cannot be beaten, only tied.", score=best, names=leaders))
            else:
                said.append(
                    language.say("To beat: {score} by {names}; {more} leads.", score=best, names=leaders, more=best + 1)
                )
        after = state.seats - len(state.scores) - 1
        if after > 0:
            said.append(language.count("{number} seat to come.", "{number} seats to come.", after))
        return said

    def scores(self, language: Language, game: Midnight, state: Turns, names: tuple[str, ...]) -> list[str]:
        """Every seat's score this round."""
        told = []
        for seat, name in enumerate(names):
            if seat < len(state.scores):
                score = state.scores[seat]
                told.append(language.say("{name} scored {score}" if score else "{name} missed", name=name, score=score))
            else:
                told.append(language.say("{name} not done yet", name=name))
        return [language.say("This round: {scores}.", scores=", ".join(told))]

    def score(self, language: Language, game: Midnight, score: int) -> str:
        """The points, or that it missed."""
        return str(score) if score else language.say("missed")

    def _scored(self, language: Language, score: int) -> str:
        return language.say("score {score}" if score else "missed", score=score)

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
            text = "To qualify you have {chance}; the mean is {mean}."
            return [
                language.say(text, chance=language.per_cent(facts["qualify"]), mean=language.number(facts["mean"], 1))
            ]
        tie = language.per_cent(facts["tie"])
        if score == BEST:
            return [language.say("To tie {score} you have {tie}.", score=score, tie=tie)]
        text = "To beat {score} you have {chance}, to tie it {tie}."
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
