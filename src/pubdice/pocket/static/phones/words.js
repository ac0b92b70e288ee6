/**
 * The sentences of the panel about other phones, in every language. The build puts them here, from the "phones" of each
 * locale/CODE/pocket.json.
 * @type {Record<string, Record<string, string>>}
 */
export const WORDS = {};
