"""What 420 says: keeps, hands, prompts and refusals, in sentences made to be heard."""

from collections.abc import Mapping
from typing import Any

from pubdice.dice import Hand, together
from pubdice.game import Keep
from pubdice.games.fourtwenty.rules import DICE, TARGET, FourTwenty, Hands, foundations
from pubdice.words import Language, faces, told_facts, weighed

REFUSALS = {
    "not-free": "{dice} is not in the hand: {free}.",
    "reset": "The hand is over with {total}: all four dice must be rerolled, so keep none.",
    "reroll-one": "At least one die must be rerolled each turn: keep three at most.",
    "no-bank": "There is no banking in 420: every turn rerolls at least one die.",
}

LEAST_CHANCE = 0.0005
WHY = {
    "win_now": ("{amount} to winning with this roll", "{amount} of winning with this roll"),
    "over": ("{amount} of not going over", "{amount} to not going over"),
}
"""Facts to reason from: what is said of more and of less."""


def _falling(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Facts with their dice from the highest down, as hands are read out (002)."""
    return {key: fact[::-1] if isinstance(fact, tuple) else fact for key, fact in facts.items()}


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
        if sum(hand) > TARGET:
            return [language.say("{name} went over with {total}: all four are rerolled.", name=name, total=sum(hand))]
        if len(foundations(hand)) == 1:
            return [
                language.say(
                    "{name}: no foundation in {hand}, so all four are rerolled.", name=name, hand=faces(hand[::-1])
                )
            ]
        if not action.dice:
            return [language.say("{name} kept none: all four are rerolled.", name=name)]
        return [language.say("{name} kept {dice}.", name=name, dice=faces(action.dice[::-1]))]

    def rolled(self, language: Language, game: FourTwenty, before: Hands, dice: tuple[int, ...]) -> list[str]:
        """The hand that makes, and what it means."""
        hand = together(before.kept or (), tuple(sorted(dice)))
        total = sum(hand)
        if total == TARGET:
            return [language.say("Hand {hand}: exactly 20!", hand=faces(hand[::-1]))]
        if total > TARGET:
            return [language.say("Hand {hand}: {total}, over.", hand=faces(hand[::-1]), total=total)]
        return [language.say("Hand {hand}: {total}.", hand=faces(hand[::-1]), total=total)]

    def to_roll(self, language: Language, game: FourTwenty, state: Hands) -> str:
        """How many dice are rolled, and what stays."""
        said = language.count("{number} die to roll", "{number} dice to roll", game.to_roll(state))
        return language.say("{said}; kept {dice}", said=said, dice=faces(state.kept[::-1])) if state.kept else said

    def ask(self, language: Language, game: FourTwenty, state: Hands) -> str:
        """The hand, and what to keep of it."""
        hand = state.hands[state.mover]
        return language.say("hand {hand}, {total}. Keep which?", hand=faces(hand[::-1]), total=sum(hand))

    def hint(self, language: Language, game: FourTwenty, state: Hands) -> str:
        """What keeping none means."""
        return language.say("Keeping none rerolls all four.")

    def to_beat(self, language: Language, game: FourTwenty, state: Hands, names: tuple[str, ...]) -> list[str]:
        """What the mover needs, and how the other hands stand."""
        mine = state.hands[state.mover]
        if state.kept is not None:
            lack = TARGET - sum(state.kept)
            one, many = "Exactly {lack} with {number} die wins.", "Exactly {lack} with {number} dice wins."
            said = [language.count(one, many, DICE - len(state.kept), lack=lack)]
        elif sum(mine) > TARGET:
            said = [language.say("Over with {total}: all four are rerolled.", total=sum(mine))]
        else:
            said = [language.say("Exactly 20 wins; the hand has {total}.", total=sum(mine))]
        return [*said, *self._hands(language, state, names, but=state.mover)]

    def _hands(self, language: Language, state: Hands, names: tuple[str, ...], but: int | None = None) -> list[str]:
        told = []
        for seat, (name, hand) in enumerate(zip(names, state.hands, strict=True)):
            if seat == but:
                continue
            if seat == state.mover and state.kept is not None:
                kept = faces(state.kept[::-1]) or language.say("none")
                told.append(language.say("{name}: about to roll, keeping {kept}.", name=name, kept=kept))
            elif not hand:
                told.append(language.say("{name}: not rolled yet.", name=name))
            elif sum(hand) > TARGET:
                told.append(
                    language.say("{name}: {hand}, {total}, over.", name=name, hand=faces(hand[::-1]), total=sum(hand))
                )
            else:
                told.append(
                    language.say("{name}: {hand}, {total}.", name=name, hand=faces(hand[::-1]), total=sum(hand))
                )
        return told

    def scores(self, language: Language, game: FourTwenty, state: Hands, names: tuple[str, ...]) -> list[str]:
        """Every hand on the table."""
        return self._hands(language, state, names)

    def stand(self, language: Language, game: FourTwenty, state: Hands, seat: int, marked: Hand) -> str:
        """What the hand totals, and if that is over."""
        hand = state.hands[seat]
        if seat == state.mover and state.kept is not None:
            return language.say("{total} so far", total=sum(state.kept)) if state.kept else ""
        if not hand:
            return ""
        return language.say("{total}, over" if sum(hand) > TARGET else "{total} in all", total=sum(hand))

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
