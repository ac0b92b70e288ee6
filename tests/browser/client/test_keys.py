"""The page's keys: each gets an answer, is ignored in fields and controls that need it, and can be changed."""

import json
import re
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from browser.client.page import Open, heard
from browser.scripted_house import House, Line, page_html, told, update, view
from support.browser import stop_clock


def test_every_key_answers(visit: Open, house: House) -> None:
    page, line = visit(view(0, 5, 4, 4, mover=1))
    said: list[str] = []

    def answers(key: str, *lines: str) -> None:
        page.keyboard.press(key)
        said.extend(lines)
        heard(page, *said)

    page.locator("#play [tabindex='-1']").first.focus()
    for key in ("r", "b", " ", "1", "Shift+4"):
        answers(key, "Bob is next.")
    answers("h", "Ada has 3 dice.")
    answers("S", "Bob 20.", "Bob leads.")
    answers("t", "To beat: 20.")
    answers("w", "Bob is next.")
    answers("l", "Bob scored 20.")
    line.send(update(1, view=view(1, 5, 4, 4, beat=told(""))))
    expect(page.locator("#main")).to_be_visible()
    answers("t", "Nothing yet.")
    line.send(update(2, view=view(2, 5, 4, 4, status=told("You need a 4."))))
    expect(page.locator("#status")).to_have_text("You need a 4.")
    answers("t", "You need a 4.")
    answers("1", "Die 1, five: kept.")
    answers("1", "Die 1, five: free.")
    answers("6", "No die in place 6.")
    answers("Shift+Digit4", "Die 2, four: kept.")
    answers("Shift+Digit4", "Die 3, four: kept.")
    answers("Shift+Digit4", "Die 2, four: kept.", "Die 3, four: kept.")
    answers("Shift+Digit6", "No 6 to choose.")
    page.locator(".die[data-place='0']").focus()
    answers("1")
    expect(page.locator(".die[data-place='0']")).to_have_attribute("aria-pressed", "true")
    house.marked(0, 1, 2)
    house.answers.append((409, {"code": "bank", "why": "No banking here."}))
    page.keyboard.press("b")
    heard(page, "No banking here.", urgent=True)
    assert house.posts[-1]["do"] == "bank"
    assert house.posts[-1]["marks"] == [0, 1, 2]


def test_the_keys_of_dice_are_told_where_digits_are_places_and_nowhere_else(visit: Open) -> None:
    """Keys are not announced to players who type moves or choose by face. If they count, H tells them, else the dice's
    faces.
    """
    shown = view(0, 5, 4, 4)
    shown["seats"][0] |= {"own_hand": "Free: 5 4.", "own_keys": "Free: key 1: five, key 3: four."}
    page, line = visit(shown, extra='<input id="line">')
    board = page.locator("#play [tabindex='-1']").first

    def tell(seq: int) -> None:
        keys = {"text": f"Free: key {seq}.", "level": 3}
        asked = {"text": f"Which of {seq}?", "level": -1}
        line.send(update(seq, keys, asked, view=view(seq, 5, 4, 4, seats=shown["seats"])))

    board.focus()
    tell(1)
    said = ["Free: key 1.", "Which of 1?"]
    heard(page, *said)
    page.keyboard.press("h")
    said.append("Free: key 1: five, key 3: four.")
    heard(page, *said)
    page.locator("#line").focus()
    tell(2)
    said.append("Which of 2?")
    heard(page, *said)
    page.locator("#keys summary").click()
    page.locator("#keys [name=digits]").select_option("face")
    board.focus()
    tell(3)
    page.wait_for_function("() => document.querySelector('#table').dataset.seq === '3'")
    page.keyboard.press("h")
    heard(page, *said, "Which of 3?", "Free: 5 4.")


def test_number_keys_by_face_go_through_the_dice_of_it(visit: Open) -> None:
    page, _ = visit(view(0, 5, 4, 4))
    page.locator("#keys summary").click()
    page.locator("#keys [name=digits]").select_option("face")
    page.locator("#keys summary").focus()
    for _ in range(3):
        page.keyboard.press("4")
    kept = ["Die 2, four: kept.", "Die 3, four: kept."]
    heard(page, *kept, "Die 2, four: free.", "Die 3, four: free.")


