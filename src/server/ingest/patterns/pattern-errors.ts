import type { FieldErrors } from "../../answers/errors.ts";
import { compilePattern, PatternError } from "./compile-pattern.ts";

/** The errors of the pattern in this field. Empty if the pattern is valid or was not sent. `maxSize` as for `compilePattern`. */
export function patternErrors(field: string, pattern: string | null, maxSize?: number): FieldErrors {
  try {
    if (pattern !== null) compilePattern(pattern, maxSize);
    return {};
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    return { [field]: [error.message] };
  }
}
