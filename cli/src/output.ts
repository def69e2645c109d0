import { oneLine, safeJson } from "./terminal-text.ts";

const { stdout, stderr } = process;

export const isTerminal = stdout.isTTY;

type Color = "red" | "green" | "yellow" | "dim" | "bold";

const CODES: Record<Color, [on: number, off: number]> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
};

const hasColors = wantsColors(process.env);

/** FORCE_COLOR decides if it is set, then NO_COLOR, otherwise whether stdout is a terminal. */
function wantsColors({ FORCE_COLOR, NO_COLOR, TERM }: NodeJS.ProcessEnv): boolean {
  if (FORCE_COLOR) return FORCE_COLOR !== "0" && FORCE_COLOR !== "false";
  return !NO_COLOR && TERM !== "dumb" && isTerminal;
}

export function paint(color: Color | undefined, text: string): string {
  if (!hasColors || color === undefined || text === "") return text;
  const [on, off] = CODES[color];
  return `\u001b[${on}m${text}\u001b[${off}m`;
}

export const writeLine = (line = "") => void stdout.write(`${line}\n`);

/** Hints and warnings, which are not part of the result. */
export const writeNote = (line: string) => void stderr.write(`${line}\n`);

export const writeJson = (value: unknown) => writeLine(safeJson(value, 2));

export type Column<Row> = {
  name: string;
  text: (row: Row) => string;
  color?: (row: Row) => Color | undefined;
};

/**
 * On a terminal, a table with a header, whose last column is cut to the width of the terminal. Otherwise lines with
 * tab-separated values and no header, for other programs.
 */
export function writeTable<Row>(rows: Row[], columns: Column<Row>[]): void {
  const cells = rows.map((row) => columns.map(({ text }) => oneLine(text(row))));
  if (!isTerminal) {
    for (const texts of cells) writeLine(texts.join("\t"));
    return;
  }
  const painters = rows.map((row) => columns.map(({ color }) => color?.(row)));
  for (const line of layOut(columns, cells, painters, stdout.columns || 80)) writeLine(line);
}

function layOut(
  columns: { name: string }[],
  cells: string[][],
  painters: (Color | undefined)[][],
  width: number,
): string[] {
  const names = columns.map(({ name }) => name);
  const widths = names.map((name, index) =>
    Math.max(lengthOf(name), ...cells.map((texts) => lengthOf(texts[index] ?? ""))),
  );
  const last = names.length - 1;
  const before = widths.slice(0, last).reduce((sum, each) => sum + each + 2, 0);
  const fit = (text: string, index: number) =>
    index === last
      ? cut(text, Math.max(width - before, 20))
      : text + " ".repeat(widths[index]! - lengthOf(text));
  const header = names.map((name, index) => paint("dim", fit(name, index))).join("  ");
  const lines = cells.map((texts, row) =>
    texts.map((text, index) => paint(painters[row]?.[index], fit(text, index))).join("  "),
  );
  return [header, ...lines];
}

const lengthOf = (text: string) => Array.from(text).length;

function cut(text: string, width: number): string {
  const characters = Array.from(text);
  return characters.length <= width ? text : `${characters.slice(0, width - 1).join("")}…`;
}

/** `name: value` lines, aligned on a terminal. Leaves out empty values. */
export function writeFields(fields: [name: string, value: string | number | null | undefined][]): void {
  const present = fields.filter(([, value]) => value !== null && value !== undefined && value !== "");
  const width = isTerminal ? Math.max(...present.map(([name]) => name.length)) + 1 : 0;
  for (const [name, value] of present)
    writeLine(`${paint("dim", `${name}:`.padEnd(width))} ${oneLine(String(value))}`);
}

/** On a terminal how long ago, otherwise the time itself. */
export function writtenTime(timestamp: string | null, now = Date.now()): string {
  if (timestamp === null) return isTerminal ? "never" : "";
  if (!isTerminal) return timestamp;
  const seconds = Math.max(0, Math.round((now - Date.parse(timestamp)) / 1000));
  if (seconds < 60) return "just now";
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`;
  return `${Math.floor(seconds / 86_400)} d ago`;
}
