export type CodeOwnersLine = { pattern: string; owners: string[] };

/** Reads a line of a CODEOWNERS file. Undefined for an empty line, a comment, and the header of a section. */
export function readCodeOwnersLine(line: string): CodeOwnersLine | undefined {
  const [pattern = "", ...owners] = line
    .replace(/(?<!\\)#.*$/, "")
    .trim()
    .split(/(?<!\\)\s+/);
  const text = pattern.replace(/\\([\s#])/g, "$1");
  if (text === "" || /^\^?\[/.test(text)) return undefined;
  return { pattern: text, owners };
}