def test_keys_are_left_alone_in_fields_in_combinations_on_other_controls_and_when_off(
    visit: Open, house: House
) -> None:
    page, _ = visit(view(0, ask="roll"), extra='<input id="name"><button id="other" type="button">Other</button>')
    page.locator("#name").focus()
    page.keyboard.type("rb h?1")
    expect(page.locator("#name")).to_have_value("rb h?1")
    page.locator("#other").focus()
    page.keyboard.press(" ")
    page.keyboard.press("Alt+h")
    page.keyboard.press("Control+l")
    page.keyboard.down("w")
    page.keyboard.down("w")
    page.keyboard.up("w")
    heard(page, "Bob is next.")
    page.locator("#keys summary").click()
    page.locator("#keys [name=keys]").uncheck()
    page.locator("#other").focus()
    page.keyboard.press("w")
    page.keyboard.press("r")
    heard(page, "Bob is next.")
    assert house.posts == []


def test_space_acts_with_the_focus_on_the_board_alone(visit: Open, house: House) -> None:
    """With the focus elsewhere, Space moves it to the main button, or without a button says whose turn it is."""
    page, line = visit(view(0, ask="roll"))
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press(" ")
    expect(page.locator("#main")).to_be_focused()
    page.locator("#keys summary").focus()
    page.keyboard.press(" ")
    heard(page, "Keys: open.")
    page.keyboard.press("w")
    heard(page, "Keys: open.", "Bob is next.")
    page.evaluate("document.activeElement.blur()")
    line.send(update(1, view=view(1, ask="roll", mover=1)))
    expect(page.locator("#main")).to_be_hidden()
    page.keyboard.press(" ")
    heard(page, "Keys: open.", "Bob is next.", "Bob is next.")
    assert house.posts == []
    line.send(update(2, view=view(2, ask="roll")))
    expect(page.locator("#main")).to_be_visible()
    page.locator("#play [tabindex='-1']").first.focus()
    page.keyboard.press(" ")
    assert house.posted(1)[0]["do"] == "roll"


AGAIN = """<form id="rematch" method="post" action="/t/ABCDEF"><input type="hidden" name="key" value="12345678">
<input type="hidden" name="do" value="rematch">{main}</form>{again}"""
DECIDES = AGAIN.format(
    main='<button id="main" name="decider" value="true">One more round</button>',
    again='<button id="again" form="rematch">Rematch</button>',
)
"""The buttons after a tie."""


def end(page: Page, line: Line, house: House, ways: str = DECIDES, extra: str = "") -> None:
    """End the match. The page of its end comes, with these buttons."""
    over = page_html(seq=1, shape=1, extra=extra).replace('data-stage="playing"', 'data-stage="over"')
    house.html = re.sub('<form id="act".*</form>', ways, over, count=1, flags=re.DOTALL)
    ended = view(1, mover=None, shape=1, stage="over", main=None, whose=told("Ada has won."))
    line.send(update(1, "You win.", view=ended))
    page.locator("#table[data-stage=over]").wait_for()


def test_space_right_after_a_match_begins_no_other_and_says_how_it_ended(
    visit: Open, house: House, context: BrowserContext
) -> None:
    """Right after the end, Space was meant for the last move. A second later it presses the main button."""
    context.clock.install(time=1_000_000)
    page, line = visit(view(0, ask="roll"))
    stop_clock(page)
    end(page, line, house)
    context.clock.run_for(400)  # keys rest for a second
    heard(page, "You win.", "Space: One more round.", "R: Rematch.")
    for key in (" ", "r"):
        page.keyboard.press(key)
    context.clock.run_for(1_001)
    heard(page, "You win.", "Space: One more round.", "R: Rematch.", "Ada has won.", "Ada has won.")
    assert house.posts == []
    page.keyboard.press(" ")
    assert house.posted(1)[0]["do"] == "rematch"


WAYS = {
    "usual": (["Space: One more round.", "R: Rematch."], {" ": True, "r": False}),
    "with keys of one's own": (["G: One more round.", "X: Rematch."], {"g": True, "x": False}),
    "where a key is off": (["Button: One more round.", "R: Rematch."], {"r": False}),
    "without keys": (["Button: One more round.", "Button: Rematch."], {}),
    "in the field": (["Button: One more round.", "Type rematch."], {}),
    "at a summary": (["Button: One more round.", "R: Rematch."], {"r": False}),
    "in brief": ([], {" ": True, "r": False}),
}
"""Settings and places of a player: the announcements of the buttons after a tie, and for each key, if it begins one
more round.
"""
MAPS = {"with keys of one's own": {"main": "g", "roll": "x"}, "where a key is off": {"main": ""}}


