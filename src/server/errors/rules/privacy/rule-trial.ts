import type { KeptEvent } from "../../../../shared/kept-events.ts";
import { MAX_PLACES, type PrivacyRuleTest } from "../../../../shared/privacy-rules.ts";
import { cutCodePoints } from "../../../../shared/text.ts";
import { isRecord } from "../../../ingest/read/coerce.ts";
import { readAdditions, readFrames } from "../../../ingest/read/read-additions.ts";
import {
  compileOwnRules,
  withOwnRules,
  type OwnRule,
} from "../../../ingest/remove-personal-data/own-rules.ts";
import { removeFromText } from "../../../ingest/remove-personal-data/remove-personal-data.ts";
import type { Removed, Rules } from "../../../ingest/remove-personal-data/rules.ts";

export type RuleTrial = { rule: OwnRule; event: KeptEvent };

const NO_RULES: Rules = { ruleOfKey: () => undefined, inText: [], inCode: [] };

/** Shows what the rule would remove from the event. */
export function runTrial({ rule, event }: RuleTrial): PrivacyRuleTest {
  const removed: Removed = new Map();
  const rules = withOwnRules(NO_RULES, compileOwnRules([rule]));
  const after = withoutRemoved(event, rules, removed);
  return { removed: Object.fromEntries(removed), places: placesOf(event, after).slice(0, MAX_PLACES) };
}

/** The parts of the event that are searched for personal data, with the rule applied. */
function withoutRemoved(event: KeptEvent, rules: Rules, removed: Removed): Record<string, unknown> {
  const { message, previous_exceptions } = event;
  const options = { rules, removed, keepVars: true };
  const { tags, breadcrumbs, request, contexts, extra, frames } =
    readAdditions(event, options, () => readFrames(event.frames, options)) ?? event;
  return {
    message: removeFromText(message, rules, removed),
    previous_exceptions: previous_exceptions.map((exception) => ({
      message: removeFromText(exception.message, rules, removed),
    })),
    tags,
    breadcrumbs,
    request,
    contexts,
    extra,
    frames,
  };
}

type Place = PrivacyRuleTest["places"][number];

/** The texts that differ. A key that was changed has another name in `after`. */
function placesOf(before: unknown, after: unknown, path = ""): Place[] {
  if (Array.isArray(after))
    return after.flatMap((item, n) =>
      placesOf(Array.isArray(before) ? before[n] : undefined, item, `${path}.${n}`),
    );
  if (isRecord(after)) {
    const original = isRecord(before) ? before : {};
    const missing = Object.keys(original).filter((key) => !Object.hasOwn(after, key));
    return Object.entries(after).flatMap(([key, value]) => {
      const was = Object.hasOwn(original, key) ? key : missing.shift();
      return placesOf(
        was === undefined ? undefined : original[was],
        value,
        path === "" ? key : `${path}.${key}`,
      );
    });
  }
  if (before === after || typeof after !== "string") return [];
  const text = typeof before === "string" ? before : (JSON.stringify(before) ?? "");
  return [{ path, before: short(text), after: short(after) }];
}

const short = (text: string) => cutCodePoints(text, 500);
