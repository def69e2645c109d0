import type { IgnoreRule } from "./options.ts";
import { attempt } from "./safe.ts";

/** Whether a rule matches this error. A rule that throws does not match. */
export function ignored(
  rules: readonly IgnoreRule[],
  error: unknown,
  described: { exception_class: string; message: string },
): boolean {
  const { exception_class: name, message } = described;
  return rules.some((rule) =>
    attempt(() => {
      if (typeof rule === "function") return rule(error);
      if (typeof rule === "string") return rule === name || message.includes(rule);
      // `search` ignores lastIndex, which `test` would carry over to the next error with a /g pattern.
      return `${name}: ${message}`.search(rule) >= 0;
    }),
  );
}
