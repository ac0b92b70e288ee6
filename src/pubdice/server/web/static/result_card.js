/** A finished match as a picture; loaded when somebody shares one. */
import { all } from './speech.js';

const WIDE = 1080;
const HIGH = 700;
const DIE = 130;
const PIPS = ['', '4', '08', '048', '0268', '02468', '035268'];

/**
 * @param {CanvasRenderingContext2D} ink
 * @param {number} x
 * @param {number} y
 * @param {number} face
 * @param {boolean} red
 * @param {string} name
 */
function drawDie(ink, x, y, face, red, name) {
  ink.fillStyle = '#fbf4e3';
  ink.beginPath();
  ink.roundRect(x, y, DIE, DIE, 24);
  ink.fill();
  ink.fillStyle = red ? '#a5231a' : '#221c15';
  if (name) {
    ink.font = `700 ${DIE / 2}px sans-serif`;
    ink.textAlign = 'center';
    ink.fillText(name, x + DIE / 2, y + DIE * 0.67);
    return;
  }
  for (const spot of [...PIPS[face]].map(Number)) {
    ink.beginPath();
    ink.arc(x + DIE * (0.22 + (spot % 3) * 0.28), y + DIE * (0.22 + Math.floor(spot / 3) * 0.28), DIE * 0.1, 0, 7);
    ink.fill();
  }
}

/**
 * The board in its frame, who won, the dice, the others, as a canvas.
 * @param {string} lead
 * @param {string} rest
 */
export function card(lead, rest) {
  const canvas = Object.assign(document.createElement('canvas'), { width: WIDE, height: HIGH });
  /** @type {any} */
  const ink = canvas.getContext('2d');
  ink.fillStyle = '#654127';
  ink.fillRect(0, 0, WIDE, HIGH);
  ink.fillStyle = '#2a3835';
  ink.fillRect(32, 32, WIDE - 64, HIGH - 64);
  /**
   * @param {string} text
   * @param {number} y
   * @param {number} size
   * @param {string} colour
   * @param {string} font
   */
  const line = (text, y, size, colour, font) => {
    ink.font = `600 ${size}px ${font}`;
    ink.fillStyle = colour;
    ink.textAlign = 'center';
    ink.fillText(text, WIDE / 2, y, WIDE - 120);
  };
  line(lead, 190, 84, '#f6f1e4', 'Georgia, serif');
  const dice = all('#won [data-face]');
  const step = DIE + 20;
  const left = (WIDE - step * dice.length + 20) / 2;
  for (const [nth, die] of dice.entries()) {
    drawDie(ink, left + nth * step, 270, die.dataset.face, 'red' in die.dataset, die.textContent.trim());
  }
  line(rest, 510, 40, '#c3ccc4', 'sans-serif');
  line('pubdice', 610, 34, '#edb64d', 'sans-serif');
  return canvas;
}
