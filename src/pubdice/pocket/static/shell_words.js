/**
 * Every sentence of the shell, in English and German: it speaks before the engine, and so the house's catalogues, are
 * there.
 */
/**
 * biome-ignore format: tests read it as JSON.
 * @type {Record<string, Record<string, string>>}
 */
const WORDS = {
  "en": {
    "what": "Pub dice for your table, on this device alone: against bots, passed round, or with real dice.",
    "begin": "Getting ready …",
    "installing": "Loading Pubdice onto this device. After that it works without a network.",
    "files": "Opening your tables …",
    "interpreter": "Starting the engine. The first time takes longest.",
    "imports": "Reading the rules …",
    "house": "Laying out the dice …",
    "ready": "Ready.",
    "bytes": "{loaded} of {of} MB",
    "step": "Step {step} of {of}",
    "frame": "The game",
    "notices": "Notices",
    "again": "Try again",
    "details": "What the browser said",
    "no_wasm": "This browser can't run Pubdice: WebAssembly is missing or turned off. Turn it on, or use a newer browser.",
    "no_worker": "This page can't keep a service worker, and Pubdice needs one. Open it in a normal window, with https in front of its address.",
    "no_locks": "This browser is too old for Pubdice. Your tables are safe; open this page in a newer one.",
    "no_network": "Loading stopped because there is no network. Connect once, and then Pubdice works without one.",
    "no_room": "There is no room for Pubdice on this device. Free some space, then try again.",
    "other_files": "Some files at this address are not the ones that Pubdice was built with. If they are just being replaced, try again in a minute.",
    "damaged": "A part of Pubdice on this device is damaged. Connect to the network and open this page again; your tables are safe.",
    "failed": "Pubdice couldn't start. Your tables are as they were.",
    "unreadable": "The files with your tables on this device are damaged, so Pubdice can't open them. Nothing was overwritten.",
    "newer": "A newer version of Pubdice wrote the tables on this device. Connect to the network and open this page again; nothing was overwritten.",
    "crashed": "Pubdice stopped. Every move that was answered is saved.",
    "slow": "This takes longer than usual. You can wait, or try again.",
    "page_lost": "That page didn't come. Your tables are as they were.",
    "not_kept": "This browser stores nothing here, so your tables last only until you close this tab. Save them to a file before that.",
    "full": "This device has no room left. You can read everything, but new moves may not be saved until you free some space.",
    "other_tab": "Pubdice is open in another tab, and only one tab can play.",
    "moved_away": "Pubdice now plays in another tab. Every move that was answered is saved.",
    "here": "Play here instead",
    "taking": "Taking over from the other tab …",
    "other_tab_holds": "The other tab doesn't let go. Close it, then try again.",
    "new_version": "A new version is ready. Your tables stay as they are.",
    "use_it": "Use it now",
    "later": "Later",
    "persisted": "This browser keeps your tables, even when space runs short.",
    "not_persisted": "This browser may delete your tables when space runs short. Save them to a file now and then.",
    "persist_unknown": "This browser doesn't say whether it may delete your tables. Save them to a file now and then.",
    "week": "Safari deletes your tables once you haven't opened Pubdice for a week. They stay if Pubdice is on the home screen or in the Dock: save them to a file, and read it back there.",
    "ok": "OK",
    "device_title": "About this device",
    "stays": "Your tables, the evening and the book are stored on this device and nowhere else.",
    "offline_yes": "Pubdice works here without a network.",
    "offline_no": "Pubdice isn't installed here yet, so it still needs the network.",
    "space": "It uses {used} MB here.",
    "install": "To open Pubdice like an app: on Android choose “Add to home screen” in the browser's menu; on an iPhone tap Share, then “Add to Home Screen”.",
    "licences": "What Pubdice is made of, with licences",
    "save": "Save everything to a file",
    "saving": "Saving …",
    "saved": "Saved as {name}.",
    "saved_large": "Saved as {name}. It holds more than {of} MB, too much to read back here. A computer takes it: pubdice restore {name}",
    "not_saved": "Couldn't save that. Nothing changed; try again.",
    "read_back": "Read a file back",
    "reading": "Reading {name} …",
    "sure": "{name} replaces everything here, the evening and the book too. Tables here: {here}. Tables in the file: {there}. What is here now is gone then, so save it first if you want to keep it.",
    "stay": "Keep what is here",
    "replace": "Replace everything",
    "stayed": "Nothing changed.",
    "restored": "Everything in {name} is here again.",
    "not_restored": "Couldn't read that file. Nothing changed.",
    "too_large": "That file is too large: a saved house has at most {of} MB. Nothing changed.",
    "close": "Close"
  },
  "de": {
    "what": "Kneipenwürfel für euren Tisch, nur auf diesem Gerät: gegen Bots, reihum oder mit echten Würfeln.",
    "begin": "Gleich geht es los …",
    "installing": "Pubdice kommt auf dieses Gerät. Danach geht es ohne Netz.",
    "files": "Deine Tische kommen hervor …",
    "interpreter": "Das Spiel startet. Beim ersten Mal dauert es am längsten.",
    "imports": "Die Regeln kommen dazu …",
    "house": "Die Würfel kommen auf den Tisch …",
    "ready": "Fertig.",
    "bytes": "{loaded} von {of} MB",
    "step": "Schritt {step} von {of}",
    "frame": "Das Spiel",
    "notices": "Hinweise",
    "again": "Noch einmal versuchen",
    "details": "Was der Browser meldet",
    "no_wasm": "Pubdice läuft in diesem Browser nicht: WebAssembly fehlt oder ist abgeschaltet. Schalte es ein oder nimm einen neueren Browser.",
    "no_worker": "Diese Seite darf keinen Service Worker behalten, und den braucht Pubdice. Öffne sie in einem normalen Fenster, mit https vor der Adresse.",
    "no_locks": "Dieser Browser ist zu alt für Pubdice. Deine Tische sind sicher; öffne die Seite in einem neueren.",
    "no_network": "Das Laden hat aufgehört, weil kein Netz da ist. Verbinde dich einmal, danach geht Pubdice ohne Netz.",
    "no_room": "Auf diesem Gerät ist kein Platz für Pubdice. Schaffe etwas Platz und versuche es noch einmal.",
    "other_files": "Einige Dateien unter dieser Adresse sind nicht die, mit denen Pubdice gebaut wurde. Wenn sie gerade ausgetauscht werden, versuche es in einer Minute noch einmal.",
    "damaged": "Ein Teil von Pubdice auf diesem Gerät ist beschädigt. Geh ins Netz und öffne die Seite neu; deine Tische sind sicher.",
    "failed": "Pubdice ist nicht gestartet. Deine Tische sind, wie sie waren.",
    "unreadable": "Die Dateien mit deinen Tischen auf diesem Gerät sind beschädigt, deshalb kann Pubdice sie nicht öffnen. Überschrieben ist nichts.",
    "newer": "Eine neuere Version von Pubdice hat die Tische auf diesem Gerät geschrieben. Geh ins Netz und öffne diese Seite wieder; überschrieben ist nichts.",
    "crashed": "Pubdice ist stehen geblieben. Jeder Zug, der beantwortet war, ist gespeichert.",
    "slow": "Das dauert länger als sonst. Du kannst warten oder es noch einmal versuchen.",
    "page_lost": "Diese Seite ist nicht angekommen. Deine Tische sind, wie sie waren.",
    "not_kept": "Dieser Browser speichert hier nichts. Deine Tische bleiben nur, bis du diesen Tab schließt. Sichere sie vorher in eine Datei.",
    "full": "Auf diesem Gerät ist kein Platz mehr. Du kannst alles lesen, aber neue Züge bleiben vielleicht nicht, bis du Platz schaffst.",
    "other_tab": "Pubdice ist in einem anderen Tab offen, und nur ein Tab kann spielen.",
    "moved_away": "Pubdice spielt jetzt in einem anderen Tab. Jeder Zug, der beantwortet war, ist gespeichert.",
    "here": "Lieber hier spielen",
    "taking": "Der andere Tab gibt ab …",
    "other_tab_holds": "Der andere Tab gibt nicht ab. Schließe ihn und versuche es noch einmal.",
    "new_version": "Eine neue Version ist da. Deine Tische bleiben, wie sie sind.",
    "use_it": "Jetzt nehmen",
    "later": "Später",
    "persisted": "Dieser Browser behält deine Tische, auch wenn der Platz knapp wird.",
    "not_persisted": "Dieser Browser löscht deine Tische vielleicht, wenn der Platz knapp wird. Sichere sie ab und zu in eine Datei.",
    "persist_unknown": "Dieser Browser sagt nicht, ob er deine Tische löschen darf. Sichere sie ab und zu in eine Datei.",
    "week": "Safari löscht deine Tische, wenn du Pubdice eine Woche lang nicht öffnest. Sie bleiben, wenn Pubdice auf dem Home-Bildschirm oder im Dock ist: Sichere sie in eine Datei und lies sie dort ein.",
    "ok": "OK",
    "device_title": "Über dieses Gerät",
    "stays": "Deine Tische, der Abend und das Buch liegen auf diesem Gerät und sonst nirgends.",
    "offline_yes": "Pubdice geht hier ohne Netz.",
    "offline_no": "Pubdice ist hier noch nicht eingerichtet und braucht noch das Netz.",
    "space": "Es belegt hier {used} MB.",
    "install": "So öffnest du Pubdice wie eine App: Auf Android wählst du im Menü des Browsers „Zum Startbildschirm hinzufügen“, auf einem iPhone tippst du auf Teilen und dann auf „Zum Home-Bildschirm“.",
    "licences": "Woraus Pubdice besteht, mit Lizenzen",
    "save": "Alles in eine Datei sichern",
    "saving": "Einen Moment …",
    "saved": "Gesichert als {name}.",
    "saved_large": "Gesichert als {name}. Darin sind mehr als {of} MB, zu viel, um es hier wieder einzulesen. Ein Computer nimmt die Datei: pubdice restore {name}",
    "not_saved": "Das Sichern hat nicht geklappt. Nichts hat sich geändert; versuche es noch einmal.",
    "read_back": "Eine Datei einlesen",
    "reading": "{name} wird gelesen …",
    "sure": "{name} ersetzt alles hier, auch den Abend und das Buch. Tische hier: {here}. Tische in der Datei: {there}. Was jetzt hier ist, ist dann weg. Sichere es vorher, wenn du es behalten willst.",
    "stay": "Behalten, was hier ist",
    "replace": "Alles ersetzen",
    "stayed": "Nichts hat sich geändert.",
    "restored": "Alles aus {name} ist wieder da.",
    "not_restored": "Diese Datei lässt sich nicht lesen. Nichts hat sich geändert.",
    "too_large": "Diese Datei ist zu groß: Ein gesichertes Haus hat höchstens {of} MB. Nichts hat sich geändert.",
    "close": "Schließen"
  }
};
const STORE = 'pubdice shell';

