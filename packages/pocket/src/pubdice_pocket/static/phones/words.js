/**
 * The sentences of the panel about other phones, by language. The build puts them here, from the "phones" of each
 * words/CODE.json.
 * @type {Record<string, Record<string, string>>}
 */
export const WORDS = {};
