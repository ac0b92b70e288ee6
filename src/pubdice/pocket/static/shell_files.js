/**
 * Saving everything to a file, and reading it back. The worker answers {save: true} with {saved: bytes, name, large}
 * (large: a phone can't read it back, only a house can), and {restore: bytes} with {restored: true}; {look: bytes} is
 * answered with {looked: {here, there}}, how many tables are here and in the file. Each may be answered with {refused:
 * sentence}, in the language of the tag that is sent along.
 */
import { megabytes } from './shell_words.js';

const MOST_BYTES = 100e6;

/** Hands bytes to the browser as a download. */
export function download(bytes, name) {
  const link = document.createElement('a');
  const url = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
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
  const answer = await engine.ask({ save: true, tag: document.documentElement.lang });
  if (answer?.refused) return told('', {}, answer.refused);
  if (!answer?.saved) return told('not_saved');
  download(answer.saved, answer.name);
  return told(answer.large ? 'saved_large' : 'saved', { name: answer.name, of: megabytes(MOST_BYTES) });
}

/**
 * Reads a file back; true if what it holds is here now. A refusal has changed nothing. sure: asked, once the file has
 * been looked at, whether it may replace what is here; it gets the facts and resolves to true or false.
 */
export async function restore(engine, file, told, sure) {
  if (file.size > MOST_BYTES) {
    told('too_large', { of: megabytes(MOST_BYTES) });
    return false;
  }
  told('reading', { name: file.name });
  const ask = async what => {
    const bytes = await file.arrayBuffer().catch(() => null);
    return bytes && engine.ask({ [what]: bytes, tag: document.documentElement.lang }, [bytes]);
  };
  let answer = await ask('look');
  if (answer?.looked) {
    told('');
    if (!(await sure({ name: file.name, ...answer.looked }))) {
      told('stayed');
      return false;
    }
    told('reading', { name: file.name });
    answer = await ask('restore');
  }
  if (answer?.restored) told('restored', { name: file.name });
  else if (answer?.refused) told('', {}, answer.refused);
  else told('not_restored');
  return !!answer?.restored;
}
