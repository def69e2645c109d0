import { count, type Removed, type RemoveValues, type Rules } from "./rules.ts";

/**
 * Removes personal data from a JSON value of limited depth. Replaces values of sensitive keys as a whole, and in other texts
 * and keys only what a rule matches. Copies only the parts that change, because most values contain no personal data.
 * `removed` counts the removals.
 */
export function removeFromJson(value: unknown, rules: Rules, removed: Removed): unknown {
  if (typeof value === "string") return removeFromText(value, rules, removed);
  if (typeof value === "number") return removeFromNumber(value, rules, removed);
  if (typeof value !== "object" || value === null) return value;
  return Array.isArray(value)
    ? removeFromItems(value, rules, removed)
    : removeFromEntries(value as Record<string, unknown>, rules, removed);
}

function removeFromItems(items: readonly unknown[], rules: Rules, removed: Removed): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (const [index, item] of items.entries()) {
    const kept = removeFromJson(item, rules, removed);
    if (kept !== item) (copy ??= [...items])[index] = kept;
  }
  return copy ?? items;
}

type JsonObject = Record<string, unknown>;

function removeFromEntries(from: Readonly<JsonObject>, rules: Rules, removed: Removed): Readonly<JsonObject> {
  let copy: JsonObject | undefined;
  for (const key in from) {
    const value = from[key];
    const rule = rules.ruleOfKey(key);
    const isKept = rule === undefined || value === null;
    const kept = isKept ? removeFromJson(value, rules, removed) : count(rule, removed);
    const name = removeFromText(key, rules, removed);
    if (kept !== value || name !== key) copy ??= entriesBefore(key, from);
    if (copy) setEntry(copy, name, kept);
  }
  return copy ?? from;
}

function entriesBefore(end: string, from: Readonly<JsonObject>): JsonObject {
  const copy: JsonObject = {};
  for (const key in from) {
    if (key === end) break;
    setEntry(copy, key, from[key]);
  }
  return copy;
}

function setEntry(object: JsonObject, name: string, value: unknown): void {
  // Assigning to `__proto__` would change the prototype instead.
  if (name === "__proto__")
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  else object[name] = value;
}

/** Removes personal data from a text. */
export const removeFromText = (text: string, rules: Rules, removed: Removed): string =>
  apply(rules.inText, text, removed);

/** Removes personal data from a line of source code. */
export const removeFromCode = (line: string, rules: Rules, removed: Removed): string =>
  apply(rules.inCode, line, removed);

/**
 * Whether no rule would change the text. It may be several texts without line breaks, joined by line breaks: what a rule finds in
 * one of them, it also finds there, and one search takes a fraction of the time of many.
 */
export const isFreeOf = (rules: readonly RemoveValues[], text: string): boolean =>
  apply(rules, text, new Map()) === text;

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
