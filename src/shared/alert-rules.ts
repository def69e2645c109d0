import { z } from "zod";
import { count, moment } from "./answers.ts";
import { LEVELS } from "./levels.ts";
import { distinctIds, boolean, future, id, line, mustBe, optional, text } from "./text.ts";

/** Rules per project, including the default ones. */
export const MAX_ALERT_RULES = 50;

/** Days before now that a preview covers, and the firings that it lists. */
export const PREVIEW_DAYS = 7;
export const MAX_PREVIEWED = 100;

const MAX_ACTIONS = 10;
const MAX_GLOB = 200;
const DEFAULT_EVERY_MINUTES = 60;
const MAX_EVERY_MINUTES = 10_080;

/** The kinds of rules that fire for an error group. */
const GROUP_KINDS = [
  "new_group",
  "regression",
  "spike",
  "snooze_ended",
  "group_events",
  "group_users",
] as const;

/** The kinds of rules that fire for an error group because of one event or the passing of time. */
export const OCCASION_KINDS = ["new_group", "regression", "spike", "snooze_ended"] as const;

/** The kinds that compare what happened within a number of minutes with a number. They recover. */
export const THRESHOLD_KINDS = ["project_events", "group_events", "group_users"] as const;

/** The kinds that are checked by a job and recover. */
export const RECOVERING_KINDS = [...THRESHOLD_KINDS, "release_crash_free"] as const;

/** The kinds that accept conditions: all but those about reports and releases. */
const CONDITIONAL_KINDS = [...GROUP_KINDS, "project_events"] as const;

export const isAboutGroups = (kind: AlertKind) => GROUP_KINDS.some((other) => other === kind);
export const acceptsConditions = (kind: AlertKind) => CONDITIONAL_KINDS.some((other) => other === kind);

const unknownField =
  (expected: string) =>
  ({ code, keys, input }: { code?: string; keys?: string[]; input?: unknown }): string =>
    code === "unrecognized_keys"
      ? `has an unknown field: ${(keys ?? []).join(", ")}`
      : input === undefined
        ? "is required"
        : `must be ${expected}`;

const anObject = { error: unknownField("an object") };

/** For a union of objects: the error of the field that tells them apart, or of a value that is no object. */
function oneOf(names: readonly string[]) {
  return {
    error: ({ code, input }: { code?: string; input?: unknown }) =>
      code === "invalid_union"
        ? `must be one of ${names.join(", ")}`
        : input === undefined
          ? "is required"
          : "must be an object",
  };
}

const whole = (min: number, max: number) => {
  const range = `a whole number from ${min.toLocaleString("en")} to ${max.toLocaleString("en")}`;
  return z.int(mustBe(range)).min(min, `must be ${range}`).max(max, `must be ${range}`);
};

const MAX_COUNT = 1_000_000_000;
const threshold = { count: whole(1, MAX_COUNT), minutes: whole(10, 1_440) };

const belowRange = "a number from 0 to 1";

const crashFree = {
  below: z.number(mustBe(belowRange)).min(0, `must be ${belowRange}`).max(1, `must be ${belowRange}`),
  sessions: whole(1, MAX_COUNT),
  minutes: threshold.minutes,
};

const kinds = [
  z.strictObject({ kind: z.literal(OCCASION_KINDS) }, anObject),
  z.strictObject({ kind: z.literal(THRESHOLD_KINDS), ...threshold }, anObject),
  z.strictObject({ kind: z.literal("release_new_groups"), count: whole(0, MAX_COUNT) }, anObject),
  z.strictObject({ kind: z.literal("release_crash_free"), ...crashFree }, anObject),
  z.strictObject({ kind: z.literal("report_created") }, anObject),
  z.strictObject({ kind: z.literal("report_waiting"), days: whole(1, 365) }, anObject),
] as const;

export const ALERT_KINDS = [
  ...OCCASION_KINDS,
  ...THRESHOLD_KINDS,
  "release_new_groups",
  "release_crash_free",
  "report_created",
  "report_waiting",
] as const;

export type AlertKind = (typeof ALERT_KINDS)[number];

const when = z.discriminatedUnion("kind", kinds, oneOf(ALERT_KINDS));

export type AlertWhen = z.output<typeof when>;

/** `*` matches any text and `?` one character. The whole value must match; case is ignored. */
const glob = line(MAX_GLOB);

const tags = z
  .record(line(200), text(200), mustBe("an object of texts"))
  .refine((value) => Object.keys(value).length <= 20, "must have at most 20 tags");

const conditions = z.strictObject(
  {
    environment: optional(line(255)),
    level: optional(z.enum(LEVELS, { error: () => `must be one of ${LEVELS.join(", ")}` })),
    class_pattern: optional(glob),
    message_pattern: optional(glob),
    file_pattern: optional(glob),
    assignee_id: optional(id),
    tags: optional(tags),
  },
  anObject,
);

const storedConditions = z.strictObject({
  environment: z.string().optional(),
  level: z.enum(LEVELS).optional(),
  class_pattern: z.string().optional(),
  message_pattern: z.string().optional(),
  file_pattern: z.string().optional(),
  assignee_id: id.optional(),
  tags: z.record(z.string(), z.string()).optional(),
});

export type AlertConditions = z.infer<typeof storedConditions>;

/** Without any, the rule fires for everything of its kind. */
const newConditions = optional(conditions).transform((sent): AlertConditions =>
  Object.fromEntries(Object.entries(sent ?? {}).filter(([, value]) => value !== undefined)),
);

