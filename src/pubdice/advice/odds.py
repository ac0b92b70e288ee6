"""``odds``: the value of a match to every seat before it begins; without a match, the outcome of a turn for a goal."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pubdice.advice.asked_match import (
    LEAST,
    MATCH_FLAGS,
    NUMBERS,
    TO_WIN,
    Given,
    asked_format,
    asked_match,
    asked_options,
    asked_turn_game,
    least_seats,
    limits_rolls,
    shortest,
    written,
)
from pubdice.advice.spoken_advice import briefly
from pubdice.core.dice import Hand, subhands, together, without
from pubdice.core.errors import BadNotation, Unsolved
from pubdice.core.game import RoundState, TurnGame
from pubdice.kit import Kit, NumberedAnswer, lazy, read_dice, read_number, read_numbers
from pubdice.match.formats import FormatKind
from pubdice.match.match import Match
from pubdice.solve.acceleration import numpy_there
from pubdice.solve.choose import one_turn_each
from pubdice.solve.numerics import ROUNDING, best_first
from pubdice.solve.solver import as_counted
from pubdice.solve.turns.goals import ToWin, one_turn, read_goal, read_to_win, span, utility, win
from pubdice.solve.turns.turn_nodes import NEVER, NumberRow, TurnNodes, dot
from pubdice.solve.without_numpy import pure_python
from pubdice.text.game_words import UNITS, GameWords, kept_dice, other_keeps, seat_values, values_of
from pubdice.text.language import Language
from pubdice.text.turn_advice import reach, why
from pubdice.text.turn_words import winning_scores

# ``odds`` and ``advise`` for one turn of a game in which every seat has one: played for a goal, exactly.


MOST_ROLLS = 100
"""The greatest number of rolls that is read; no game has as many in a turn."""


LEAST_CHANCE = 0.0005
"""Scores that are rarer are left out."""


@dataclass(frozen=True, slots=True)
class TurnOdds(NumberedAnswer):
    """The value and score distribution of a fresh turn for a goal."""

    words: GameWords
    game: TurnGame

    def sentences(self, language: Language) -> list[str]:
        """The value, and every score with its chance."""
        game, data = self.game, self.numbers
        chances = ", ".join(
            f"{self.words.score(language, game, score)}: {language.per_cent(chance)}"
            for score, chance in enumerate(data["distribution"])
            if chance >= LEAST_CHANCE or not score or (chance and game.wins_at_once(score))
        )
        text = "Value {value}." if game.scoreless is None else "Value {value}. Qualifies {qualify}."
        facts = {"value": language.number(data["value"], 4), "qualify": language.per_cent(data["qualify"])}
        return [language.say(text, **facts), language.say("Scores: {chances}.", chances=chances)]


def odds_of_turn(kit: Kit, given: Given) -> TurnOdds:
    """The odds of a fresh turn for a goal. Raises BadNotation."""
    game = asked_turn_game(kit, given)
    turned = one_turn(game)
    (kind, _), worth = _goal(given, turned)
    solved = turned.solve(worth)
    chance = solved.chance[turned.start]
    numbers = {
        "value": _sign(kind, turned) * float(solved.value[turned.start]) + 0.0,
        "qualify": float(1 - chance[0]),
        "distribution": _by_score(turned, chance),
        "bound": _bound(worth),
    }
    return TurnOdds(numbers, kit.words, game)


def refuse_goal(given: Given) -> None:
    """Refuse flags of a turn's goal where a match is asked about. Raises BadNotation."""
    for key in ("goal", *TO_WIN):
        if key in given:
            raise BadNotation("flag-with", flag=key, other=MATCH_FLAGS[0])


