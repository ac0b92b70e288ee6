"""The README as a package index shows it: links and pictures that are relative in the repository lead to it from there.

Hatchling runs it when it builds (``[tool.hatch.metadata.hooks.custom]`` in ``pyproject.toml``).
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

LINK = re.compile(r"(?P<picture>!?)\[(?P<text>(?:[^\[\]]|\[[^\]]*\])*)\]\((?P<target>[^)\s]+)\)")


def absolute(text: str, repository: str, version: str) -> str:
    """The text of a page with every relative link leading to the release of that version."""

    def lead(found: re.Match[str]) -> str:
        target = found["target"]
        if "://" in target or target.startswith(("#", "mailto:")):
            return found[0]
        kind = "raw" if found["picture"] else "blob"
        return f"{found['picture']}[{found['text']}]({repository}/{kind}/v{version}/{target})"

    return LINK.sub(lead, text)


class IndexPage(MetadataHookInterface):
    """Gives the project's metadata its readme."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set the readme to ``README.md``. Its links lead to the repository, if the project has an address."""
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        urls: Mapping[str, str] = metadata.get("urls", {})
        if "Repository" in urls:
            text = absolute(text, urls["Repository"], metadata["version"])
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
