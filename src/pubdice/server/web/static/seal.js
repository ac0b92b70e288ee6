/** Sealed dice on this phone: it notes each table's first seal, with a seed of its own, for the check after the match. */
const NOTES = 'seals', AGAIN = 'again', MOST = 100;
const random = () => [...crypto.getRandomValues(new Uint32Array(4))].map(word => word.toString(36)).join('');

/** The notes by table; none where the browser keeps nothing. */
function notes() {
  try {
    return { ...JSON.parse(localStorage.getItem(NOTES) ?? '{}') };
  } catch {
    return {};
  }
}

function note(table, fact) {
  const kept = Object.entries(notes()).filter(([name]) => name !== table).slice(1 - MOST);
  try {
    localStorage.setItem(NOTES, JSON.stringify(Object.fromEntries([...kept, [table, fact]])));
  } catch {
    // without a note the record can still be checked, with the words that somebody wrote down
  }
}

/** Notes that this phone asked for a rematch, and so is ready there: that is told once its seed is in. */
export const remember = go => sessionStorage.setItem(AGAIN, go);

/** Notes the seal that a page shows, and adds a seed by its field. Another seal than the noted one gets no seed. */
export function listen(node, field, ready) {
  const { table, digest, warning } = node.dataset, known = notes()[table], pad = document.getElementById('taps');
  if (known && known.digest !== digest) {
    const said = node.querySelector('.hint');
    said.textContent = warning;
    said.className = 'refusal';
    return;
  }
  if (pad) {
    if (!known) note(table, { digest });
    field.form.onsubmit = () => note(table, { ...notes()[table], of: { ...notes()[table]?.of, [pad.dataset.name]: field.value.replace(/\s/g, '') } });
    import('./taps.js').then(({ begin }) => begin(pad, (_, seed) => {
      field.value = seed;
      field.form.requestSubmit();
    }));
    return;
  }
  if (field && !field.value) {
    const seed = known?.seed ?? random();
    note(table, { digest, seed });
    field.value = seed;
    field.form.requestSubmit();
  } else if (!known) note(table, { digest });
  if (field || sessionStorage.getItem(AGAIN) !== location.pathname) return;
  sessionStorage.removeItem(AGAIN);
  ready();
}
