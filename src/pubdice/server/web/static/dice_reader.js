/**
 * Reads dice in a picture: where they lie, and which face looks up. It runs in a worker, so the page never waits.
 *
 * Two small convolutional networks do it, as in R-CNN. The finder looks at the picture at several sizes, because it
 * knows dice of one size only, and proposes places. The reader looks at each place, tells the face or that there is no
 * die, and moves the place. Both are trained with drawn pictures (benchmarks/dice_training), and their weights are in
 * dice_reader.bin. docs/decisions/0028-dice-read-by-the-phone.md has the figures.
 */

/**
 * A die. isMore: there are as many as were thrown without it.
 * @typedef {{x: number, y: number, radius: number, face: number, sure: number, isMore?: boolean}} Die
 */
/** @typedef {{planes: Float32Array, width: number, height: number, many: number}} Planes */
/** @typedef {{scales: Float32Array, biases: Float32Array, weights: Int8Array}} Layer */

const FULL = 0;
const EACH = 1;
const MIX = 2;
const WHOLE = 3;
/**
 * The layers in the order of the file: kind, inputs, outputs, stride, and 1 if negative values become 0. FULL is a
 * convolution of 3 x 3, EACH one of each plane alone, MIX one of 1 x 1, and WHOLE sums a whole plane.
 */
const FINDER = [
  [FULL, 3, 12, 2, 1],
  [EACH, 12, 12, 1, 0],
  [MIX, 12, 16, 1, 1],
  [EACH, 16, 16, 2, 0],
  [MIX, 16, 32, 1, 1],
  [EACH, 32, 32, 1, 0],
  [MIX, 32, 32, 1, 1],
  [EACH, 32, 32, 1, 0],
  [MIX, 32, 32, 1, 1],
  [EACH, 32, 32, 1, 0],
  [MIX, 32, 32, 1, 1],
  [MIX, 32, 4, 1, 0],
];
const READER = [
  [FULL, 3, 16, 2, 1],
  [FULL, 16, 24, 1, 1],
  [FULL, 24, 32, 2, 1],
  [FULL, 32, 32, 1, 1],
  [WHOLE, 32, 32, 1, 1],
  [MIX, 32, 32, 1, 1],
  [MIX, 32, 10, 1, 0],
];
const CROP = 48;
const WIDE = 1.6; // the reader's pixels a side, and half of that side in radii of a die
const TAPS = [9, 9, 1, (CROP / 4) ** 2]; // weights of each kind, for one input and output
const LONGEST = 400;
const SHRINK = 1.5;
const LEAST = 24; // sides in pixels of the sizes at which the finder looks
const CELL = 4;
const HOME = 10; // the finder's pixels a cell, and the radius of the dice that it knows
const LEAST_VALUE = -2.2; // a cell of the finder proposes a place from here on, a chance of 0.1
const MOST = 24; // the most places that are looked at
// If the number of dice is known: 2 places a die and BESIDE are looked at twice, and BESIDE more, at least FIRST, once.
const FIRST = 16;
const BESIDE = 4;
const APART = 0.9; // two dice are at least this many radii apart
const SURE = 0.65; // a die is told from here on
const SURE_IF_DUE = 0.3; // the same if the number of dice is known
const NONE = 0.95; // a place that is so surely no die is not looked at again
const ALIKE = 0.35; // how far the logarithms of radii of dice in one picture may differ

/**
 * Reads the file of weights: for each layer the scales and biases of its outputs, then all weights of all layers.
 * @param {ArrayBuffer} file
 */
export function layersOf(file) {
  let at = 0;
  const shapes = [...FINDER, ...READER];
  /** @type {Layer[]} */
  const layers = shapes.map(([, , outputs]) => {
    const scales = new Float32Array(file, at, outputs);
    const biases = new Float32Array(file, at + 4 * outputs, outputs);
    at += 8 * outputs;
    return { scales, biases, weights: new Int8Array() };
  });
  shapes.forEach(([kind, inputs, outputs], nth) => {
    const many = TAPS[kind] * outputs * (kind === EACH || kind === WHOLE ? 1 : inputs);
    layers[nth].weights = new Int8Array(file, at, many);
    at += many;
  });
  return layers;
}

