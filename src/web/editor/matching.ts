/**
 * At most 8 people with a word of their name or username that starts with the query; those whose username or first name
 * does come first, because people are usually mentioned by these. `me` comes last.
 */
export function peopleMatching<
  P extends { user_id: number; username: string; first_name: string; last_name: string },
>(people: readonly P[], query: string, me?: number): P[] {
  const wanted = query.toLowerCase();
  const starts = (name: string) => name.toLowerCase().startsWith(wanted);
  const [first, others] = [
    people.filter(({ username, first_name }) => starts(username) || starts(first_name)),
    people.filter(
      ({ username, first_name, last_name }) => !starts(username) && !starts(first_name) && starts(last_name),
    ),
  ];
  const isMe = ({ user_id }: P) => user_id === me;
  const found = [...first, ...others];
  return [...found.filter((person) => !isMe(person)), ...found.filter(isMe)].slice(0, 8);
}

/** Issues whose number starts with the query, or a word of whose title does. */
export function issuesMatching<I extends { key: string; title: string }>(
  issues: readonly I[],
  query: string,
): I[] {
  const wanted = query.toLowerCase();
  return issues.filter(
    ({ key, title }) => key.slice(key.indexOf("-") + 1).startsWith(wanted) || hasWord(title, wanted),
  );
}

/** Reports whose number starts with the query, or a word of whose title does; the newest first. */
export function reportsMatching<R extends { id: number; title: string }>(
  reports: readonly R[],
  query: string,
  most: number,
): R[] {
  const wanted = query.toLowerCase();
  const fits = ({ id, title }: R) => String(id).startsWith(wanted) || hasWord(title, wanted);
  return reports
    .filter(fits)
    .toSorted((a, b) => b.id - a.id)
    .slice(0, most);
}

const hasWord = (title: string, beginning: string) =>
  title
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .some((word) => word.startsWith(beginning));
