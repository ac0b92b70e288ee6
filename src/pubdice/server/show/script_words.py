"""What a table's scripts say and show: its sentences go with the page. Knows no table."""

from pubdice.text.language import Language


def spoken(language: Language, title: str, *, pocket: bool = False) -> dict[str, str]:
    """The sentences a table's scripts say and show, by name; {facts} in them are theirs to fill in.

    title: the game's. pocket: the house runs on the same device, so that no connection can be lost.
    """
    say = language.say
    blank = {name: f"{{{name}}}" for name in ("number", "time", "die", "word", "name", "face", "dice")}

    def gap(text: str, *names: str) -> str:
        return say(text, **{name: blank[name] for name in names})

    return {
        "game": title,
        "your_turn": say("Your turn"),
        "lost": say("Pubdice doesn't answer. Your game is safe; trying again.")
        if pocket
        else say("The connection is lost. Your seat waits; trying again."),
        "no_line": say("Waiting for Pubdice") if pocket else say("Waiting for the connection"),
        "back": say("Pubdice answers again.") if pocket else say("Connected again."),
        "sending": say("Still being sent."),
        "unsent": say("No answer yet; trying again."),
        "clock": gap("{time} left", "time"),
        "left": gap("{number} seconds left.", "number"),
        "away": gap("{name} is away. In {time} you can vote for a bot.", "name", "time"),
        "failed": say("That did not work. Try again."),
        "nothing": say("Nothing to tell just now."),
        "no_dice": say("No dice on the table."),
        "no_place": gap("No die lies in place {number}.", "number"),
        "no_face": gap("There is no {number} to choose.", "number"),
        "locked": say("That die is locked."),
        "locked_word": say("locked"),
        "die": gap("{die}: {word}.", "die", "word"),
        "kept": say("kept"),
        "keep": say("keep"),
        "reroll": say("reroll"),
        "free": say("free"),
        "undo": say("Undo"),
        "undo_by": gap("{name}: undo", "name"),
        "rolling": say("rolling"),
        "nudge": gap("Nudge {name}", "name"),
        "pass": gap("Pass to {name}", "name"),
        "passing": gap("Pass to {name}. Space: I'm {name}.", "name"),
        "take": gap("I'm {name}", "name"),
        "more": gap("{number} more to tap", "number"),
        "confirm": gap("Confirm {dice}", "dice"),
        "to_go": gap("{face}; {number} to go.", "face", "number"),
        "all_in": gap("{dice}. Confirm, or tap a die to change it.", "dice"),
        "deleted": gap("Deleted; {number} to go.", "number"),
        "slot_full": gap("Die {number}: {face}. Change it", "number", "face"),
        "slot_empty": gap("Die {number}: still empty", "number"),
        "copied": say("Copied."),
        "key_taken": say("That key is taken."),
        "key_set": say("Key changed."),
    }
