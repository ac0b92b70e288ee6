"""A folder with the real service worker and a nearly empty page, for tests of caches without Python.

The page records the messages that it gets in ``told``. With ``play()`` it acts as the engine.
"""

import os
from pathlib import Path

from playwright.sync_api import BrowserContext, Page

import pubdice_pocket
from pubdice_pocket.build.contents import assemble, service_worker
from pubdice_pocket.build.on_disk import write_folder
from support.browser import until

STATIC = Path(pubdice_pocket.__file__).parent / "static"
HEAD = (STATIC / "index.html").read_text("utf-8").partition("<title>")[0]
LARGE = "four hundred and twenty, " * 9_000  # a text so large that a first visit fetches it only on demand
PAGE = f'{HEAD}<title>Small</title><script type="module" src="pocket/page.js"></script><p>Small {{}}</p></html>'
SCRIPT = """
window.told = [];
const { serviceWorker } = navigator;
let playing = '';
window.play = as => {
  playing = as;
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = async ({ data, ports }) => {
    if (playing === 'silent') return;
    for (let times = 0; playing === 'loading' && times < 30; times++) {
      ports[0].postMessage({ waits: true });
      await new Promise(later => setTimeout(later, 200));
    }
    ports[0].postMessage({ status: 200, headers: [['content-type', 'text/plain']] });
    ports[0].postMessage({ part: new TextEncoder().encode(`${playing} ${data.method} ${data.target}`), more: false });
    ports[0].close();
  };
  serviceWorker.controller.postMessage({ engine: true }, [port2]);
};
serviceWorker.onmessage = ({ data }) => {
  told.push(data);
  if (data.engineWanted && playing) play(playing);
};
window.registering = serviceWorker.register(new URL('../sw.js', import.meta.url));
"""
COMPLETE = """() => new Promise(told => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = ({ data }) => told(data.complete);
  navigator.serviceWorker.controller.postMessage({ complete: true }, [port2]);
})"""


def write_small(folder: Path, said: str, *, large: bytes = b"", **more: bytes) -> str:
    """Write a version of the folder with a text of its own. Return its version. ``more`` has further files for
    ``pocket``.
    """
    files = {
        "index.html": PAGE.format(said).encode(),
        "sw.js": service_worker(),
        "manifest.webmanifest": b"{}",
        "pocket/page.js": SCRIPT.encode(),
        "pocket/said.txt": said.encode(),
        "pocket/same.txt": b"the same in every version",
        "pocket/engine/large.txt": large or LARGE.encode(),
        **{f"pocket/{name}.txt": text for name, text in more.items()},
    }
    built = assemble(files)
    write_folder(built, folder)
    return built.version


def visit(context: BrowserContext, address: str, *, installed: bool = True) -> Page:
    """Return a page of the folder. If ``installed``, wait until a service worker serves its files and has all
    of them.
    """
    page = context.new_page()
    page.goto(address)
    if installed:
        until(page, "navigator.serviceWorker.controller !== null")
        assert page.evaluate(COMPLETE)
    return page


LOSE = "async name => { for (const key of await caches.keys()) await (await caches.open(key)).delete(name); }"


def lose(page: Page, name: str) -> None:
    """Delete a file from the service worker's cache and from the browser's."""
    page.evaluate(LOSE, name)
    forget_what_came(page)


def forget_what_came(page: Page) -> None:
    page.context.new_cdp_session(page).send("Network.clearBrowserCache")


def text_of(page: Page, name: str) -> str:
    return str(page.evaluate("async name => await (await fetch(name)).text()", name))


def told(page: Page, key: str) -> list[object]:
    """Return the values of a key in all messages from the service worker to this page that have the key."""
    return list(page.evaluate("key => told.filter(each => key in each).map(each => each[key])", key))


def publish(file: Path, data: bytes) -> None:
    """Replace a file in one step, because a browser may read it at any moment."""
    beside = file.with_suffix(".new")
    beside.write_bytes(data)
    os.replace(beside, file)
