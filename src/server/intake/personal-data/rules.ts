/**
 * Replaces one kind of personal data in a text: calls `found` with the name of the rule for each value, and puts its answer
 * in place of the value. Must take linear time.
 */
export type RemoveValues = (text: string, found: (rule: string) => string) => string;

export type Rules = {
  /** The rule that removes the value of a key, whatever the value is. */
  ruleOfKey: (key: string) => string | undefined;
  /** Applied to every text, in this order. */
  inText: readonly RemoveValues[];
  /** Applied to lines of source code instead, without rules that would match expressions. */
  inCode: readonly RemoveValues[];
  /** Whether to apply `inText` to all numbers, and not only to those that may be card numbers. */
  inNumbers?: boolean;
};

/** How many values each rule removed. */
export type Removed = Map<string, number>;

/** Counts one removal and returns what takes the place of the value. */
export function count(rule: string, removed: Removed): string {
  removed.set(rule, (removed.get(rule) ?? 0) + 1);
  return `[removed: ${rule}]`;
}
