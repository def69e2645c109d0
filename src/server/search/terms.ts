/** What somebody searches for, read in the ways it is looked for. */
export type Terms = {
  /** The query in lower case. */
  text: string;
  /** At most ten, in lower case, without anything an operator is made of. */
  words: string[];
  /** For `to_tsquery('simple', …)`; empty without words. */
  tsquery: string;
  /** For `ilike`: one for each word, anywhere. */
  patterns: string[];
  /** `WEB-12`: the issue itself, and those whose key goes on. */
  key: { project: string; number: number } | undefined;
  /** `12` or `#12`: the issue of that number in any project. */
  number: number | undefined;
};

/** More words than this are not looked at: each is a look into an index. */
const MOST_WORDS = 10;
/** Shorter words are whole ones, unless they are the last: everything begins with `a`. */
const PREFIX_LENGTH = 3;

/** Divided where the column `words` divides texts. */
const SEPARATORS = /[\s!-/:-@[-`{-~–—‘’“”„…«»·•¡¿]+/;

export function readTerms(query: string): Terms {
  const text = query.toLowerCase();
  const words = wordsOf(text).slice(0, MOST_WORDS);
  const [, project, ofProject] = /^([a-z][a-z0-9]{1,9})-([1-9][0-9]{0,8})$/.exec(text) ?? [];
  const [, number] = /^#?([1-9][0-9]{0,8})$/.exec(text) ?? [];
  return {
    text,
    words,
    tsquery: words.flatMap(lexeme).join(" & "),
    patterns: words.map((word) => `%${word}%`),
    key: project === undefined ? undefined : { project: project.toUpperCase(), number: Number(ofProject) },
    number: number === undefined ? undefined : Number(number),
  };
}

export function wordsOf(text: string): string[] {
  return text.split(SEPARATORS).filter((word) => word !== "");
}

/** As people type, every word may be the beginning of one. A single letter after others is not looked for yet. */
function lexeme(word: string, place: number, words: string[]): string[] {
  const isLast = place === words.length - 1;
  if (isLast && place > 0 && word.length === 1) return [];
  return [`'${word}'${isLast || word.length >= PREFIX_LENGTH ? ":*" : ""}`];
}
