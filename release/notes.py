"""The notes of a tag, from CHANGELOG; refused where the commit is not yet the release that the tag names."""

import argparse
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]


class NotReady(Exception):
    """The reason why a commit is not the release that a tag names."""


def notes(tag: str, folder: Path = ROOT) -> str:
    """The notes of a release, as CHANGELOG has them. Raises NotReady."""
    project = tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))["project"]
    version = project["version"]
    if tag != f"v{version}":
        raise NotReady(f"The tag is {tag}, but pyproject.toml has version {version}: it would be v{version}.")
    if "urls" not in project:
        raise NotReady("The project has no address yet: python -m release.address ACCOUNT writes it.")
    text = (folder / "CHANGELOG.md").read_text("utf-8")
    before, _, rest = text.partition(f"\n## {version} (")
    if not rest:
        raise NotReady(f"CHANGELOG.md has no section {version}: name the unreleased part so.")
    if before.partition("\n## Unreleased\n")[2].strip():
        raise NotReady("CHANGELOG.md has unreleased lines: they belong to this release, or to a later commit.")
    section = rest.partition("\n")[2].partition("\n## ")[0].strip()
    return f"{section}\n"


def main(words: Sequence[str]) -> int:
    """Print the notes of a tag; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m release.notes", description="Prints the notes of a release.")
    parser.add_argument("tag", help="such as v0.9.0")
    try:
        sys.stdout.write(notes(parser.parse_args(words).tag))
    except NotReady as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
