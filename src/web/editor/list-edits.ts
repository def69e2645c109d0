import { caretAt, isInFence, replaceLines, type TextState, touchedLines } from "./text-state.ts";

/** What a line begins with: quote marks and indentation, a list marker, a task's box. */
type Item = { lead: string; marker: string; gap: string; box: string; content: string };

export type ListKind = "bullet" | "number" | "task";

/** Makes the touched lines a list of this kind, or plain lines if they all are one. Blank lines stay blank. */
export function toggleList(state: TextState, kind: ListKind): TextState {
  const { lines } = touchedLines(state);
  const items = lines.map((line) => itemOf(line) ?? plain(line));
  const isBlank = ({ marker, content }: Item) => marker === "" && content.trim() === "";
  const isSingle = items.length === 1;
  const isRemoved = items.every((item) => kindOf(item) === kind || (!isSingle && isBlank(item)));
  let number = 0;
  const next = items.map((item) => {
    if (!isSingle && isBlank(item)) return item.lead + item.content;
    if (isRemoved) return item.lead + item.content;
    number += 1;
    return item.lead + (kind === "number" ? `${number}. ` : kind === "task" ? "- [ ] " : "- ") + item.content;
  });
  return replaceLines(state, next);
}

/** Puts `> ` before the touched lines, or removes it from all. */
export function toggleQuote(state: TextState): TextState {
  const { lines } = touchedLines(state);
  const isQuoted = lines.every((line) => /^ {0,3}>/.test(line));
  return replaceLines(
    state,
    lines.map((line) => (isQuoted ? line.replace(/^ {0,3}> ?/, "") : `> ${line}`)),
  );
}

/** Makes the touched lines headings of this level, or plain lines if they all are. */
export function toggleHeading(state: TextState, level: number): TextState {
  const { lines } = touchedLines(state);
  const mark = `${"#".repeat(level)} `;
  const filled = lines.filter((line) => line.trim() !== "");
  const isHeading = filled.length > 0 && filled.every((line) => line.startsWith(mark));
  const change = (line: string) => {
    if (line.trim() === "" && lines.length > 1) return line;
    const bare = line.replace(/^#{1,6} +/, "");
    return isHeading ? bare : mark + bare;
  };
  return replaceLines(state, lines.map(change));
}

/**
 * What Enter does in a list or quote: begins the next item, or ends the list if the item is empty. Undefined anywhere
 * else, where Enter is a plain line break.
 */
export function continueList(state: TextState): TextState | undefined {
  const { text, start, end } = state;
  const from = text.lastIndexOf("\n", start - 1) + 1;
  const item = itemOf(text.slice(from, start));
  if (item === undefined || isInFence(text, start)) return undefined;
  const { to } = touchedLines(caretAt(text, end));
  const whole = itemOf(text.slice(from, to));
  if (whole === undefined || start - from < whole.lead.length + whole.marker.length + whole.gap.length)
    return undefined;
  if (item.content.trim() === "" && text.slice(end, to).trim() === "") {
    const left = outer(text, from, item);
    // Without a blank line, Markdown takes what follows for a part of the item or quote above.
    const isEnded = !isItem(left) && text.slice(0, from).trim() !== "";
    const insert = isEnded ? `${left}\n${left}` : left;
    return caretAt(text.slice(0, from) + insert + text.slice(to), from + insert.length);
  }
  const insert = `\n${item.lead}${next(item.marker)}${item.gap}${item.box && "[ ] "}`;
  return caretAt(text.slice(0, start) + insert + text.slice(end), start + insert.length);
}

/**
 * Makes the touched items children of the item above. Undefined if there is nothing to indent: Tab then moves the
 * focus, so that the field is never a keyboard trap.
 */
export function indentItems(state: TextState): TextState | undefined {
  const { from, lines } = touchedLines(state);
  const first = itemOf(lines[0] ?? "");
  if (first === undefined || first.marker === "" || isInFence(state.text, from)) return undefined;
  const above = itemAbove(state.text, from, (item) => item.lead.length <= first.lead.length);
  if (above === undefined || above.lead.length < first.lead.length) return undefined;
  const width = above.marker.length + 1;
  return replaceItems(state, (line) => {
    const item = itemOf(line) ?? plain(line);
    return item.lead + " ".repeat(width) + line.slice(item.lead.length);
  });
}

/** Makes the touched items siblings of their parent. Undefined if they have none. */
export function outdentItems(state: TextState): TextState | undefined {
  const { from, lines } = touchedLines(state);
  const first = itemOf(lines[0] ?? "");
  if (first === undefined || first.marker === "" || isInFence(state.text, from)) return undefined;
  const indent = /[ \t]*$/.exec(first.lead)?.[0].length ?? 0;
  if (indent === 0) return undefined;
  const above = itemAbove(state.text, from, (item) => item.lead.length < first.lead.length);
  const width = Math.min(indent, above === undefined ? indent : first.lead.length - above.lead.length);
  return replaceItems(state, (line) => {
    const { lead } = itemOf(line) ?? plain(line);
    const spaces = /[ \t]*$/.exec(lead)?.[0].length ?? 0;
    return lead.slice(0, lead.length - Math.min(spaces, width)) + line.slice(lead.length);
  });
}

function itemOf(line: string): Item | undefined {
  const found = /^((?:[ \t]*> ?)*[ \t]*)(?:([-*+]|\d{1,9}[.)])( +)(\[[ xX]\](?: +|$))?)?([^]*)$/.exec(line);
  const [, lead = "", marker = "", gap = "", box = "", content = ""] = found ?? [];
  if (marker === "" && !lead.includes(">")) return undefined;
  return { lead, marker, gap, box, content };
}

