/**
 * Saving everything to a file, and reading it back. The worker answers {save: true} with {saved: bytes, name}, and
 * {restore: bytes} with {restored: true}; either may answer {refused: sentence}, in the language of the house.
 */
import { megabytes } from './shell_words.js';

const MOST_BYTES = 64e6;

/** Hands bytes to the browser as a download. */
export function download(bytes, name) {
  const link = document.createElement('a'), url = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
  link.href = url;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Saves everything; says so by told(key, facts), or told('', {}, sentence) with a sentence of the house. */
export async function save(engine, told) {
  told('saving');
  const answer = await engine.ask({ save: true });
  if (answer?.refused) return told('', {}, answer.refused);
  if (!answer?.saved) return told('not_saved');
  download(answer.saved, answer.name);
  return told('saved', { name: answer.name });
}

/** Reads a file back; true if what it holds is here now. A refusal has changed nothing. */
export async function restore(engine, file, told) {
  if (file.size > MOST_BYTES) {
    told('too_large', { of: megabytes(MOST_BYTES) });
    return false;
  }
  told('reading', { name: file.name });
  const bytes = await file.arrayBuffer().catch(() => null), answer = bytes && (await engine.ask({ restore: bytes }, [bytes]));
  if (answer?.restored) told('restored', { name: file.name });
  else if (answer?.refused) told('', {}, answer.refused);
  else told('not_restored');
  return !!answer?.restored;
}
