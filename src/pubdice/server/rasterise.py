"""Draws an SVG as a PNG, from its input to its output: the program of a process of its own (``pages.preview``).

It is run by its path, so that it loads nothing of ours, and isolated (``python -I``), so that no variable and no file
beside it has a say. Then Python leaves out a user's own packages, too: the folders of what it needs are its arguments.
The system's fonts are not looked through, which takes longer than drawing.
"""

import sys
from importlib.util import find_spec
from pathlib import Path

FAMILY = "Source Serif Pro"
STYLES = ("Regular", "Bold")


def main() -> None:
    """Draw what comes."""
    sys.path += sys.argv[1:]
    import resvg_py  # noqa: PLC0415  only now can it be found

    package = find_spec("font_source_serif_pro")  # to import it lists all its files
    fonts = Path(package.origin).parent / "files" if package and package.origin else Path()
    png = resvg_py.svg_to_bytes(
        svg_string=sys.stdin.buffer.read().decode(),
        skip_system_fonts=True,
        font_files=[str(fonts / f"SourceSerifPro-{style}.ttf") for style in STYLES],
        serif_family=FAMILY,
        sans_serif_family=FAMILY,
    )
    sys.stdout.buffer.write(png)


if __name__ == "__main__":
    main()
