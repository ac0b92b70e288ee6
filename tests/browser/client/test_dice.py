"""Dice on the page: marked, rolled, refused and typed in, and the button that rolls them."""

from playwright.sync_api import Page, expect

from browser.client.page import Open, heard, pressed, said
from browser.scripted_house import House, die, told, update, view


def test_a_mark_shows_at_once_of_many_the_last_counts_and_a_roll_carries_them(visit: Open, house: House) -> None:
    page, line = visit(view(0, 5, 4, 4, 1))
    house.hold.clear()
    for place in (0, 1, 2):
        page.locator(f".die[data-place='{place}']").click()
    assert pressed(page) == ["0", "1", "2"]
    expect(page.locator(".die[data-place='2'] .word")).to_have_text("keep")
    page.locator("#main").click()
    line.send(update(1, view=view(1, 5, 4, 4, 1, marked=(0,))))
    expect(page.locator("main")).to_have_attribute("data-seq", "1")
    assert pressed(page) == ["0", "1", "2"], "a view older than the wish"
    house.answers.extend([(200, {"seq": 1}), (200, {"seq": 2}), (200, {"seq": 3})])
    house.hold.set()
    posts = house.posted(3)
    assert [(post["do"], post["marks"]) for post in posts] == [("mark", [0]), ("mark", [0, 1, 2]), ("roll", [0, 1, 2])]
    before = said(page)  # a busy page may have announced that already, as the answer was held back
    page.locator(".die[data-place='3']").click()
    heard(page, *before, "Sending.")
    line.send(update(2, view=view(2, 5, 4, 4, 1, marked=(1,))))
    expect(page.locator("main")).to_have_attribute("data-seq", "2")
    assert pressed(page) == ["1"], "the house has seen the wish, and its view is right"


def test_every_tap_says_which_dice_it_was_made_on(visit: Open, house: House) -> None:
    page, line = visit(view(0, 5, 4, 4, 1))
    for place in (0, 1):
        page.locator(f".die[data-place='{place}']").click()
    page.locator("#main").click()
    house.posted(3)
    line.send(update(1, view=view(4, 5, 4, 4, 1, marked=(0,), rolls=2)))
    expect(page.locator("main")).to_have_attribute("data-seq", "1")
    page.locator(".die[data-place='1']").click()
    assert [post["seen"] for post in house.posted(4)] == [0, 0, 0, 4]


def test_the_answer_to_an_older_mark_takes_no_newer_one_back(visit: Open, house: House) -> None:
    page, line = visit(view(0, 5, 4, 4, 1))
    house.hold.clear()
    page.keyboard.press("1")
    house.posted(1)
    page.keyboard.press("2")
    house.answers.extend([(200, {"seq": 1}), None])
    house.hold.set()
    house.posted(2)
    line.send(update(1, view=view(1, 5, 4, 4, 1, marked=(0,))))
    expect(page.locator("main")).to_have_attribute("data-seq", "1")
    assert pressed(page) == ["0", "1"]


def test_the_button_takes_dice_that_were_marked_before_the_house_showed_them(visit: Open, house: House) -> None:
    main = {"do": "roll", "label": "Choose the dice you keep", "ready": False}
    page, _ = visit(view(0, 5, 4, 4, 1, main=main))
    page.keyboard.press(" ")
    heard(page, "Choose the dice you keep.")
    house.hold.clear()
    page.keyboard.press("1")
    page.keyboard.press(" ")
    house.hold.set()
    posts = house.posted(2)
    assert [(post["do"], post["marks"]) for post in posts] == [("mark", [0]), ("roll", [0])]
    heard(page, "Choose the dice you keep.", "Die 1, five: kept.")


def test_a_refused_mark_goes_back_to_what_the_house_shows(visit: Open, house: House) -> None:
    page, _ = visit(view(0, 5, 4))
    house.answers.append((409, {"code": "turn", "why": "It is Bob's turn."}))
    page.locator(".die[data-place='1']").click()
    heard(page, "It is Bob's turn.", urgent=True)
    assert pressed(page) == []
    heard(page)


