/*
 * The server's limits. They are counted in UTF-16 units here, which never exceeds the code points that the server counts.
 * Longer texts are cut: a shortened event is better than a refused one.
 */
export const maxText = 255;
export const maxMessage = 65_535;
export const maxTrace = 131_072;
export const maxPrevious = 10;
