/**
 * The service worker, seen from the shell: how far it has come, and a new version, which waits until somebody wants it.
 */

import { tell } from './shell_notice.js';
import { installing, resume } from './shell_start.js';

const { serviceWorker } = navigator;
const LOOK_MS = 3_600_000;
const SWITCH_MS = 5000;
const CLAIM_MS = 1500;
const ANSWER_MS = 5000;
const FORCED = 'pubdice forced reload';
const LACKS = { network: 'no_network', full: 'no_room', differs: 'other_files', damaged: 'damaged' };
let registration;
let looked = Date.now();
let refused;

/** A service worker's answer, through a port of its own. */
const ask = (worker, what) =>
  new Promise(told => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => told(data);
    worker.postMessage(what, [port2]);
  });

const late = answer => new Promise(done => setTimeout(done, ANSWER_MS, answer));

/** The word that says why a file did not come that a service worker needed; '' if none was missing. */
const lackOf = async worker => LACKS[(await ask(worker, { why: true })).why] ?? '';

/** The word that says why a file of this version did not come; '' if none was missing, or nobody knows. */
export const lacksFiles = () =>
  serviceWorker.controller ? Promise.race([lackOf(serviceWorker.controller), late('')]) : '';

/** Resolves to the word that says why a service worker was not installed; to none as long as it may be. */
const refusal = worker =>
  new Promise(resolve => {
    if (!worker) return;
    lackOf(worker).then(word => word && resolve(word));
    // the browser ended it
    worker.addEventListener('statechange', () => worker.state === 'redundant' && late('failed').then(resolve));
  });

/** A game is never interrupted: this only says that there is a new version. */
function offer(end) {
  const { waiting, active } = registration;
  if (waiting && active) tell('new_version', [['use_it', () => use(waiting, end)], ['later']]);
}

async function use(waiting, end) {
  resume('begin');
  await end();
  serviceWorker.addEventListener('controllerchange', () => location.reload());
  setTimeout(() => location.reload(), SWITCH_MS);
  waiting.postMessage({ skipWaiting: true });
}

/** The service workers of other folders of the host speak to their own pages; what they say here is not heard. */
function heard({ data, source }, root, version, { serve, damaged }) {
  if (source?.scriptURL !== new URL('sw.js', root).href) return;
  if (data.engineWanted) serve(source);
  if (data.damaged) damaged();
  // another comes while this one works
  if (data.installing?.version === version) installing(data.installing.done, data.installing.of);
}

/**
 * Sees to the service worker of a version, and looks for a new version when somebody looks at the page, once an hour at
 * most. serve: called with a service worker that wants the engine, as one that the browser ended has forgotten it. end:
 * ends the engine. damaged: called when a file is damaged and can't be fetched. Rejects where there can be no service
 * worker.
 */
export async function keepVersion(root, version, tab) {
  const { serve, end } = tab;
  serviceWorker.addEventListener('message', event => heard(event, root, version, tab));
  serviceWorker.addEventListener('controllerchange', () => serve(serviceWorker.controller));
  serviceWorker.startMessages();
  const register = () => serviceWorker.register(new URL('sw.js', root), { scope: root.pathname });
  registration = await import('./begin.js').then(({ registering }) => registering, register);
  // nobody could ask that one any more
  if (!registration.installing && !registration.waiting && !registration.active) registration = await register();
  refused = refusal(registration.active ? null : registration.installing);
  offer(end);
  registration.addEventListener('updatefound', () => {
    const coming = registration.installing;
    coming?.addEventListener('statechange', () => coming.state === 'installed' && offer(end));
  });
  document.addEventListener('visibilitychange', () => {
    if (document.hidden || !navigator.onLine || Date.now() - looked < LOOK_MS) return;
    looked = Date.now();
    registration.update().catch(() => {});
  });
}

/**
 * Waits until this page has a service worker, which hands out the engine's files; resolves to '' then, or to the word
 * that says why it gets none. A page that was reloaded past its service worker (Shift) is reloaded once more.
 */
export async function control() {
  const trouble = serviceWorker.controller ? '' : await Promise.race([refused, controlled()]);
  if (!trouble) sessionStorage.removeItem(FORCED);
  return trouble;
}

function controlled() {
  return new Promise(resolve => {
    serviceWorker.addEventListener('controllerchange', () => resolve(''), { once: true });
    serviceWorker.ready.then(() =>
      setTimeout(() => {
        if (serviceWorker.controller) return;
        if (sessionStorage.getItem(FORCED)) resolve('no_worker');
        else {
          sessionStorage.setItem(FORCED, 'yes');
          location.reload();
        }
      }, CLAIM_MS),
    );
  });
}

/** Has the files fetched that nothing has asked for yet; whether all of this version are on this device then. */
export const complete = async () =>
  !!serviceWorker.controller && (await ask(serviceWorker.controller, { complete: true })).complete;
