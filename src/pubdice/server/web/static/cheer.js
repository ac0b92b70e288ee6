/** The end of a match, shown once: a line is drawn under the winners, and the dice rise one by one. */
import { calm, fade, LAND } from './motion.js';
import { all } from './speech.js';

const RISE_MS = 70;
const DRAW_MS = 400;

export function cheer() {
  const still = calm();
  const line = all('.underline path')[0];
  all('#won > *').forEach((die, nth) => {
    if (still) fade(die);
    else
      die.animate(
        [
          { transform: 'translateY(60px) rotate3d(1, .4, 0, 360deg)', opacity: 0, easing: LAND },
          { transform: 'translateY(-14px)', opacity: 1, offset: 0.7, easing: 'ease-in' },
          { transform: 'none' },
        ],
        { duration: 520, delay: DRAW_MS + nth * RISE_MS, fill: 'backwards' },
      );
  });
  if (still) return;
  line?.animate({ strokeDasharray: ['0 220', '220 220'] }, { duration: DRAW_MS, delay: 150, fill: 'backwards' });
  for (const text of all('#heading'))
    text.animate({ transform: ['scale(.8)', 'scale(1.04)', 'none'], opacity: [0, 1, 1] }, { duration: 450 });
}
