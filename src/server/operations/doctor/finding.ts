/** What one check says; `mend` is what to do about a warning or a failure. */
export type Finding =
  | { level: "ok"; what: string; text: string }
  | { level: "warn" | "fail"; what: string; text: string; mend: string };

export const ok = (what: string, text: string): Finding => ({ level: "ok", what, text });
export const warn = (what: string, text: string, mend: string): Finding => ({
  level: "warn",
  what,
  text,
  mend,
});
export const fail = (what: string, text: string, mend: string): Finding => ({
  level: "fail",
  what,
  text,
  mend,
});

/** One line, and below it how to mend it. */
export function lineOf(finding: Finding): string {
  const line = `${finding.level.padEnd(4)}  ${finding.what}: ${finding.text}`;
  return finding.level === "ok" ? line : `${line}\n      → ${finding.mend}`;
}
