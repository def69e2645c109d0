import { readCodeOwnersLine } from "../../../shared/code-owners-line.ts";

/** A line of CODEOWNERS that does not do what it says. `line` counts from 1. */
export type Problem = { line: number; text: string };

/** Who can be named. `usernames` and `teams` are those with access to the project. */
type Known = { usernames: readonly string[]; teams: readonly string[] };

/** The problems of a CODEOWNERS text, in the order of its lines. Addresses of people are not visible, so they are not checked. */
export function findProblems(text: string, { usernames, teams }: Known): Problem[] {
  const known = new Set([
    ...usernames.map((name) => name.toLowerCase()),
    ...teams.flatMap((name) => [name.toLowerCase(), name.toLowerCase().replaceAll(" ", "-")]),
  ]);
  return text.split(/\r?\n/).flatMap((written, index) => {
    const rule = readCodeOwnersLine(written);
    if (rule === undefined) return [];
    const problems = [
      ...problemsOfPattern(rule.pattern),
      ...rule.owners.flatMap((owner) => problemsOfOwner(owner, known)),
    ];
    return problems.map((problem) => ({ line: index + 1, text: problem }));
  });
}

function problemsOfPattern(pattern: string): string[] {
  if (pattern.startsWith("!")) return ["Patterns cannot be excluded with “!”."];
  if (/\[.*\]/.test(pattern)) return ["Ranges of characters in brackets are not supported."];
  return [];
}

function problemsOfOwner(owner: string, known: ReadonlySet<string>): string[] {
  if (owner.startsWith("@")) {
    const name = owner.slice(1).toLowerCase();
    // A team of an organization, @acme/shop, stands for the team shop.
    const isKnown = known.has(name) || known.has(name.replace(/^[^/]*\//, ""));
    return isKnown ? [] : [`No person or team with access to the project is called ${owner}.`];
  }
  return /^[^\s@]+@[^\s@]+$/.test(owner) ? [] : [`“${owner}” is neither a @name nor an email address.`];
}
