/** A finished match as a picture, which the house draws; loaded after its end, or when somebody shares one. */
import { here } from './here.js';
import { at } from './speech.js';

const PATIENCE_MS = 8000;

/** @typedef {{ words: string, canvas: HTMLCanvasElement, blob: Blob, isWhole: boolean }} Picture */

/** The match as a picture, and what it says in words with the address, as the house draws it. */
async function draw() {
  const address = `${here()}/receipt.svg`;
  const answer = await fetch(address, { signal: AbortSignal.timeout(PATIENCE_MS) });
  if (!answer.ok) throw answer;
  const svg = new DOMParser().parseFromString(await answer.text(), 'image/svg+xml');
  const image = Object.assign(new Image(), { src: address });
  await image.decode();
  const { naturalWidth: width, naturalHeight: height } = image;
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  canvas.getContext('2d')?.drawImage(image, 0, 0);
  /** @type {any} */
  const blob = await new Promise(done => canvas.toBlob(done));
  const words = ['title', 'desc'].map(name => svg.querySelector(name)?.textContent).join(' ');
  return { words: words.trim(), canvas, blob, isWhole: !!svg.querySelector('polyline') };
}

/**
 * Draws it before somebody asks: browsers share nothing that comes long after the press (Safari). Later there is more
 * on it, so without its chart it is drawn again.
 * @type {Promise<Picture> | undefined}
 */
let drawn;
// The table whose match is drawn: a page goes on to the next one.
let table = '';
const known = () => (table === here() ? drawn : null);

function prepare() {
  table = here();
  drawn = draw();
  drawn.catch(() => {
    drawn = undefined;
  });
  return drawn;
}

/** Draws it, again if there may be more on it by now. */
export async function renew() {
  if (!(await known()?.catch(() => {}))?.isWhole) prepare();
}

/** Hands it over with its words where that can be; else it is shown, to be saved. */
export async function hand() {
  const picture = await (known() ?? prepare());
  const files = [new File([picture.blob], 'pubdice.png', { type: picture.blob.type })];
  if (!navigator.canShare?.({ files })) return show(picture);
  await navigator.share({ files, text: picture.words }).catch(({ name }) => {
    // the press is too long ago; they thought better of it
    if (name !== 'AbortError') show(picture);
  });
}

/**
 * Shows the picture, to be saved, and its words, to be copied.
 * @param {Picture} picture
 */
function show({ canvas, words }) {
  const dialog = at('carding').content.firstElementChild.cloneNode(true);
  /** @param {string} name */
  const part = name => dialog.querySelector(`[data-${name}]`);
  document.body.append(dialog);
  dialog.prepend(canvas);
  part('copy').dataset.copy = words;
  part('close').onclick = () => dialog.close();
  part('save').onclick = () =>
    Object.assign(document.createElement('a'), { href: canvas.toDataURL(), download: 'pubdice.png' }).click();
  dialog.onclose = () => dialog.remove();
  dialog.showModal();
}
