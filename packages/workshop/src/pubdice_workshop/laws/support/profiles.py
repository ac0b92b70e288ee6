"""The test profile, from the variable PUBDICE_PROFILE. "nightly" runs the long tests too."""

import os

PROFILE = os.environ.get("PUBDICE_PROFILE", "default")
NIGHTLY = PROFILE == "nightly"
