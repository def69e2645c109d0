import { z } from "zod";
import { count, moment, pictureAnswer } from "./answers.ts";
import { booleanFilter, filterOf, idFilter } from "./filters.ts";
import { PREFERENCES, type Preference } from "./people.ts";
import { boolean, future, id, ids, optional } from "./text.ts";
import { AT } from "./example-values.ts";

export const ASSIGNMENT = 1;
export const COMMENT = 2;
export const LANE_CHANGE = 3;
export const MENTION = 4;
export const PROJECT_MEMBERSHIP = 5;
export const TEAM_MEMBERSHIP = 6;
export const REPORT_CREATED = 7;
export const ERROR_ASSIGNED = 8;
export const ERROR_REGRESSED = 9;
export const NEW_ERROR = 10;
export const SNOOZE_ENDED = 11;
/** A comment or mention on an error or report. */
export const WORK_COMMENT = 12;
export const FIX_VERIFIED = 13;
export const ISSUE_REOPENED = 14;
export const OWN_REPORT_DONE = 15;
export const SPIKE = 16;
export const ALERT_FIRED = 17;
export const WEBHOOK_DISABLED = 18;

/** The types that `GET /api/notifications` returns by default. `include=all` adds the others. */
export const BASIC_TYPES = [
  ASSIGNMENT,
  COMMENT,
  LANE_CHANGE,
  MENTION,
  PROJECT_MEMBERSHIP,
  TEAM_MEMBERSHIP,
  REPORT_CREATED,
] as const;

const NOTIFICATION_TYPES = [
  ...BASIC_TYPES,
  ERROR_ASSIGNED,
  ERROR_REGRESSED,
  NEW_ERROR,
  SNOOZE_ENDED,
  WORK_COMMENT,
  FIX_VERIFIED,
  ISSUE_REOPENED,
  OWN_REPORT_DONE,
  SPIKE,
  ALERT_FIRED,
  WEBHOOK_DISABLED,
] as const;

export type NotificationType = (typeof NOTIFICATION_TYPES)[number];

/** `all` includes the types beyond `BASIC_TYPES`. */
const include = filterOf("must be all", (value) => (value === "all" ? ("all" as const) : undefined)).meta({
  description:
    "`all` includes the types 8 to 18, which are about errors, reports and integrations. Without it, only entries of the types 1 to 7 are returned and counted.",
});

export const unreadCountQuery = z.object({ include });

const MAX_NOTIFICATIONS = 500;

const limit = filterOf(`must be a whole number from 1 to ${MAX_NOTIFICATIONS}`, (value) =>
  /^[0-9]{1,3}$/.test(value) && Number(value) >= 1 && Number(value) <= MAX_NOTIFICATIONS
    ? Number(value)
    : undefined,
).meta({ type: "integer", minimum: 1, maximum: MAX_NOTIFICATIONS, default: 100 });

/** `cursor` comes from the `Link` header of the previous page. */
export const notificationListQuery = z.object({
  limit,
  cursor: z
    .string({ error: "must be given only once" })
    .optional()
    .meta({ description: "From the `Link` header of the previous page." }),
  unread: booleanFilter,
  include,
  type: filterOf("must be a whole number from 1 to 18", (value) =>
    NOTIFICATION_TYPES.find((type) => String(type) === value),
  ),
  project_id: idFilter,
  issue_id: idFilter,
  report_id: idFilter,
  epic_id: idFilter,
  error_group_id: idFilter,
  /** True lists only entries that are snoozed now; otherwise they are left out. */
  snoozed: booleanFilter,
});

export type NotificationListQuery = z.output<typeof notificationListQuery>;

/** Duplicate ids are allowed and count once. */
export const notificationIdsBody = z.object({
  notification_ids: ids.min(1, "must have at least one id"),
});

/** Null ends the snooze: the entries return immediately. */
export const snoozeBody = notificationIdsBody.extend({ until: future.nullable() });

/** Sets whether the caller watches, regardless of the previous state. */
export const watchBody = z.object({ watching: boolean });

export const preferencesBody = z.object(
  Object.fromEntries(PREFERENCES.map((preference) => [preference, optional(boolean)])) as Record<
    Preference,
    ReturnType<typeof optional<typeof boolean>>
  >,
);

