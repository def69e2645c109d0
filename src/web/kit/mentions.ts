/** The mention being typed before the caret: `@an` → `{ start: …, query: "an" }`. */
export function mentionAt(text: string, caret: number): { start: number; query: string } | null {
  const found = /(?:^|[\s([{"'/])@([\p{L}\p{N}._-]{0,40})$/u.exec(text.slice(Math.max(0, caret - 60), caret));
  if (found === null) return null;
  const query = found[1] ?? "";
  return { start: caret - query.length - 1, query };
}

/** Completes the mention at `start` and says where the caret goes. */
export function completeMention(
  text: string,
  start: number,
  caret: number,
  username: string,
): { text: string; caret: number } {
  const after = text.slice(caret);
  const insert = `@${username}${/^\s/.test(after) ? "" : " "}`;
  return {
    text: text.slice(0, start) + insert + after,
    caret: start + insert.length + (/^\s/.test(after) ? 1 : 0),
  };
}

/** At most 8 people with a word of their name or username that starts with the query. */
export function peopleMatching<P extends { username: string; first_name: string; last_name: string }>(
  people: readonly P[],
  query: string,
): P[] {
  const wanted = query.toLowerCase();
  const fits = ({ username, first_name, last_name }: P) =>
    [username, first_name, last_name].some((name) => name.toLowerCase().startsWith(wanted));
  return people.filter(fits).slice(0, 8);
}