@dataclass(frozen=True, slots=True)
class TurnAdvice(NumberedAnswer):
    """Every legal keep of a turn's position with its value for a goal and the value lost, best first."""

    words: GameWords
    game: TurnGame

    def sentences(self, language: Language) -> list[str]:
        """The keeps, best first: what each is worth and what it loses, and why."""
        say, words, game, data = language.say, self.words, self.game, self.numbers

        def worth(value: float) -> str:
            if data["goal"] == "score":
                return say("{value} points", value=language.number(value, 2))
            return language.per_cent(value)

        def facts(row: Mapping[str, Any]) -> dict[str, float]:
            chances = row["distribution"]
            scores = range(len(chances)) if game.scoreless is None else range(1, len(chances))
            better = {
                score: [chance for other, chance in enumerate(chances) if game.better(other) >= game.better(score)]
                for score in scores
            }
            return {
                **({} if data["goal"] == "score" else {"mean": row["mean"]}),  # what is lost there is the mean itself
                "qualify": row["qualify"],
                **{reach(score): sum(some) for score, some in better.items()},
            }

        def reason(best: Mapping[str, Any], row: Mapping[str, Any]) -> str:
            if data["goal"] == "exactly":  # neither a mean nor a better score counts there
                return ""
            return why(
                language,
                facts(best),
                facts(row),
                lowest=game.lowest_wins,
                called=lambda score: words.score(language, game, score),
                also=also,
                top=winning_scores(game)[-1],
                goal=data["number"] if data["goal"] == "reach" else None,
            )

        found = (score for row in data["actions"] for score, chance in enumerate(row["distribution"]) if chance)
        also = next((words.score(language, game, score) for score in found if game.wins_at_once(score)), "")
        best = data["actions"][0]
        told = {"dice": kept_dice(language, best, die=game.faces), "value": worth(best["value"])}
        if data["goal"] == "score":
            first = [say("Keep {dice}: {value} on average.", **told)]
        else:
            mean = say("On average: {mean}.", mean=language.number(best["mean"], 2))
            first = [say("Keep {dice}: {value}.", **told), mean]
        if game.scoreless is not None and (chance := language.per_cent(best["qualify"])) != language.per_cent(1):
            first.append(say("Chance to score: {chance}.", chance=chance))
        return [" ".join(first), *other_keeps(language, data["actions"], worth, reason, die=game.faces)]


def advise_turn(kit: Kit, given: Given) -> TurnAdvice:
    """Every legal keep of a turn's position with its value for a goal and the value lost, best first.

    Raises BadNotation.
    """
    game = asked_turn_game(kit, given)
    turned = one_turn(game)
    after = turned.after(turn_from_flags(turned, given))
    (kind, number), worth = _goal(given, turned)
    solved, sign = turned.solve(worth), _sign(kind, turned)
    rows: list[dict[str, Any]] = []
    for keep, node in after:
        chance = solved.chance[node]
        rows.append(
            {
                "keep": sorted(keep.dice, reverse=True),
                "value": sign * float(solved.value[node]) + 0.0,
                "mean": dot(chance, turned.points),
                "qualify": float(1 - chance[0]),
                "distribution": _by_score(turned, chance),
            }
        )
    less = -1.0 if game.lowest_wins else 1.0
    rows = best_first(rows, lambda row: sign * float(row["value"]), lambda row: less * float(row["mean"]))
    best = rows[0]["value"]
    actions = [{**row, "lost": max(0.0, sign * (best - row["value"]))} for row in rows]
    numbered = {"number": number} if kind in ("reach", "exactly") else {}
    numbers = {"value": best, "goal": kind, **numbered, "actions": actions, "bound": _bound(worth)}
    return TurnAdvice(numbers, kit.words, game)


def turn_from_flags(turned: TurnNodes, given: Given) -> RoundState:
    """The turn given by the flags ``locked``, ``roll`` and ``rolls``, as if nobody else played, at a decision.

    If a game counts rolls and nobody gives their number, it is the least that the position allows. Raises BadNotation
    for a position that no turn reaches.
    """
    game = turned.game
    assert isinstance(game, TurnGame), "a turn is given by its dice"
    locked: Hand = read_dice("locked", given["locked"], game.faces) if given.get("locked") else ()
    if "roll" not in given:
        raise BadNotation("flag-missing", flag="roll")
    roll = read_dice("roll", given["roll"], game.faces)
    dice = together(locked, roll)
    total, got = game.number_of_dice, len(locked) + len(roll)
    if got != total:
        raise BadNotation("dice-together", found=given["roll"], total=total, got=got)
    parts, found = set(subhands(dice)), []
    for before in turned.chance:
        if before.locked in parts:
            state = game.roll(before, without(dice, before.locked)) if game.to_roll(before) else before
            if (state.locked, state.free) == (locked, roll) and game.legal(state):
                found.append(state)
    if limits_rolls(game) and "rolls" in given:
        rolls = read_number("rolls", given["rolls"], 1, MOST_ROLLS)
        found = [state for state in found if state.rolls == rolls]
    if not found:
        raise BadNotation("no-position", found=given["roll"])
    return min(found, key=lambda state: state.rolls)


