"""House rules with their price: the numbers of ``pubdice odds --json``, links that carry a choice, the fair order, and
what stands beside the choices of a form that opens a table.
"""

import json
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest

from pubdice.advice.rule_prices import price_part
from pubdice.advice.rule_variants import FAIR, NOW, PricedRules, comparable, match_rules, most_even, orders
from pubdice.cli import main
from pubdice.core.errors import Unsolved
from pubdice.games import GAMES
from pubdice.text.catalogues import language
from server.http.test_ask import asked_of
from support.house import Pub, table_of
from support.html_tree import filled, read

CASES: list[tuple[str, dict[str, str]]] = [
    ("midnight", {"need": "2 4", "opener": "loser"}),
    ("ship", {"format": "pot", "cargo": "stays"}),
    ("threes", {"moon": "first", "format": "rounds:2", "opener": "winner"}),
    ("mexico", {"hold": "1 2", "format": "lives:1"}),
    ("420", {"seats": "3", "format": "drinks"}),
    ("ship", {"seats": "6"}),  # and seven are not solved
]
QUICK = 1
"""The case of every run. The others are nightly."""


def printed(capsys: pytest.CaptureFixture[str], game: str, rules: dict[str, str]) -> Any:
    """The command's data. None if it refuses."""
    flags = [part for key, text in rules.items() for part in (f"--{key}", text)]
    status = main(["odds", game, *flags, "--json"])
    told = capsys.readouterr()
    return json.loads(told.out) if status == 0 else None


@pytest.mark.parametrize(
    ("game", "given"),
    [
        pytest.param(*case, id=f"{case[0]} {at}", marks=() if at == QUICK else pytest.mark.nightly)
        for at, case in enumerate(CASES)
    ],
)
async def test_every_number_is_that_of_odds_to_the_last_digit(
    pub: Pub, capsys: pytest.CaptureFixture[str], game: str, given: dict[str, str]
) -> None:
    data = (await asked_of(pub.client("Ann"), f"/prices/{game}?{urlencode(given)}")).data
    assert data["rules"].items() >= given.items() - {("format", "pot")}
    assert data["prices"][0]["rule"] == NOW
    assert len(data["prices"]) == data["of"]
    seen = 0
    for part in data["prices"]:
        for choice in part["choices"]:
            expected = printed(capsys, game, choice["rules"])
            assert choice.get("odds") == expected
            assert bool(choice.get("why")) == (expected is None)
            seen += expected is not None
    assert seen > 1


async def test_the_match_is_one_sentence(pub: Pub) -> None:
    page = read((await pub.client("Ann", "de").get("/prices/ship?format=points+20", "text/html")).text)
    lead = [node.words() for node in page.all("p") if node.attrs.get("class") == "lead"]
    assert lead == ["2 Personen, wer zuerst 20 Punkte hat."]


async def test_each_choice_shows_its_difference_and_leads_to_its_match(pub: Pub) -> None:
    ann, target = pub.client("Ann"), "/prices/ship?seats=2&format=rounds:2&opener=rotate"
    data = (await asked_of(ann, target)).data
    page = read((await asked_of(ann, target, "text/html")).text)
    sections = {node.attrs["id"]: node for node in page.all("section")}
    assert list(sections) == [NOW, FAIR, "cargo", "boxcars", "opener", "format", "seats"]
    shares = data["prices"][0]["choices"][0]["odds"]["share"]
    told = [row.all("td")[-1].words() for row in sections[NOW].one("tbody").all("tr")]
    assert told == [f"{100 * share:.1f}%" for share in shares]
    assert len(sections[NOW].all("svg")) == len(shares)
    bars = [cell for cell in sections[NOW].all("td") if cell.all("svg")]
    assert {cell.attrs["aria-hidden"] for cell in bars} == {"true"}, "an empty cell is read as blank"
    for part in data["prices"][2:]:
        rows = sections[part["rule"]].one("tbody").all("tr")
        for row, choice in zip(rows, part["choices"], strict=True):
            links, (first, change) = row.all("a"), row.all("td")
            share = choice["odds"]["share"][0]
            assert first.words().startswith(f"{100 * share:.1f}%")
            if choice["rules"] == data["rules"]:
                assert not links
                assert row.one("th").words().endswith(", now")
                assert change.words() == "–"
                continue
            where = urlsplit(str(links[0].attrs["href"]))
            assert where.path == "/prices/ship"
            assert dict(parse_qsl(where.query)) == choice["rules"]
            if part["rule"] != "seats":
                sign = "+" if share > shares[0] else "\N{MINUS SIGN}"
                assert change.words().startswith(sign)
    assert "style" not in {name for node in page.one("main").all("svg", "rect", "path", "td") for name in node.attrs}


