"""Announcements at a table: each once, in order, in the reader's language. Every key gets an answer at any time."""

import re

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from browser.looks import RESTED
from browser.page_players import TO_BOARD, ByEar, Ear, listen, ready, state_of, twice
from browser.scene import WITH_AN_EAR, Visitor, play_itself_out, seated
from support.browser import Proxy, ask, open_table, page_of, sit
from support.html_tree import read
from support.steady import box_of

USUAL = {"reduced_motion": "reduce", "keep": WITH_AN_EAR}
"""Dice land at once. Other files test how they fall."""
ASKING = ("h", "s", "t", "w", "l")
MOVING = ("1", "6", "0", "Shift+Digit4", "u", "Backspace", "Control+z", "b", "r", " ")


def at_table(context: BrowserContext, table: str) -> tuple[Page, Ear]:
    """Open a table's page, and wait until it has heard from the house. Return the page and its ear."""
    ear = listen(context)
    page = page_of(context, table)
    ready(page)
    return page, ear


def test_what_happens_at_once_is_heard_once_each_in_the_order_of_the_story(visitor: Visitor) -> None:
    context = visitor()
    table = open_table(context, bots=["tip", "lucky"], rules={"format": "rounds 2"})
    page, ear = at_table(context, table)
    ask(context, table, do="give")
    expect(page.locator("#result")).to_be_visible(timeout=20_000)  # the end of the match, not only of a round
    ear.settle(page, 1_000)
    unwritten = r"'s turn\.$|^Your turn\.|^A bot plays your turn\.|^(Space|R): |^Midnight: "
    told = [text for text in ear.texts if not re.search(unwritten, text)]
    story = page.locator("#log li").all_text_contents()
    assert " ".join(story).endswith(" ".join(told))
    turns = [text for text in ear.texts if re.match(r"\w+'s turn\.|A bot plays your turn\.", text)]
    assert len(turns) == 5, "a turn for each in both rounds, but for the one that had begun"
    assert twice(ear.texts) == []
    fresh = page_of(visitor(), table)
    assert fresh.locator("#log li").all_text_contents() == story[-30:], "the page tells what was said"


def test_nothing_is_said_twice_over_reconnects_new_shapes_and_reloads(visitor: Visitor, wire: Proxy) -> None:
    ann, bob = visitor(port=wire.port), visitor()
    table = open_table(ann, people=3, rules={"format": "rounds 2"})
    page, ear = at_table(ann, table)
    sit(bob, table, "Bob")
    page_of(bob).goto(table)  # else a line would soon say that he lost the connection
    ear.until(page, "^Bob sat down")
    ann.set_offline(True)
    wire.cut()
    ear.until(page, "^The connection is lost", 12_000)
    ask(ann, table, do="pace", ms=400)
    ann.set_offline(False)
    ear.until(page, "^Connected again")
    ear.until(page, "Seconds that bots wait: 0.4")
    page.reload()
    ready(page)
    assert ask(ann, table, do="start") == 200
    ear.until(page, "^Your turn. Roll 6 dice")
    page.reload()
    ready(page)
    assert ask(ann, table, do="roll") == 200
    ear.until(page, "^You rolled ")
    ear.settle(page)
    assert len(ear.texts) == len(set(ear.texts)), ear.texts
    assert [text.split(".")[0] for text in ear.texts] == [
        "Bob sat down", "The connection is lost", "Connected again", "Seconds that bots wait: 0",
        ear.texts[4].split(".")[0], "The match begins", "Midnight: 2 rounds; you need a 1 and a 4",
        "Round 1", "Your turn",
        *[text.split(".")[0] for text in ear.texts[ear.texts.index("Your turn. Roll 6 dice.") + 1 :]],
    ]  # fmt: skip
    assert [text for region, text in ear.lines if region == "assertive"] == ear.texts[1:2]


STAGES = (
    "gathering",
    "gathering, watched",
    "mine to roll",
    "mine to keep",
    "another's",
    "watched",
    "over",
    "over, watched",
)
LIKE_ANOTHER = {"gathering", "mine to roll", "over, watched"}
"""Stages tested in nightly runs only, as keys use the same code in another stage."""


