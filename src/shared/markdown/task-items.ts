import type { Token } from "markdown-it";

/**
 * A core rule: marks the list items that are tasks. The text loses its `[x]`, and starts with a token of type `task` that
 * has `done`, the number of the `line` in the source, and the words of the task in its `meta`.
 */
export function markTasks(tokens: Token[]): void {
  tokens.forEach((token, index) => {
    const [paragraph, inline] = [tokens[index + 1], tokens[index + 2]];
    if (token.type !== "list_item_open" || paragraph?.type !== "paragraph_open" || !inline?.children) return;
    // A mark on the line after the list marker would not be found in the source.
    if (inline.map?.[0] !== token.map?.[0]) return;
    const [first] = inline.children;
    const mark = /^\[([ xX])\][ \t]/.exec(inline.content)?.[1];
    if (mark === undefined || first?.type !== "text" || !first.content.startsWith(`[${mark}]`)) return;
    first.content = first.content.slice("[x]".length).trimStart();
    const box = new (first.constructor as typeof Token)("task", "input", 0);
    box.meta = { done: mark !== " ", line: inline.map?.[0] ?? 0, words: wordsOf(inline.children) };
    inline.children.unshift(box);
    token.attrJoin("class", "task");
  });
}

const MAX_LABEL_WORDS = 200;

const wordsOf = (inline: Token[]): string =>
  inline
    .map(({ content }) => content)
    .join("")
    .trim()
    .slice(0, MAX_LABEL_WORDS);