@pytest.mark.parametrize("how", WAYS)
def test_what_is_said_of_a_key_after_a_match_is_what_it_does_there(visit: Open, house: House, how: str) -> None:
    """An announcement "Space: rematch." would be wrong after a tie, when Space plays one more round, or types in the
    field.
    """
    field = '<input id="line" name="text">'
    page, line = visit(view(0, ask="roll"), extra=field)
    chosen = {
        "map": MAPS.get(how, {}),
        "keys": how != "without keys",
        "wording": "brief" if how == "in brief" else "full",
    }
    page.evaluate("chosen => localStorage.setItem('pubdice', JSON.stringify(chosen))", chosen)
    page.reload()
    line = house.line()
    line.send(update(0, event="view", view=view(0, ask="roll")))
    expect(page.locator("#main")).to_be_visible()
    page.evaluate("document.activeElement.blur()")
    if how in ("in the field", "at a summary"):
        page.locator("#line" if how == "in the field" else "#keys summary").focus()
    end(page, line, house, extra=field)
    ways, keys = WAYS[how]
    heard(page, "You win.", *ways)
    page.wait_for_timeout(1_010)
    for number, (key, decides) in enumerate(keys.items(), 1):
        house.answers.append((200, {"seq": 1}))
        with page.expect_response(lambda answer: answer.request.method == "POST") as answered:
            page.keyboard.press(key)
        answered.value.finished()
        assert house.posted(number)[-1].get("decider", False) is decides
    if not keys:
        page.keyboard.press(" ")
        page.keyboard.press("r")
        page.wait_for_timeout(100)
        assert house.posts == []


def test_another_way_on_is_said_when_somebody_else_takes_it(visit: Open, house: House) -> None:
    page, line = visit(view(0, ask="roll"))
    page.evaluate("document.activeElement.blur()")
    end(page, line, house, AGAIN.format(main='<button id="main">Rematch</button>', again=""))
    heard(page, "You win.", "Space: Rematch.")
    house.html = house.html.replace(">Rematch<", ">Join the rematch<")
    ended = view(2, mover=None, shape=1, stage="over", main=None, rematch="/t/GHIJKL")
    line.send(update(2, "Bob wants a rematch.", view=ended))
    heard(page, "You win.", "Space: Rematch.", "Bob wants a rematch.", "Space: Join the rematch.")


def test_moves_are_chosen_by_their_letters_the_first_one_too(visit: Open, house: House) -> None:
    page, line = visit(extra='<p id="moves"></p>')
    page.evaluate("document.getElementById('act').append(document.getElementById('moves'))")
    keys = {"b": "hold", "r": "roll"}
    moves = [{"move": move, "label": move, "key": key, "takes": []} for key, move in keys.items()]
    for seq, (key, move) in enumerate(keys.items(), 1):
        line.send(update(seq, view=view(seq, ask="move", main=None, moves=moves, status=told(f"Move {seq}."))))
        expect(page.locator("#status")).to_have_text(f"Move {seq}.")
        expect(page.locator("#moves button")).to_have_count(2)
        with page.expect_response(lambda answer: answer.request.method == "POST") as answered:
            page.keyboard.press(key)
        answered.value.finished()  # until then the page takes no other move
        post = house.posted(seq)[-1]
        assert (post["do"], post["action"]) == ("choose", move)


def test_the_keys_are_said_once_on_ones_first_own_turn_on_a_device(visit: Open, house: House) -> None:
    hint = '<p id="keys-hint">Keys: R rolls.</p>'
    page, line = visit(view(0, ask="roll", mover=1), extra=hint)
    heard(page)
    line.send(update(1, "Ada is next.", view=view(1, ask="roll")))
    heard(page, "Ada is next.", "Keys: R rolls.")
    page.reload()
    house.line().send(update(1, event="view", view=view(1, ask="roll")))
    expect(page.locator("#main")).to_be_visible()
    page.keyboard.press("w")
    heard(page, "Bob is next.")