def _goal(given: Given, turned: TurnNodes) -> tuple[tuple[str, int], NumberRow]:
    """The goal's kind and number, as ``read_goal`` has them, and its utility."""
    goal = read_goal(given.get("goal", "score"), turned)
    if goal[0] != "win":
        for key in TO_WIN:
            if key in given:
                raise BadNotation("flag-only", flag=key, other="goal win")
        return goal, utility(goal, turned, ToWin())
    game, (least, most) = turned.game, span(turned)
    beat = read_number("to-beat", given["to-beat"], min(0, least), most) if "to-beat" in given else None
    holders = read_number("holders", given["holders"], 0, game.most_seats) if "holders" in given else None
    to_come = read_number("to-come", given.get("to-come", "0"), 0, game.most_seats - 1)
    return goal, utility(goal, turned, read_to_win(turned, beat, holders, to_come, given.get("ties", "share")))


def _sign(kind: str, turned: TurnNodes) -> float:
    """-1 where values are means of a score of which the lowest is the best, and so are worked out as their negative."""
    return -1.0 if kind == "score" and turned.game.lowest_wins else 1.0


def _by_score(turned: TurnNodes, chance: NumberRow) -> list[float]:
    """A distribution over the scores there are, laid out from 0 to the greatest."""
    found = [0.0] * (max(turned.scores) + 1)
    for score, part in zip(turned.scores, chance, strict=True):
        if score != NEVER:
            found[score] = float(part)
    return found


def _bound(worth: NumberRow) -> float:
    """The error bound of a value for this utility."""
    return ROUNDING * max(1.0, *[abs(float(each)) for each in worth])


def round_from_flags(kit: Kit, game: Any, seats: int, given: Given) -> RoundState:
    """The round of a game of one turn a seat. Raises BadNotation, and Unsolved where the rules make it another."""
    turned = one_turn(asked_turn_game(kit, given))
    scores = read_numbers("scores", given["scores"]) if "scores" in given else ()
    if len(scores) >= seats:
        raise BadNotation("standing-scores", flag="scores", most=seats - 1)
    known = {score for score in turned.scores if score != NEVER}
    if not set(scores) <= known or any(game.wins_at_once(score) for score in scores):
        raise BadNotation("standing-score", flag="scores", found=given["scores"])
    return replace(turn_from_flags(turned, given), seats=seats, scores=scores)


MOST_POT_SEATS = 6
"""Of one pot in a game of one turn a seat."""
pot_share = lazy("pubdice.solve.turns.rounds", "pot_share")
SHARE = "share of the match"
KEYS = {"share": "share", "chance": "win", "round": "round_wins", "chips": "chips", "score": "score"}
"""The names of the values in plain data, by the first word of the utility."""


