/*
 * The server's limits in code points. Longer texts are cut to this number of UTF-16 units, which are never more code points: a
 * shortened event is better than a refused one.
 */
export const maxText = 255;
export const maxMessage = 65_535;
export const maxTrace = 131_072;
export const maxPrevious = 10;
