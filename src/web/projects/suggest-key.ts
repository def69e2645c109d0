/**
 * Suggests a key for a name: the initials of several words, or the start of a single one. Empty if no valid key
 * results.
 */
export function suggestKey(name: string): string {
  const words = name
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .toUpperCase()
    .split(/[^A-Z0-9]+/)
    .filter((word) => word !== "");
  const joined =
    words.length > 1 ? words.map((word) => word.charAt(0)).join("") : (words[0] ?? "").slice(0, 4);
  const key = joined.replace(/^[0-9]+/, "").slice(0, 10);
  return key.length < 2
    ? words
        .join("")
        .replace(/^[0-9]+/, "")
        .slice(0, 4)
    : key;
}
