"""Where Chromium is, and how it is started: for pages measured here, and for the tests in real pages."""

import os

CHROMIUM = os.environ.get("PUBDICE_CHROMIUM", "/usr/bin/chromium")
FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync",
    "--no-first-run", "--disable-component-update", "--disable-quic",
]  # fmt: skip
