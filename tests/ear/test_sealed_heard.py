"""Sealed dice by ear, in both languages: the table set up, the eight words, the phone waited for, the match, the check.

Ann does all by keys. Bob's phone is a program that tells its digest, and opens its seed when the test says so.
"""

import re
import time

import pytest

from ear.conftest import IN_BOTH, Place
from ear.people import Story, by_keys, check, play
from ear.reader import Reader
from ear.test_heard import focus_mode
from pubdice.core.seal import digest_of_seat
from pubdice.match.sealed_sentences import MATCHES, NOTED
from pubdice.terminal.web_client import WebTable
from pubdice.text.catalogues import language

pytestmark = [pytest.mark.nightly, IN_BOTH]
BOBS = "bobsownseed"


@pytest.mark.parametrize("code", ["en", "de"])
def test_sealed_dice_are_heard_from_the_form_to_the_check(place: Place, code: str) -> None:
    reader, _ = place
    say, count = language(code).say, language(code).count
    table = set_up(reader, code)
    seal = table.state()["view"]["seal"]
    reader.here.press("ctrl+Home")
    reader.until("Down", ".*".join([say("The dice are sealed"), *(rf"\b{word}\b" for word in seal["words"])]))

    mark, bob = reader.mark(), WebTable(table.address, time.sleep)
    bob.state()
    bob.ask("sit", name="Bob")
    bob.ask("seed", digest=digest_of_seat(BOBS))
    reader.hear(mark, re.escape(say("{name} has added a seed to the dice.", name="Bob")))
    started = count("Start with {number} player", "Start with {number} players", 2)
    reader.until("Tab", f"{started} push button")
    one, many = (
        "Waiting for {names}, whose phone opens its seed.",
        "Waiting for {names}, whose phones open their seeds.",
    )
    waiting = count(one, many, 2, names=language(code).join(["Ann", "Bob"]))
    heard = reader.press("Return", re.escape(waiting))
    assert heard.count(waiting) == 1, heard
    assert say("The match begins.") not in heard
    refused = say("The phone of {name} has not opened its seed yet. The match begins when it has.", name="Bob")
    reader.press("Return", re.escape(refused))

    mark = reader.mark()
    bob.ask("seed", seed=BOBS)
    reader.hear(mark, re.escape(say("The match begins.")))
    reader.here.heard.settle(2.0)
    focus_mode(reader.here)
    story, mark = Story(table), reader.mark()
    result = play(reader.here, story, "midnight", by_keys, bob)
    check(story.lines, reader.here.heard.since(mark), result)

    reader.until("Tab", rf"{say('More')} (toggle button )?collapsed")
    reader.press("Return", "expanded")
    reader.until("Tab", f"{say('Check the sealed dice')} link")
    heard = reader.press("Return", say("Checked"))
    matched = re.escape(say(MATCHES, number="N")).replace("N", r"\d+")
    noted = re.escape(say(NOTED, names="Ann"))
    checked = f"{matched}.*{noted}|{noted}.*{matched}"
    if not re.search(checked, heard):  # Firefox reads the page on arrival
        reader.until("Down", checked)
    assert not reader.here.browser.refused()


def set_up(reader: Reader, code: str) -> WebTable:
    """Ann sets a table with sealed dice up, for a round of Midnight, by keys alone; the table, as she reaches it."""
    say, browser = language(code).say, reader.here.browser
    browser.forget()
    reader.come("/", f"language={code}", say("Your name"))
    reader.until("Tab", f"{say('Your name')} entry")
    reader.here.write("Ann")
    reader.until("Tab", f"{say('House rules')} (toggle button )?collapsed")
    reader.press("Return", "expanded")
    reader.until("Tab", f"(?i){say('Rounds')}.* combo box")
    reader.press("Home", r"\b1\b")
    reader.browse()
    reader.until("r", say("Sealed"))
    reader.press("space", "selected")
    reader.until("shift+Tab", f"{say('Play with friends')} push button")
    added = say("{name} has added a seed to the dice.", name="Ann")
    mark = reader.mark()
    reader.here.strike("Return")
    reader.hear(mark, re.escape(added))
    assert browser.ask("document.activeElement.id") == "heading", "adding a seed moves nobody"
    reader.here.hush()
    where, cookie = browser.ask("location.href"), browser.cookies()["pubdice"]
    return WebTable(where, time.sleep, language=code, cookie=f"pubdice={cookie}")
