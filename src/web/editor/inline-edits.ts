import { caretAt, type TextState } from "./text-state.ts";

type Mark = "**" | "_" | "`" | "~~";

/**
 * Puts the selection, or the word at the caret, between marks, or removes them if they are there. Several lines get
 * marks each, because Markdown ends emphasis with the paragraph.
 */
export function toggleMark(state: TextState, mark: Mark): TextState {
  const target = state.start === state.end ? wordAt(state) : trimmed(state);
  const { text, start, end } = target;
  const inner = text.slice(start, end);
  if (mark === "`" && inner.includes("\n")) return toggleFence(target);
  if (inner.includes("\n")) return markLines(target, mark);

  const { length } = mark;
  const isOutside =
    text.slice(start - length, start) === mark &&
    text.slice(end, end + length) === mark &&
    // The middle of `***` belongs to two marks.
    (mark !== "_" || text[start - length - 1] !== mark);
  if (isOutside) {
    const caret = state.start === state.end;
    const shift = caret ? state.start - length : start - length;
    return {
      text: text.slice(0, start - length) + inner + text.slice(end + length),
      start: shift,
      end: caret ? shift : end - length,
    };
  }
  if (isMarked(inner, mark)) {
    const bare = inner.slice(length, -length);
    return { text: text.slice(0, start) + bare + text.slice(end), start, end: start + bare.length };
  }
  const [open, close] = marksFor(target, mark);
  const next = text.slice(0, start) + open + inner + close + text.slice(end);
  if (state.start === state.end) return caretAt(next, state.start + open.length);
  return { text: next, start: start + open.length, end: end + open.length };
}

/** Makes a link of the selection and selects what is still to be written: the address, or the text of a selected address. */
export function makeLink(state: TextState): TextState {
  const { text, start, end } = state.start === state.end ? state : trimmed(state);
  const inner = text.slice(start, end);
  const [label, address] = isAddress(inner) ? ["", inner] : [inner, "url"];
  const next = `${text.slice(0, start)}[${label}](${address})${text.slice(end)}`;
  if (label === "") return caretAt(next, start + 1);
  const from = start + label.length + 3;
  return { text: next, start: from, end: from + address.length };
}

/** Links the selection to a pasted address. Undefined if the text should be pasted as it is. */
export function pasteAddress({ text, start, end }: TextState, pasted: string): TextState | undefined {
  const inner = text.slice(start, end);
  const address = pasted.trim();
  if (inner.trim() === "" || /[\n[\]]/.test(inner) || isAddress(inner.trim()) || !isAddress(address))
    return undefined;
  // Inside code or the address of a link, a pasted address stays plain.
  if (/\]\([^)\s]*$/.test(text.slice(0, start))) return undefined;
  const target = /[()]/.test(address) ? `<${address}>` : address;
  const link = `[${inner}](${target})`;
  return caretAt(text.slice(0, start) + link + text.slice(end), start + link.length);
}

const isAddress = (text: string) => /^(?:https?:\/\/|mailto:)[^\s<>]+$/i.test(text);

const isMarked = (inner: string, mark: Mark) =>
  inner.length > 2 * mark.length && inner.startsWith(mark) && inner.endsWith(mark);

/** The word around the caret; just the caret if it is not inside a word. */
function wordAt({ text, start }: TextState): TextState {
  const before = /[\p{L}\p{N}\p{M}]*$/u.exec(text.slice(Math.max(0, start - 100), start))?.[0] ?? "";
  const after = /^[\p{L}\p{N}\p{M}]*/u.exec(text.slice(start, start + 100))?.[0] ?? "";
  if (before === "" || after === "") return { text, start, end: start };
  return { text, start: start - before.length, end: start + after.length };
}

/** Without the white space at its ends: marks next to white space are not marks. */
function trimmed({ text, start, end }: TextState): TextState {
  const inner = text.slice(start, end);
  if (inner.trim() === "") return { text, start, end };
  return {
    text,
    start: start + (inner.length - inner.trimStart().length),
    end: end - (inner.length - inner.trimEnd().length),
  };
}

/** Underscores inside words and backticks around backticks would not be marks. */
function marksFor({ text, start, end }: TextState, mark: Mark): [string, string] {
  const isInWord = /[\p{L}\p{N}_]/u.test(text.charAt(start - 1)) || /[\p{L}\p{N}_]/u.test(text.charAt(end));
  if (mark === "_" && isInWord) return ["*", "*"];
  if (mark === "`" && text.slice(start, end).includes("`")) return ["`` ", " ``"];
  return [mark, mark];
}

/** The marks go after what makes a line a list item, a quote or a heading. */
function markLines({ text, start, end }: TextState, mark: Mark): TextState {
  const parts = text
    .slice(start, end)
    .split("\n")
    .map((line) => {
      const [, prefix = "", content = ""] =
        /^(\s*(?:> ?)*(?:(?:[-*+]|\d{1,9}[.)]) +(?:\[[ xX]\] )?|#{1,6} )?)([^]*)$/.exec(line) ?? [];
      return { prefix, content: content.trimEnd() };
    });
  const filled = parts.filter(({ content }) => content !== "");
  const isRemoved = filled.length > 0 && filled.every(({ content }) => isMarked(content, mark));
  const change = (content: string) =>
    content === "" ? "" : isRemoved ? content.slice(mark.length, -mark.length) : mark + content + mark;
  const joined = parts.map(({ prefix, content }) => prefix + change(content)).join("\n");
  return { text: text.slice(0, start) + joined + text.slice(end), start, end: start + joined.length };
}

function toggleFence({ text, start, end }: TextState): TextState {
  const inner = text.slice(start, end);
  const fenced = /^(`{3,})[^\n`]*\n([^]*)\n\1$/.exec(inner);
  const body = fenced?.[2] ?? inner;
  const longest = Math.max(2, ...(inner.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  const next = fenced
    ? body
    : `${/(^|\n)$/.test(text.slice(0, start)) ? "" : "\n"}${fence}\n${body}\n${fence}${/^(\n|$)/.test(text.slice(end)) ? "" : "\n"}`;
  return { text: text.slice(0, start) + next + text.slice(end), start, end: start + next.length };
}
