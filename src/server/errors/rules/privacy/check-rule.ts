import { invalid, type FieldErrors } from "../../../answers/errors.ts";
import { BUILT_IN_RULES } from "../../../ingest/remove-personal-data/built-in-rules.ts";
import type { OwnRule } from "../../../ingest/remove-personal-data/own-rules.ts";
import { patternErrors } from "../../../ingest/patterns/pattern-errors.ts";

type Sent = { [Field in keyof OwnRule]?: OwnRule[Field] | undefined } & { name: string };

/** The rule that was sent. 422 on the name of a built-in rule, on each invalid pattern, and without any pattern. */
export function usableRule({ name, key_pattern, value_pattern }: Sent, within: "" | "rule." = ""): OwnRule {
  const rule: OwnRule = { name, key_pattern: key_pattern ?? null, value_pattern: value_pattern ?? null };
  const errors: FieldErrors = {};
  const isBuiltIn = BUILT_IN_RULES.some((builtIn) => builtIn.name === name.toLowerCase());
  if (isBuiltIn) errors[`${within}name`] = ["is the name of a built-in rule"];
  for (const field of ["key_pattern", "value_pattern"] as const)
    Object.assign(errors, patternErrors(`${within}${field}`, rule[field]));
  if (rule.key_pattern === null && rule.value_pattern === null)
    errors[`${within}key_pattern`] = ["is required unless value_pattern is sent"];
  if (Object.keys(errors).length > 0) throw invalid(errors);
  return rule;
}
