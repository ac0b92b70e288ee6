"""Finds and starts Chromium, for the pages measured here and for the tests in real pages."""

import os
from shutil import which

CHROMIUM = os.environ.get("PUBDICE_CHROMIUM") or which("chromium") or which("google-chrome") or "/usr/bin/chromium"
FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync",
    "--no-first-run", "--disable-component-update", "--disable-quic",
]  # fmt: skip
