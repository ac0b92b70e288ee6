"""A match of two at one table, each with a phone, moved on without a page."""

from typing import Any

from playwright.sync_api import BrowserContext

from browser.scene import Scene, Visitor
from support.browser import ask, open_table, sit

FORMATS = {
    "midnight": "rounds 5",
    "420": "race",
    "mexico": "lives 3",
    "ship": "rounds 3",
    "threes": "rounds 3",
    "shutbox": "rounds 3",
}
"""A match of each game of the house."""


class Two:
    """Ann and Ben at one table, each with a phone."""

    def __init__(self, visitor: Visitor, game: str, tongue: str = "en-GB", rules: str = "", **more: Any) -> None:
        settings = {"locale": tongue}
        self.hosts: list[BrowserContext] = [visitor(**settings), visitor(**settings)]
        self.table = open_table(self.hosts[0], people=2, game=game, rules={"format": rules or FORMATS[game]}, **more)
        sit(self.hosts[1], self.table, "Ben")
        scene = Scene(visitor)
        self.pages = [scene.lay(scene.at(self.table, host)) for host in self.hosts]

    def view(self, tongue: str = "en-GB") -> dict[str, Any]:
        """The table as it stands, in a language."""
        answer = self.hosts[0].request.get(f"{self.table}/state", headers={"Accept-Language": tongue})
        shown: dict[str, Any] = answer.json()["view"]
        return shown

    def step(self, view: dict[str, Any] | None = None) -> dict[str, Any]:
        """One move of the player whose turn it is: a roll, or a keep of the first die there is; the view after it.

        view: the table as it stands, if it is known.
        """
        view = view or self.view()
        if view["moves"]:
            assert ask(self.hosts[view["mover"]], self.table, do="choose", action=view["moves"][0]["move"]) == 200
            return self.view()
        free = [die["marks"] for die in view["dice"] if die["marks"]]
        marks = (
            {}
            if view["ask"] == "roll" or view["bank"] or not free
            else {"marks": [int(one) for one in free[0].split()]}
        )
        mover = self.hosts[view["mover"]]
        if ask(mover, self.table, do="roll", **marks) != 200:
            ask(mover, self.table, do="reroll")
        return self.view()

    def until(self, mover: int, asks: str = "") -> dict[str, Any]:
        """Play until it is a seat's turn, and something is asked of it."""
        view = self.view()
        for _ in range(60):
            if view["stage"] == "over":
                raise AssertionError("the match is over")
            if view["mover"] == mover and asks in ("", view["ask"]):
                return view
            view = self.step(view)
        raise AssertionError("it never came to that")

    def seen(self, view: dict[str, Any]) -> None:
        """Wait until both pages show it."""
        for page in self.pages:
            page.wait_for_function(f"() => +document.getElementById('table').dataset.seq >= {view['seq']}")
