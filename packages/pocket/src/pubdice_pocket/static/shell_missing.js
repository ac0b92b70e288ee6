/**
 * The sentence about a script that the host lacks. This file imports no script, as any script may be the missing one.
 * The page loads it only when one is missing. The build puts the words here, from the "missing" of each
 * words/CODE.json.
 * @type {Record<string, Record<string, string>>}
 */
const WORDS = {};
const ROOT = new URL('../', import.meta.url).href;
const ASKED_MS = 10_000;
/** @param {string} id */
const at = id => document.getElementById(id);

/** Returns all scripts of the page. The browser reports an error of the first only, even if it lacks an import. */
const scripts = () =>
  Array.from(document.querySelectorAll('script, link[rel=modulepreload]'), ({ src, href }) => src ?? href);

/**
 * Resolves to true if the host has no such script. Some hosts answer with a page instead. No answer counts as false.
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
  const lang = navigator.languages.map(tag => tag.toLowerCase().split('-')[0]).find(code => WORDS[code]) ?? 'en';
  const told = WORDS[lang][key].replace('{files}', files ?? '');
  Object.assign(at('status'), { lang, textContent: told, className: 'refusal' });
  Object.assign(at('heard'), { lang, textContent: told });
  at('loading').hidden = true;
  at('device').hidden = true;
}

/** Tells the player which of these scripts the host lacks. Calls `otherwise` if it lacks none. */
export async function tellMissing(addresses = scripts(), otherwise = () => tell('not_whole')) {
  const lacked = await Promise.all(addresses.map(lacks));
  const files = addresses
    .filter((_, index) => lacked[index])
    .map(address => address.slice(ROOT.length))
    .join(', ');
  if (files) tell('missing', files);
  else otherwise();
}
