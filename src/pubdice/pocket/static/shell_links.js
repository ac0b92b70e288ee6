/**
 * Links of the house that save a file. Browsers fetch what such a link names past the service worker, from the host,
 * which has no such file: so it is fetched by this page, from the engine, and handed over as a download.
 */
import { download } from './shell_files.js';

/** Saves what a link with the attribute "download" names; true if it did. */
export async function saveLink(link) {
  const answer = await fetch(link.href).catch(() => null);
  if (answer?.status !== 200) return false;
  const named = answer.headers.get('content-disposition')?.match(/filename="([^"]+)"/)?.[1];
  const bytes = await answer.arrayBuffer().catch(() => null);
  if (bytes) download(bytes, link.download || named || 'pubdice.txt');
  return !!bytes;
}
