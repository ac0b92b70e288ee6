/**
 * The front page before the engine is there, and the styles and scripts that it names: as a house without tables draws
 * them (`build/in_engine.py`), or as the house of this device drew its page last (`front.js`).
 */
const SHIPPED = 'pocket/front.json';
/** Marks in what is shipped for the folder's path, its host, and the key of a form. */
const [PREFIX, ORIGIN, KEY] = ['/~prefix~', 'https://~origin~', '~key~'];

/**
 * What the page with the engine says that the front page is: an answer, true for the shipped one, or null: the engine
 * answers.
 * @type {{headers: [string, string][], body: string} | true | null}
 */
let front = null;
/**
 * The shipped answers by path and language.
 * @type {Promise<Record<string, Record<string, {headers: [string, string][], body: string}>>> | undefined}
 */
let shipped;

/** @param {FolderFile | undefined} file */
async function readShipped(file) {
  const bytes = file && (await had(file));
  if (!bytes) return {};
  const text = new TextDecoder().decode(bytes).replaceAll(PREFIX, () => SCOPE_IN_PAGES.slice(0, -1));
  return JSON.parse(text.replaceAll(ORIGIN, location.origin).replaceAll(KEY, crypto.randomUUID()));
}

/**
 * An answer to a request of the house: without the engine where that is not needed, or is still to come.
 * @param {any} event
 * @param {string} target below the folder
 */
async function withoutEngine(event, target) {
  const ofHouse = target === '' && front;
  if (event.request.method === 'GET' && (ofHouse || target.startsWith('static/'))) {
    shipped ??= readShipped(FILES.get(SHIPPED));
    const found = (await shipped)[`/${target}`];
    const answer = ofHouse && ofHouse !== true ? ofHouse : (found?.[''] ?? found?.[LANGUAGE] ?? found?.en);
    if (answer) return new Response(answer.body, { headers: withHeaders(answer.headers) });
  }
  return asked(event, `${SCOPE}${target}`);
}
