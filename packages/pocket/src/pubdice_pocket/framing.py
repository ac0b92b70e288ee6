"""The policy of the house's pages in the pocket: the page round them may frame them, and no other site."""


def framed(value: str) -> str:
    """A header's value. The house's policy forbids framing. Here, pages of the same origin may frame it."""
    return value.replace("frame-ancestors 'none'", "frame-ancestors 'self'")
