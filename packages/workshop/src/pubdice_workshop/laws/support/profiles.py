"""The profile in which the tests run: "nightly" runs the long ones too."""

import os

PROFILE = os.environ.get("PUBDICE_PROFILE", "default")
NIGHTLY = PROFILE == "nightly"
