/** A finished match as a picture, drawn by the house. Loaded after its end, or at the first press on sharing. */
import { here } from './here.js';
import { at } from './speech.js';

const PATIENCE_MS = 8000;

/** @typedef {{ words: string, canvas: HTMLCanvasElement, blob: Blob, isWhole: boolean }} Picture */

/** The match as a picture, with the house's words for it and the address. */
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
 * The picture, drawn before the press: browsers do not share a file that comes long after it (Safari). Later the house
 * has more to show, so a picture without the chart is drawn again.
 * @type {Promise<Picture> | undefined}
 */
let drawn;
// The table of the picture: a page goes on to the next one.
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

/** Draws the picture. Draws it again if the house may have more to show now. */
export async function renew() {
  if (!(await known()?.catch(() => {}))?.isWhole) prepare();
}

/** Shares the picture with its words. If the browser can't share, shows the picture, to be saved. */
export async function hand() {
  const picture = await (known() ?? prepare());
  const files = [new File([picture.blob], 'pubdice.png', { type: picture.blob.type })];
  if (!navigator.canShare?.({ files })) return show(picture);
  await navigator.share({ files, text: picture.words }).catch(({ name }) => {
    // the press is too long ago. AbortError: the player closed the sheet
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
