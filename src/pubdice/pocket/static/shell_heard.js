/**
 * What screen readers say of the shell by themselves. Each sentence is added as a node of its own, with a gap before
 * the next, and goes again: of a text that changes in a place that stays, Orca leaves out some (it kept "Ready." to
 * itself).
 */
const GAP_MS = 300;
const LASTS_MS = 5000;
const place = document.getElementById('heard');
let free = 0;

/** Says a sentence. */
export function announce(text) {
  const now = performance.now();
  const line = document.createElement('p');
  free = Math.max(now, free) + GAP_MS;
  line.textContent = text;
  setTimeout(
    () => {
      place.append(line);
      setTimeout(() => line.remove(), LASTS_MS);
    },
    free - GAP_MS - now,
  );
}
