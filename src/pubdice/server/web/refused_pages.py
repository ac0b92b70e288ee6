"""Sentences for refusals away from the tables: at a player's book, a day's position, a night or a record."""

from pubdice.text.language import NOTATION, Sentence

REFUSED_PAGES: dict[str, Sentence] = {
    "log-damaged": "The file of this table is damaged. Nothing was changed.",
    "day-future": NOTATION["day-future"],
    "day-early": NOTATION["day-early"],
    "day-over": "That position's day is over. Today has a new one.",
    "day-soon": "The house is still working out that position. Send your answer again in a moment.",
    "book-words": "Those words open no book. Nothing changed.",
    "book-empty": "Play on this phone first. Then you can begin your book.",
    "book-uncarried": "Your latest games have no words. Finish a game on this phone, then ask again.",
    "not-in-book": "This phone has no book.",
    "no-move": "This match has moves 0 to {most}.",
    "no-question": "This match has questions 1 to {most}.",
    "no-questions": "No choice in this match gave anything away, so there is nothing to play again.",
    "no-choice": "Choose one of the answers.",
    "json": "That is no JSON, or it is nested too deep.",
    "fields": "Something in that request is wrong: {field}.",
    "shape": "Something in that request is wrong.",
    "kind": "Send a form or JSON.",
    "house-only": "That needs several devices. Here Pubdice plays on this one alone.",
    "no-way": "You can't do that at this address.",
    "seal-old": "This table was set up by an older version: type the seed itself.",
    "no-match-over": "No match of this evening is over yet.",
    "evening-large": "The records of this evening are larger than {most} MB together. Save them one by one.",
    "night-lost": "The house can't throw the dice of this night any more, so the match is void. Start a new table.",
    "night-rules": "All tables of a same-dice night have the same rules and seats. You can't change them.",
    "night-held": "You're at another table of this night, with the same dice. Finish that match first.",
    "night-once": "You can play this night only once: every table has the same dice.",
    "night-full": "This night has {count} tables, and none is left for your network. Begin another night.",
    "night-here": "{most} tables of this night are from your network already, and that's the most. Join one of them.",
    "no-night": "There's no same-dice night with that code, or it is more than a month old.",
    "night-counting": "The house is still counting how large this match is. Send the form again in a moment.",
    "record-closed": "That record isn't open any more. Open its file again.",
    "dice-differ": "The dice in this record are not the ones that were sealed.",
}
"""Sentences for refusals, by code."""