function plain(line: string): Item {
  const lead = /^[ \t]*/.exec(line)?.[0] ?? "";
  return { lead, marker: "", gap: "", box: "", content: line.slice(lead.length).replace(/^#{1,6} +/, "") };
}

function kindOf({ marker, box }: Item): ListKind | undefined {
  if (marker === "") return undefined;
  return box !== "" ? "task" : /\d/.test(marker) ? "number" : "bullet";
}

const isItem = (line: string) => (itemOf(line)?.marker ?? "") !== "";

const next = (marker: string) => marker.replace(/^\d+/, (number) => String(Number(number) + 1));

/** What is left of an empty item: one level less, or nothing. */
function outer(text: string, from: number, item: Item): string {
  if (item.marker === "") return item.lead.replace(/> ?$/, "").replace(/^\s+$/, "");
  const above = itemAbove(text, from, ({ lead }) => lead.length < item.lead.length);
  const isNested = above !== undefined && above.marker !== "" && /[ \t]$/.test(item.lead);
  return isNested
    ? above.lead + next(above.marker) + above.gap + (above.box && "[ ] ")
    : (/^.*> ?/.exec(item.lead)?.[0] ?? "");
}

/** The nearest list item above that fits, without leaving the list. */
function itemAbove(text: string, from: number, fits: (item: Item) => boolean): Item | undefined {
  const lines = text.slice(0, Math.max(0, from - 1)).split("\n");
  if (from === 0) return undefined;
  for (const line of lines.toReversed()) {
    const item = itemOf(line);
    if (item !== undefined && item.marker !== "") {
      if (fits(item)) return item;
    } else if (line.trim() !== "" && !/^[ \t]/.test(line)) return undefined;
  }
  return undefined;
}

/** Changes the touched lines, and keeps the selection or caret on the same characters. */
function replaceItems(state: TextState, change: (line: string) => string): TextState {
  const { lines } = touchedLines(state);
  const changed = lines.map((line) => (line.trim() === "" ? line : change(line)));
  return replaceLines(state, changed);
}
