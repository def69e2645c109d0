import { hasPattern, type InboundKind } from "../../../../shared/rule-kinds.ts";
import { invalid } from "../../../answers/errors.ts";
import { patternErrors } from "../../../ingest/patterns/pattern-errors.ts";

/**
 * Instructions of a compiled pattern. Rules that were saved when larger patterns were allowed stay as they are until their pattern
 * is changed.
 */
const MAX_SIZE = 100;

/** 422 on `pattern` if it is invalid, too complex, missing, or not used by the kind. */
export function requireUsableRule({ kind, pattern }: { kind: InboundKind; pattern: string | null }): void {
  if (hasPattern(kind) === (pattern === null))
    throw invalid({
      pattern: [hasPattern(kind) ? "is required" : `is not used by rules of the kind ${kind}`],
    });
  const errors = patternErrors("pattern", pattern, MAX_SIZE);
  if (Object.keys(errors).length > 0) throw invalid(errors);
}