/**
 * @param {Planes} from
 * @param {number[]} shape
 * @param {Layer} layer
 * @returns {Planes}
 */
function applied(from, [kind, inputs, outputs, stride, isCut], { scales, biases, weights }) {
  const isWhole = kind === WHOLE;
  const width = isWhole ? 1 : Math.ceil(from.width / stride);
  const height = isWhole ? 1 : Math.ceil(from.height / stride);
  const size = width * height;
  const planes = new Float32Array(size * fours(outputs));
  if (kind === MIX) mix(from.planes, inputs, size, planes, outputs, weights);
  else if (kind === FULL) mix(columns(bordered(from), from, size, stride), 9 * inputs, size, planes, outputs, weights);
  else if (kind === EACH) convolve(bordered(from), from, planes, outputs, stride, weights);
  else for (let out = 0; out < outputs; out++) planes[out] = dot(from.planes, out, from.width * from.height, weights);
  for (let out = 0; out < outputs; out++) {
    const scale = scales[out];
    const bias = biases[out];
    for (let at = out * size, end = at + size; at < end; at++) {
      const value = planes[at] * scale + bias;
      planes[at] = isCut && value < 0 ? 0 : value;
    }
  }
  return { planes, width, height, many: outputs };
}

/**
 * The number of planes in memory: they are mixed in fours.
 * @param {number} many
 */
const fours = many => 4 * Math.ceil(many / 4);

/**
 * The planes with a border of zeros, one wide.
 * @param {Planes} from
 */
function bordered({ planes, width, height, many }) {
  const wide = width + 2;
  const padded = new Float32Array(wide * (height + 2) * many);
  for (let plane = 0; plane < many; plane++)
    for (let y = 0; y < height; y++) {
      const start = (plane * height + y) * width;
      padded.set(planes.subarray(start, start + width), (plane * (height + 2) + y + 1) * wide + 1);
    }
  return padded;
}

/**
 * Nine planes for each plane, one for each weight of a 3 x 3 convolution (im2col). So a convolution is a mix.
 * @param {Float32Array} padded
 * @param {Planes} from
 * @param {number} size
 * @param {number} stride
 */
function columns(padded, { width, height, many }, size, stride) {
  const wide = width + 2;
  const found = new Float32Array(size * fours(9 * many));
  let to = 0;
  for (let plane = 0; plane < many; plane++)
    for (let tap = 0; tap < 9; tap++)
      for (let y = 0; y < height; y += stride) {
        let at = (plane * (height + 2) + y + Math.floor(tap / 3)) * wide + (tap % 3);
        for (const end = at + width; at < end; at += stride) found[to++] = padded[at];
      }
  return found;
}

/**
 * The convolution of 3 x 3 of each plane alone.
 * @param {Float32Array} padded
 * @param {Planes} from
 * @param {Float32Array} to
 * @param {number} many
 * @param {number} stride
 * @param {Int8Array} weights
 */
function convolve(padded, { width, height }, to, many, stride, weights) {
  const wide = width + 2;
  let at = 0;
  for (let plane = 0; plane < many; plane++) {
    const [a, b, c, d, e, f, g, h, i] = weights.subarray(9 * plane, 9 * plane + 9);
    for (let y = 0; y < height; y += stride) {
      let top = (plane * (height + 2) + y) * wide;
      let middle = top + wide;
      let low = middle + wide;
      for (const end = top + width; top < end; top += stride, middle += stride, low += stride)
        to[at++] =
          a * padded[top] +
          b * padded[top + 1] +
          c * padded[top + 2] +
          d * padded[middle] +
          e * padded[middle + 1] +
          f * padded[middle + 2] +
          g * padded[low] +
          h * padded[low + 1] +
          i * padded[low + 2];
    }
  }
}

/**
 * The sum of a plane's values, each with a weight.
 * @param {Float32Array} planes
 * @param {number} plane
 * @param {number} size
 * @param {Int8Array} weights
 */
function dot(planes, plane, size, weights) {
  let sum = 0;
  for (let at = plane * size, end = at + size; at < end; at++) sum += planes[at] * weights[at];
  return sum;
}

