"""The policy of the house's pages in the pocket: the page round them may frame them, and no other site."""


def framed(value: str) -> str:
    """A header's value. If it is the house's policy, which forbids framing, the same origin may frame the page."""
    return value.replace("frame-ancestors 'none'", "frame-ancestors 'self'")
