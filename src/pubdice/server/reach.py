"""Under which address others come to the house, as whoever asks can pass it on; and why no phone can, if none can."""

from dataclasses import dataclass

from pubdice.server.visitor import Visitor
from pubdice.words import Language


@dataclass(frozen=True, slots=True)
class Reach:
    """How the house is reached from elsewhere.

    address: where everybody finds it, if whoever runs it said so. network: where phones on the same network find it;
    "" where the house listens on this machine only. how: the command that opens it to the network.
    """

    address: str = ""
    network: str = ""
    how: str = ""

    def origin(self, visitor: Visitor) -> str:
        """The address to pass on: "localhost" would lead a phone to itself."""
        return (self.address or (self.network if visitor.is_local else "") or visitor.origin).rstrip("/")

    def trouble(self, visitor: Visitor, language: Language) -> str:
        """Why phones cannot come, and how to mend it; "" where they can."""
        if self.address or self.network or not visitor.is_local:
            return ""
        return language.say(
            "Phones can't join yet: Pubdice only listens on this machine. Start it with {command} and they can.",
            command=self.how,
        )
