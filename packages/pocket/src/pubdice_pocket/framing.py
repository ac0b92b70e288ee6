"""The policy of the house's pages, which lie in a frame here: the page round them may show them, and no other site."""


def framed(value: str) -> str:
    """The value of a header, with that policy if it is the house's own, which nobody may frame."""
    return value.replace("frame-ancestors 'none'", "frame-ancestors 'self'")