/** What the shell noted of this device: {lang, theme, said}; nothing where the browser keeps nothing. */
export function noted() {
  try {
    return { ...JSON.parse(localStorage.getItem(STORE) ?? '{}') };
  } catch {
    return {};
  }
}

/** @param {any} fact */
export function note(fact) {
  try {
    localStorage.setItem(STORE, JSON.stringify({ ...noted(), ...fact }));
  } catch {
    // It lasts until the page is closed.
  }
}

/** @param {string | null | undefined} tag */
const codeOf = tag => Object.keys(WORDS).find(code => code === tag?.toLowerCase().split('-')[0]);
let code = codeOf(noted().lang) ?? navigator.languages.map(codeOf).find(Boolean) ?? 'en';

/**
 * A sentence, with its facts filled in.
 * @param {string} key
 * @param {Record<string, any>} [facts]
 */
export const say = (key, facts = {}) => WORDS[code][key].replace(/\{(\w+)\}/g, (_, name) => facts[name]);

/**
 * Megabytes with a decimal, as the language writes it.
 * @param {number} bytes
 */
export const megabytes = bytes =>
  (bytes / 1e6).toLocaleString(code, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/**
 * Puts a sentence into an element, and remembers which, for when the language changes.
 * @param {PageElement} node
 * @param {string} key
 * @param {Record<string, unknown>} [facts]
 */
export function put(node, key, facts = {}) {
  if (key) Object.assign(node.dataset, { say: key, facts: JSON.stringify(facts) });
  else delete node.dataset.say;
  node.textContent = key && say(key, facts);
}

/**
 * Speaks a language from now on; one that the shell does not have changes nothing.
 * @param {string} [tag]
 */
export function speak(tag) {
  code = codeOf(tag) ?? code;
  if (document.documentElement.lang === code && tag) return;
  document.documentElement.lang = code;
  for (const node of document.querySelectorAll('[data-say]'))
    put(node, node.dataset.say, JSON.parse(node.dataset.facts ?? '{}'));
  for (const node of document.querySelectorAll('[data-label]'))
    node.setAttribute('aria-label', say(node.dataset.label));
  for (const node of document.querySelectorAll('[data-title]')) node.title = say(node.dataset.title);
}
