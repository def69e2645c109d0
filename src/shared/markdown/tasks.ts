/** The tasks of a text: `- [ ] open` and `- [x] done`. */
export type TaskCount = { done: number; total: number };

/** List markers and quotes, then the box. Linear: no part can match in two ways. */
const TASK = /^([\s>]*(?:(?:[-*+]|\d{1,9}[.)])[\s>]+)+\[)([ xX])\][ \t]+\S/;
const FENCE = /^[\s>]*(`{3,}|~{3,})(.*)$/;

/**
 * Counts the tasks outside fenced code; null if there are none. Reads lines instead of parsing, because lists of issues
 * count the tasks of each description: 1 ms for 1 MB.
 */
export function countTasks(text: string | null): TaskCount | null {
  if (text === null || !/\[[ xX]\]/.test(text)) return null;
  const count = { done: 0, total: 0 };
  let fence = "";
  for (const line of text.split("\n")) {
    const [, marks = "", info = ""] = FENCE.exec(line) ?? [];
    if (fence !== "") {
      if (marks.startsWith(fence) && info.trim() === "") fence = "";
    } else if (marks !== "" && !(marks.startsWith("`") && info.includes("`"))) fence = marks;
    else {
      const mark = TASK.exec(line)?.[2];
      if (mark === undefined) continue;
      count.total++;
      if (mark !== " ") count.done++;
    }
  }
  return count.total === 0 ? null : count;
}

/**
 * Ticks or clears the task in a line of the `shown` text, in the `current` text, which may have changed since. If several tasks are
 * equal, changes the one at the same position among them. Returns undefined if their number has changed.
 */
export function tickTask(shown: string, line: number, done: boolean, current: string): string | undefined {
  const task = withoutMark(shown.split("\n")[line] ?? "");
  if (task === undefined) return undefined;
  const lines = current.split("\n");
  const before = linesOf(task, shown.split("\n"));
  const now = linesOf(task, lines);
  const place = now[before.indexOf(line)];
  if (place === undefined || before.length !== now.length) return undefined;
  lines[place] = (lines[place] ?? "").replace(TASK_MARK, `$1${done ? "x" : " "}]`);
  return lines.join("\n");
}

const linesOf = (task: string, lines: string[]): number[] =>
  lines.flatMap((text, index) => (withoutMark(text) === task ? [index] : []));

const TASK_MARK = /^([\s>]*(?:(?:[-*+]|\d{1,9}[.)])[\s>]+)+\[)[ xX]\]/;

const withoutMark = (line: string): string | undefined =>
  TASK.test(line) ? line.replace(TASK_MARK, "$1 ]").trimEnd() : undefined;
