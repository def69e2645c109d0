import { isInCode, isInFence } from "./text-state.ts";

/** What is being typed before the caret, for which there are suggestions. `from` is where it begins. */
export type Trigger =
  | { kind: "person" | "report" | "command" | "language"; from: number; query: string }
  /** `projectKey` is as typed: `web` in `web-12`. */
  | { kind: "issue"; from: number; query: string; projectKey: string };

const PERSON = /(?:^|[\s([{"'/])@([\p{L}\p{N}._-]{0,40})$/u;
const REPORT = /(?:^|[\s([{"'])#([\p{L}\p{N}]{0,40})$/u;
const ISSUE = /(?:^|[\s([{"'/])([a-z][a-z0-9]{1,9})-([\p{L}\p{N}]{0,40})$/iu;
const FENCE = /^\s*(?:`{3,}|~{3,})([a-z+#]{0,20})$/i;
const COMMAND = /^\s*\/([a-z]{0,20})$/i;

/** `isKey` says which letters before a hyphen are a project's key: `well-known` has none. */
export function triggerAt(text: string, caret: number, isKey: (key: string) => boolean): Trigger | null {
  const line = text.slice(text.lastIndexOf("\n", caret - 1) + 1, caret);
  const near = line.slice(-60);
  const fence = language(text, line, caret);
  if (fence !== null) return fence;
  const found = personOrReport(near, caret) ?? issue(near, caret, isKey) ?? command(line, caret);
  // These read all of the text, so they come last.
  return found === null || isInCode(text, caret) || isInFence(text, caret) ? null : found;
}

/** Replaces what was typed and says where the caret goes. One space follows. */
export function complete(
  text: string,
  from: number,
  caret: number,
  replacement: string,
): { text: string; caret: number } {
  const after = text.slice(caret);
  const hasSpace = /^\s/.test(after);
  const insert = hasSpace ? replacement : `${replacement} `;
  return { text: text.slice(0, from) + insert + after, caret: from + replacement.length + 1 };
}

function personOrReport(near: string, caret: number): Trigger | null {
  const person = PERSON.exec(near)?.[1];
  if (person !== undefined) return { kind: "person", from: caret - person.length - 1, query: person };
  const report = REPORT.exec(near)?.[1];
  return report === undefined ? null : { kind: "report", from: caret - report.length - 1, query: report };
}

function issue(near: string, caret: number, isKey: (key: string) => boolean): Trigger | null {
  const [, projectKey, query = ""] = ISSUE.exec(near) ?? [];
  if (projectKey === undefined || !isKey(projectKey.toUpperCase())) return null;
  return { kind: "issue", from: caret - projectKey.length - query.length - 1, query, projectKey };
}

/** After the marks that begin a code block, at the end of their line. */
function language(text: string, line: string, caret: number): Trigger | null {
  const query = FENCE.exec(line)?.[1];
  if (
    query === undefined ||
    /^[^\n]/.test(text.slice(caret, caret + 1)) ||
    isInFence(text, caret - line.length)
  )
    return null;
  return { kind: "language", from: caret - query.length, query };
}

/** Only at the beginning of a line, where a path such as `/api` is rare, and commands insert lines. */
function command(line: string, caret: number): Trigger | null {
  const query = COMMAND.exec(line)?.[1];
  return query === undefined ? null : { kind: "command", from: caret - query.length - 1, query };
}
