import { hasPattern, type InboundKind, type PATTERN_KINDS } from "../../../shared/rule-kinds.ts";
import { CpuBudget } from "../patterns/cpu-budget.ts";
import { compilePattern } from "../patterns/compile-pattern.ts";
import { isOfCrawler, isOfExtension, isOfLocalhost, isOfOldBrowser } from "./built-in-kinds.ts";
import type { EventFacts } from "./event-facts.ts";

export type StoredRule = { id: number; kind: InboundKind; pattern: string | null };

/** The result for an event that an inbound rule drops. */
export type Dropped = { droppedBy: number };

/** Milliseconds of CPU time for the rules of one event. Once they are spent, the event is stored. */
const BUDGET_MS = 100;
const LONGEST_SEARCHED = 16_384;

type Test = (facts: EventFacts) => boolean;
type CompiledRule = { id: number; drops: Test };

const KINDS: Readonly<Record<string, Test>> = {
  browser_extensions: isOfExtension,
  old_browsers: isOfOldBrowser,
  localhost: isOfLocalhost,
  web_crawlers: isOfCrawler,
};

/** The id of the first rule in this JSON that drops the event. */
export function droppingRule(json: string, facts: EventFacts): number | undefined {
  const budget = new CpuBudget(BUDGET_MS);
  return compiledRules(json).find(({ drops }) => !budget.isSpent && budget.measure(() => drops(facts)))?.id;
}

const MOST_CACHED = 100;
const cache = new Map<string, CompiledRule[]>();

/** Compiles the rules once per thread. */
function compiledRules(json: string): CompiledRule[] {
  let rules = cache.get(json);
  if (!rules) {
    if (cache.size >= MOST_CACHED) cache.clear();
    cache.set(json, (rules = (JSON.parse(json) as StoredRule[]).map(compile)));
  }
  return rules;
}

function compile({ id, kind, pattern }: StoredRule): CompiledRule {
  if (!hasPattern(kind) || pattern === null) return { id, drops: KINDS[kind] ?? (() => false) };
  const { test } = compilePattern(pattern);
  const field = kind as (typeof PATTERN_KINDS)[number];
  return {
    id,
    drops: (facts) => {
      const text = facts[field];
      return text !== null && test(text.slice(0, LONGEST_SEARCHED));
    },
  };
}
