/**
 * The advice for phones that don't meet, by language. The build puts it here, from the "phones_apart" of each
 * words/CODE.json.
 * @type {Record<string, Record<string, string>>}
 */
export const WORDS = {};