const notifiable = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("issue"),
    id,
    key: z.string(),
    title: z.string(),
    project_id: id,
  }),
  z.strictObject({
    type: z.literal("error_group"),
    id,
    project_id: id,
    exception_class: z.string(),
    message: z.string(),
  }),
  z.strictObject({ type: z.literal("report"), id, project_id: id, title: z.string() }),
  z.strictObject({ type: z.literal("project"), id, name: z.string() }),
  z.strictObject({ type: z.literal("team"), id, name: z.string() }),
]);

export const notificationAnswer = z.strictObject({
  id,
  type: z.literal(NOTIFICATION_TYPES),
  message: z.string(),
  /** Null while unread. */
  read_at: moment.nullable(),
  created_at: moment,
  /** Null if no user caused it, or if the user was deleted. */
  actor: z
    .strictObject({ id, first_name: z.string(), last_name: z.string(), profile_picture: pictureAnswer })
    .nullable(),
  notifiable,
  /** The beginning of the comment or report as plain text. Null without one, or if the caller may not read it. */
  excerpt: z.string().nullable(),
  comment_id: id.nullable(),
  /** The report or epic that the entry is about, if it exists and the caller may read it. */
  report_id: id.nullable(),
  epic_id: id.nullable(),
  /** The oldest attachment of the report that is an image with a thumbnail, or of at most 200,000 bytes. */
  thumbnail_id: id.nullable(),
  /** While this is in the future, the entry is hidden. It returns unread. */
  snoozed_until: moment.nullable(),
});

export type Notification = z.infer<typeof notificationAnswer>;

export const unreadCountAnswer = z.strictObject({
  count,
  /** How soon the next snoozed entry returns. Missing if none is snoozed. */
  next_return_ms: count.optional(),
});

export type UnreadCount = z.infer<typeof unreadCountAnswer>;

/** The numbers of unread entries by their subject. Subjects without unread entries are missing. */
export const unreadCountsAnswer = z.strictObject({
  /** By type of notification. */
  types: z.record(z.string(), count),
  /** By id of the project. */
  projects: z.record(z.string(), count),
  /** By item, such as `issue:12`, `report:7`, `epic:3` or `error_group:77`: the 1,000 items with the most entries. */
  things: z.record(z.string(), count),
});

export type UnreadCounts = z.infer<typeof unreadCountsAnswer>;

export const issueWatchAnswer = z.strictObject({ watching: z.boolean() });

export type IssueWatch = z.infer<typeof issueWatchAnswer>;

/** All users who watch the project's reports. */
export const reportWatchAnswer = z.strictObject({ report_watcher_ids: z.array(id) });

export type ReportWatch = z.infer<typeof reportWatchAnswer>;

/** Examples for the API reference. */
export const notificationExamples = {
  Notification: {
    schema: notificationAnswer,
    example: {
      id: 501,
      type: 4,
      message: "Ada Moss mentioned you in WEB-12",
      read_at: null,
      created_at: AT,
      actor: { id: 3, first_name: "Ada", last_name: "Moss", profile_picture: null },
      notifiable: { type: "issue", id: 312, key: "WEB-12", title: "Keep the coupon", project_id: 5 },
      excerpt: "@kim could you have a look?",
      comment_id: 871,
      report_id: null,
      epic_id: null,
      thumbnail_id: null,
      snoozed_until: null,
    },
  },
  Snooze: { schema: snoozeBody, example: { notification_ids: [501, 502], until: "2099-01-15T08:00:00Z" } },
  Watch: { schema: watchBody, example: { watching: false } },
  UnreadCount: { schema: unreadCountAnswer, example: { count: 3, next_return_ms: 5_400_000 } },
  UnreadCounts: {
    schema: unreadCountsAnswer,
    example: { types: { 2: 3 }, projects: { 5: 3 }, things: { "issue:312": 3 } },
  },
  NotificationIds: { schema: notificationIdsBody, example: { notification_ids: [501, 502] } },
  Preferences: { schema: preferencesBody, example: { notify_watched_activity_email: false } },
};
