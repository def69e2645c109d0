/** The text, truncated to this many bytes of UTF-8. */
export function cutBytes(text: string, max: number): string {
  // A UTF-16 code unit takes at most three bytes of UTF-8.
  if (text.length * 3 <= max) return text;
  const bytes = Buffer.from(text, "utf8");
  if (bytes.length <= max) return text;
  let end = max;
  // Do not cut a character in half: skip back over its continuation bytes.
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.toString("utf8", 0, end);
}
