import { cutCodePoints } from "../../../shared/cut-code-points.ts";
import type { Position } from "./parsed-map.ts";

/** As in the frames of events. */
const MAX_LINE_LENGTH = 1_000;
/** Before and after. */
const CONTEXT_LINES = 5;

export type SourceLines = { context_line: string; pre_context: string[]; post_context: string[] };

/** A line of the text, which counts from 1, with the lines around it. Null if the text has no such line. */
export function linesAround(text: string, line: number): SourceLines | null {
  const first = Math.max(1, line - CONTEXT_LINES);
  let start = lineStart(text, first);
  if (start === -1) return null;
  const lines: string[] = [];
  while (start !== -1 && lines.length <= line - first + CONTEXT_LINES) {
    const end = text.indexOf("\n", start);
    // The longest line, with its pairs of surrogates.
    const cut = text.slice(start, Math.min(end === -1 ? text.length : end, start + 2 * MAX_LINE_LENGTH));
    lines.push(cutCodePoints(cut.replace(/\r$/, ""), MAX_LINE_LENGTH));
    start = end === -1 ? -1 : end + 1;
  }
  const context_line = lines[line - first];
  if (context_line === undefined) return null;
  return {
    context_line,
    pre_context: lines.slice(0, line - first),
    post_context: lines.slice(line - first + 1),
  };
}

/** -1 if the text has fewer lines. */
function lineStart(text: string, line: number): number {
  let start = 0;
  for (let n = 1; n < line; n++) {
    const end = text.indexOf("\n", start);
    if (end === -1) return -1;
    start = end + 1;
  }
  return start;
}

/**
 * The name of the function that the code at this place calls: `total` at `cart.total(1)`, `await total(1)` and `new total()`. Null
 * if no call begins there.
 */
export function calledFunction(text: string, { line, column }: Position): string | null {
  const start = lineStart(text, line);
  if (start === -1) return null;
  const code = text.slice(start + column - 1, start + column - 1 + MAX_CALL_LENGTH);
  const name = CALL.exec(code)?.[1]
    ?.split(/\??\.#?/)
    .at(-1);
  return name === undefined || KEYWORDS.has(name) ? null : name;
}

const MAX_CALL_LENGTH = 300;

const NAME = String.raw`[\p{ID_Start}$_][\p{ID_Continue}$]*`;
/** A name after keywords, with its properties, before the arguments or the types of the arguments. */
const CALL = new RegExp(
  String.raw`^(?:(?:await|new|return|throw|yield|void|typeof)\s+)*((?:#?${NAME}\s*\??\.\s*)*#?${NAME})\s*(?:\?\.)?(?:<[^()]*>)?[(${"`"}]`,
  "u",
);

const KEYWORDS = new Set(
  "async await catch constructor for function if import new return super switch throw typeof void while with yield".split(
    " ",
  ),
);
