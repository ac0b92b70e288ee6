"""The field "Type your move": its answer is said once, the focus stays, and what is refused stays to be mended."""

from playwright.sync_api import expect

from browser.client.page import Open, heard
from browser.scripted_house import House, update, view

FORM = """<form id="typed" method="post" action="/t/ABCDEF"><input type="hidden" name="key" value="12345678">
<input type="hidden" name="do" value="type"><input id="line" name="text"><button>Send</button></form>"""


def test_an_answer_is_said_once_the_focus_stays_and_the_field_is_empty(visit: Open, house: House) -> None:
    page, line = visit(view(0, 5, 4, 4), extra=FORM)
    house.answers.append((200, {"seq": 0, "said": "You have 5 4 4."}))
    field = page.locator("#line")
    field.focus()
    page.keyboard.type("h")
    page.keyboard.press("Enter")
    heard(page, "You have 5 4 4.")
    expect(field).to_have_value("")
    expect(field).to_be_focused()
    assert {key: value for key, value in house.posts[-1].items() if key != "key"} == {
        "do": "type",
        "text": "h",
        "seen": 0,
    }
    house.answers.append((200, {"seq": 1, "said": ""}))
    page.keyboard.type("4 r")
    page.keyboard.press("Enter")
    line.send(update(1, "Ada rolled 2 2."))
    heard(page, "You have 5 4 4.", "Ada rolled 2 2.")
    expect(field).to_be_focused()


def test_what_is_typed_while_the_house_answers_stays(visit: Open, house: House) -> None:
    page, _ = visit(view(0, 5, 4, 4), extra=FORM)
    house.answers.extend([(200, {"seq": 0, "said": "20 to beat."})] * 2)
    field = page.locator("#line")
    for meanwhile, stays in ((" 4 r", " 4 r"), ("h", "h")):
        house.hold.clear()
        field.fill("s")
        field.press("Enter")
        house.posted(1)
        if meanwhile == "h":
            field.fill("h")
        else:
            field.press_sequentially(meanwhile)
        house.hold.set()
        heard(page, "20 to beat.", *["20 to beat."] * (meanwhile == "h"))
        expect(field).to_have_value(stays)


def test_a_name_may_be_a_word_of_the_wire(visit: Open, house: House) -> None:
    page, _ = visit(view(0, 5, 4, 4), extra=FORM)
    page.locator("#line").fill("true")
    page.locator("#line").press("Enter")
    assert house.posted(1)[0]["text"] == "true"


def test_an_empty_line_asks_the_open_question(visit: Open, house: House) -> None:
    page, _ = visit(view(0, 5, 4, 4), extra=FORM)
    house.answers.append((200, {"seq": 0, "said": "Your turn: keep one or more."}))
    page.locator("#line").press("Enter")
    heard(page, "Your turn: keep one or more.")


def test_a_refused_line_stays_in_the_field(visit: Open, house: House) -> None:
    page, _ = visit(view(0, 5, 4, 4), extra=FORM)
    house.answers.append((409, {"code": "typed-word", "why": "That means nothing here."}))
    field = page.locator("#line")
    field.fill("fly")
    field.press("Enter")
    heard(page, "That means nothing here.", urgent=True)
    expect(field).to_have_value("fly")
    expect(field).to_be_focused()


def test_the_example_is_of_now_and_stays_while_somebody_types(visit: Open) -> None:
    """A screen reader tells the description of a field again where it changes, and would talk into what happens."""
    page, line = visit(view(0, 5, 4, 4, example="5 r: Keep 5."), extra=f'{FORM}<span id="example"></span>')
    example = page.locator("#example")
    expect(example).to_have_text("5 r: Keep 5.")
    page.locator("#line").focus()
    line.send(update(1, view=view(1, 6, 4, 4, example="6 r: Keep 6.")))
    expect(page.locator(".die[data-place='0']")).to_have_attribute("data-face", "6")
    expect(example).to_have_text("5 r: Keep 5.")
    page.locator("#play [tabindex='-1']").first.focus()
    expect(example).to_have_text("6 r: Keep 6.")
    line.send(update(2, view=view(2, mover=1, example="r: Roll 6 dice.")))
    expect(example).to_have_text("")
