/**
 * What is heard: the page's words, its live regions, the story. Each line is a fresh node, never changed (VoiceOver doubles
 * or drops those): readers speak all additions, in order.
 */
const LASTS_MS = 30_000, MOST = 40, MOST_TOLD = 200;
const WORDS = JSON.parse(document.body.dataset.words);

export const at = id => document.getElementById(id);
export const all = selector => [...document.querySelectorAll(selector)];

/** A sentence of the page's, with its {facts}; if the page lacks it its name, as silence would hide that. */
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

/** A line as it is told to who looks: in the second person where it is about them. */
export const own = line => line.own[at('table').dataset.seat] ?? line.text;

/** Says what an update brings, up to a level of wordiness. */
export function hear(says, most) {
  for (const now of [true, false]) say(says.map(line => line.urgent === now && line.level <= most && own(line)), now);
}

/** Writes it into the story; who reads at its end stays there. */
export function write(says) {
  const log = at('log'), page = log.parentElement, ended = page.scrollHeight - page.scrollTop - page.clientHeight < 40;
  put(log, 'li', says.map(line => !line.level && own(line)), MOST_TOLD);
  if (ended) page.scrollTop = page.scrollHeight;
}