@dataclass(frozen=True, slots=True)
class MatchOdds(NumberedAnswer):
    """Every seat's value in turn order before the match begins: a share, or what else is played for."""

    def sentences(self, language: Language) -> list[str]:
        """The values, what they are, and by which play."""
        say, data = language.say, self.numbers
        values = seat_values(language, data)
        if "nash_conv" in data:
            return self._of_one_policy(language, ", ".join(values))
        alone = "Alone you score {values} a round on average if you play best."
        counted = briefly(language, data["utility"])
        lines = [
            say("In turn order: {values}." if len(values) > 1 else alone, values=", ".join(values)),
            say("Counted: {utility}, to within {bound:.0e}.", utility=counted, bound=data["bound"]),
        ]
        if len(values) > 2:
            text = "Everybody plays for themselves, and of equal choices takes the one with the better average score."
            lines.append(say(text))
        return lines

    def _of_one_policy(self, language: Language, chances: str) -> list[str]:
        """Sentences for a match where everybody plays one policy, and the gain of leaving it is known (NashConv)."""
        say, data = language.say, self.numbers
        text = "Chances to win, from Player 1 on: {chances}."
        lines = [say("Chances to buy, from Player 1 on: {chances}." if "buy" in data else text, chances=chances)]
        if len(data.get("buy", data.get("win", ()))) > 2:
            text = (
                "Everybody plays one and the same best policy, the first of equally good choices in the rules' order; "
                "leaving it gains all seats together no more than {nash_conv:.0e}."
            )
            lines.append(say(text, nash_conv=max(data["nash_conv"], data["bound"])))
        return [*lines, say("Exact to within {bound:.0e}.", bound=data["bound"])]


def odds(kit: Kit, given: Given) -> TurnOdds | MatchOdds:
    """Every seat's value in turn order, or a turn's odds. Raises BadNotation, and Unsolved."""
    turns = one_turn_each(kit.usual_game)
    if turns:
        if not any(key in given for key in MATCH_FLAGS):
            return odds_of_turn(kit, given)
        refuse_goal(given)
    pots = turns and asked_format(kit, given).stake
    return match_odds(kit, asked_match(kit, given, MOST_POT_SEATS if pots else None))


def match_odds(kit: Kit, match: Match[Any, Any]) -> MatchOdds:
    """The odds of a match. Raises Unsolved.

    One pot, carried until somebody takes it, stands for any match for pots of a game of one turn a seat; one round of
    such a game is solved for every number of seats. Without numpy no match of more than two seats is.
    """
    game, form = match.game, match.format
    if match.seats > LEAST and not numpy_there():
        raise Unsolved("needs-house", title=kit.words.title)
    if one_turn_each(game) and match.seats > 1:
        if form.stake:
            if numpy_there():
                return MatchOdds(pot_share(game, match.seats, match.opener))
            return MatchOdds(pure_python().pot(game, match.opener))
        if form.prize == "round wins" and form.is_one_round and match.seats > 2:
            share = win(game, "share", match.seats, 1 / match.seats).by_seat()
            return MatchOdds({"share": share, "utility": SHARE, "bound": ROUNDING * 10})
    if kit.solver is None:
        raise Unsolved("no-solver", title=kit.words.title)
    if kit.start_odds is not None:
        return MatchOdds(kit.start_odds(match))
    solver = kit.solver(match)
    values = [as_counted(solver.utility, float(value)) for value in solver.values(match.start())]
    name = KEYS.get(solver.utility.replace(",", " ").split()[0], "value")
    if solver.utility == "chance of not buying":
        name, values = "buy", [1 - value for value in values]
    return MatchOdds({name: values, "utility": solver.utility, "bound": solver.bound})


# ``price``: what each house rule does for the seat that opens, one rule changed at a time, under best play.


MOST_SEATS = 6
SHARES = "share of the match, or of the pot"


@dataclass(frozen=True, slots=True)
class PriceList(NumberedAnswer):
    """The opener's share rule by rule: rows of rule, choice, format, and every seat's value in turn order."""

    kit: Kit

    def sentences(self, language: Language) -> list[str]:
        """The usual rules, and a line a choice."""
        say, data = language.say, self.numbers
        usual = data["usual"]
        rules = [
            say(option.brief, choice=usual[option.key]) if option.brief else f"{option.key} {usual[option.key]}"
            for option in self.kit.options
        ]
        seats = language.count("{number} seat", "{number} seats", int(usual["seats"]))
        rules += [seats, usual["format"], usual["opener"]]
        text = "The opener's share, one rule changed at a time. Usual: {rules}."
        lines = [say(text, rules=", ".join(rules))]
        for row in data["rows"]:
            name, values = values_of(row)[0], seat_values(language, row)
            if name in UNITS:  # rows of several kinds stand together
                values = [say(UNITS[name], amount=each) for each in values]
            facts = {"rule": row["rule"], "choice": row["choice"], "shares": ", ".join(values)}
            lines.append(say("{rule} {choice}: {shares}.", **facts))
        ruled = dict.fromkeys(row["rule"] for row in data["rows"])
        lines += filter(None, [self.kit.price_note(rule, usual, language) for rule in ruled])
        forms = {row["format"] for row in data["rows"] if row["rule"] == "seats"} - {usual["format"]}
        compared = [say("Seats are compared with the format {format}.", format=form) for form in forms]
        return [*lines, " ".join([say("Shares in turn order, the opener first."), *compared])]


