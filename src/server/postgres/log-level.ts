/** Where the embedded server reports what happens. */
export type Log = (line: { level: "info" | "warn" | "error"; message: string }) => void;

/** Routine lines of PostgreSQL have the severity LOG, and so have these, which somebody should see. */
const worthKnowing =
  /terminated by|exited with exit code|not properly shut down|could not|failed|too frequently/;

/**
 * The level of one line of PostgreSQL's log, or undefined for a line nobody needs: routine, or a continuation. An
 * ERROR has reached the client that caused it, so here it is only a warning.
 */
export function levelOf(line: string): "warn" | "error" | undefined {
  const [, severity, text] = /^([A-Z]+): {1,2}(.*)/.exec(line) ?? [];
  if (severity === "PANIC" || severity === "FATAL") return "error";
  if (severity === "WARNING" || severity === "ERROR") return "warn";
  if (severity === "LOG" && text && worthKnowing.test(text) && !text.startsWith("background worker"))
    return "warn";
  return undefined;
}
