"""Draws an SVG from its input as a PNG to its output. It runs as a process of its own (``pages.preview``).

It is run by its path, so it loads none of our modules, and isolated (``python -I``), so no environment variable and no
file beside it counts. Isolation also hides packages in a user's folder, so the folders it needs are its arguments. It
skips the system's fonts, as a search through them takes longer than drawing.
"""

import sys
from importlib.util import find_spec
from pathlib import Path

FAMILY = "Source Serif Pro"
STYLES = ("Regular", "Bold")


def main() -> None:
    """Read an SVG from stdin, and write its PNG to stdout."""
    sys.path += sys.argv[1:]
    import resvg_py  # noqa: PLC0415  only now can it be found

    package = find_spec("font_source_serif_pro")  # an import would list all its files
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
