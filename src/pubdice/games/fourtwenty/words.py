"""What 420 says: keeps, hands, prompts and refusals, in sentences made to be heard."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from pubdice.dice import Hand, together
from pubdice.game import Keep
from pubdice.games.fourtwenty.rules import DICE, TARGET, FourTwenty, Hands, foundations
from pubdice.gamewords import Beam, Question, Rail
from pubdice.words import Language, faces, told_facts, weighed

REFUSALS = {
    "not-free": "{dice} is not in the hand: {free}.",
    "reset": "The hand is over with {total}: all four dice must be rerolled, so keep none.",
    "reroll-one": "At least one die must be rerolled each turn: keep three at most.",
    "no-bank": "There is no banking in 420: every turn rerolls at least one die.",
}

LINES = 4096
"""Hands whose sentences are kept: at each move all but one lie as they lay."""
LEAST_CHANCE = 0.0005
WHY = {
    "win_now": ("{amount} to winning with this roll", "{amount} of winning with this roll"),
    "over": ("{amount} of not going over", "{amount} to not going over"),
}
"""Facts to reason from: what is said of more and of less."""


def _falling(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Facts with their dice from the highest down, as hands are read out (Steere)."""
    return {key: fact[::-1] if isinstance(fact, tuple) else fact for key, fact in facts.items()}


@lru_cache(maxsize=LINES)
def _hand(language: Language, name: str, hand: Hand) -> str:
    """A hand that lies there."""
    text = "{name}: {hand}, {total}.", "You have {hand}: {total}."
    if sum(hand) > TARGET:
        text = "{name}: {hand}, {total}, too many.", "You have {hand}: {total}, too many."
    return language.about(*text, name, hand=faces(hand[::-1]), total=sum(hand))


