"""The framing policy of the house's pages in a pocket. A frame of the pocket's own page shows them. No other site may
do that.
"""


def framed(value: str) -> str:
    """Return a header's value in which the house's policy is relaxed: pages of the same origin may frame the house's
    pages.
    """
    return value.replace("frame-ancestors 'none'", "frame-ancestors 'self'")