def test_shift_l_tells_all_since_one_acted_last(visit: Open, house: House) -> None:
    page, line = visit(view(0, ask="roll"))
    page.keyboard.press("Shift+L")
    heard(page, "Nothing yet.")
    line.send(update(1, "Bob rolled 6.", view=view(1, ask="roll")))
    line.send(update(2, "Bob scored 6.", "Ada is next.", view=view(2, ask="roll")))
    story = ["Bob rolled 6.", "Bob scored 6.", "Ada is next."]
    heard(page, "Nothing yet.", *story)
    page.keyboard.press("Shift+L")
    heard(page, "Nothing yet.", *story, *story)
    page.keyboard.press("r")
    house.posted(1)
    line.send(update(3, "Ada rolled 1.", view=view(3, 1)))
    heard(page, "Nothing yet.", *story, *story, "Ada rolled 1.")
    page.keyboard.press("Shift+L")
    heard(page, "Nothing yet.", *story, *story, "Ada rolled 1.", "Ada rolled 1.")


def test_keys_can_be_changed_taken_ones_are_refused_and_all_is_remembered(visit: Open, house: House) -> None:
    page, _ = visit(view(0, ask="roll"))
    page.locator("#keys summary").click()
    field = page.locator("[data-key-for=beat]")
    field.focus()
    page.keyboard.type("w")
    heard(page, "That key is taken.", urgent=True)
    expect(field).to_have_value("T")
    page.keyboard.type("5")
    expect(page.locator("#assertive p")).to_have_count(2)
    page.keyboard.type("x")
    heard(page, "Key changed.")
    page.locator("[data-key-for=bank]").focus()
    page.keyboard.press("Delete")
    heard(page, "Key changed.", "Key changed.")
    page.reload()
    house.line().send(update(0, event="view"))
    expect(page.locator("[data-key-for=beat]")).to_have_value("X")
    expect(page.locator("[data-key-for=bank]")).to_have_value("")
    expect(page.locator("#heading")).to_be_visible()
    for key in ("t", "b", "x"):
        page.keyboard.press(key)
    heard(page, "To beat: 20.")


def test_a_late_script_leaves_the_focus_where_it_is(visit: Open) -> None:
    """A player is in the next field before the settings' script has come. What they type belongs to that field."""
    page, _ = visit(view(0, 5, 4, 4))
    held: list[Route] = []
    page.route("**/all_keys.js", lambda route: held.append(route))  # noqa: PLW0108 - Playwright marks what it is given
    page.locator("#keys summary").click()
    with page.expect_request("**/all_keys.js"):
        page.locator("[data-key-for=scores]").fill("")
    page.locator("[data-key-for=roll]").focus()
    held.pop().continue_()
    heard(page, "Key changed.")
    expect(page.locator("[data-key-for=roll]")).to_be_focused()
    page.keyboard.type("x")
    heard(page, "Key changed.", "Key changed.")
    expect(page.locator("[data-key-for=roll]")).to_have_value("X")
    expect(page.locator("[data-key-for=scores]")).to_have_value("")


def test_help_takes_the_focus_and_gives_it_back(visit: Open) -> None:
    page, _ = visit(view(0, ask="roll"))
    page.locator("#main").focus()
    page.keyboard.press("?")
    expect(page.locator("#keys summary")).to_be_focused()
    expect(page.locator("#keys")).to_have_attribute("open", "")
    page.keyboard.press("Escape")
    expect(page.locator("#main")).to_be_focused()
    expect(page.locator("#keys:not([open])")).to_be_attached()


def test_escape_in_the_menu_goes_back_to_its_button(visit: Open) -> None:
    """Test it also after the help on keys was opened from elsewhere."""
    menu = '<details id="menu"><summary>Menu</summary><button id="quiet">Quiet</button></details>'
    page, _ = visit(view(0, ask="roll"), extra=menu)
    for _ in range(2):
        page.locator("#menu summary").click()
        page.locator("#quiet").focus()
        page.keyboard.press("Escape")
        expect(page.locator("#menu summary")).to_be_focused()
        page.locator("#main").focus()
        page.keyboard.press("?")
        expect(page.locator("#keys summary")).to_be_focused()
        page.keyboard.press("Escape")
        expect(page.locator("#main")).to_be_focused()
    page.locator("#menu summary").click()
    page.locator("#quiet").focus()
    page.keyboard.press("?")
    expect(page.locator("#keys summary")).to_be_focused()
    page.evaluate("document.getElementById('menu').open = false")
    page.keyboard.press("Escape")
    expect(page.locator("#menu summary")).to_be_focused()


def test_keys_answer_before_the_first_view_has_come(visit: Open) -> None:
    page, _ = visit()
    page.keyboard.press("t")
    page.keyboard.press("r")
    heard(page, "Sending.", "Sending.")


