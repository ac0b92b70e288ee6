/**
 * Answers with the front page, its styles and scripts before the engine is there. The page is that of a house without
 * tables, shipped in the folder (`build/in_engine.py`), or the last one that this device's house drew (`front.js`).
 */
const SHIPPED = 'pocket/front.json';
/** Marks in the shipped page, to be replaced by the folder's path, its host, and the key of a form. */
const [PREFIX, ORIGIN, KEY] = ['/~prefix~', 'https://~origin~', '~key~'];

/**
 * The front page to serve, as the page with the engine says: an answer, true for the shipped one, or null if the engine
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
 * Answers a request of the house: without the engine if the answer is shipped or kept, else by the engine.
 * @param {any} event
 * @param {string} target the address below the folder
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
