/**
 * The turning point of a match, worked out beside the house. Asks for it until it is there, and then adds it to the
 * page.
 */
import { here, main } from './here.js';
import { grow } from './page.js';
import { at } from './speech.js';

// The most requests. They are 2 s apart, or as far as the house says. The house holds each for 2 s at most.
const MOST_TRIES = 60;
const AGAIN_S = 2;
const HOLDS_MS = 10_000;

let asked = '';

/** Fills the slip of paper. It has its room from the first, and without an answer it stays a link. */
export async function awaitTurn() {
  const table = here();
  if (asked === table) return;
  asked = table;
  for (let tries = 0; tries < MOST_TRIES && asked === here() && main.dataset.stage === 'over'; tries++) {
    const answer = await get(`${here()}/turn`, 'application/json');
    if (answer?.status === 200) return bring(await get(here(), 'text/html'));
    if (answer && ![202, 429, 503].includes(answer.status)) return tell(answer);
    const wait_s = Number(answer?.headers.get('retry-after')) || AGAIN_S;
    await new Promise(done => setTimeout(done, 1000 * wait_s));
  }
}

/**
 * @param {string} address
 * @param {string} kind
 */
const get = (address, kind) =>
  fetch(address, { headers: { Accept: kind }, signal: AbortSignal.timeout(HOLDS_MS) }).catch(() => null);

/** @param {Response | null} answer */
async function bring(answer) {
  const page = new DOMParser().parseFromString((await answer?.text().catch(() => '')) ?? '', 'text/html');
  for (const id of ['turned', 'replay']) {
    const fresh = page.getElementById(id);
    if (at(id) && fresh) grow(at(id), fresh);
  }
}

/**
 * Shows on the slip why a match cannot be worked out.
 * @param {Response} answer
 */
async function tell(answer) {
  const { why } = await answer.json().catch(() => ({}));
  const waiting = at('turned')?.querySelector('.waiting');
  if (!why || !waiting) return;
  waiting.className = '';
  waiting.textContent = why;
  for (const link of main.querySelectorAll('.over :is([href$=receipt], [href*="receipt?"], [href$="ask/1"])'))
    link.remove();
}
