/**
 * What a person has chosen on this device, by the form controls in #keys named as below. The page has the defaults: how
 * its controls stand. Where nothing can be kept a choice lasts as long as the page.
 */
const STORE = 'pubdice', NAMES = ['sound', 'wording', 'digits', 'keys', 'theme'];
const controls = name => [...document.querySelectorAll(`#keys [name=${name}]`)];
const valueOf = control => (control.type === 'checkbox' ? control.checked : control.value);
let chosen = {};

try {
  chosen = JSON.parse(localStorage.getItem(STORE)) ?? {};
} catch {
  // Nothing was kept.
}

/** A choice, or what the page has for it. */
export function setting(name) {
  const control = controls(name).find(({ type, checked }) => type !== 'radio' || checked);
  return chosen[name] ?? (control && valueOf(control));
}

export function choose(name, value) {
  chosen[name] = value;
  try {
    localStorage.setItem(STORE, JSON.stringify(chosen));
  } catch {
    // Nothing can be kept.
  }
  if (name === 'theme') document.documentElement.dataset.theme = value;
}

for (const name of NAMES.filter(name => name in chosen)) {
  for (const control of controls(name)) {
    if (control.type === 'checkbox') control.checked = chosen[name];
    else if (control.type === 'radio') control.checked = control.value === chosen[name];
    else control.value = chosen[name];
  }
  if (name === 'theme') choose(name, chosen.theme);
}
document.addEventListener('change', ({ target }) => {
  if (NAMES.includes(target.name) && target.closest('#keys')) choose(target.name, valueOf(target));
});
