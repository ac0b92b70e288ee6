/**
 * Sounds, made here: dice on wood, a chime for one's own turn, a low tone for a refusal. Never the only sign of anything,
 * and none before the page was touched, as browsers ask.
 */
import { setting } from './settings.js';

let audio, last = 0;

for (const gesture of ['pointerdown', 'keydown'])
  addEventListener(gesture, () => {
    if (setting('sound')) (audio ??= new AudioContext()).resume();
  }, true);

const on = () => audio && setting('sound');

/** Plays a source, fading away. */
function play(source, wait_s, lasts_s, loud, through) {
  const from = audio.currentTime + wait_s, gain = audio.createGain();
  gain.gain.setValueAtTime(loud, from);
  gain.gain.exponentialRampToValueAtTime(0.0001, from + lasts_s);
  (through ? source.connect(through) : source).connect(gain).connect(audio.destination);
  source.start(from);
  source.stop(from + lasts_s);
}

const tone = (frequency, ...how) => on() && play(new OscillatorNode(audio, { frequency }), ...how);

function knock(wait_s, loud) {
  const buffer = audio.createBuffer(1, audio.sampleRate / 20, audio.sampleRate);
  buffer.getChannelData(0).forEach((_, at, samples) => (samples[at] = Math.random() * 2 - 1));
  const wood = new BiquadFilterNode(audio, { type: 'bandpass', frequency: 700 + Math.random() * 1100, Q: 5 });
  play(new AudioBufferSourceNode(audio, { buffer }), wait_s, 0.05, loud, wood);
}

/** So many dice fall; each knocks a few times, ever softer. */
export function rattle(dice) {
  if (!dice || !on() || audio.currentTime < last + 0.1) return;
  last = audio.currentTime;
  for (; dice; dice--) {
    let wait_s = Math.random() * 0.15;
    for (let loud = 0.9; loud > 0.1; loud /= 2, wait_s += 0.03 + loud / 10) knock(wait_s, loud);
  }
}

export function chime() {
  tone(659, 0, 0.5, 0.12);
  tone(988, 0.12, 0.7, 0.1);
  if (on()) navigator.vibrate?.(60);
}

export const low = () => tone(130, 0, 0.3, 0.2);
