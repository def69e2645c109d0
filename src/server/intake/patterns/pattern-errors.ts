import type { FieldErrors } from "../../answers/errors.ts";
import { compilePattern, PatternError } from "./compile-pattern.ts";

/** The errors of the pattern in this field. Empty if the pattern is valid or was not sent. */
export function patternErrors(field: string, pattern: string | null): FieldErrors {
  try {
    if (pattern !== null) compilePattern(pattern);
    return {};
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    return { [field]: [error.message] };
  }
}
