import { z } from "zod";
import { moment } from "./answers.ts";
import { AT, LATER } from "./example-values.ts";
import { future, id, line, mustBe, optional } from "./text.ts";

/** Monitors of a project. */
export const MAX_MONITORS = 500;

/** Environments of a monitor. */
export const MAX_MONITOR_ENVIRONMENTS = 100;

export const MAX_SLUG = 50;

/** Characters of a check-in's text. */
export const MAX_CHECK_IN_TEXT = 10_240;

/** Times that a preview of a schedule lists. */
export const PREVIEWED_TIMES = 5;

export const MONITOR_STATUSES = [
  "waiting",
  "ok",
  "running",
  "failing",
  "missed",
  "timeout",
  "muted",
] as const;

export type MonitorStatus = (typeof MONITOR_STATUSES)[number];

export const CHECK_IN_STATUSES = ["in_progress", "ok", "error", "missed", "timeout", "unknown"] as const;

export type CheckInStatus = (typeof CHECK_IN_STATUSES)[number];

export const INTERVAL_UNITS = ["minute", "hour", "day", "week", "month"] as const;

const whole = (min: number, max: number) => {
  const range = `a whole number from ${min.toLocaleString("en")} to ${max.toLocaleString("en")}`;
  return z.int(mustBe(range)).min(min, `must be ${range}`).max(max, `must be ${range}`);
};

/** The limits of a monitor's numbers, and their defaults. */
export const MONITOR_NUMBERS = {
  margin_minutes: { min: 0, max: 10_080, default: 1 },
  max_runtime_minutes: { min: 1, max: 43_200, default: 30 },
  failure_threshold: { min: 1, max: 1_000, default: 1 },
  recovery_threshold: { min: 1, max: 1_000, default: 1 },
} as const;

const numberOf = (name: keyof typeof MONITOR_NUMBERS) => {
  const { min, max } = MONITOR_NUMBERS[name];
  return whole(min, max);
};

const UNITS = INTERVAL_UNITS.join(", ");

/** Whether the text is a schedule is decided where it is used. */
const crontab = z.strictObject({ type: z.literal("crontab"), value: line(200) });
const interval = z.strictObject({
  type: z.literal("interval"),
  value: whole(1, 1_000),
  unit: z.enum(INTERVAL_UNITS, mustBe(`one of ${UNITS}`)),
});

export const monitorSchedule = z.discriminatedUnion("type", [crontab, interval], {
  error: ({ code, input }: { code?: string; input?: unknown }) =>
    code === "invalid_union"
      ? "must be crontab or interval"
      : input === undefined
        ? "is required"
        : "must be an object",
});

export type MonitorSchedule = z.output<typeof monitorSchedule>;

const slug = z
  .string(mustBe("a string"))
  .regex(/^[a-z0-9_-]{1,50}$/, "must have 1 to 50 characters of a-z, 0-9, _ and -");
const name = line(100);
const timezone = line(100);

export const monitorBody = z.object({
  name,
  /** Default: made from the name. */
  slug: optional(slug),
  schedule: monitorSchedule,
  /** An IANA time zone. Default: UTC. */
  timezone: optional(timezone),
  /** Minutes after the expected time until a check-in counts as missed. Default: 1. */
  margin_minutes: optional(numberOf("margin_minutes")),
  /** Minutes until a running check-in counts as timed out. Default: 30. */
  max_runtime_minutes: optional(numberOf("max_runtime_minutes")),
  /** Bad check-ins in a row until an error is created. Default: 1. */
  failure_threshold: optional(numberOf("failure_threshold")),
  /** Good check-ins in a row until the error is resolved. Default: 1. */
  recovery_threshold: optional(numberOf("recovery_threshold")),
});

export type NewMonitor = z.output<typeof monitorBody>;

/** The slug cannot be changed, because check-ins name it. */
export const monitorChanges = z.object({
  name: optional(name),
  schedule: optional(monitorSchedule),
  timezone: optional(timezone),
  margin_minutes: optional(numberOf("margin_minutes")),
  max_runtime_minutes: optional(numberOf("max_runtime_minutes")),
  failure_threshold: optional(numberOf("failure_threshold")),
  recovery_threshold: optional(numberOf("recovery_threshold")),
});

export type MonitorChanges = z.output<typeof monitorChanges>;

export const monitorMuteBody = z.object({ until: future });

export const schedulePreviewBody = z.object({
  schedule: monitorSchedule,
  timezone: optional(timezone),
});

export const schedulePreviewAnswer = z.strictObject({
  /** The next times of the schedule. */
  data: z.array(moment).max(PREVIEWED_TIMES),
});

export type SchedulePreview = z.infer<typeof schedulePreviewAnswer>;

