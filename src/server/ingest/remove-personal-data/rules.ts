/**
 * Replaces one kind of personal data in a text: calls `found` with the rule's name for each value, and replaces the value
 * with the result. Must take linear time.
 */
export type RemoveValues = (text: string, found: (rule: string) => string) => string;

export type Rules = {
  /** The name of the rule that removes any value of the key. */
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

/** Counts one removal and returns the replacement of the value. */
export function count(rule: string, removed: Removed): string {
  removed.set(rule, (removed.get(rule) ?? 0) + 1);
  return `[removed: ${rule}]`;
}