def test_after_a_refused_roll_the_next_carries_the_same_dice_though_no_stream_has_brought_them(
    visit: Open, house: House
) -> None:
    """If a lesson warns, the first roll is refused. The stream may come from another house, which reports the marks
    later.
    """
    page, _ = visit(view(0, 5, 4, 4, 1))
    house.answers += [(200, {"seq": 1}), (409, {"code": "lesson", "why": "That loses."})]
    page.keyboard.press("1")
    page.keyboard.press("r")
    heard(page, "That loses.", urgent=True)
    assert pressed(page) == ["0"]
    page.keyboard.press("r")
    assert [(post["do"], post["marks"]) for post in house.posted(3)] == [("mark", [0]), ("roll", [0]), ("roll", [0])]


def test_dice_keep_their_places_and_show_what_fell(visit: Open) -> None:
    page, line = visit(view(0))
    expect(page.locator(".die:visible")).to_have_count(0)
    shown = view(1, counter="Roll 2", rolls=2)
    shown["dice"] = [die(1, 6, "locked"), die(4, 3)]
    line.send(update(1, view=shown))
    expect(page.locator("#dice li:not([hidden])")).to_have_count(2)
    expect(page.locator(".die[data-place='4']")).to_have_attribute("data-face", "3")
    expect(page.locator(".die[data-fresh]")).to_have_count(1)
    locked = page.locator(".die[data-place='1']")
    expect(locked).to_have_attribute("aria-disabled", "true")
    locked.dispatch_event("click")
    heard(page, "That die is locked.")


ENTER = {"do": "enter", "label": "Enter", "ready": True}
MAIN = "#main:not([aria-disabled])"


def tap(page: Page, *faces: int) -> None:
    for face in faces:
        page.locator(f"#pad .faces [data-face='{face}']").click()


def test_real_dice_are_tapped_said_confirmed_and_sent(visit: Open, house: House) -> None:
    page, _ = visit(view(0, ask="enter", main=ENTER, due=3))
    expect(page.locator("#main")).to_have_text("3 more to tap")
    expect(page.locator("#main")).to_have_attribute("aria-disabled", "true")
    tap(page, 5, 3)
    heard(page, "5; 2 to go.", "3; 1 to go.")
    page.locator("#main").dispatch_event("click")
    assert house.posts == [], "one is missing"
    tap(page, 4)
    expect(page.locator(MAIN)).to_have_text("Confirm 3 4 5")
    page.locator(MAIN).click()
    post = house.posted(1)[0]
    assert (post["do"], post["dice"]) == ("enter", "5 3 4")


def test_a_die_tapped_wrongly_is_changed_or_deleted(visit: Open, house: House) -> None:
    page, _ = visit(view(0, ask="enter", main=ENTER, due=2))
    tap(page, 6, 6, 6)
    expect(page.locator("#pad .entered button[data-face]")).to_have_count(2)
    page.locator("#pad .entered button").first.click()
    tap(page, 1)
    expect(page.locator(MAIN)).to_have_text("Confirm 1 6")
    page.locator("#pad .delete").click()
    expect(page.locator("#main")).to_have_text("1 more to tap")
    tap(page, 2)
    page.locator(MAIN).click()
    assert house.posted(1)[0]["dice"] == "1 2"


def test_the_key_for_a_roll_goes_to_the_pad_and_the_turn_s_end_to_the_heading(visit: Open) -> None:
    page, line = visit(view(0, ask="enter", main=ENTER, due=1))
    expect(page.locator("#pad")).to_be_visible()
    page.keyboard.press("r")
    expect(page.locator("#pad .faces button").first).to_be_focused()
    shown = view(1)
    shown["dice"], shown["ask"] = [die(0, 6, "locked"), die(1, 3)], "keep"
    line.send(update(1, view=shown))
    expect(page.locator(".die[data-place='1']")).to_be_focused()
    line.send(update(2, mover=1))
    expect(page.locator("#heading")).to_be_focused()


def test_the_pad_takes_no_focus_from_elsewhere(visit: Open) -> None:
    page, line = visit(view(0, 6, 4), extra='<input id="name">')
    page.locator("#name").focus()
    line.send(update(1, view=view(1, ask="enter", main=ENTER, due=2)))
    expect(page.locator("#pad")).to_be_visible()
    expect(page.locator("#name")).to_be_focused()


