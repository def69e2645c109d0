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

/** Reports whose number starts with the query, or a word of whose title does; the newest first. */
export function reportsMatching<R extends { id: number; title: string }>(
  reports: readonly R[],
  query: string,
  most: number,
): R[] {
  const wanted = query.toLowerCase();
  const fits = ({ id, title }: R) =>
    String(id).startsWith(wanted) ||
    title
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .some((word) => word.startsWith(wanted));
  return reports
    .filter(fits)
    .toSorted((a, b) => b.id - a.id)
    .slice(0, most);
}
