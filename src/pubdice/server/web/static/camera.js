/**
 * Real dice by the phone's camera. It comes with the first press of its button. A picture is read in a worker, shown
 * with a ring and a face over each die, and written into the pad, where everything can be changed before the same
 * Confirm. Over plain http a page may only ask for a picture. In a secure context the page looks through the camera
 * itself, and reads until the dice lie still. Pictures stay on this device.
 */
import { enter, entered, missing, wanted } from './faces.js';
import { keyFor, way } from './keys.js';
import { rest } from './motion.js';
import { all, at, say, word } from './speech.js';

/** @typedef {import('./dice_reader.js').Die} Die */

const LONG = 640; // the longer side in pixels of a picture as it is read
const STEADY_MS = 500;
const AGAIN_MS = 2500; // a reading holds so long before it counts, and advice is repeated after this
const MOST_MS = 120_000; // the camera is closed after this time without dice
const STARTS_MS = 8000; // and after this time without its first picture
const ASKED_MS = 1000; // a second press so soon is of the same tap
const WITHIN_MS = 60_000; // a picture that takes longer is given up
const SMALL = 0.022;
const LARGE = 0.14;
const AFTER_MS = 15; // between two readings, also in a tab without frames
const CLEAR = 0.5; // a reading ends the search if all its dice are so sure: by ear nobody sees a wrong one
const EDGE = 0.04; // radii of dice and the margin, as parts of the picture's longer side
const CIRCLE = 2 * Math.PI;
const REFUSED = ['NotAllowedError', 'NotFoundError', 'SecurityError'];

/** @type {Worker | undefined} */
let worker;
/** Ends the reading under way. */
let stop = () => {};
/** @type {Die[]} */
let dice = [];
/** @type {MediaStream | undefined} */
let stream;
let changed = () => {};
// True once the player or the browser has refused the camera, so the page asks for a picture.
let isRefused = false;
/**
 * The press with which the browser asks the player for the camera, and its time.
 * @type {{at: number} | undefined}
 */
let asking;
/** What was begun last. All that was begun before it, or before the picture was closed, ends. */
let latest = {};
/**
 * The time limit of the camera.
 * @type {ReturnType<typeof setTimeout> | undefined}
 */
let limit;
/**
 * The picture without the rings.
 * @type {ImageBitmap | undefined}
 */
let plain;

const button = () => all('#pad .camera')[0];

/**
 * A sentence of the camera, from its button.
 * @param {string} name
 */
const told = name => button()?.dataset[name] ?? '';

/**
 * What was seen. The player is told of dice that were not thrown, as they may lie beside the others.
 * @param {Die[]} found
 */
const seen = found =>
  [told('seen').replace('{number}', `${found.length}`), found.some(({ isMore }) => isMore) && told('many')]
    .filter(Boolean)
    .join(' ');

/**
 * Reads pixels in the worker. A reading under way ends.
 * @param {ImageData} picture
 * @returns {Promise<Die[]>}
 */
function read({ data, width, height }) {
  stop();
  worker ??= new Worker(new URL('./dice_reader.js', import.meta.url), { type: 'module' });
  const own = worker;
  return new Promise((done, fail) => {
    stop = () => {
      clearTimeout(late);
      own.terminate();
      worker = undefined;
      stop = () => {};
      fail();
    };
    const late = setTimeout(() => stop(), WITHIN_MS);
    own.onerror = () => stop();
    own.onmessage = ({ data: found }) => {
      if (!found) return stop();
      clearTimeout(late);
      stop = () => {};
      done(found);
    };
    own.postMessage({ pixels: data.buffer, width, height, due: wanted() }, [data.buffer]);
  });
}

/** The canvas of the picture, below the row of dice. Fetching the page again leaves it alone. */
function canvas() {
  const shot = at('shot');
  if (!shot.firstChild) shot.append(document.createElement('canvas'));
  shot.hidden = false;
  return shot.querySelector('canvas');
}

/**
 * Writes a line below the picture, which is also said.
 * @param {string} line
 */
function note(line) {
  const [hint] = all('#shot p');
  if (hint) hint.textContent = line;
  else at('shot').append(Object.assign(document.createElement('p'), { className: 'hint', textContent: line }));
}

/**
 * Draws a picture at the size in which it is read.
 * @param {ImageBitmap | HTMLVideoElement} source
 * @param {number} width
 * @param {number} height
 */
function draw(source, width, height) {
  const scale = Math.min(1, LONG / Math.max(width, height));
  const onto = canvas();
  onto.width = Math.round(width * scale);
  onto.height = Math.round(height * scale);
  const pen = onto.getContext('2d', { willReadFrequently: true });
  pen.imageSmoothingQuality = 'high';
  pen.drawImage(source, 0, 0, onto.width, onto.height);
  return pen.getImageData(0, 0, onto.width, onto.height);
}

