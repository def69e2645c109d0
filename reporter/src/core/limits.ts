/*
 * The server's limits in code points. Longer texts are cut to as many UTF-16 units, which are at most as many code
 * points: a shortened event is better than a refused one.
 */
export const maxText = 255;
export const maxMessage = 65_535;
export const maxTrace = 131_072;
export const maxPrevious = 10;
