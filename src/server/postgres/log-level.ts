/** Receives log lines of the embedded server. */
export type Log = (line: { level: "info" | "warn" | "error"; message: string }) => void;

/** Problems that PostgreSQL logs with the severity LOG, like routine lines. */
const problems = /terminated by|exited with exit code|not properly shut down|could not|failed|too frequently/;

/** Exceptions that the server's own statements raise for it to take another way: the errors SB001 and SB002. */
const expected = /^(?:the batch creates, reopens or regresses error groups|events of this fingerprint )/;

/**
 * The level of one line of PostgreSQL's log; undefined for routine lines and continuation lines. An ERROR is only a
 * warning, because the client that caused it receives it too.
 */
export function levelOf(line: string): "warn" | "error" | undefined {
  const [, severity, text] = /^([A-Z]+): {1,2}(.*)/.exec(line) ?? [];
  if (severity === "PANIC" || severity === "FATAL") return "error";
  if (severity === "ERROR" && text && expected.test(text)) return undefined;
  if (severity === "WARNING" || severity === "ERROR") return "warn";
  if (severity === "LOG" && text && problems.test(text) && !text.startsWith("background worker"))
    return "warn";
  return undefined;
}
