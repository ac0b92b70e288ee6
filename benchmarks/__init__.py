"""Scripts that measure one claim each, against a named peer or a limit in the same run. See README.md."""
