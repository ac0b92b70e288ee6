"""The house's address for a person to pass on to others; and why phones can't reach it, if they can't."""

from dataclasses import dataclass

from pubdice.server.http.browser import Browser
from pubdice.text.language import Language


@dataclass(frozen=True, slots=True)
class PublicAddress:
    """The addresses of a house for others.

    address: for everybody, if the operator named one. network: for phones on the same network; "" if the house listens
    on this machine only. how: the command that opens it to the network.
    """

    address: str = ""
    network: str = ""
    how: str = ""

    def origin(self, browser: Browser) -> str:
        """The address to pass on: "localhost" would lead a phone to itself."""
        return (self.address or (self.network if browser.is_local else "") or browser.origin).rstrip("/")

    def trouble(self, browser: Browser, language: Language) -> str:
        """Why phones can't reach the house, and how to change that; "" if they can."""
        if self.address or self.network or not browser.is_local:
            return ""
        return language.say(
            "Phones can't join yet: Pubdice only listens on this machine. Start it with {command} and they can.",
            command=self.how,
        )