async def test_the_fair_order_is_the_most_even_of_those_listed(pub: Pub) -> None:
    ann = pub.client("Ann")
    data = (await asked_of(ann, "/prices/ship")).data
    fair = next(part for part in data["prices"] if part["rule"] == FAIR)
    spreads = [max(choice["odds"]["share"]) - min(choice["odds"]["share"]) for choice in fair["choices"]]
    assert spreads[fair["best"]] == min(spreads)
    best = fair["choices"][fair["best"]]
    section = read((await asked_of(ann, "/prices/ship", "text/html")).text).one("section", id=FAIR)
    assert section.all("p")[0].words() == (
        "Fairest: 10 rounds, next to start: the next player to the left. "
        "Player 1 then has 50.0%. The best and the worst place are 0.06% apart."
    )
    assert (best["rules"]["format"], best["rules"]["opener"]) == ("rounds:10", "rotate")
    assert len(section.one("tbody").all("tr")) == len(spreads)


@pytest.mark.parametrize("game", GAMES)
def test_few_orders_are_compared_and_no_match_twice(game: str) -> None:
    kit = GAMES[game]
    for seats in ("2", "6"):
        for kind in kit.formats:
            rules = match_rules(kit, {"seats": seats, "format": kind.name})
            found = [tuple(sorted(each.items())) for each in orders(kit, rules)]
            assert found[0] == tuple(sorted(rules.items()))
            assert len(set(found)) == len(found) <= 32
    if game == "midnight":
        single = match_rules(kit, {"format": "rounds:1", "opener": "winner"})
        assert [each["opener"] for each in orders(kit, single) if each["format"] == "rounds:1"] == ["winner"]


@pytest.mark.parametrize("game", GAMES)
def test_an_order_is_named_by_the_next_opener(game: str) -> None:
    kit = GAMES[game]
    for kind in kit.formats:
        rules = match_rules(kit, {"format": kind.name})
        compared = orders(kit, rules)
        unsolved = PricedRules(compared, lambda each: MemoryError(), [MemoryError() for _ in compared])
        for choice in price_part(kit, FAIR, rules, unsolved, language("en")).choices:
            form = kit.format(choice.rules["format"])
            assert ("next to start" in choice.label) == (len(form.openers) > 1 and not form.is_one_round)


def test_a_small_chance_has_as_many_decimals_as_it_takes() -> None:
    kit = GAMES["ship"]
    rules = match_rules(kit, {})
    compared = orders(kit, rules)
    worth = {"share": [0.00003, 0.0000004, 0.0006, 0.99937], "utility": "share", "bound": 0.0}
    priced = PricedRules(compared, lambda each: worth, [worth for _ in compared])
    choice = price_part(kit, FAIR, rules, priced, language("en")).choices[0]
    assert choice.values == ("0.003%", "0.00004%", "0.06%", "99.9%")


@pytest.mark.parametrize(
    ("target", "status", "why"),
    [
        ("/prices/midnight?need=3+3", 422, '"need" can be'),
        ("/prices/midnight?seats=1", 422, "players"),
        ("/prices/midnight?seats=2.5", 422, "players"),
        ("/prices/midnight?format=rounds:0", 422, "Enter a number: 1"),
        ("/prices/midnight?format=lives:3", 422, "is played as"),
        ("/prices/mexico?opener=fixed", 422, "The opener can be"),
        ("/prices/midnight?colour=red", 422, "colour"),
        ("/prices/chess", 404, "Page not found"),
    ],
)
async def test_what_cannot_be_asked_is_refused_in_a_sentence(pub: Pub, target: str, status: int, why: str) -> None:
    ann = pub.client("Ann")
    data = await ann.get(target)
    assert data.status == status
    assert why in data.data["why"]
    assert "--" not in data.data["why"]
    page = await ann.get(target, "text/html")
    assert page.status == status
    assert data.data["why"].rstrip(".") in read(page.text).words()


