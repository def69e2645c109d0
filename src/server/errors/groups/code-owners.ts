import { readCodeOwnersLine } from "../../../shared/code-owners-line.ts";
import { pathSegments } from "./frame-paths.ts";

/** Segments of a path. `**` stands for any number of them; if `isFolder`, for what is in the folder. */
type Pattern = { segments: string[]; isFolder: boolean };

/**
 * The owners of a file by the text of a CODEOWNERS file, as they are written there. The last pattern that matches decides. The
 * file's path may begin with any folders outside the repository.
 */
export function ownersOfFile(codeOwners: string, file: string): string[] {
  const path = pathSegments(file);
  const lines = codeOwners.split(/\r?\n/);
  for (const line of lines.toReversed()) {
    const rule = readCodeOwnersLine(line);
    if (rule && matches(toPattern(rule.pattern), path)) return rule.owners;
  }
  return [];
}

/** As in a .gitignore file: a pattern with a slash that is not its last character begins at the root of the repository. */
function toPattern(text: string): Pattern {
  const isFolder = text.endsWith("/");
  const segments = text.split("/").filter((segment) => segment !== "");
  const isAnchored = text.slice(0, -1).includes("/");
  return { segments: isAnchored ? segments : ["**", ...segments], isFolder };
}

/** Whether the pattern matches the path from any of its folders on. Takes time in proportion to the lengths of both. */
function matches({ segments, isFolder }: Pattern, path: string[]): boolean {
  /** Whether the segments so far match what ends before the n-th segment of the path. */
  let reached = [...path.map(() => true), false];
  for (const segment of segments) {
    const next = reached.map(() => false);
    for (const [n, isReached] of reached.entries()) {
      if (segment === "**") next[n] = isReached || (n > 0 && next[n - 1] === true);
      else if (n > 0 && reached[n - 1] === true) next[n] = matchesSegment(segment, path[n - 1] as string);
    }
    reached = next;
  }
  const last = segments.at(-1) ?? "";
  // A pattern also matches everything in the folder that it names, but `docs/*` only the files directly in `docs`.
  const isDeep = last !== "*" && last !== "**";
  return reached.some(
    (isReached, n) => isReached && (n === path.length ? !isFolder : n > 0 && (isDeep || isFolder)),
  );
}

/** `*` is any text and `?` any character. Continues at the last `*`, so it takes at most the product of both lengths. */
function matchesSegment(pattern: string, text: string): boolean {
  let [p, t, star, resume] = [0, 0, -1, 0];
  while (t < text.length) {
    if (pattern[p] === "*") [star, resume, p] = [p, t, p + 1];
    else if (p < pattern.length && (pattern[p] === "?" || pattern[p] === text[t])) [p, t] = [p + 1, t + 1];
    else if (star >= 0) [p, resume, t] = [star + 1, resume + 1, resume + 1];
    else return false;
  }
  while (pattern[p] === "*") p++;
  return p === pattern.length;
}
