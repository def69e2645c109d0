/*
 * The limits of section 4.6, counted here in UTF-16 units: never more than the server's code points allow. A text that
 * is too long is cut, since an event without its last characters is better than none.
 */
export const maxText = 255;
export const maxMessage = 65_535;
export const maxTrace = 131_072;
export const maxPrevious = 10;