def stage_of(name: str, visitor: Visitor) -> tuple[BrowserContext, str]:
    """Bring a table to a stage. Return the browser that looks at it, and the table's address."""
    host, other, rules = visitor(), visitor(), {"format": "rounds 1"}
    if name.startswith("gathering"):
        return (other if "watched" in name else host), open_table(host, people=2)
    if name.startswith("over"):
        table = open_table(host, bots=["tip"], rules=rules)
        ask(host, table, do="give")
        play_itself_out(host, table)
        return (other if "watched" in name else host), table
    table = open_table(host, people=2, rules=rules)
    sit(other, table, "Bob")
    if name in ("mine to keep", "another's"):
        ask(host, table, do="roll")
    looker = other if name == "another's" else host
    if name == "watched":
        looker = visitor()
    for player in (host, other):
        if player is not looker:
            page_of(player).goto(table)  # else a line would say that they lost the connection
    return looker, table


@pytest.mark.parametrize(
    "stage", [pytest.param(stage, marks=[pytest.mark.nightly] * (stage in LIKE_ANOTHER)) for stage in STAGES]
)
def test_every_key_answers_in_every_stage(stage: str, visitor: Visitor) -> None:
    context, table = stage_of(stage, visitor)
    page, ear = at_table(context, table)
    if stage == "mine to keep":
        answers_say_what_the_keys_promise(context, table, page, ear)
    page.evaluate(TO_BOARD)
    for key in (*ASKING, *MOVING[: -1 if stage.startswith("over") else None]):  # not Space, which goes on
        ear.at = len(ear.lines)
        page.keyboard.press(key)
        ear.next(page)  # raises if the key is met with silence
        assert all(ear.texts), "an empty line"
        ear.settle(page, 200)
    page.keyboard.press("?")
    expect(page.locator("#keys summary")).to_be_focused()
    assert ear.faults == []


def answers_say_what_the_keys_promise(context: BrowserContext, table: str, page: Page, ear: Ear) -> None:
    """Check the answers about Ann's six dice. She has marked none before, and none after."""
    dice = [die["face"] for die in state_of(context, table)["view"]["dice"]]
    asker = ByEar(page, ear, "Ann")
    word = ("one", "two", "three", "four", "five", "six")[dice[0] - 1]
    assert asker.answer("h") == [state_of(context, table)["view"]["seats"][0]["own_hand"]]
    assert asker.answer("1") == [f"Die 1, {word}: kept."]
    assert asker.answer("h") == [state_of(context, table)["view"]["seats"][0]["own_keys"]]
    assert asker.answer("1") == [f"Die 1, {word}: free."]
    assert asker.answer("s") == ["No points yet."]
    assert asker.answer("t") == ["Get 1 and 4, then score high."]
    assert re.match(r"Your turn.*Here: Ann and Bob\.$", asker.answer("w")[0])
    assert asker.answer("l") == [f"You rolled {' '.join(map(str, dice))}."]
    refusals = []
    for key in ("b", "r"):
        while (said_of_it := asker.answer(key)) == ["One moment…"]:  # the request of the key before is under way
            page.wait_for_timeout(100)
        refusals.append(said_of_it)
    said = [line for line in ear.lines if [line[1]] in refusals]
    assert [region for region, _ in said] == ["assertive", "assertive"]


def test_the_field_stays_as_a_match_ends_and_goes_on_from_there(visitor: Visitor) -> None:
    """If the field disappeared, a screen reader at its words would lose its place, and begin with the result."""
    context = visitor()
    table = open_table(context, bots=["tip"], rules={"format": "rounds 1"})
    page, _ = at_table(context, table)
    page.evaluate("window.words = [...document.querySelectorAll('#typing, #line, #line-hint, #typed-head')]")
    ask(context, table, do="give")
    expect(page.locator("#result")).to_be_visible(timeout=20_000)
    assert page.evaluate("words.length === 4 && words.every(node => node.isConnected)")
    field = page.get_by_label("Type what to do next")
    box = box_of(page.locator("#typing"))
    assert box["width"] <= 1, "nobody sees it"
    field.focus()
    box = box_of(page.locator("#typing"))
    assert box["width"] > 100, "but for who comes to it"
    field.fill("rematch")
    field.press("Enter")
    page.wait_for_url(lambda address: address != table)


def test_a_match_that_ends_while_dice_of_the_turn_before_lie_there_leaves_no_fault(visitor: Visitor) -> None:
    """Dice of a finished turn stay for 2 s. By then one more roll may end the match, and the page shows the winner."""
    (ann, bob), table = seated(visitor, "Bob", game="mexico", dice="real", rules={"format": "rounds 1"})
    page, ear = at_table(ann, table)
    for asked in ({"dice": "65"}, {}, {"dice": "65"}, {}, {"dice": "64"}):  # the third roll ends Ann's turn
        assert ask(ann, table, do="enter" if asked else "roll", **asked) == 200
    page.locator("#dice[data-left]:not([data-left=''])").wait_for()
    assert ask(bob, table, do="enter", dice="21") == 200  # the best roll in Mexico
    expect(page.locator("#result")).to_be_visible()
    page.wait_for_timeout(2_200)
    assert ear.faults == []


