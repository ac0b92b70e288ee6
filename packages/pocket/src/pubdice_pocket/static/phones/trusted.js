/**
 * Checks answers from the phone that is the house. A guest's phone takes its pages, but only scripts that its own
 * folder also has. The pages have the address of the guest's own pocket, so any other script could read the guest's
 * tables.
 */

import { ownPath } from '../places.js';
import { toHex } from './link.js';

/** The policy of the house's pages. The host's phone can't change it. The build puts it here. */
export const POLICY = '';
/**
 * The first 160 bits of the SHA-256 of each script of the house, as hex, by its name. To forge another script takes
 * 2^160 tries. All 256 bits would take a kilobyte more. The build puts them here.
 * @type {Record<string, string>}
 */
const SCRIPTS = {};
const DIGITS = 40;

const HEADERS = ['content-type', 'cache-control', 'location', 'retry-after', 'content-disposition', 'content-language'];
const STATIC = /\/static\/[0-9a-f]+\/([\w.-]+)$/;

/**
 * Returns the headers of an answer that are passed on, with those that this phone adds.
 * @param {[string, string][]} headers
 * @returns {[string, string][]}
 */
export const trusted = headers => [
  ...headers
    .map(([name, value]) => /** @type {[string, string]} */ ([name.toLowerCase(), value]))
    .map(([name, value]) => /** @type {[string, string]} */ ([name, name === 'location' ? ownPath(value) : value]))
    .filter(([name, value]) => HEADERS.includes(name) && (name !== 'location' || value)),
  ['content-security-policy', POLICY],
];

/**
 * Returns true if a browser could run an answer as a script. The type alone decides that (nosniff).
 * @param {[string, string][]} headers
 */
export const isScript = headers =>
  headers.some(([name, value]) => name === 'content-type' && /script|wasm/i.test(value));

/**
 * Resolves to true if these bytes are the script that this phone's folder has at this address.
 * @param {string} target
 * @param {Uint8Array<ArrayBuffer>} bytes
 */
export async function isOurs(target, bytes) {
  const name = STATIC.exec(target)?.[1] ?? '';
  const told = toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
    .join('')
    .slice(0, DIGITS);
  return Object.hasOwn(SCRIPTS, name) && SCRIPTS[name] === told;
}
