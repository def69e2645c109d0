/** Splits where the column `words` splits texts. */
const SEPARATORS = /[\s!-/:-@[-`{-~\u2013\u2014\u2018\u2019\u201c\u201d\u201e\u2026«»·\u2022¡¿]+/;

/** The words of a text or query as the search compares them, in their original case. */
export function wordsOf(text: string): string[] {
  return text.split(SEPARATORS).filter((word) => word !== "");
}
