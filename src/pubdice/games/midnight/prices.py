"""What each house rule of Midnight is worth to the opener: one rule changed at a time, under best play by everybody."""

from typing import Any

from pubdice.games.midnight.questions import odds

USUAL = {"need": "1 4", "seats": "2", "format": "rounds:5", "opener": "rotate"}
CHANGES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("need", ("1 4", "2 4")),
    ("opener", ("rotate", "fixed", "winner", "loser")),
    ("format", ("rounds:1", "rounds:2", "rounds:3", "rounds:5", "rounds:10", "rounds:20", "pot")),
    ("seats", ("2", "3", "4", "5", "6")),
)


def prices() -> dict[str, Any]:
    """Rows of rule, choice, the rest of the rules, and every seat's share in turn order; see ``questions.odds``.

    Seats are compared in matches of one round, all else by the usual rules: two seats, five rounds, rotating opener.
    """
    rows = []
    for rule, choices in CHANGES:
        for choice in choices:
            rules = {**USUAL, rule: choice}
            if rule == "seats":
                rules["format"] = "rounds:1"
            answer = odds(rules)
            fair = 1 / int(rules["seats"])
            rows.append(
                {
                    "rule": rule,
                    "choice": choice,
                    "format": rules["format"],
                    "share": answer["share"],
                    "advantage": answer["share"][0] - fair,
                    "bound": answer["bound"],
                }
            )
    return {"usual": USUAL, "utility": "share of the match, or of the pot", "rows": rows}
