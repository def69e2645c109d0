import { createRequire } from "node:module";
import type * as Re2 from "re2js";

/** Instructions of a compiled pattern. Matching takes time proportional to them; ordinary patterns have fewer than 60. */
const MAX_SIZE = 300;

/** A pattern whose matching takes time linear in the length of the text. */
export type Pattern = {
  /** Whether the pattern matches anywhere in the text. Much faster than finding the matches. */
  test: (text: string) => boolean;
  /** The matches from left to right. They may be empty. */
  matches: (text: string) => Generator<Match, undefined>;
};

export type Match = { start: number; end: number };

/** A message that completes "The pattern …", for the person who wrote it. */
export class PatternError extends Error {}

/**
 * Compiles a regular expression in RE2 syntax. Throws PatternError if it is invalid, has more than `maxSize` instructions, or
 * matches everything.
 */
export function compilePattern(source: string, maxSize = MAX_SIZE): Pattern {
  const regex = parse(source);
  if (regex.programSize() > maxSize)
    throw new PatternError("is too complex: use + or * instead of large numbers of repetitions");
  if (regex.test(""))
    throw new PatternError("must not match an empty text, because it would match every text");
  return { test: (text) => regex.test(text), matches: (text) => matchesOf(regex, text) };
}

function parse(source: string): Re2.RE2JS {
  // Loaded with the first pattern: most projects have none, and it is a quarter of a megabyte of code.
  const { RE2JS, RE2JSException } = createRequire(import.meta.url)("re2js") as typeof Re2;
  try {
    return RE2JS.compile(source);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    const reason = error.message.replace("error parsing regexp: ", "");
    throw new PatternError(`must be a regular expression without lookaround and backreferences: ${reason}`);
  }
}

function* matchesOf(regex: Re2.RE2JS, text: string): Generator<Match, undefined> {
  const matcher = regex.matcher(text);
  while (matcher.find()) yield { start: matcher.start(), end: matcher.end() };
  return undefined;
}
