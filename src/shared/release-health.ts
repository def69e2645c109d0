import { z } from "zod";
import { count, moment } from "./answers.ts";
import { AT } from "./example-values.ts";
import { filterOf } from "./filters.ts";

/** Days that sessions are kept. */
export const MAX_HEALTH_DAYS = 90;

/** Environments that a release lists. */
export const MAX_HEALTH_ENVIRONMENTS = 50;

/** Hours after a release's first session that are compared with those of the release before. */
export const COMPARED_HOURS = 24;

/** Days, of which today is one, whose sessions are compared with the events of an error. */
export const SHARE_DAYS = 7;

const rate = z.number().min(0).max(1);

/** Of all environments, unless the request names one. */
export const releaseHealthAnswer = z.strictObject({
  /** In the last 90 days. */
  sessions: count,
  /** Sessions with errors that neither crashed nor ended abnormally. */
  errored: count,
  crashed: count,
  abnormal: count,
  /** The share of sessions that did not crash. Null without sessions. */
  crash_free_sessions: rate.nullable(),
  /** Distinct users since the release's first session. A user of two environments counts in each. */
  users: count,
  /** The share of users none of whose sessions crashed. Null if no session has a user. */
  crash_free_users: rate.nullable(),
  /** Whether `users` is exact. Above 10,000 users of a release and environment it may be an estimate. */
  users_exact: z.boolean(),
  /** The release's share of the project's sessions in the last 24 hours. Null if there were none. */
  adoption: rate.nullable(),
});

export type ReleaseHealth = z.infer<typeof releaseHealthAnswer>;

const comparedSessions = { sessions: count, crashed: count, crash_free_sessions: rate };

/**
 * The first hours of the release, and as many of the first hours of the release before: the next older one with sessions. Sessions count
 * by the hour in which they started.
 */
export const releaseComparisonAnswer = z.strictObject({
  /** From the release's first session to now, at most 24. */
  hours: z.int().min(1).max(COMPARED_HOURS),
  ...comparedSessions,
  /** Null if no older release has sessions. */
  before: z.strictObject({ version: z.string(), ...comparedSessions }).nullable(),
});

export type ReleaseComparison = z.infer<typeof releaseComparisonAnswer>;

const INTERVALS = ["hour", "day"] as const;

const daysMessage = `must be a whole number from 1 to ${MAX_HEALTH_DAYS}`;

const environment = filterOf("must have 1 to 255 characters", (value) =>
  value.length >= 1 && value.length <= 255 ? value : undefined,
);

export const environmentQuery = z.object({ environment });

export type EnvironmentQuery = z.output<typeof environmentQuery>;

export const releaseHealthQuery = z.object({
  environment,
  interval: z.enum(INTERVALS, { error: () => `must be one of ${INTERVALS.join(", ")}` }).default("day"),
  days: z
    .string({ error: "must be given only once" })
    .regex(/^[0-9]{1,2}$/, daysMessage)
    .transform(Number)
    .refine((value) => value >= 1 && value <= MAX_HEALTH_DAYS, daysMessage)
    .default(30)
    .meta({
      type: "integer",
      minimum: 1,
      maximum: MAX_HEALTH_DAYS,
      default: 30,
      description: "The number of days, up to today (UTC).",
    }),
});

export type ReleaseHealthQuery = z.output<typeof releaseHealthQuery>;

const healthPoint = z.strictObject({
  /** The start of the hour or day (UTC). */
  at: moment,
  sessions: count,
  errored: count,
  crashed: count,
  abnormal: count,
  /** Null for hours, because users are counted per day. */
  users: count.nullable(),
});

/** Oldest first. Hours and days without sessions are left out. */
export const releaseHealthSeriesAnswer = z.strictObject({ data: z.array(healthPoint) });

export type ReleaseHealthSeries = z.infer<typeof releaseHealthSeriesAnswer>;
export type ReleaseHealthPoint = z.infer<typeof healthPoint>;

/** How many events of an error came in the last days (UTC), and how many sessions the project had in them. */
export const sessionsWithErrorAnswer = z.strictObject({
  days: z.literal(SHARE_DAYS),
  events: count,
  sessions: count,
});

export type SessionsWithError = z.infer<typeof sessionsWithErrorAnswer>;

export const exampleHealth: ReleaseHealth = {
  sessions: 41_220,
  errored: 310,
  crashed: 33,
  abnormal: 4,
  crash_free_sessions: 0.9992,
  users: 5_120,
  crash_free_users: 0.9941,
  users_exact: true,
  adoption: 0.82,
};

export const exampleComparison: ReleaseComparison = {
  hours: COMPARED_HOURS,
  sessions: 4_120,
  crashed: 33,
  crash_free_sessions: 0.992,
  before: { version: "4.2.0", sessions: 3_980, crashed: 16, crash_free_sessions: 0.996 },
};

/** Examples for the API reference. */
export const releaseHealthExamples = {
  ReleaseHealth: { schema: releaseHealthAnswer, example: exampleHealth },
  ReleaseComparison: { schema: releaseComparisonAnswer, example: exampleComparison },
  SessionsWithError: {
    schema: sessionsWithErrorAnswer,
    example: { days: SHARE_DAYS, events: 96, sessions: 41_220 },
  },
  ReleaseHealthSeries: {
    schema: releaseHealthSeriesAnswer,
    example: {
      data: [{ at: AT, sessions: 4_120, errored: 31, crashed: 33, abnormal: 0, users: 812 }],
    },
  },
};
