import { foldCase } from "../../shared/fold-case.ts";

/**
 * Matches the same mentions as the server: both in `@ann/@bob`, none in `a@b.com`, `@ann@example.com` or
 * `example.com/@ann`.
 */
const RUN = /(?<![\p{L}\p{N}\p{M}_@/])@[\p{L}\p{N}\p{M}._-]+(?:\/@[\p{L}\p{N}\p{M}._-]+)*@?/gu;
const BARE_URL = /(?<![\p{L}\p{N}])(?:https?:\/\/|www\.)[^\s<]*/giu;
const NAME = /@([\p{L}\p{N}\p{M}._-]+)/gu;

export type Piece = { text: string; mention: boolean };

/** Splits text at mentions of `names` (lower case). */
export function mentionPieces(prose: string, names: ReadonlySet<string>): Piece[] {
  const masked = prose.replace(BARE_URL, (url) => " ".repeat(url.length));
  const pieces: Piece[] = [];
  let done = 0;
  for (const { 0: run, index } of masked.matchAll(RUN)) {
    if (run.endsWith("@")) continue;
    for (const found of run.matchAll(NAME)) {
      const name = (found[1] ?? "").replace(/[._-]{1,64}$/, "");
      if (!names.has(foldCase(name))) continue;
      const start = index + found.index;
      if (start > done) pieces.push({ text: prose.slice(done, start), mention: false });
      done = start + 1 + name.length;
      pieces.push({ text: prose.slice(start, done), mention: true });
    }
  }
  if (done < prose.length) pieces.push({ text: prose.slice(done), mention: false });
  return pieces;
}

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
