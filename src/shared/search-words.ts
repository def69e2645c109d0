/** Splits where the column `words` splits texts. */
const SEPARATORS = /[\s!-/:-@[-`{-~–—‘’“”„…«»·•¡¿]+/;

/** The words of a text or query as the search compares them, in their original case. */
export function wordsOf(text: string): string[] {
  return text.split(SEPARATORS).filter((word) => word !== "");
}
