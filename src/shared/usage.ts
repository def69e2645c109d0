import { z } from "zod";
import { count, day, moment } from "./answers.ts";

/**
 * The outcomes of events. `kept` and `trimmed` are subsets of `accepted`: `trimmed` events were counted without their details,
 * because the project's storage for events was full or their sender created too many error groups; `duplicate` events have an id that was seen before; `discarded` are
 * what SDKs send besides errors: parts of Sentry envelopes, OpenTelemetry's log records and spans without exceptions.
 */
export const OUTCOMES = [
  "accepted",
  "kept",
  "trimmed",
  "limited",
  "invalid",
  "filtered",
  "duplicate",
  "discarded",
] as const;

export type Outcome = (typeof OUTCOMES)[number];

const MAX_USAGE_DAYS = 90;

const message = `must be a whole number from 1 to ${MAX_USAGE_DAYS}`;

export const usageQuery = z.object({
  days: z
    .string({ error: "must be given only once" })
    .regex(/^[0-9]{1,2}$/, message)
    .transform(Number)
    .refine((value) => value >= 1 && value <= MAX_USAGE_DAYS, message)
    .default(30)
    .meta({
      type: "integer",
      minimum: 1,
      maximum: MAX_USAGE_DAYS,
      default: 30,
      description: "The number of days, up to today (UTC).",
    }),
});

const usageDay = z.strictObject({
  day,
  accepted: count,
  kept: count,
  trimmed: count,
  limited: count,
  invalid: count,
  filtered: count,
  duplicate: count,
  discarded: count,
  stored_bytes: count,
});

const storm = z.strictObject({ started_at: moment, last_at: moment });

/**
 * One entry per day, oldest first. `storm` is the last one within 24 hours, `storage_quota` the most `stored_bytes` that a day's
 * events may have with all their details.
 */
export const usageAnswer = z.strictObject({
  data: z.array(usageDay),
  storm: storm.nullable(),
  storage_quota: count,
});

export type Storm = z.infer<typeof storm>;
export type Usage = z.infer<typeof usageAnswer>;
export type UsageDay = z.infer<typeof usageDay>;

/** Examples for the API reference. */
export const usageExamples = {
  Usage: {
    schema: usageAnswer,
    example: {
      data: [
        {
          day: "2026-11-20",
          accepted: 16_881,
          kept: 38,
          trimmed: 0,
          limited: 0,
          invalid: 2,
          filtered: 0,
          duplicate: 4,
          discarded: 912,
          stored_bytes: 1_204_736,
        },
      ],
      storage_quota: 2_147_483_648,
      storm: { started_at: "2026-11-20T14:02:11.000000Z", last_at: "2026-11-20T14:09:40.000000Z" },
    },
  },
};
