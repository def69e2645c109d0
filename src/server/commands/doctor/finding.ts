/** The result of one check. `fix` says what to do about a warning or a failure. */
export type Finding =
  | { level: "ok"; what: string; text: string }
  | { level: "warn" | "fail"; what: string; text: string; fix: string };

export const ok = (what: string, text: string): Finding => ({ level: "ok", what, text });
export const warn = (what: string, text: string, fix: string): Finding => ({
  level: "warn",
  what,
  text,
  fix,
});
export const fail = (what: string, text: string, fix: string): Finding => ({
  level: "fail",
  what,
  text,
  fix,
});

/** One line for the result, and one below it for the fix. */
export function lineOf(finding: Finding): string {
  const line = `${finding.level.padEnd(4)}  ${finding.what}: ${finding.text}`;
  return finding.level === "ok" ? line : `${line}\n      → ${finding.fix}`;
}
