/**
 * The sentence about a script that the host lacks. It needs no other script, as any may be the one, and the page does
 * not load it before that. The build puts the words here, from the "missing" of each words/CODE.json.
 * @type {Record<string, Record<string, string>>}
 */
const WORDS = {};
const ROOT = new URL('../', import.meta.url).href;
const ASKED_MS = 10_000;
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
  const lang = navigator.languages.map(tag => tag.toLowerCase().split('-')[0]).find(code => WORDS[code]) ?? 'en';
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
