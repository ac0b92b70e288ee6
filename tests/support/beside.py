"""Games of packages beside pubdice, laid where Python finds them as pip would lay them."""

from pathlib import Path
from shutil import copytree

from pubdice.games.installed import GROUP
from support.paths import LAWS

EXAMPLE = Path(__file__).parents[2] / "examples/pig/src/pubdice_pig"
ACES = LAWS / "aces.py"


def installed(folder: Path, name: str, value: str) -> Path:
    """An installation's folder with one entry point; what to put before it in PYTHONPATH."""
    about = folder / f"pubdice_{name}-1.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: pubdice-{name}\nVersion: 1\n")
    (about / "entry_points.txt").write_text(f"[{GROUP}]\n{name} = {value}\n")
    return folder


def pig_and_aces(folder: Path) -> Path:
    """A folder with the example package, and with a game of poker dice that has no German."""
    copytree(EXAMPLE, installed(folder, "pig", "pubdice_pig:KIT") / EXAMPLE.name)
    package = installed(folder, "aces", "pubdice_aces:KIT") / "pubdice_aces"
    package.mkdir()
    (package / "__init__.py").write_bytes(ACES.read_bytes())
    return folder