def test_a_roll_is_told_the_mover_in_the_second_person_others_by_name_and_briefly_if_wanted(visitor: Visitor) -> None:
    brief, full, other = visitor(), visitor(), visitor()
    table = open_table(brief, people=2)
    pages = [at_table(context, table) for context in (brief, full, other)]
    page, ear = pages[0]
    page.keyboard.press("?")
    ear.until(page, "^Number keys choose dice: by place")
    start = len(ear.texts)
    page.get_by_label("Announcements").select_option("brief")
    page.keyboard.press("Escape")
    sit(other, table, "Bob")
    expect(page.locator("#main")).to_have_text("Roll 6 dice")
    page.wait_for_function(RESTED)
    page.keyboard.press("r")
    ear.until(page, "^You rolled")
    for each, its_ear in pages[1:]:
        its_ear.until(each, "rolled")
    for each, its_ear in pages:
        its_ear.settle(each, 600)
    in_brief, in_full, as_bob = (its_ear.texts[start if its_ear is ear else 0 :] for _, its_ear in pages)
    assert not any(text.startswith("Midnight:") for text in in_brief)
    assert in_brief.pop() == "Which dice do you keep?", "Ann alone hears what she has to choose"
    about_ann = [text for text in in_full if not text.startswith("Midnight:")]
    assert len(about_ann) == len(in_brief) == len(in_full) - 1
    assert any(text.startswith("Ann rolled") for text in as_bob), "Bob hears Ann's name"
    assert not any("You rolled" in text for text in as_bob)
    rows = page.locator("#seats .said")
    expect(rows.first).to_have_text(re.compile(r"^Ann, you, host: You have [\d ]+\."))
    html = read(brief.request.get(table).text())
    told = [span.words() for span in html.all("span", **{"class": "said unseen"})]
    assert [" ".join(text.split()) for text in rows.all_text_contents()] == told, "as the house tells it"
    assert [len(re.findall(r"\b(Ann|Bob)\b", text)) for text in told] == [1, 1], "each name once"


def test_what_may_stay_is_heard_as_ones_own_turn_begins_and_by_nobody_else(visitor: Visitor) -> None:
    (ann, bob), table = seated(visitor, "Bob", game="420", dice="real", rules={"format": "race"})
    assert ask(ann, table, do="enter", dice="6542") == 200  # a hand with a choice
    (page, ear), (other, heard) = at_table(ann, table), at_table(bob, table)
    assert ask(bob, table, do="enter", dice="5431") == 200
    ear.until(page, "^You may keep")
    heard.until(other, r"^Ann's turn\.$")
    ear.settle(page)
    heard.settle(other)
    assert re.match(r"Your turn\. You have [\d ]+: \d+\. Which dice do you keep\?$", ear.texts[-2])
    assert re.match(r"You may keep .*(alone|two from 10|three from 15)\.$", ear.texts[-1])
    assert heard.texts[-1] == "Ann's turn."
    page.keyboard.press("4")  # the 2, which no legal keep contains
    ear.until(page, "You may keep")
    ear.settle(page)
    assert ear.texts[-2] == "Your turn: keep or reroll."
    assert re.match(r"You have 17\. You may keep .*(alone|two from 10|three from 15)\.$", ear.texts[-1])
    other.keyboard.press("4")
    heard.until(other, "^Ann's turn")
    heard.settle(other)
    assert heard.texts[-1].startswith("Ann's turn"), "not what is asked of another"


def test_the_sound_is_switched_off_at_the_top_and_the_keys_go_on(visitor: Visitor) -> None:
    context = visitor()
    page, ear = at_table(context, open_table(context, people=2))
    page.get_by_text("Menu", exact=True).click()
    page.get_by_label("Sound").click()
    page.keyboard.press("t")
    ear.until(page, "^Nothing to ")
    page.keyboard.press(" ")
    expect(page.get_by_label("Sound")).to_be_checked()
    page.keyboard.press(" ")
    page.reload()
    expect(page.get_by_label("Sound")).not_to_be_checked()
