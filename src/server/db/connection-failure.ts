/** Why no connection could be opened. If several addresses were tried, the error of the first one. Contains no password. */
export function connectionFailure(error: unknown): string {
  const [first] = error instanceof AggregateError ? error.errors : [error];
  if (first instanceof URIError) return "its URL has special characters that are not written as %XX";
  return first instanceof Error ? first.message : String(first);
}
