"""Names stay as they are in all that is said, shown and written: small letters, emoji, apostrophes."""

import html
import json
import re

import pytest

import play
from pubdice.advice import luck_rank as ranks
from pubdice.checked_record import read_checked
from pubdice.games import GAMES
from pubdice.match.narrate import Narrator
from pubdice.match.record import ChoiceTakenBack
from pubdice.match.sealed_record import check_dice
from pubdice.match.table import Marked, TakenBack
from pubdice.text.catalogues import CODES, language
from pubdice.text.game_words import kept_names
from pubdice.text.language import one_line, sentence
from server.http.test_ask import asked_of
from support.by_day import LANGUAGES, each_once
from support.console import pubdice
from support.house import Pub, play_out
from support.html_tree import read

NAMES = ("iris", "ßen", "ǆan", "éa", "ჯონ", "я")
CHANGED = re.compile(rf"(?i:{'|'.join(map(re.escape, (*NAMES, 'ssen')))})")
PAGES = ("", "/big", "/receipt", "/receipt.svg", "/evening", "/evening/records", "/record", "/state")


def changed(text: str) -> set[str]:
    """The names in a text that are spelt otherwise than their owners do."""
    words = re.findall(r"\w+", text)
    return {word for word in words if CHANGED.fullmatch(word) and word not in NAMES}


def test_the_check_sees_a_name_that_was_changed() -> None:
    assert changed("Iris wins, SSen and iris lose; ßen, Ǆan") == {"Iris", "SSen", "Ǆan"}


@pytest.mark.parametrize("name", NAMES)
def test_a_sentence_begins_large_and_a_name_with_its_own_letter(name: str) -> None:
    for text in (f"{name} has 12", f"{name}: 12", f"{name}'s turn", name, f"{name}, ann and you"):
        assert sentence(text, NAMES) == text
        assert one_line(["you have 12.", text], NAMES) == f"You have 12. {text}"
    assert sentence("irisierend ist alles", NAMES) == "Irisierend ist alles"
    assert kept_names(
        (
            "you",
            name,
            "",
        )
    ) == (name,), "a word, not a name"


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_match_is_told_with_every_name_as_it_is(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    said = language(code)
    for number, case in enumerate(
        {(case.kit.name, case.header(2).fields["format"]): case for case in play.CASES}.values()
    ):
        seats = min(case.kit.usual_game.most_seats, 2 + number % 3)
        names = (*NAMES[number % 3 :], *NAMES)[:seats]
        monkeypatch.setattr(play, "NAMES", names)
        live = play.bot_match(case, seats, f"{number}")
        to = Narrator(said, case.kit.words, live.table.match, names)
        for listener in (to, *map(to.to, range(seats))):
            told = [listener.opening()]
            for before, event, after in zip(live.states, live.events, live.states[1:], strict=False):
                told += [listener.round_opens(before.match), *listener.needs(before.match)]
                if not isinstance(event, Marked | TakenBack | ChoiceTakenBack):  # marks are no moves
                    told += listener.tell(before.match, event, after.match)
                told += [listener.line(listener.standing_now(after.match)), listener.counter(after.match)]
            assert not changed("\n".join(told)), told


@pytest.mark.parametrize(("game", "code"), each_once(tuple(GAMES), CODES))
async def test_pages_views_stories_and_records_keep_names(
    pub: Pub, game: str, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ranks, "MOST_REPLAYS", 25)
    people = [pub.client(name, code) for name in NAMES[:2]]
    rules = {} if game == "420" else {"format": "rounds 2"}
    table = await people[0].order(game=game, rules=rules)
    await people[1].done(table, "sit", name=people[1].name)
    watcher = pub.client(speaks=code)
    streams = [await client.look(table) for client in (*people, watcher)]
    seen = [(await client.page(table)).text for client in (*people, watcher)]
    for deed in ("pause", "unpause"):
        await people[1].done(table, deed)
    await people[0].done(table, "react", phrase=0)
    await play_out(pub, table, people)
    for client in (*people, watcher):
        for path in PAGES:
            answer = await asked_of(client, f"{pub.house.link(table)}{path}", "text/html")
            assert answer.status == 200, (path, answer.text)
            seen.append(answer.text)
    for client in reversed(people):
        await client.done(table, "rematch")
    await pub.settle()
    seen += [json.dumps(message.data, ensure_ascii=False) for each in streams for message in each.messages]
    text = "\n".join(seen)
    around = [text[max(0, at.start() - 200) : at.end() + 40] for at in re.finditer(r"\w+", text) if changed(at[0])]
    assert not around
    assert set(NAMES[:2]) <= set(re.findall(r"\w+", text))


@pytest.mark.parametrize(("game", "code"), each_once(tuple(GAMES), CODES))
def test_a_terminal_has_the_names_as_they_are(game: str, code: str) -> None:
    played = pubdice("--lang", code, "play", game, "--seats", "iris=lucky,ßen=lucky", "--seed", "1")
    assert played.status == 0, played.err
    assert not changed(played.out)
    assert "iris" in played.out


TYPED = ("🎲 Zoë", "O’Brien", "iris", "ßen", "👩‍👧", "♥")
KEPT = ("🎲 Zoë", "O'Brien", "iris", "ßen", "👩‍👧", "♥\ufe0f")


async def test_six_names_of_all_kinds_sit_down_play_and_are_read_again(pub: Pub) -> None:
    people = [pub.client(name) for name in TYPED]
    code = await people[0].order(game="ship", people=7, dice="sealed", rules={"format": "rounds 1"})
    streams = [await people[0].look(code)]
    for client in people[1:]:
        await client.done(code, "sit", name=client.name)
    for name in ("O'Brien", "Oʼbrien", "o´brien", "Iris", "❤️", "👩👧"):
        refused = await pub.client(name).ask(code, "sit", name=name)
        assert refused.data["code"] == "name-taken", refused.data
    people.append(pub.client("Bob"))
    await people[-1].done(code, "sit", name="Bob")
    for number, client in enumerate(people):
        await client.done(code, "seed", seed=f"seed {number}".replace(" ", ""))
    view = await pub.view(code)
    assert [seat["name"] for seat in view["seats"]] == [*KEPT, "Bob"]
    page = read((await people[3].page(code)).text)
    heard = " ".join(node.words() for node in page.all("span", **{"class": "said unseen"}))
    for name in KEPT:
        assert name in heard
    await pub.restart()
    streams.append(await people[1].look(code))
    await play_out(pub, code, people)
    record = (await people[0].get(f"/t/{code}/record")).text
    assert f"seats: {', '.join(KEPT)}, Bob\n" in record
    checked = read_checked(record, GAMES, language("en"))
    assert checked.header.names == (*KEPT, "Bob")
    assert check_dice(record).fault is None
    assert checked.steps[-1].after.over
    said = "\n".join(json.dumps(message.data, ensure_ascii=False) for each in streams for message in each.messages)
    for name in KEPT:
        assert f"{name} rolled " in said
        assert f"\n{name}: " in record
    for command in ("replay", "verify"):
        told = pubdice(command, "-", typed=record)
        assert told.status == 0, told
        if command == "replay":
            assert all(name in told.out for name in KEPT)
    shown = await people[0].send("/record", record=record)
    assert "\N{REPLACEMENT CHARACTER}" not in html.unescape(shown.text)
