"""Where others come in: never "localhost" if there is a better address, and a plain reason where there is none."""

from pathlib import Path

import httpx
import pytest
from starlette.requests import Request

from pubdice.server.web.browser import Browser, PublicAddress
from pubdice.server.web.guard import HEADER_VALUES
from pubdice.text.catalogues import CODES, language
from pubdice.text.language import Language
from support.house_process import House

LAN = "http://192.168.1.7:4224/"
LOCAL = ("localhost:4224", "127.0.0.1:4224", "[::1]:4224", "dice.localhost")


def browser(host: str, scheme: str = "http") -> Browser:
    """Somebody who opened a page under this name."""
    headers = {b"host": host.encode()}
    scope = {"type": "http", "scheme": scheme, "path": "/", "headers": [*headers.items()], HEADER_VALUES: headers}
    return Browser(Request(scope))


@pytest.mark.parametrize("host", LOCAL)
def test_a_page_opened_on_the_machine_itself_passes_on_the_networks_address(host: str) -> None:
    reach = PublicAddress(network=LAN, how="make serve")
    assert reach.origin(browser(host)) == "http://192.168.1.7:4224"
    assert reach.trouble(browser(host), Language()) == ""


@pytest.mark.parametrize("host", LOCAL)
def test_where_only_this_machine_gets_in_the_page_says_so_and_how_to_mend_it(host: str) -> None:
    reach = PublicAddress(how="make serve HOST=0.0.0.0")
    assert reach.origin(browser(host)) == f"http://{host}"
    for code in CODES:
        assert "make serve HOST=0.0.0.0" in reach.trouble(browser(host), language(code))


def test_an_address_that_was_given_goes_before_all_others() -> None:
    reach = PublicAddress("https://dice.example", LAN)
    for host in (*LOCAL, "192.168.1.7:4224"):
        assert reach.origin(browser(host)) == "https://dice.example"
        assert reach.trouble(browser(host), Language()) == ""


def test_a_phone_passes_on_the_address_it_came_by_itself() -> None:
    for reach in (
        PublicAddress(network=LAN),
        PublicAddress(how="make serve"),
    ):  # the second: behind a proxy on the same machine
        assert reach.origin(browser("dice.example", "https")) == "https://dice.example"
        assert reach.trouble(browser("dice.example"), Language()) == ""


def test_the_qr_code_and_the_preview_lead_to_the_same_address_as_the_link(tmp_path: Path) -> None:
    with House(tmp_path, "--address", "https://dice.example") as house:
        with httpx.Client(base_url=f"http://127.0.0.1:{house.port}", headers={"host": "localhost"}) as ann:
            order = {"game": "midnight", "name": "Ann", "key": "a-key-of-mine"}
            page = ann.get(ann.post("/tables", json=order).json()["go"], headers={"accept": "text/html"}).text
        assert 'content="https://dice.example/preview.png"' in page
        assert 'href="https://dice.example/t/' in page