const RECIPIENTS = ["watchers", "assignee"] as const;

const message = z
  .strictObject(
    {
      to: z.literal(["inbox", "email"]),
      recipients: optional(
        z
          .array(
            z.enum(RECIPIENTS, { error: () => `must be one of ${RECIPIENTS.join(", ")}` }),
            mustBe("an array"),
          )
          .max(RECIPIENTS.length, "must have each recipient at most once"),
      ),
      user_ids: optional(distinctIds.max(100, "must have at most 100 ids")),
      team_ids: optional(distinctIds.max(100, "must have at most 100 ids")),
    },
    anObject,
  )
  .refine(
    ({ recipients = [], user_ids = [], team_ids = [] }) =>
      recipients.length + user_ids.length + team_ids.length > 0,
    "must have at least one recipient",
  );

const ACTIONS = ["inbox", "email", "webhook", "issue", "assign"] as const;

const action = z.discriminatedUnion(
  "to",
  [
    message,
    z.strictObject({ to: z.literal("webhook"), webhook_id: id }, anObject),
    z.strictObject(
      {
        to: z.literal("issue"),
        lane_id: optional(id),
        label_ids: optional(distinctIds),
        assignee_id: optional(id),
        priority: optional(whole(0, 4)),
      },
      anObject,
    ),
    z
      .strictObject(
        {
          to: z.literal("assign"),
          user_id: optional(id),
          owners: optional(z.literal(true, mustBe("true"))),
        },
        anObject,
      )
      .refine(
        ({ user_id, owners }) => (user_id === undefined) !== (owners === undefined),
        "must have either user_id or owners",
      ),
  ],
  oneOf(ACTIONS),
);

const storedAction = z.discriminatedUnion("to", [
  z.strictObject({
    to: z.literal(["inbox", "email"]),
    recipients: z.array(z.enum(RECIPIENTS)).optional(),
    user_ids: z.array(id).optional(),
    team_ids: z.array(id).optional(),
  }),
  z.strictObject({ to: z.literal("webhook"), webhook_id: id }),
  z.strictObject({
    to: z.literal("issue"),
    lane_id: id.optional(),
    label_ids: z.array(id).optional(),
    assignee_id: id.optional(),
    priority: z.int().optional(),
  }),
  z.strictObject({ to: z.literal("assign"), user_id: id.optional(), owners: z.literal(true).optional() }),
]);

export type AlertAction = z.infer<typeof storedAction>;
export type AlertMessage = Extract<AlertAction, { to: "inbox" | "email" }>;

const then = z
  .array(action, mustBe("an array of actions"))
  .min(1, "must have at least one action")
  .max(MAX_ACTIONS, `must have at most ${MAX_ACTIONS} actions`);

const everyMinutes = whole(1, MAX_EVERY_MINUTES);
const name = line(100);

export const alertRuleBody = z.object({
  name,
  /** Default: true. */
  active: optional(boolean).transform((value) => value ?? true),
  when,
  if: newConditions,
  then,
  /** At most one firing per rule and group, release or report in this time. Default: 60. */
  every_minutes: optional(everyMinutes).transform((value) => value ?? DEFAULT_EVERY_MINUTES),
});

export type NewAlertRule = z.output<typeof alertRuleBody>;

/** `when`, `if` and `then` are replaced as a whole. */
export const alertRuleChanges = z.object({
  name: optional(name),
  active: optional(boolean),
  when: optional(when),
  if: optional(conditions),
  then: optional(then),
  every_minutes: optional(everyMinutes),
});

export type AlertRuleChanges = z.output<typeof alertRuleChanges>;

export const alertPreviewBody = z.object({
  when,
  if: newConditions,
});

/** Null ends the silence. */
export const alertMuteBody = z.object({ until: future.nullable() });

export const alertRuleAnswer = z.strictObject({
  id,
  name: z.string(),
  active: z.boolean(),
  when: z.discriminatedUnion("kind", [...kinds]),
  /** All conditions must hold. Empty if there are none. */
  if: storedConditions,
  then: z.array(storedAction).max(MAX_ACTIONS),
  every_minutes: z.int().min(1).max(MAX_EVERY_MINUTES),
  /** The rule is silent until then. Null if it is not muted. */
  muted_until: moment.nullable(),
  last_fired_at: moment.nullable(),
  /** Null for the default rules, and if the user was deleted. */
  created_by: id.nullable(),
  created_at: moment,
  updated_at: moment,
});

export type AlertRule = z.infer<typeof alertRuleAnswer>;

const groupSubject = z.strictObject({
  id,
  exception_class: z.string(),
  message: z.string(),
  environment: z.string(),
});
const reportSubject = z.strictObject({ id, title: z.string() });
const releaseSubject = z.strictObject({ id, version: z.string() });

export const alertPreviewAnswer = z.strictObject({
  /** Null if the past is not known. */
  count: count.nullable(),
  /** The past is known in less detail than the rule requires, for example per day instead of per ten minutes. */
  approximate: z.boolean(),
  /** The latest ones, newest first. Each has exactly one subject, or none if the rule is about the project. */
  data: z
    .array(
      z.strictObject({
        at: moment,
        error_group: groupSubject.optional(),
        report: reportSubject.optional(),
        release: releaseSubject.optional(),
      }),
    )
    .max(MAX_PREVIEWED),
});

export type AlertPreview = z.infer<typeof alertPreviewAnswer>;
