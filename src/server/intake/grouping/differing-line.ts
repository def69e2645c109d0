/**
 * The only line in which the second list differs from the first one: a line that is different or that the first one lacks,
 * or null if the first one has an additional line. Undefined if the lists are equal or differ in more than that. Numbers of
 * PHP's frames do not count, because an additional frame changes all that follow.
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
