import type { FieldErrors } from "../../answers/errors.ts";
import { compilePattern, PatternError } from "./compile-pattern.ts";

/** What is wrong with the pattern of this field. Empty if it is valid or not sent. */
export function patternErrors(field: string, pattern: string | null): FieldErrors {
  try {
    if (pattern !== null) compilePattern(pattern);
    return {};
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    return { [field]: [error.message] };
  }
}