class FourTwentyWords:
    """420 in words."""

    title = "420"
    tagline = "first to make exactly 20"
    sides = ("Red", "Blue")

    def options(self, language: Language, game: FourTwenty) -> str:
        """420 has no options inside a round."""
        return ""

    def told(self, language: Language, game: FourTwenty, name: str, before: Hands, action: Keep) -> list[str]:
        """What stays, or why nothing may."""
        hand = before.hands[before.mover]
        if len(foundations(hand)) == 1:
            return [self._goes_back(language, hand, name)]
        if not action.dice:
            return [language.about("{name} rerolls all four.", "You reroll all four.", name)]
        return [language.about("{name} kept {dice}.", "You kept {dice}.", name, dice=faces(action.dice[::-1]))]

    def _goes_back(self, language: Language, hand: Hand, name: str) -> str:
        """Why all four must be rolled again."""
        facts: dict[str, Any] = {"hand": faces(hand[::-1]), "total": sum(hand)}
        if sum(hand) > TARGET:
            text = "{name} has {total}: too many. All four go back.", "You have {total}: too many. All four go back."
            return language.about(*text, name, **facts)
        text = "{name} can keep none of {hand}. All four go back.", "You can keep none of {hand}. All four go back."
        return language.about(*text, name, **facts)

    def rolled(
        self, language: Language, game: FourTwenty, name: str, before: Hands, dice: tuple[int, ...]
    ) -> list[str]:
        """The hand that makes, and what it means."""
        hand = together(before.kept or (), tuple(sorted(dice)))
        facts: dict[str, Any] = {"hand": faces(hand[::-1]), "total": sum(hand)}
        all_new, about = len(dice) == DICE, language.about
        if facts["total"] == TARGET:
            if all_new:
                return [about("{name} has exactly 20!", "You have exactly 20!", name)]
            return [about("{name} has {hand}: exactly 20!", "You have {hand}: exactly 20!", name, **facts)]
        if facts["total"] > TARGET:
            if all_new:
                return [about("{name} has {total}: too many.", "You have {total}: too many.", name, **facts)]
            return [
                about("{name} has {hand}: {total}, too many.", "You have {hand}: {total}, too many.", name, **facts)
            ]
        if all_new:
            return [about("{name} has {total}.", "You have {total}.", name, **facts)]
        return [about("{name} has {hand}: {total}.", "You have {hand}: {total}.", name, **facts)]

    def to_roll(self, language: Language, game: FourTwenty, state: Hands) -> str:
        """How many dice are rolled, and what stays."""
        said = language.count("Roll {number} die.", "Roll {number} dice.", game.to_roll(state))
        if not state.kept:
            return said
        return language.say("You keep {dice}. {said}", said=said, dice=faces(state.kept[::-1]))

    def ask(self, language: Language, game: FourTwenty, state: Hands) -> str:
        """The hand, and what to keep of it."""
        hand = state.hands[state.mover]
        text = "You have {hand}: {total}. Which dice do you keep?"
        return language.say(text, hand=faces(hand[::-1]), total=sum(hand))

    def todo(self, language: Language, game: FourTwenty, state: Hands) -> str:
        """Every turn rerolls."""
        return language.say("keep or reroll")

    def hint(self, language: Language, game: FourTwenty, state: Hands) -> str:
        """The foundations."""
        return language.say("One stays from 5, two from 10, three from 15.")

    def needs(self, language: Language, game: FourTwenty, state: Hands, name: str) -> str:
        """Nothing but the total, which the hand says."""
        return ""

    def status(self, language: Language, game: FourTwenty, state: Hands, names: tuple[str, ...]) -> list[str]:
        """What the mover has, and what may stay of it."""
        name, hand = names[state.mover], state.hands[state.mover]
        about = language.about
        if not hand:
            return [language.say("Exactly 20 wins.")]
        if state.kept:
            return [self._exactly(language, state)]
        if state.kept is None:
            has = about("{name} has {total}.", "You have {total}.", name, total=sum(hand))
            return [has] if name else [has, self.hint(language, game, state)]
        if len(foundations(hand)) > 1:
            return [about("{name} rerolls all four.", "You reroll all four.", name)]
        if name or sum(hand) <= TARGET:
            return [self._goes_back(language, hand, name)]
        return [language.say("{total}: too many. All four go back, and 20 still wins.", total=sum(hand))]

    def _exactly(self, language: Language, state: Hands) -> str:
        """What the dice still to be rolled must make."""
        kept = state.kept or ()
        one, many = "Exactly {lack} with {number} die wins.", "Exactly {lack} with {number} dice wins."
        return language.count(one, many, DICE - len(kept), lack=TARGET - sum(kept))

    def rail(self, language: Language, game: FourTwenty, state: Hands, name: str, marked: Hand) -> Rail | None:
        """Nothing is won before the end."""
        return None

    def beam(self, language: Language, game: FourTwenty, state: Hands, name: str, marked: Hand) -> Beam | None:
        """The hand's total against 20; of dice about to be joined by others, theirs."""
        hand = state.hands[state.mover]
        forced = state.kept == () and len(foundations(hand)) == 1
        value = sum(hand if state.kept is None or forced else state.kept)
        said = language.about("{name} has {total} of 20.", "You have {total} of 20.", name, total=value)
        return Beam(value, TARGET, 6 * DICE, language.say("20 wins"), said)

    def red(self, game: FourTwenty) -> tuple[int, ...]:
        """No face is needed more than another."""
        return ()

    def missing(self, language: Language, game: FourTwenty, rule: str, facts: Mapping[str, Any]) -> str:
        """How much must be kept with so many dice."""
        if rule == "reroll-one":
            return language.say("Reroll one die or more")
        if rule != "foundation":
            return ""
        text = "Keep at least {least} with one die", "Keep at least {least} with {number} dice"
        return language.count(*text, len(facts["dice"]), least=facts["least"])

    def question(self, language: Language, game: FourTwenty, state: Hands) -> Question | None:
        """Whether the whole hand is thrown away."""
        total = sum(state.hands[state.mover])
        return Question(
            language.say("Reroll all four…"),
            language.say("Throw away {total}?", total=total),
            language.say("Reroll all four"),
            language.say("Go back"),
        )

    def to_beat(self, language: Language, game: FourTwenty, state: Hands, names: tuple[str, ...]) -> list[str]:
        """What the mover needs, and how the other hands stand."""
        hand, hands = state.hands[state.mover], self._hands(language, state, names, but=state.mover)
        if not hand and not any(state.hands):
            name = names[state.mover]
            return [language.about("{name} goes first.", "You go first.", name), language.say("Exactly 20 wins.")]
        if state.kept:
            return [self._exactly(language, state), *hands]
        name, wins = names[state.mover], language.say("Exactly 20 wins.")
        if state.kept is None:
            return [language.about("{name} has {total}.", "You have {total}.", name, total=sum(hand)), wins, *hands]
        return [*([self._goes_back(language, hand, name)] if len(foundations(hand)) == 1 else []), wins, *hands]

    def _hands(self, language: Language, state: Hands, names: tuple[str, ...], but: int | None = None) -> list[str]:
        told = []
        for seat, (name, hand) in enumerate(zip(names, state.hands, strict=True)):
            if seat == but or not hand:
                continue
            told.append(_hand(language, name, hand))
        return told

    def scores(self, language: Language, game: FourTwenty, state: Hands, names: tuple[str, ...]) -> list[str]:
        """Every hand on the table."""
        return self._hands(language, state, names)

    def stand(self, language: Language, game: FourTwenty, state: Hands, seat: int, marked: Hand) -> str:
        """What the hand totals, and if that is too many."""
        hand = state.hands[seat]
        if seat == state.mover and state.kept:
            hand = state.kept
        if not hand:
            return ""
        return language.say("{total}, too many", total=sum(hand)) if sum(hand) > TARGET else str(sum(hand))

    def score(self, language: Language, game: FourTwenty, score: int) -> str:
        """The hand's total."""
        return str(score)

    def choice(self, language: Language, game: FourTwenty, state: Hands, action: Keep) -> str:
        """The dice to keep."""
        if not action.dice:
            return language.say("reroll all four")
        return language.say("keep {dice}", dice=faces(action.dice[::-1]))

    def why(self, language: Language, best: Mapping[str, float], other: Mapping[str, float]) -> str:
        """By this roll's chance to win and to go over; where both are better, the hand that is left must be worse."""
        gains: list[str] = []
        costs: list[str] = []
        for fact, (more, less) in WHY.items():
            change = other[fact] - best[fact] if fact in best and fact in other else 0.0
            if abs(change) < LEAST_CHANCE:
                continue
            said = language.say(more if change > 0 else less, amount=language.per_cent(abs(change)))
            (gains if (change > 0) == (fact == "win_now") else costs).append(said)
        if gains and not costs:
            costs.append(language.say("a better hand to go on with"))
        return weighed(language, gains, costs)

    def chance(self, language: Language, facts: Mapping[str, float]) -> list[str]:
        """To win with the next roll."""
        if "win_now" not in facts:
            return []
        win = language.say("This roll wins with {chance}.", chance=language.per_cent(facts["win_now"]))
        if "over" not in facts:
            return [win]
        return [win, language.say("It goes over with {chance}.", chance=language.per_cent(facts["over"]))]

    def verbs(self, language: Language) -> list[tuple[str, str]]:
        """Only rolling: every turn rerolls."""
        return [("r", language.say("keep what is marked, and reroll the others"))]

    def refusal(self, language: Language, game: FourTwenty, rule: str, facts: Mapping[str, Any]) -> str | None:
        """Why 420 forbids it, and what may be kept."""
        if rule == "foundation":
            return self._foundation(language, facts)
        return language.say(REFUSALS[rule], **told_facts(_falling(facts), language)) if rule in REFUSALS else None

    def _foundation(self, language: Language, facts: Mapping[str, Any]) -> str:
        size = len(facts["dice"])
        rule = (
            language.say(
                "A single die kept must show at least {least}; {dice} does not.",
                **told_facts(_falling(facts), language),
            )
            if size == 1
            else language.count(
                "{number} die kept must total at least {least}; {dice} total {total}.",
                "{number} dice kept must total at least {least}; {dice} total {total}.",
                size,
                **told_facts(_falling(facts), language),
            )
        )
        allowed = [faces(keep.dice[::-1]) or language.say("none") for keep in foundations(facts["free"])]
        return language.say(
            "{rule} You may keep {allowed}.", rule=rule, allowed=language.join(allowed, "{some} or {last}")
        )


