/**
 * The sentence about a script that the host lacks. It needs no other script, as any may be the one, and the page does
 * not load it before that.
 */
/**
 * biome-ignore format: tests read it as JSON.
 * @type {Record<string, Record<string, string>>}
 */
const WORDS = {
  "en": {
    "missing": "Pubdice can't start, because {files} can't be found at this address. If files are just being replaced, reload this page in a minute.",
    "not_whole": "Pubdice can't start, because some of its files didn't come, or came damaged. Reload this page in a minute."
  },
  "de": {
    "missing": "Pubdice startet nicht, weil es {files} unter dieser Adresse nicht gibt. Wenn gerade jemand Dateien austauscht, lade diese Seite in einer Minute neu.",
    "not_whole": "Pubdice startet nicht, weil einige Dateien gar nicht oder beschädigt angekommen sind. Lade diese Seite in einer Minute neu."
  }
};
const ROOT = new URL('../', import.meta.url).href;
const ASKED_MS = 3000;
/** @param {string} id */
const at = id => document.getElementById(id);

/** All scripts of the page: the browser says of the first alone that it or one that it imports did not come. */
const scripts = () =>
  Array.from(document.querySelectorAll('script, link[rel=modulepreload]'), ({ src, href }) => src ?? href);

/**
 * Whether a host has no such script; some answer with a page of their own. No answer is none.
 * @param {string} address
 */
const lacks = address =>
  fetch(address, { method: 'HEAD', signal: AbortSignal.timeout(ASKED_MS) }).then(
    ({ ok, status, headers }) => status < 500 && !(ok && /script/.test(headers.get('content-type') ?? '')),
    () => false,
  );

/**
 * @param {string} key
 * @param {string} [files]
 */
function tell(key, files) {
  const lang = navigator.language?.startsWith('de') ? 'de' : 'en';
  const told = WORDS[lang][key].replace('{files}', files ?? '');
  Object.assign(at('status'), { lang, textContent: told, className: 'refusal' });
  Object.assign(at('heard'), { lang, textContent: told });
  at('loading').hidden = true;
  at('device').hidden = true;
}

/** Says which of these scripts the host lacks; otherwise: called if it lacks none. */
export async function tellMissing(addresses = scripts(), otherwise = () => tell('not_whole')) {
  const lacked = await Promise.all(addresses.map(lacks));
  const files = addresses
    .filter((_, index) => lacked[index])
    .map(address => address.slice(ROOT.length))
    .join(', ');
  if (files) tell('missing', files);
  else otherwise();
}
