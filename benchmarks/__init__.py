"""One script a claim, each against a named peer or a limit, in one run. See README.md."""
