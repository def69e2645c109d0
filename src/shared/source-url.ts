/** What a repository URL pattern may contain in braces. */
export const PLACEHOLDER = /\{(path|line|release)\}/g;

type Source = { path: string; line?: number | null | undefined; release?: string | null | undefined };

/**
 * The address of a source line. Undefined if the path is empty, or if the pattern contains `{release}` and the release is unknown.
 * Encodes each segment of a value, so that `..` cannot change the rest of the address.
 */
export function sourceUrl(pattern: string, { path, line, release }: Source): string | undefined {
  const values = { path: encoded(path), line: String(line ?? 1), release: encoded(release ?? "") };
  let isComplete = true;
  const url = pattern.replace(PLACEHOLDER, (_, name: keyof typeof values) => {
    if (values[name] === "") isComplete = false;
    return values[name];
  });
  return isComplete && /^https?:\/\//i.test(url) ? url : undefined;
}

function encoded(value: string): string {
  const segments: string[] = [];
  for (const segment of value.toWellFormed().split("/")) {
    if (segment === "..") segments.pop();
    else if (segment !== "" && segment !== ".") segments.push(encodeURIComponent(segment));
  }
  return segments.join("/");
}
