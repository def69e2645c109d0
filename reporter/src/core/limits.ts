/*
 * The server's limits in code points. Longer texts are cut to this number of UTF-16 units, which are never more code points: a
 * shortened event is better than a refused one.
 */
export const MAX_TEXT = 255;
export const MAX_MESSAGE = 65_535;
export const MAX_TRACE = 131_072;
export const MAX_PREVIOUS = 10;
