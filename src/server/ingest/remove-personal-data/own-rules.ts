import { cachedByText } from "../../caches/cached-by-text.ts";
import { compilePattern, type Match, type Pattern } from "../patterns/compile-pattern.ts";
import { assignments } from "./assignments.ts";
import { CpuBudget } from "../patterns/cpu-budget.ts";
import { cachedByKey } from "./key-rules.ts";
import type { RemoveValues, Rules } from "./rules.ts";

/** A project's own rule. It removes the values of matching keys, and the matching parts of any text. */
export type OwnRule = { name: string; key_pattern: string | null; value_pattern: string | null };

export type OwnRules = {
  ruleOfKey: ((key: string) => string | undefined) | undefined;
  patterns: readonly { name: string; pattern: Pattern }[];
};

/** Names the removal of a text that was not searched, because it is too long or the budget is spent. */
const UNCHECKED = "unchecked";

/** Milliseconds of CPU time for a project's own rules per event. Ordinary events take less than a hundredth of it. */
const BUDGET_MS = 100;

const MAX_SEARCHED_LENGTH = 16_384;
const MAX_MATCHES = 100;

/** Throws PatternError if a pattern is invalid. */
export function compileOwnRules(rules: readonly OwnRule[]): OwnRules {
  const compiled = (field: "key_pattern" | "value_pattern") =>
    rules.flatMap(({ name, [field]: source }) =>
      source === null ? [] : [{ name, pattern: compilePattern(source) }],
    );
  const keys = compiled("key_pattern");
  return {
    ruleOfKey:
      keys.length > 0 ? cachedByKey((key) => keys.find(({ pattern }) => pattern.test(key))?.name) : undefined,
    patterns: compiled("value_pattern"),
  };
}

/** Compiles the rules in this JSON, once per thread. Undefined without rules. */
export const ownRulesIn = (json: string | null): OwnRules | undefined =>
  json === null ? undefined : compiledRules(json);

/** Characters of JSON. Compiled, the rules take many times as much. */
const MAX_CACHED_CHARACTERS = 200_000;

const compiledRules = cachedByText(MAX_CACHED_CHARACTERS, (json) =>
  compileOwnRules(JSON.parse(json) as OwnRule[]),
);

/**
 * Adds the project's own rules to the built-in ones, with one budget per event. The built-in rules come first: if another
 * rule removed a part of a secret first, they would not recognize the rest.
 */
export function withOwnRules(rules: Rules, own: OwnRules | undefined, budgetMs = BUDGET_MS): Rules {
  if (!own) return rules;
  const budget = new CpuBudget(budgetMs);
  const { ruleOfKey } = own;
  const ruleOfOwnKey =
    ruleOfKey && ((key: string) => (budget.isSpent ? UNCHECKED : budget.measure(() => ruleOfKey(key))));
  const ofValues = removeMatches(own, budget);
  return {
    ruleOfKey: (key) => rules.ruleOfKey(key) ?? ruleOfOwnKey?.(key),
    inText: [...rules.inText, ...(ruleOfOwnKey ? [assignments(ruleOfOwnKey)] : []), ofValues],
    inCode: [...rules.inCode, ofValues],
    inNumbers: own.patterns.length > 0,
  };
}

/** Removes what was not searched, because it could contain what the rules are meant to remove. */
function removeMatches({ patterns }: OwnRules, budget: CpuBudget): RemoveValues {
  if (patterns.length === 0) return (text) => text;
  return (text, found) => {
    if (text === "") return text;
    if (budget.isSpent) return found(UNCHECKED);
    const searched = text.slice(0, MAX_SEARCHED_LENGTH);
    const rest = text.length > MAX_SEARCHED_LENGTH ? found(UNCHECKED) : "";
    const matches = patterns.flatMap((named) => matchesOf(named, searched, budget));
    return replace(searched, outsideReplacements(searched, matches), found) + rest;
  };
}

type NamedMatch = Match & { name: string };

function matchesOf(
  { name, pattern }: { name: string; pattern: Pattern },
  text: string,
  budget: CpuBudget,
): NamedMatch[] {
  const unchecked = (start: number) => ({ start, end: text.length, name: UNCHECKED });
  if (budget.isSpent) return [unchecked(0)];
  if (!budget.measure(() => pattern.test(text))) return [];
  const found: NamedMatch[] = [];
  const matches = pattern.matches(text);
  for (;;) {
    const { value: match } = budget.measure(() => matches.next());
    if (!match) return found;
    found.push({ ...match, name });
    if (found.length === MAX_MATCHES || budget.isSpent) return [...found, unchecked(match.end)];
  }
}

/** Drops matches within the replacements of other rules, and extends a match that overlaps one to all of it. */
function outsideReplacements(text: string, matches: NamedMatch[]): NamedMatch[] {
  if (matches.length === 0 || !text.includes("[removed: ")) return matches;
  const replacements = [...text.matchAll(REPLACEMENT)].map(({ 0: replacement, index }) => ({
    start: index,
    end: index + replacement.length,
  }));
  return matches.flatMap((match) => {
    const touched = replacements.filter(({ start, end }) => start < match.end && end > match.start);
    if (touched.some(({ start, end }) => start <= match.start && end >= match.end)) return [];
    const start = Math.min(match.start, ...touched.map((one) => one.start));
    const end = Math.max(match.end, ...touched.map((one) => one.end));
    return [{ ...match, start, end }];
  });
}

const REPLACEMENT = /\[removed: [^\]\n]{1,100}\]/g;

/** Overlapping matches are replaced together, under the name of the first one. */
function replace(text: string, matches: NamedMatch[], found: (rule: string) => string): string {
  let out = "";
  let kept = 0;
  for (const { start, end, name } of matches.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (start >= kept && end > start) out += text.slice(kept, start) + found(name);
    kept = Math.max(kept, end);
  }
  return out + text.slice(kept);
}
