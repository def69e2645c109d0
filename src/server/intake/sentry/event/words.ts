const WORD = /[\p{L}\p{N}]+/gu;
const BITS = 2_048;

/** A Bloom filter of the words in texts: `mayHave` is true for all of them, and for a few other words. */
export class Words {
  readonly #bits = new Uint32Array(BITS / 32);

  constructor(texts: readonly string[]) {
    for (const text of texts)
      for (const word of wordsOf(text)) {
        const place = placeOf(word);
        this.#bits[place >> 5] = (this.#bits[place >> 5] ?? 0) | (1 << (place & 31));
      }
  }

  mayHave(word: string): boolean {
    const place = placeOf(word);
    return (((this.#bits[place >> 5] ?? 0) >> (place & 31)) & 1) === 1;
  }
}

/** Runs of letters and digits. */
export const wordsOf = (text: string): readonly string[] => text.match(WORD) ?? [];

/** The bit of a word, by its FNV-1a hash. */
function placeOf(word: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
  return (hash ^ (hash >>> 16)) & (BITS - 1);
}