const monitorEnvironment = z.strictObject({
  name: z.string(),
  status: z.enum(MONITOR_STATUSES),
  last_check_in_at: moment.nullable(),
  /** Null before the first check-in. */
  next_due_at: moment.nullable(),
  /** The error of its failures; null before the first one. */
  error_group_id: id.nullable(),
});

export type MonitorEnvironment = z.infer<typeof monitorEnvironment>;

export const monitorAnswer = z.strictObject({
  slug,
  name: z.string(),
  schedule: z.discriminatedUnion("type", [crontab, interval]),
  timezone: z.string(),
  margin_minutes: numberOf("margin_minutes"),
  max_runtime_minutes: numberOf("max_runtime_minutes"),
  failure_threshold: numberOf("failure_threshold"),
  recovery_threshold: numberOf("recovery_threshold"),
  /** Null if it is not muted. */
  muted_until: moment.nullable(),
  /** Null without Error Groups: Update. */
  ping_url: z.string().nullable(),
  /** Empty before the first check-in. */
  environments: z.array(monitorEnvironment).max(MAX_MONITOR_ENVIRONMENTS),
  created_at: moment,
  updated_at: moment,
});

export type Monitor = z.infer<typeof monitorAnswer>;

export const checkInAnswer = z.strictObject({
  id,
  /** 32 hexadecimal characters, as the program sent it. */
  check_in_id: z.string(),
  environment: z.string(),
  /** `unknown`: no server ran when it was expected or due to end. */
  status: z.enum(CHECK_IN_STATUSES),
  /** Seconds. Null if unknown. */
  duration: z.number().nullable(),
  release: z.string().nullable(),
  /** What was sent to the ping URL, without personal data. */
  text: z.string().nullable(),
  /** When it began. For a missed one, when that was noticed. */
  started_at: moment,
  /** Null if it has not ended. */
  finished_at: moment.nullable(),
  /** The time of the schedule that it is for. Null for the first and for additional ones. */
  due_at: moment.nullable(),
});

export type CheckIn = z.infer<typeof checkInAnswer>;

/** Days that the list of monitors shows, including today (UTC). */
export const MONITOR_DAYS = 30;

/** A day with a bad check-in, with good ones only, or with neither. */
const monitorDay = z.enum(["bad", "ok", "none"]);

export type MonitorDay = z.infer<typeof monitorDay>;

const monitorDays = z.strictObject({
  slug,
  /** Oldest first, today (UTC) last. */
  days: z.array(monitorDay).length(MONITOR_DAYS),
});

export type MonitorDays = z.infer<typeof monitorDays>;

export const monitorDaysAnswer = z.strictObject({ data: z.array(monitorDays).max(MAX_MONITORS) });

const schedule = { type: "crontab" as const, value: "0 2 * * *" };

/** Examples for the API reference. */
export const monitorExamples = {
  Monitor: {
    schema: monitorAnswer,
    example: {
      slug: "nightly-backup",
      name: "Nightly backup",
      schedule,
      timezone: "Europe/Berlin",
      margin_minutes: 5,
      max_runtime_minutes: 30,
      failure_threshold: 1,
      recovery_threshold: 1,
      muted_until: null,
      ping_url: "https://signalbox.example.com/ping/5NkXb9eVQbKgXfSx5u3zpA",
      environments: [
        {
          name: "production",
          status: "ok" as const,
          last_check_in_at: AT,
          next_due_at: LATER,
          error_group_id: null,
        },
      ],
      created_at: AT,
      updated_at: AT,
    },
  },
  MonitorBody: {
    schema: monitorBody,
    example: { name: "Nightly backup", schedule, timezone: "Europe/Berlin", margin_minutes: 5 },
  },
  MonitorChanges: { schema: monitorChanges, example: { failure_threshold: 3 } },
  MonitorMute: { schema: monitorMuteBody, example: { until: "2099-01-15T08:00:00Z" } },
  SchedulePreviewBody: { schema: schedulePreviewBody, example: { schedule, timezone: "Europe/Berlin" } },
  SchedulePreview: {
    schema: schedulePreviewAnswer,
    example: { data: ["2026-11-21T01:00:00.000000Z", "2026-11-22T01:00:00.000000Z"] },
  },
  MonitorDays: {
    schema: monitorDaysAnswer,
    example: {
      data: [
        {
          slug: "nightly-backup",
          days: Array.from({ length: MONITOR_DAYS }, (_, day) => (day === 20 ? "bad" : "ok")),
        },
      ],
    },
  },
  CheckIn: {
    schema: checkInAnswer,
    example: {
      id: 5210,
      check_in_id: "0199f3a27c4e7d1b9a562f8c41b07e93",
      environment: "production",
      status: "ok" as const,
      duration: 42.5,
      release: "4.2.1",
      text: null,
      started_at: AT,
      finished_at: AT,
      due_at: AT,
    },
  },
};
