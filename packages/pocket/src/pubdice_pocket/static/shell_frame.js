/**
 * The house in a frame. The shell takes over the frame's address, title, language and theme, its announcements, and its
 * links that save a file.
 */
import { shield } from './shell_dialogs.js';
import { askWorker } from './shell_engine.js';
import { announce, repeat } from './shell_speech.js';
import { note, say } from './shell_words.js';

const DEVICE = '#this-device';
const PHONES = '#other-phones';
const KNOWN_MS = 1000;

/**
 * Returns the elements that set the colour of the browser's own bars.
 * @param {Document} page
 */
const coloursOf = page => [...page.querySelectorAll('meta[name=theme-color]')];

/**
 * Returns a copy with only the colour. The page may be from another phone's house, and an element with http-equiv could
 * lead the whole tab elsewhere.
 * @param {Element} node
 */
function colourAlone(node) {
  const meta = document.createElement('meta');
  for (const fact of ['name', 'media', 'content']) {
    const said = node.getAttribute(fact);
    if (said !== null) meta.setAttribute(fact, said);
  }
  return meta;
}
/** @param {Element[]} nodes */
const written = nodes => nodes.map(({ outerHTML }) => outerHTML).join();

/**
 * Returns the address of the house's page to show: the tab's own address, as the service worker shows the shell at each
 * address of the house. It includes the host, because a path with two slashes in front would lead to another host.
 * @param {URL} root
 */
export function wanted(root) {
  const { href, pathname } = location;
  return pathname.startsWith(root.pathname) && !pathname.endsWith('/index.html') ? href : root.href;
}

/**
 * Gives the service worker the front page (from the engine's worker) to answer with while the engine starts. With null
 * the engine answers. Resolves when the service worker knows.
 * @param {unknown} front
 */
export async function setFront(front) {
  const { controller } = navigator.serviceWorker;
  if (controller)
    await Promise.race([askWorker(controller, { front }), new Promise(done => setTimeout(done, KNOWN_MS))]);
}

/**
 * Shows the house in a frame, first at `address`. Returns the frame. The callbacks:
 *
 * - shown: the first page is there
 * - went: a page came, with its address, its language, and true if a match is played there
 * - lost: a page did not come
 * - erased: a page came from the host, past the service worker
 * - device, phones: the player asks for the panel about this device, or other phones
 * - sent: a form is sent, with its button's value
 * - unsaved: a link did not save its file
 * @param {string} address
 * @param {{shown: () => void, went: (at: Location, lang: string, playing: boolean) => void,
 *   lost: () => void, erased: () => void, device: () => void, phones: () => void,
 *   sent: (page: Document, way: string) => void, unsaved: () => void}} told
 */
export function openFrame(address, { shown, went, lost, erased, device, phones, sent, unsaved }) {
  /** @type {PageElement} */
  const frame = document.createElement('iframe');
  const seen = new MutationObserver(() => copy());
  frame.title = say('frame');
  frame.className = 'waits';

  function copy() {
    const { contentWindow, contentDocument } = frame;
    // the frame is loading another page
    if (!contentDocument?.documentElement) return;
    const { href } = contentWindow.location;
    const { lang, dataset } = contentDocument.documentElement;
    const { theme } = dataset;
    const own = document.documentElement;
    if (href !== location.href) history.replaceState(history.state, '', href);
    if (document.title !== contentDocument.title) document.title = contentDocument.title;
    if (frame.title !== contentDocument.title) frame.title = contentDocument.title || say('frame');
    if (theme !== own.dataset.theme) {
      if (theme) own.dataset.theme = theme;
      else delete own.dataset.theme;
    }
    const colours = coloursOf(contentDocument).map(colourAlone);
    if (colours.length && written(colours) !== written(coloursOf(document).map(colourAlone))) {
      for (const node of coloursOf(document)) node.remove();
      document.head.append(...colours);
    }
    note({ lang, theme: theme ?? '' });
    went(contentWindow.location, lang, contentDocument.querySelector('main')?.dataset.stage === 'playing');
  }

  function arrived() {
    let page;
    try {
      page = frame.contentDocument;
      if (!page || frame.contentWindow.location.href === 'about:blank') throw page;
    } catch {
      // the frame shows the browser's own error page, or another website
      return lost();
    }
    // our pages come only through a service worker, so the site's data was erased
    if (!frame.contentWindow.navigator.serviceWorker.controller && !page.getElementById('polite')) return erased();
    shield();
    repeat(page);
    seen.disconnect();
    seen.observe(page.head, { subtree: true, childList: true, characterData: true });
    seen.observe(page.documentElement, { attributes: true });
    for (const table of page.querySelectorAll('main[data-stage]'))
      seen.observe(table, { attributeFilter: ['data-stage'] });
    // browsers ignore autofocus in a frame if the outer page already has the focus
    page.querySelector('[autofocus]')?.focus();
    if (frame.contentWindow.performance.getEntriesByType('navigation')[0]?.type === 'back_forward')
      // Orca says nothing when a page comes by Alt and an arrow
      announce(page.title);
    frame.contentWindow.addEventListener('hashchange', copy);
    // Firefox announces the frame's title in place of the page's, so the next page comes to a frame without one
    frame.contentWindow.addEventListener('pagehide', () => frame.removeAttribute('title'));
    page.addEventListener('click', (/** @type {any} */ event) => {
      const link = event.target.closest?.('a');
      if (link?.getAttribute('href') === DEVICE) device();
      else if (link?.getAttribute('href') === PHONES) phones();
      else if (link?.hasAttribute('download')) saveLink(link).then(saved => saved || unsaved());
      else return;
      event.preventDefault();
    });
    page.addEventListener('submit', (/** @type {any} */ { submitter }) => sent(page, submitter?.value ?? ''));
    copy();
    if (!frame.classList.contains('waits')) return;
    frame.classList.remove('waits');
    shown();
  }

  frame.addEventListener('load', arrived);
  frame.src = address;
  document.body.prepend(frame);
  shield();
  return frame;
}

// Links of the house that save a file. Browsers fetch such a link past the service worker, from the host, which has no
// such file. So this page fetches the file from the engine, and hands it over as a download.

/**
 * Hands bytes to the browser as a download.
 * @param {BlobPart} bytes
 * @param {string} name
 */
export function download(bytes, name) {
  const link = document.createElement('a');
  const url = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
  link.href = url;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/**
 * Saves the file of a link with the attribute "download". Resolves to true if it was saved.
 * @param {PageElement} link
 */
export async function saveLink(link) {
  const answer = await fetch(link.href).catch(() => null);
  if (answer?.status !== 200) return false;
  const named = answer.headers.get('content-disposition')?.match(/filename="([^"]+)"/)?.[1];
  const bytes = await answer.arrayBuffer().catch(() => null);
  if (bytes) download(bytes, link.download || named || 'pubdice.txt');
  return !!bytes;
}
