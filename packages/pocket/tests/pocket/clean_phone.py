"""A phone that several tests use one after another. Between them it is made clean by ``clean``, and by nothing else."""

from time import monotonic

from playwright.sync_api import BrowserContext, Page

WITHIN_S = 60
CLEAR = """async () => {
  const held = [];
  const free = (name, work) => work.catch(error => held.push(`${name}: ${error.message}`));
  const gone = asked => new Promise((done, failed) => {
    const fail = () => failed(asked.error ?? new Error('a page has it open'));
    Object.assign(asked, { onsuccess: done, onerror: fail, onblocked: fail });
  });
  localStorage.clear();
  for (const { name } of await indexedDB.databases()) await free(name, gone(indexedDB.deleteDatabase(name)));
  const root = await navigator.storage.getDirectory();
  for await (const name of root.keys()) await free(name, root.removeEntry(name, { recursive: true }));
  return held;
}"""
"""A script that deletes all that a phone stores, such as its certificate, tables and notes. Only the folder's files
stay. Returns the names that something still holds.
"""


def clean(phone: BrowserContext, *addresses: str) -> Page:
    """Make a phone as new, except for the files of the folders at these addresses. Return a page of the last folder
    without a house.

    All that could hold the phone's storage is ended first: its pages, with their workers, streams and open files, and
    its service workers. A browser lets go of a file a moment after the worker that had it, so this waits for that.
    """
    for page in phone.pages:
        page.close()
    page = phone.new_page()
    session = phone.new_cdp_session(page)
    session.send("ServiceWorker.enable")
    session.send("ServiceWorker.stopAllWorkers")
    session.detach()
    for address in addresses:
        page.goto(f"{address}pocket/licences.html")
        by = monotonic() + WITHIN_S
        while held := page.evaluate(CLEAR):
            assert monotonic() < by, f"held, although each page and worker of the phone has ended: {held}"
            page.wait_for_timeout(20)
    return page
