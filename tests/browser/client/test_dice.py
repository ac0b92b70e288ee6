"""Dice on the page: marked, rolled, refused, typed in, and the button that rolls them."""

from playwright.sync_api import expect

from browser.client.page import Open, heard, pressed
from browser.scripted_house import House, die, update, view


def test_a_mark_shows_at_once_of_many_the_last_counts_and_a_roll_carries_them(visit: Open, house: House) -> None:
    page, line = visit(view(0, 5, 4, 4, 1))
    house.hold.clear()
    for place in (1, 2, 3):
        page.locator(f".die[data-place='{place}']").click()
    assert pressed(page) == ["1", "2", "3"]
    expect(page.locator(".die[data-place='3'] .word")).to_have_text("kept")
    page.locator("#main").click()
    line.send(update(1, view=view(1, 5, 4, 4, 1, marked=(1,))))
    expect(page.locator("main")).to_have_attribute("data-seq", "1")
    assert pressed(page) == ["1", "2", "3"], "a view older than the wish"
    house.answers.extend([(200, {"seq": 1}), (200, {"seq": 2}), (200, {"seq": 3})])
    house.hold.set()
    posts = house.posted(3)
    assert [(post["do"], post["marks"]) for post in posts] == [("mark", [0]), ("mark", [0, 1, 2]), ("roll", [0, 1, 2])]
    page.locator(".die[data-place='4']").click()
    heard(page, "Sending.")
    line.send(update(2, view=view(2, 5, 4, 4, 1, marked=(2,))))
    expect(page.locator("main")).to_have_attribute("data-seq", "2")
    assert pressed(page) == ["2"], "the house has seen the wish, and its view is right"


def test_a_refused_mark_goes_back_to_what_the_house_shows(visit: Open, house: House) -> None:
    page, _ = visit(view(0, 5, 4))
    house.answers.append((409, {"code": "turn", "why": "It is Bob's turn."}))
    page.locator(".die[data-place='2']").click()
    heard(page, "It is Bob's turn.", urgent=True)
    assert pressed(page) == []
    heard(page)


def test_dice_keep_their_places_and_show_what_fell(visit: Open) -> None:
    page, line = visit(view(0))
    expect(page.locator(".die:visible")).to_have_count(0)
    shown = view(1, counter="Roll 2", rolls=2)
    shown["dice"] = [die(2, 6, "locked"), die(5, 3)]
    line.send(update(1, view=shown))
    expect(page.locator(".die:not([hidden])")).to_have_count(2)
    expect(page.locator(".die[data-place='5']")).to_have_attribute("data-face", "3")
    expect(page.locator(".die.tumble")).to_have_count(1)
    locked = page.locator(".die[data-place='2']")
    expect(locked).to_have_attribute("aria-disabled", "true")
    locked.dispatch_event("click")
    heard(page, "That die is locked.")


def test_real_dice_are_entered_with_the_enter_key(visit: Open, house: House) -> None:
    page, _ = visit(view(0, 2, ask="enter", main={"do": "enter", "label": "Enter", "ready": True}))
    page.keyboard.press("r")
    expect(page.locator("#enter")).to_be_focused()
    page.keyboard.type("3 4 5")
    page.keyboard.press("Enter")
    post = house.posted(1)[0]
    assert (post["do"], post["dice"]) == ("enter", "3 4 5")
    expect(page.locator("#enter")).to_have_value("")


ENTER = {"do": "enter", "label": "Enter", "ready": True}


def test_who_has_kept_real_dice_types_the_next_ones_and_then_comes_to_the_first_free_die(visit: Open) -> None:
    page, line = visit(view(0, 6, 4))
    page.locator(".die[data-place='1']").focus()
    line.send(update(1, view=view(1, ask="enter", main=ENTER)))
    expect(page.locator("#enter")).to_be_focused()
    shown = view(2)
    shown["dice"], shown["ask"] = [die(1, 6, "locked"), die(2, 3)], "keep"
    line.send(update(2, view=shown))
    expect(page.locator(".die[data-place='2']")).to_be_focused()
    line.send(update(3, view=view(3, ask="enter", main=ENTER)))
    expect(page.locator("#enter")).to_be_focused()
    line.send(update(4, mover=1))
    expect(page.locator("#play-head")).to_be_focused()


def test_the_field_for_real_dice_takes_no_focus_from_elsewhere_or_as_a_turn_begins(visit: Open) -> None:
    page, line = visit(view(0, 6, 4), extra='<input id="name">')
    page.locator("#name").focus()
    line.send(update(1, view=view(1, ask="enter", main=ENTER)))
    expect(page.locator("#enter")).to_be_visible()
    expect(page.locator("#name")).to_be_focused()
    page.locator("#name").blur()
    line.send(update(2, mover=1), update(3, view=view(3, ask="enter", main=ENTER)))
    expect(page.locator("#enter")).to_be_visible()
    assert page.evaluate("document.activeElement === document.body")


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
