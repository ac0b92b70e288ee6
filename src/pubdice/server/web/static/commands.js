/** Commands of this page: a form's request to the house, and the answer, which may be a refusal. */

import { dice, forget, marks, placesIn, settle } from './dice.js';
import { here, kept, state } from './here.js';
import { asker } from './line.js';
import { shake, sound } from './motion.js';
import { acted, at, say, word } from './speech.js';

const MOVES = ['roll', 'reroll', 'bank', 'choose', 'enter', 'draw', 'back'];
// Fields of forms that are numbers in a request.
const NUMBERS = ['seat', 'ms', 'phrase', 'to'];
// A refusal is shown again for this long when the page is fetched again.
const LASTS_MS = 20_000;

/**
 * The page's part in an answer (table.js).
 * @type {{redraw(): void, refresh(): void, go(address: string): void, notice(said: string): void,
 *   expect(seq: number): void, renew(): void, isLost(): boolean}}
 */
let page;
/**
 * The number of rolls in the view at the time of the last move that has no answer yet.
 * @type {number | undefined}
 */
let movedAt = -1;
// The number of the last move's event.
let awaited = 0;
/**
 * The last refusal: the reason, its form, and the time until which it is shown again.
 * @type {{why: string, form: PageElement, until: number} | undefined}
 */
let refused;

/**
 * The module for lessons. It comes with the first page that needs it.
 * @type {typeof import('./hints.js') | undefined}
 */
let hints;

/** Loads the hints' module if the page needs it. */
export async function loadHints() {
  if (at('hinting')) hints ??= await import('./hints.js');
}

/** Draws the hint that was asked for. */
export const drawHint = () => hints?.draw();

const send = asker(here, answered, late, () => say([word('unsent')]));

/**
 * Registers the page's functions: {redraw, refresh, go(address), notice(text), expect(seq), renew, isLost}.
 * @param {NonNullable<typeof page>} of
 */
export function serve(of) {
  page = of;
}

/** Asks the house for its view again. */
export const renew = () => page.renew();

function late() {
  say([word('sending')]);
  if (!page.isLost()) page.notice(word('sending'));
}

/** Forgets all moves on their way, as the page shows another table. */
export function forgetAll() {
  movedAt = -1;
  hints?.forget();
  awaited = 0;
  refused = undefined;
  forget();
}

/** True if the page does not show a move that was sent: its dice may be gone. */
export const moving = () => movedAt === state.view?.rolls || awaited > state.heard;

/** Says why nothing happens. */
export const wait = () => say([word(page.isLost() ? 'lost' : 'sending')]);

/**
 * Sends a request of this page. form: the place for a refusal.
 * @param {Record<string, any>} request
 * @param {PageElement} [form]
 */
export function command(request, form) {
  const { drawn, view } = state;
  complain('', form);
  if (['roll', 'bank'].includes(request.do) && dice().length) request.marks = marks();
  if (request.do === 'hint') hints?.expect();
  // The house refuses a choice among dice that this page has not shown.
  request.seen = Math.max(drawn, view?.seq ?? 0);
  const isMove = MOVES.includes(request.do);
  if ((isMove && moving()) || !send(request, form, isMove)) wait();
  else if (isMove) {
    movedAt = view?.rolls;
    acted();
  }
  if (request.do === 'roll' && !at('cup')?.hidden) shake();
}

/**
 * @param {{request: Record<string, any>, form?: PageElement}} job
 * @param {number} status
 * @param {Record<string, any>} body
 */
function answered({ request, form }, status, { seq, go, said, why = word('failed') }) {
  const isMove = MOVES.includes(request.do);
  if (!page.isLost()) page.notice('');
  if (isMove) movedAt = -1;
  if (status >= 300) {
    if (!isMove) forget();
    page.redraw();
    complain(why, form);
    sound('low');
  } else if (go && go !== here()) {
    // This phone counts as ready at the next table, once its seed is in (seal.js).
    if (!request.change) kept('again', go);
    page.go(go);
  } else {
    // From here on the page acts as another person.
    if (go) page.renew();
    // text typed meanwhile stays
    for (const field of form?.elements ?? []) {
      const sent = request[field.name];
      if (sent && field.type === 'text' && field.value.startsWith(sent)) field.value = field.value.slice(sent.length);
    }
    if (form?.closest('#menu')) at('menu').open = false;
    if (request.do === 'hint') hints?.draw(said);
    else if (request.do === 'type') {
      say([said]);
      if (seq > state.heard) acted();
    } else if (isMove) awaited = seq;
    else if (request.do === 'mark') settle(seq, request.marks);
    // Some of the page is not from the house.
    else page.refresh();
    page.expect(seq);
  }
}

/**
 * The request from a form's fields and the pressed button.
 * @param {PageElement} form
 * @param {any} submitter
 */
export function read(form, submitter) {
  /** @type {Record<string, any>} */
  const request = {};
  const data = new FormData(form);
  // by hand: older browsers leave it out (Safari before 16.4)
  if (submitter?.name) data.append(submitter.name, submitter.value);
  for (const [name, entry] of data) {
    const value = `${entry}`;
    if (name === 'marks') request.marks = placesIn(value);
    else if (name === 'mark') Object.assign(request, { do: 'mark', marks: placesIn(value) });
    else if (name === 'move') Object.assign(request, { do: 'choose', action: value });
    else if (name === 'seat' && / ./.test(value)) {
      // A seat with its player's name.
      Object.assign(request, { seat: parseInt(value, 10), name: value.replace(/^\d+ /, '') });
    } else if (value && name !== 'key')
      request[name] = NUMBERS.includes(name) ? +value : (value === 'true' && name === submitter?.name) || value;
  }
  if (request.do !== 'enter') delete request.dice;
  return request;
}

/**
 * Shows a refusal beside its form. Returns the wrong field and the refusal's place. '' removes the refusal.
 * @param {string} why
 * @param {PageElement} [form]
 */
function drawRefusal(why, form) {
  let node = at('refusal');
  if (form && form.id !== 'act') {
    node = form.querySelector('.refusal') ?? form.appendChild(document.createElement('p'));
    node.className = 'refusal';
    node.id ||= `${form.id}-why`;
  }
  node.textContent = why;
  node.hidden = !why;
  const field = [...(form?.elements ?? [])].find(({ type, hidden }) => type === 'text' && !hidden);
  for (const [name, value] of Object.entries({ 'aria-invalid': 'true', 'aria-describedby': node.id })) {
    if (why) field?.setAttribute(name, value);
    else field?.removeAttribute(name);
  }
  return [field, node];
}

/**
 * Shows and says a refusal beside its form, and focuses the wrong field. '' removes the refusal.
 * @param {string} why
 * @param {PageElement} form
 */
function complain(why, form) {
  refused = { why, form, until: performance.now() + LASTS_MS };
  const [field, node] = drawRefusal(why, form);
  /** @type {PageElement} */
  const { activeElement, body } = document;
  say([why], true);
  if (!why) return;
  if (field && (activeElement === body || activeElement.form === form)) field.focus();
  node.scrollIntoView({ block: 'nearest' });
}

/** Shows the last refusal again, if the page was renewed before it could be read. */
export function keepRefusal() {
  if (!refused?.why || !refused.form?.isConnected || performance.now() > refused.until) return;
  drawRefusal(refused.why, refused.form);
}