def test_the_question_mark_tells_every_key_as_it_is_set(visit: Open) -> None:
    page, _ = visit(view(0, 5, 4, 4))
    page.locator("#key-bank").evaluate("field => field.dataset.does = 'Stop: your cargo counts'")
    page.locator("#keys summary").click()
    page.locator("[data-key-for=scores]").fill("")
    page.locator("[data-key-for=roll]").fill("x")
    page.locator("#keys [name=digits]").select_option("face")
    page.locator("#play [tabindex='-1']").first.focus()
    page.keyboard.press("?")
    expect(page.locator("#keys summary")).to_be_focused()
    keys = ("X: roll.", "B: Stop: your cargo counts.", "Space: main.", "H: hand.", "T: beat.", "W: whose.", "L: last.")
    said = ["Key changed.", "Key changed.", *keys, "U: undo.", "question mark: help.", "Number keys: face."]
    heard(page, *said)


def test_no_key_that_undoes_is_silent(visit: Open, house: House) -> None:
    """U, Backspace and Ctrl+Z clear the choice, or say that nothing is chosen. 0 is no place of a die."""
    page, _ = visit(view(0, 5, 4, 4))
    page.locator("#play [tabindex='-1']").first.focus()
    said: list[str] = []
    for key in ("u", "Backspace", "Control+z"):
        page.keyboard.press(key)
        said.append("Nothing to undo.")
        heard(page, *said)
    page.keyboard.press("0")
    said.append("No die in place 0.")
    page.keyboard.press("2")
    said.append("Die 2, four: kept.")
    heard(page, *said)
    house.answers.append((200, {"seq": 0}))
    page.keyboard.press("u")
    said.append("Nothing chosen.")
    heard(page, *said)
    assert house.posts[-1]["marks"] == []
    page.locator("#keys summary").focus()
    page.keyboard.press(" ")
    heard(page, *said, "Keys: open.")
    page.keyboard.press(" ")
    heard(page, *said, "Keys: open.", "Keys: closed.")


PANEL = '<section id="chances"><h2>Chances</h2><p class="hint">Being worked out.</p></section>'


def chances(seq: int, ada: int, said: str = "") -> str:
    """Return a stream message with chances."""
    own = {"0": f"You {ada}%, Bob {100 - ada}%"}
    panel = f'<section id="chances"><h2>Chances</h2><b>{ada}%</b></section>'
    news = {"seq": seq, "html": panel, "say": said, "line": told(f"Ada {ada}%, Bob {100 - ada}%", own)}
    return f"event: chances\ndata: {json.dumps(news)}\n\n"


def test_a_key_tells_the_chances_as_the_dice_lie_and_none_of_dice_before(visit: Open) -> None:
    """A player who asks while chances are computed hears that, and then the chances. A mark does not change them."""

    def now(seq: int, dice_version: int) -> dict[str, Any]:
        return view(seq, 5, 4, 4, dice_version=dice_version)

    page, line = visit(now(0, 0), extra=PANEL)
    page.locator("#play [tabindex='-1']").first.focus()
    page.keyboard.press("c")
    said = ["Being worked out."]
    heard(page, *said)
    line.send(chances(0, 40))
    said.append("You 40%, Bob 60%.")
    heard(page, *said)
    line.send(update(1, view=now(1, 0)))
    expect(page.locator("main")).to_have_attribute("data-seq", "1")
    page.keyboard.press("c")
    said.append("You 40%, Bob 60%.")
    heard(page, *said)
    line.send(update(2, "A roll.", view=now(2, 2)))
    said.append("A roll.")
    heard(page, *said)
    page.keyboard.press("c")
    said.append("Sending.")
    heard(page, *said)
    line.send(chances(2, 50, "Chances with Bob to move."))
    said.append("You 50%, Bob 50%.")
    heard(page, *said)
    line.send(update(3, "Another.", view=now(3, 3)), chances(2, 51, "Chances with Ada to move."))
    said.append("Another.")
    expect(page.locator("#chances b")).to_have_text("51%")
    line.send(chances(3, 60, "Chances with Ada to move."))
    said.append("Chances: You 60%, Bob 40%.")
    heard(page, *said)


def test_no_key_tells_chances_where_a_table_shows_none(visit: Open) -> None:
    page, _ = visit(view(0, 5, 4, 4))
    page.locator("#play [tabindex='-1']").first.focus()
    page.keyboard.press("c")
    page.keyboard.press("w")
    heard(page, "Bob is next.")
