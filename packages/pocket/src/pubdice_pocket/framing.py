"""The framing policy of the house's pages in a pocket. The pocket's own page shows them in a frame. No other site may
frame them.
"""


def framed(value: str) -> str:
    """Return a header's value in which the house's policy is relaxed: pages of the same origin may frame the house's
    pages.
    """
    return value.replace("frame-ancestors 'none'", "frame-ancestors 'self'")
