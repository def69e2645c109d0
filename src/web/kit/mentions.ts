/** Of `@ann/@bob` both; of `a@b.com`, `@ann@example.com` and `example.com/@ann` none: as the server reads them. */
const RUN = /(?<![\p{L}\p{N}\p{M}_@/])@[\p{L}\p{N}\p{M}._-]+(?:\/@[\p{L}\p{N}\p{M}._-]+)*@?/gu;
const BARE_URL = /(?<![\p{L}\p{N}])(?:https?:\/\/|www\.)[^\s<]*/giu;
const NAME = /@([\p{L}\p{N}\p{M}._-]+)/gu;

export type Piece = { text: string; mention: boolean };

/** A piece of prose, cut where it mentions somebody of `names` (lower case). */
export function mentionPieces(prose: string, names: ReadonlySet<string>): Piece[] {
  const masked = prose.replace(BARE_URL, (url) => " ".repeat(url.length));
  const pieces: Piece[] = [];
  let done = 0;
  for (const { 0: run, index } of masked.matchAll(RUN)) {
    if (run.endsWith("@")) continue;
    for (const found of run.matchAll(NAME)) {
      const name = (found[1] ?? "").replace(/[._-]{1,64}$/, "");
      if (!names.has(name.toLowerCase())) continue;
      const start = index + found.index;
      if (start > done) pieces.push({ text: prose.slice(done, start), mention: false });
      done = start + 1 + name.length;
      pieces.push({ text: prose.slice(start, done), mention: true });
    }
  }
  if (done < prose.length) pieces.push({ text: prose.slice(done), mention: false });
  return pieces;
}

/** The mention that is being typed before the caret: `@an` → `{ start: …, query: "an" }`. Null when there is none. */
export function mentionAt(text: string, caret: number): { start: number; query: string } | null {
  const found = /(?:^|[\s([{"'/])@([\p{L}\p{N}._-]{0,40})$/u.exec(text.slice(Math.max(0, caret - 60), caret));
  if (found === null) return null;
  const query = found[1] ?? "";
  return { start: caret - query.length - 1, query };
}

/** The text with the mention at `start` completed, and where the caret goes. */
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

/** Those whose name or username begins with the query in one of its words, at most 8. */
export function peopleMatching<P extends { username: string; first_name: string; last_name: string }>(
  people: readonly P[],
  query: string,
): P[] {
  const wanted = query.toLowerCase();
  const fits = ({ username, first_name, last_name }: P) =>
    [username, first_name, last_name].some((name) => name.toLowerCase().startsWith(wanted));
  return people.filter(fits).slice(0, 8);
}