RAIL = {
    "slots": [{"face": 1, "want": 1, "preview": False}, {"face": 0, "want": 4, "preview": False}],
    "label": told("You need"), "total_label": told("Your score"), "total": "0",
    "said": told("You have 1, still need 4."),
}  # fmt: skip


def test_locked_dice_lie_in_the_rail_and_a_preview_is_no_win(visit: Open) -> None:
    page, line = visit(view(0, 5, 4))
    shown = view(1)
    shown["dice"], shown["rail"], shown["red"] = [die(0, 1, "locked"), die(1, 4)], RAIL, [1, 4]
    line.send(update(1, view=shown))
    expect(page.locator("#rail .slot[data-won]")).to_have_attribute("data-face", "1")
    expect(page.locator("#rail .slot[data-red]")).to_have_count(0)
    expect(page.locator("#rail .slot").nth(1)).to_have_attribute("data-face", "4")
    expect(page.locator("#dice li:not([hidden]) .die")).to_have_attribute("data-place", "1")
    expect(page.locator("#dice li:not([hidden]) .die")).to_have_attribute("data-red", "")
    page.keyboard.press("1")
    heard(page, "That die is locked.")


def test_where_nothing_is_locked_the_other_dice_are_shown_as_rolled_again(visit: Open) -> None:
    page, _ = visit(view(0, 6, 5, 5, 1))
    page.locator(".die[data-place='0']").click()
    shown = [die.get_attribute("data-status") for die in page.locator("#dice li:not([hidden]) .die").all()]
    assert shown == ["marked", "reroll", "reroll", "reroll"]
    page.locator("#unmark").click()
    expect(page.locator("#dice [data-status=free]")).to_have_count(4)
    expect(page.locator("#unmark")).to_be_hidden()


def test_who_chooses_what_to_reroll_keeps_all_the_others_with_the_first(visit: Open, house: House) -> None:
    page, _ = visit(view(0, 6, 5, 5, 1), extra='<input type="checkbox" id="swap" name="swap">')
    page.locator("#swap").check()
    page.locator(".die[data-place='3']").click()
    assert pressed(page) == ["0", "1", "2"]
    assert house.posted(1)[0]["marks"] == [0, 1, 2]
    page.locator(".die[data-place='2']").click()
    assert pressed(page) == ["0", "1"]


SURE = {"do": "roll", "label": "Reroll all…", "question": "Throw away 17?", "yes": "Reroll all", "no": "Go back"}


def test_rolling_all_again_asks_first_and_the_way_back_has_the_focus(visit: Open, house: House) -> None:
    page, _ = visit(view(0, 6, 5, 5, 1, sure=SURE))
    page.locator("#sure summary").click()
    heard(page, "Throw away 17?")
    expect(page.locator("#heading")).to_have_text("Throw away 17?")
    expect(page.locator("#sure .no")).to_be_focused()
    page.locator("#sure .no").click()
    expect(page.locator("#heading")).to_have_text("Which dice?")
    assert house.posts == []
    page.locator("#sure summary").click()
    page.locator("#sure .yes").click()
    assert house.posted(1)[0]["do"] == "roll"


def test_a_button_that_was_clicked_keeps_the_focus_too_but_is_not_seen(visit: Open) -> None:
    page, line = visit(view(0, ask="roll"))
    page.locator("#main").click()
    line.send(update(1, mover=1))
    expect(page.locator("#heading")).to_have_text("Bob's turn")
    expect(page.locator("#main[aria-disabled]")).to_be_focused()


def test_a_button_the_keyboard_is_on_stays_until_it_is_left(visit: Open, house: House) -> None:
    page, line = visit(view(0, ask="roll"))
    page.keyboard.press("Tab")
    expect(page.locator("#main")).to_be_focused()
    line.send(update(1, mover=1))
    expect(page.locator("#heading")).to_have_text("Bob's turn")
    expect(page.locator("#main")).to_be_focused()
    page.keyboard.press("Enter")
    heard(page, "Bob is next.")
    assert house.posts == []
    line.send(update(2))
    expect(page.locator("#main:not([aria-disabled])")).to_be_focused()
    line.send(update(3, mover=1))
    expect(page.locator("#main[aria-disabled]")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.locator("#main")).to_be_hidden()
