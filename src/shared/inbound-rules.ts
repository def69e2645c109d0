import { z } from "zod";
import { count, moment } from "./answers.ts";
import { pattern } from "./privacy-rules.ts";
import { INBOUND_KINDS } from "./rule-kinds.ts";
import { boolean, clearable, id, optional } from "./text.ts";

/** Rules of a project that drop events on arrival. */
export const MAX_INBOUND_RULES = 50;

/** Browsers below these major versions, from 2021 and 2022, count as old. Internet Explorer and Opera Mini always do. */
export const OLD_BROWSERS: Readonly<Record<string, number>> = {
  Chrome: 100,
  Edge: 100,
  Firefox: 100,
  Opera: 86,
  Safari: 15,
  "Samsung Internet": 17,
};

export const DROPPED_DAYS = 30;

const kind = z.enum(INBOUND_KINDS, {
  error: ({ input }) => (input === undefined ? "is required" : `must be one of ${INBOUND_KINDS.join(", ")}`),
});

export const inboundRuleBody = z.object({
  kind,
  pattern: optional(pattern),
  active: optional(boolean),
});

export const inboundRuleChanges = z.object({
  kind: optional(kind),
  pattern: clearable(pattern),
  active: optional(boolean),
});

export const inboundRuleAnswer = z.strictObject({
  id,
  kind: z.enum(INBOUND_KINDS),
  pattern: z.string().nullable(),
  active: z.boolean(),
  /**
   * When the rule was switched off because it took more than 20 ms of computing time on an event. Null unless it is off for
   * that reason. Switching it on or sending a pattern ends the pause.
   */
  paused_at: moment.nullable(),
  /** Events that the rule dropped in the last 30 days, including today (UTC). Written once a second. */
  dropped_30_days: count,
});

export type InboundRule = z.infer<typeof inboundRuleAnswer>;

/** Examples for the API reference. */
export const inboundRuleExamples = {
  InboundRule: {
    schema: inboundRuleAnswer,
    example: {
      id: 9,
      kind: "message",
      pattern: "^ResizeObserver loop",
      active: true,
      paused_at: null,
      dropped_30_days: 1204,
    },
  },
  InboundRuleBody: {
    schema: inboundRuleBody,
    example: { kind: "message", pattern: "^ResizeObserver loop" },
  },
  InboundRuleChanges: { schema: inboundRuleChanges, example: { active: false } },
};
