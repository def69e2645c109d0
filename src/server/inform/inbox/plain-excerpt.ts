import { plainLine } from "../../../shared/markdown/plain-text.ts";
import { cutCodePoints, exceedsCodePoints } from "../../../shared/text.ts";

/** In code points. */
const MAX_LENGTH = 200;

/** The beginning of a Markdown text in one line, without its syntax. */
export function plainExcerpt(text: string): string {
  const words = plainLine(text);
  return exceedsCodePoints(words, MAX_LENGTH) ? `${cutCodePoints(words, MAX_LENGTH - 1).trimEnd()}…` : words;
}
