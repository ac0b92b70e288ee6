"""Measures how well a phone reads real dice: over a folder of photographs with labels.

The folder has photographs, and ``labels.json`` with the faces that look up and the tags of each:
``{"a.jpg": {"faces": [1, 4], "tags": ["wood"]}}``. Chromium reads each photograph as the page does: 640 pixels long at
most, once with the number of dice known and once without. The table shows for each tag:

- whole: photographs of which all faces are right, with the number of dice known
- alone: the same without that number
- dice: faces that are right, of all faces there are
- exact: faces that are right, of all faces told

Then it tells the photographs without dice in which dice were seen, and the time. With ``--slower 4`` Chromium is slowed
fourfold by its own protocol. The exit status is 1 if a goal is missed.

    .venv/bin/python -m benchmarks.dice_photos --folder FOLDER [--slower 4] [--wrong]
"""

import argparse
import base64
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

STATIC = Path(__file__).parents[1] / "src/pubdice/server/web/static"
TYPES = {".js": "text/javascript", ".bin": "application/octet-stream"}
GOALS = {"whole": 0.9, "six": 0.97, "dice": 0.93, "false": 1 / 9}
SECONDS = 1.5
READ = """async ([photo, due]) => {
  const { layersOf, read } = await import('/dice_reader.js');
  self.layers ??= layersOf(await (await fetch('/dice_reader.bin')).arrayBuffer());
  const picture = await createImageBitmap(new Blob([Uint8Array.from(atob(photo), one => one.charCodeAt(0))]));
  const scale = Math.min(1, 640 / Math.max(picture.width, picture.height));
  const canvas = new OffscreenCanvas(Math.round(picture.width * scale), Math.round(picture.height * scale));
  const pen = canvas.getContext('2d');
  pen.imageSmoothingQuality = 'high';
  pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
  const { data, width, height } = pen.getImageData(0, 0, canvas.width, canvas.height);
  const begun = performance.now();
  const dice = read(layers, data, width, height, due || undefined).filter(({ isMore }) => !isMore);
  return [dice.map(({ face }) => face), performance.now() - begun];
}"""


@dataclass(slots=True)
class Sums:
    """The sums over some photographs."""

    photos: int = 0
    whole: int = 0
    alone: int = 0
    dice: int = 0
    right: int = 0
    told: int = 0

    def add(self, wanted: list[int], known: list[int], alone: list[int]) -> None:
        """Add a photograph with these faces, of which these were told."""
        self.photos += 1
        self.whole += sorted(known) == sorted(wanted)
        self.alone += sorted(alone) == sorted(wanted)
        self.dice += len(wanted)
        self.right += (Counter(wanted) & Counter(known)).total()
        self.told += len(known)

    def line(self, name: str) -> str:
        """Return a row of the table."""
        shares = (
            self.whole / self.photos,
            self.alone / self.photos,
            self.right / self.dice,
            self.right / max(1, self.told),
        )
        return f"{name:14}{self.photos:7}" + "".join(f"{100 * share:8.1f}" for share in shares)


@dataclass(slots=True)
class Found:
    """What a folder gave."""

    tags: dict[str, Sums] = field(default_factory=lambda: defaultdict(Sums))
    empty: int = 0
    false: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    ms: list[float] = field(default_factory=list)


def main() -> int:
    """Read the folder, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--slower", type=float, default=1)
    parser.add_argument("--wrong", action="store_true", help="list the photographs that were read wrongly")
    options = parser.parse_args()
    with reading(options.slower) as page:
        found = measure(options.folder, page)
    print(f"{'':14}{'photos':>7}{'whole':>8}{'alone':>8}{'dice':>8}{'exact':>8}")
    for name in sorted(found.tags, key=lambda name: -found.tags[name].photos):
        print(found.tags[name].line(name))
    print(f"without dice: {len(found.false)} of {found.empty} with dice seen")
    print(f"time: {median(found.ms):.0f} ms, at most {max(found.ms):.0f} ms, {options.slower:g} times slower")
    if options.wrong:
        print("\n".join([*found.wrong, *found.false]))
    every, six = found.tags["all"], found.tags.get("six dice", Sums(1, 1))
    shares = {"whole": every.whole / every.photos, "six": six.whole / six.photos, "dice": every.right / every.dice}
    missed = [name for name, share in shares.items() if share < GOALS[name]]
    missed += ["false"] * (len(found.false) > GOALS["false"] * found.empty)
    missed += ["time"] * (options.slower == 4 and median(found.ms) > 1000 * SECONDS)
    print(f"goals missed: {', '.join(missed) or 'none'}")
    return bool(missed)


@contextmanager
def reading(slower: float = 1) -> Iterator["Page"]:
    """Yield a page that can import the reader."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415  not needed to list the options

    from benchmarks.load.chromium import CHROMIUM, FLAGS  # noqa: PLC0415

    def answer(route: "Route") -> None:
        file = STATIC / route.request.url.rpartition("/")[2]
        if file.is_file():
            route.fulfill(body=file.read_bytes(), content_type=TYPES[file.suffix])
        else:
            route.fulfill(body="<!doctype html>", content_type="text/html")

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page()
        page.route("**/*", answer)
        page.goto("http://localhost/")
        if slower > 1:
            page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slower})
        yield page
        browser.close()


def measure(folder: Path, page: "Page") -> Found:
    """Read all photographs of a folder."""
    labels: dict[str, Any] = json.loads((folder / "labels.json").read_text("utf-8"))
    found = Found()
    for name, label in sorted(labels.items()):
        photo = base64.b64encode((folder / name).read_bytes()).decode()
        wanted: list[int] = label["faces"]
        alone, _ = page.evaluate(READ, [photo, 0])
        if not wanted:
            found.empty += 1
            found.false += [f"{name}: saw {sorted(alone)}"] if alone else []
            continue
        known, ms = page.evaluate(READ, [photo, len(wanted)])
        found.ms.append(ms)
        if sorted(known) != sorted(wanted):
            found.wrong.append(f"{name}: has {sorted(wanted)}, told {sorted(known)} ({', '.join(label['tags'])})")
        sorts = ["six dice"] if len(wanted) == 6 and not {"steep", "tilted"} & set(label["tags"]) else []
        for tag in ["all", *sorts, *label["tags"]]:
            found.tags[tag].add(wanted, known, alone)
    return found


if __name__ == "__main__":
    sys.exit(main())
