/** The house in a frame, whose address, title, language and theme the shell takes on as its own. */
import { announce } from './shell_heard.js';
import { saveLink } from './shell_links.js';
import { note, say } from './shell_words.js';

const DEVICE = '#this-device';

/**
 * Where a page opened directly wants to go: its own address, as the service worker shows the shell at all of them.
 * Whole, with its host: a path alone that begins with two slashes would be the address of another.
 */
export function wanted(root) {
  const { href, pathname } = location;
  return pathname.startsWith(root.pathname) && !pathname.endsWith('/index.html') ? href : root.href;
}

/**
 * Shows the house from an address on. shown: called when its first page is there; went: with each page's address, its
 * language, and whether a match is being played there; lost: when a page does not come; device: when somebody wants to
 * know about this device; unsaved: when a link did not save its file. Returns the frame.
 */
export function openFrame(at, { shown, went, lost, device, unsaved }) {
  const frame = document.createElement('iframe');
  const seen = new MutationObserver(() => copy());
  frame.title = say('frame');
  frame.dataset.title = 'frame';
  frame.className = 'waits';

  function copy() {
    const { contentWindow, contentDocument } = frame;
    if (!contentDocument?.documentElement) return; // on its way to another page
    const { href } = contentWindow.location;
    const {
      lang,
      dataset: { theme },
    } = contentDocument.documentElement;
    const own = document.documentElement;
    if (href !== location.href) history.replaceState(history.state, '', href);
    if (document.title !== contentDocument.title) document.title = contentDocument.title;
    if (theme !== own.dataset.theme) {
      if (theme) own.dataset.theme = theme;
      else delete own.dataset.theme;
    }
    const colours = [...contentDocument.querySelectorAll('meta[name=theme-color]')];
    const same =
      colours.map(({ outerHTML }) => outerHTML).join() ===
      [...document.querySelectorAll('meta[name=theme-color]')].map(({ outerHTML }) => outerHTML).join();
    if (colours.length && !same) {
      for (const node of document.querySelectorAll('meta[name=theme-color]')) node.remove();
      document.head.append(...colours.map(node => document.importNode(node)));
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
      return lost(); // the browser's own page about an error, or another website
    }
    seen.disconnect();
    seen.observe(page.head, { subtree: true, childList: true, characterData: true });
    seen.observe(page.documentElement, { attributes: true });
    for (const table of page.querySelectorAll('main[data-stage]'))
      seen.observe(table, { attributeFilter: ['data-stage'] });
    if (frame.contentWindow.performance.getEntriesByType('navigation')[0]?.type === 'back_forward')
      announce(page.title); // Orca is silent after Alt and an arrow
    frame.contentWindow.addEventListener('hashchange', copy);
    page.addEventListener('click', event => {
      const link = event.target.closest?.('a');
      if (link?.getAttribute('href') === DEVICE) device();
      else if (link?.hasAttribute('download')) saveLink(link).then(saved => saved || unsaved());
      else return;
      event.preventDefault();
    });
    copy();
    if (!frame.classList.contains('waits')) return;
    frame.classList.remove('waits');
    shown();
  }

  frame.addEventListener('load', arrived);
  frame.src = at;
  document.body.prepend(frame);
  return frame;
}