/** Draws a ring around each die that was seen, with its face of the pad. */
export function ring() {
  if (!plain || !button()) return;
  const onto = canvas();
  if (onto.width !== plain.width) [onto.width, onto.height] = [plain.width, plain.height];
  const pen = onto.getContext('2d');
  pen.drawImage(plain, 0, 0);
  const faces = entered().split(' ');
  const size = Math.max(16, onto.width / 22);
  pen.lineWidth = size / 6;
  pen.font = `bold ${size}px sans-serif`;
  pen.textAlign = 'center';
  pen.textBaseline = 'middle';
  dice.forEach(({ x, y, radius }, slot) => {
    if (!faces[slot]) return;
    const up = y - radius > 1.5 * size ? y - radius - 0.8 * size : y + radius + 0.8 * size;
    for (const [style, wide] of [
      ['#000', 2],
      ['#fd6', 1],
    ]) {
      pen.strokeStyle = /** @type {string} */ (style);
      pen.lineWidth = (+wide * size) / 7;
      pen.beginPath();
      pen.arc(x, y, radius * 1.15, 0, CIRCLE);
      pen.stroke();
    }
    pen.fillStyle = '#000c';
    pen.beginPath();
    pen.arc(x, up, 0.75 * size, 0, CIRCLE);
    pen.fill();
    pen.fillStyle = '#fd6';
    pen.fillText(faces[slot], x, up);
  });
}

/**
 * Takes a tap on a die in the picture: the next face changes that die.
 * @param {MouseEvent} event
 */
function choose({ target, offsetX, offsetY }) {
  const [onto] = all('#shot canvas');
  if (!onto || target !== onto) return;
  const scale = onto.width / onto.clientWidth;
  /** @param {Die} die */
  const away = ({ x, y }) => Math.hypot(offsetX * scale - x, offsetY * scale - y);
  const slot = dice.findIndex(
    die => away(die) < Math.max(die.radius * 1.3, 22 * scale) && away(die) === Math.min(...dice.map(away)),
  );
  if (entered().split(' ')[slot]) enter(undefined, slot);
}

/**
 * Writes what was read into the pad, and says it with the next step. With a keyboard that is the key that confirms.
 * @param {Die[]} found
 * @param {string} before the faces in the pad when the reading began
 */
async function take(found, before) {
  const shown = canvas();
  const copy = await createImageBitmap(shown);
  if (!shown.isConnected) return copy.close(); // meanwhile the player has closed it
  plain = copy;
  shown.hidden = false;
  // the faces stay that the player has tapped meanwhile
  const isTaken = before === entered();
  dice = isTaken ? found.filter(({ isMore }) => !isMore) : [];
  if (dice.length) {
    enter(dice.map(({ face }) => face));
    changed();
    rest(); // a tap just now was meant for the faces before
  }
  ring();
  const next = missing()
    ? [entered(), word('more', { number: missing() })].filter(Boolean).join('. ')
    : keyFor('main') && matchMedia('(any-pointer: fine)').matches
      ? way('main', at('main'))
      : word('all_in', { dice: entered() });
  const line = isTaken ? seen(found) : '';
  if (line) note(line);
  say([line, next]);
}

/**
 * Reads a picture that was taken.
 * @param {File} file
 */
async function readFile(file) {
  const own = {};
  latest = own;
  const before = entered();
  say([word('sending')]);
  try {
    const picture = await createImageBitmap(file);
    if (latest !== own) return picture.close();
    forget();
    const pixels = draw(picture, picture.width, picture.height);
    picture.close();
    const found = await read(pixels);
    if (latest === own) await take(found, before);
  } catch {
    if (latest === own) fails();
  }
}

/** Says that a picture could not be read. */
function fails() {
  close();
  say([told('failed')]);
}

/** Forgets the picture and its dice. */
function forget() {
  plain?.close();
  plain = undefined;
  dice = [];
}

/** The field that asks for a picture. A phone answers with its camera. */
function chooser() {
  const had = all('#pad .picture')[0];
  if (had) return had;
  const field = document.createElement('input');
  Object.assign(field, { type: 'file', accept: 'image/*', className: 'picture', hidden: true });
  field.setAttribute('capture', 'environment');
  at('pad').append(field);
  return field;
}

/** Asks for a picture of this roll. */
function choosePicture() {
  // a camera that is still asked for comes too late then
  if (latest === asking) latest = {};
  const own = latest;
  const field = chooser();
  field.onchange = async () => {
    const [file] = field.files ?? [];
    if (file && latest === own) await readFile(file);
    else if (file && wanted()) fails(); // meanwhile the roll was entered by another player
    field.value = '';
  };
  field.click();
}

