const MAX_BYTES = 4_096;

/** Fields that depend on who reads the object. */
const OF_THE_READER = new Set(["watching"]);

/**
 * A copy whose texts have at most 4 KB, without fields that depend on the reader, and the paths of the texts that were cut, such
 * as `data.description`.
 */
export function cutTexts<T extends object>(value: T): { value: T; truncated: string[] } {
  const truncated: string[] = [];
  const copy = (part: unknown, path: string): unknown => {
    if (typeof part === "string") {
      const kept = firstBytes(part);
      if (kept.length < part.length) truncated.push(path);
      return kept;
    }
    if (Array.isArray(part)) return part.map((item, n) => copy(item, `${path}.${n}`));
    if (typeof part !== "object" || part === null) return part;
    const fields = Object.entries(part).filter(([name]) => !OF_THE_READER.has(name));
    return Object.fromEntries(
      fields.map(([name, field]) => [name, copy(field, path === "" ? name : `${path}.${name}`)]),
    );
  };
  return { value: copy(value, "") as T, truncated };
}

/** As many whole characters as fit. */
function firstBytes(text: string): string {
  if (Buffer.byteLength(text) <= MAX_BYTES) return text;
  const bytes = Buffer.from(text).subarray(0, MAX_BYTES);
  // A character that was cut in half decodes as U+FFFD.
  return new TextDecoder().decode(bytes, { stream: true });
}
