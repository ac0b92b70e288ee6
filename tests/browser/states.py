"""Every page of the house and every state of a table, as a page that stands there."""

from collections.abc import Callable

from playwright.sync_api import Page

from browser.advice_states import (
    asked,
    asked_in_match,
    day_answered,
    day_asked,
    day_over,
    dice_checked,
    dice_differ,
    drill_answered,
    drill_asked,
    figures,
    prices,
    receipt,
    receipt_asked,
)
from browser.evening_states import (
    book_begun,
    book_carried,
    book_erased,
    book_refused,
    book_whole,
    evening,
    night_begun,
    night_ranked,
)
from browser.front_states import front_code_refused, front_empty, front_filled, front_priced, front_refused, front_tried
from browser.scene import Scene, Visitor
from browser.table_states import (
    away_with_vote,
    bots_turn,
    drawing,
    gathering_guest,
    gathering_host,
    gathering_priced,
    gathering_sealed,
    gathering_watcher,
    hand_of_420,
    lesson_with_chances,
    mine_refused,
    mine_to_keep,
    mine_to_roll,
    others_turn,
    over,
    over_watched,
    points_that_add_up,
    real_dice,
    sitting_refused,
    stand_in,
    tiles_to_shut,
)

__all__ = ["PAGES", "STATES", "Scene", "Visitor"]


def not_there(scene: Scene) -> Page:
    return scene.at("/t/QQQQQQ")


PAGES: dict[str, Callable[[Scene], Page]] = {
    "rules of Midnight": lambda scene: scene.at("/rules/midnight"),
    "rules of 420": lambda scene: scene.at("/rules/420"),
    "ask, empty": lambda scene: scene.at("/ask/ship"),
    "ask, of moves": lambda scene: scene.at("/ask/shutbox"),
    "ask, answered": asked,
    "ask, in a match": asked_in_match,
    "receipt": receipt,
    "evening": evening,
    "receipt, asked": receipt_asked,
    "verify, empty": lambda scene: scene.at("/verify"),
    "verify, checked": dice_checked,
    "verify, changed": dice_differ,
    "last orders, asked": day_asked,
    "last orders, answered": day_answered,
    "last orders, over": day_over,
    "drill": lambda scene: scene.at("/drill"),
    "drill, asked": drill_asked,
    "drill, answered": drill_answered,
    "best play": figures,
    "book, stranger": lambda scene: scene.at("/book"),
    "book, begun": book_begun,
    "book, carried": book_carried,
    "book, refused": book_refused,
    "book, whole": book_whole,
    "book, erasing": book_erased,
    "prices": prices,
    "night, form": lambda scene: scene.at("/night"),
    "night, begun": night_begun,
    "night, ranked": night_ranked,
    "help": lambda scene: scene.at("/help"),
    "privacy": lambda scene: scene.at("/privacy"),
    "404": not_there,
}
STATES: dict[str, Callable[[Scene], Page]] = {
    made.__name__.replace("_", " "): made
    for made in (
        front_empty, front_refused, front_code_refused, front_filled, front_priced, gathering_host, gathering_guest,
        front_tried, gathering_watcher, gathering_sealed, gathering_priced, sitting_refused, mine_to_roll,
        mine_to_keep, mine_refused, hand_of_420, lesson_with_chances, others_turn, bots_turn, away_with_vote, stand_in,
        real_dice, drawing, tiles_to_shut, points_that_add_up, over, over_watched,
    )
} | PAGES  # fmt: skip
"""Every one, by what it is called."""
