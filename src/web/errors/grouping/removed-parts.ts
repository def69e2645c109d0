/** A part of a line, and whether normalization removed it. */
export type LinePart = { text: string; removed: boolean };

/**
 * The original line, divided into what is left of it and what was removed. Compares from the end, because mostly the
 * beginning of a path is removed. If something was replaced, the normalized line follows the removed original.
 */
export function removedParts(original: string, normalized: string): LinePart[] {
  const parts: LinePart[] = [];
  const add = (text: string, removed: boolean) => {
    const first = parts[0];
    if (first?.removed === removed) first.text = text + first.text;
    else parts.unshift({ text, removed });
  };
  let left = normalized.length;
  for (let at = original.length - 1; at >= 0; at--) {
    const character = original.charAt(at);
    const isKept = left > 0 && normalized.charAt(left - 1) === character;
    if (isKept) left--;
    add(character, !isKept);
  }
  if (left === 0) return withoutIndent(parts);
  return withoutIndent([
    { text: original, removed: true },
    { text: ` ${normalized}`, removed: false },
  ]);
}

/** Spaces at the beginning of a line only indent it, so they are not shown as removed. */
function withoutIndent(parts: LinePart[]): LinePart[] {
  const [first, ...others] = parts;
  const indent = first?.removed ? /^\s*/.exec(first.text)?.[0] : undefined;
  if (!first || !indent) return parts;
  const rest = first.text.slice(indent.length);
  const [next, ...last] = others;
  if (rest !== "") return [{ text: indent, removed: false }, { text: rest, removed: true }, ...others];
  return next ? [{ text: indent + next.text, removed: false }, ...last] : [{ text: indent, removed: false }];
}
