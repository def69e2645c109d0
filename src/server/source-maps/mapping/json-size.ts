/** The size of a JSON text as an object in memory, which can be a hundred times that of the text. */
export type JsonSize = { values: number; depth: number };

/** Counts the values and levels of a JSON text in UTF-8, without parsing it. Meaningless if the text is not JSON. */
export function measureJson(text: Uint8Array): JsonSize {
  let values = 1;
  let level = 0;
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const byte = text[i];
    if (byte === QUOTE) i = endOfString(text, i);
    else if (byte === COMMA) values++;
    else if (byte === BRACKET || byte === BRACE) {
      values++;
      depth = Math.max(depth, ++level);
    } else if (byte === CLOSING_BRACKET || byte === CLOSING_BRACE) level--;
  }
  return { values, depth };
}

function endOfString(text: Uint8Array, start: number): number {
  let i = start + 1;
  while (i < text.length && text[i] !== QUOTE) i += text[i] === BACKSLASH ? 2 : 1;
  return i;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
const BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