async def test_what_is_not_solved_says_why(pub: Pub) -> None:
    ann, why = pub.client("Ann"), "Ship, Captain and Crew is solved for 6 seats at most."
    page = read((await asked_of(ann, "/prices/ship?seats=9", "text/html")).text)
    for part in (NOW, "cargo", "seats"):
        section = page.one("section", id=part)
        assert section.all("p")[-1].words() == why
        assert section.all("table", "svg") == []
    page = read((await asked_of(ann, "/prices/ship?seats=6", "text/html")).text)
    rows = page.one("section", id="seats").one("tbody").all("tr")
    assert [len(row.all("td")) for row in rows] == [2, 2, 1]
    assert rows[2].one("td").words() == why


async def test_an_order_solved_round_by_round_is_never_the_fair_one(pub: Pub) -> None:
    ann, target = pub.client("Ann"), "/prices/midnight?seats=9"
    data = (await asked_of(ann, target)).data
    fair = next(part for part in data["prices"] if part["rule"] == FAIR)
    assert [choice["rules"]["format"] for choice in fair["choices"] if "odds" in choice] == ["rounds:1"]
    section = read((await asked_of(ann, target, "text/html")).text).one("section", id=FAIR)
    assert section.all("p")[0].words().endswith("Solved for the whole match: 1 of 25 orders.")


def test_only_values_of_the_whole_match_are_compared() -> None:
    """Three players whose worst score opens are solved one round at a time. Every order then looks the same."""
    match = {"share": [0.4, 0.6], "utility": "share of the match", "bound": 1e-12}
    one_round = {"round_wins": [0.5, 0.5], "utility": "round wins, one round at a time", "bound": 1e-12}
    assert most_even([one_round, match]) == 1
    assert most_even([one_round]) is None
    assert most_even([Unsolved("order-seats"), match, {**match, "share": [0.6, 0.4 + 1e-13]}]) == 1
    assert most_even([match, {**match, "share": [0.45, 0.55]}]) == 1
    assert not comparable(match, one_round)


async def test_everybody_at_a_table_is_led_to_its_match(pub: Pub) -> None:
    (ann, bob), code = await table_of(
        pub, "Ann", "Bob", game="ship", people=None, rules={"format": "rounds 3", "cargo": "single"}
    )
    for client in (ann, bob, pub.client("Eve")):
        links = [str(link.attrs["href"]) for link in read((await client.page(code)).text).all("a")]
        where = urlsplit(next(link for link in links if link.startswith("/prices/")))
        assert where.path == "/prices/ship"
        asked = dict(parse_qsl(where.query))
        assert asked == {"cargo": "single", "boxcars": "no", "seats": "2", "format": "rounds:3", "opener": "rotate"}
    assert read((await ann.get("/rules/ship", "text/html")).text).one("main").all("a", href="/prices/ship")


