/**
 * The sentences about what helps phones that don't meet, in every language. The build puts them here, from the
 * "phones_apart" of each words/CODE.json.
 * @type {Record<string, Record<string, string>>}
 */
export const WORDS = {};
