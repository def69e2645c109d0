import { count, type Removed, type RemoveValues, type Rules } from "./rules.ts";

/**
 * A copy of a JSON value without personal data. Values of sensitive keys are replaced as a whole, other texts and keys only
 * where a rule matches. Works at any depth and takes linear time. `removed` counts what was removed.
 */
export function removeFromJson(value: unknown, rules: Rules, removed: Removed): unknown {
  // Values wait here instead of on the stack, which a deeply nested value would exhaust.
  const waiting: { from: object; to: object }[] = [];
  const copy = (value: unknown): unknown => {
    if (typeof value === "string") return removeFromText(value, rules, removed);
    if (typeof value === "number") return removeFromNumber(value, rules, removed);
    if (typeof value !== "object" || value === null) return value;
    const to = Array.isArray(value) ? [] : {};
    waiting.push({ from: value, to });
    return to;
  };
  const root = copy(value);
  for (let next; (next = waiting.pop());) {
    const { from, to } = next;
    if (Array.isArray(from)) for (const item of from) (to as unknown[]).push(copy(item));
    else copyEntries(from as Record<string, unknown>, to as Record<string, unknown>, copy, rules, removed);
  }
  return root;
}

function copyEntries(
  from: Record<string, unknown>,
  to: Record<string, unknown>,
  copy: (value: unknown) => unknown,
  rules: Rules,
  removed: Removed,
) {
  for (const [key, value] of Object.entries(from)) {
    const rule = rules.ruleOfKey(key);
    const kept = rule === undefined || value === null ? copy(value) : count(rule, removed);
    const name = removeFromText(key, rules, removed);
    // Assigning would change the prototype instead.
    if (name === "__proto__")
      Object.defineProperty(to, name, { value: kept, enumerable: true, configurable: true, writable: true });
    else to[name] = kept;
  }
}

/** A text without personal data. */
export const removeFromText = (text: string, rules: Rules, removed: Removed): string =>
  apply(rules.inText, text, removed);

/** A line of source code without personal data. */
export const removeFromCode = (line: string, rules: Rules, removed: Removed): string =>
  apply(rules.inCode, line, removed);

function apply(rules: readonly RemoveValues[], text: string, removed: Removed): string {
  const found = (rule: string) => count(rule, removed);
  let result = text;
  for (const remove of rules) result = remove(result, found);
  return result;
}

/** A card number may be sent as a number. */
function removeFromNumber(value: number, rules: Rules, removed: Removed): unknown {
  if (!rules.inNumbers && (!Number.isSafeInteger(value) || value < 1e12)) return value;
  const text = String(value);
  const result = removeFromText(text, rules, removed);
  return result === text ? value : result;
}