/**
 * Sums all planes, each with a weight, for each output: four planes for four outputs at a time, which is twice as fast
 * as one output.
 * @param {Float32Array} planes
 * @param {number} inputs
 * @param {number} size
 * @param {Float32Array} to
 * @param {number} outputs
 * @param {Int8Array} weights
 */
function mix(planes, inputs, size, to, outputs, weights) {
  /** @param {number} first */
  const four = first => [0, 1, 2, 3].map(each => weights[first + each] | 0); // planes after the last one are zeros
  for (let out = 0; out < outputs; out += 4)
    for (let each = 0; each < inputs; each += 4) {
      const first = out * inputs + each;
      const [a, b, c, d] = four(first);
      const [e, f, g, h] = four(first + inputs);
      const [i, j, k, l] = four(first + 2 * inputs);
      const [m, n, o, p] = four(first + 3 * inputs);
      let one = each * size;
      let [two, three, last] = [one + size, one + 2 * size, one + 3 * size];
      const end = (out + 1) * size;
      for (let at = out * size, by = end, third = by + size, fourth = third + size; at < end; at++) {
        const q = planes[one++];
        const r = planes[two++];
        const s = planes[three++];
        const t = planes[last++];
        to[at] += a * q + b * r + c * s + d * t;
        to[by++] += e * q + f * r + g * s + h * t;
        to[third++] += i * q + j * r + k * s + l * t;
        to[fourth++] += m * q + n * r + o * s + p * t;
      }
    }
}

/**
 * @param {Planes} planes
 * @param {number[][]} shapes
 * @param {Layer[]} layers
 */
const run = (planes, shapes, layers) => shapes.reduce((from, shape, at) => applied(from, shape, layers[at]), planes);

/**
 * Moves and stretches values so that their mean is 0 and their deviation 1.
 * @param {Float32Array} values
 */
function levelled(values) {
  let sum = 0;
  let squares = 0;
  for (const value of values) {
    sum += value;
    squares += value * value;
  }
  const mean = sum / values.length;
  const spread = Math.sqrt(Math.max(0, squares / values.length - mean * mean)) + 0.03;
  const found = new Float32Array(values.length);
  for (let at = 0; at < values.length; at++) found[at] = (values[at] - mean) / spread;
  return found;
}

/**
 * Planes of red, green and blue, from 0 to 1, out of pixels of four bytes.
 * @param {Uint8ClampedArray} pixels
 * @param {number} width
 * @param {number} height
 * @returns {Planes}
 */
function coloured(pixels, width, height) {
  const size = width * height;
  const planes = new Float32Array(3 * size);
  for (let plane = 0; plane < 3; plane++)
    for (let at = 0; at < size; at++) planes[plane * size + at] = pixels[4 * at + plane] / 255;
  return { planes, width, height, many: 3 };
}

/**
 * Makes planes smaller: each new pixel is the mean of the area that it covers.
 * @param {Planes} from
 * @param {number} width
 * @param {number} height
 * @returns {Planes}
 */
function shrunk(from, width, height) {
  const rows = narrowed(from.planes, from.width, from.height * 3, width);
  const turned = transposed(rows, width, from.height);
  const narrow = narrowed(turned, from.height, width * 3, height);
  return { planes: transposed(narrow, height, width), width, height, many: 3 };
}

/**
 * Makes the rows of planes shorter.
 * @param {Float32Array} planes
 * @param {number} length
 * @param {number} rows
 * @param {number} short
 */
function narrowed(planes, length, rows, short) {
  const found = new Float32Array(rows * short);
  const step = length / short;
  for (let to = 0; to < short; to++) {
    const start = to * step;
    const end = Math.min(length, start + step);
    for (let at = Math.floor(start); at < end; at++) {
      const part = (Math.min(end, at + 1) - Math.max(start, at)) / step;
      for (let row = 0; row < rows; row++) found[row * short + to] += part * planes[row * length + at];
    }
  }
  return found;
}

/**
 * Three planes with their rows and columns exchanged.
 * @param {Float32Array} planes
 * @param {number} width
 * @param {number} height
 */
function transposed(planes, width, height) {
  const found = new Float32Array(planes.length);
  const size = width * height;
  for (let plane = 0; plane < 3; plane++)
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) found[plane * size + x * height + y] = planes[plane * size + y * width + x];
  return found;
}

