/**
 * The sentences about a match that goes on at another phone, by language. The build puts them here, from the "going_on"
 * of each words/CODE.json.
 * @type {Record<string, Record<string, string>>}
 */
export const WORDS = {};