@pytest.mark.parametrize(
    "game", [pytest.param(game, marks=() if game == "ship" else pytest.mark.nightly) for game in GAMES]
)
async def test_each_switch_of_the_form_shows_the_first_players_share(pub: Pub, game: str) -> None:
    ann = pub.client("Ann")
    front = read((await ann.get("/", "text/html")).text)
    front = read((await ann.send("/houserules", **(filled(front.one("form", id="open")) | {"game": game}))).text)
    fields = filled(front.one("form", id="open")) | {"game": game}
    data = (await asked_of(ann, (await ann.send("/prices", **fields)).headers["location"])).data
    priced: dict[tuple[str, str], str] = {}
    for part in data["prices"]:
        for choice in part["choices"]:
            if part["rule"] in (NOW, "seats"):
                assert choice["fields"] == {}
                continue
            made = await ann.send("/prices", **fields | choice["fields"])  # the form makes that very match
            assert dict(parse_qsl(urlsplit(made.headers["location"]).query)) == choice["rules"]
            (name, value), *numbers = choice["fields"].items()
            if part["rule"] != FAIR and all(fields[number] == text for number, text in numbers):
                priced[name, value] = choice["beside"]
            if "odds" in choice and (share := choice["odds"].get("share")):
                assert choice["beside"].startswith(f"Player 1: {100 * share[0]:.1f}%")
    said = {f"{game}.{key}" for key in ("format", "opener", *(option.key for option in GAMES[game].options))}
    shown = [node for node in front.all("input", type="radio") if node.attrs["name"] in said]
    alone = {str(node.attrs["name"]) for node in shown}
    alone = {name for name in alone if sum(node.attrs["name"] == name for node in shown) == 1}
    assert {(node.attrs["name"], node.attrs["value"]) for node in shown if node.attrs["name"] not in alone} == {*priced}
    assert all(told.startswith("Player 1: ") or told.endswith(".") for told in priced.values())


async def test_a_form_says_its_price_and_once_why_there_is_none(pub: Pub) -> None:
    ann = pub.client("Ann")
    data = (await asked_of(ann, "/prices/ship?seats=2&format=rounds:2")).data
    share = data["prices"][0]["choices"][0]["odds"]["share"][0]
    assert data["told"] == f"Share of the match: with these rules, Player 1 has {100 * share:.1f}%."
    fair = next(part for part in data["prices"] if part["rule"] == FAIR)
    assert fair["told"].startswith("Fairest: 10 rounds, ")
    assert fair["choices"][fair["best"]]["fields"] == {
        "ship.format": "rounds",
        "ship.opener": "rotate",
        "ship.rounds": "10",
        "ship.rounds-tie": "0",
        "ship.rounds-replay": "0",
    }
    large = (await asked_of(ann, "/prices/ship?seats=9")).data
    assert large["told"] == "Ship, Captain and Crew is solved for 6 seats at most."
    choices = [choice for part in large["prices"] for choice in part["choices"]]
    assert {choice["beside"] for choice in choices if choice.get("why") == large["told"]} == {""}
    mixed = (await asked_of(ann, "/prices/ship?seats=6")).data
    more = next(part for part in mixed["prices"] if part["rule"] == "seats")["choices"][2]
    assert more["beside"] == more["why"] == large["told"]


@pytest.mark.parametrize(
    ("wrong", "field", "why"),
    [
        ({"players": "1"}, "players", "for 2 to 20 players"),
        ({"players": "many"}, "players", "for 2 to 20 players"),
        ({"players": "99"}, "players", "for 2 to 20 players"),
        ({"midnight.rounds": "0"}, "midnight.rounds", "Enter a number: 1"),
        ({"midnight.need": "3 3"}, "midnight.need", '"need" can be'),
        ({"midnight.opener": "nobody"}, "midnight.opener", "can be"),
        ({"game": "chess"}, "game", "no game of that name"),
    ],
)
async def test_a_wrong_form_comes_back_with_why_beside_the_field(
    pub: Pub, wrong: dict[str, str], field: str, why: str
) -> None:
    ann = pub.client("Ann")
    form = read((await ann.get("/", "text/html")).text).one("form", id="open")
    fields = filled(form) | {"midnight.need": "2 4"} | wrong
    answer = await ann.send("/prices", **fields)
    kind = "application/x-www-form-urlencoded"
    data = await ann.request(
        "POST", "/prices", urlencode(fields).encode(), content_type=kind, accept="application/json"
    )
    assert answer.status == data.status == 422
    assert why in data.data["why"]
    page = read(answer.text)
    assert page.one(id="refusal").words() == data.data["why"]
    if field == "players":
        assert page.one("select", id="players").attrs["aria-describedby"] == "refusal"
    assert ("open" in page.one("details", id="house").attrs) == (field != "game")