/**
 * Finds places that may be dice, the likeliest first.
 * @param {Layer[]} layers
 * @param {Planes} picture
 */
export function find(layers, picture) {
  /** @type {Die[]} */
  const found = [];
  const long = Math.max(picture.width, picture.height);
  let level = picture;
  for (let side = LONGEST; side >= LEAST; side /= SHRINK) {
    const scale = Math.min(1, side / long);
    const width = Math.round(picture.width * scale);
    level = shrunk(level, width, Math.round(picture.height * scale));
    found.push(...placesAt(run({ ...level, planes: levelled(level.planes) }, FINDER, layers), width / picture.width));
  }
  return distinct(found, isTwin).slice(0, MOST);
}

/**
 * @param {Planes} from
 * @param {number} scale
 */
function placesAt({ planes, width, height }, scale) {
  /** @type {Die[]} */
  const found = [];
  const size = width * height;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const at = y * width + x;
      const value = planes[at];
      if (value < LEAST_VALUE) continue;
      // the best cell of its neighbours proposes their place
      const beside = [-width - 1, -width, 1 - width, -1, 1, width - 1, width, width + 1];
      if (beside.some(step => planes[at + step] > value && at + step >= 0 && at + step < size)) continue;
      const sure = 1 / (1 + Math.exp(-value));
      const [right, down, large] = [1, 2, 3].map(plane => planes[plane * size + at]);
      const place = { x: (CELL * x + 2 + 8 * right) / scale, y: (CELL * y + 2 + 8 * down) / scale };
      found.push({ ...place, radius: (HOME * Math.exp(large)) / scale, face: 0, sure });
    }
  return found;
}

/**
 * Leaves out places that are the same as a surer one.
 * @param {Die[]} places
 * @param {(one: Die, other: Die) => boolean} isSame
 */
function distinct(places, isSame) {
  /** @type {Die[]} */
  const kept = [];
  for (const place of [...places].sort((one, other) => other.sure - one.sure))
    if (!kept.some(other => isSame(place, other))) kept.push(place);
  return kept;
}

/**
 * @param {Die} one
 * @param {Die} other
 */
const away = (one, other) => Math.hypot(one.x - other.x, one.y - other.y);

/**
 * True if two places of the finder are one: near each other, and of about the same size.
 * @param {Die} one
 * @param {Die} other
 */
const isTwin = (one, other) =>
  away(one, other) < 0.5 * Math.min(one.radius, other.radius) && Math.abs(Math.log(one.radius / other.radius)) < 0.25;

/**
 * True if two dice cannot lie so near each other.
 * @param {Die} one
 * @param {Die} other
 */
const isNear = (one, other) => away(one, other) < APART * Math.max(one.radius, other.radius);

/**
 * The square around a place, as the reader takes it. turned: a quarter turn.
 * @param {Planes} from
 * @param {Die} place
 * @param {boolean} isTurned
 * @returns {Planes}
 */
function cropped({ planes, width, height }, { x, y, radius }, isTurned) {
  const size = width * height;
  const step = (2 * WIDE * radius) / CROP;
  const fine = Math.min(6, Math.max(1, Math.ceil(step)));
  const found = new Float32Array(3 * CROP * CROP);
  const share = 1 / (fine * fine);
  for (let row = 0; row < CROP * fine; row++) {
    const py = Math.max(0, Math.min(height - 1, y + ((row + 0.5) / fine - CROP / 2) * step - 0.5));
    const top = Math.min(height - 2, Math.floor(py));
    const low = py - top;
    for (let column = 0; column < CROP * fine; column++) {
      const px = Math.max(0, Math.min(width - 1, x + ((column + 0.5) / fine - CROP / 2) * step - 0.5));
      const left = Math.min(width - 2, Math.floor(px));
      const right = px - left;
      const at = top * width + left;
      const [u, v] = [Math.floor(column / fine), Math.floor(row / fine)];
      const to = isTurned ? u * CROP + CROP - 1 - v : v * CROP + u;
      for (let plane = 0, one = at; plane < 3; plane++, one += size) {
        const above = planes[one] + (planes[one + 1] - planes[one]) * right;
        const below = planes[one + width] + (planes[one + width + 1] - planes[one + width]) * right;
        found[plane * CROP * CROP + to] += (above + (below - above) * low) * share;
      }
    }
  }
  return { planes: levelled(found), width: CROP, height: CROP, many: 3 };
}