def tell_odds(language: Language, data: dict[str, Any]) -> list[str]:
    """Every seat's chance in a sentence."""
    text = (
        "Chances to buy, from Player 1 on: {chances}."
        if "buy" in data
        else "Chances to win, from Player 1 on: {chances}."
    )
    chances = ", ".join(language.per_cent(chance) for chance in data.get("buy", data.get("win", [])))
    lines = [language.say(text, chances=chances)]
    if len(data.get("buy", data.get("win", []))) > 2:
        text = (
            "Everybody plays one and the same best policy, the first of equally good keeps in the rules' order; "
            "leaving it gains all seats together no more than {nash_conv:.0e}."
        )
        lines.append(language.say(text, nash_conv=max(data["nash_conv"], data["bound"])))
    return [*lines, language.say("Exact to within {bound:.0e}.", bound=data["bound"])]


def tell_advice(language: Language, data: dict[str, Any]) -> list[str]:
    """The keeps, best first: what each is worth and what it loses, and why."""
    say = language.say
    if not data["actions"]:
        text = "Chance of {utility}: {value}. There is nothing to choose: all four are rolled."
        return [say(text, utility=data["utility"], value=language.per_cent(data["value"]))]
    best, *others = data["actions"]
    now = {"win_now": language.per_cent(best["win_now"]), "over": language.per_cent(best["over"])}
    text = "Keep {dice}: {value}, the chance of {utility}. The roll wins with {win_now} and goes over with {over}."
    lines = [
        say(text, dice=_dice(language, best), value=language.per_cent(best["value"]), utility=data["utility"], **now)
    ]
    for row in others:
        why = FourTwentyWords().why(language, best, row) if row["lost"] > 0 else say("it is as good")
        text = "Keep {dice}: {value}, {lost} lost; {why}." if why else "Keep {dice}: {value}, {lost} lost."
        told = {"value": language.per_cent(row["value"]), "lost": language.per_cent(row["lost"])}
        lines.append(say(text, dice=_dice(language, row), why=why, **told))
    return lines


def _dice(language: Language, row: Mapping[str, Any]) -> str:
    return faces(row["keep"]) or language.say("none")


def tell_prices(language: Language, data: dict[str, Any]) -> list[str]:
    """Player 1's chances by seats."""
    texts = {"race": "A race of {choice}: wins {shares}.", "drinks": "Drinks for {choice}: does not buy {shares}."}
    rows = [
        language.say(
            texts[row["rule"]],
            choice=row["choice"],
            shares=", ".join(language.per_cent(share) for share in row["share"]),
        )
        for row in data["rows"]
    ]
    return [*rows, language.say("Chances in turn order, Player 1 first.")]
