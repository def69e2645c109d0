import { hasPattern, MAX_RULE_MS, type InboundKind, type PATTERN_KINDS } from "../../../shared/rule-kinds.ts";
import { cachedByText } from "../../caches/cached-by-text.ts";
import { CpuBudget } from "../patterns/cpu-budget.ts";
import { compilePattern } from "../patterns/compile-pattern.ts";
import { isOfCrawler, isOfExtension, isOfLocalhost, isOfOldBrowser } from "./built-in-kinds.ts";
import type { EventFacts } from "./event-facts.ts";

export type StoredRule = { id: number; kind: InboundKind; pattern: string | null };

/** A rule that takes too long, with the pattern that does so. */
export type SlowRule = { id: number; pattern: string };

/** Milliseconds of CPU time for the rules of one event. Once they are spent, the event is stored. */
const BUDGET_MS = 100;
/** Characters. Longer texts are searched only up to this limit. */
const MAX_SEARCHED_LENGTH = 2_048;
/** Characters of JSON. Compiled, the rules take many times as much. */
const MAX_CACHED_CHARACTERS = 200_000;

type Test = (facts: EventFacts) => boolean;
type CompiledRule = StoredRule & { drops: Test };

const KINDS: Readonly<Record<string, Test>> = {
  browser_extensions: isOfExtension,
  old_browsers: isOfOldBrowser,
  localhost: isOfLocalhost,
  web_crawlers: isOfCrawler,
};

/** The id of the first rule in this JSON that drops the event. Adds the rules that take too long to `slow`. */
export function droppingRule(
  json: string,
  facts: EventFacts,
  slow: SlowRule[] = [],
  budgetMs = BUDGET_MS,
): number | undefined {
  const budget = new CpuBudget(budgetMs);
  for (const rule of compiledRules(json)) {
    if (budget.isSpent) return undefined;
    if (budget.measure(() => tryRule(rule, facts, slow))) return rule.id;
  }
  return undefined;
}

function tryRule(rule: CompiledRule, facts: EventFacts, slow: SlowRule[]): boolean {
  const { id, pattern } = rule;
  if (pattern === null) return rule.drops(facts);
  const { isDropped, isSlow } = measure(rule, facts);
  // The first time may have included collecting garbage. A search is faster if the pattern has searched the same text before, so
  // the second time requires a new one.
  if (isSlow && measure(compile(rule), facts).isSlow) slow.push({ id, pattern });
  return isDropped;
}

function measure({ drops }: CompiledRule, facts: EventFacts) {
  const time = new CpuBudget(MAX_RULE_MS);
  const isDropped = time.measure(() => drops(facts));
  return { isDropped, isSlow: time.isSpent };
}

/** Compiles the rules once per thread. */
const compiledRules = cachedByText(MAX_CACHED_CHARACTERS, (json) =>
  (JSON.parse(json) as StoredRule[]).map((rule) => compile(rule)),
);

/** Accepts patterns of any size, because a rule may have been saved when larger ones were allowed. */
function compile({ id, kind, pattern }: StoredRule): CompiledRule {
  if (!hasPattern(kind) || pattern === null)
    return { id, kind, pattern: null, drops: KINDS[kind] ?? (() => false) };
  const { test } = compilePattern(pattern, Infinity);
  const field = kind as (typeof PATTERN_KINDS)[number];
  return {
    id,
    kind,
    pattern,
    drops: (facts) => {
      const text = facts[field];
      return text !== null && test(text.slice(0, MAX_SEARCHED_LENGTH));
    },
  };
}