/**
 * Looks through the camera, or asks for a picture, which is all that a page may over plain http.
 * @param {() => void} deed called when the faces in the pad change
 */
export async function press(deed) {
  changed = deed;
  if (stream) return close();
  // a browser may ask without end, and a press then asks for a picture instead
  if (asking && performance.now() - asking.at < ASKED_MS) return;
  if (asking || isRefused || !navigator.mediaDevices) return choosePicture();
  const own = { at: performance.now() };
  latest = own;
  asking = own;
  try {
    const wish = { facingMode: 'environment', width: { ideal: 1280 } };
    const given = await navigator.mediaDevices.getUserMedia({ video: wish });
    if (latest === own && !document.hidden) return await look(given);
    for (const track of given.getTracks()) track.stop();
    if (latest === own) fails();
  } catch (fault) {
    if (!stream) isRefused = fault instanceof DOMException && REFUSED.includes(fault.name);
    if (latest !== own) return;
    // a browser opens no choice of pictures long after the press
    if (stream || navigator.userActivation?.isActive === false) fails();
    else choosePicture();
  } finally {
    asking = undefined;
  }
}

/**
 * Looks through the camera.
 * @param {MediaStream} own
 */
async function look(own) {
  const video = Object.assign(document.createElement('video'), { muted: true, playsInline: true, srcObject: own });
  stream = own;
  for (const track of own.getTracks()) track.onended = fails;
  limit = setTimeout(fails, STARTS_MS);
  forget();
  canvas().hidden = true;
  at('shot').prepend(video);
  at('shot').focus();
  say([told('hold')]);
  await video.play();
  clearTimeout(limit);
  if (stream !== own) return; // meanwhile the player has closed it
  limit = setTimeout(fails, MOST_MS);
  const press = latest;
  watch(video, own).catch(() => latest === press && fails());
}

/**
 * Reads the camera's pictures one after another, until the dice are all there and lie still.
 * @param {HTMLVideoElement} video
 * @param {MediaStream} own
 */
async function watch(video, own) {
  const begun = performance.now();
  const tapped = entered();
  let before = '';
  let since = 0;
  let advised = begun;
  let last = '';
  while (stream === own) {
    const now = performance.now();
    const pixels = draw(video, video.videoWidth, video.videoHeight);
    const { width, height } = pixels;
    const found = await read(pixels);
    if (stream !== own) return;
    const faces = `${found.map(({ face }) => face).sort()}`;
    if (faces !== before) since = now;
    before = faces;
    if (found.length === wanted() && found.every(({ sure }) => sure > CLEAR) && now - since >= STEADY_MS) {
      end();
      return take(found, tapped);
    }
    const line = [seen(found), told(advice(found, width, height))].join(' ');
    if (performance.now() - advised > AGAIN_MS && (line !== last || performance.now() - advised > 3 * AGAIN_MS)) {
      say([line]);
      note(line);
      last = line;
      advised = performance.now();
    }
    await new Promise(done => setTimeout(done, AFTER_MS));
  }
}

/**
 * The name of the advice how to move the phone, so that all dice are seen.
 * @param {Die[]} found
 * @param {number} width
 * @param {number} height
 */
function advice(found, width, height) {
  const long = Math.max(width, height);
  const margin = EDGE * long;
  if (found.length > wanted()) return '';
  if (!found.length || found.length === wanted()) return 'hold';
  if (found.some(({ radius }) => radius > LARGE * long)) return 'higher';
  if (found.every(({ radius }) => radius < SMALL * long)) return 'lower';
  /** @param {(die: Die) => number} room */
  const least = room => Math.min(...found.map(die => room(die) - die.radius));
  const rooms = {
    left: least(({ x }) => x),
    right: least(({ x }) => width - x),
    away: least(({ y }) => y),
    closer: least(({ y }) => height - y),
  };
  const [name, room] = Object.entries(rooms).sort(([, one], [, other]) => one - other)[0];
  return room < margin ? name : 'higher';
}

/** Ends the camera, and keeps the picture. */
function end() {
  clearTimeout(limit);
  for (const track of stream?.getTracks() ?? []) track.stop();
  stream = undefined;
  all('#shot video')[0]?.remove();
}

/**
 * Ends the camera and takes the picture away.
 * @param {PageElement} [to] the element that gets the focus, if the picture had it
 */
export function close(to = button()) {
  end();
  latest = {};
  stop();
  forget();
  const shot = at('shot');
  if (shot?.contains(document.activeElement)) to?.focus();
  shot?.replaceChildren();
  if (shot) shot.hidden = true;
}

addEventListener('click', choose);
addEventListener('keydown', ({ key }) => key === 'Escape' && (stream || latest === asking) && close());
addEventListener('visibilitychange', () => document.hidden && stream && close(), true);
