import { tooLarge } from "../../answers/errors.ts";

/** Real events have far fewer: 10 exceptions, 5,000 frames, 100 breadcrumbs. */
const MAX_VALUES = 1_000_000;

/**
 * 413 if the JSON has more than a million values and keys. Parsing 32 MiB of `{},` takes more memory than a worker thread
 * may use, and because `JSON.parse` cannot be interrupted, Node.js then ends the whole process.
 */
export function requireFewValues(bytes: Buffer): void {
  if (bytes.length > MAX_VALUES && countSigns(bytes) > MAX_VALUES)
    throw tooLarge(`The body has more than ${MAX_VALUES.toLocaleString("en")} JSON values.`);
}

/** The commas, colons and opening brackets outside strings, which separate values. */
function countSigns(bytes: Buffer): number {
  let signs = 0;
  let inString = false;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if (byte === QUOTE) inString = !inString;
    else if (inString) i += byte === BACKSLASH ? 1 : 0;
    else if (byte === COMMA || byte === COLON || byte === OPEN_ARRAY || byte === OPEN_OBJECT) signs++;
  }
  return signs;
}

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_ARRAY, OPEN_OBJECT] = [0x5b, 0x7b];