/**
 * Looks at a place: the chances of no die and of the six faces, and the place moved to the die.
 * @param {Layer[]} layers
 * @param {Planes} picture
 * @param {Die} place
 * @param {boolean} [isTurned]
 */
function looked(layers, picture, place, isTurned = false) {
  const { planes } = run(cropped(picture, place, isTurned), READER, layers);
  const powers = [...planes.subarray(0, 7)].map(Math.exp);
  const sum = powers.reduce((one, other) => one + other);
  const [across, down, large] = planes.subarray(7);
  const { radius } = place;
  const [dx, dy] = isTurned ? [down, -across] : [across, down];
  const moved = { x: place.x + dx * radius, y: place.y + dy * radius, radius: radius * Math.exp(large) };
  return { ...place, ...moved, chances: powers.map(power => power / sum) };
}

/**
 * How likely a place is a die: by the finder, and by the likeliest face.
 * @param {{sure: number, chances: number[]}} place
 */
const likely = ({ sure, chances }) => Math.max(...chances.slice(1)) * Math.sqrt(sure);

/**
 * Reads a picture. due: the number of dice that were thrown, if it is known.
 * @param {Layer[]} layers
 * @param {Uint8ClampedArray} pixels four bytes each
 * @param {number} width
 * @param {number} height
 * @param {number} [due]
 * @returns {Die[]} from left to right
 */
export function read(layers, pixels, width, height, due) {
  const picture = coloured(pixels, width, height);
  const reader = layers.slice(FINDER.length);
  const most = due ? 2 * due + BESIDE : MOST;
  const firsts = find(layers, picture)
    .slice(0, Math.max(FIRST, most + BESIDE))
    .map(place => looked(reader, picture, place))
    .filter(({ chances }) => chances[0] < NONE)
    .sort((one, other) => likely(other) - likely(one));
  const places = firsts.slice(0, most).map(first => {
    const { chances, ...again } = looked(reader, picture, first, true);
    const both = chances.map((chance, face) => (chance + first.chances[face] / 2) / 1.5);
    return { ...again, face: both.indexOf(Math.max(...both.slice(1)), 1), sure: likely({ ...again, chances: both }) };
  });
  return distinct(alike(places), isNear)
    .map((die, nth) => ({ ...die, isMore: !!due && nth >= due }))
    .filter(({ sure, isMore }) => sure > (due && !isMore ? SURE_IF_DUE : SURE))
    .sort((one, other) => one.x - other.x);
}

/**
 * Makes places less sure that are much larger or smaller than most. Dice in one picture are of about the same size.
 * @param {Die[]} places
 */
function alike(places) {
  const kept = distinct(places, isNear);
  /** @param {Die} place */
  const support = ({ radius }) =>
    kept.reduce((sum, other) => sum + other.sure ** 4 * Math.exp(-((Math.log(other.radius / radius) / 0.2) ** 2)), 0);
  const [usual] = [...kept].sort((one, other) => support(other) - support(one));
  return places.map(place => {
    const off = Math.abs(Math.log(place.radius / usual.radius));
    return { ...place, sure: place.sure * Math.exp(-3 * Math.max(0, off - ALIKE)) };
  });
}

/** @type {Promise<Layer[]> | undefined} */
let loading;

async function load() {
  const answer = await fetch(new URL('./dice_reader.bin', import.meta.url));
  if (!answer.ok) throw new Error(`${answer.status}`);
  return layersOf(await answer.arrayBuffer());
}

// In a worker. A page that imports this module, as tests do, has a document.
if (!globalThis.document)
  globalThis.onmessage = async ({ data: { pixels, width, height, due } }) => {
    loading ??= load();
    const dice = await loading
      .then(layers => read(layers, new Uint8ClampedArray(pixels), width, height, due))
      .catch(() => null);
    postMessage(dice);
  };