def price(kit: Kit, given: Given) -> PriceList:
    """The prices of a game's house rules; see ``odds``.

    Seats are compared in the shortest match of the usual format, all else by the options given, others being usual. A
    choice that is not solved has no row; where the match to compare with is not, the first option that is solved takes
    its place. Raises Unsolved where there is none.
    """
    found = _price_list(kit.with_usual(asked_options(kit, given)))
    usual, rows = found.numbers["usual"], found.numbers["rows"]
    if any(row["rule"] != "seats" and row["choice"] == usual.get(row["rule"]) for row in rows):
        return found
    options = {option.key for option in kit.options}
    solved = next(({row["rule"]: row["choice"]} for row in rows if row["rule"] in options), None)
    if solved is not None:
        return price(kit, {**given, **solved})
    if not rows:
        match_odds(kit, asked_match(kit, usual))  # says why
    return found


def _price_list(kit: Kit) -> PriceList:
    """The prices of a kit's rules, each compared with the usual ones."""
    usual = usual_rules(kit)
    rows, utilities, unsolved = list[dict[str, Any]](), dict[str, str](), ""
    for rule, choice in choices(kit):
        if unsolved == rule == "seats":
            break  # what is too large for some seats is too large for more
        rules = {**usual, rule: choice}
        if rule == "seats":
            rules["format"] = shortest(kit.formats[0])
        try:
            match = asked_match(kit, rules)
            answer = match_odds(kit, match).numbers
        except (Unsolved, BadNotation):
            unsolved = rule
            continue
        name = next(iter(answer))
        utilities.setdefault(*((SHARE, SHARES) if name == "share" else (answer["utility"],) * 2))
        fair = sum(answer[name]) / match.seats
        rows.append(
            {
                "rule": rule,
                "choice": choice,
                "format": rules["format"],
                name: answer[name],
                "advantage": answer[name][0] - (1 / match.seats if name == "share" else fair),
                "bound": answer["bound"],
            }
        )
    return PriceList({"usual": usual, "utility": "; ".join(utilities.values()), "rows": rows}, kit)


def usual_rules(kit: Kit) -> dict[str, str]:
    """The match that every other is compared with, as flags."""
    form = kit.formats[0].usual
    seats = str(least_seats(kit.usual_game.least_seats))
    return {**asked_options(kit, {}), "seats": seats, "format": written(form), "opener": form.openers[0]}


def choices(kit: Kit) -> Iterator[tuple[str, str]]:
    """Each rule with each of its choices: house rules, who opens, formats, seats; none where there is no choice."""
    form, game = kit.formats[0].usual, kit.usual_game
    least, most = least_seats(game.least_seats), min(MOST_SEATS, game.most_seats)
    compared = {
        **{option.key: option.choices for option in kit.options},
        "opener": form.openers,
        "format": tuple(number for kind in kit.formats for number in _numbers(kind)),
        "seats": tuple(map(str, range(least, most + 1))),
    }
    for rule, offered in compared.items():
        if len(offered) > 1:
            for choice in offered:
                yield rule, choice


def _numbers(kind: FormatKind) -> tuple[str, ...]:
    """A kind of format with each number that is compared; a pot is one pot, played for until it is taken."""
    if not kind.fields or kind.usual.stake:
        return (kind.name,)
    return tuple(f"{kind.name}:{number}" for number in NUMBERS if kind.fields[0].least <= number <= kind.fields[0].most)
