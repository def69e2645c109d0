import { wordsOf } from "../../shared/search-words.ts";

/** A search query, parsed for each way of searching. */
export type Terms = {
  /** The query in lower case. */
  text: string;
  /** At most ten, in lower case, without any character of a tsquery operator. */
  words: string[];
  /** For `to_tsquery('simple', …)`; empty if there are no words. */
  tsquery: string;
  /** The parts of `tsquery`, all of which must match. */
  lexemes: Lexeme[];
  /** For `ilike`: each word, anywhere in the text. */
  patterns: string[];
  /** From `WEB-12`: matches this issue and those whose key starts with it. */
  key: { project: string; number: number } | undefined;
  /** From `12` or `#12`: matches the issue with this number in every project. */
  number: number | undefined;
};

export type Lexeme = { word: string; isPrefix: boolean; tsquery: string };

/** Further words are ignored, because each one costs an index lookup. */
const MAX_WORDS = 10;
/** Shorter words match whole words only, unless they are last: too many words start with `a`. */
const MIN_PREFIX_LENGTH = 3;

export function readTerms(query: string): Terms {
  const text = query.toLowerCase();
  const words = wordsOf(text).slice(0, MAX_WORDS);
  const lexemes = words.flatMap(lexeme);
  const [, project, ofProject] = /^([a-z][a-z0-9]{1,9})-([1-9][0-9]{0,8})$/.exec(text) ?? [];
  const [, number] = /^#?([1-9][0-9]{0,8})$/.exec(text) ?? [];
  return {
    text,
    words,
    tsquery: lexemes.map(({ tsquery }) => tsquery).join(" & "),
    lexemes,
    patterns: words.map((word) => `%${word}%`),
    key: project === undefined ? undefined : { project: project.toUpperCase(), number: Number(ofProject) },
    number: number === undefined ? undefined : Number(number),
  };
}

/** Words match as prefixes, for search as you type. A single letter after other words is ignored until it grows. */
function lexeme(word: string, index: number, words: string[]): Lexeme[] {
  const isLast = index === words.length - 1;
  if (isLast && index > 0 && word.length === 1) return [];
  const isPrefix = isLast || word.length >= MIN_PREFIX_LENGTH;
  return [{ word, isPrefix, tsquery: `'${word}'${isPrefix ? ":*" : ""}` }];
}
