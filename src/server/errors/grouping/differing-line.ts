/**
 * If the lists differ in exactly one line: the changed or added line of the second list, or null if that list lacks a line
 * of the first. Otherwise undefined. Ignores the numbers of PHP's frames, because an added frame changes all that follow.
 */
export function differingLine(own: readonly string[], other: readonly string[]): string | null | undefined {
  if (Math.abs(own.length - other.length) > 1 || own.length === 0 || other.length === 0) return undefined;
  const [a, b] = [own.map(withoutNumber), other.map(withoutNumber)];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  if (a.length === b.length) return a.length - start - end === 1 ? other[start] : undefined;
  if (start + end < Math.min(a.length, b.length)) return undefined;
  return b.length > a.length ? other[start] : null;
}

const withoutNumber = (line: string) => line.replace(/^#\d+ /, "");
