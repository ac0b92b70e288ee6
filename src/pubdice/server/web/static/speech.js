/**
 * What is heard: the page's words, its two live regions, the story. A line is a fresh node, added once and never changed:
 * readers speak additions in order, so what comes together is all heard and what is said twice is heard twice. (VoiceOver
 * doubles or drops nodes that change.) Long after, they go in silence.
 */
const LASTS_MS = 30_000, MOST = 40, MOST_STORY = 200;
const WORDS = JSON.parse(document.body.dataset.words);

export const at = id => document.getElementById(id);

/** A sentence of the page's, with its {facts}; its bare name if the page lacks it, as silence would hide that. */
export const word = (name, facts) => (WORDS[name] ?? name).replace(/\{(\w+)\}/g, (_, fact) => facts[fact]);

function put(parent, tag, lines, most) {
  const made = lines.filter(Boolean).map(line => Object.assign(document.createElement(tag), { textContent: line }));
  parent.append(...made);
  while (parent.childElementCount > Math.max(most, made.length)) parent.firstElementChild.remove();
  return made;
}

/** Says lines, in order, in one go. */
export function say(lines, urgent) {
  const made = put(at(urgent ? 'assertive' : 'polite'), 'p', lines, MOST);
  setTimeout(() => made.forEach(node => node.remove()), LASTS_MS);
}

/** Says what an update brings; full: the wordier lines too. */
export function hear(says, full) {
  let lines = [], last;
  for (const { text, level, urgent } of says) {
    if (level && !full) continue;
    if (urgent !== last) say(lines.splice(0), last);
    last = urgent;
    lines.push(text);
  }
  say(lines, last);
}

/** Writes it into the story; who reads at its end stays there. */
export function write(says) {
  const log = at('log'), page = log.parentElement, ended = page.scrollHeight - page.scrollTop - page.clientHeight < 40;
  put(log, 'li', says.map(({ level, text }) => !level && text), MOST_STORY);
  if (ended) page.scrollTop = page.scrollHeight;
}
