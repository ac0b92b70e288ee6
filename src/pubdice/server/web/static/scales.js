/** Drawings of few games beside the dice: a sum as a beam against its target, and a ladder of all scores. */
import { all, at, own, put } from './speech.js';

const SVG = 'http://www.w3.org/2000/svg';
const LONG = 360;

/** @param {Wire.View} view */
function drawBeam({ beam }) {
  at('beam').hidden = !beam;
  if (!beam) return;
  const unit = LONG / beam.most;
  const end = beam.value * unit;
  const aim = beam.target * unit;
  const fill = beam.value > beam.target ? '#ffb4a8' : '#edb64d';
  put(at('beam').querySelector('.said'), own(beam.said));
  /** @type {[string, Record<string, any>, (string | number)?][]} */
  const parts = [
    ['rect', { y: 22, width: LONG, height: 12, rx: 6, fill: '#0007' }],
    ['rect', { class: 'fill', y: 22, width: Math.min(end, LONG), height: 12, rx: 6, fill }],
    ['rect', { x: aim - 1.5, y: 14, width: 3, height: 28, fill: '#f6f1e4' }],
    ['text', { x: Math.max(end, 24), y: 14, 'text-anchor': 'end' }, beam.value],
    ['text', { x: aim, y: 58, 'text-anchor': 'middle', 'font-weight': 600 }, beam.label],
  ];
  const drawn = parts.map(([name, facts, text]) => {
    const node = document.createElementNS(SVG, name);
    for (const fact in facts) node.setAttribute(fact, facts[fact]);
    if (text !== undefined) node.textContent = `${text}`;
    return node;
  });
  at('beam')
    .querySelector('svg')
    .replaceChildren(...drawn);
}

/** @param {Wire.View} view */
function drawLadder({ ladder }) {
  at('ladder').hidden = !ladder;
  if (!ladder) return;
  all('#ladder .rungs span').forEach((node, nth) => {
    const { label, here, under } = ladder.rungs[nth];
    put(node, label);
    node.toggleAttribute('data-here', here);
    node.toggleAttribute('data-under', under);
  });
}

/**
 * Draws the beam and the ladder of a view. Hides a drawing that the view lacks.
 * @param {Wire.View} view
 */
export function draw(view) {
  drawBeam(view);
  drawLadder(view);
}
