/** Sounds, computed here: dice on wood, a bell for the player's own turn, glasses at the end. None before a touch. */
import { setting } from './keys.js';

/** @type {AudioContext | undefined} */
let audio;
let last = 0;
const RESTS_MS = 4000;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let resting;

/** Runs the audio until it has been silent for a while, because even silent audio costs battery. */
function run() {
  clearTimeout(resting);
  resting = setTimeout(() => audio?.suspend(), RESTS_MS);
  audio?.resume();
}

/** Starts the audio. Called at each touch, because browsers let a page play sound only after the first touch. */
export function wake() {
  if (!setting('sound')) return;
  audio ??= new AudioContext();
  run();
}

/**
 * @param {number} lasts_s
 * @param {(t: number) => number} wave
 * @param {number} [wait_s]
 */
function play(lasts_s, wave, wait_s = 0) {
  if (!audio || !setting('sound')) return;
  run();
  const rate = audio.sampleRate;
  const buffer = audio.createBuffer(1, lasts_s * rate, rate);
  const samples = buffer.getChannelData(0);
  for (const at of samples.keys()) samples[at] = wave(at / rate);
  const source = new AudioBufferSourceNode(audio, { buffer });
  source.connect(audio.destination);
  source.start(audio.currentTime + wait_s);
}

/**
 * @param {number} pitch_hz
 * @param {number} fades
 * @param {number} t
 */
const tone = (pitch_hz, fades, t) => Math.sin(6.283 * pitch_hz * t) * Math.exp(-fades * t);
/**
 * @param {number} pitch_hz
 * @param {number} wait_s
 */
const bell = (pitch_hz, wait_s) => play(1, t => 0.12 * tone(pitch_hz, 6, t), wait_s);

/**
 * Vibrates if sounds are on: one switch turns off both.
 * @param {number | number[]} pattern
 */
const shiver = pattern => audio && setting('sound') && navigator.vibrate?.(pattern);

/**
 * The sound of dice that fall and bounce, ever softer. lands: the ms after which each falls. own: this phone threw
 * them, and vibrates.
 * @param {number[]} lands
 * @param {boolean} own
 */
export function rattle(lands, own) {
  if (performance.now() < last + 100) return;
  last = performance.now();
  const waits = matchMedia('(prefers-reduced-motion: reduce)').matches ? lands.map((_, nth) => 25 * nth) : lands;
  for (const ms of waits) {
    const pitch_hz = 500 + Math.random() * 700;
    const bounce_s = 0.06 + Math.random() * 0.06;
    /** @param {number} t */
    const knock = t => tone(pitch_hz, 90, t) + (Math.random() - 0.5) * Math.exp(-250 * t);
    play(0.4, t => 0.4 * Math.exp(-9 * t) * knock(t % bounce_s), ms / 1000);
  }
  // off and on in turn: first off, until the first die lands
  if (own) shiver([0, ...waits.flatMap((ms, nth) => [Math.max(0, ms - (nth ? waits[nth - 1] + 12 : 0)), 12])]);
}

export function chime() {
  bell(659, 0);
  bell(988, 0.12);
  shiver(30);
}

export const low = () => bell(130, 0);

/**
 * @param {number} pitch_hz
 * @param {number} loud
 * @param {number} wait_s
 */
const knock = (pitch_hz, loud, wait_s) => play(0.15, t => loud * tone(pitch_hz, 60, t), wait_s);

/** The sound of a die that is kept or freed. */
export const tick = () => knock(1800, 0.08, 0);

/** The sound of dice that slide into the rail. */
export const wood = () => knock(320, 0.3, 0);

/** The sound when all needed dice are won. */
export const glass = () => bell(2093, 0);

/** The sound when a player sits down. */
export function door() {
  knock(180, 0.3, 0);
  knock(140, 0.3, 0.12);
}

/**
 * The sound at the end of a match: two glasses, or a cork if no player won.
 * @param {number} winners
 */
export function glasses(winners) {
  if (!winners) return knock(90, 0.5, 0);
  bell(1760, 0.4);
  bell(2217, 0.56);
  shiver([0, 400, 60, 100, 140]);
}
