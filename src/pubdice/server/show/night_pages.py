"""The pages of duplicate nights as HTML: see ``pages``."""

from functools import partial

from pubdice.advice.losses import decisions_told
from pubdice.server.show.night_page import MOST_PLAYERS, NightForm, NightPage
from pubdice.server.web.render import Frame, Preview, render

SAME_DICE = "Every table gets the same dice. Only choices differ."


def night_form(frame: Frame, page: NightForm, origin: str) -> str:
    """The form that begins a duplicate night."""
    say = frame.language.say
    return render(
        "night_form.html",
        frame,
        page=page,
        cards=page.games,
        changing=True,
        chosen=page.values.get("game", page.games[0].name),
        given=page.values.get,
        most=MOST_PLAYERS,
        preview=Preview(say("Duplicate night"), say(SAME_DICE), origin),
    )


def night(frame: Frame, page: NightPage, origin: str) -> str:
    """A duplicate night: its link, one's table of it, and the ranking."""
    say = frame.language.say
    preview = Preview(say("Duplicate night {code}", code=page.code), say(SAME_DICE), origin)
    told = partial(decisions_told, language=frame.language)
    return render("night.html", frame, page=page, preview=preview, decisions=told)
